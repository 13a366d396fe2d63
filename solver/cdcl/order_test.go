package cdcl

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/solver/proof"
)

type testEdge struct {
	graph, from, to, when int
	alone                 bool
}

// cyclic reports whether some edges of a graph have a cycle with at most one exclusive edge.
func cyclic(edges []testEdge) bool {
	var alone, others []testEdge
	for _, e := range edges {
		if e.alone {
			alone = append(alone, e)
		} else {
			others = append(others, e)
		}
	}
	return ring(others) || slices.ContainsFunc(alone, func(e testEdge) bool {
		return ring(append(slices.Clone(others), e))
	})
}

// ring takes away, as long as there is one, an edge that leads to where none begins.
func ring(edges []testEdge) bool {
	edges = slices.Clone(edges)
	for {
		i := slices.IndexFunc(edges, func(e testEdge) bool {
			return !slices.ContainsFunc(edges, func(f testEdge) bool { return f.from == e.to })
		})
		if i < 0 {
			return len(edges) > 0
		}
		edges = slices.Delete(edges, i, i+1)
	}
}

// With graphs, too, the solver agrees with trying all assignments: under assumptions, with added clauses, with frequent
// inprocessing, and with proofs that pass.
func TestOrder(t *testing.T) {
	const vars, nodes = 9, 5
	said, because := map[Status]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		draw := func(from, to int, what string) int { return rapid.IntRange(from, to).Draw(t, what) }
		drawLit := func() int { return draw(1, vars, "variable") * rapid.SampledFrom([]int{1, -1}).Draw(t, "sign") }
		proofs := rapid.Bool().Draw(t, "proofs") // without, it continues from its last assignment
		s := New(vars, proofs)
		var edges []testEdge
		graphs := draw(1, 2, "graphs")
		for g := range graphs {
			if s.NewGraph(nodes) != g {
				t.Fatal("graphs are not numbered from 0")
			}
		}
		var clauses [][]int
		for range draw(0, 4, "clauses before") {
			c := []int{drawLit(), drawLit()}
			clauses = append(clauses, c)
			s.Add(c...)
		}
		for range draw(1, 16, "edges") {
			e := testEdge{
				draw(0, graphs-1, "graph"), draw(0, nodes-1, "from"), draw(0, nodes-1, "to"), drawLit(),
				draw(0, 3, "alone") == 0,
			}
			if draw(0, 7, "always") == 0 {
				e.when = 0
			}
			edges = append(edges, e)
			if e.alone {
				s.AddAlone(e.graph, e.from, e.to, e.when)
			} else {
				s.AddEdge(e.graph, e.from, e.to, e.when)
			}
		}
		possible := func(clauses [][]int, model func(n int) bool) bool {
			if slices.ContainsFunc(clauses, func(c []int) bool { return !slices.ContainsFunc(c, model) }) {
				return false
			}
			for g := range graphs {
				var there []testEdge
				for _, e := range edges {
					if e.graph == g && (e.when == 0 || model(e.when)) {
						there = append(there, e)
					}
				}
				if cyclic(there) {
					return false
				}
			}
			return true
		}
		solution := func(clauses [][]int, of func([][]int, func(int) bool) bool) Status {
			for a := range 1 << vars {
				if of(clauses, func(n int) bool { return a>>(max(n, -n)-1)&1 == 1 == (n > 0) }) {
					return Satisfiable
				}
			}
			return Unsatisfiable
		}
		hurried := rapid.Bool().Draw(t, "hurried")
		for range draw(1, 4, "rounds") {
			for range draw(0, 8, "clauses") {
				var c []int
				for range draw(1, 3, "length") {
					c = append(c, drawLit())
				}
				clauses = append(clauses, c)
				s.Add(c...)
			}
			var assume []int
			for range draw(0, 3, "assumptions") {
				assume = append(assume, drawLit())
			}
			for _, assume := range [][]int{assume, nil} {
				all := slices.Clip(clauses)
				for _, n := range assume {
					all = append(all, []int{n})
				}
				want := solution(all, possible)
				if hurried {
					s.hurry()
				}
				got, err := s.Solve(context.Background(), assume...)
				if got != want || err != nil {
					t.Fatalf("%v and %v under %v: %v, %v, want %v", clauses, edges, assume, got, err, want)
				}
				if got == Satisfiable &&
					!possible(all, func(n int) bool { return s.Model()[max(n, -n)-1] == (n > 0) }) {
					t.Fatalf("%v and %v under %v: %v is no solution", clauses, edges, assume, s.Model())
				}
				said[got]++
				if assume != nil || got != Unsatisfiable {
					continue
				}
				if len(all) == 0 || solution(all, func(c [][]int, m func(int) bool) bool {
					return !slices.ContainsFunc(c, func(c []int) bool { return !slices.ContainsFunc(c, m) })
				}) == Satisfiable {
					because++
				}
				if !proofs {
					continue
				}
				c := proof.NewChecker(vars + 1)
				c.Add([]int32{vars + 1})
				for range graphs {
					c.AddGraph(nodes)
				}
				for _, e := range edges {
					if e.when == 0 {
						e.when = vars + 1
					}
					if e.alone {
						c.AddAlone(e.graph, e.from, e.to, int32(e.when))
					} else {
						c.AddEdge(e.graph, e.from, e.to, int32(e.when))
					}
				}
				refutesBy(t, s, c, clauses)
			}
		}
	})
	if said[Satisfiable] == 0 || because == 0 {
		t.Errorf("answers: %v, %d by cycles", said, because)
	}
}

// The solver finds an order of many nodes by propagation: a before b, or b before a, for all, and a ring of some.
func TestOrderOfMany(t *testing.T) {
	const n = 40
	s := New(n*n, true)
	g := s.NewGraph(n)
	before := func(a, b int) int {
		if a > b {
			return -(b*n + a + 1)
		}
		return a*n + b + 1
	}
	c := proof.NewChecker(n * n)
	c.AddGraph(n)
	for a := range n {
		for b := range n {
			if a != b {
				s.AddEdge(g, a, b, before(a, b))
				c.AddEdge(g, a, b, int32(before(a, b)))
			}
		}
	}
	if got, err := s.Solve(t.Context()); got != Satisfiable || err != nil {
		t.Fatal(got, err)
	}
	var clauses [][]int
	for a := range n { // each is before one of the next three
		clauses = append(clauses, []int{before(a, (a+1)%n), before(a, (a+2)%n), before(a, (a+3)%n)})
		s.Add(clauses[a]...)
	}
	if got, err := s.Solve(t.Context()); got != Unsatisfiable || err != nil {
		t.Fatal(got, err)
	}
	refutesBy(t, s, c, clauses)
}
