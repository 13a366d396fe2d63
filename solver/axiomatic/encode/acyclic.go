package encode

import (
	"math/bits"
	"slices"

	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// acyclic asserts that a relation has no cycle.
//
// A cycle stays within one strongly connected component of the possible pairs, so that each component gets an order of
// its own. By default the order has one variable per pair of events, which is true if the first event precedes the
// second; a related pair implies its order. An order is transitive if no three events form a ring, and it suffices to
// forbid the rings of triangles in a chordal graph over the related pairs: a longer ring has a chord there, which
// closes a shorter ring, so that an orientation without a ring of three has no ring at all. The chordal graph comes
// from eliminating events one by one, the one with the fewest new neighbours first.
//
// If there are many triangles and the SAT solver supports graphs, there are no order clauses: the solver keeps the
// graph acyclic (cdcl.Solver.NewGraph).
//
// Clocks, the paper's encoding, give each event a number, and a related pair implies that the first number is less
// (section 5, symbolic partial orders).
//
// by has further paths that must not close cycles with m, or is nil.
func (e *Encoding) acyclic(m *relation.Matrix, by *ways) {
	p := e.PairsOf(m)
	if by != nil {
		p.Bits.Or(by.asked.Bits)
	}
	for _, members := range components(p) {
		leads := by != nil && slices.ContainsFunc(members, func(a int) bool {
			return slices.ContainsFunc(members, func(b int) bool { return by.asked.Has(a, b) })
		})
		switch v := members[0]; {
		case len(members) == 1 && !leads:
			if m.Get(v, v) != sat.False {
				e.Assert(m.Get(v, v).Not())
			}
		case leads:
			e.ordered(m, members, by)
		case e.acyclicity == "clocks":
			e.clocks(m, members)
		default:
			e.ordered(m, members, nil)
		}
	}
}

// clocks gives each member a number of as few bits as distinguish them all, and lets each related pair imply that the
// first number is less. It takes n log n variables, but a comparator for each pair, and unit propagation derives
// little from comparators. So it is an option (--acyclicity clocks), and no engine chooses it by itself.
func (e *Encoding) clocks(m *relation.Matrix, members []int) {
	width := bits.Len(uint(len(members) - 1))
	clock := make([]sat.Vec, len(members))
	for i := range clock {
		clock[i] = make(sat.Vec, width)
		for k := range clock[i] {
			clock[i][k] = e.Var()
		}
	}
	for i, a := range members {
		for j, b := range members {
			if l := m.Get(a, b); l != sat.False {
				e.Imply(l, e.Less(clock[i], clock[j]))
			}
		}
	}
}

// ordered makes m acyclic by order variables: a literal for each pair of members says which comes first, an edge of m
// implies it, and closed triangles make it transitive. Only pairs that m may relate, and those that triangulate adds,
// get a variable. If by is not nil, or the graph is too large for triangles, the SAT solver keeps the graph acyclic
// itself (keep).
func (e *Encoding) ordered(m *relation.Matrix, members []int, by *ways) {
	n := len(members)
	o := &order{Encoding: e, n: n, before: make([]sat.Lit, n*n)}
	imposed := e.kept(m, members)
	bound := relation.NewBitset(n)
	for i, behind := range imposed {
		behind.Each(func(j int) {
			bound.Add(i)
			bound.Add(j)
		})
	}
	for i, a := range members {
		for j, b := range members {
			if i == j {
				e.Assert(m.Get(a, b).Not())
			} else if m.Get(a, b) == sat.True || imposed != nil && imposed[i].Has(j) {
				o.before[i*n+j] = sat.True
			}
		}
	}
	if !o.closeCertain() {
		e.Assert() // a cycle in every execution
		return
	}
	near := make([]relation.Bitset, n)
	for i := range near {
		near[i] = relation.NewBitset(n)
	}
	for i, a := range members {
		for j, b := range members {
			if i == j || m.Get(a, b) == sat.False {
				continue
			}
			near[i].Add(j)
			near[j].Add(i)
			if o.before[i*n+j] == 0 {
				o.share(m, i, j, a, b, bound)
			}
		}
	}
	if by != nil || e.graphs && (n > manyEvents || o.rings(near) > mostRings) {
		o.keep(near, members, by)
	} else {
		o.triangulate(near)
	}
	for i, a := range members {
		for j, b := range members {
			if l := m.Get(a, b); i != j && l != sat.False {
				e.Imply(l, o.lit(i, j))
			}
		}
	}
}

// kept returns for each member the later members in program order, as far as m certainly contains these pairs: it
// relates the two whenever both execute. The order of such pairs may be unconditional. An event that does not execute
// has no other edges, and the kept order is transitive, so that it adds no ring. If it is not transitive, kept returns
// nil.
func (e *Encoding) kept(m *relation.Matrix, members []int) []relation.Bitset {
	n := len(members)
	out := make([]relation.Bitset, n)
	for i, a := range members {
		out[i] = relation.NewBitset(n)
		for j, b := range members {
			if i != j && e.certain(a, b) && e.Covers(m.Get(a, b), e.both(a, b)) {
				out[i].Add(j)
			}
		}
	}
	for i := range n {
		gap := false
		out[i].Each(func(j int) {
			for k, w := range out[j] {
				gap = gap || w&^out[i][k] != 0
			}
		})
		if gap {
			return nil
		}
	}
	return out
}

// Order variables are literals, two per pair, each the negation of the other. A certain pair is the constant true,
// which removes all clauses that contain it. Sharing co's variables (share) makes the order of writes in an axiom the
// same as in coherence order without any clause. The order is total although the relation is not: a partial order
// without cycles extends to a total one, so that this excludes no execution.

// order is a total order of the events of one component.
type order struct {
	*Encoding
	n      int
	before []sat.Lit         // by pair; 0 if there is no variable yet
	after  []relation.Bitset // by event: the events that certainly come later
}

// lit returns the literal that i precedes j.
func (o *order) lit(i, j int) sat.Lit {
	if o.before[i*o.n+j] == 0 {
		o.set(i, j, o.Var())
	}
	return o.before[i*o.n+j]
}

func (o *order) set(i, j int, l sat.Lit) {
	o.before[i*o.n+j], o.before[j*o.n+i] = l, l.Not()
}

// closeCertain computes the transitive closure of the certain pairs. It returns false if they form a ring.
func (o *order) closeCertain() bool {
	n := o.n
	for k := range n {
		for i := range n {
			if o.before[i*n+k] != sat.True {
				continue
			}
			for j := range n {
				if o.before[k*n+j] == sat.True {
					o.before[i*n+j] = sat.True
				}
			}
		}
	}
	for i := range n {
		if o.before[i*n+i] == sat.True {
			return false
		}
	}
	o.after = make([]relation.Bitset, n)
	for i := range n {
		o.after[i] = relation.NewBitset(n)
		for j := range n {
			if o.before[i*n+j] == sat.True {
				o.before[j*n+i] = sat.False
				o.after[i].Add(j)
			}
		}
	}
	return true
}

// share uses the variable of co as the order of two writes, if the relation contains all of co between them. The
// variable also orders writes that do not execute, but only among writes to their location, which closes no ring. The
// exception: kept program order places such writes too, and places from two relations may disagree. So only one
// relation may share the variables of such a write.
func (o *order) share(m *relation.Matrix, i, j, a, b int, bound relation.Bitset) {
	if o.co[a] == nil || o.co[a][b] == 0 || o.sameLocation(a, b) != sat.True {
		return
	}
	l := o.co[a][b]
	if both := o.both(a, b); m.Get(a, b) != o.And(both, l) || m.Get(b, a) != o.And(both, l.Not()) {
		return
	}
	for _, w := range [][2]int{{i, a}, {j, b}} {
		if !bound.Has(w[0]) || o.Events[w[1]].Guard == sat.True {
			continue
		}
		if by := o.placed[w[1]]; by != nil && by != m {
			return
		}
		o.placed[w[1]] = m
	}
	o.set(i, j, l)
}

// mostRings is the largest number of rings of three that clauses forbid if the solver supports graphs. For few rings,
// propagation through clauses is worth their cost.
var mostRings = 5000

// rings counts the triples of events with three possible pairs that are not certainly ordered.
func (o *order) rings(near []relation.Bitset) (n int) {
	open := make([]relation.Bitset, o.n) // neighbours with larger numbers
	for i := range open {
		open[i] = relation.NewBitset(o.n)
		near[i].Each(func(j int) {
			if i < j && !o.certain(i, j) {
				open[i].Add(j)
			}
		})
	}
	for _, all := range open {
		all.Each(func(j int) { n += all.And(open[j]).Count() })
	}
	return n
}

// keep adds the order to a graph of the solver. Certain pairs need only the edges between neighbours; the others
// follow by transitivity.
func (o *order) keep(near []relation.Bitset, members []int, by *ways) {
	var at map[[2]int]int
	if by != nil {
		at = by.nodes(members)
	}
	g := o.NewGraph(max(o.n, len(at)))
	by.add(g, at)
	all := relation.NewBitset(o.n)
	for i := range o.n {
		all.Add(i)
	}
	for i := range o.n {
		for _, j := range o.next(i, all) {
			g.Edge(i, j, sat.True)
		}
		near[i].Each(func(j int) {
			if i < j && !o.certain(i, j) {
				g.Edge(i, j, o.lit(i, j))
				g.Edge(j, i, o.lit(j, i))
			}
		})
	}
}

// triangulate eliminates the events one by one and forbids the rings of each with every two of its remaining
// neighbours. If the order of two of the three is certain, one clause suffices; and no clause is necessary if another
// neighbour is certainly between the two, because it passes the order on. So an event costs only its direct neighbours
// of each thread's program order.
func (o *order) triangulate(near []relation.Bitset) {
	left := relation.NewBitset(o.n)
	for i := range o.n {
		left.Add(i)
	}
	for n := o.n; n > 2; n-- {
		v := o.cheapest(near, left, n)
		left.Remove(v)
		around := near[v].And(left)
		around.Each(func(a int) {
			near[a].Or(around)
			near[a].Remove(a)
		})
		o.forbidRings(v, around)
	}
}

// manyEvents is the number of events from which triangulate takes the event with the fewest neighbours instead of the
// one with the fewest new neighbours, which takes too long to find.
const manyEvents = 160

// cheapest returns the event to eliminate next. It stops at the first event that costs nothing.
func (o *order) cheapest(near []relation.Bitset, left relation.Bitset, n int) int {
	best, cost := -1, 0
	left.Each(func(v int) {
		if best >= 0 && cost == 0 {
			return
		}
		var c int
		if around := near[v].And(left); n > manyEvents {
			c = around.Count()
		} else {
			c = o.fillIn(near, around)
		}
		if best < 0 || c < cost {
			best, cost = v, c
		}
	})
	return best
}

// fillIn counts the pairs of neighbours that are not neighbours of each other and would need a variable.
func (o *order) fillIn(near []relation.Bitset, around relation.Bitset) int {
	n := 0
	around.Each(func(a int) {
		around.Each(func(b int) {
			if a < b && !near[a].Has(b) && o.before[a*o.n+b] == 0 {
				n++
			}
		})
	})
	return n
}

// forbidRings forbids the rings of v and two events of around.
func (o *order) forbidRings(v int, around relation.Bitset) {
	open := relation.NewBitset(o.n) // not certainly before or after v
	around.Each(func(a int) {
		if !o.certain(v, a) {
			open.Add(a)
		}
	})
	open.Each(func(a int) {
		open.Each(func(b int) { // no two of the three have a certain order
			if a < b && !o.certain(a, b) {
				va, ab, bv := o.lit(v, a), o.lit(a, b), o.lit(b, v)
				o.Assert(va.Not(), ab.Not(), bv.Not())
				o.Assert(va, ab, bv)
			}
		})
		for _, b := range o.next(a, around) {
			if open.Has(b) {
				o.Assert(o.lit(v, a).Not(), o.lit(v, b))
			}
		}
	})
	for _, a := range o.next(v, around) {
		open.Each(func(c int) {
			if !o.certain(a, c) {
				o.Assert(o.lit(c, v).Not(), o.lit(c, a))
			}
		})
	}
	around.Each(func(a int) {
		if !o.after[a].Has(v) {
			return
		}
		if between := o.after[a].And(around); between.Any(func(m int) bool { return o.after[m].Has(v) }) {
			return
		}
		open.Each(func(c int) {
			if !o.certain(a, c) {
				o.Assert(o.lit(c, a).Not(), o.lit(c, v))
			}
		})
	})
}

func (o *order) certain(a, b int) bool { return o.after[a].Has(b) || o.after[b].Has(a) }

// next returns the events of among that certainly follow a, without those that follow another one of them.
func (o *order) next(a int, among relation.Bitset) []int {
	rest := o.after[a].And(among)
	var out []int
	for b := rest.First(); b >= 0; b = rest.First() {
		rest.Remove(b)
		rest.Without(o.after[b])
		out = append(out, b)
	}
	return slices.DeleteFunc(out, func(b int) bool {
		return slices.ContainsFunc(out, func(m int) bool { return o.after[m].Has(b) })
	})
}

// components returns the strongly connected components of pairs, each sorted (Tarjan's algorithm).
func components(p *relation.Pairs) [][]int {
	t := &tarjan{Pairs: p, index: make([]int, p.N), low: make([]int, p.N), on: make([]bool, p.N)}
	for v := range p.N {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.out
}

type tarjan struct {
	*relation.Pairs
	index, low []int
	on         []bool
	stack      []int
	count      int
	out        [][]int
}

func (t *tarjan) visit(v int) {
	t.count++
	t.index[v], t.low[v] = t.count, t.count
	t.stack, t.on[v] = append(t.stack, v), true
	t.Row(v).Each(func(w int) {
		if t.index[w] == 0 {
			t.visit(w)
			t.low[v] = min(t.low[v], t.low[w])
		} else if t.on[w] {
			t.low[v] = min(t.low[v], t.index[w])
		}
	})
	if t.low[v] != t.index[v] {
		return
	}
	at := slices.Index(t.stack, v)
	members := slices.Clone(t.stack[at:])
	slices.Sort(members)
	for _, w := range members {
		t.on[w] = false
	}
	t.stack = t.stack[:at]
	t.out = append(t.out, members)
}
