package replay

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Run gives what a program leaves open about a run of its threads.
type Run struct {
	// Reads are, by thread and in program order, the values that reads return; for each store-conditional a 1 if it
	// succeeds and a 0 if it fails; and the bit of each choice.
	Reads [][]uint64
	// Until is, by thread, a step that the thread does not perform although it could; -1 for none.
	Until []int
	// Init are the initial values of the locations that may have any; nil if the run reads none.
	Init []uint64
}

// Replay runs each thread of p to its end with the values that its reads return. It returns the execution, without rf
// and co. It fails if a thread reads more or fewer values than given, does not end, or accesses memory outside of the
// locations.
func Replay(p *ir.Program, reads [][]uint64) (*models.Execution, error) {
	return NewReplayer(p).Replay(reads)
}

// Replayer replays runs of a program one after another. It caches what a thread does with given values if threads do
// not start or wait for one another.
type Replayer struct {
	program *ir.Program
	apart   bool          // no thread starts another or waits for it
	cached  [][]*replayed // by thread, some that have ended
}

// NewReplayer returns a replayer for a program.
func NewReplayer(p *ir.Program) *Replayer {
	r := &Replayer{program: p, apart: true, cached: make([][]*replayed, len(p.Threads))}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			switch s.Op.(type) {
			case ir.Spawn, ir.Join:
				r.apart = false
			}
		}
	}
	return r
}

// find returns the cached run of a thread.
func (r *Replayer) find(t int, reads []uint64) *replayed {
	if r == nil || !r.apart {
		return nil
	}
	for _, th := range r.cached[t] {
		if slices.Equal(th.given, reads) {
			return th
		}
	}
	return nil
}

// maxKnown bounds the cached runs of a thread.
const maxKnown = 64

func (r *Replayer) cache(threads []*replayed) {
	if r == nil || !r.apart {
		return
	}
	for t, th := range threads {
		if th.stop.Kind == ir.ActEnd && !th.cached && len(r.cached[t]) < maxKnown {
			r.cached[t], th.cached = append(r.cached[t], th), true
		}
	}
}

// Replay is like the function [Replay], for the replayer's program.
func (r *Replayer) Replay(reads [][]uint64) (*models.Execution, error) {
	p := r.program
	x, err := Run{Reads: reads}.replay(p, r)
	if err != nil {
		return nil, err
	}
	for t, stop := range x.Stops {
		id := p.Threads[t].ID
		switch stop.Kind {
		case ir.ActBlocked:
			return nil, fmt.Errorf("P%d: an assumption does not hold", id)
		case ir.ActFailed:
			return nil, fmt.Errorf("P%d: an assertion does not hold", id)
		case ir.ActJoin:
			return nil, fmt.Errorf("P%d: waits for P%d, which does not end", id, p.Threads[stop.Other].ID)
		case ir.ActUnwound:
			return nil, fmt.Errorf("P%d: the execution runs into the unwinding bound", id)
		}
	}
	return x, nil
}

// Prefix is like Replay, for a run in which not all threads have ended. ends has, by thread, the step before which the
// thread stops, and -1 if it has not started.
func Prefix(p *ir.Program, reads [][]uint64, ends []int) (*models.Execution, error) {
	return Run{Reads: reads, Until: ends}.Replay(p)
}

// Replay runs each thread of p as far as possible: to its end, to an assumption or an assertion that fails, to a Join
// of a thread that does not end, to the unwinding bound, or to its step in Until.
func (r Run) Replay(p *ir.Program) (*models.Execution, error) { return r.replay(p, nil) }

// replay implements both methods. by is the cache to use, or nil. Threads run in turn until none can continue: a thread
// waits at a Join for another to end.
func (r Run) replay(p *ir.Program, by *Replayer) (*models.Execution, error) {
	x := &models.Execution{Program: p, CO: make([][]int, len(p.Locs)), Reads: r.Reads}
	threads := make([]*replayed, len(p.Threads))
	for t := range threads {
		if threads[t] = by.find(t, r.Reads[t]); threads[t] != nil {
			continue
		}
		threads[t] = &replayed{
			c: ir.NewCursor(p, t, true), id: t, reads: r.Reads[t], given: r.Reads[t], until: -1,
			inside: -1, stop: ir.Action{Kind: ir.ActUnspawned, Step: -1},
		}
		if r.Until != nil {
			threads[t].until = r.Until[t]
		}
	}
	for going := true; going; { // until no thread makes progress
		going = false
		for _, th := range threads {
			for th.ready(threads) {
				if err := th.run(threads); err != nil {
					return nil, err
				}
				going = true
			}
		}
	}
	for _, th := range threads {
		if len(th.reads) > 0 {
			return nil, fmt.Errorf("P%d: %d values left unread", th.c.Thread.ID, len(th.reads))
		}
	}
	by.cache(threads)
	r.gather(x, threads)
	return x, nil
}

