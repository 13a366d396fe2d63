package axiomatic_test

import (
	"context"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// The thread under test gets a value that another thread has passed on, and does something to the location that the
// other looks at first. In MP it reads it, in LB it writes it; the code in between decides whether the two may change
// places.
const (
	passMP = `AArch64 MP
{ 0:X0=x; 0:X1=y; 1:X0=x; 1:X1=y; 1:X8=z; 1:X9=w; }
P0           | P1 ;
MOV W2,#1    | LDR W2,[X1] ;
STR W2,[X0]  | MOV W4,#1 ;
DMB SY       | BODY ;
STR W2,[X1]  | LDR W3,[X0,W5,SXTW] ;
exists (1:X2=1 /\ 1:X3=0)
`
	passLB = `AArch64 LB
{ 0:X0=x; 0:X1=y; 1:X0=x; 1:X1=y; 1:X8=z; 1:X9=w; }
P0           | P1 ;
MOV W2,#1    | LDR W2,[X1] ;
LDR W3,[X0]  | MOV W4,#1 ;
DMB SY       | BODY ;
STR W2,[X1]  | STR W4,[X0,W5,SXTW] ;
exists (0:X3=1 /\ 1:X2=1)
`
)

// TestArmv8Order says, for bodies between the accesses, whether the model allows MP and LB.
func TestArmv8Order(t *testing.T) {
	for _, c := range []struct {
		what, body string
		mp, lb     bool
	}{
		{"program order", "NOP", true, true},
		{"an address dependency", "EOR W5,W2,W2", false, false},
		{"a control dependency", "CBNZ W2,L; L:", true, false},
		{"a control dependency and ISB", "CBNZ W2,L; L: ISB", false, false},
		{"DMB LD", "DMB LD", false, false},
		{"DMB ST", "DMB ST", true, true},
		{"DSB ST between a write and a read", "EOR W6,W2,W2; STR W6,[X8]; DSB ST", false, false},
		{"the address of a write in between", "EOR W6,W2,W2; STR W4,[X8,W6,SXTW]", true, false},
		{"a write and a read of one's own", "EOR W6,W2,W2; STR W6,[X8]; LDR W6,[X8]; EOR W5,W6,W6", false, false},

		{"the register that a selection takes", "CMP W4,#1; CSEL W6,W2,W4,EQ; EOR W5,W6,W6", false, false},
		{"the register that it does not take", "CMP W4,#1; CSEL W6,W4,W2,EQ; EOR W5,W6,W6", true, true},
		{"a picked address", "CMP W2,#1; CSEL W6,W8,W9,EQ; EOR W5,W6,W6", true, false},
		{"a picked address, a branch and ISB", "CMP W2,#1; CSET W6,EQ; CBNZ W6,L; L: ISB", false, false},
		{
			"a picked write and a read of it", "CMP W2,#1; CSET W6,EQ; STR W6,[X8]; LDR W6,[X8]; EOR W5,W6,W6", true,
			false,
		},

		{"what an addition in memory reads", "EOR W6,W2,W2; LDADD W6,W7,[X8]; EOR W5,W7,W7", true, true},
		{
			"an addition in memory and a read of it", "EOR W6,W2,W2; LDADD W6,W7,[X8]; LDR W6,[X8]; EOR W5,W6,W6",
			false,
			false,
		},
		{"an acquire in between", "EOR X6,X2,X2; ADD X6,X6,X8; SWPA W4,W7,[X6]", false, false},
		{"an acquire that forgets", "EOR X6,X2,X2; ADD X6,X6,X8; SWPA W4,WZR,[X6]", true, false},
		{"DMB LD after a read that forgets", "EOR X6,X2,X2; ADD X6,X6,X8; SWP W4,WZR,[X6]; DMB LD", false, false},
		{"an acquire and release in one", "SWPAL W4,W7,[X8]", false, false},

		{"what a successful CAS compares", "EOR W6,W2,W2; CAS W6,W4,[X8]; EOR W5,W6,W6", true, true},
		{"what a successful CAS writes", "EOR W6,W2,W2; CAS W7,W6,[X8]; LDR W6,[X8]; EOR W5,W6,W6", false, false},
		{"what a failing CAS compares", "ADD W6,W2,#1; CAS W6,W4,[X8]; LDR W6,[X8]; EOR W5,W6,W6", true, true},
		{"where a CAS is", "EOR X6,X2,X2; ADD X6,X6,X8; CAS W7,W4,[X6]; EOR W5,W7,W7", true, false},

		{"the status of an exclusive store", "LDXR W6,[X8]; EOR W6,W2,W2; STXR W7,W6,[X8]; EOR W5,W7,W7", true, true},
	} {
		if got := observed(t, passMP, c.body); got != c.mp {
			t.Errorf("MP with %s: observed %v, want %v", c.what, got, c.mp)
		}
		if got := observed(t, passLB, c.body); got != c.lb {
			t.Errorf("LB with %s: observed %v, want %v", c.what, got, c.lb)
		}
	}
}

// The halves of an ordered pair come in the order of the manual (DDI 0487, LDIAPP and STILP): the first register's
// first, except for a pre-indexed store, which begins with the second.
func TestOrderedPairs(t *testing.T) {
	const test = `AArch64 pair
{ int t[4]; 0:X0=t; 0:X2=1; 0:X3=1; 0:X8=t[2]; 1:X0=t; 1:X1=t[1]; }
P0    | P1 ;
STORE | LOAD ;
exists (CONDITION)
`
	const (
		upwards   = "LDR W2,[X0]; DMB SY; LDR W3,[X1]" // the lower address first
		downwards = "LDR W3,[X1]; DMB SY; LDR W2,[X0]"
		lowAlone  = `1:X2=1 /\ 1:X3=0`
		highAlone = `1:X2=0 /\ 1:X3=1`
	)
	for _, c := range []struct {
		store, load, condition string
		want                   bool
	}{
		{"STP W2,W3,[X0]", upwards, lowAlone, true},
		{"STP W2,W3,[X0]", downwards, highAlone, true},
		{"STILP W2,W3,[X0]", upwards, lowAlone, true},
		{"STILP W2,W3,[X0]", downwards, highAlone, false},
		{"STILP W2,W3,[X8,#-8]!", upwards, lowAlone, false},
		{"STILP W2,W3,[X8,#-8]!", downwards, highAlone, true},
		{"STILP W2,W3,[X0]", "LDP W2,W3,[X0]", lowAlone, true},
		{"STILP W2,W3,[X0]", "LDP W2,W3,[X0]", highAlone, true},
		{"STILP W2,W3,[X8,#-8]!", "LDIAPP W2,W3,[X0]", lowAlone, false},
		{"STILP W2,W3,[X8,#-8]!", "LDIAPP W2,W3,[X0]", highAlone, true},
	} {
		load := strings.ReplaceAll(c.load, "; ", "; | ")
		source := strings.NewReplacer("STORE", c.store, "LOAD", load, "CONDITION", c.condition).Replace(test)
		p, err := dialect.Parse("t", source)
		if err != nil {
			t.Fatal(err)
		}
		if got := explore(t, p, "aarch64").Verdict == solver.Allowed; got != c.want {
			t.Errorf("%s with %s, %s: observed %v, want %v", c.store, c.load, c.condition, got, c.want)
		}
	}
}

func observed(t *testing.T, test, body string) bool {
	p, err := dialect.Parse("t", strings.Replace(test, "BODY", strings.ReplaceAll(body, ";", "; |"), 1))
	if err != nil {
		t.Fatal(err)
	}
	return explore(t, p, "aarch64").Verdict == solver.Allowed
}

func explore(t *testing.T, p *ir.Program, model string) *solver.Result {
	m, _ := models.Find(model)
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
