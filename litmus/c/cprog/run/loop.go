package run

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Rounds of loops. Whenever control arrives at the head of a loop, the round that ends there is compared with the state
// at its beginning:
//
//   - It had no effect that others can see, and left all registers and private memory that matter unchanged. Then it
//     has only waited, and the thread is blocked: another round makes a difference only if it reads another value, and
//     the engine explores this by delivering that value in this round.
//
//   - Values that were read decided some branch in it, and no counter could have ended the loop. Then it counts, and
//     more rounds than the bound are cut.
//
//   - Nothing that was read decided a branch, and the state is unchanged. Then nothing ever ends the loop, and it is
//     cut.
//
//   - Otherwise the loop counts something, and continues without a bound. Endless loops of this kind are found after
//     many steps, by recurrence (recur.go) or by abstract interpretation (endless.go).
//
// A nested loop is judged for itself; entering it again starts its count anew. A decision counts for the rounds of all
// active calls, since it may decide how they end.

// round is the state of a call in one of its loops.
type round struct {
	loop  int
	turns int // rounds since the remembered state
	count int // rounds whose end depended on values that were read
	bound int // maximum of count
	// decided: a value that was read has decided a branch in this round. constantExit: a branch that could leave the
	// loop had a condition known in advance.
	decided, constantExit bool
	regs                  []uint64 // registers at the loop's head
	effects               int
	written               int // length of the thread's log at the head
	free                  []*number
	facts, spread         int
	attempt
}

// change is a write to private memory, with the old value.
type change struct {
	block         *block
	offset, bytes int
	was           uint64
	unset         holes
}

// maxChanges is the maximum number of writes in a round that is found to have changed nothing.
const maxChanges = 64

// arrive moves control to a step, from another step of the call or from before it, and updates the rounds of loops.
func (t *Thread) arrive(from, to int) {
	f := t.top()
	f.pc, t.checked, t.doubted = to, false, false
	n := f.fn.heads[to]
	if n < 0 {
		return
	}
	if t.remembers {
		t.remember()
	} else if t.past != nil && t.recurs() || t.suspect.is(t, n) && t.endless(n, t.steps) {
		t.stop(Action{Kind: ir.ActBlocked, Spins: true, Endless: true, Since: t.passed})
		return
	}
	l := f.fn.loops[n]
	i := slices.IndexFunc(f.loops, func(r round) bool { return r.loop == n })
	if i >= 0 && (from < l.head || from > l.tail) { // the loop is entered again
		f.loops = slices.Delete(f.loops, i, i+1)
		i = -1
	}
	if i < 0 {
		r := round{loop: n, bound: t.p.Unroll}
		if t.bound > 0 {
			r.bound = t.bound
		}
		t.bound = 0
		f.loops = append(f.loops, r)
		i = len(f.loops) - 1
		if t.circle.at(t, n) { // along another path
			t.stop(Action{Kind: ir.ActUnwound})
			return
		}
	} else {
		r := &f.loops[i]
		r.turns++
		a := Action{Kind: ir.ActUnwound, Since: r.passed, Weak: t.spurious > r.spurious}
		if t.circle.at(t, n) {
			t.circle.here, t.circle.closed = true, t.unchanged(f, r)
			t.stop(a)
			return
		}
		if t.p.Waits.Reads && t.effects == r.effects && t.unchanged(f, r) {
			a.Kind, a.Waits, a.Spins = ir.ActBlocked, true, true
			t.stop(a)
			return
		}
		if r.decided && (!r.constantExit || t.unchanged(f, r)) { // no counter ends a loop that does not change
			r.count++
		}
		if r.count > r.bound || !r.decided && t.unchanged(f, r) { // or nothing that other threads do will end it
			t.stop(a)
			return
		}
	}
	r := &f.loops[i]
	r.decided, r.constantExit, r.effects, r.written, r.attempt = false, false, t.effects, t.logged,
		attempt{t.passed, t.spurious}
	r.facts, r.spread = len(t.facts), t.spread
	r.regs, r.free = slices.Clone(f.regs), slices.Clone(f.free) // immutable, because copies share it
}