// replayed is a thread that is being replayed. Its events have their own numbering.
type replayed struct {
	c      *ir.Cursor
	id     int
	reads  []uint64
	given  []uint64 // reads, as they were
	cached bool     // a Replayer caches it
	until  int
	events []models.Event
	ids    []int // events of the thread's reads, store-conditionals and picks, by number

	addr, data, ctrl, rmw []models.Pair
	spawns, joined        [][2]int // an event, and the thread that it starts or has waited for
	section               []int    // by event, as in Execution
	inside                int      // the first event of the current section, -1 for none
	depth                 int      // nesting of sections in it

	begun bool
	stop  ir.Action // the action at which it stopped
}

// ready reports whether the thread can begin, or continue after a Join.
func (th *replayed) ready(all []*replayed) bool {
	if !th.begun {
		return th.c.PC >= 0
	}
	if th.stop.Kind != ir.ActJoin || th.stop.Step == th.until {
		return false
	}
	other := all[th.stop.Other]
	return other.begun && other.stop.Kind == ir.ActEnd
}

// run continues until the thread ends, stops or waits.
func (th *replayed) run(all []*replayed) error {
	passed := th.begun // the join that it has waited in
	th.begun = true
	name := fmt.Sprintf("P%d", th.c.Thread.ID)
	next := func(what string) (uint64, error) {
		if len(th.reads) == 0 {
			return 0, fmt.Errorf("%s: more %s than values", name, what)
		}
		v := th.reads[0]
		th.reads = th.reads[1:]
		return v, nil
	}
	for {
		a, err := th.c.Next()
		if err != nil {
			return err
		}
		th.stop = a
		e := models.Event{Thread: th.id, Step: a.Step, Loc: a.Loc, Tags: a.Tags}
		if a.Step == th.until || a.Kind == ir.ActJoin && !passed {
			return nil
		}
		passed = false
		switch a.Kind {
		case ir.ActEnd, ir.ActBlocked, ir.ActFailed, ir.ActUnwound:
			return nil
		case ir.ActFence, ir.ActPick, ir.ActSpawn, ir.ActJoin, ir.ActEnter, ir.ActLeave:
			e.Kind = models.Fence
			if tags := models.BarrierTags(th.c.Thread.Code[a.Step].Op); tags != nil {
				e.Tags = tags
			}
			id := th.add(e)
			th.depend(a.Deps, th.ids, id)
			switch a.Kind {
			case ir.ActPick:
				th.ids = append(th.ids, id)
			case ir.ActSpawn:
				th.spawns = append(th.spawns, [2]int{id, a.Other})
				all[a.Other].c.Start(th.c.Arguments())
			case ir.ActJoin:
				th.joined = append(th.joined, [2]int{id, a.Other})
			case ir.ActEnter:
				if th.depth++; th.depth == 1 {
					th.inside, th.section[id] = id, id
				}
			case ir.ActLeave:
				if th.depth = max(0, th.depth-1); th.depth == 0 {
					th.inside = -1
				}
			}
			th.c.Pass()
		case ir.ActChoose:
			v, err := next("choices")
			if err != nil {
				return err
			}
			th.c.Choose(v == 1)
		case ir.ActStore:
			e.Kind = models.Write
			for _, w := range th.pieces(e, a, [2]uint64{a.Value, a.Next}) {
				th.depend(a.Deps, th.ids, w)
			}
			th.c.Pass()
		case ir.ActLoad, ir.ActRMW:
			v, err := next("reads")
			if err != nil {
				return err
			}
			e.Kind = models.Read
			if a.Bits > 64 {
				behind, err := next("reads")
				if err != nil {
					return err
				}
				th.readBoth(e, a, [2]uint64{v, behind})
				continue
			}
			reads := th.pieces(e, a, [2]uint64{v})
			for _, r := range reads {
				th.depend(a.Deps, th.ids, r)
			}
			written, writes := th.c.Read(v)
			if writes {
				e.Kind = models.Write
				if op, ok := th.c.Thread.Code[a.Step].Op.(ir.RMW); ok {
					e.Tags = op.WriteTags
				}
				a.Deps = th.c.WriteDeps(a.Deps)
				for i, w := range th.pieces(e, a, [2]uint64{written}) {
					th.depend(a.Deps, append(th.ids, reads[0]), w)
					th.rmw = append(th.rmw, models.Pair{reads[i], w})
				}
			}
			th.ids = append(th.ids, reads[0])
		case ir.ActStoreCond:
			v, err := next("reads")
			if err != nil {
				return err
			}
			w := -1
			if v == 1 {
				if a.Reserved < 0 {
					return fmt.Errorf("%s: a store-conditional succeeds without its exclusive load", name)
				}
				e.Kind = models.Write
				writes := th.pieces(e, a, [2]uint64{a.Value, a.Next})
				for i, w := range writes {
					th.depend(a.Deps, th.ids, w)
					th.rmw = append(th.rmw, models.Pair{th.ids[a.Reserved] + i, w})
				}
				w = writes[0]
			}
			th.ids = append(th.ids, w)
			th.c.Conditional(v == 1)
		}
	}
}

func (th *replayed) add(e models.Event) int {
	th.events, th.section = append(th.events, e), append(th.section, th.inside)
	return len(th.events) - 1
}

