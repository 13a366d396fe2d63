package consistency

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/graphs/graph"
)

// Checker evaluates a formula on graphs. It has buffers for one graph, so that it may serve only one goroutine at a
// time.
//
// There are two ways to check. [Checker.Consistent] evaluates every axiom of a whole graph with bit matrices, in
// O(n^3/64) for n events. [Checker.Allows] assumes that the model allowed the graph without the last events, and
// decides only whether these break an axiom. It treats each axiom by the cheapest method that applies:
//
// 1. atomicity of updates: one pass over the coherence order of the location (tear);
// 2. coherence axioms that the choice of places in coherence order guarantees: nothing to do (inPlace);
// 3. acyclic relations with an automaton: a backwards search from the new events (closes);
// 4. all others: evaluation of the matrices that the axiom needs and that no column stores.
//
// Both ways must agree. Tests set [Audit], which compares them on every call.
type Checker struct {
	f    *Formula
	live []int // nodes that the axioms need, operands first
	race []int // nodes that races need, operands first
	// pairs: the race check can go pair by pair. located: only accesses to one location race. apart: only events of two
	// threads race.
	pairs, located, apart bool
	last, previous        []int32 // by location and by event, for racesByPairs
	// ordered has the nodes that the formula's orders need and that no column stores; before has the events that
	// earlier found before an event in these orders.
	ordered []int
	before  []uint64
	n       int // number of events; initial writes come last
	words   int
	slots   []matrix
	locs    []int // by location: the event of its initial write; -1 if no event accesses it
	tmp     matrix
	around  matrix // relations around atomic sections
	room    room

	// For Allows, where events arrive in program order: the automata; the axioms evaluated as a whole, and the nodes
	// they need; whether updates must be atomic, and which threads' writes may tear one.
	automata  []*automaton
	whole     []axiom
	wholly    []int
	updates   bool
	by        tearing
	Placed    bool // some axiom relies on places in coherence order (inPlace)
	kept      []int
	place     []int   // by node: the index of its column; -1 for none
	parts     []parts // by node: operands of intersections and differences
	lasting   []bool  // by node: whether it is stable
	settled   []bool  // by node: whether it is a set whose membership depends on the event alone
	sets      [][]uint64
	lent      int
	reached   [][]uint64
	gone      [][]uint64
	open      []int
	co, fr    matrix // transposed
	readers   matrix // by write: its readers
	ordersOf  bool   // co, fr and readers are up to date
	judged    []int  // nodes that the axioms need, if Formula.later is set
	dependent bool   // assume that each event depends on all earlier reads of its thread
	anew      bool   // do not use columns
	audited   bool   // compare Allows with Consistent
}

// NewChecker returns a checker of a formula. It chooses the method for each axiom, and the columns to store.
func NewChecker(f *Formula) *Checker {
	c := &Checker{f: f, slots: make([]matrix, len(f.nodes)), audited: Audit}
	var roots []int
	for _, a := range f.axioms {
		roots = append(roots, a.members...)
	}
	c.live = f.needed(roots)
	var raced []int
	if f.raced >= 0 {
		raced = append(raced, f.raced)
	}
	if f.Ahead {
		c.race = f.needed(raced)
		return c
	}
	asked := slices.Concat(roots, raced, f.orders)
	if f.later != nil {
		asked = append(asked, f.later.kept)
	}
	c.chooseColumns(asked)
	known := func(i int) bool { return c.place[i] >= 0 && !f.fromInitial(i) }
	for _, o := range f.orders {
		if !f.stable(o) {
			c.ordered = f.neededBut([]int{o}, known)
		}
	}
	roots = nil
	for _, a := range f.axioms {
		switch by, updates := f.tears(a); {
		case updates:
			c.updates, c.by = true, by
			continue
		case f.inPlace(a):
			c.Placed = true
			continue
		case a.kind == cat.Acyclic:
			if m := f.automatonOf(a.root); m != nil {
				c.automata = append(c.automata, m)
				continue
			}
		}
		c.whole = append(c.whole, a)
		roots = append(roots, a.members...)
	}
	c.wholly, c.race = f.neededBut(roots, known), f.neededBut(raced, known)
	if f.raced >= 0 {
		c.pairs = c.byPairs(f.raced) && f.spares(f.raced, source) && f.spares(f.raced, target)
		c.located, c.apart = f.within(f.raced, opLoc), f.within(f.raced, opExt)
	}
	if f.later != nil {
		roots = nil
		for _, a := range f.later.judged {
			roots = append(roots, a.members...)
		}
		c.judged = f.needed(roots)
	}
	return c
}

// Formula returns the formula that the checker evaluates.
func (c *Checker) Formula() *Formula { return c.f }

// Audit makes each new checker compare its incremental answers with an evaluation of the whole graph. Tests set it.
var Audit bool

