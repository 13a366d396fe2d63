package outcomes

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// A hand-made formula of a few variables and clauses with two observed numbers has the states and the answers of its
// truth table, whatever the limits.
func TestSearchIsTruthTable(t *testing.T) {
	seen := map[solver.Observation]int{}
	rapid.Check(t, func(t *rapid.T) {
		const vars = 6
		c := sat.NewCircuit()
		var inputs sat.Vec
		for range vars {
			inputs = append(inputs, c.Var())
		}
		literal := func() (l sat.Lit, v int, positive bool) {
			v, positive = rapid.IntRange(0, vars-1).Draw(t, "variable"), rapid.Bool().Draw(t, "positive")
			if l = inputs[v]; !positive {
				l = l.Not()
			}
			return l, v, positive
		}
		type truth func(row int) bool
		var holds []truth
		for range rapid.IntRange(0, 8).Draw(t, "clauses") {
			var clause []sat.Lit
			var any []truth
			for range rapid.IntRange(1, 3).Draw(t, "length") {
				l, v, positive := literal()
				clause = append(clause, l)
				any = append(any, func(row int) bool { return (row>>v&1 == 1) == positive })
			}
			c.Assert(clause...)
			holds = append(holds, func(row int) bool {
				for _, is := range any {
					if is(row) {
						return true
					}
				}
				return false
			})
		}
		numbers := [][3]int{{0, 1, 2}, {2, 3, 0}} // the variables that make them, which they share
		p := &ir.Program{
			Observed: []ir.Observable{{Name: "a", Thread: -1, Bits: 3}, {Name: "b", Thread: -1, Index: 1, Bits: 3}},
			Locs:     make([]ir.Location, 2), Shown: 2,
		}
		p.Condition = litmus.Condition{
			Quantifier: rapid.SampledFrom([]litmus.Quantifier{litmus.Exists, litmus.NotExists, litmus.Forall}).Draw(t,
				"quantifier"),
			Prop: litmus.Compare{Obs: 0, Other: -1, Value: rapid.Uint64Range(0, 7).Draw(t, "value")},
		}
		want := map[string]bool{}
		yes, no := false, false
		for row := range 1 << vars {
			in := true
			for _, is := range holds {
				in = in && is(row)
			}
			if !in {
				continue
			}
			state := make(ir.State, 2)
			for i, n := range numbers {
				for k, v := range n {
					state[i] |= uint64(row>>v&1) << k
				}
			}
			want[p.FormatState(state)] = true
			if p.Satisfies(p.Condition.Prop, state) {
				yes = true
			} else {
				no = true
			}
		}
		m, _ := models.Find("sc") // whichever: the formula alone matters
		q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
		q.Options.States = rapid.SampledFrom([]int{4096, 0, 2}).Draw(t, "states")
		s := New(q, "by hand")
		s.Bounded = rapid.IntRange(0, 3).Draw(t, "bounded") == 0
		number := func(o ir.Observable) sat.Vec {
			n := numbers[o.Index]
			return sat.Vec{inputs[n[0]], inputs[n[1]], inputs[n[2]]}
		}
		s.Record = func(m *sat.Assignment) error {
			state := make(ir.State, 2)
			for i, o := range p.Observed {
				state[i] = m.Number(number(o))
			}
			if !want[p.FormatState(state)] {
				return fmt.Errorf("%s is no state", p.FormatState(state))
			}
			_, err := s.File(m, state)
			return err
		}
		r, err := s.Run(context.Background(), func() error {
			s.Formula(c, p, number)
			if err := s.Decide(); err != nil || q.Options.States == 0 {
				return err
			}
			return s.States()
		})
		if err != nil {
			t.Fatal(err)
		}
		answer := func(is bool) solver.Truth {
			switch {
			case is:
				return solver.Yes
			case s.Bounded:
				return solver.Open
			}
			return solver.No
		}
		if s.Some != answer(yes) || s.SomeNot != answer(no) {
			t.Fatalf("satisfied %v, violated %v; want %v and %v", s.Some, s.SomeNot, yes, no)
		}
		cut := r.StatesComplete != nil && !*r.StatesComplete
		if all := min(len(want), q.Options.States); len(r.States) != all ||
			cut != (q.Options.States > 0 && len(want) > q.Options.States) {
			t.Fatalf("%d states, cut %v, of %d, at most %d", len(r.States), cut, len(want), q.Options.States)
		}
		if r.Complete == s.Bounded {
			t.Fatalf("complete %v, bounded %v", r.Complete, s.Bounded)
		}
		seen[r.Observation]++
	})
	if !testing.Short() && len(seen) < 3 { // a fifth of the tests may well miss one
		t.Errorf("the answers were %v alone", seen)
	}
}
