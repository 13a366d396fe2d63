package change_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/change"
)

// take returns a test with one insertion or change, by its words, in the first place that has it.
func take(t *testing.T, c *change.Changes, words string) string {
	t.Helper()
	for _, p := range c.Places() {
		for i, s := range p.Choices {
			if s.Text == words && i != p.Was {
				text, err := c.Make([]change.Made{p.Makes(i)})
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
		}
	}
	return ""
}

// What is inserted in a test of the system side gets the initial value of its register, whatever the init block looks
// like.
func TestMaintenanceText(t *testing.T) {
	const threads = "\n P0          ;\n STR X1,[X0] ;\n LDR W2,[X0] ;\nexists 0:X2=0\n"
	for _, c := range []struct{ init, want string }{
		{"{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); }", "{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X27=x; }"},
		{"{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0) }", "{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X27=x; }"},
		{
			"{\n int y[2]={1,2};\n 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0);\n}",
			"{\n int y[2]={1,2};\n 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X27=x;\n}",
		},
		{
			"{ 0:X3=x; 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); }",
			"{ 0:X3=x; 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); }",
		},
	} {
		changes := changesOf(t, "AArch64 t\n"+c.init+threads, change.Stronger)
		base := "X27"
		if strings.Contains(c.init, "X3=x") {
			base = "X3"
		}
		got := take(t, changes, "LSR X28,"+base+",#12; TLBI VAAE1IS,X28")
		want := "AArch64 t\n" + c.want + "\n P0          ;\n STR X1,[X0] ;\n LSR X28," + base +
			",#12 ;\n TLBI VAAE1IS,X28 ;\n LDR W2,[X0] ;\nexists 0:X2=0\n"
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// Several insertions in one place stay in their order, each in its own step.
func TestMaintenanceSteps(t *testing.T) {
	const test = "AArch64 t\n{ 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X3=x; }\n" +
		" P0          ;\n STR X1,[X0] ;\n LDR W2,[X3] ;\nexists 0:X2=0\n"
	c := changesOf(t, test, change.Stronger)
	var made []change.Made
	for _, p := range c.Places() {
		last := len(p.Choices) - 1
		if p.Step > 0 && (strings.HasPrefix(p.Choices[last].Text, "DSB") || p.Choices[last].Text == "ISB") {
			made = append(made, p.Makes(last))
		}
		for i, s := range p.Choices {
			if s.Text == "LSR X28,X3,#12; TLBI VAAE1IS,X28" {
				made = append(made, p.Makes(i))
			}
		}
	}
	got, err := c.Make(made)
	const want = " STR X1,[X0] ;\n DSB ISH     ;\n LSR X28,X3,#12 ;\n TLBI VAAE1IS,X28 ;\n DSB ISH     ;\n" +
		" ISB         ;\n LDR W2,[X3] ;\n"
	if err != nil || !strings.Contains(got, want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

// Nothing is inserted where a branch over a distance passes, nor before the instruction that it leads to.
func TestMaintenanceDistances(t *testing.T) {
	const test = "AArch64 t\n{ 0:X0=instr:\"B .+8\"; 0:X1=P0:L0; 0:X2=x; }\n" +
		" P0          ;\n STR W0,[X1] ;\nL0: NOP      ;\n STR W0,[X2] ;\n LDR W3,[X2] ;\n LDR W4,[X2] ;\n" +
		"exists 0:X3=0\n"
	places := map[int]bool{}
	for _, p := range changesOf(t, test, change.Stronger).Places() {
		if p.Kind == change.Fence {
			places[p.Cell] = true
		}
	}
	for cell, want := range []bool{false, true, false, false, true} {
		if places[cell] != want {
			t.Errorf("insertions before statement %d: %v, want %v", cell, places[cell], want)
		}
	}
}

// Without a free register, there is no TLBI by address, which needs one for the number of the page.
func TestMaintenanceWithoutRegisters(t *testing.T) {
	test := "AArch64 t\n{ 0:X0=PTE(x); 0:X3=x;"
	for n := 4; n < 31; n++ {
		test += fmt.Sprintf(" 0:X%d=0;", n)
	}
	test += " }\n P0 ;\n STR X1,[X0] ;\n LDR W2,[X3] ;\nexists 0:X2=0\n"
	offered := false
	for _, s := range changesOf(t, test, change.Stronger).Slots {
		for _, o := range s.Options {
			if strings.Contains(o.Text, "TLBI VAAE1") {
				t.Errorf("offers %q", o.Text)
			}
			offered = offered || strings.Contains(o.Text, "TLBI VMALLE1IS")
		}
	}
	if !offered {
		t.Error("offers no TLBI of all pages")
	}
}

// Barriers and maintenance that a test has can go or become weaker, in the words of the test. Ordinary tests have no
// DSB on offer.
func TestMaintenanceWays(t *testing.T) {
	for _, c := range []struct{ statement, weaker, stronger string }{
		{"DSB ISH", "|DMB LD|DMB ST|DSB ISHLD|DMB SY|DSB ISHST|DSB ISH", ""},
		{"DSB OSHST", "|DMB ST|DSB OSHST", "DSB OSHST|DSB OSH"},
		{"DMB ISH", "|DMB LD|DMB ST|DMB ISH", "DMB ISH|DSB ISH"},
		{"TLBI VALE1IS,X4", "|TLBI VALE1IS,X4", ""},
		{"DC CVAU,X3", "|DC CVAU,X3", ""},
		{"ISB", "|ISB", ""},
		{"DSB NSH", "", ""},
	} {
		test := "AArch64 t\nVariant=vmsa,ifetch\n{ 0:X0=PTE(x); 0:X3=x; }\n P0 ;\n " + c.statement +
			" ;\n LDR W2,[X3] ;\nexists 0:X2=0\n"
		for d, want := range map[change.Direction]string{change.Weaker: c.weaker, change.Stronger: c.stronger} {
			got := ""
			for _, s := range changesOf(t, test, d).Slots {
				if s.Kind != change.Fence || s.Cell != 0 {
					continue
				}
				var texts []string
				for _, o := range s.Options {
					texts = append(texts, o.Text)
				}
				got = strings.Join(texts, "|")
			}
			if got != want {
				t.Errorf("%s: got %q, want %q", c.statement, got, want)
			}
		}
	}
	const plain = "AArch64 t\n{ 0:X3=x; }\n P0 ;\n LDR W1,[X3] ;\n LDR W2,[X3] ;\nexists 0:X2=0\n"
	for _, s := range changesOf(t, plain, change.Stronger).Slots {
		for _, o := range s.Options {
			if strings.HasPrefix(o.Text, "DSB") {
				t.Errorf("%s is on offer in an ordinary test", o.Text)
			}
		}
	}
}