// needed returns the nodes that roots depend on, operands before users.
func (f *Formula) needed(roots []int) (out []int) {
	return f.neededBut(roots, func(int) bool { return false })
}

// neededBut returns the nodes that roots depend on, without those below a known node: the checker gets the known
// node's value elsewhere.
func (f *Formula) neededBut(roots []int, known func(int) bool) (out []int) {
	need := make([]bool, len(f.nodes))
	var want func(i int)
	want = func(i int) {
		if need[i] {
			return
		}
		need[i] = true
		if known(i) {
			return
		}
		n := f.nodes[i]
		for _, x := range n.operands() {
			want(x)
		}
		if n.op == opKnot {
			for _, b := range f.knots[n.x].bodies {
				want(b)
			}
		}
	}
	for _, r := range roots {
		want(r)
	}
	for i, is := range need {
		if is {
			out = append(out, i)
		}
	}
	return out
}

// Consistent reports whether a graph breaks no axiom. It evaluates the whole graph and uses no columns.
func (c *Checker) Consistent(g *graph.Graph) bool {
	c.measure(g)
	c.anew = true
	for _, i := range c.live {
		c.evaluate(g, i)
	}
	c.anew = false
	return !slices.ContainsFunc(c.f.axioms, c.broken) && (!c.f.Sections || c.sectionsWhole(g))
}

// Allows reports whether the events ids, each the last of its thread, break no axiom. The model must allow the graph
// without them; otherwise the answer means nothing.
func (c *Checker) Allows(g *graph.Graph, ids []int32) bool {
	is := c.allowsAll(g, ids)
	if c.audited && is != c.Consistent(g) {
		panic("BUG: the axioms and their compiled form differ")
	}
	return is
}

// allowsAll is Allows without the comparison. Programs with atomic sections need the check of the whole graph, because
// a section's first event represents later ones.
func (c *Checker) allowsAll(g *graph.Graph, ids []int32) bool {
	if c.f.Sections {
		return c.Consistent(g)
	}
	c.words, c.ordersOf, c.lent = g.Columns.Words, false, 0
	for _, id := range ids {
		if c.updates && g.Events[id].Kind == graph.Write && c.tear(g, g.Events[id].Loc) {
			return false
		}
		for _, a := range c.automata {
			if c.closes(g, a, id) {
				return false
			}
		}
	}
	if len(c.whole) == 0 {
		return true
	}
	c.measure(g)
	for _, i := range c.wholly {
		c.evaluate(g, i)
	}
	return !slices.ContainsFunc(c.whole, c.broken)
}

// broken reports whether an axiom does not hold for the values in the slots. It unites the members of a union only
// here, because other axioms share each of them.
func (c *Checker) broken(a axiom) bool {
	m := c.slots[a.members[0]]
	if len(a.members) > 1 {
		c.shape(&c.tmp, false)
		clear(c.tmp.bits)
		for _, i := range a.members {
			or(c.tmp.bits, c.slots[i].bits)
		}
		m = c.tmp
	}
	switch a.kind {
	case cat.Acyclic:
		return !m.acyclic(&c.room)
	case cat.Irreflexive:
		return !m.irreflexive()
	}
	return !m.empty()
}

// measure numbers the initial writes of accessed locations behind the events, and sizes the buffers.
func (c *Checker) measure(g *graph.Graph) {
	c.n = len(g.Events)
	c.locs = slices.Grow(c.locs[:0], len(g.CO))[:len(g.CO)]
	for l := range c.locs {
		c.locs[l] = -1
	}
	for i := range g.Events {
		if l := g.Events[i].Loc; l >= 0 && c.locs[l] < 0 {
			c.locs[l] = c.n
			c.n++
		}
	}
	c.words = max((c.n+63)/64, 1)
	for _, row := range []*[]uint64{&c.room.done, &c.room.open, &c.room.left} {
		*row = slices.Grow((*row)[:0], c.words)[:c.words]
	}
}

// shape sizes a matrix for the graph, or for one row if it is a set. The bits have no defined value afterwards.
func (c *Checker) shape(m *matrix, set bool) {
	size := c.words
	if !set {
		size *= c.n
	}
	m.words = c.words
	m.bits = slices.Grow(m.bits[:0], size)[:size]
}

// source returns the event number of the write that a read reads from.
func (c *Checker) source(loc, w int32) int {
	if w == graph.Initial {
		return c.locs[loc]
	}
	return int(w)
}

