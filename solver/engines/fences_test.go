package engines

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
)

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
		in, err := Inspect(Question{File: "t", Source: e.Source, Gaps: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range in.Gaps {
			got = append(got, fmt.Sprintf("%s behind %d: %s … %s", g.Name, g.After, g.Before, g.Behind))
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: gaps %s, want %s", name, text, want)
		}
	}
	// A fence behind a label is passed by those who jump there; one before it would not be.
	for label, want := range map[string]int{" LC00: ;\n lwz r4,0(r2) ;": 3, " LC00: lwz r4,0(r2) ;": 0} {
		source := "PPC T\n{0:r1=x; 0:r2=y;}\n P0 ;\n lwz r3,0(r1) ;\n cmpw r3,r3 ;\n beq LC00 ;\n" + label + "\nexists (0:r3=1 /\\ 0:r4=0)\n"
		in, err := Inspect(Question{File: "t", Source: source, Gaps: true})
		if err != nil || len(in.BadTest) > 0 {
			t.Fatal(err, in.BadTest)
		}
		if len(in.Gaps) != 1 || in.Gaps[0].After != want || in.Gaps[0].Behind != "lwz r4,0(r2)" {
			t.Errorf("%s: %+v, want one behind %d", label, in.Gaps, want)
		}
	}
}

// In C a fence stands where a statement may: in no half of an if alone, and in the loop before
// its condition.
func TestGapsInC(t *testing.T) {
	for body, want := range map[string]string{
		"WRITE_ONCE(*x, 1);\n  r0 = READ_ONCE(*y);":                                          "behind 0",
		"r0 = READ_ONCE(*x);\n  if (r0) {\n    WRITE_ONCE(*y, 1);\n  }":                      "behind 1",
		"if (READ_ONCE(*x)) {\n    r0 = 1;\n  } else if (READ_ONCE(*y)) {\n    r0 = 2;\n  }": "",
		"if (READ_ONCE(*x)) r0 = 1;\n  else r0 = READ_ONCE(*y);":                             "",
		"do {\n    r0 = READ_ONCE(*x);\n  } while (READ_ONCE(*y));":                          "behind 1",
	} {
		source := "C T\n{}\n\nP0(int *x, int *y) {\n  " + body + "\n}\n\nexists (x=1)\n"
		in, err := Inspect(Question{File: "t", Source: source, Gaps: true})
		if err != nil || len(in.BadTest) > 0 {
			t.Fatal(err, in.BadTest)
		}
		var got []string
		for _, g := range in.Gaps {
			got = append(got, fmt.Sprint("behind ", g.After))
			with, err := Inspect(Question{File: "t", Source: source, Placed: []Placed{{g.Thread, g.After, "smp_mb();"}}})
			if err != nil || !strings.Contains(with.Asking, "  smp_mb();\n") {
				t.Errorf("%s\nwith a fence: %v\n%s", body, err, with.Asking)
			}
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: gaps %q, want %q", body, text, want)
		}
	}
}

// The cells of a statement that takes two lines are a piece of each, and what is said of it is
// on one.
func TestCellsOfLines(t *testing.T) {
	source := "C T\n{}\nP0(int *x) {\n  if (*x) // why\n    *x = 1; r0 = 2;\n}\nexists (x=1)\n"
	in, err := Inspect(Question{File: "t", Source: source})
	if err != nil || len(in.BadTest) > 0 {
		t.Fatal(err, in.BadTest)
	}
	want := []Cell{{0, 0, 4, 2, 7}, {0, 0, 5, 4, 7}, {0, 1, 5, 12, 7}}
	if !slices.Equal(in.Cells, want) {
		t.Errorf("cells %+v, want %+v", in.Cells, want)
	}
	p, err := dialect.Parse("t", source)
	if err != nil || p.Threads[0].Source[0].Text != "if (*x) *x = 1;" {
		t.Errorf("%v, %v", err, p)
	}
}

// With a full fence in every gap, every classic test reads as before, and SB is forbidden.
func TestPlaced(t *testing.T) {
	for _, e := range catalogue.All() {
		in, err := Inspect(Question{File: "t", Source: e.Source, Gaps: true})
		if err != nil {
			t.Fatal(err)
		}
		fences := dialect.Fences(dialect.Tongue(e.Source))
		if len(in.Gaps) == 0 || len(fences) == 0 { // BPF has none
			continue
		}
		var placed []Placed
		for _, g := range in.Gaps {
			placed = append(placed, Placed{g.Thread, g.After, fences[0]})
		}
		with, err := Inspect(Question{File: "t", Source: e.Source, Placed: placed})
		if err != nil || with.Asking == "" {
			t.Errorf("%s: with fences: %v, %q", e.ID(), err, with.Asking)
			continue
		}
		if n := strings.Count(with.Asking, placed[0].Text) - strings.Count(e.Source, placed[0].Text); n < len(placed) {
			t.Errorf("%s: %d fences of %d:\n%s", e.ID(), n, len(placed), with.Asking)
		}
		if e.Name != "SB" || e.Arch != "X86" {
			continue
		}
		o := solver.DefaultOptions()
		for asking, want := range map[string]solver.Verdict{e.Source: solver.Allowed, with.Asking: solver.Forbidden} {
			r, err := Run(t.Context(), solver.Task{Path: "t", Source: asking, Model: "tso", Options: o})
			if err != nil || r.Verdict != want {
				t.Errorf("tso: %v, %v, want %v:\n%s", r.Verdict, err, want, asking)
			}
		}
	}
	sb, _ := catalogue.Find("SB")
	for _, bad := range []Placed{{2, 0, "MFENCE"}, {-1, 0, "MFENCE"}, {0, 2, "MFENCE"}, {0, -1, "MFENCE"}, {0, 0, "FLY"}, {0, 0, "MFENCE ;\n exists"}} {
		in, err := Inspect(Question{File: "t", Source: sb.Source, Placed: []Placed{bad}})
		if err != nil || in.Asking != "" {
			t.Errorf("%+v is placed: %v %s", bad, err, in.Asking)
		}
	}
}
