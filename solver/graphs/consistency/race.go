package consistency

import (
	"slices"

	"litmuscope/solver/graphs/graph"
)

// The race check goes pair by pair if possible: a table of classes says which events may race at all, and the columns
// of the two events say whether one happens before the other. This avoids the closure of happens-before over all
// events.

// Races reports whether two concerned events race.
func (c *Checker) Races(g *graph.Graph, concerned func(*graph.Event) bool) bool {
	if !c.pairs {
		return c.racesAnywhere(g, concerned)
	}
	is := c.racesByPairs(g, concerned)
	if c.audited && is != c.racesAnywhere(g, concerned) {
		panic("BUG: the races and their compiled form differ")
	}
	return is
}

// racesAnywhere evaluates the race relation of the whole graph. It is the fallback for models whose races need more
// than single pairs, and the reference that [Audit] compares with.
func (c *Checker) racesAnywhere(g *graph.Graph, concerned func(*graph.Event) bool) bool {
	c.measure(g)
	for _, i := range c.race {
		c.evaluate(g, i)
	}
	m := &c.slots[c.f.raced]
	if m.empty() {
		return false
	}
	for i := range g.Events {
		for j := range g.Events {
			if m.has(i, j) && concerned(&g.Events[i]) && concerned(&g.Events[j]) {
				return true
			}
		}
	}
	return false
}

// racesByPairs reports whether two events race, pair by pair, without a matrix. If races are between accesses to one
// location, it compares each event only with the earlier ones of its location.
func (c *Checker) racesByPairs(g *graph.Graph, concerned func(*graph.Event) bool) bool {
	if !c.f.mayAnyRace(g) {
		return false
	}
	c.words, c.lent = g.Columns.Words, 0
	// If only accesses to one location race, compare each event with the earlier ones of its location.
	c.last, c.previous = slices.Grow(c.last[:0], len(g.CO)+1)[:len(g.CO)+1],
		slices.Grow(c.previous[:0], len(g.Events))[:len(g.Events)]
	for l := range c.last {
		c.last[l] = -1
	}
	for i := range g.Events {
		a := &g.Events[i]
		loc := int32(0)
		if c.located {
			loc = a.Loc + 1
		}
		c.previous[i], c.last[loc] = c.last[loc], int32(i)
		may := c.f.classes.racing[a.Class]
		if !concerned(a) {
			continue
		}
		for j := int32(i); j >= 0; j = c.previous[j] {
			b := &g.Events[j]
			if may[b.Class] && concerned(b) && !(c.apart && a.Thread == b.Thread) &&
				(c.holds(g, c.f.raced, i, int(j)) || c.holds(g, c.f.raced, int(j), i)) {
				return true
			}
		}
	}
	return false
}

// side is one side of the pairs of a relation: their first events or their second.
type side bool

const (
	source side = false
	target side = true
)

// spares reports whether no pair of a relation has an initial write on one side. The pairwise check needs this
// because columns have no initial writes.
func (f *Formula) spares(i int, s side) bool {
	n := f.nodes[i]
	switch n.op {
	case opPO, opRMW, opAddr, opData, opCtrl, opNothing:
		return true
	case opRF, opCO:
		return s == target
	case opFR:
		return true
	case opUnion:
		return f.spares(n.x, s) && f.spares(n.y, s)
	case opInter:
		return f.spares(n.x, s) || f.spares(n.y, s)
	case opDiff:
		return f.spares(n.x, s) || f.hasAllOfInitial(n.y, s)
	case opRestrict:
		set := n.y
		if s == target {
			set = n.z
		}
		return set >= 0 && !f.hasInitial(set) || f.spares(n.x, s)
	case opCartesian:
		set := n.x
		if s == target {
			set = n.y
		}
		return !f.hasInitial(set)
	case opInverse:
		return f.spares(n.x, !s)
	case opPlus:
		return f.spares(n.x, s)
	}
	return false
}

// hasAllOfInitial reports whether a relation contains all pairs with an initial write on one side.
func (f *Formula) hasAllOfInitial(i int, s side) bool {
	n := f.nodes[i]
	switch n.op {
	case opUnion:
		return f.hasAllOfInitial(n.x, s) || f.hasAllOfInitial(n.y, s)
	case opCartesian:
		initial, rest := n.x, n.y
		if s == target {
			initial, rest = rest, initial
		}
		return f.nodes[initial].op == opInitial && f.nodes[rest].op == opAll
	}
	return false
}

// byPairs reports whether columns and pairwise relations decide each pair of a relation by itself.
func (c *Checker) byPairs(i int) bool {
	n := c.f.nodes[i]
	if c.place[i] >= 0 {
		return !c.f.fromInitial(i)
	}
	switch n.op {
	case opNothing, opLoc, opInt, opExt, opID:
		return true
	case opCartesian:
		return c.f.settled(n.x) && c.f.settled(n.y)
	case opUnion, opInter, opDiff:
		return !n.set && c.byPairs(n.x) && c.byPairs(n.y)
	case opRestrict:
		return (n.y < 0 || c.f.settled(n.y)) && (n.z < 0 || c.f.settled(n.z)) && c.byPairs(n.x)
	case opInverse:
		return c.byPairs(n.x)
	}
	return false
}

// holds reports whether a relation that satisfies byPairs relates a to b.
func (c *Checker) holds(g *graph.Graph, i, a, b int) bool {
	n := &c.f.nodes[i]
	if k := c.place[i]; k >= 0 {
		return g.Columns.At(int32(b), k)[a>>6]>>(a&63)&1 == 1
	}
	switch n.op {
	case opNothing:
		return false
	case opUnion:
		return c.holds(g, n.x, a, b) || c.holds(g, n.y, a, b)
	case opInter:
		return c.holds(g, n.x, a, b) && c.holds(g, n.y, a, b)
	case opDiff:
		return c.holds(g, n.x, a, b) && !c.holds(g, n.y, a, b)
	case opRestrict:
		return (n.y < 0 || c.member(g, n.y, a)) && (n.z < 0 || c.member(g, n.z, b)) && c.holds(g, n.x, a, b)
	case opInverse:
		return c.holds(g, n.x, b, a)
	}
	return c.paired(g, i, a, b)
}
