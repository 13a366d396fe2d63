package graphs

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
)

// Where a read may take its value from a write that comes behind it in program order, or depends on it by what the model does not keep
// in order, graphs do not grow along program order and reads-from. Events do come in program order, but reads come
// without what they read: threads run ahead until they have to know, to branch or to know where an access is to, what their reads
// give (the dependencies that HMC follows: Kokologiannakis, Vafeiadis, “HMC: Model Checking for Hardware Memory
// Models”, ASPLOS 2020). Only where none can go on is a read decided, one that somebody has to know: it takes its value
// from a write that there is, or from one that will come later. A write that comes is taken, or not, by each that
// waits for one. At last, the reads are decided that nobody had to know.
//
// So an execution is come to in one way alone. Whatever the graph, what is decided next depends on the graph alone, each of the ways
// to decide it excludes the others, and an execution of which the graph is part says which it is. And each is come to, for a
// graph that is part of an execution has less of every relation (admit): it is not given up unless no execution comes of it.
// The write of an update gets its place in coherence, where that is the one behind what it overwrites, as its read is decided, and nobody reads
// it before. When all threads wait for each other, what the first has to know is guessed, which has to come true; under a model by which
// nothing depends on itself, no execution comes of that. (Unlike
// HMC and TruSt, this visits graphs that come to nothing, as a read waits for a write that does not come; but nothing is taken back, so that a
// model need not say that one more event can always be added.)
type ahead struct {
	may [][][]bool // by thread, step and location: the thread may still write it
	// grounded: nothing depends on itself under the model, so that threads that all wait for each other do so for ever.
	grounded bool
	// prefixes: executions in which threads have stopped count as well, for what has failed in them.
	prefixes bool
}

// farRunner is a thread that runs ahead.
type farRunner interface {
	runner
	// writes tells whether an update writes that reads v, or what is not known; decided, if that is known itself.
	writes(v uint64, known bool) (writes, decided bool)
	// far is read, of a value that may not be known. It gives the places of the reads that what is written waits for.
	far(v uint64, known, writes bool) (written uint64, waits []int32)
	// take has it go by guesses.
	take([]ir.Guess)
}

func far(th *thread) farRunner { return th.run.(farRunner) }

// onward is goOn of threads that run ahead.
func (x *exploration) onward(g *graph) (alive bool, err error) {
	t, stuck, alive, err := x.front(g)
	if err != nil || !alive {
		return false, err
	}
	if t >= 0 {
		return x.step(g, t)
	}
	for _, t := range stuck {
		r, ok := wanted(g, t)
		if !ok {
			return false, nil // values that go round in a ring
		}
		if !g.events[r].later {
			return false, x.decide(g, r, true)
		}
	}
	waits := false
	for r := range g.events {
		e := &g.events[r]
		if e.unplaced && !g.events[e.half].later {
			return false, x.decide(g, e.half, true)
		}
		if e.later {
			if waits = true; !x.served(g, int32(r)) {
				return false, nil
			}
		}
	}
	switch {
	case len(stuck) > 0 && !x.ahead.grounded:
		return false, x.guess(g, stuck[0])
	case len(stuck) > 0 || waits:
		return false, nil
	}
	if r := slices.IndexFunc(g.events, func(e event) bool { return e.kind == read && e.rf == none }); r >= 0 {
		return false, x.decide(g, int32(r), false)
	}
	if slices.ContainsFunc(g.events, func(e event) bool { return e.unknown }) || !x.check.consistent(g) {
		return false, nil
	}
	return false, x.leaf(g)
}

// front is the first thread that goes on, -1 for none, and those that want to know what reads give. A graph that has come
// to what cannot be is not alive.
func (x *exploration) front(g *graph) (t int, stuck []int, alive bool, err error) {
	for t := range g.threads {
		th := &g.threads[t]
		if err := th.look(); err != nil {
			return -1, nil, false, err
		}
		switch th.next.kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActUnspawned:
		case ir.ActRefuted:
			return -1, nil, false, nil
		case ir.ActBlocked, ir.ActFailed:
			if !x.ahead.prefixes || th.next.kind == ir.ActBlocked && x.idle(g, t) {
				return -1, nil, false, nil
			}
		case ir.ActWants:
			stuck = append(stuck, t)
		case ir.ActJoin:
			other := &g.threads[th.next.other]
			if err := other.look(); err != nil {
				return -1, nil, false, err
			}
			if other.next.kind == ir.ActEnd {
				return t, nil, true, nil
			}
		default:
			return t, nil, true, nil
		}
	}
	return -1, stuck, true, nil
}

