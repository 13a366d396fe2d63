package sat

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

// formula is a random gate over a few variables, with its own evaluation.
type formula struct {
	lit  Lit
	eval func(assignment uint) bool
}

const inputs = 5

func drawFormula(t *rapid.T, c *Circuit, vars []Lit) formula {
	pool := []formula{}
	for i := range inputs {
		pool = append(pool, formula{vars[i], func(a uint) bool { return a>>i&1 == 1 }})
	}
	pool = append(pool, formula{True, func(uint) bool { return true }})
	for range rapid.IntRange(1, 12).Draw(t, "gates") {
		pick := func() formula {
			f := pool[rapid.IntRange(0, len(pool)-1).Draw(t, "arg")]
			if rapid.Bool().Draw(t, "negated") {
				return formula{f.lit.Not(), func(a uint) bool { return !f.eval(a) }}
			}
			return f
		}
		x, y, z := pick(), pick(), pick()
		var g formula
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			g = formula{c.And(x.lit, y.lit, z.lit), func(a uint) bool { return x.eval(a) && y.eval(a) && z.eval(a) }}
		case 1:
			g = formula{c.Or(x.lit, y.lit), func(a uint) bool { return x.eval(a) || y.eval(a) }}
		case 2:
			g = formula{c.Xor(x.lit, y.lit), func(a uint) bool { return x.eval(a) != y.eval(a) }}
		case 3:
			g = formula{c.Ite(x.lit, y.lit, z.lit), func(a uint) bool {
				if x.eval(a) {
					return y.eval(a)
				}
				return z.eval(a)
			}}
		case 4:
			g = formula{c.Majority(x.lit, y.lit, z.lit), func(a uint) bool {
				n := 0
				for _, f := range []formula{x, y, z} {
					if f.eval(a) {
						n++
					}
				}
				return n >= 2
			}}
		default:
			g = formula{c.And(x.lit, y.lit, z.lit, vars[0], vars[1].Not()), func(a uint) bool {
				return x.eval(a) && y.eval(a) && z.eval(a) && a&1 == 1 && a&2 == 0
			}}
		}
		pool = append(pool, g)
	}
	return pool[len(pool)-1]
}

// Asserting random formulas, then enumerating under blocking clauses, with solves
// under assumptions strewn in, finds exactly the assignments of the truth table.
func TestCircuitAgainstTruthTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCircuit()
		vars := make([]Lit, inputs)
		for i := range vars {
			vars[i] = c.Var()
			c.Define(vars[i])
		}
		var asserted []formula
		for range rapid.IntRange(1, 3).Draw(t, "asserted") {
			f := drawFormula(t, c, vars)
			if rapid.Bool().Draw(t, "imply") {
				g := drawFormula(t, c, vars)
				c.Imply(f.lit, g.lit)
				asserted = append(asserted, formula{eval: func(a uint) bool { return !f.eval(a) || g.eval(a) }})
			} else {
				c.Assert(f.lit)
				asserted = append(asserted, f)
			}
		}
		p := drawFormula(t, c, vars)
		c.Define(p.lit)
		want := map[uint]bool{}
		for a := range uint(1 << inputs) {
			ok := true
			for _, f := range asserted {
				ok = ok && f.eval(a)
			}
			if ok {
				want[a] = true
			}
		}
		s, ctx := c.Solver(Options{Certify: rapid.Bool().Draw(t, "certify")}), context.Background()
		if rapid.Bool().Draw(t, "early unit") { // added before the first solve
			s.Add(vars[0])
			for a := range want {
				if a&1 == 0 {
					delete(want, a)
				}
			}
		}
		solve := func(assume ...Lit) Status {
			status, err := s.Solve(ctx, assume...)
			if err != nil {
				t.Fatal(err)
			}
			return status
		}
		for {
			if rapid.Bool().Draw(t, "assume") {
				holds, fails := false, false
				for a := range want {
					if p.eval(a) {
						holds = true
					} else {
						fails = true
					}
				}
				if (solve(p.lit) == Sat) != holds || (solve(p.lit.Not()) == Sat) != fails {
					t.Fatalf("under assumptions: want %v, %v", holds, fails)
				}
			}
			if solve() == Unsat {
				break
			}
			m := c.Assignment(s)
			var a uint
			block := make([]Lit, inputs)
			for i, v := range vars {
				block[i] = v
				if m.True(v) {
					a |= 1 << i
					block[i] = v.Not()
				}
			}
			if !want[a] || m.True(p.lit) != p.eval(a) {
				t.Fatalf("assignment %05b: wanted %v", a, want[a])
			}
			delete(want, a)
			s.Add(block...)
		}
		if len(want) > 0 {
			t.Fatalf("not found: %v", want)
		}
	})
}

