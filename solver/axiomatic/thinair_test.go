package axiomatic_test

import (
	"context"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// Two compare-and-swaps that fail, and write back what they have read, do not hand each
// other a number from nowhere, though the model has nothing against it.
func TestNoThinAirThroughCompareAndSwap(t *testing.T) {
	p, err := dialect.Parse("t", `AArch64 thin
{ 0:X0=x; 1:X0=x; 0:X1=1; 1:X1=1; 2:X0=x; 2:X3=3; 2:X4=4; }
P0             | P1             | P2 ;
CAS W1,W2,[X0] | CAS W1,W2,[X0] | STR W3,[X0] ;
               |                | STR W4,[X0] ;
exists (0:X1=7)
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range p.Threads { // as of an architecture where the write does not depend on the read
		for i := range th.Code {
			if op, ok := th.Code[i].Op.(ir.RMW); ok {
				op.Carry = false
				th.Code[i].Op = op
			}
		}
	}
	free, err := models.Parse("free.cat", "empty 0 as nothing\n")
	if err != nil {
		t.Fatal(err)
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: free, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Observation != "Never" || len(r.States) != 3 {
		t.Errorf("got %s, states %v, want 0, 3 and 4", r.Observation, r.States)
	}
}