// idle tells whether a thread that is blocked has come to that by what is not the last write: what fails elsewhere does so as well where it
// reads that one, if one more event can always be added.
func (x *exploration) idle(g *graph, t int) bool {
	list := g.order[t]
	if len(list) == 0 || !x.check.f.extends || x.rounds {
		return false
	}
	last := list[len(list)-1]
	if e := &g.events[last]; e.half >= 0 && int(g.events[e.half].pos) == len(list)-1-max(len(e.whole), 1) { // the update of a lock, which others that are blocked may have behind it
		last = e.half
	}
	f, late := x.check.f, false
	for _, id := range g.access(last) {
		e := &g.events[id]
		if e.kind != read || e.rf == none || e.unset || e.rf >= 0 && f.mayRace(&g.events[e.rf], e) { // which may race where it is
			return false
		}
		for _, w := range g.co[e.loc][g.rank(e.loc, e.rf)+1:] {
			o := &g.events[w]
			late = late || g.threads[o.thread].next.kind != ir.ActBlocked || o.half < 0 || int(o.first())+max(len(o.whole), 1) != len(g.order[o.thread])
		}
	}
	return late
}

// wanted is the read to be decided before thread t can go on; there is none where values go round.
func wanted(g *graph, t int) (r int32, ok bool) {
	r = unknown(g, int32(t), g.threads[t].next.wants)
	for range g.events {
		e := &g.events[r]
		if e.rf == none {
			for _, before := range g.order[e.thread][:e.pos] { // an update that it may read
				if u := &g.events[before]; u.unplaced && u.loc == e.loc {
					return u.half, true
				}
			}
			return r, true
		}
		w := &g.events[e.rf]
		r = unknown(g, w.thread, w.waits)
	}
	return 0, false
}

// unknown is the first of some events of a thread, by place, whose value is not known.
func unknown(g *graph, t int32, places []int32) int32 {
	for _, pos := range places {
		if id := g.order[t][pos]; g.events[id].unknown {
			return id
		}
	}
	panic("BUG: a thread waits for what is known")
}

// step has a thread take its next step. It visits the graphs that come of it beside this one, and tells whether that is one.
func (x *exploration) step(g *graph, t int) (alive bool, err error) {
	th := &g.threads[t]
	reads := func(g *graph, writes bool) {
		id := x.pieces(g, t, read, func(e *event) { e.rf, e.unknown = none, true })[0]
		pass(g, t, id, writes)
	}
	switch th.next.kind {
	case ir.ActLoad:
		reads(g, false)
	case ir.ActRMW:
		writes, decided := far(th).writes(0, false)
		if !decided {
			other := x.copy(g)
			reads(other, false)
			if err := x.visit(other); err != nil {
				return false, err
			}
			writes = true
		}
		reads(g, writes)
		if writes {
			all := x.pieces(g, t, write, func(e *event) {
				e.half, e.value, e.waits, e.unknown = th.half+e.piece, e.part(th.written), th.wants, len(th.wants) > 0
			})
			th.half = -1
			if x.check.f.coherent && x.check.f.atomic {
				for _, w := range all {
					g.events[w].unplaced = true // until it is known what it overwrites
				}
				return true, nil
			}
			return false, x.inserted(g, all)
		}
	case ir.ActStore, ir.ActStoreCond:
		conditional, half := th.next.kind == ir.ActStoreCond, int32(-1)
		if conditional {
			if th.next.reserved >= 0 {
				half = g.order[t][th.next.reserved]
			}
			other := g
			if half >= 0 {
				other = x.copy(g)
			}
			pass(other, t, other.add(x.event(other, t, choice, func(*event) {})), false)
			if half < 0 {
				return true, nil
			}
			if err := x.visit(other); err != nil {
				return false, err
			}
		}
		all := x.pieces(g, t, write, func(e *event) {
			if e.half = half; half >= 0 {
				e.half += e.piece
			}
			e.value, e.waits, e.unknown = e.part(th.next.value), th.next.wants, len(th.next.wants) > 0
		})
		th.piece = max(len(th.next.pieces)-1, 0)
		pass(g, t, all[len(all)-1], false)
		return false, x.inserted(g, all)
	case ir.ActChoose:
		other := x.copy(g)
		pass(other, t, other.add(x.event(other, t, choice, func(e *event) { e.value = 1 })), false)
		if err := x.visit(other); err != nil {
			return false, err
		}
		pass(g, t, g.add(x.event(g, t, choice, func(*event) {})), false)
	default:
		k := fence
		switch th.next.kind {
		case ir.ActSpawn:
			k = spawn
		case ir.ActJoin:
			k = join
		}
		pass(g, t, g.add(x.event(g, t, k, func(e *event) { e.other = th.next.other })), false)
	}
	return true, nil
}

