package sat

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

// Enumerate counts what trying out all assignments counts.
func TestEnumerateCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCircuit()
		vars := make([]Lit, rapid.IntRange(1, 10).Draw(t, "variables"))
		for i := range vars {
			vars[i] = c.Var()
			c.Define(vars[i])
		}
		lit := func() Lit {
			l := rapid.SampledFrom(vars).Draw(t, "variable")
			if rapid.Bool().Draw(t, "negated") {
				return -l
			}
			return l
		}
		var clauses [][]Lit
		for range rapid.IntRange(0, 30).Draw(t, "clauses") {
			var clause []Lit
			for range rapid.IntRange(1, 4).Draw(t, "length") {
				clause = append(clause, lit())
			}
			clauses = append(clauses, clause)
			c.Assert(clause...)
		}
		var over []Lit
		for range rapid.IntRange(0, 6).Draw(t, "asked for") {
			l := c.And(lit(), lit())
			if rapid.Bool().Draw(t, "a gate") {
				l = lit()
			}
			if l != True && l != False {
				c.Define(l)
				over = append(over, l)
			}
		}
		want := map[string]bool{}
		for bits := range 1 << len(vars) {
			value := func(l Lit) bool { return l.v() == 1 || bits>>(int(l.v())-2)&1 == 1 }
			var holds func(l Lit) bool
			holds = func(l Lit) bool {
				if l < 0 {
					return !holds(-l)
				}
				if args := c.args(int32(l)); c.gates[l].kind == andGate {
					return holds(args[0]) && holds(args[1])
				}
				return value(l)
			}
			ok := true
			for _, clause := range clauses {
				some := false
				for _, l := range clause {
					some = some || holds(l)
				}
				ok = ok && some
			}
			if ok {
				key := make([]byte, len(over))
				for i, l := range over {
					if holds(l) {
						key[i] = 1
					}
				}
				want[string(key)] = true
			}
		}
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		n, err := c.Enumerate(context.Background(), over, limit)
		if err != nil || n != min(len(want), limit+1) {
			t.Fatalf("%d assignments, %v; want %d up to %d", n, err, len(want), limit)
		}
	})
}

// The count stays the same when the enumerator forgets learnt clauses.
func TestEnumerateForgets(t *testing.T) {
	c := NewCircuit()
	var over []Lit
	const n = 7
	for range n { // permutations, as squares with a true one in each row and column
		for range n {
			v := c.Var()
			c.Define(v)
			over = append(over, v)
		}
	}
	for i := range n {
		var row, column []Lit
		for j := range n {
			row, column = append(row, over[i*n+j]), append(column, over[j*n+i])
			for k := range j {
				c.Assert(-row[j], -row[k])
				c.Assert(-column[j], -column[k])
			}
		}
		c.Assert(row...)
		c.Assert(column...)
	}
	for i := range n - 1 { // nobody stays
		c.Assert(-over[i*n+i])
	}
	e := newEnumerator(c, over, nil)
	e.most = 40
	got, err := e.run(context.Background(), 1<<20)
	if want := 1854 + 265; err != nil || got != want { // derangements of 7, and of 6 with the seventh where it was
		t.Errorf("%d, %v; want %d", got, err, want)
	}
	if len(e.learnt) > e.most {
		t.Errorf("%d learnt clauses are kept", len(e.learnt))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Enumerate(ctx, over, 1<<20); err == nil {
		t.Error("a cancelled enumeration goes on")
	}
}
