package machine

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Most interleavings differ only in the order of steps that do not touch one another. If a step is independent of
// everything that can happen before it in a state, the search follows that step alone.
//
// Such a step is by itself a persistent set (Godefroid 1996): along every run from the state that does not take it,
// each step commutes with it and neither enables nor disables it. A search that takes, in each state, only the steps of
// one non-empty persistent set still reaches every state without steps, in as few steps: a run to such a state must
// contain the step, since it would stay possible otherwise, and the step can move to the front. That argument is by the
// run's length and holds with cycles too. The states without steps are the ends of runs, which are all that an outcome
// needs.
//
// A wild access counts as the end of its thread, so the search finds errors likewise; it may miss one only if another
// thread can run forever.
//
// The independent steps are, for thread t:
//
//   - A store that enters t's buffer. Other threads see no buffer but their own, and
//     t itself can meanwhile only flush: that takes from the other end, or from another
//     queue, and whether a pending store is flushable never depends on later ones.
//   - A fence that need not wait. It changes nothing but marks in t's buffer. Flushes
//     that come before it only take stores away that it would have marked, and the
//     marks lose their meaning with those stores.
//   - A load of x when no other thread can still write x. Flushes of t before
//     it do not change the value: the newest pending store to x, once flushed, is
//     memory's value.
//   - A flush of x, and under SC a store to x, and a read-modify-write of x, when no
//     other thread can still read or write x. What t does before the flush is issue stores,
//     which go behind it, and loads, which it does not change as above.
//
// A step after which an assumption fails leads nowhere, now or later, for nothing that
// comes between changes what an independent step reads: without such steps, the states
// where threads are at their ends are still all reached.
//
// The search never follows a store-conditional or a choice alone: its failure must not hide its success. It follows
// both alternatives of a choice without other steps.
//
//   - A spawn, and a join that need not wait: nothing else starts the one thread, and the
//     other stays where it is.
//
// That another thread may enter an atomic section, where nobody else moves, puts a step off and no more. A run in which
// the thread never leaves the section shows nothing: as long as it has not entered, the others can do all that they
// have done.
//
// Threads may stop anywhere in a program with properties: for example, a thread stays at an assertion that fails, so
// that the search sees it at the latest in a state without steps. If two threads are about to access one location,
// neither access is independent, and the search can take every independent step first. But of stores that enter a
// buffer that holds only where no other thread touches their location.
//
// reach defines "can still": the accesses at any control point the thread could get to, and the stores pending in its
// buffer.

// locSet is a set of locations, by number modulo 64: with more locations than
// that it may hold too many, never too few.
type locSet uint64

const everywhere = ^locSet(0)

// locSetOf is what an access is to.
func locSetOf(p *ir.Program, loc, bits int) (out locSet) {
	if whole(p, loc, bits) {
		return 1 << (loc % 64)
	}
	for _, q := range piecesOf(p, loc, bits) {
		out |= 1 << (q.Loc % 64)
	}
	return out
}

// access is what a thread may still touch.
type access struct{ reads, writes locSet }

// reach gives, for each control point of a thread including its end, what the
// code from there on may access.
func reach(p *ir.Program, t int) []access {
	th := &p.Threads[t]
	written := make([]bool, len(th.Regs))
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 {
			written[r] = true
		}
	}
	initial := ir.NewCursor(p, t, false).Regs
	// target is the one location of a constant address, or the listed locations, else everywhere.
	target := func(addr ir.Expr, bits int, at ir.Locs) locSet {
		if at != nil {
			var out locSet
			for _, loc := range at {
				out |= locSetOf(p, loc, bits)
			}
			return out
		}
		fixed := true
		ir.Registers(addr, func(r int) { fixed = fixed && !written[r] })
		if !fixed {
			return everywhere
		}
		loc, ok := p.LocationAt(p.Eval(addr, initial, 0))
		if !ok {
			return 0 // a wild access ends the thread
		}
		return locSetOf(p, loc, bits)
	}

	out := make([]access, len(th.Code)+1)
	for changed := true; changed; {
		changed = false
		for pc := len(th.Code) - 1; pc >= 0; pc-- {
			now := out[pc+1]
			_, bits := ir.Access(th.Code[pc].Op)
			switch op := th.Code[pc].Op.(type) {
			case ir.Load:
				now.reads |= target(op.Addr, bits, op.At)
			case ir.Store:
				now.writes |= target(op.Addr, bits, op.At)
			case ir.RMW:
				now.reads |= target(op.Addr, bits, op.At)
				now.writes |= target(op.Addr, bits, op.At)
			case ir.StoreCond: // whether it succeeds depends on who else writes
				now.reads |= target(op.Addr, bits, op.At)
				now.writes |= target(op.Addr, bits, op.At)
			case ir.Branch:
				to := out[min(op.Target, len(th.Code))]
				if op.Cond == nil {
					now = to
				}
				now.reads |= to.reads
				now.writes |= to.writes
			case ir.Unwound:
				now = access{}
			}
			if now != out[pc] {
				out[pc], changed = now, true
			}
		}
	}
	return out
}

