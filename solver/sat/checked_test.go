package sat

import (
	"testing"

	"pgregory.net/rapid"
)

// An assignment passes if it satisfies all clauses, whichever have passed before, and whichever clauses have come
// since.
func TestChecked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const variables = 40
		literal := rapid.Custom(func(t *rapid.T) Lit {
			return Lit(
				rapid.IntRange(1, variables-1).Draw(t, "variable") * rapid.SampledFrom([]int{1, -1}).Draw(t, "sign"))
		})
		solution := rapid.SliceOfN(rapid.Bool(), variables, variables).Draw(t, "solution")
		model := append([]bool(nil), solution...)
		var clauses [][]Lit
		add := func(n int, holds bool) {
			for range n {
				c := rapid.SliceOfN(literal, 1, 4).Draw(t, "clause")
				if l := c[0]; holds && !satisfied(c, solution) {
					c[0] = -l
				}
				clauses = append(clauses, c)
			}
		}
		add(rapid.IntRange(1, 40).Draw(t, "clauses"), true)
		for len(clauses) < manyLiterals/3+50 { // many, though a solution changes few
			clauses = append(clauses, clauses[len(clauses)/2], clauses[len(clauses)/3])
		}
		var k checked
		for range rapid.IntRange(2, 30).Draw(t, "assignments") {
			copy(model, solution)
			for range rapid.IntRange(0, 2).Draw(t, "flips") {
				v := rapid.IntRange(1, variables-1).Draw(t, "flipped")
				model[v] = !model[v]
			}
			want := false
			for _, c := range clauses {
				want = want || !satisfied(c, model)
			}
			bad := k.broken(clauses, model)
			if (bad != nil) != want || bad != nil && satisfied(bad, model) {
				t.Fatalf("%v is said not to hold, want one: %v", bad, want)
			}
			add(rapid.IntRange(0, 1).Draw(t, "more clauses"), true)
		}
	})
}
