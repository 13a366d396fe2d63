package graphs

import "litmuscope/litmus/ir"

// program is what is explored: threads that run, each on what its reads give, over locations.
type program interface {
	// thread is one that has not begun, but for those that nobody spawns.
	thread(t int) runner
	// begins is what a location begins with; it is not set where nobody knows.
	begins(g *graph, loc int32) (v uint64, set bool)
}

// runner is a thread as it runs.
type runner interface {
	copy() runner
	// next is what it comes to.
	next() (step, error)
	// tags are those of its next read, should it give v, and of the write that comes of it.
	tags(v uint64) (first, second ir.Tags)
	// read delivers what the next step reads; it gives what an update writes, if it does.
	read(v uint64) (written uint64, writes bool)
	conditional(succeeds bool)
	choose(yes bool)
	// spawn moves past the next step, and gives what the other thread begins with.
	spawn(other int) any
	begin(with any)
	// pass moves past any other step; of a join, with what the other thread has returned.
	pass(result uint64)
	result() uint64
	// deps are the dependencies of the next step, and carried those of what an update writes that has read.
	deps() *deps
	carried() *deps
}

// step is the next that others see of a thread.
type step struct {
	kind  ir.ActionKind
	at    int32 // index into the thread's code, or the program's lines
	loc   int32 // -1 for none
	other int32 // the thread that is spawned or waited for
	value uint64
	tags  ir.Tags
	// wants are the places of the reads that have to be known for the thread to go on, or that value waits for, and guesses what the
	// former could come to; of threads that run ahead.
	wants   []int32
	guesses []uint64
	free    bool // a choice, at will
	// pieces are those of an access that goes over several locations.
	pieces []ir.Piece
	// locks: an update that takes a lock, or blocks the thread; unlocks: a store that leaves one.
	locks, unlocks bool
	// since is the place at which a round of a loop began that has blocked the thread; where that is not known, behind all.
	since int32
	// reserved is the place of the exclusive load that a store-conditional is a pair with; -1 for none.
	reserved int32
}

// thread is a thread where a graph has it.
type thread struct {
	at      *place // where it has come to; nil of one that runs ahead, which is run anew in each graph
	run     runner
	shared  bool  // with copies of the graph: it is to be copied before it moves
	next    *step // what it comes to, once it has looked
	looked  bool
	failed  bool  // and somebody knows
	spawner int32 // the event; -1 for none
	call    *call // what it begins with, of one that is spawned
	// An update that has read, and is to write: its read, -1 for none, and what it writes.
	half    int32
	written uint64
	second  ir.Tags // the write's
	// Of an access of pieces: how many of what is written are there, and what those take their values from that come first of a read.
	piece  int
	picked []int32
	// Of a read that waits for a write to come: the first event that it has not been asked about; -1 where nothing waits.
	waits int32
	// Of a thread that runs ahead: the places of the reads that written wants, what has been guessed of it, and the thread as it
	// was before its event number based, which nothing is unknown before.
	wants   []int32
	guesses []ir.Guess
	base    runner
	based   int
}

// start has a thread be where it is before anything has happened.
func (th *thread) start(s *places, t int) {
	*th = thread{spawner: -1, half: -1, waits: -1}
	if !s.apart {
		th.moved(s.root(t))
		th.next = &th.at.next
		return
	}
	th.run, th.next = s.p.thread(t), &step{}
}

// set makes a thread what it is in another graph.
func (th *thread) set(from *thread) {
	from.shared = true
	*th = *from
}

// own makes the thread this graph's own.
func (th *thread) own() {
	if th.shared {
		th.run, th.shared = th.run.copy(), false
	}
}

// moved has the thread be at a place.
func (th *thread) moved(to *place) { th.at, th.run, th.looked = to, to.run, false }

// begin begins a thread that is spawned.
func (th *thread) begin(by int32, c *call) {
	th.spawner, th.call = by, c
	if th.at != nil {
		th.moved(th.at.begin(c))
		return
	}
	th.own()
	th.looked = false
	th.run.begin(c.with)
}

// look runs the thread to what it does next.
func (th *thread) look() (err error) {
	if th.looked || th.half >= 0 {
		return nil
	}
	if th.at != nil {
		th.next, err = th.at.look()
	} else {
		th.own()
		th.next = &step{}
		*th.next, err = th.run.next()
	}
	th.looked = err == nil
	return err
}

// take moves the thread past an event, which is what it has come to.
func (th *thread) take(g *graph, id int32) {
	e := &g.events[id]
	if e.kind == write && th.piece+1 < len(e.whole) {
		th.piece++
		return
	}
	th.piece = 0
	if th.half >= 0 {
		th.half = -1
		return
	}
	if th.at != nil {
		th.told(g, id)
		return
	}
	th.own()
	th.looked = false
	switch th.next.kind {
	case ir.ActStoreCond:
		th.run.conditional(e.kind != choice)
	case ir.ActChoose:
		th.run.choose(e.value == 1)
	case ir.ActSpawn:
		g.spawned(th.next.other, id, &call{with: th.run.spawn(int(th.next.other))})
	case ir.ActJoin:
		th.run.pass(g.threads[th.next.other].run.result())
	default:
		th.run.pass(0)
	}
}

// deps are the dependencies of the next step, and carried those of what an update writes that has read.
func (th *thread) deps() *deps {
	if th.at != nil {
		return th.at.deps
	}
	return th.run.deps()
}

func (th *thread) carried() *deps {
	if th.at != nil {
		return th.at.carried
	}
	return th.run.carried()
}

// readTags are the tags of the read that it has moved past last.
func (th *thread) readTags() ir.Tags { return th.at.first }

// rewind has a thread that runs ahead be where it was before the first of its events that something was unknown before; from
// is the place of that event.
func (th *thread) rewind(p program, t int) (from int) {
	if th.base == nil {
		if th.base = p.thread(t); th.spawner >= 0 {
			th.base.begin(th.call.with)
		}
	}
	th.run, th.shared, th.looked, th.half = th.base.copy(), false, false, -1
	return th.based
}

// keep has later calls of rewind come back to where the thread is, before its event number based.
func (th *thread) keep(based int) { th.base, th.based = th.run.copy(), based }

// told moves a thread that does not run ahead past an event.
func (th *thread) told(g *graph, id int32) {
	e, was, v := &g.events[id], th.next, uint64(0)
	switch was.kind {
	case ir.ActLoad, ir.ActRMW:
		v = g.whole(id)
		id -= e.piece
	case ir.ActChoose:
		v = e.value
	case ir.ActStoreCond:
		if e.kind != choice {
			v = 1
		}
	case ir.ActJoin:
		v = g.threads[was.other].run.result()
	}
	th.moved(th.at.tell(v))
	if th.at.writes {
		th.half, th.written, th.second = id, th.at.written, th.at.second
	}
	if was.kind == ir.ActSpawn {
		g.spawned(was.other, id, th.at.call)
	}
}

// spawned begins a thread, unless it has begun.
func (g *graph) spawned(t, by int32, c *call) {
	if th := &g.threads[t]; th.spawner < 0 {
		th.begin(by, c)
	}
}
