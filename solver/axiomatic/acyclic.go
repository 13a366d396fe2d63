package axiomatic

import (
	"math/bits"

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
// Clocks, the paper's encoding, give each event a number, and a related pair
// implies that the first number is less (section 5, symbolic partial orders).
func (e *encoding) acyclic(m *matrix) {
	for _, members := range components(m) {
		if len(members) == 1 {
			if v := members[0]; m.get(v, v) != sat.False {
				e.Assert(m.get(v, v).Not())
			}
			continue
		}
		if e.acyclicity == "clocks" {
			e.clocks(m, members)
		} else {
			e.ordered(m, members)
		}
	}
}

func (e *encoding) clocks(m *matrix, members []int) {
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
			if l := m.get(a, b); l != sat.False {
				e.Imply(l, e.Less(clock[i], clock[j]))
			}
		}
	}
}

func (e *encoding) ordered(m *matrix, members []int) {
	n := len(members)
	o := &order{encoding: e, n: n, before: make([]sat.Lit, n*n)}
	for i, a := range members {
		for j, b := range members {
			if i == j {
				e.Assert(m.get(a, b).Not())
			} else if m.get(a, b) == sat.True {
				o.before[i*n+j] = sat.True
			}
		}
	}
	if !o.closeCertain() {
		e.Assert() // a cycle that every execution has
		return
	}
	near := make([][]bool, n)
	for i := range near {
		near[i] = make([]bool, n)
	}
	for i, a := range members {
		for j, b := range members {
			if i == j || m.get(a, b) == sat.False {
				continue
			}
			near[i][j], near[j][i] = true, true
			if o.before[i*n+j] == 0 {
				o.share(m, i, j, a, b)
			}
		}
	}
	o.triangulate(near)
	for i, a := range members {
		for j, b := range members {
			if l := m.get(a, b); i != j && l != sat.False {
				e.Imply(l, o.lit(i, j))
			}
		}
	}
}

// order is a total order over the events of one component.
type order struct {
	*encoding
	n      int
	before []sat.Lit // by pair; 0 where there is no variable yet
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
	for i := range n {
		for j := range n {
			if o.before[i*n+j] == sat.True {
				o.before[j*n+i] = sat.False
			}
		}
	}
	return true
}

// share takes the variable of co for the order of two writes, where the relation
// holds all of co between them. Writes that are not executed are ordered by it too,
// among the writes of their location alone, which closes no ring.
func (o *order) share(m *matrix, i, j, a, b int) {
	if o.co[a] == nil || o.co[a][b] == 0 || o.sameLocation(a, b) != sat.True {
		return
	}
	x, y := &o.events[a], &o.events[b]
	l := o.co[a][b]
	if m.get(a, b) == o.And(x.guard, y.guard, l) && m.get(b, a) == o.And(x.guard, y.guard, l.Not()) {
		o.set(i, j, l)
	}
}

// triangulate eliminates event after event and forbids rings among each one and
// every two of its neighbours then.
func (o *order) triangulate(near [][]bool) {
	left := make([]int, o.n)
	for i := range left {
		left[i] = i
	}
	for len(left) > 2 {
		best, cost := 0, -1
		for k, v := range left {
			if c := o.fillIn(near, left, v); cost < 0 || c < cost {
				best, cost = k, c
			}
			if cost == 0 {
				break
			}
		}
		v := left[best]
		left = append(left[:best], left[best+1:]...)
		for x, a := range left {
			if !near[v][a] {
				continue
			}
			for _, b := range left[x+1:] {
				if !near[v][b] {
					continue
				}
				near[a][b], near[b][a] = true, true
				va, ab, bv := o.lit(v, a), o.lit(a, b), o.lit(b, v)
				o.Assert(va.Not(), ab.Not(), bv.Not())
				o.Assert(va, ab, bv)
			}
		}
	}
}

// fillIn counts the pairs of v's neighbours that are not neighbours themselves and
// would need a variable.
func (o *order) fillIn(near [][]bool, left []int, v int) int {
	n := 0
	for x, a := range left {
		if a == v || !near[v][a] {
			continue
		}
		for _, b := range left[x+1:] {
			if b != v && near[v][b] && !near[a][b] && o.before[a*o.n+b] == 0 {
				n++
			}
		}
	}
	return n
}

// components are the strongly connected components of the pairs that may be
// related, each sorted (Tarjan).
func components(m *matrix) [][]int {
	t := &tarjan{m: m, index: make([]int, m.n), low: make([]int, m.n), on: make([]bool, m.n)}
	for v := range m.n {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.out
}

type tarjan struct {
	m          *matrix
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
	for w, l := range t.m.lits[v*t.m.n : (v+1)*t.m.n] {
		if l == 0 {
			continue
		}
		if t.index[w] == 0 {
			t.visit(w)
			t.low[v] = min(t.low[v], t.low[w])
		} else if t.on[w] {
			t.low[v] = min(t.low[v], t.index[w])
		}
	}
	if t.low[v] != t.index[v] {
		return
	}
	inside := make([]bool, t.m.n)
	for {
		w := t.stack[len(t.stack)-1]
		t.stack, t.on[w] = t.stack[:len(t.stack)-1], false
		inside[w] = true
		if w == v {
			break
		}
	}
	var members []int
	for w, in := range inside {
		if in {
			members = append(members, w)
		}
	}
	t.out = append(t.out, members)
}
