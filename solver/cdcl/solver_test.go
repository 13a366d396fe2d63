package cdcl

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver/proof"
)

const vars = 12

func drawClause(t *rapid.T, most int) []int {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int {
		return rapid.IntRange(1, vars).Draw(t, "variable") * rapid.SampledFrom([]int{1, -1}).Draw(t, "sign")
	}), 1, most).Draw(t, "clause")
}

// solutions tells whether some assignment satisfies all clauses, by trying each.
func solutions(clauses [][]int) bool {
	for a := range 1 << vars {
		if !slices.ContainsFunc(clauses, func(c []int) bool {
			return !slices.ContainsFunc(c, func(n int) bool { return a>>(max(n, -n)-1)&1 == 1 == (n > 0) })
		}) {
			return true
		}
	}
	return false
}

// hurry makes everything happen soon that happens every few thousand conflicts.
func (s *Solver) hurry() {
	s.nextMode, s.nextReduce, s.nextVivify, s.nextPhases, s.nextProbe, s.nextPrune = 0, s.conflicts+2, s.conflicts+1,
		s.conflicts+3, s.conflicts, s.conflicts
}

// refutes fails unless the solver's proof refutes clauses.
func refutes(t *rapid.T, s *Solver, vars int, clauses [][]int) {
	refutesBy(t, s, proof.NewChecker(vars), clauses)
}

func refutesBy(t interface{ Fatalf(string, ...any) }, s *Solver, c *proof.Checker, clauses [][]int) {
	for _, clause := range clauses {
		var lits []int32
		for _, n := range clause {
			lits = append(lits, int32(n))
		}
		c.Add(lits)
	}
	steps, _ := s.Proof()
	if _, err := c.Refute(context.Background(), func(yield func(proof.Step, error) bool) {
		for lits, deleted := range steps {
			if !yield(proof.Step{Lits: lits, Delete: deleted}, nil) {
				return
			}
		}
	}); err != nil {
		t.Fatalf("%v: %v", clauses, err)
	}
}

// The solver agrees with trying all assignments, with assumptions and without, with added clauses; also where it
// changes modes, forgets and shortens clauses after every few conflicts.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(vars, true)
		hurried := rapid.Bool().Draw(t, "hurried")
		var clauses [][]int
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(1, 25).Draw(t, "clauses") {
				c := drawClause(t, 3)
				clauses = append(clauses, c)
				s.Add(c...)
			}
			assume := drawClause(t, 3)
			all := slices.Clip(clauses)
			for _, n := range assume {
				all = append(all, []int{n})
			}
			for _, q := range []struct {
				assume []int
				of     [][]int
			}{{assume, all}, {nil, clauses}} {
				want := Unsatisfiable
				if solutions(q.of) {
					want = Satisfiable
				}
				if hurried {
					s.hurry()
				}
				got, err := s.Solve(context.Background(), q.assume...)
				if got != want || err != nil {
					t.Fatalf("%v under %v: %v, %v, want %v", clauses, q.assume, got, err, want)
				}
				if got == Satisfiable && slices.ContainsFunc(q.of, func(c []int) bool {
					return !slices.ContainsFunc(c, func(n int) bool { return s.Model()[max(n, -n)-1] == (n > 0) })
				}) {
					t.Fatalf("%v under %v: %v is no solution", clauses, q.assume, s.Model())
				}
				if got == Unsatisfiable && q.assume == nil {
					refutes(t, s, vars, clauses)
				}
			}
		}
	})
}

