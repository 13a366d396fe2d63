package axiomatic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// Two compare-and-swaps that fail, and write back the value that they read, do not hand each other a number from
// nowhere, even if the model allows it.
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
	free, err := models.Parse("free.cat", "empty 0 as nothing\n", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: free, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Observation != "Never" || len(r.States) != 3 {
		t.Errorf("got %s, states %v, want 0, 3 and 4", r.Observation, r.States)
	}
}

// Only values have to come from somewhere. A write may feed the branch before it and its own address, if the model
// allows it; every built-in model has.
func TestWhatMayFeedItself(t *testing.T) {
	free, err := models.Parse("free.cat", "acyclic po-loc | rf | fr | co\n", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, test string
		want       solver.Verdict
	}{
		{"branches", `PPC ctrls
{ 0:r1=x; 0:r2=y; 0:r3=1; 1:r1=x; 1:r2=y; 1:r3=1; }
P0           | P1           ;
lwz r5,0(r1) | lwz r5,0(r2) ;
cmpwi r5,1   | cmpwi r5,1   ;
bne L        | bne L        ;
stw r3,0(r2) | stw r3,0(r1) ;
L:           | L:           ;
exists (0:r5=1 /\ 1:r5=1)
`, solver.Allowed},
		{"addresses", `PPC addrs
{ int t[2]; 0:r1=x; 0:r2=t; 0:r3=1; 1:r1=x; 1:r2=t; 1:r3=1; }
P0            | P1            ;
lwz r5,0(r1)  | lwz r5,4(r2)  ;
slwi r6,r5,2  | xor r6,r5,r5  ;
stwx r3,r2,r6 | stwx r5,r1,r6 ;
exists (0:r5=1 /\ 1:r5=1)
`, solver.Allowed},
		{"values", `PPC datas
{ 0:r1=x; 0:r2=y; 1:r1=x; 1:r2=y; }
P0           | P1           ;
lwz r5,0(r1) | lwz r5,0(r2) ;
stw r5,0(r2) | stw r5,0(r1) ;
exists (0:r5=1 /\ 1:r5=1)
`, solver.Forbidden},
		{"selections", `AArch64 picks
{ 0:X1=x; 0:X2=y; 0:X3=1; 1:X1=x; 1:X2=y; }
P0          | P1          ;
LDR W5,[X1] | LDR W5,[X2] ;
CMP W5,#1   |             ;
CSET W6,EQ  |             ;
STR W6,[X2] | STR W5,[X1] ;
exists (0:X5=1 /\ 1:X5=1)
`, solver.Forbidden},
	} {
		p, err := dialect.Parse("t", c.test)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range append(models.Names(), "") {
			model, want := free, c.want
			if m != "" {
				model, _ = models.Find(m)
			}
			if m != "" && !strings.HasPrefix(m, "c11") { // in C11, branches may decide themselves
				want = solver.Forbidden
			}
			r, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: model, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != want {
				t.Errorf("%s under %s: got %s, states %v", c.what, model.Name, r.Verdict, r.States)
			}
		}
	}
}

// What a compare-and-swap writes where it succeeds does not come from what it reads: two of them may let each other
// succeed, if the model allows it.
func TestCompareAndSwapWritesItsOwnValue(t *testing.T) {
	p, err := dialect.Parse("t", `AArch64 ring
{ 0:X0=x; 1:X0=x; 0:X1=1; 1:X1=1; 0:X2=1; 1:X2=1; }
P0             | P1             ;
CAS W1,W2,[X0] | CAS W1,W2,[X0] ;
exists (0:X1=1 /\ 1:X1=1)
`)
	if err != nil {
		t.Fatal(err)
	}
	free, err := models.Parse("free.cat", "empty 0 as nothing\n", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: free, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != solver.Allowed {
		t.Errorf("got %s, states %v", r.Verdict, r.States)
	}
}

// Where values out of thin air could decide the answer, which leaves them out, it says so.
func TestThinAirRemark(t *testing.T) {
	const (
		plain = "C t\n{}\nP0(int *x, int *y) { int r0 = *x; *y = r0; }\n" +
			"P1(int *x, int *y) { int r1 = *y; *x = r1; }\n"
		relaxed = "C t\n{}\nP0(int *x, int *y) { int r0 = atomic_load_explicit(x, memory_order_relaxed); " +
			"atomic_store_explicit(y, r0, memory_order_relaxed); }\n" +
			"P1(int *x, int *y) { int r1 = atomic_load_explicit(y, memory_order_relaxed); atomic_store_explicit(x, " +
			"r1, memory_order_relaxed); }\n"
		known = "C t\n{}\nP0(int *x, int *y, int *z) { int r0 = *x; *y = r0; int r2 = *z; }\n" +
			"P1(int *x, int *y, int *z) { int r1 = *y; *x = 1; *z = r1; }\n"
	)
	for _, c := range []struct {
		name, source, models string
		want                 bool
	}{
		{"plain copies", plain + "exists (0:r0=42 /\\ 1:r1=42)", "lkmm", true},
		{"plain copies, of what is there", plain + "exists (0:r0=0)", "lkmm", true},
		{"plain copies, in memory", plain + "exists (x=42)", "lkmm", true},
		{"plain copies, which the model forbids", plain + "exists (0:r0=42)", "sc tso rc11 imm power aarch64", false},
		{"relaxed copies", relaxed + "exists (0:r0=42)", "c11 c11-psc", true},
		{"relaxed copies, which the model forbids", relaxed + "exists (0:r0=42)", "rc11 imm power aarch64", false},
		{"no ring", known + "exists (0:r0=42)", "lkmm", false},
	} {
		p, err := dialect.Parse("t", c.source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(c.models) {
			m, err := models.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Contains(fmt.Sprint(r.Remarks), "values out of thin air are excluded")
			if got != c.want {
				t.Errorf("%s under %s: got remarks %v, want one: %v", c.name, name, r.Remarks, c.want)
			}
		}
	}
}
