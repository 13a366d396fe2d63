package sequential_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/sequential"
)

// The mutual exclusion protocols of the papers, with their loops: broken under TSO and
// PSO without fences and safe with them, by every engine.
//
// Tomasco et al. 2016, Table I, set these parameters to find the violations: 2 rounds and
// unwind 1 for all four; N=2 and K=2 for Dekker and Lamport, N=3 and K=2 for Peterson, N=3
// and K=3 for Szymanski. Atig et al. 2011, Section 5, translate with k=2 and say that bugs
// appear for bounds of at most 2. The least bounds here are no higher, and mostly the
// same; where they are lower the protocols are written with fewer accesses.

func protocol(t *testing.T, name string) *litmus.Program {
	t.Helper()
	e, ok := catalogue.Find("X86/" + name)
	if !ok {
		t.Fatalf("no test %s", name)
	}
	p, err := dialect.Parse(name, e.Source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// verdictOnly asks for no states, with loops unwound as in the papers.
func verdictOnly(o *solver.Options) { o.States, o.Unroll = 0, 1 }

func TestProtocolsAreBrokenWithoutFences(t *testing.T) {
	for _, name := range []string{"Dekker+loops", "Lamport", "Peterson+loops", "Szymanski"} {
		p := protocol(t, name)
		var line []string
		for _, e := range sequential.Engines {
			began := time.Now()
			r, err := explore(e, e.Models()[0], p, func(o *solver.Options) { verdictOnly(o); o.Least = true })
			if err != nil {
				t.Fatalf("%s: %s: %v", name, e.Name(), err)
			}
			if e.Models()[0] == "sc" {
				if r.Verdict != solver.Forbidden || !r.Complete {
					t.Errorf("%s: %s says %s, complete %v", name, e.Name(), r.Verdict, r.Complete)
				}
				continue
			}
			if r.Verdict != solver.Allowed {
				t.Errorf("%s: %s says %s", name, e.Name(), r.Verdict)
				continue
			}
			var least []string
			for _, b := range r.Bounds {
				paper := map[string]int{"rounds": 2, "timestamps": 3, "nodes": 3, "k": 2, "buffer": 2}[b.Name]
				if b.Least == nil || *b.Least > paper {
					t.Errorf("%s: %s needs %v, the papers %d", name, e.Name(), r.BoundsText(), paper)
					continue
				}
				least = append(least, fmt.Sprintf("%s %d", b.Name, *b.Least))
			}
			line = append(line, fmt.Sprintf("%s: %s (%v)", e.Name(), strings.Join(least, ", "), time.Since(began).Round(time.Millisecond)))
		}
		t.Logf("%s\n\t%s", name, strings.Join(line, "\n\t"))
	}
}

// All of it takes a minute for Szymanski's and some more for Lamport's; the agreement task
// goes through them.
func TestProtocolsAreSafeWithFences(t *testing.T) {
	for name, engines := range map[string]string{
		"Peterson+loops+mfences": "lazy-cseq tso-sma pso-sma etso epso k-round k-store-age",
		"Dekker+loops+mfences":   "lazy-cseq pso-sma etso epso k-round k-store-age",
		"Szymanski+mfences":      "lazy-cseq pso-sma",
		"Lamport+mfences":        "lazy-cseq",
	} {
		p := protocol(t, name)
		for _, e := range strings.Fields(engines) {
			r, err := explore(engine(e), engine(e).Models()[0], p, verdictOnly)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, e, err)
			}
			if r.Verdict != solver.Forbidden || !r.Complete {
				t.Errorf("%s: %s says %s, complete %v", name, e, r.Verdict, r.Complete)
			}
		}
	}
}

// Within the bounds that break it without fences, there is nothing to find with them; and
// the answer says that this is all that it knows.
func TestProtocolsAreSafeWithinTheLeastBounds(t *testing.T) {
	for _, name := range []string{"Dekker+loops", "Lamport", "Peterson+loops", "Szymanski"} {
		p := protocol(t, name+"+mfences")
		for _, e := range sequential.Engines[1:] {
			r, err := explore(e, e.Models()[0], p, func(o *solver.Options) {
				verdictOnly(o)
				o.Rounds, o.Buffer, o.Timestamps, o.Nodes, o.K = 2, 1, 2, 3, 1
			})
			if err != nil {
				t.Fatalf("%s: %s: %v", name, e.Name(), err)
			}
			if r.Status != solver.Unknown || r.Verdict != solver.Undecided || !strings.Contains(r.Reason, "--rounds") {
				t.Errorf("%s: %s says %s: %s %s", name, e.Name(), r.Verdict, r.Status, r.Reason)
			}
		}
	}
}
