package pool

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
)

// The verdicts of the C++ programs of the catalogue are those of its table, by both engines that read programs, as far
// as graphs decides them in seconds. A program in C with the same name has the same verdicts; the log has both times.
// With -short, only some of the questions are asked.
func TestCPlusPlusVerdicts(t *testing.T) {
	if _, err := exec.LookPath(frontend.Compiler); err != nil {
		t.Skip("clang++ is not installed")
	}
	p, err := New(Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	question := 0
	for _, b := range catalogue.CPlusPlus() {
		t.Run(strings.Join(append([]string{b.Program}, b.Defines...), " "), func(t *testing.T) {
			var asked []solver.VerifyTask
			var want []string
			for _, k := range b.Known {
				if question++; testing.Short() && question%60 != 1 {
					continue
				}
				options := solver.DefaultOptions()
				if b.Unroll > 0 {
					options.Unroll = b.Unroll
				}
				task := solver.VerifyTask{Model: k.Model, Options: options}
				if b.Property != "" {
					task.Verify = task.With(strings.Split(b.Property, "+"))
				}
				asked, want = append(asked, task), append(want, k.Verdict)
			}
			if len(asked) == 0 {
				return
			}
			file := filepath.Join("..", "..", "litmus", "catalogue", "cpp", b.Program+".cpp")
			var flags []string
			for _, d := range b.Defines {
				flags = append(flags, "-D"+d)
			}
			text, err := frontend.Compile(t.Context(), file, flags)
			if err != nil {
				t.Fatal(err)
			}
			m, err := assembly.Parse(file+".ll", text)
			if err != nil {
				t.Fatal(err)
			}
			for i, task := range asked {
				for _, engine := range []string{"axiomatic", "graphs"} {
					task := task
					task.Path, task.Files = file+".ll", []solver.SourceFile{{Name: file + ".ll", Text: text}}
					task.Include, task.Engine = frontend.Sources(m), engine
					task.Options.Timeout = time.Minute
					if engine == "graphs" {
						task.Options.Timeout = 5 * time.Second
					}
					v, err := solver.Ask(t.Context(), p, task)
					switch {
					case err != nil:
						t.Fatal(err)
					case engine == "graphs" && (v.Status == solver.Unknown || refused(v.Error)):
					case v.Status != solver.OK || string(v.Verdict) != want[i]:
						t.Errorf("under %s by %s: %s %s %s; the table says %s",
							task.Model, engine, v.Status, v.Verdict, v.Error, want[i])
					case engine == "axiomatic" && b.Twin != "":
						compareWithTwin(t, p, b, task, v)
					}
				}
			}
		})
	}
}

// compareWithTwin asks the same about the C program, and logs how much longer C++ takes.
func compareWithTwin(
	t *testing.T, p *Pool, b catalogue.CompiledBuild, task solver.VerifyTask, v *solver.Verification,
) {
	t.Helper()
	twin, ok := catalogue.FindProgram(b.Twin)
	if !ok {
		t.Fatalf("no program %s", b.Twin)
	}
	task.Path, task.Files = twin.File(), []solver.SourceFile{{Name: twin.File(), Text: twin.Source}}
	task.Include, task.Defines = nil, b.Defines
	w, err := solver.Ask(t.Context(), p, task)
	if err != nil {
		t.Fatal(err)
	}
	if w.Verdict != v.Verdict {
		t.Errorf("under %s: C++ is %s, and C is %s", task.Model, v.Verdict, w.Verdict)
	}
	t.Logf("%s: %.0f ms, in C %.0f ms: %.1f times", task.Model, v.MS, w.MS, v.MS/max(1, w.MS))
}