// unchanged reports whether a round that has returned to its head has left all relevant private state unchanged. If it
// has no observable effect either, it has only waited.
//
// Memory is compared by the log of changes of the round instead of its contents: for each place that was written, the
// oldest entry has the value at the head. Writes to one place with different widths, or more than maxChanges writes,
// count as changes.
func (t *Thread) unchanged(f *frame, r *round) bool {
	if t.logged-r.written > maxChanges || !t.sameOpen(f, r) {
		return false
	}
	for i, live := range f.fn.live[r.loop] {
		if live && f.regs[i] != r.regs[i] {
			return false
		}
	}
	seen := t.log[len(t.log)-(t.logged-r.written):]
	for i, c := range seen {
		j := slices.IndexFunc(seen, func(d change) bool {
			return d.block == c.block && d.offset < c.offset+c.bytes && c.offset < d.offset+d.bytes
		})
		if d := seen[j]; d.offset != c.offset || d.bytes != c.bytes {
			return false
		}
		if v, unset := t.private(c.block, c.offset, c.bytes); j == i && (v != c.was || unset != c.unset) {
			return false
		}
	}
	return true
}

// tested records a branch that may leave some loops, decided by values read or by values known in advance.
func (t *Thread) tested(leaves []int) {
	f, tainted := t.top(), t.tainted()
	if tainted == nil && t.doubted {
		tainted = sources{}
	}
	if t.p.Follows {
		value, choice := tainted.split()
		t.control = t.control.with(value).with(choice)
	}
	if tainted == nil {
		for i := range f.loops {
			f.loops[i].constantExit = f.loops[i].constantExit || slices.Contains(leaves, f.loops[i].loop)
		}
		return
	}
	for n := range t.depth { // the callers are in rounds, too
		for i := range t.frames[n].loops {
			t.frames[n].loops[i].decided = true
		}
	}
}

// note logs a change of private memory.
func (t *Thread) note(c change) {
	if len(t.log) > maxChanges {
		t.log = t.log[1:]
	}
	t.log = append(t.log, c)
	t.logged++
}

// circle is a loop that a thread is to repeat.
type circle struct {
	fn          *function
	depth, loop int
	here        bool // the thread has returned to its head
	closed      bool // and the state is as in the beginning
}

// at reports whether a thread is at the head of the loop.
func (c *circle) at(t *Thread, loop int) bool {
	return c != nil && c.depth == t.depth && c.loop == loop && c.fn == t.top().fn
}

// once exceeds the number of events in the rounds that are followed.
const once = 10_000

// CanRepeat reports whether a thread that was cut at the head of a loop returns there in the same state, within as many
// rounds as the bound, while no other thread does anything: then it can repeat for ever. memory returns the values of
// scalars. The error is [Anew], or says what is not supported.
//
// It runs a copy of the thread alone, on its own view of the scalars. A choice is answered with no, so that no update
// fails spuriously. If several rounds together restore the state, such as one that toggles a bit, comparing with the
// first state finds this as well.
func (t *Thread) CanRepeat(memory func(scalar int) uint64) (bool, error) {
	c := t.Copy()
	f := c.top()
	n := f.fn.heads[f.pc]
	i := slices.IndexFunc(f.loops, func(r round) bool { return r.loop == n })
	if i < 0 { // recursion is too deep
		return false, nil
	}
	c.stopped, c.circle = nil, &circle{fn: f.fn, depth: c.depth, loop: n}
	f.loops[i] = round{
		loop: n, bound: f.loops[i].bound, regs: slices.Clone(f.regs), written: c.logged,
		free: slices.Clone(f.free), facts: len(c.facts), spread: c.spread,
	}
	now := map[int]uint64{}
	at := func(scalar int) uint64 {
		if v, ok := now[scalar]; ok {
			return v
		}
		return memory(scalar)
	}
	rounds := 0
	for range once {
		a, err := c.Next()
		if err != nil {
			return false, err
		}
		switch a.Kind {
		case ir.ActLoad, ir.ActRMW:
			v := uint64(0)
			for _, q := range a.pieces() {
				v |= at(q.Loc) << q.Lo
			}
			if v, writes := c.Read(v); writes {
				a.Value = v
				a.leaves(now)
			}
		case ir.ActStore:
			a.leaves(now)
			c.Pass(0)
		case ir.ActFence:
			c.Pass(0)
		case ir.ActChoose:
			c.Choose(false)
		case ir.ActUnwound:
			same := c.circle.closed
			for scalar, v := range now {
				same = same && v == memory(scalar)
			}
			if rounds++; same || !c.circle.here || rounds > f.loops[i].bound {
				return same, nil
			}
			c.stopped, c.circle.here = nil, false
		default:
			return false, nil
		}
	}
	return false, nil
}

// leaves records the values of scalars after an action has written.
func (a *Action) leaves(now map[int]uint64) {
	for _, q := range a.pieces() {
		now[q.Loc] = q.In(a.Value)
	}
}

// pieces returns the pieces of an access, or its only scalar.
func (a *Action) pieces() []ir.Piece {
	if a.Pieces == nil {
		return []ir.Piece{{Loc: a.Scalar, Bits: 64}}
	}
	return a.Pieces
}
