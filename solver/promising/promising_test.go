package promising

import (
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver/operational"
)

// Tests that other parts of the views forbid or allow. Whether the machines agree with the axioms on all outcomes is
// tested in solver/engines and litmus/cycle.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		name, model, header, code, exists string
		want                              bool
	}{
		{
			"load buffering by a promise", "riscv", "RISCV LB\n{0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x;}",
			" P0 | P1 ;\n lw x5,0(x6) | lw x5,0(x6) ;\n ori x7,x0,1 | ori x7,x0,1 ;\n sw x7,0(x8) | sw x7,0(x8) ;",
			"0:x5=1 /\\ 1:x5=1", true,
		},
		{
			"no value out of thin air", "riscv", "RISCV LB+datas\n{0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x;}",
			" P0 | P1 ;\n lw x5,0(x6) | lw x5,0(x6) ;\n sw x5,0(x8) | sw x5,0(x8) ;", "0:x5=1", false,
		},
		{
			"an address dependency keeps two reads in order", "aarch64",
			"AArch64 MP+dmb+addr\n{0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;}",
			" P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n STR W0,[X1] | EOR W4,W0,W0 ;\n DMB SY | LDR W2,[X3,W4,SXTW] ;\n" +
				" STR W0,[X3] | ;", "1:X0=1 /\\ 1:X2=0", false,
		},
		{
			"program order alone does not", "aarch64", "AArch64 MP+dmb+po\n{0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;}",
			" P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3] ;\n DMB SY | ;\n STR W0,[X3] | ;",
			"1:X0=1 /\\ 1:X2=0", true,
		},
		{
			"nor does a choice between equal addresses", "aarch64",
			"AArch64 MP+dmb+pick\n{0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;}",
			" P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n STR W0,[X1] | CMP W0,#1 ;\n DMB SY | CSEL W4,WZR,WZR,EQ ;\n" +
				" STR W0,[X3] | LDR W2,[X3,W4,SXTW] ;", "1:X0=1 /\\ 1:X2=0", true,
		},
		{
			"an update is atomic", "aarch64", "AArch64 adds\n{0:X1=x; 1:X1=x;}",
			" P0 | P1 ;\n MOV W0,#1 | MOV W0,#1 ;\n LDADD W0,W2,[X1] | LDADD W0,W2,[X1] ;", "x=1", false,
		},
		{
			"DMB LD does not order a read whose value is dropped", "aarch64",
			"AArch64 MP+dmb+stadd\n{0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;}",
			" P0 | P1 ;\n MOV W0,#1 | MOV W0,#2 ;\n STR W0,[X1] | STADD W0,[X1] ;\n DMB SY | DMB LD ;\n" +
				" STR W0,[X3] | LDR W2,[X3] ;", "y=3 /\\ 1:X2=0", true,
		},
		{
			"it orders one whose value is received", "aarch64",
			"AArch64 MP+dmb+ldadd\n{0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;}",
			" P0 | P1 ;\n MOV W0,#1 | MOV W0,#2 ;\n STR W0,[X1] | LDADD W0,W4,[X1] ;\n DMB SY | DMB LD ;\n" +
				" STR W0,[X3] | LDR W2,[X3] ;", "1:X4=1 /\\ 1:X2=0", false,
		},
	} {
		p, err := dialect.Parse("t.litmus", c.header+"\n"+c.code+"\nexists ("+c.exists+")\n")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		m, _ := models.Find(c.model)
		found, err := Explore(t.Context(), p, m, operational.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := false
		judge := evaluation.NewChecker(m)
		for _, o := range found.Outcomes {
			got = got || p.Satisfies(p.Condition.Prop, o.State)
			if bad := judge.Check(o.Execution); len(bad) > 0 {
				t.Errorf("%s: %s forbids %s", c.name, c.model, p.FormatState(o.State))
			}
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTakes(t *testing.T) {
	const mixed = "AArch64 mixed\n{ uint64_t x; 0:X1=x; }\n P0 ;\n LDR X0,[X1] ;\n LDRB W2,[X1] ;\nexists (0:X0=0)\n"
	p, err := dialect.Parse("t.litmus", mixed)
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{
		"aarch64": "t.litmus: engine machine: the machine of aarch64 does not support mixed-size accesses",
		"power":   "t.litmus: engine machine: power has no promising machine",
	} {
		m, _ := models.Find(model)
		if err := Takes(m, p); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", model, err, want)
		}
	}
}

// A search that has no memory left returns what it has found.
func TestLimits(t *testing.T) {
	p, err := dialect.Parse("t.litmus", "RISCV W\n{0:x6=x; 1:x6=x;}\n P0 | P1 ;\n ori x5,x0,1 | ori x5,x0,2 ;\n"+
		" sw x5,0(x6) | sw x5,0(x6) ;\nexists (x=1)\n")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("riscv")
	found, err := Explore(t.Context(), p, m, operational.Limits{Bytes: 100})
	if err != nil || !found.Full || found.States != 3 {
		t.Errorf("%v %+v", err, found)
	}
}
