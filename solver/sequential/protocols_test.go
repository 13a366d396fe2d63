package sequential_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/sequential"
)

// The mutual exclusion protocols of the papers, with their loops: broken under TSO and
// PSO without fences and safe with them, by every engine.

// protocols have the parameters with which the papers found the violations: Tomasco et al. 2016, Table I (unwind 1, and
// by engine rounds, K and N), and Atig et al. 2011, Section 5 (k=2; "bugs appear for small bounds (≤ 2)"). The
// reference engines' buffers have no figure there.
var protocols = map[string]map[string]int{
	"Dekker+loops":   {"rounds": 2, "timestamps": 2, "nodes": 2, "k": 2},
	"Lamport":        {"rounds": 2, "timestamps": 2, "nodes": 2, "k": 2},
	"Peterson+loops": {"rounds": 2, "timestamps": 2, "nodes": 3, "k": 2},
	"Szymanski":      {"rounds": 2, "timestamps": 3, "nodes": 3, "k": 2},
}

func protocol(t *testing.T, name string) *ir.Program {
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
	for name, paper := range protocols {
		p := protocol(t, name)
		var line []string
		for _, e := range sequential.Engines {
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
				theirs, given := paper[b.Name]
				if b.Least == nil || given && *b.Least > theirs {
					t.Errorf("%s: %s needs %v, the paper %d", name, e.Name(), r.BoundsText(), theirs)
					continue
				}
				least = append(least, fmt.Sprintf("%s %d", b.Name, *b.Least))
				if given {
					least[len(least)-1] += fmt.Sprintf(" (paper %d)", theirs)
				}
			}
			line = append(line, fmt.Sprintf("%s: %s", e.Name(), strings.Join(least, ", ")))
		}
		t.Logf("%s\n\t%s", name, strings.Join(line, "\n\t"))
	}
}

// All of it takes a minute for Szymanski's and some more for Lamport's; the agreement task goes through them. With
// -short, some bounds check each.
func TestProtocolsAreSafeWithFences(t *testing.T) {
	for name, engines := range map[string][2]string{
		"Peterson+loops+mfences": {"lazy-cseq tso-sma pso-sma etso epso k-round k-store-age", ""},
		"Dekker+loops+mfences":   {"lazy-cseq k-round k-store-age", "pso-sma etso epso"},
		"Szymanski+mfences":      {"lazy-cseq", "pso-sma"},
		"Lamport+mfences":        {"", "lazy-cseq"},
	} {
		p, some := protocol(t, name), engines[0]
		if !testing.Short() {
			some += " " + engines[1]
		}
		for _, e := range strings.Fields(some) {
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

// With fences, there is nothing to find within the bounds that break it without them; and the answer says that this is
// all that it knows.
func TestProtocolsAreSafeWithinTheLeastBounds(t *testing.T) {
	for name := range protocols {
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
