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
	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// What the museum says of its programs in C++ and Rust, the axiomatic engine must find, and the engine graphs must not
// contradict it within seconds. With -short, only some of the questions are asked.
func TestCompiledMuseum(t *testing.T) {
	p, err := New(Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	question := 0
	for _, e := range catalogue.CompiledMuseum() {
		for _, piece := range e.Programs {
			for _, b := range piece.Builds {
				var asked []catalogue.Known
				for _, k := range b.Known {
					if question++; !testing.Short() || question%60 == 1 {
						asked = append(asked, k)
					}
				}
				if len(asked) > 0 {
					t.Run(e.Name+" "+b.ID, func(t *testing.T) { compiledVerdicts(t, p, e, piece, b, asked) })
				}
			}
		}
	}
}

// compiledVerdicts compiles a build once, and asks about it under each model.
func compiledVerdicts(
	t *testing.T, p *Pool, e catalogue.Exhibit, piece catalogue.Piece, b catalogue.Build, asked []catalogue.Known,
) {
	t.Helper()
	compiler, define := frontend.Compiler, "-D"
	if e.Language == catalogue.LanguageRust {
		compiler, define = frontend.RustCompiler, "--cfg="
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip(compiler + " is not installed")
	}
	var flags []string
	for _, d := range b.Defines {
		flags = append(flags, define+d)
	}
	file := filepath.Join("..", "..", "litmus", "catalogue", piece.Path)
	text, err := frontend.Compile(t.Context(), file, flags)
	if err != nil {
		t.Fatal(err)
	}
	m, err := assembly.Parse(file+".ll", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range asked {
		for _, engine := range []string{"axiomatic", "graphs"} {
			options := solver.DefaultOptions()
			if options.Timeout = time.Minute; engine == "graphs" {
				options.Timeout = 5 * time.Second
			}
			if b.Unroll > 0 {
				options.Unroll = b.Unroll
			}
			v, err := solver.Ask(t.Context(), p, solver.VerifyTask{
				Path: file + ".ll", Files: []solver.SourceFile{{Name: file + ".ll", Text: text}},
				Include: frontend.Sources(m), Model: k.Model, Engine: engine, Options: options,
				Verify: solver.Verify{Properties: []ir.Property{ir.Property(piece.Property)}},
			})
			switch {
			case err != nil:
				t.Fatal(err)
			case engine == "graphs" && (v.Status == solver.Unknown || refused(v.Error)):
				t.Logf("under %s, graphs gives no answer: %s%s", k.Model, v.Reason, v.Error)
			case v.Status != solver.OK || string(v.Verdict) != k.Verdict:
				t.Errorf("under %s by %s: %s %s %s %s; the museum says %s",
					k.Model, engine, v.Status, v.Verdict, v.Reason, v.Error, k.Verdict)
			case engine == "axiomatic" && v.Verdict == solver.Safe && v.Complete == k.Bounded:
				t.Errorf("under %s: safe, complete is %v, and the museum says otherwise", k.Model, v.Complete)
			case v.Verdict == solver.Unsafe && (v.Failure == nil || v.Failure.Line == 0):
				t.Errorf("under %s by %s: unsafe, and no place", k.Model, engine)
			default:
				t.Logf("under %s by %s: %s, complete %v, %.0f ms", k.Model, engine, v.Verdict, v.Complete, v.MS)
			}
		}
	}
}

// refused reports whether an error says that the engine graphs does not take a program.
func refused(err string) bool {
	return strings.Contains(err, "the engine graphs") || strings.Contains(err, "this engine does not support")
}
