package change_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/change"
)

// What is inserted before an instruction that the condition names comes before its label: behind it, the condition
// would ask about the barrier.
func TestNamedLabels(t *testing.T) {
	const test = "AArch64 t\n{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X3=x; 0:X4=y; }\n" +
		" P0          ;\n STR X1,[X0] ;\n LDR W5,[X4] ;\n L0:         ;\n LDR W2,[X3] ;\nexists "
	for condition, want := range map[string]string{
		"~fault(P0:L0,x)": " DMB LD      ;\n L0:         ;\n LDR W2,[X3] ;\n",
		"0:X2=0":          " L0:         ;\n DMB LD      ;\n LDR W2,[X3] ;\n",
	} {
		// The place is the last one that takes the barrier.
		var got string
		c := changesOf(t, test+condition+"\n", change.Stronger)
		for _, p := range c.Places() {
			for i, s := range p.Choices {
				if s.Text == "DMB LD" && p.Statement == "LDR W2,[X3]" {
					text, err := c.Make([]change.Made{p.Makes(i)})
					if err != nil {
						t.Fatal(err)
					}
					got = text
				}
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant in it\n%s", condition, got, want)
		}
	}
}

// A barrier behind a named label cannot go, because the label would name the next instruction.
func TestNamedBarriersStay(t *testing.T) {
	const test = "AArch64 t\n{ 0:X1=x; 0:X3=y; }\n P0          ;\n MOV W0,#1 ;\n STR W0,[X1] ;\n L0: ;\n" +
		" DMB SY      ;\n STR W0,[X3] ;\n"
	for rest, offered := range map[string]bool{
		"exists fault(P0:L0,x)\n": false, "exists x=1\n": true, " ADR X5,L0 ;\nexists x=1\n": false,
		" CBZ W0,L0 ;\nexists x=1\n": true,
	} {
		c := changesOf(t, test+rest, change.Weaker)
		has := false
		for _, p := range c.Places() {
			has = has || p.Statement == "DMB SY"
		}
		if has != offered {
			t.Errorf("%s: DMB SY may go: %v, want %v", rest, has, offered)
		}
	}
}
