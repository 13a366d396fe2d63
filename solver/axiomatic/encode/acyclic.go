package encode

import (
	"math/bits"
	"slices"

	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// acyclic asserts that a relation has no cycle.
//
// A cycle stays within one strongly connected component of the pairs that may be
// related, so each component gets an order of its own. By default that order has
// one variable per pair of events, true when the first comes first; a related
// pair implies its order. An order is transitive when no three events are ordered
// in a ring, and it is enough to ask that of the triangles of a chordal graph over
// the related pairs: in such a graph, orientation without a ring of three has no
// ring at all, for a longer one has a chord, and the chord closes a shorter one.
// The chordal graph comes from eliminating events one by one, the one with the
// fewest new neighbours first.
//
// Where there are many, and the solver knows orders, none is asked for: the order is a graph that the solver
// keeps from having cycles.
//
// Clocks, the paper's encoding, give each event a number, and a related pair
// implies that the first number is less (section 5, symbolic partial orders).
//
// What ways lead round about is nil, or has pairs of its own.
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
// get a variable. If by is given, or the graph is too large for triangles, the SAT solver keeps the graph acyclic
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
		e.Assert() // a cycle that every execution has
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

// kept is program order as far as a relation has all of it: two events are related whenever both
// are executed. It may then be taken for certain. An event that is not executed is related to nothing
// else, and as what is kept is transitive, it closes no ring that is not there without it.
// Where it is not transitive, nothing is kept.
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

// order is a total order over the events of one component.
type order struct {
	*Encoding
	n      int
	before []sat.Lit         // by pair; 0 where there is no variable yet
	after  []relation.Bitset // by event: those that certainly come later
}

// lit is true when i comes before j.
func (o *order) lit(i, j int) sat.Lit {
	if o.before[i*o.n+j] == 0 {
		o.set(i, j, o.Var())
	}
	return o.before[i*o.n+j]
}

func (o *order) set(i, j int, l sat.Lit) {
	o.before[i*o.n+j], o.before[j*o.n+i] = l, l.Not()
}

// closeCertain makes the pairs that are certainly ordered transitive; it fails when
// they form a ring.
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

// share takes the variable of co for the order of two writes, where the relation
// holds all of co between them. Writes that are not executed are ordered by it too,
// among the writes of their location alone, which closes no ring: unless what is kept of program order gives
// them places in two orders, which need not agree. So one relation alone does so.
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

// mostRings is how many rings of three are forbidden by clauses, where there is a choice. With few, what
// follows from two or three clauses is worth more than what they take.
var mostRings = 5000

// rings counts the threes of events of which no two are certainly in order, and each two may be related.
func (o *order) rings(near []relation.Bitset) (n int) {
	open := make([]relation.Bitset, o.n) // those behind in number
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

// keep has the solver keep the order. Where one event is certainly before another, so it is by way of those next to it.
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

// triangulate eliminates event after event and forbids rings among each one and
// every two of its neighbours then. Where two of the three are certainly in order and the third
// is not, one clause says that; and nothing has to where another neighbour is certainly
// between the two, for it passes the order on. So threads cost their neighbours in
// program order alone.
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

// manyEvents is where it takes too long to look for the event with the fewest new neighbours; the one with
// the fewest neighbours is taken instead.
const manyEvents = 160

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

// fillIn counts the pairs of neighbours that are not neighbours themselves and
// would need a variable.
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

// forbidRings has no ring of v and two events around it.
func (o *order) forbidRings(v int, around relation.Bitset) {
	open := relation.NewBitset(o.n) // not certainly before or behind v
	around.Each(func(a int) {
		if !o.certain(v, a) {
			open.Add(a)
		}
	})
	open.Each(func(a int) {
		open.Each(func(b int) { // no two of the three are certainly in order
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

// next are those of some events that certainly come behind a, with none of the others in between.
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

// components are the strongly connected components of pairs, each sorted (Tarjan).
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
