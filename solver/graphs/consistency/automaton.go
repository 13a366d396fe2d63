package consistency

import (
	"slices"

	"litmuscope/solver/graphs/graph"
)

// automaton recognises the paths whose edges compose an acyclic relation. Its letters are base relations and tests of
// sets; every path from state 0 back to state 0 is a pair of the relation. A new event closes a cycle exactly if some
// path from the event returns to it, so that one search from the event replaces a closure over all events (the idea
// of Kater: Kokologiannakis, Lahav, Vafeiadis, POPL 2023).
//
// The model allowed the graph without the event. Therefore a cycle must pass through the event, and leave it by some
// edge. Stable relations have no edge from the last event of a thread to another one. The outgoing edge is thus an fr
// or co edge, or leads to another piece of the same access. There are few fr and co edges, and none if the event reads
// from the last write or is last in coherence order. The search runs backwards from the event, because columns store
// predecessors.
type automaton struct {
	into [][]edge // by state: the edges that lead to it
	away []edge   // fr and co edges, and those to pieces of the same access: the only ones that can leave a new event
	// inner: a state other than 0 may have cycles, because the relation contains a closure. Such a cycle is no pair
	// of the relation unless it passes through state 0.
	inner bool
}

// edge leads from one state to another, along relation by; or it stays at an event of set by.
type edge struct {
	from, to, by int
	stays        bool // by is a set, or -1 for any event
}

// automatonOf returns the automaton of a relation. It returns nil if the relation is not forward and strict, or
// contains an operator that automata do not support; the checker then evaluates the axiom as a whole.
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

// state adds a state and returns its number.
func (a *automaton) state() int {
	a.into = append(a.into, nil)
	return len(a.into) - 1
}

// ways adds paths for relation i from one state to another. It reports false if it cannot.
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

// closes reports whether a cycle passes through event id, which is the last of its thread. The model must allow the
// graph without it. It tries each way to leave the event: awayFrom finds the ends of the edge, and search looks for a
// path from one of these ends back to the event.
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

// awayFrom adds to ends the events that follow event id by relation by, which is fr, co, sm, sm \ id, or such a
// relation intersected with a pairwise one. It reports whether there are any.
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

// search runs backwards from event id at state from, and reports whether it reaches one of ends at state to along a
// path through state 0.
//
// It works on sets of events per state: an event moves to a predecessor state as soon as it is fresh there, so that
// each state sees each event once. Each state exists twice if there are inner cycles: the second copy, n places
// further, holds the events whose path has passed through state 0.
func (c *Checker) search(g *graph.Graph, a *automaton, id int32, from int, ends []uint64, to int) bool {
	n := len(a.into)
	defer c.give(c.lent)
	// States n to 2n-1 hold the events whose paths have passed through state 0.
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

// orders computes the transposed matrices of co and fr, once per call of Allows: row w has all that leads to write w.
// It walks each coherence order from its start, so that every row extends the row before.
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
