package engines

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// The programs of testdata/sequential look at themselves, and end at END: both engines find them safe, and come to
// their end. GCC agrees, if it is installed.
func TestSequentialPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/sequential/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	gcc, missing := exec.LookPath("gcc")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, engine := range []string{"axiomatic", "graphs"} {
			verify := func(end string) string {
				task := solver.VerifyTask{
					Files: []solver.SourceFile{{Name: filepath.Base(file), Text: string(text)}}, Model: "rc11",
					Engine:  engine,
					Defines: []string{"END=" + end}, Options: solver.DefaultOptions(),
					Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
				}
				task.Options.Unroll = 5 // of what a destructor sets again
				v, err := Run(t.Context(), task)
				if err != nil {
					return err.Error()
				}
				if v.Error != "" || v.Reason != "" {
					return v.Error + v.Reason
				}
				if v.Verdict == "unsafe" && v.Failure != nil {
					return "unsafe: " + v.Failure.Text
				}
				if !v.Complete {
					return string(v.Verdict) + " within bounds"
				}
				return string(v.Verdict)
			}
			if got := verify("0"); got != "safe" {
				t.Errorf("%s by %s: got %s, want safe", file, engine, got)
			} else if got := verify("assert(0)"); got != "unsafe: 0" {
				t.Errorf("%s by %s: got %s where it fails at its end", file, engine, got)
			}
		}
		if missing != nil {
			continue
		}
		program := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command(gcc, "-std=gnu2x", "-w", "-DEND=0", "-o", program, file, "-pthread",
			"-latomic").CombinedOutput(); err != nil {
			t.Errorf("%s: gcc: %s", file, out)
		} else if out, err := exec.Command(program).CombinedOutput(); err != nil {
			t.Errorf("%s: what gcc makes of it ends with %v: %s", file, err, out)
		}
	}
}
