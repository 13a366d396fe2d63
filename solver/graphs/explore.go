package graphs

import (
	"context"
	"errors"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// exploration visits each consistent execution graph of a program once, as TruSt does (Kokologiannakis, Marmanis,
// Gladstein, Vafeiadis, POPL 2022, section 4): events come one by one; a read is tried with each write that there is,
// a write at each place in coherence, and for each earlier read that it could have been there for, in a graph from which
// what came behind that read is gone again, less what the write itself rests on. That goes on only from the one graph
// where what goes had nothing but the last writes to read: so nothing is visited twice, and nothing need be remembered.
type exploration struct {
	p       program
	threads int // at most
	check   *checker
	ctx     context.Context
	// leaf is called with each graph in which no thread can go on.
	leaf func(*graph) error

	// unset is called with each graph in which a location has just been read that nobody knows what it begins with; nil where
	// there is none.
	unset func(g *graph, read int32) error
	// shut is called with each graph that is not gone on from, as a thread has just been blocked, by a read that may be in a data race.
	shut func(*graph) error
	// rounds: a thread that waits may do so for ever for what it has read before the loop.
	rounds bool
	// fails is called with each graph in which a thread has just failed; nil where nobody wants to know.
	// It tells whether it has heard enough of that.
	fails func(g *graph, t int) (heard bool, err error)

	// mixed is told of a lock that is left by somebody who does not hold it.
	mixed func(loc int32) error

	// partial is called with each graph in which no thread can go on, where there are atomic sections. Then it is not so that one more event can
	// always be added, and exploration is that of symmetry, which does not want that.
	partial func(*graph) error

	// likely tells which threads are alike; nil where nobody wants to know. Where enough are, the exploration ends with errAlike; but
	// where they take a lock first, peers is that, and they take it in turn.
	likely, peers *symmetry
	// symmetry is there where threads that are alike are explored as such.
	symmetry *symmetry

	free []*graph

	places *places // that threads come to

	steps int
	gone  []bool
	ahead *ahead // where threads run ahead

	// walks: the ways that there are from a graph are put down, rather than taken.
	walks bool
	ways  []*graph

	// path is the way to the graph at hand: for each event, which of the ways that there were.
	path path
	// cut tells whether what is left of the exploration is for others, for whom rest has the paths; nil where it never is.
	cut  func() bool
	rest []path

	// tour is told of what is visited; nil where nobody wants to know.
	tour observer
}

// observer is told of what an exploration does.
type observer interface {
	// enter is told of a graph before what comes of it is visited; the function that it gives is called once all is.
	enter(g *graph) func()
	// goesOn is told of that graph with one event more.
	goesOn(g *graph)
	// refused is told of a graph that the model forbids, and idle of one that a thread is blocked in by what is not the last write.
	refused(g *graph)
	idle(g *graph)
	// revisits is told of a read before the graph is visited in which it takes its value from a new write, and of none after that.
	revisits(r int32)
	// overtakes is told before the graph is visited in which a lock is taken instead of by a read of another graph.
	overtakes(g *graph, r int32)
	// spares is told that a graph is not visited because another leads to the same ones.
	spares()
}

func (x *exploration) run() error {
	return x.visit(x.first())
}

// first is the graph before anything has happened.
func (x *exploration) first() *graph {
	g := newGraph(x.threads)
	g.cols.kept = x.check.columns()
	for t := range g.threads {
		g.threads[t].start(x.places, t)
	}
	return g
}

// copy is a graph like another.
func (x *exploration) copy(g *graph) *graph {
	c := x.blank()
	c.set(g)
	return c
}

func (x *exploration) blank() *graph {
	if n := len(x.free) - 1; n >= 0 {
		c := x.free[n]
		x.free = x.free[:n]
		return c
	}
	return newGraph(x.threads)
}

// visit goes on from a graph, which is used up.
func (x *exploration) visit(g *graph) error {
	if x.walks {
		x.ways = append(x.ways, g)
		return nil
	}
	depth := len(x.path)
	defer func() {
		x.free = append(x.free, g)
		if x.path = x.path[:depth]; depth > 0 {
			x.path[depth-1]++
		}
	}()
	if x.tour != nil {
		defer x.tour.enter(g)()
	}
	for {
		if x.cut != nil && x.leaves() {
			return nil
		}
		x.path = append(x.path, 0)
		if alive, err := x.goOn(g); err != nil || !alive {
			return err
		}
		if x.tour != nil {
			x.tour.goesOn(g)
		}
	}
}

// goOn adds an event to a graph, and visits all others that come of it in its place, or beside it. It tells whether this one goes on.
func (x *exploration) goOn(g *graph) (alive bool, err error) {
	if x.steps++; x.steps%64 == 0 && x.ctx.Err() != nil {
		return false, x.ctx.Err()
	}
	if x.ahead != nil {
		return x.onward(g)
	}
	t, err := x.turn(g)
	if err != nil {
		return false, err
	}
	if t < 0 {
		return false, x.end(g)
	}
	th := &g.threads[t]
	a := th.next
	alive = true
	switch {
	case th.half >= 0:
		alive, err = x.write(g, t, th.half)
	case th.piece > 0:
		alive, err = x.write(g, t, g.reserved(t))
	case a.kind == ir.ActLoad || a.kind == ir.ActRMW:
		switch {
		case x.symmetry != nil:
			err = x.await(g, t)
		case a.locks:
			err = x.lock(g, t)
		default:
			err = x.read(g, t)
		}
	case a.kind == ir.ActStore:
		alive, err = x.write(g, t, -1)
	case a.kind == ir.ActStoreCond:
		err = x.conditional(g, t)
	case a.kind == ir.ActChoose:
		other := x.copy(g)
		other.threads[t].take(other, x.add(other, x.event(other, t, choice, func(e *event) { e.value = 1 })))
		if err = x.visit(other); err == nil {
			alive = x.canDecline(g, t)
			th.take(g, x.add(g, x.event(g, t, choice, func(e *event) { e.usual = true })))
		}
	default:
		k := fence
		switch a.kind {
		case ir.ActSpawn:
			k = spawn
		case ir.ActJoin:
			k = join
		case ir.ActEnter:
			k = enter
		case ir.ActLeave:
			k = leave
		}
		th.take(g, x.add(g, x.event(g, t, k, func(e *event) { e.other = a.other })))
		if k == spawn && x.likely != nil {
			if err := x.meets(g, int(a.other)); err != nil {
				return false, err
			}
		}
		alive = !x.check.f.sections || x.allows(g)
	}
	return alive, err
}

// turn is the thread that goes on; -1 for none.
func (x *exploration) turn(g *graph) (int, error) {
	if x.symmetry != nil {
		return x.symmetry.turn(g, x.fails)
	}
	return ready(g, x.p, x.fails)
}

// end sees to a graph in which no thread can go on.
func (x *exploration) end(g *graph) error {
	if x.symmetry != nil {
		return x.ended(g)
	}
	if err := x.locked(g); err != nil {
		return err
	}
	if x.peers != nil && !x.peers.same(g) {
		return errApart
	}
	return x.leaf(g)
}

// ready is the thread that goes on: one in the middle of an update, the first that can and takes no lock, or the first that can take one;
// -1 for none.
func ready(g *graph, p program, fails func(*graph, int) (bool, error)) (int, error) {
	first, locks := -1, -1
	for t := range g.threads {
		if g.threads[t].half >= 0 {
			return t, nil
		}
		if first >= 0 {
			continue
		}
		can, err := can(g, t, fails)
		if err != nil {
			return -1, err
		}
		switch {
		case !can:
		case !g.threads[t].next.locks:
			first = t
		case locks < 0 && unlocked(g, p, g.threads[t].next.loc):
			locks = t
		}
	}
	if first < 0 {
		first = locks
	}
	return first, nil
}

// can tells whether a thread can go on.
func can(g *graph, t int, fails func(*graph, int) (bool, error)) (bool, error) {
	th := &g.threads[t]
	if err := th.look(); err != nil {
		return false, err
	}
	switch th.next.kind {
	case ir.ActEnd, ir.ActUnwound, ir.ActBlocked, ir.ActUnspawned:
		return false, nil
	case ir.ActFailed:
		if fails != nil && !th.failed {
			var err error
			th.failed, err = fails(g, t)
			return false, err
		}
		return false, nil
	case ir.ActJoin:
		other := &g.threads[th.next.other]
		err := other.look()
		return other.next.kind == ir.ActEnd, err
	}
	return true, nil
}

// add puts an event behind the others of its thread.
func (x *exploration) add(g *graph, e event) int32 {
	id := g.add(e)
	x.check.columnsOf(g, id)
	return id
}

// allows tells whether the model allows events that have come last of their threads where they are.
func (x *exploration) allows(g *graph, ids ...int32) bool {
	is := x.judge(g, ids)
	if !is && x.tour != nil {
		x.tour.refused(g)
	}
	return is
}

func (x *exploration) judge(g *graph, ids []int32) bool {
	if x.check.placed {
		if slices.ContainsFunc(ids, func(id int32) bool { return g.events[id].kind == read && x.early(g, id) }) {
			return false
		}
	}
	return x.check.allows(g, ids)
}

// event is the one that a thread comes to.
func (x *exploration) event(g *graph, t int, k kind, more func(*event)) event {
	th := &g.threads[t]
	e := event{kind: k, thread: int32(t), step: th.next.at, loc: th.next.loc, rf: initial, half: -1, other: -1, tags: th.next.tags}
	if (k == read || k == write) && th.next.pieces != nil {
		e.whole, e.piece, e.loc = th.next.pieces, int32(th.piece), int32(th.next.pieces[th.piece].Loc)
	}
	switch {
	case k == choice:
		e.tags, e.free = nil, th.next.free
	case th.half >= 0:
		e.tags, e.deps = th.second, th.carried()
	default:
		e.deps = th.deps()
	}
	more(&e)
	x.check.f.classify(&e)
	return e
}

// read tries each write that the thread at hand can read, and goes on with the last in coherence.
func (x *exploration) read(g *graph, t int) error {
	loc := g.threads[t].next.loc
	id := x.add(g, x.event(g, t, read, func(e *event) { e.rf = none }))
	for i := x.least(g, id, loc); i < len(g.co[loc]); i++ {
		w := int32(initial)
		if i > 0 {
			w = g.co[loc][i-1]
		}
		other := x.copy(g)
		x.readFrom(other, id, w)
		th := &other.threads[t]
		if err := th.look(); err != nil {
			// What the program does wrong where the model forbids it, it does not do; what is found out about it counts anywhere.
			if at := new(litmus.Error); !errors.As(err, &at) || x.allows(other, id) {
				return err
			}
			x.free = append(x.free, other)
			continue
		}
		if x.blocks(other, id) {
			if x.tour != nil {
				x.tour.idle(other)
			}
			err := x.blocked(other, id)
			if x.free = append(x.free, other); err != nil {
				return err
			}
			continue
		}
		if x.vain(other, id) || !x.allows(other, id) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.filled(other, id); err != nil {
			return err
		}
		if err := x.visit(other); err != nil {
			return err
		}
	}
	x.readFrom(g, id, g.last(loc))
	return x.filled(g, id)
}

// blocked sees to a graph that is not gone on from, as a read that is not of the last write blocks its thread. All else that fails, or
// races, does so where it reads that one; so does it itself, or where it reads what it races with.
func (x *exploration) blocked(g *graph, ids ...int32) error {
	races, unset := false, false
	for _, id := range ids {
		e := &g.events[id]
		races = races || e.rf >= 0 && x.shut != nil && x.check.f.mayRace(&g.events[e.rf], e)
		unset = unset || e.unset
	}
	if !races && !unset || !x.judge(g, ids) {
		return nil
	}
	if err := x.filled(g, ids...); err != nil || !races {
		return err
	}
	return x.shut(g)
}

// filled sees to reads of what has no value yet.
func (x *exploration) filled(g *graph, ids ...int32) error {
	for _, id := range ids {
		if g.events[id].unset {
			return x.unset(g, id)
		}
	}
	return nil
}

// readFrom has a read that has no value yet take that of a write.
func (x *exploration) readFrom(g *graph, id, w int32) {
	g.takeFrom(x.p, id, w)
	g.threads[g.events[id].thread].take(g, id)
	x.known(g, id)
}

// known sees to a read that its thread has been told of.
func (x *exploration) known(g *graph, id int32) {
	e := &g.events[id]
	e.tags = g.threads[e.thread].readTags()
	x.check.f.classify(e)
	g.tick(id)
	x.check.columnsOf(g, id)
}

// vain tells whether an update reads what another one has overwritten already, which cannot be made to read this one instead: so that
// there is no place for what it writes.
func (x *exploration) vain(g *graph, id int32) bool {
	e := &g.events[id]
	if !x.check.f.atomic || g.threads[e.thread].half < 0 {
		return false
	}
	for i := range g.events {
		if h := g.events[i].half; h >= 0 && h != id && g.events[h].rf == e.rf && g.events[h].loc == e.loc {
			is := g.before(h, id)
			if is && x.tour != nil {
				x.tour.refused(g)
			}
			return is
		}
	}
	return false
}

// blocks tells whether a thread has stopped for what it has read last. Where that is not the last write, nothing will come of it
// any more: a later write is for the one to read that has read the last.
func (x *exploration) blocks(g *graph, id int32) bool {
	e := &g.events[id]
	th := &g.threads[e.thread]
	return th.half < 0 && th.looked && th.next.kind == ir.ActBlocked && !(x.rounds && e.pos < th.next.since)
}

// least is how many writes of a location, the initial one first, an event is past that has no place yet: those that
// are in coherence before what is known to come before it anyway, or are that.
func (x *exploration) least(g *graph, id, loc int32) int {
	if len(g.co[loc]) == 0 {
		return 0
	}
	least := x.check.least(g, id, loc)
	if x.symmetry != nil {
		least = max(least, x.symmetry.least(g, id))
	}
	return least
}

// early tells whether a read takes its value from a write that it is past.
func (x *exploration) early(g *graph, id int32) bool {
	e := &g.events[id]
	return g.rank(e.loc, e.rf)+1 < x.least(g, id, e.loc)
}

// conditional tries a store-conditional that fails, and goes on with one that succeeds, if it can.
func (x *exploration) conditional(g *graph, t int) error {
	th := &g.threads[t]
	fail := func(g *graph) {
		g.threads[t].take(g, x.add(g, x.event(g, t, choice, func(e *event) { e.usual = true })))
	}
	if th.next.reserved >= 0 {
		other := x.copy(g)
		alive, err := x.write(other, t, other.reserved(t))
		if err == nil && alive {
			err = x.visit(other)
		} else {
			x.free = append(x.free, other)
		}
		if err != nil {
			return err
		}
	}
	fail(g)
	return nil
}

// write adds the write that a thread comes to, the second half of an update or an exclusive pair whose read is given. It tries
// each earlier read that may take its value from it, and each place in coherence, and goes on with the last that can be, if
// any: alive.
func (x *exploration) write(g *graph, t int, half int32) (alive bool, err error) {
	th := &g.threads[t]
	unlocks := half < 0 && th.next.unlocks && x.symmetry == nil
	if unlocks && !holds(g, t, th.next.loc) {
		return false, x.mixed(th.next.loc)
	}
	w := x.add(g, x.event(g, t, write, func(e *event) {
		if e.half = half; half >= 0 {
			e.half += e.piece
		}
		if th.half >= 0 {
			e.value = th.written
		} else {
			e.value = th.next.value
		}
		e.value = e.part(e.value)
		e.usual = half < 0 || th.half >= 0
	}))
	th.take(g, w)
	if x.symmetry == nil && !(half >= 0 && g.events[half].locks) && !unlocks {
		if err := x.revisits(g, w); err != nil {
			return false, err
		}
	}
	return x.placed(g, w)
}

// placed tries a write at each place in coherence, in g at the last that can be. Other events may be as new as it.
func (x *exploration) placed(g *graph, w int32, also ...int32) (alive bool, err error) {
	also = append(also, w)
	e := &g.events[w]
	loc := e.loc
	least, sure := x.least(g, w, loc), e.half < 0 && !x.check.f.sections && e.whole == nil
	if e.half >= 0 && x.check.f.atomic && g.events[e.half].pos+int32(max(len(e.whole), 1)) == e.pos {
		at := g.rank(loc, g.events[e.half].rf) + 1
		if at < least || at < len(g.co[loc]) && x.taken(g, at, e.half) {
			return false, nil
		}
		g.place(w, at)
		return x.allows(g, also...), nil
	}
	for i := least; i < len(g.co[loc]); i++ {
		other := x.copy(g)
		other.place(w, i)
		if !x.allows(other, also...) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.visit(other); err != nil {
			return false, err
		}
	}
	g.place(w, len(g.co[loc]))
	return sure || x.allows(g, also...), nil
}

// taken tells whether the write at a place in coherence is of an update that has read what another one has read, too.
func (x *exploration) taken(g *graph, at int, read int32) bool {
	e := &g.events[read]
	h := g.events[g.co[e.loc][at]].half
	return h >= 0 && g.events[h].rf == e.rf
}

// revisits goes on from the graphs in which an earlier read takes its value from w, which has no place in coherence yet.
func (x *exploration) revisits(g *graph, w int32) error {
	loc := g.events[w].loc
	for r := range w {
		e := &g.events[r]
		if e.kind != read || e.loc != loc || g.before(r, w) {
			continue
		}
		if !x.revisitable(g, r, w) {
			if x.tour != nil {
				x.tour.spares()
			}
			continue
		}
		next := x.blank()
		nr, nw, err := next.less(x.places, g, x.gone, r, w)
		if err != nil {
			return err
		}
		if x.tour != nil {
			x.tour.revisits(nr)
		}
		x.check.f.classify(&next.events[nr])
		x.check.columnsOf(next, nr)
		alive, err := x.placed(next, nw, nr)
		if err == nil && alive {
			err = x.visit(next)
		} else {
			x.free = append(x.free, next)
		}
		if x.tour != nil {
			x.tour.revisits(none)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// revisitable tells whether r, and all that goes when it takes its value from w, is as it is in one graph alone of those that lead to
// the same; x.gone is what goes.
func (x *exploration) revisitable(g *graph, r, w int32) bool {
	x.gone = slices.Grow(x.gone[:0], len(g.events))[:len(g.events)]
	for e := range int32(len(g.events)) {
		x.gone[e] = e > r && !g.before(e, w)
		if (x.gone[e] || e == r) && !x.maximal(g, e, w) {
			return false
		}
	}
	return true
}

// maximal tells whether an event is the usual one, among those that came before it and those that w rests on: it reads, or is, what is last in
// coherence there, and nobody there reads it.
func (x *exploration) maximal(g *graph, id, w int32) bool {
	e := &g.events[id]
	there := func(other int32) bool { return other <= id || w >= 0 && g.before(other, w) }
	at := id
	switch e.kind {
	case choice:
		return e.usual
	case read:
		at = e.rf
		if e.locks && !e.usual || at >= 0 && !there(at) {
			return false
		}
	case write:
		if !e.usual {
			return false
		}
		for r := range int32(len(g.events)) {
			if o := &g.events[r]; o.kind == read && o.rf == id && there(r) {
				return false
			}
		}
	default:
		return true
	}
	for _, other := range g.co[e.loc][g.rank(e.loc, at)+1:] {
		if there(other) {
			return false
		}
	}
	return true
}
