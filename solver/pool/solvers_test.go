package pool

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/family"
	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// hard is a list of questions that take engines long, with the bound on rounds of loops.
var hard = []struct{ tests, engine string }{
	{"fib/8 fib-never/8 lockinc/8 writers/6", "axiomatic"},
	{"fib/11 fib-never/11 lockinc/11", "axiomatic"},
	{"Dekker+loops Dekker+loops+mfences Peterson+loops Peterson+loops+mfences Szymanski Szymanski+mfences", "etso"},
	{"Dekker+loops Dekker+loops+mfences Peterson+loops Peterson+loops+mfences Szymanski Szymanski+mfences", "k-round"},
}

// BenchmarkSolvers decides hard tests by each solver that is on the PATH, without proofs
// and with.
func BenchmarkSolvers(b *testing.B) {
	const limit = 2 * time.Minute
	p, err := New(Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for _, h := range hard {
		for name := range strings.FieldsSeq(h.tests) {
			source := hardTest(b, name)
			for _, backend := range sat.Backends() {
				if _, err := exec.LookPath(backend); err != nil && backend != solver.DefaultOptions().Solver {
					b.Logf("%s is not on the PATH: it is left out", backend)
					continue
				}
				for _, certify := range []bool{false, true} {
					options := solver.DefaultOptions()
					options.States, options.Unroll, options.Timeout = 0, 1, limit
					options.Solver, options.Certify = backend, certify
					if options.Validate() != nil {
						continue
					}
					how := backend
					if certify {
						how += "+proof"
					}
					b.Run(fmt.Sprintf("%s/%s/%s", h.engine, name, how), func(b *testing.B) {
						task := solver.Task{
							Path: name, Source: source, Model: "tso", Engine: h.engine,
							Options: options,
						}
						for b.Loop() {
							r, err := solver.Ask(b.Context(), p, task)
							switch {
							case err != nil:
								b.Fatal(err)
							case r.Status == solver.Unknown:
								b.Skip(r.Reason)
							case r.Status != solver.OK:
								b.Fatal(r.Error)
							case r.Certificate != nil:
								b.ReportMetric(float64(r.Certificate.Bytes), "proof-B")
								b.ReportMetric(r.Certificate.CheckMS, "check-ms")
							}
						}
					})
				}
			}
		}
	}
}

// hardTest is a classic test's text, or a family's: "fib/8".
func hardTest(b *testing.B, name string) string {
	if e, ok := catalogue.Find(name); ok {
		return e.Source
	}
	name, size, _ := strings.Cut(name, "/")
	f, ok := family.Find(name)
	n := 0
	if _, err := fmt.Sscan(size, &n); !ok || err != nil {
		b.Fatalf("no test %s/%s", name, size)
	}
	return f.Test(n)
}