// pieces adds what a thread has come to, an access of a kind.
func (x *exploration) pieces(g *graph, t int, k kind, more func(*event)) (ids []int32) {
	th := &g.threads[t]
	for th.piece = range max(len(th.next.pieces), 1) {
		ids = append(ids, g.add(x.event(g, t, k, more)))
	}
	th.piece = 0
	return ids
}

// given is what a read gives, of which a piece is given, as far as it is known.
func given(g *graph, id int32) (v uint64, known bool) {
	for _, q := range g.access(id) {
		if g.events[q].unknown {
			return 0, false
		}
	}
	return g.whole(id), true
}

// pass moves a thread past an event, which is what it has come to; past all pieces of a read, of which the first is given. It is told whether an update writes.
func pass(g *graph, t int, id int32, writes bool) {
	th, e := &g.threads[t], &g.events[id]
	if e.kind != read {
		th.take(g, id)
		return
	}
	th.own()
	th.looked = false
	v, known := given(g, id)
	_, th.second = th.run.tags(v)
	th.written, th.wants = far(th).far(v, known, writes)
	if writes {
		th.half = id
	}
}

// inserted goes on from a graph with the pieces of a write at each place in coherence. The graph is used up.
func (x *exploration) inserted(g *graph, pieces []int32, placed ...offer) error {
	if len(pieces) == 0 {
		return x.offered(g, placed...)
	}
	w := pieces[0]
	for i := range len(g.co[g.events[w].loc]) + 1 {
		other := x.copy(g)
		other.place(w, i)
		if !x.check.consistent(other) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.inserted(other, pieces[1:], append(slices.Clip(placed), offer{w, 0})...); err != nil {
			return err
		}
	}
	return nil
}

// offer is a write that reads, from one on, may have waited for.
type offer struct{ write, from int32 }

// offered has reads that wait for a later write take a new one, or not. The graph is used up.
func (x *exploration) offered(g *graph, offers ...offer) error {
	for ; len(offers) > 0; offers = offers[1:] {
		w := offers[0].write
		for r := offers[0].from; r < int32(len(g.events)); r++ {
			if e := &g.events[r]; !e.later || e.loc != g.events[w].loc {
				continue
			}
			other := x.copy(g)
			other.events[r].later = false
			if err := x.given(other, r, w, append([]offer{{w, r + 1}}, offers[1:]...)...); err != nil {
				return err
			}
		}
	}
	return x.visit(g)
}

// given has a read take its value from a write, and then others take what is offered. The graph is used up.
func (x *exploration) given(g *graph, r, w int32, offers ...offer) error {
	alive, err := x.joined(g, r, w)
	if err != nil || !alive {
		x.free = append(x.free, g)
		return err
	}
	e := &g.events[r]
	if list, at := g.order[e.thread], int(e.pos)+max(len(e.whole), 1); at < len(list) {
		u := list[at]
		if g.events[u].unplaced && g.events[u].half == r {
			g.events[u].unplaced = false
			g.place(u, g.rank(e.loc, w)+1)
			offers = append(offers, offer{u, 0})
		}
	}
	if !x.check.consistent(g) {
		x.free = append(x.free, g)
		return nil
	}
	if err := x.filled(g, r); err != nil {
		return err
	}
	return x.offered(g, offers...)
}

// decide goes on from the graphs in which a read takes its value from one of the writes that there are, and from that in which it waits for a
// later one, where it may.
func (x *exploration) decide(g *graph, r int32, later bool) error {
	loc := g.events[r].loc
	for i := range len(g.co[loc]) + 1 {
		w := int32(initial)
		if i > 0 {
			w = g.co[loc][i-1]
		}
		if err := x.given(x.copy(g), r, w); err != nil {
			return err
		}
	}
	if !later || !x.served(g, r) {
		return nil
	}
	other := x.copy(g)
	other.events[r].later = true
	return x.visit(other)
}

