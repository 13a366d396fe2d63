package graph

import "litmuscope/litmus/ir"

// Program is the explored program: threads that run, each on what its reads give, over locations.
type Program interface {
	// NewRunner returns a runner at the start of thread t, which must be one that no thread spawns.
	NewRunner(t int) Runner
	// InitialValue is what a location begins with; it is not set if it is unknown.
	InitialValue(g *Graph, loc int32) (v uint64, set bool)
}

// Runner is a thread as it runs.
type Runner interface {
	// Copy returns an independent runner at the same position.
	Copy() Runner
	// Next is the runner's next step.
	Next() (Step, error)
	// Tags are those of its next read if that returns v, and of the write that follows from it.
	Tags(v uint64) (first, second ir.Tags)
	// Read delivers what the next step reads; it gives what an update writes, if it does.
	Read(v uint64) (written uint64, writes bool)
	// Conditional moves past a store-conditional.
	Conditional(succeeds bool)
	// Choose moves past a choice.
	Choose(yes bool)
	// Spawn moves past the next step, and gives what the other thread begins with.
	Spawn(other int) any
	// Begin starts a spawned thread with the result of the spawner's Spawn.
	Begin(with any)
	// Pass moves past any other step; of a join, with what the other thread has returned.
	Pass(result uint64)
	// Result is what the thread has returned.
	Result() uint64
	// Deps are the dependencies of the next step, and Carried those of what an update writes that has read.
	Deps() *Deps
	Carried() *Deps
}

// Step is the next that others see of a thread.
type Step struct {
	Kind  ir.ActionKind
	At    int32 // index into the thread's code, or the program's lines
	Loc   int32 // -1 for none
	Other int32 // the spawned or awaited thread
	Value uint64
	Tags  ir.Tags
	// Wants are the places of the reads that the thread needs to continue, or that Value waits for, and Guesses are the
	// possible values of the former; of threads that run ahead.
	Wants   []int32
	Guesses []uint64
	Free    bool // a choice, at will
	// Pieces are those of an access that goes over several locations.
	Pieces []ir.Piece
	// Locks: an update that takes a lock, or blocks the thread; Unlocks: a store that leaves one.
	Locks, Unlocks bool
	// Since is the place at which the loop round began that has blocked the thread; if that is unknown, behind all.
	Since int32
	// Reserved is the place of the exclusive load that a store-conditional is a pair with; -1 for none.
	Reserved int32
}

// Thread is a thread where a graph has it.
type Thread struct {
	at      *place // its position; nil for a thread that runs ahead, which runs anew in each graph
	Run     Runner
	shared  bool  // with copies of the graph: the owner must copy it before it moves
	Next    *Step // the next step, once the thread has looked
	Looked  bool
	Failed  bool  // and the failure has been reported
	Spawner int32 // the event; -1 for none
	Call    *Call // the call of a spawned thread
	// An update that has read, and is to write: the read of its update, -1 for none, and the value that it writes.
	Half    int32
	Written uint64
	Second  ir.Tags // the write's
	// Of an access of pieces: how many pieces of a write exist, and the sources of a read's first pieces.
	Piece  int
	Picked []int32
	// Of a read that waits for a write to come: the first event that the exploration has not offered to it; -1 where
	// nothing waits.
	Waits int32
	// Of a thread that runs ahead: the places of the reads that Written wants, the guesses of their values, and the
	// state of the thread before its event number based, which precedes all unknown values.
	Wants   []int32
	Guesses []ir.Guess
	base    Runner
	based   int
}

// Start puts a thread before its first step.
func (th *Thread) Start(s *Places, t int) {
	*th = Thread{Spawner: -1, Half: -1, Waits: -1}
	if !s.apart {
		th.moved(s.root(t))
		th.Next = &th.at.next
		return
	}
	th.Run, th.Next = s.p.NewRunner(t), &Step{}
}

// CopyFrom makes a thread a copy of the same thread in another graph.
func (th *Thread) CopyFrom(from *Thread) {
	from.shared = true
	*th = *from
}