// evaluate computes node i into its slot; the slots of its operands must be up to date. It copies a node with a place
// in the columns from there.
func (c *Checker) evaluate(g *graph.Graph, i int) {
	n := &c.f.nodes[i]
	m := &c.slots[i]
	c.shape(m, n.set)
	if c.place != nil && c.place[i] >= 0 && !c.anew && !c.f.fromInitial(i) {
		clear(m.bits)
		for b := range g.Events {
			if g.Events[b].Kind != graph.Choice {
				each(g.Columns.At(int32(b), c.place[i]), func(a int) { m.add(a, b) })
			}
		}
		return
	}
	switch n.op {
	case opUnion:
		copy(m.bits, c.slots[n.x].bits)
		or(m.bits, c.slots[n.y].bits)
	case opInter:
		for k, w := range c.slots[n.x].bits {
			m.bits[k] = w & c.slots[n.y].bits[k]
		}
	case opDiff:
		for k, w := range c.slots[n.x].bits {
			m.bits[k] = w &^ c.slots[n.y].bits[k]
		}
	case opSeq:
		m.seq(c.slots[n.x], c.slots[n.y])
	case opPlus:
		copy(m.bits, c.slots[n.x].bits)
		m.close(&c.room)
	case opInverse:
		m.inverse(c.slots[n.x])
	case opRestrict:
		c.restrict(m, n)
	case opCartesian:
		clear(m.bits)
		each(c.slots[n.x].bits, func(a int) { copy(m.row(a), c.slots[n.y].bits) })
	case opIdentity:
		clear(m.bits)
		each(c.slots[n.x].bits, func(a int) { m.add(a, a) })
	case opDomain:
		clear(m.bits)
		x := c.slots[n.x]
		for a := range c.n {
			for _, w := range x.row(a) {
				if w != 0 {
					m.add(0, a)
					break
				}
			}
		}
	case opRange:
		clear(m.bits)
		x := c.slots[n.x]
		for a := range c.n {
			or(m.bits, x.row(a))
		}
	case opKnot:
		if k := c.f.knots[n.x]; n.y == 0 {
			c.untie(g, k)
		}
	default:
		clear(m.bits)
		c.base(g, n, *m)
	}
}

// restrict computes an opRestrict node: the rows of set y, masked by set z.
func (c *Checker) restrict(m *matrix, n *node) {
	x := c.slots[n.x]
	for a := range c.n {
		to := m.row(a)
		if n.y >= 0 && !c.slots[n.y].has(0, a) {
			clear(to)
			continue
		}
		copy(to, x.row(a))
		if n.z >= 0 {
			for k, w := range c.slots[n.z].bits {
				to[k] &= w
			}
		}
	}
}

// untie computes the least fixed point of a group of recursive definitions: it starts from empty sets and relations
// and evaluates the bodies until nothing changes. The definitions are monotone, so that this ends.
func (c *Checker) untie(g *graph.Graph, k knot) {
	for _, v := range k.vars {
		c.shape(&c.slots[v], c.f.nodes[v].set)
		clear(c.slots[v].bits)
	}
	for _, i := range k.before {
		c.evaluate(g, i)
	}
	for changed := true; changed; {
		changed = false
		for _, i := range k.inside {
			c.evaluate(g, i)
		}
		for i, v := range k.vars {
			if !slices.Equal(c.slots[v].bits, c.slots[k.bodies[i]].bits) {
				copy(c.slots[v].bits, c.slots[k.bodies[i]].bits)
				changed = true
			}
		}
	}
}