// Formulas in which much follows from single literals, many literals are equal, and others define some: a solver that
// tries literals and eliminates variables every few conflicts agrees with one that never does, with added clauses; its
// solutions are some, and its proofs pass.
func TestProbeAndPrune(t *testing.T) {
	probed, equal, eliminated, restored := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		const vars = 40
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s, plain := New(vars, true), New(vars, false)
		var clauses [][]int
		literal := func() int { return (1 + r.IntN(vars)) * (1 - 2*r.IntN(2)) }
		add := func(c ...int) {
			clauses = append(clauses, c)
			s.Add(c...)
			plain.Add(c...)
		}
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(1, 70).Draw(t, "clauses") {
				var c []int
				for range 2 + r.IntN(4)/2 {
					c = append(c, literal())
				}
				add(c...)
			}
			for range rapid.IntRange(0, 12).Draw(t, "definitions") {
				x, long := literal(), []int{}
				for range 1 + r.IntN(4) {
					l := literal()
					long = append(long, -l)
					add(-x, l)
				}
				add(append(long, x)...)
			}
			var assume []int
			for range r.IntN(3) {
				assume = append(assume, literal())
			}
			for _, assume := range [][]int{assume, nil} {
				s.hurry()
				plain.nextProbe, plain.nextPrune = math.MaxInt64, math.MaxInt64
				got, err := s.Solve(context.Background(), assume...)
				want, _ := plain.Solve(context.Background(), assume...)
				if got != want || err != nil {
					t.Fatalf("%v under %v: %v, %v, want %v", clauses, assume, got, err, want)
				}
				holds := func(n int) bool { return s.Model()[max(n, -n)-1] == (n > 0) }
				if got == Satisfiable {
					for _, c := range clauses {
						if !slices.ContainsFunc(c, holds) {
							t.Fatalf("%v: %v violates %v", clauses, s.Model(), c)
						}
					}
					if slices.ContainsFunc(assume, func(n int) bool { return !holds(n) }) {
						t.Fatalf("%v violates %v", s.Model(), assume)
					}
				}
			}
		}
		if s.unsat {
			refutes(t, s, vars, clauses)
		}
		probed += int(s.probed)
		for v, l := range s.representatives {
			if int(l>>1) != v {
				equal++
			}
		}
		for _, r := range s.removed.list {
			eliminated++
			if r.variable < 0 {
				restored++
			}
		}
	})
	if probed == 0 || equal == 0 || eliminated == 0 || restored == 0 {
		t.Errorf("tried literals %d times, %d were found equal to others, %d were eliminated, and %d of them restored",
			probed, equal, eliminated, restored)
	}
}

// pigeons has n+1 pigeons and n holes, which is hard to refute.
func pigeons(n int) *Solver {
	s := New(n*(n+1), true)
	in := func(p, h int) int { return p*n + h + 1 }
	for p := range n + 1 {
		var c []int
		for h := range n {
			c = append(c, in(p, h))
		}
		s.Add(c...)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				s.Add(-in(p, h), -in(q, h))
			}
		}
	}
	return s
}

// It ends with the context, and the next call continues where it stopped.
func TestInterrupted(t *testing.T) {
	s := pigeons(8)
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		status, err := s.Solve(ctx)
		cancel()
		if status == Unsatisfiable && err == nil {
			return
		}
		if status != Unknown || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v, %v", status, err)
		}
	}
}

// Luby's sequence.
func TestReluctant(t *testing.T) {
	r := reluctant{u: 1, v: 1}
	var got []int64
	for range 15 {
		got = append(got, r.v)
		r.next()
	}
	if want := []int64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The solver lists every solution, up to the variables of interest, exactly once if each new clause excludes the last.
func TestListing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(vars, false)
		var clauses [][]int
		for range rapid.IntRange(1, 20).Draw(t, "clauses") {
			c := drawClause(t, 3)
			clauses = append(clauses, c)
			s.Add(c...)
		}
		asked := rapid.IntRange(1, vars).Draw(t, "asked")
		found := 0
		for {
			status, err := s.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if status == Unsatisfiable {
				break
			}
			found++
			other, this := make([]int, asked), slices.Clip(clauses)
			for v := range asked {
				if other[v] = v + 1; s.Model()[v] {
					other[v] = -v - 1
				}
				this = append(this, []int{-other[v]})
			}
			if !solutions(this) {
				t.Fatalf("%v: %v is no solution", clauses, s.Model())
			}
			clauses = append(clauses, other)
			s.Add(other...)
			if rapid.Bool().Draw(t, "another clause") {
				c := drawClause(t, 4)
				clauses = append(clauses, c)
				s.Add(c...)
			}
		}
		if solutions(clauses) {
			t.Fatalf("%v: there are more than %d", clauses, found)
		}
	})
}
