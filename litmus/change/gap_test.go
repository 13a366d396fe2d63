package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

func program(t *testing.T, source string) *ir.Program {
	t.Helper()
	p, err := dialect.Parse("t", source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGaps(t *testing.T) {
	for name, want := range map[string]string{
		"SB":         "P0 behind 0: MOV [x],$1 … MOV EAX,[y]; P1 behind 0: MOV [y],$1 … MOV EAX,[x]",
		"SB+mfences": "P0 behind 1: MOV [x],$1 … MOV EAX,[y]; P1 behind 1: MOV [y],$1 … MOV EAX,[x]",
		"CoRR":       "P1 behind 0: MOV EAX,[x] … MOV EBX,[x]",
	} {
		e, ok := catalogue.Find(name)
		if !ok {
			t.Fatalf("no classic test %s", name)
		}
		var got []string
		for _, g := range Gaps(program(t, e.Source), 12) {
			got = append(got, fmt.Sprintf("%s behind %d: %s … %s", g.Name, g.After, g.Before, g.Behind))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: gaps %s, want %s", name, text, want)
		}
	}
	// A jump to a label skips a fence before it, and executes one behind it; one before it would not be.
	for label, want := range map[string]int{" LC00: ;\n lwz r4,0(r2) ;": 3, " LC00: lwz r4,0(r2) ;": 0} {
		gaps := Gaps(
			program(t,
				"PPC T\n{0:r1=x; 0:r2=y;}\n P0 ;\n lwz r3,0(r1) ;\n cmpw r3,r3 ;\n beq LC00 ;\n"+label+
					"\nexists (0:r3=1 /\\ 0:r4=0)\n"), 12)
		if len(gaps) != 1 || gaps[0].After != want || gaps[0].Behind != "lwz r4,0(r2)" {
			t.Errorf("%s: %+v, want one behind %d", label, gaps, want)
		}
	}
}

// prices are those of everything.
type prices struct{}

func (prices) Price(Kind, string) (int, bool) { return 1, true }

func none(*ir.Program, *ir.Program, bool) bool { return false }

// In C a fence can go wherever a statement can: in no half of an if alone, and in the loop before its condition.
func TestGapsInC(t *testing.T) {
	for body, want := range map[string]string{
		"WRITE_ONCE(*x, 1);\n  r0 = READ_ONCE(*y);":                                          "behind 0",
		"r0 = READ_ONCE(*x);\n  if (r0) {\n    WRITE_ONCE(*y, 1);\n  }":                      "behind 1",
		"if (READ_ONCE(*x)) {\n    r0 = 1;\n  } else if (READ_ONCE(*y)) {\n    r0 = 2;\n  }": "",
		"if (READ_ONCE(*x)) r0 = 1;\n  else r0 = READ_ONCE(*y);":                             "",
		"do {\n    r0 = READ_ONCE(*x);\n  } while (READ_ONCE(*y));":                          "behind 1",
	} {
		source := "C T\n{}\n\nP0(int *x, int *y) {\n  " + body + "\n}\n\nexists (x=1)\n"
		test, err := litmus.Parse("t", source)
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, source)
		c, err := Of(test, p, Stronger, prices{}, none)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range Gaps(p, 12) {
			got = append(got, fmt.Sprint("behind ", g.After))
			with, err := c.Make([]Made{{Kind: Fence, Thread: g.Thread, Cell: g.After + 1, Text: "smp_mb()"}})
			if err != nil || !strings.Contains(with, "  smp_mb();\n") {
				t.Errorf("%s\nwith a fence: %v\n%s", body, err, with)
			}
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: gaps %q, want %q", body, text, want)
		}
	}
}

// With the first other choice at each place, every classic test still parses, and asks the same question; without
// choices, it is unchanged.
func TestPlaces(t *testing.T) {
	for i, e := range catalogue.All() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		test, err := litmus.Parse("t", e.Source)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Of(test, program(t, e.Source), Stronger, prices{}, none)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := c.Make(nil); err != nil || text != e.Source {
			t.Errorf("%s: without a change: %v\n%s", e.ID(), err, text)
		}
		var made []Made
		for _, p := range c.Places() {
			made = append(made, p.Makes((p.Was+1)%len(p.Choices)))
		}
		text, err := c.Make(made)
		if err != nil {
			t.Errorf("%s: %v", e.ID(), err)
			continue
		}
		after, err := litmus.Parse("t", text)
		if err != nil || after.Condition.String() != test.Condition.String() || len(made) > 0 && text == e.Source {
			t.Errorf("%s: %v\n%s", e.ID(), err, text)
		}
		for _, m := range made {
			if !strings.Contains(text, m.Text) {
				t.Errorf("%s: %+v is not in\n%s", e.ID(), m, text)
			}
		}
	}
}

// Each number that a condition compares with can be any of the test's, whatever it is part of.
func TestValues(t *testing.T) {
	source := "X86 T\n{ x=3; }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n | MOV EBX,[y] ;\n" +
		"exists (~(1:EAX=1 \\/ 1:EBX!=0) /\\ x=1:EAX)\n"
	test, err := litmus.Parse("t", source)
	if err != nil {
		t.Fatal(err)
	}
	places := Values(test)
	var got []string
	for _, p := range places {
		var texts []string
		for _, c := range p.Choices {
			texts = append(texts, c.Text)
		}
		got = append(got, fmt.Sprint(p.Statement, strings.Join(texts, "|"), " was ", p.Was))
	}
	if want := []string{"1:EAX=0|1|3 was 1", "1:EBX!=0|1|3 was 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	c, err := Of(test, program(t, source), Stronger, prices{}, none)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Make([]Made{places[0].Makes(2), places[1].Makes(1)})
	if err != nil || !strings.Contains(text, `~(1:EAX=3 \/ 1:EBX!=1) /\ x=1:EAX`) {
		t.Errorf("%v\n%s", err, text)
	}
}