// base fills in a set or relation that the graph gives.
func (c *Checker) base(g *graph.Graph, n *node, m matrix) {
	events := g.Events
	switch n.op {
	case opTagged:
		for i := range events {
			if events[i].Sets>>n.x&1 == 1 {
				m.add(0, i)
			}
		}
	case opAll:
		for i := range c.n {
			if i >= len(events) || events[i].Kind != graph.Choice {
				m.add(0, i)
			}
		}
	case opReads, opWrites, opFences:
		for i := range c.n {
			is := opWrites
			if i < len(events) {
				switch events[i].Kind {
				case graph.Read:
					is = opReads
				case graph.Write:
				case graph.Choice:
					continue
				default:
					is = opFences
				}
			}
			if is == n.op {
				m.add(0, i)
			}
		}
	case opInitial:
		for i := len(events); i < c.n; i++ {
			m.add(0, i)
		}
	case opPO:
		c.programOrder(g, m)
	case opID:
		for i := range c.n {
			m.add(i, i)
		}
	case opInt, opExt:
		c.threads(g, n.op == opExt, m)
	case opLoc:
		for i := range events {
			if l := events[i].Loc; l >= 0 {
				m.add(c.locs[l], i) // the initial write's row has all events of the location
				m.add(c.locs[l], c.locs[l])
			}
		}
		for i := range events {
			if l := events[i].Loc; l >= 0 {
				copy(m.row(i), m.row(c.locs[l]))
			}
		}
	case opAccess, opSiblings:
		for i := range c.n {
			if i >= len(events) || events[i].Whole == nil {
				if n.op == opAccess {
					m.add(i, i)
				}
				continue
			}
			for _, a := range g.Access(int32(i)) {
				if n.op == opAccess || int(a) != i {
					m.add(int(a), i)
				}
			}
		}
	case opOverlap:
		at := func(i int) *graph.Event {
			if i < len(events) {
				return &events[i]
			}
			return &graph.Event{Loc: int32(slices.Index(c.locs, i))}
		}
		for i := range c.n {
			for j := range c.n {
				if at(i).Overlaps(at(j)) {
					m.add(i, j)
				}
			}
		}
	case opRF:
		for i := range events {
			if e := &events[i]; e.Kind == graph.Read && e.RF != graph.None {
				m.add(c.source(e.Loc, e.RF), i)
			}
		}
	case opCO:
		c.coherence(g, m)
	case opFR:
		c.fromReads(g, m)
	case opRMW:
		for i := range events {
			if h := events[i].Half; h >= 0 {
				m.add(int(h), i)
			}
		}
	case opAddr, opData, opCtrl:
		if c.dependent {
			for _, list := range g.Order {
				for k, a := range list {
					for _, b := range list[k+1:] {
						if events[a].Kind == graph.Read {
							m.add(int(a), int(b))
						}
					}
				}
			}
		}
		for i := range events {
			e := &events[i]
			if e.Deps == nil {
				continue
			}
			list := e.Deps.Addr
			switch n.op {
			case opData:
				list = e.Deps.Data
			case opCtrl:
				list = e.Deps.Ctrl
			}
			for _, pos := range list {
				m.add(int(g.Order[e.Thread][pos]), i)
			}
		}
	case opNothing:
	default:
		panic("BUG: no base relation")
	}
	if n.set || n.op == opRF || n.op == opCO || n.op == opFR {
		return
	}
	for i := range events { // a choice is no event
		if events[i].Kind != graph.Choice {
			continue
		}
		clear(m.row(i))
		for k := range c.n {
			m.row(k)[i>>6] &^= 1 << (i & 63)
		}
	}
}

// Base relations that the graph stores as lists become matrices here; it ignores columns, so that Consistent is
// independent of them.

// programOrder computes program order within threads, and its extension by spawn and join. It visits events
// backwards: the successors of an event have larger numbers, so that their rows are complete.
func (c *Checker) programOrder(g *graph.Graph, m matrix) {
	for i := len(g.Events) - 1; i >= 0; i-- {
		e := &g.Events[i]
		from := func(before int32) {
			to := m.row(int(before))
			or(to, m.row(i))
			m.add(int(before), i)
		}
		if first := e.First(); first > 0 {
			for _, a := range g.RightBefore(e.Thread, first) {
				from(a)
			}
		} else if s := g.Threads[e.Thread].Spawner; s >= 0 {
			from(s)
		}
		if e.Kind == graph.Join {
			if n := len(g.Order[e.Other]); n > 0 {
				for _, a := range g.RightBefore(e.Other, int32(n)) {
					from(a)
				}
			} else if s := g.Threads[e.Other].Spawner; s >= 0 {
				from(s)
			}
		}
	}
}

// threads computes the pairs of events of one thread, or of different threads. Initial writes belong to no thread.
func (c *Checker) threads(g *graph.Graph, others bool, m matrix) {
	for t := range g.Order {
		list := g.Order[t]
		if len(list) == 0 {
			continue
		}
		mine := m.row(int(list[0]))
		for _, b := range list {
			mine[b>>6] |= 1 << (b & 63)
		}
		for _, a := range list[1:] {
			copy(m.row(int(a)), mine)
		}
	}
	if !others {
		return
	}
	for a := range c.n {
		row := m.row(a)
		for k := range row {
			row[k] = ^row[k]
		}
		if rest := c.n & 63; rest != 0 {
			row[len(row)-1] &= 1<<rest - 1
		}
		row[a>>6] &^= 1 << (a & 63)
	}
}

// coherence computes co from the lists of the graph, backwards, so that each row extends the row of the next write.
// The initial write of a location precedes all others.
func (c *Checker) coherence(g *graph.Graph, m matrix) {
	for l, list := range g.CO {
		if c.locs[l] < 0 {
			continue
		}
		for i := len(list) - 1; i >= 0; i-- {
			before := c.locs[l]
			if i > 0 {
				before = int(list[i-1])
			}
			or(m.row(before), m.row(int(list[i])))
			m.add(before, int(list[i]))
		}
	}
}

// fromReads relates each read to the writes that follow, in coherence order, the write that it reads from.
func (c *Checker) fromReads(g *graph.Graph, m matrix) {
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind != graph.Read || e.RF == graph.None {
			continue
		}
		for _, w := range g.CO[e.Loc][g.Rank(e.Loc, e.RF)+1:] {
			m.add(i, int(w))
		}
	}
}
