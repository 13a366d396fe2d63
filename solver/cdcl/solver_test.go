package cdcl

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
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

// What it says is what trying all assignments says, with assumptions and without, while clauses are added; also where it changes modes, forgets and
// shortens clauses after every few conflicts.
func TestSolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(vars, false)
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
					s.nextMode, s.nextReduce, s.nextVivify, s.nextPhases = 0, s.conflicts+2, s.conflicts+1, s.conflicts+3
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
			}
		}
	})
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

// It ends with the context, and goes on where it was when it is asked again.
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