// Unshare copies the thread's runner if other graphs share it.
func (th *Thread) Unshare() {
	if th.shared {
		th.Run, th.shared = th.Run.Copy(), false
	}
}

// moved has the thread be at a place.
func (th *Thread) moved(to *place) { th.at, th.Run, th.Looked = to, to.run, false }

// begin starts a spawned thread.
func (th *Thread) begin(by int32, c *Call) {
	th.Spawner, th.Call = by, c
	if th.at != nil {
		th.moved(th.at.begin(c))
		return
	}
	th.Unshare()
	th.Looked = false
	th.Run.Begin(c.With)
}

// FindNext runs the thread to its next step.
func (th *Thread) FindNext() (err error) {
	if th.Looked || th.Half >= 0 {
		return nil
	}
	if th.at != nil {
		th.Next, err = th.at.look()
	} else {
		th.Unshare()
		th.Next = &Step{}
		*th.Next, err = th.Run.Next()
	}
	th.Looked = err == nil
	return err
}

// MovePast moves the thread past an event, which must be its next step.
func (th *Thread) MovePast(g *Graph, id int32) {
	e := &g.Events[id]
	if e.Kind == Write && th.Piece+1 < len(e.Whole) {
		th.Piece++
		return
	}
	th.Piece = 0
	if th.Half >= 0 {
		th.Half = -1
		return
	}
	if th.at != nil {
		th.advance(g, id)
		return
	}
	th.Unshare()
	th.Looked = false
	switch th.Next.Kind {
	case ir.ActStoreCond:
		th.Run.Conditional(e.Kind != Choice)
	case ir.ActChoose:
		th.Run.Choose(e.Value == 1)
	case ir.ActSpawn:
		g.spawned(th.Next.Other, id, &Call{With: th.Run.Spawn(int(th.Next.Other))})
	case ir.ActJoin:
		th.Run.Pass(g.Threads[th.Next.Other].Run.Result())
	default:
		th.Run.Pass(0)
	}
}

// Deps are the dependencies of the next step.
func (th *Thread) Deps() *Deps {
	if th.at != nil {
		return th.at.deps
	}
	return th.Run.Deps()
}

// Carried are the dependencies of what an update writes that has read.
func (th *Thread) Carried() *Deps {
	if th.at != nil {
		return th.at.carried
	}
	return th.Run.Carried()
}

// ReadTags are the tags of the read that it has moved past last.
func (th *Thread) ReadTags() ir.Tags { return th.at.first }

// Rewind returns a thread that runs ahead to the state before its first event with an unknown predecessor; from is the
// place of that event.
func (th *Thread) Rewind(p Program, t int) (from int) {
	if th.base == nil {
		if th.base = p.NewRunner(t); th.Spawner >= 0 {
			th.base.Begin(th.Call.With)
		}
	}
	th.Run, th.shared, th.Looked, th.Half = th.base.Copy(), false, false, -1
	return th.based
}

// SaveBase saves the thread's state, before its event number based, for later calls of Rewind.
func (th *Thread) SaveBase(based int) { th.base, th.based = th.Run.Copy(), based }

// advance moves a thread that does not run ahead past an event.
func (th *Thread) advance(g *Graph, id int32) {
	e, was, v := &g.Events[id], th.Next, uint64(0)
	switch was.Kind {
	case ir.ActLoad, ir.ActRMW:
		v = g.Whole(id)
		id -= e.Piece
	case ir.ActChoose:
		v = e.Value
	case ir.ActStoreCond:
		if e.Kind != Choice {
			v = 1
		}
	case ir.ActJoin:
		v = g.Threads[was.Other].Run.Result()
	}
	th.moved(th.at.after(v))
	if th.at.writes {
		th.Half, th.Written, th.Second = id, th.at.written, th.at.second
	}
	if was.Kind == ir.ActSpawn {
		g.spawned(was.Other, id, th.at.call)
	}
}

// spawned begins a thread, unless it has begun.
func (g *Graph) spawned(t, by int32, c *Call) {
	if th := &g.Threads[t]; th.Spawner < 0 {
		th.begin(by, c)
	}
}
