package consistency

import (
	"slices"

	"litmuscope/solver/graphs/graph"
)

// automaton reads the ways along base relations that make up a relation that must have no cycle, from a state back to
// it, so that whether an event that has just come closes one is a search from that event alone (the idea of Kater:
// Kokologiannakis, Lahav, Vafeiadis, POPL 2023).
//
// All other edges being part of what has been allowed before, a cycle goes by one that leads away from the event. By
// what is stable nothing leads away from what came last; so it is an fr or co, and there are few of these or, of what
// reads or is last in coherence, none; or it leads to another piece of the same access.
type automaton struct {
	into [][]edge // by state, the edges that lead there
	away []edge   // those by fr and co, and to pieces of the same access
	// inner: there may be cycles by states that do not come by the first one, and that are none of the relation.
	inner bool
}

// edge is from a state, by a relation, or at an event of a set.
type edge struct {
	from, to, by int
	stays        bool // the set by, or any event: -1
}

// automatonOf is that of a relation; nil where it is of another kind.
func (f *Formula) automatonOf(root int) *automaton {
	if !f.forward(root) || !f.strict(root) {
		return nil
	}
	a := &automaton{into: make([][]edge, 1)}
	if !f.ways(a, root, 0, 0) {
		return nil
	}
	for _, list := range a.into {
		for _, e := range list {
			if !e.stays && !f.stable(e.by) {
				a.away = append(a.away, e)
			}
		}
	}
	return a
}

func (a *automaton) add(e edge) { a.into[e.to] = append(a.into[e.to], e) }

func (a *automaton) state() int {
	a.into = append(a.into, nil)
	return len(a.into) - 1
}

// ways adds a relation, from a state to another.
func (f *Formula) ways(a *automaton, i, from, to int) bool {
	n := f.nodes[i]
	if n.op != opUnion && f.leads(i) {
		a.add(edge{from, to, i, false})
		return true
	}
	switch n.op {
	case opUnion:
		return f.ways(a, n.x, from, to) && f.ways(a, n.y, from, to)
	case opSeq:
		between := a.state()
		return f.ways(a, n.x, from, between) && f.ways(a, n.y, between, to)
	case opPlus:
		begin, end := a.state(), a.state()
		a.inner = true
		a.add(edge{from, begin, -1, true})
		a.add(edge{end, begin, -1, true})
		a.add(edge{end, to, -1, true})
		return f.ways(a, n.x, begin, end)
	case opRestrict:
		begin, end := from, to
		if n.y >= 0 {
			if !f.static(n.y) {
				return false
			}
			begin = a.state()
			a.add(edge{from, begin, n.y, true})
		}
		if n.z >= 0 {
			if !f.static(n.z) {
				return false
			}
			end = a.state()
			a.add(edge{end, to, n.z, true})
		}
		return f.ways(a, n.x, begin, end)
	}
	return false
}

// closes reports whether some cycle goes by an event that has come last of its thread, all else being as it was
// allowed.
func (c *Checker) closes(g *graph.Graph, a *automaton, id int32) bool {
	for _, e := range a.away {
		ends, mark := c.borrow()
		is := c.awayFrom(g, e.by, id, ends) && c.search(g, a, id, e.from, ends, e.to)
		c.give(mark)
		if is {
			return true
		}
	}
	return false
}

// awayFrom finds where an event leads by fr or co, or part of that, and reports whether that is anywhere.
func (c *Checker) awayFrom(g *graph.Graph, by int, id int32, ends []uint64) bool {
	e := &g.Events[id]
	if e.Kind != graph.Read && e.Kind != graph.Write {
		return false
	}
	n := &c.f.nodes[by]
	if n.op == opAccess || n.op == opSiblings {
		for _, a := range g.Access(id) {
			if a != id {
				ends[a>>6] |= 1 << (a & 63)
			}
		}
		return len(g.Access(id)) > 1
	}
	if n.op == opInter {
		x, y := c.parts[by].first, c.parts[by].second
		all, mark := c.borrow()
		is := false
		if c.awayFrom(g, x, id, all) {
			each(all, func(b int) {
				if c.paired(g, y, int(id), b) {
					is = true
					ends[b>>6] |= 1 << (b & 63)
				}
			})
		}
		c.give(mark)
		return is
	}
	from := id
	switch {
	case n.op == opFR && e.Kind == graph.Read:
		from = e.RF
	case n.op == opFR || e.Kind == graph.Read:
		return false
	}
	after := g.CO[e.Loc][g.Rank(e.Loc, from)+1:]
	for _, w := range after {
		ends[w>>6] |= 1 << (w & 63)
	}
	return len(after) > 0
}

// search goes back from an event at a state, and reports whether it comes to one of some ends at another state, by the
// first state.
func (c *Checker) search(g *graph.Graph, a *automaton, id int32, from int, ends []uint64, to int) bool {
	n := len(a.into)
	defer c.give(c.lent)
	// What has come by the first state is n places on.
	c.reached, c.gone, c.open = c.reached[:0], c.gone[:0], c.open[:0]
	for range 2 * n {
		one, _ := c.borrow()
		other, _ := c.borrow()
		c.reached, c.gone = append(c.reached, one), append(c.gone, other)
	}
	fresh, _ := c.borrow()
	come := func(q int, past bool) int {
		if past || q == 0 || !a.inner {
			q += n
		}
		c.open = append(c.open, q)
		return q
	}
	c.reached[come(from, false)][id>>6] |= 1 << (id & 63)
	for len(c.open) > 0 {
		at := c.open[len(c.open)-1]
		c.open = c.open[:len(c.open)-1]
		any := uint64(0)
		for k, w := range c.reached[at] {
			fresh[k] = w &^ c.gone[at][k]
			c.gone[at][k] = w
			any |= fresh[k]
		}
		if any == 0 {
			continue
		}
		for _, e := range a.into[at%n] {
			was := c.reached[come(e.from, at >= n)]
			switch {
			case !e.stays:
				c.leading(g, e.by, fresh, was)
			case e.by < 0:
				or(was, fresh)
			default:
				c.members(g, e.by, fresh, was)
			}
		}
		for k, w := range c.reached[to+n] {
			if w&ends[k] != 0 {
				return true
			}
		}
	}
	return false
}

// orders finds what leads to each write by co and fr, once.
func (c *Checker) orders(g *graph.Graph) {
	if c.ordersOf {
		return
	}
	c.ordersOf = true
	n := len(g.Events)
	for _, m := range []*matrix{&c.co, &c.fr, &c.readers} {
		m.words = c.words
		m.bits = slices.Grow(m.bits[:0], n*c.words)[:n*c.words]
		clear(m.bits)
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == graph.Read && e.RF >= 0 {
			c.readers.add(int(e.RF), i)
		}
	}
	for l, list := range g.CO {
		if len(list) == 0 {
			continue
		}
		first := c.fr.row(int(list[0]))
		for i := range g.Events {
			if e := &g.Events[i]; e.Kind == graph.Read && e.RF == graph.Initial && int(e.Loc) == l {
				first[i>>6] |= 1 << (i & 63)
			}
		}
		for i, w := range list[1:] {
			before := int(list[i])
			co, fr := c.co.row(int(w)), c.fr.row(int(w))
			copy(co, c.co.row(before))
			co[before>>6] |= 1 << (before & 63)
			copy(fr, c.fr.row(before))
			or(fr, c.readers.row(before))
		}
	}
}
