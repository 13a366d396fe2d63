package symbolic

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/sat"
)

// Order is what program order comes to over all threads: what is before a Spawn, and the
// Spawn, are before all of the thread, and that before its Joins and what is behind these.
type Order struct {
	s       *Structure
	threads []ordering
	circuit *sat.Circuit
	holds   func(event int) sat.Lit
	err     error
}

// ordering is what comes before the events of a thread.
type ordering struct {
	events []int // of the thread
	// dominators, by event of the thread and in bits by event of the thread, are the events that
	// every way to it passes.
	dominators [][]uint64
	steps      []uint64 // those of its end, nil if it is unreachable
	past       []past   // by event: what of other threads is before it
	first, end *past    // of its begin and of its end
	begun      bool
	done       int // events with a known past
}

// past is what comes before something in other threads, by event.
type past struct {
	before []sat.Lit // the condition under which it does, if both execute
	sure   []bool    // it does, and executes whenever the other does
}

func newPast(n int) *past {
	p := &past{make([]sat.Lit, n), make([]bool, n)}
	for i := range p.before {
		p.before[i] = sat.False
	}
	return p
}

// errCycle: each waits for the other to end.
var errCycle = errors.New("the threads may wait for each other to end, which is not supported")

// NewOrder finds what is in order. If an execution may skip a Join, or one of several Spawns, holds says when it passes
// it; without, only what is certain is in order.
func NewOrder(s *Structure, c *sat.Circuit, holds func(event int) sat.Lit) (*Order, error) {
	if holds == nil {
		holds = func(int) sat.Lit { return sat.False }
	}
	o := &Order{s: s, threads: make([]ordering, len(s.Program.Threads)), circuit: c, holds: holds}
	for i, e := range s.Events {
		if e.Thread != models.InitThread {
			th := &o.threads[e.Thread]
			th.events = append(th.events, i)
		}
	}
	for t := range o.threads {
		o.dominate(t)
	}
	for t := range o.threads {
		o.run(t)
	}
	return o, o.err
}

// dominate finds the events that every way through a thread to another one passes: those
// that are in all that lead to a step. Jumps go forward alone.
func (o *Order) dominate(t int) {
	th, code := &o.threads[t], o.s.Program.Threads[t].Code
	words := (len(th.events) + 63) / 64
	waiting := map[int][]uint64{}
	meet := func(a, b []uint64) []uint64 {
		if a == nil {
			return append([]uint64(nil), b...)
		}
		for i := range a {
			a[i] &= b[i]
		}
		return a
	}
	th.dominators = make([][]uint64, len(th.events))
	cur, next := make([]uint64, words), 0
	for pc := 0; pc <= len(code); pc++ {
		if w, ok := waiting[pc]; ok {
			cur = meet(cur, w)
			delete(waiting, pc)
		}
		if pc == len(code) {
			break
		}
		for ; next < len(th.events) && o.s.Events[th.events[next]].Step == pc; next++ {
			if cur == nil { // no way leads here
				th.dominators[next] = make([]uint64, words)
				continue
			}
			th.dominators[next] = append([]uint64(nil), cur...)
			if !o.maybe(th.events[next]) {
				cur[next/64] |= 1 << (next % 64)
			}
		}
		switch op := code[pc].Op.(type) {
		case ir.Branch:
			if cur == nil {
				continue
			}
			waiting[op.Target] = meet(waiting[op.Target], cur)
			if op.Cond == nil {
				cur = nil
			}
		case ir.Unwound:
			cur = nil
		}
	}
	th.steps = cur // nil if the thread cannot reach its end
}

// maybe reports whether an event may be absent although its step executes.
func (o *Order) maybe(e int) bool {
	ev := &o.s.Events[e]
	switch op := o.s.Program.Threads[ev.Thread].Code[ev.Step].Op.(type) {
	case ir.RMW:
		return ev.Kind == models.Write && op.If != nil
	case ir.StoreCond:
		return true
	}
	return false
}

// place is where an event is among those of its thread.
func (o *Order) place(e int) int { return e - o.threads[o.s.Events[e].Thread].events[0] }

func has(bits []uint64, i int) bool { return bits != nil && bits[i/64]>>(i%64)&1 == 1 }

