package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/modelstest"
)

// A check for each class is what it is for one class after the other, where the events of the class have a tag of their
// own. The test skips rejected expressions, but not all are.
func TestClassesOneByOne(t *testing.T) {
	executions := modelstest.Candidates(t)
	checked := 0
	rapid.Check(t, func(t *rapid.T) {
		equivalence := rapid.SampledFrom(
			[]string{
				"loc", "int", "loc & int", "id", "[R] ; loc ; [R]", "(rf | rf^-1)* & loc",
				"((W | R) * (W | R)) & int",
			}).Draw(t, "equivalence")
		var set, relation func(d int) string
		set = func(d int) string {
			if d == 0 {
				return rapid.SampledFrom([]string{"c", "c", "R", "W", "_"}).Draw(t, "set")
			}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				return "(" + set(d-1) + rapid.SampledFrom([]string{" | ", " & ", " \\ "}).Draw(t, "operator") +
					set(d-1) + ")"
			case 1:
				return rapid.SampledFrom([]string{"domain(", "range("}).Draw(t, "end") + relation(d-1) + ")"
			}
			return set(0)
		}
		relation = func(d int) string {
			if d == 0 {
				return rapid.SampledFrom(
					[]string{"c * c", "[c]", "po & (c * c)", "po", "rf", "fr", "co", "loc", "c * _", "_ * c"}).Draw(t,
					"relation")
			}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0, 1:
				return "((" + relation(d-1) + ")" +
					rapid.SampledFrom([]string{" | ", " & ", " \\ ", " ; ", " ; "}).Draw(t, "operator") + "(" +
					relation(d-1) + "))"
			case 2:
				return "(" + relation(d-1) + ")" + rapid.SampledFrom([]string{"+", "^-1"}).Draw(t, "suffix")
			case 3:
				return "([" + set(d-1) + "] ; (" + relation(d-1) + "))"
			}
			return "(" + set(d-1) + " * " + set(d-1) + ")"
		}
		check := rapid.SampledFrom([]string{"acyclic ", "irreflexive ", "empty "}).Draw(t, "check") +
			relation(3) + " as each"
		all, err := models.Parse("m.cat", "forall c in classes("+equivalence+") do "+check+" end\nacyclic 0",
			dialect.Vocabulary())
		if err != nil {
			for _, reason := range []string{"not supported", "does not depend on the class"} {
				if strings.Contains(err.Error(), reason) {
					return
				}
			}
			t.Fatalf("%s: %v", check, err)
		}
		// None of the events has the tags Rmb and Wmb.
		one, err := models.Parse("m.cat",
			"let c = Rmb\n"+check+"\nlet r = "+equivalence+"\nempty [c] ; r ; [_ \\ c] as whole", dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		related, err := models.Parse("m.cat", "empty [Rmb] ; ("+equivalence+") ; [Wmb]", dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		for n, x := range executions {
			want := true
			for i := range x.Events {
				class := map[int]bool{}
				for k := range x.Events {
					y := tagged(x, "Rmb", func(e int) bool { return e == i })
					if len(evaluation.Check(related, tagged(y, "Wmb", func(e int) bool { return e == k }))) > 0 {
						class[k] = true
					}
				}
				if len(class) == 0 {
					continue
				}
				for _, v := range evaluation.Check(one, tagged(x, "Rmb", func(e int) bool { return class[e] })) {
					if v.Axiom == "whole" {
						t.Fatalf("%s: %v is no class", equivalence, class)
					}
					want = false
				}
			}
			if got := len(evaluation.Check(all, x)) == 0; got != want {
				t.Fatalf("classes(%s), %s, execution %d: got %v, want %v", equivalence, check, n, got, want)
			}
			checked++
		}
	})
	if checked == 0 {
		t.Error("every expression was refused")
	}
}

// tagged is an execution with a tag more at some of its events.
func tagged(x *models.Execution, tag ir.Tag, in func(event int) bool) *models.Execution {
	y := *x
	y.Events = slices.Clone(x.Events)
	for i := range y.Events {
		if in(i) {
			y.Events[i].Tags = append(slices.Clone(y.Events[i].Tags), tag)
		}
	}
	return &y
}

// What is no equivalence has a test refused.
func TestClassesOfNoEquivalence(t *testing.T) {
	for _, c := range []struct {
		relation string
		asserted int
	}{{"loc", 0}, {"loc & int", 0}, {"(W * W) & loc", 0}, {"rf | rf^-1", 1}, {"po", 1}} {
		m, err := models.Parse("m.cat", fmt.Sprintf("forall c in classes(%s) do acyclic po & (c * c) end", c.relation),
			dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Flags) != c.asserted {
			t.Errorf("%s: %d flags, want %d", c.relation, len(m.Flags), c.asserted)
		}
	}
}
