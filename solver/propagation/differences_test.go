package propagation_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/operational"
	"litmuscope/solver/propagation"
)

// differences are the tests whose conditions the axioms allow, although no run of the machine reaches them. There is
// none that only the machine allows: the engine checks every execution by the axioms.
var differences = []struct{ name, model, text string }{
	{
		// The machine commits a write to a location after the earlier reads of the location have taken their values.
		// The axioms of Armv7 leave the two unordered, as long as coherence is kept: so the read can take a value that
		// is computed from the later write, by way of other threads.
		"a read that takes what follows from a later write to its location", "arm",
		`ARM RWC+fri-rfi-data
{ 0:R0=x; 0:R1=y; 1:R0=x; 1:R1=y; 2:R0=x; 2:R1=y; }
 P0          | P1          | P2          ;
 LDR R2,[R0] | LDR R2,[R1] | LDR R2,[R0] ;
 MOV R3,#2   | STR R2,[R0] | EOR R3,R2,R2 ;
 STR R3,[R0] |             | ADD R3,R3,#1 ;
             |             | STR R3,[R1] ;
exists (0:R2=1 /\ 2:R2=2)
`,
	},
}

// What the axioms allow and the machine does not reach is listed, and nothing else (TestMachinesAsAxiomsOnKnownTests,
// and the random tests of package engines).
func TestDifferences(t *testing.T) {
	for _, c := range differences {
		p, err := dialect.Parse("t.litmus", c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		m, _ := models.Find(c.model)
		q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
		axioms, err := axiomatic.Engine{}.Explore(t.Context(), q)
		if err != nil || axioms.Verdict != solver.Allowed {
			t.Errorf("%s: the axioms say %v, %v", c.name, axioms, err)
		}
		r, err := propagation.Answer(t.Context(), q, "machine")
		if err != nil || !slices.ContainsFunc(r.Remarks, func(r solver.Remark) bool {
			return strings.Contains(r.Message, "it may forbid what the model allows")
		}) {
			t.Errorf("%s: the answer does not say it: %v, %v", c.name, r, err)
		}
		found, err := propagation.Explore(t.Context(), p, m, operational.Limits{})
		if err != nil || len(found.Outcomes) == 0 {
			t.Errorf("%s: %v, %d outcomes", c.name, err, len(found.Outcomes))
		}
		for _, o := range found.Outcomes {
			if p.Satisfies(p.Condition.Prop, o.State) {
				t.Errorf("%s: the machine reaches it, too: the difference is gone", c.name)
			}
		}
	}
}
