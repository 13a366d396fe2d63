package pool

import (
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// BenchmarkPointers has the catalogue's programs of few executions and many possible places: queues, stacks and locks,
// with all their fences, by both families of engines, and by both at once.
func BenchmarkPointers(b *testing.B) {
	p, err := New(Options{Workers: 2})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Close)
	for _, c := range []struct {
		name    string
		defines []string
		unroll  int
	}{
		{"ms-queue", nil, 3},
		{"ms-queue", []string{"ALLOCATE"}, 3},
		{"linux-rwlock", []string{"READERS=2"}, 2},
		{"coarse-set", nil, 4},
		{"elimination-stack", nil, 2},
		{"bounded-buffer", nil, 2},
		{"work-stealing", nil, 2},
		{"twa-lock", nil, 2},
		{"qspinlock", nil, 2},
	} {
		program, ok := catalogue.FindProgram(c.name)
		if !ok {
			b.Fatal(c.name)
		}
		for _, engine := range []string{"graphs", "axiomatic", engines.Auto} {
			b.Run(strings.Join(append([]string{c.name}, c.defines...), "-")+"/"+engine, func(b *testing.B) {
				options := solver.DefaultOptions()
				options.Unroll, options.Timeout = c.unroll, time.Minute
				verdict := ""
				for b.Loop() {
					v, err := solver.Ask(b.Context(), p, solver.VerifyTask{
						Path: program.File(), Files: []solver.SourceFile{{Name: program.File(), Text: program.Source}},
						Defines: append([]string{"FENCES"}, c.defines...), Model: "rc11", Engine: engine,
						Options: options,
					})
					if err != nil {
						b.Fatal(err)
					}
					verdict = string(v.Verdict)
				}
				if verdict == string(solver.Unsafe) {
					b.Errorf("%s by %s: %s", c.name, engine, verdict)
				}
				if verdict == string(solver.Undecided) {
					b.ReportMetric(1, "open")
				}
			})
		}
	}
}
