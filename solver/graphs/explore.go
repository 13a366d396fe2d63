package graphs

import (
	"context"
	"slices"

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
	// coherent: a thread sees each location go one way.
	coherent bool
	// leaf is called with each graph in which no thread can go on.
	leaf func(*graph) error

	// fails is called with each graph in which a thread has just failed; nil where nobody wants to know.
	fails func(g *graph, t int) error

	free   []*graph
	steps  int
	gone   []bool
	wilted int // graphs that were given up, for an update that could not write
}

func (x *exploration) run() error {
	g := newGraph(x.threads)
	for t := range g.threads {
		g.threads[t].start(x.p, t)
	}
	return x.visit(g)
}

// copy is a graph like another.
func (x *exploration) copy(g *graph) *graph {
	c := x.blank()
	c.set(x.p, g)
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
	defer func() { x.free = append(x.free, g) }()
	for {
		if x.steps++; x.steps%256 == 0 && x.ctx.Err() != nil {
			return x.ctx.Err()
		}
		t, err := g.ready(x.fails)
		if err != nil {
			return err
		}
		if t < 0 {
			return x.leaf(g)
		}
		th := &g.threads[t]
		a := &th.next
		alive := true
		switch {
		case th.half >= 0:
			alive, err = x.write(g, t, th.half)
		case a.kind == ir.ActLoad || a.kind == ir.ActRMW:
			err = x.read(g, t)
		case a.kind == ir.ActStore:
			alive, err = x.write(g, t, -1)
		case a.kind == ir.ActStoreCond:
			err = x.conditional(g, t)
		case a.kind == ir.ActChoose:
			other := x.copy(g)
			other.threads[t].take(other, other.add(x.event(other, t, choice, func(e *event) { e.value = 1 })))
			if err = x.visit(other); err == nil {
				th.take(g, g.add(x.event(g, t, choice, func(e *event) { e.usual = true })))
			}
		default:
			k := fence
			switch a.kind {
			case ir.ActSpawn:
				k = spawn
			case ir.ActJoin:
				k = join
			}
			th.take(g, g.add(x.event(g, t, k, func(e *event) { e.other = a.other })))
		}
		if err != nil || !alive {
			return err
		}
	}
}

// ready is the thread that goes on: one in the middle of an update, or the first that can; -1 for none.
func (g *graph) ready(fails func(*graph, int) error) (int, error) {
	first := -1
	for t := range g.threads {
		th := &g.threads[t]
		if th.half >= 0 {
			return t, nil
		}
		if first >= 0 {
			continue
		}
		if err := th.look(); err != nil {
			return -1, err
		}
		switch th.next.kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActBlocked, ir.ActUnspawned:
		case ir.ActFailed:
			if fails != nil && !th.failed {
				th.failed = true
				if err := fails(g, t); err != nil {
					return -1, err
				}
			}
		case ir.ActJoin:
			other := &g.threads[th.next.other]
			if err := other.look(); err != nil {
				return -1, err
			}
			if other.next.kind == ir.ActEnd {
				first = t
			}
		default:
			first = t
		}
	}
	return first, nil
}

// event is the one that a thread comes to.
func (x *exploration) event(g *graph, t int, k kind, more func(*event)) event {
	th := &g.threads[t]
	e := event{kind: k, thread: int32(t), step: th.next.at, loc: th.next.loc, rf: initial, half: -1, other: -1, tags: th.next.tags}
	switch {
	case k == choice:
		e.tags = nil
	case th.half >= 0:
		e.tags, e.deps = th.second, th.run.carried()
	default:
		e.deps = th.run.deps()
	}
	more(&e)
	if e.kind == read {
		e.tags, _ = th.run.tags(e.value)
	}
	e.sets = x.check.f.classOf(e.tags)
	return e
}

// read tries each write that the thread at hand can read, and goes on with the last in coherence.
func (x *exploration) read(g *graph, t int) error {
	loc := g.threads[t].next.loc
	g.locations(max(len(g.co), int(loc)+1))
	for i := x.least(g, t, loc); i < len(g.co[loc]); i++ {
		w := int32(initial)
		if i > 0 {
			w = g.co[loc][i-1]
		}
		other := x.copy(g)
		x.readFrom(other, t, w)
		if !x.check.consistent(other) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.visit(other); err != nil {
			return err
		}
	}
	x.readFrom(g, t, g.last(loc))
	return nil
}

func (x *exploration) readFrom(g *graph, t int, w int32) {
	id := g.add(x.event(g, t, read, func(e *event) {
		v, set := g.value(x.p, e.loc, w)
		e.rf, e.value, e.unset = w, v, !set
	}))
	g.threads[t].take(g, id)
}

// least is how many writes of a location, the initial one first, a thread has got past.
func (x *exploration) least(g *graph, t int, loc int32) int {
	if !x.coherent {
		return 0
	}
	for _, id := range slices.Backward(g.order[t]) {
		e := &g.events[id]
		switch i := g.rank(loc, id); {
		case e.loc != loc:
		case e.kind == write && i >= 0: // else it has no place yet
			return i + 1
		case e.kind == read:
			return g.rank(loc, e.rf) + 1
		}
	}
	return 0
}

// conditional tries a store-conditional that fails, and goes on with one that succeeds, if it can.
func (x *exploration) conditional(g *graph, t int) error {
	th := &g.threads[t]
	fail := func(g *graph) {
		g.threads[t].take(g, g.add(x.event(g, t, choice, func(e *event) { e.usual = true })))
	}
	if th.next.reserved >= 0 {
		other := x.copy(g)
		half := other.order[t][th.next.reserved]
		alive, err := x.write(other, t, half)
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
	w := g.add(x.event(g, t, write, func(e *event) {
		e.half = half
		if th.half >= 0 {
			e.value = th.written
		} else {
			e.value = th.next.value
		}
		e.usual = half < 0 || th.half >= 0
	}))
	th.take(g, w)
	if err := x.revisits(g, w); err != nil {
		return false, err
	}
	return x.placed(g, w, func(g *graph) error { return x.visit(g) })
}

// placed tries a write at each place in coherence, in g at the last that can be.
func (x *exploration) placed(g *graph, w int32, visit func(*graph) error) (alive bool, err error) {
	e := &g.events[w]
	loc := e.loc
	g.locations(max(len(g.co), int(loc)+1))
	least := x.least(g, int(e.thread), loc)
	sure := e.half < 0
	for i := least; i < len(g.co[loc]); i++ {
		other := x.copy(g)
		other.place(w, i)
		if !x.check.consistent(other) {
			x.free = append(x.free, other)
			continue
		}
		if err := visit(other); err != nil {
			return false, err
		}
	}
	g.place(w, len(g.co[loc]))
	return sure || x.check.consistent(g), nil
}

// revisits goes on from the graphs in which an earlier read takes its value from w, which has no place in coherence yet.
func (x *exploration) revisits(g *graph, w int32) error {
	loc := g.events[w].loc
	for r := range w {
		e := &g.events[r]
		if e.kind != read || e.loc != loc || g.before(r, w) || !x.revisitable(g, r, w) {
			continue
		}
		next := x.blank()
		_, nw, err := next.less(x.p, g, x.gone, r, w)
		if err != nil {
			return err
		}
		alive, err := x.placed(next, nw, x.visit)
		if err == nil && alive {
			err = x.visit(next)
		} else {
			x.free = append(x.free, next)
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
	there := func(other int32) bool { return other <= id || g.before(other, w) }
	at := id
	switch e.kind {
	case choice:
		return e.usual
	case read:
		at = e.rf
		if at >= 0 && !there(at) {
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
