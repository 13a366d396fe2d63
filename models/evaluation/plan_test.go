package evaluation

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
)

// The terms of a plan have the values of their expressions, for executions one after another, some of them with the
// events of the one before.
func TestPlan(t *testing.T) {
	var all []*models.Model
	for name, text := range map[string]string{
		"groups": `let rec a = (po | b) & ~id and b = (a ; rf) | co^-1 | (a & ext) & ~loc
let rec c = (c ; c) | rf | co
acyclic a as one irreflexive b ; c as two empty domain(a) * range(b) & c as three flag ~empty (c? | rf) as four empty c* & ext as five`,
		"nothing": `let none = 0
acyclic none | po as one empty none & po as two irreflexive po \ none as three acyclic ([W] ; po ; [R] | po ; [R | W]) as four empty (none ; po)? \ id as five`,
	} {
		m, err := models.Parse(name, text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	for _, name := range models.Names() {
		m, _ := models.Find(name)
		all = append(all, m)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := all[rapid.IntRange(0, len(all)-1).Draw(t, "model")]
		c := NewChecker(m)
		var x *models.Execution
		for range rapid.IntRange(1, 4).Draw(t, "executions") {
			x = drawExecution(t, m, x)
			c.setExecution(x)
			fresh := NewEvaluator(x)
			same := func(what string, a cat.Axiom, at int32) {
				want := fresh.Eval(a.Expr)
				if got := c.values.value(c.eval, at); !slices.Equal(got, want.Bits) {
					t.Fatalf("%s: %s %s: %v, want %v", m.Name, what, a.Name, got, want.Bits)
				}
			}
			for i, a := range m.Axioms {
				same("axiom", a, c.values.Axioms[i])
			}
			for i, f := range m.Flags {
				for k, a := range f.Checks {
					same("flag "+f.Name, a, c.values.Flags[i][k])
				}
			}
		}
	})
}

// drawExecution draws an execution that need not be one of any program, often with the events of another.
func drawExecution(t *rapid.T, m *models.Model, like *models.Execution) *models.Execution {
	x := &models.Execution{Program: &ir.Program{}}
	if like != nil && rapid.IntRange(0, 3).Draw(t, "same events") > 0 {
		*x = *like
		x.Events, x.RF, x.CO = slices.Clone(x.Events), slices.Clone(x.RF), slices.Clone(x.CO)
	} else {
		n, first := rapid.SampledFrom([]int{1, 5, 9, 64, 67}).Draw(t, "events"), 0
		if like != nil {
			first = like.Events[0].Step + 100 // a step of a program has its tags
		}
		for i := range n {
			e := models.Event{
				ID: i, Thread: min(i*3/n, 2) - 1, Step: first + i,
				Kind: models.EventKind(rapid.IntRange(0, 2).Draw(t, "kind")),
				Loc:  rapid.IntRange(0, 1).Draw(t, "location"),
			}
			switch {
			case e.Thread < 0:
				e.Thread, e.Kind = models.InitThread, models.Write
			case e.Kind == models.Fence:
				e.Loc = -1
			}
			if tags := dialect.Vocabulary().Tags; len(tags) > 0 {
				e.Tags = rapid.SliceOfN(rapid.SampledFrom(tags), 0, 2).Draw(t, "tags")
			}
			x.Events = append(x.Events, e)
		}
		x.RF, x.CO = slices.Repeat([]int{-1}, n), make([][]int, 2)
	}
	n := len(x.Events)
	event := rapid.IntRange(0, n-1)
	for _, r := range []*[]models.Pair{&x.Addr, &x.Data, &x.Ctrl, &x.RMW} {
		if rapid.Bool().Draw(t, "other pairs") {
			*r = nil
			for range rapid.IntRange(0, n).Draw(t, "pairs") {
				*r = append(*r, models.Pair{event.Draw(t, "from"), event.Draw(t, "to")})
			}
		}
	}
	if rapid.Bool().Draw(t, "other values") {
		for i := range x.Events {
			x.Events[i].Value = uint64(rapid.IntRange(0, 1).Draw(t, "value"))
		}
	}
	if rapid.Bool().Draw(t, "other rf") {
		for i := range x.RF {
			x.RF[i] = rapid.IntRange(-1, n-1).Draw(t, "writer")
		}
	}
	if rapid.Bool().Draw(t, "other co") {
		for l := range x.CO {
			x.CO[l] = rapid.Permutation([]int{0, n / 2, n - 1}).Draw(t, "co")
		}
	}
	return x
}