// run finds the past of a thread's events, one after another; it first runs the threads that it joins.
func (o *Order) run(t int) {
	th := &o.threads[t]
	if th.begun {
		return
	}
	th.begun = true
	th.first = o.spawned(t)
	th.past = make([]past, len(th.events))
	var joins []int
	for k, e := range th.events {
		if op, ok := o.op(e).(ir.Join); ok {
			o.run(op.Thread)
			if o.threads[op.Thread].end == nil {
				o.err = errCycle
				return
			}
			joins = append(joins, e)
		}
		th.past[k] = *o.pastOf(th, joins, func(j int) bool { return j == e || has(th.dominators[k], o.place(j)) })
		th.done = k + 1
	}
	th.end = o.pastOf(th, joins, func(j int) bool { return has(th.steps, o.place(j)) })
}

func (o *Order) op(e int) ir.Op {
	ev := &o.s.Events[e]
	return o.s.Program.Threads[ev.Thread].Code[ev.Step].Op
}

// spawned is the past that a thread begins with: that of its spawns, one of which has happened.
func (o *Order) spawned(t int) *past {
	out := newPast(len(o.s.Events))
	var by []int
	for e, ev := range o.s.Events {
		if ev.Kind != models.Fence {
			continue
		}
		if op, ok := o.op(e).(ir.Spawn); ok && op.Thread == t {
			by = append(by, e)
		}
	}
	for _, e := range by {
		o.run(o.s.Events[e].Thread)
		from := &o.threads[o.s.Events[e].Thread]
		k := o.place(e)
		if from.done <= k {
			o.err = errCycle
			return out
		}
		passed := sat.True
		if len(by) > 1 {
			passed = o.holds(e)
		}
		o.add(out, passed, &from.past[k], from.events[:k+1], from.dominators[k])
		out.sure[e] = passed == sat.True
	}
	return out
}

// pastOf is the past at a thread's start and what its joins add, each under the condition that the join has happened.
func (o *Order) pastOf(th *ordering, joins []int, certain func(join int) bool) *past {
	if len(joins) == 0 {
		return th.first
	}
	out := &past{slices.Clone(th.first.before), slices.Clone(th.first.sure)}
	for _, j := range joins {
		passed := sat.True
		if !certain(j) {
			passed = o.holds(j)
		}
		other := &o.threads[o.op(j).(ir.Join).Thread]
		o.add(out, passed, other.end, other.events, other.steps)
	}
	return out
}

// add adds a past and events of the same thread, under a condition. Every way to it passes some of these events.
func (o *Order) add(to *past, passed sat.Lit, from *past, own []int, dominators []uint64) {
	if passed == sat.False {
		return
	}
	for e, l := range from.before {
		if l != sat.False {
			to.before[e] = o.circuit.Or(to.before[e], o.circuit.And(passed, l))
			to.sure[e] = to.sure[e] || passed == sat.True && from.sure[e]
		}
	}
	for k, e := range own {
		to.before[e] = o.circuit.Or(to.before[e], passed)
		to.sure[e] = to.sure[e] || passed == sat.True && has(dominators, k)
	}
}

// Before returns the condition under which a precedes b in program order, if both execute.
func (o *Order) Before(a, b int) sat.Lit {
	x, y := o.s.Events[a].Thread, o.s.Events[b].Thread
	switch {
	case x == models.InitThread || y == models.InitThread:
		return sat.False
	case x == y:
		return sat.Const(o.s.Access(a) < o.s.Access(b))
	}
	return o.threads[y].past[o.place(b)].before[a]
}

// Surely reports whether a is before b in program order, and executed wherever b is.
func (o *Order) Surely(a, b int) bool {
	x, y := o.s.Events[a].Thread, o.s.Events[b].Thread
	switch {
	case x == models.InitThread || y == models.InitThread:
		return false
	case x == y:
		return o.s.Access(a) < o.s.Access(b) && has(o.threads[x].dominators[o.place(b)], o.place(a))
	}
	return o.threads[y].past[o.place(b)].sure[a]
}

// Passed reports whether an event executes in every execution in which all threads reach their ends: every way to the
// end of its thread passes it, and a spawn of the thread is just such an event.
func (o *Order) Passed(e int) bool {
	t := o.s.Events[e].Thread
	if t == models.InitThread || !has(o.threads[t].steps, o.place(e)) {
		return false
	}
	if !o.s.Program.Threads[t].Spawned {
		return true
	}
	for by := range o.s.Program.Threads {
		for step, s := range o.s.Program.Threads[by].Code {
			if op, ok := s.Op.(ir.Spawn); ok && op.Thread == t {
				if k := o.s.First[by][step]; k >= 0 && o.Passed(k) {
					return true
				}
			}
		}
	}
	return false
}
