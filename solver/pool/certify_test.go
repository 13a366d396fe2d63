package pool

import (
	"context"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/sat"
)

// The engines certify every answer for a classic test, under every model, unless a bound may hide outcomes; with
// -short, a third of them. For whole programs, and for Fibonacci's larger ones, the test asks for the verdict alone.
func TestClassicsAreCertified(t *testing.T) {
	p := newPool(t, runtime.NumCPU())
	var mu sync.Mutex
	var sum solver.Certificate
	answers, open := 0, 0
	t.Cleanup(func() { t.Logf("%d answers certified, %d within bounds: %+v", answers, open, sum) })
	room := make(chan struct{}, runtime.NumCPU())
	var running sync.WaitGroup
	defer running.Wait()
	for i, e := range catalogue.Core() {
		for j, model := range models.For(dialect.Tongue(e.Source)) {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			options := solver.DefaultOptions()
			options.Certify, options.Timeout = true, 0
			if e.Large {
				options.States = 0
			}
			room <- struct{}{}
			running.Go(func() {
				defer func() { <-room }()
				r, err := solver.Ask(context.Background(), p,
					solver.Task{Path: e.ID(), Source: e.Source, Model: model, Options: options})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil || r.Status != solver.OK || r.Certified == nil:
					t.Errorf("%s, %s: %+v, %v", e.ID(), model, r, err)
				case !*r.Certified && r.Complete && r.SettledBy == "":
					t.Errorf("%s, %s: %s", e.ID(), model, r.CertificateText())
				case !*r.Certified:
					open++
				case r.Verdict == solver.Forbidden && r.Certificate.Refutations == 0:
					t.Errorf("%s, %s: certified by nothing", e.ID(), model)
				default:
					answers++
					sum.Refutations += r.Certificate.Refutations
					sum.Lemmas += r.Certificate.Lemmas
					sum.Bytes += r.Certificate.Bytes
					sum.CheckMS += r.Certificate.CheckMS
				}
			})
		}
	}
}

// Every engine on SAT certifies what is forbidden, with each solver that writes proofs.
func TestEnginesCertify(t *testing.T) {
	p := newPool(t, 1)
	for _, o := range solver.OptionTable { // which knows solvers by their names alone
		if o.Name == "solver" && (!slices.Equal(o.Choices, sat.Backends()) || o.Default != sat.Backends()[0]) {
			t.Errorf("the option has %v, by default %v: the solvers are %v", o.Choices, o.Default, sat.Backends())
		}
	}
	for _, backend := range sat.Backends() {
		options := solver.DefaultOptions()
		if _, err := exec.LookPath(backend); err != nil && backend != options.Solver {
			t.Logf("%s is not on the PATH: it is not tested", backend)
			continue
		}
		options.Certify, options.Solver = true, backend
		if options.Validate() != nil { // it writes no proofs
			continue
		}
		for _, e := range engines.All() {
			if !e.Heeds("certify") {
				continue
			}
			for id, model := range map[string]string{"2+2W": "sc", "SB+mfences": "tso", "fib1-never": "pso"} {
				if !e.AnswersFor(model) {
					continue
				}
				entry, ok := catalogue.Find(id)
				if !ok {
					t.Fatal(id)
				}
				r := run1(t, p,
					solver.Task{Path: id, Source: entry.Source, Model: model, Engine: e.Name, Options: options})
				if r.Verdict != solver.Forbidden || r.Certified == nil || !*r.Certified ||
					r.Certificate.Refutations == 0 {
					t.Errorf("%s, %s, %s: %s%s%s: %s", id, e.Name, backend, r.Verdict, r.Error, r.Reason,
						r.CertificateText())
				}
			}
		}
	}
}

// An answer that a bound limits, or that the machine decided, has no certificate and says why.
func TestNotCertified(t *testing.T) {
	sb, _ := catalogue.Find("SB")
	for _, test := range []struct {
		name, source, engine string
		change               func(*solver.Options)
		want                 string
	}{
		{
			"settled", "X86 marks\n{ }\n P0 | P1 ;\n L: MOV EBX,$2 | MOV [x],$1 ;\n XCHG [w],EBX | ;\n" +
				" MOV EAX,[x] | ;\n CMP EAX,$0 | ;\n JE L | ;\nforall (w=2)",
			"", func(*solver.Options) {}, "not certified: decided by the machine, which writes no proof",
		},
		{
			"endless", "X86 endless\n{ }\n P0 | P1 ;\n L: INC [x] | MOV EAX,[x] ;\n MOV EBX,[y] | ;\n" +
				" CMP EBX,$0 | ;\n JE L | ;\nexists (1:EAX=9)",
			"", func(*solver.Options) {}, "not certified: the unroll bound of 2 was reached: raise --unroll",
		},
		{
			"one round", sb.Source, "etso", func(o *solver.Options) { o.Rounds = 1 },
			"not certified: a bound may hide outcomes",
		},
		{
			"one round, and a verdict that was found", sb.Source, "etso",
			func(o *solver.Options) { o.Rounds, o.States = 2, 0 }, "certified: there was nothing to refute",
		},
		{
			"a verdict that was found", sb.Source, "", func(o *solver.Options) { o.States = 0 },
			"certified: there was nothing to refute",
		},
	} {
		options := solver.DefaultOptions()
		options.Certify = true
		test.change(&options)
		r, err := engines.Run(t.Context(),
			solver.Task{Path: test.name, Source: test.source, Engine: test.engine, Options: options})
		if err != nil || r.CertificateText() != test.want {
			t.Errorf("%s: got %q, want %q: %s, %v", test.name, r.CertificateText(), test.want, r.Error, err)
		}
	}
}