// reducer picks independent steps.
type reducer struct {
	kind   Kind
	reach  [][]access // by thread and control point
	parent []int      // by thread: the one that spawns it; -1 for none
	now    []access   // of the state at hand, by thread
	// races: reach states in which two threads are about to access one location.
	races bool
}

func newReducer(p *ir.Program, k Kind) *reducer {
	r := &reducer{kind: k, now: make([]access, len(p.Threads)), parent: make([]int, len(p.Threads))}
	for t := range p.Threads {
		r.parent[t] = -1
		r.reach = append(r.reach, reach(p, t))
	}
	for t := range p.Threads {
		for _, s := range p.Threads[t].Code {
			if op, ok := s.Op.(ir.Spawn); ok {
				r.parent[op.Thread] = t
			}
		}
	}
	return r
}

// after reports whether thread u, as it is in s, does nothing before thread t has taken its next step: t spawns it, or
// it waits for the end of t or of another such thread.
func (r *reducer) after(s *state, acts []ir.Action, u, t int) bool {
	for range s.threads {
		switch acts[u].Kind {
		case ir.ActUnspawned:
			u = r.parent[u]
		case ir.ActJoin:
			u = acts[u].Other
		default:
			return false
		}
		if u == t || u < 0 {
			return true
		}
	}
	return true // they wait for each other
}

// alone finds a step that the search can follow alone.
func (r *reducer) alone(s *state, acts []ir.Action, steps []step) (step, bool) {
	for t := range s.threads {
		r.now[t] = access{}
		switch acts[t].Kind {
		case ir.ActBlocked, ir.ActFailed, ir.ActUnwound: // no further than this
		default:
			r.now[t] = r.reach[t][max(0, s.threads[t].PC)]
		}
		for _, e := range s.threads[t].buffer.stores {
			r.now[t].writes |= locSetOf(s.threads[t].Program, e.loc, e.bits)
		}
	}
	for _, st := range steps {
		if r.independent(s, acts, st) {
			return st, true
		}
	}
	return step{}, false
}

// persistent reduces steps to some that the search can follow without the others: one alone, or both ways of a choice.
func (r *reducer) persistent(s *state, acts []ir.Action, steps []step) []step {
	if st, ok := r.alone(s, acts, steps); ok {
		return append(steps[:0], st)
	}
	for t, a := range acts {
		if a.Kind != ir.ActChoose {
			continue
		}
		ways := slices.DeleteFunc(slices.Clone(steps), func(st step) bool { return st.thread != t || st.flush >= 0 })
		if len(ways) > 0 {
			return ways
		}
	}
	return steps
}

// independent reports whether a step commutes with every step that other threads can still take, so that exploring it
// first loses no outcome. It compares the locations that the step accesses with those that the others can still read or
// write, by control point.
func (r *reducer) independent(s *state, acts []ir.Action, st step) bool {
	p := s.threads[st.thread].Program
	var others access
	for u, acc := range r.now {
		switch {
		case u == st.thread:
		case r.after(s, acts, u, st.thread):
			for _, e := range s.threads[u].buffer.stores {
				others.writes |= locSetOf(p, e.loc, e.bits)
			}
		default:
			others.reads |= acc.reads
			others.writes |= acc.writes
		}
	}
	a := acts[st.thread]
	untouched := func(loc, bits int) bool { return (others.reads|others.writes)&locSetOf(p, loc, bits) == 0 }
	if st.flush >= 0 {
		e := s.threads[st.thread].buffer.stores[st.flush]
		return untouched(e.loc, e.bits)
	}
	switch a.Kind {
	case ir.ActFence, ir.ActSpawn, ir.ActJoin:
		return true
	case ir.ActStore:
		return r.kind != SC && !r.races || untouched(a.Loc, a.Bits)
	case ir.ActLoad:
		return others.writes&locSetOf(p, a.Loc, a.Bits) == 0
	case ir.ActRMW:
		return untouched(a.Loc, a.Bits)
	}
	return false
}
