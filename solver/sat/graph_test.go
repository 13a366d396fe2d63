package sat

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// ringless says by clauses that edges make no cycle: of two nodes that edges lead between, one comes first, of all
// pairs, and these are transitive.
func ringless(c *Circuit, nodes int, edges []graphEdge) {
	before := make([][]Lit, nodes)
	for a := range before {
		before[a] = make([]Lit, nodes)
		for b := range a {
			before[a][b] = c.Var()
			before[b][a] = before[a][b].Not()
		}
		before[a][a] = False
	}
	for a := range nodes {
		for b := range nodes {
			for d := range nodes {
				if a != b && b != d && a != d {
					c.Assert(before[a][b].Not(), before[b][d].Not(), before[a][d])
				}
			}
		}
	}
	for _, e := range edges {
		c.Assert(e.lit.Not(), before[e.from][e.to])
	}
}

// Graphs are what clauses say that order their nodes: with gates and clauses, under assumptions, and while clauses
// arrive, with proofs that pass, and without.
func TestGraphs(t *testing.T) {
	count := 1500
	if testing.Short() {
		count /= 5
	}
	r := rand.New(rand.NewPCG(*seed, 4))
	said := map[Status]int{}
	for i := range count {
		kept, clauses := NewCircuit(), NewCircuit()
		both := func(f func(c *Circuit) Lit) Lit {
			l := f(kept)
			if m := f(clauses); l != m {
				t.Fatal("the circuits differ")
			}
			return l
		}
		var vars []Lit
		for range 3 + r.IntN(20) {
			vars = append(vars, both(func(c *Circuit) Lit { v := c.Var(); c.Define(v); return v }))
		}
		pick := func() Lit {
			l := vars[r.IntN(len(vars))]
			if r.IntN(2) == 0 {
				return l.Not()
			}
			return l
		}
		for range r.IntN(8) {
			a, b, d := pick(), pick(), pick()
			kind := r.IntN(3)
			vars = append(vars, both(func(c *Circuit) Lit {
				g := []Lit{c.And(a, b), c.Or(a, b, d), c.Ite(a, b, d)}[kind]
				if kind == 2 {
					c.Define(g)
				}
				return g
			}))
		}
		for range r.IntN(2 * len(vars)) {
			clause := []Lit{pick(), pick(), pick()}[:1+r.IntN(20)/8]
			both(func(c *Circuit) Lit { c.Assert(clause...); return True })
		}
		for range 1 + r.IntN(2) {
			nodes := 1 + r.IntN(6)
			var edges, alone []graphEdge
			g := kept.NewGraph(nodes)
			for range r.IntN(3 * nodes) {
				e := graphEdge{r.IntN(nodes), r.IntN(nodes), pick()}
				if r.IntN(8) == 0 {
					e.lit = Const(r.IntN(4) > 0)
				}
				if r.IntN(4) == 0 {
					alone = append(alone, e)
					g.Alone(e.from, e.to, e.lit)
				} else {
					edges = append(edges, e)
					g.Edge(e.from, e.to, e.lit)
				}
			}
			ringless(clauses, nodes, edges)
			for _, e := range alone {
				ringless(clauses, nodes, append(slices.Clip(edges), e))
			}
		}
		for _, v := range vars {
			both(func(c *Circuit) Lit { c.Define(v); return True })
		}
		solvers := []*Solver{
			clauses.Solver(Options{Backend: "gophersat"}), kept.Solver(Options{}),
			kept.Solver(Options{Backend: "cdcl", Certify: true}),
		}
		for range 1 + r.IntN(3) {
			var assume []Lit
			for range r.IntN(3) {
				assume = append(assume, pick())
			}
			more := []Lit{pick(), pick(), pick()}[:1+r.IntN(3)]
			var want Status
			for k, s := range solvers {
				got, err := s.Solve(t.Context(), assume...)
				if k == 0 {
					want = got
				}
				if got != want || err != nil {
					t.Fatalf("formula %d of seed %d, solver %d: %v, want %v: %v", i, *seed, k, got, want, err)
				}
				s.Add(more...)
			}
			said[want]++
		}
	}
	if said[Sat] == 0 || said[Unsat] == 0 {
		t.Errorf("the answers were %v", said)
	}
}

// A backend without graphs is not believed, and gets no graph.
func TestGraphsAreNotForgotten(t *testing.T) {
	c := NewCircuit()
	x, y, z := c.Var(), c.Var(), c.Var()
	c.Assert(x, z)
	c.Assert(y, z)
	g := c.NewGraph(2)
	g.Edge(0, 1, x)
	g.Edge(1, 0, y)
	g.Edge(1, 1, z)
	if _, status, err := lie(t, c, &liar{}, nil); status != Unsat || err != nil {
		t.Error(status, err)
	}
	if _, status, err := lie(t, c, &liar{}, func(p *Problem) { p.Graphs = nil }); status != Unknown ||
		!errors.Is(err, ErrAssignment) {
		t.Error(status, err)
	}
	if status, err := c.Solver(Options{Backend: "gophersat"}).Solve(t.Context()); status != Unknown || err == nil {
		t.Error(status, err)
	}
	if _, err := c.Enumerate(t.Context(), []Lit{x}, 10); err == nil {
		t.Error("assignments are counted of a circuit with graphs")
	}
}

// The check of assignments finds a cycle exactly where the closure of the edges has one: of the edges that may be in
// any cycle, or of these with one exclusive edge.
func TestCyclesAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 5))
	var k cycleCheck // for all graphs, as they reuse its memory
	found := map[bool]int{}
	for range 5000 {
		n := 1 + r.IntN(9)
		g, reached := &Graph{nodes: n}, make([][]bool, n)
		for i := range reached {
			reached[i] = make([]bool, n)
		}
		holds := func(l Lit) bool { return l > 0 }
		edge := func() graphEdge {
			return graphEdge{r.IntN(n), r.IntN(n), Lit(2 * (1 - 2*r.IntN(2)))}
		}
		for range r.IntN(n + 2) {
			e := edge()
			if r.IntN(3) > 0 { // mostly without a cycle
				e.from, e.to = min(e.from, e.to), max(e.from, e.to)
			}
			g.edges = append(g.edges, e)
			reached[e.from][e.to] = reached[e.from][e.to] || holds(e.lit)
		}
		for range r.IntN(4) {
			g.alone = append(g.alone, edge())
		}
		for m := range n {
			for a := range n {
				for b := range n {
					reached[a][b] = reached[a][b] || reached[a][m] && reached[m][b]
				}
			}
		}
		want := false
		for a := range n {
			want = want || reached[a][a]
		}
		for _, e := range g.alone {
			want = want || holds(e.lit) && (e.from == e.to || reached[e.to][e.from])
		}
		if got := k.cyclic(g, holds); got != want {
			t.Fatalf("%+v, exclusive %+v: cyclic %v, want %v", g.edges, g.alone, got, want)
		}
		found[want]++
	}
	if found[true] < 100 || found[false] < 100 {
		t.Errorf("cyclic or not: %v", found)
	}
}