// served tells whether another thread may still write what a read reads, or has a write that has no place yet.
func (x *exploration) served(g *graph, r int32) bool {
	e := &g.events[r]
	for i := range g.events {
		if o := &g.events[i]; o.unplaced && o.loc == e.loc && o.thread != e.thread {
			return true
		}
	}
	for t := range g.threads {
		switch a := g.threads[t].next; a.kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActBlocked, ir.ActFailed:
		default:
			if int32(t) != e.thread && x.ahead.may[t][max(a.at, 0)][e.loc] {
				return true
			}
		}
	}
	return false
}

// errSpawned is the error of a program in which all threads wait for each other, one to know what to begin another with.
var errSpawned = errors.New("threads are spawned with what is not known beforehand, which the engine of graphs cannot follow under such a model: choose another engine")

// guess goes on with each thing that what a thread wants to know could come to.
func (x *exploration) guess(g *graph, t int) error {
	if len(g.threads[t].next.guesses) == 0 {
		return errSpawned
	}
	for _, v := range g.threads[t].next.guesses {
		other := x.copy(g)
		th := &other.threads[t]
		th.own()
		th.guesses = append(slices.Clip(th.guesses), ir.Guess{Step: int(th.next.at), Value: v})
		far(th).take(th.guesses)
		th.looked = false
		if err := x.visit(other); err != nil {
			return err
		}
	}
	return nil
}

// joined has a read take its value from a write, and all that have waited for it run again; the graph is alive if no thread has guessed wrong.
func (x *exploration) joined(g *graph, r, w int32) (alive bool, err error) {
	g.events[r].rf = w
	if w == initial || !g.events[w].unknown {
		v, set := g.value(x.p, g.events[r].loc, w)
		g.events[r].value, g.events[r].unknown, g.events[r].unset = v, false, !set
		var again []int32
		hears := func(r int32) {
			if _, known := given(g, r); known {
				again = append(again, g.events[r].thread)
			}
		}
		for hears(r); len(again) > 0; again = again[1:] {
			known, alive, err := x.rerun(g, int(again[0]))
			if err != nil || !alive {
				return false, err
			}
			for _, w := range known {
				for i := range g.events {
					if e := &g.events[i]; e.kind == read && e.rf == w {
						e.value, e.unknown = g.events[w].value, false
						hears(int32(i))
					}
				}
			}
		}
	}
	return true, nil
}

// rerun runs a thread again on what is known by now, and gives the writes whose values are known since.
func (x *exploration) rerun(g *graph, t int) (known []int32, alive bool, err error) {
	th := &g.threads[t]
	from := th.rewind(x.p, t)
	far(th).take(th.guesses)
	based := false
	list := g.order[t]
	for k := from; k < len(list); k++ {
		e := &g.events[list[k]]
		v, is := given(g, list[k])
		if !based && !is && e.kind == read {
			th.keep(k)
			based = true
		}
		if err := th.look(); err != nil {
			return nil, false, err
		}
		switch th.next.kind {
		case ir.ActBlocked, ir.ActFailed, ir.ActRefuted:
			return nil, false, nil
		}
		pieces := g.access(list[k])
		for _, id := range pieces {
			g.events[id].deps = th.run.deps()
		}
		// become has a write have a value, if that waits for nothing any more.
		become := func(pieces []int32, v uint64, waits []int32) {
			for _, id := range pieces {
				e := &g.events[id]
				if e.unknown && len(waits) == 0 {
					e.value, e.unknown = e.part(v), false
					known = append(known, id)
				}
				e.waits = waits
			}
		}
		writes := false
		switch e.kind {
		case read:
			next := k + len(pieces)
			writes = next < len(list) && g.events[list[next]].half == list[k] && th.next.kind == ir.ActRMW
			if th.next.kind == ir.ActRMW {
				if does, decided := far(th).writes(v, is); decided && does != writes {
					return nil, false, nil
				}
			}
		case write:
			become(pieces, th.next.value, th.next.wants)
			th.piece = len(pieces) - 1
		}
		pass(g, t, list[k], writes)
		if k += len(pieces) - 1; writes {
			pieces := g.access(list[k+1])
			for _, id := range pieces {
				g.events[id].deps = th.run.carried()
			}
			become(pieces, th.written, th.wants)
			th.half = -1
			k += len(pieces)
		}
	}
	if !based {
		th.keep(len(list))
	}
	return known, true, nil
}