// pieces adds the events of an access and returns them.
func (th *replayed) pieces(e models.Event, a ir.Action, value [2]uint64) (ids []int) {
	p := th.c.Program
	if p.Locs[a.Loc].Bits == a.Bits {
		e.Value = value[0]
		return []int{th.add(e)}
	}
	op, _ := th.c.Thread.Code[a.Step].Op.(ir.Load)
	pieces, _ := p.Pieces(a.Loc, a.Bits)
	for i, q := range pieces {
		e.Loc, e.Value, e.Piece = q.Loc, q.InBoth(value), i
		if op.Apart {
			e.Half, _ = q.Half()
		}
		ids = append(ids, th.add(e))
	}
	return ids
}

// readBoth performs a load of 128 bits.
func (th *replayed) readBoth(e models.Event, a ir.Action, value [2]uint64) {
	behind := -1
	for _, r := range th.pieces(e, a, value) {
		th.depend(a.Deps, th.ids, r)
		if behind < 0 || th.events[r].Half > th.events[behind].Half {
			behind = r
		}
	}
	th.ids = append(th.ids, behind-th.events[behind].Piece, behind)
	th.c.ReadBoth(value)
}

// depend makes an event depend on all pieces of the given reads, or of a half that is single-copy atomic by itself.
func (th *replayed) depend(d ir.Deps, ids []int, e int) {
	add := func(to []models.Pair, reads []int) []models.Pair {
		for _, r := range reads {
			first := ids[r]
			for id := first; id == first || id < len(th.events) && id != e && th.sameRead(first, id); id++ {
				to = append(to, models.Pair{id, e})
			}
		}
		return to
	}
	th.addr, th.data, th.ctrl = add(th.addr, d.Addr), add(th.data, d.Data), add(th.ctrl, d.Ctrl)
}

// sameRead reports whether a later event is another piece of a read, or of a half that is single-copy atomic by itself.
func (th *replayed) sameRead(first, id int) bool {
	a, b := &th.events[first], &th.events[id]
	return b.Piece > 0 && first-a.Piece == id-b.Piece && a.Half == b.Half
}

// gather concatenates the initial writes and the threads' events.
func (r Run) gather(x *models.Execution, threads []*replayed) {
	first := make([]int, len(threads))
	n, any := len(x.Program.Locs), false
	var addr, data, ctrl, rmw int
	for _, th := range threads {
		n += len(th.events)
		addr, data, ctrl, rmw = addr+len(th.addr), data+len(th.data), ctrl+len(th.ctrl), rmw+len(th.rmw)
		any = any || slices.ContainsFunc(th.section, func(begin int) bool { return begin >= 0 })
	}
	x.Events = make([]models.Event, 0, n)
	x.Addr, x.Data = slices.Grow(x.Addr, addr), slices.Grow(x.Data, data)
	x.Ctrl, x.RMW = slices.Grow(x.Ctrl, ctrl), slices.Grow(x.RMW, rmw)
	for i, l := range x.Program.Locs {
		init := l.Init
		if l.Any && r.Init != nil {
			init = r.Init[i]
		}
		x.Add(models.Event{Thread: models.InitThread, Step: -1, Kind: models.Write, Loc: i, Value: init, Tags: l.Tags})
	}
	var section []int
	if any {
		section = slices.Repeat([]int{-1}, len(x.Events))
	}
	x.Regs, x.Stops = make([][]uint64, 0, len(threads)), make([]ir.Action, 0, len(threads))
	for t, th := range threads {
		first[t] = len(x.Events)
		for _, e := range th.events {
			x.Add(e)
		}
		for _, begin := range th.section {
			if begin >= 0 {
				begin += first[t]
			}
			if any {
				section = append(section, begin)
			}
		}
		for _, list := range []struct {
			to   *[]models.Pair
			from []models.Pair
		}{{&x.Addr, th.addr}, {&x.Data, th.data}, {&x.Ctrl, th.ctrl}, {&x.RMW, th.rmw}} {
			for _, p := range list.from {
				*list.to = append(*list.to, models.Pair{p[0] + first[t], p[1] + first[t]})
			}
		}
		x.Regs, x.Stops = append(x.Regs, th.c.Regs), append(x.Stops, th.stop)
	}
	x.Section = section
	spawn := map[int]int{}
	for t, th := range threads {
		for _, s := range th.spawns {
			spawn[s[1]] = first[t] + s[0]
			if len(threads[s[1]].events) > 0 {
				x.Spawns = append(x.Spawns, models.Pair{first[t] + s[0], first[s[1]]})
			}
		}
	}
	for t, th := range threads {
		for _, j := range th.joined {
			other := threads[j[1]]
			if n := len(other.events); n > 0 {
				x.Joins = append(x.Joins, models.Pair{first[j[1]] + n - 1, first[t] + j[0]})
			} else if other.c.Thread.Spawned {
				x.Joins = append(x.Joins, models.Pair{spawn[j[1]], first[t] + j[0]})
			}
		}
	}
	x.RF = slices.Repeat([]int{-1}, len(x.Events))
}