func TestArithmetic(t *testing.T) {
	const width = 7
	mask := uint64(1<<width - 1)
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Uint64Range(0, mask).Draw(t, "x"), rapid.Uint64Range(0, mask).Draw(t, "y")
		c := NewCircuit()
		// Half the bits are constant, half are variables fixed by clauses.
		vec := func(v uint64) Vec {
			out := ConstVec(v, width)
			for i := range out {
				if i%2 == 0 {
					b := c.Var()
					c.Assert(b.Not(), out[i])
					c.Assert(b, out[i].Not())
					out[i] = b
				}
			}
			return out
		}
		a, b := vec(x), vec(y)
		results := []struct {
			name string
			got  Vec
			want uint64
		}{
			{"add", c.Add(a, b, False), x + y},
			{"sub", c.Sub(a, b), x - y},
			{"mul", c.Mul(a, b), x * y},
			{"shl", c.Shift(a, b, true, False), x << min(y, 63)},
			{"shr", c.Shift(a, b, false, False), x >> min(y, 63)},
			{"less", Vec{c.Less(a, b)}, map[bool]uint64{true: 1}[x < y]},
			{"equal", Vec{c.EqualVec(a, b)}, map[bool]uint64{true: 1}[x == y]},
		}
		for _, r := range results {
			for _, l := range r.got {
				c.Define(l)
			}
		}
		s := c.Solver(Options{})
		if status, err := s.Solve(context.Background()); status != Sat {
			t.Fatal(status, err)
		}
		m := c.Assignment(s)
		for _, r := range results {
			want := r.want & (1<<len(r.got) - 1)
			if got := m.Number(r.got); got != want {
				t.Errorf("%s(%d,%d): got %d, want %d", r.name, x, y, got, want)
			}
			for _, l := range r.got {
				if l != True && l != False && s.Value(int(l.v())) != (m.True(l) == (l > 0)) {
					t.Errorf("%s: a defined gate's variable differs from its value", r.name)
				}
			}
		}
	})
}

// Units that follow from one another in a long row, each from a clause before that of the last, are all fixed, and none
// else is.
func TestUnitsInARow(t *testing.T) {
	for _, last := range []Status{Sat, Unsat} {
		c := NewCircuit()
		vars := make([]Lit, 60)
		for i := range vars {
			vars[i] = c.Var()
			c.Define(vars[i])
		}
		x, y := c.Var(), c.Var()
		c.Assert(x, y, vars[59].Not())
		if last == Unsat {
			c.Assert(vars[59].Not(), vars[0].Not())
		}
		for i := len(vars) - 1; i > 0; i-- {
			c.Assert(vars[i], vars[i-1].Not())
		}
		c.Assert(vars[0])
		s := c.Solver(Options{})
		if s.simplify(); s.unsat != (last == Unsat) {
			t.Errorf("want %v: units alone say %v", last, s.unsat)
		}
		if last == Sat && (s.nfixed != len(vars) || len(s.clauses) != 1 || len(s.clauses[0]) != 2) {
			t.Errorf("%d are fixed, and there are left %v", s.nfixed, s.clauses)
		}
		if got, err := c.Solver(Options{Certify: true}).Solve(t.Context()); got != last || err != nil {
			t.Errorf("%v, %v, want %v", got, err, last)
		}
	}
}
