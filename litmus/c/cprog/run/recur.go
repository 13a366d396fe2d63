package run

import (
	"bytes"
	"slices"
)

// Recurrence of states. While a thread accesses no shared memory, its state determines its future. If it reaches an
// earlier state again, it repeats for ever. The state to compare with is replaced after twice as many steps each time
// (Brent, "An improved Monte Carlo factorization algorithm", BIT 1980). This finds cycles of any length that begin at
// any time, if there are enough steps to execute them twice.
//
// While a state is remembered, passing a loop head costs little, because the top frame is compared first and usually
// differs. Open numbers and pending changes of lifetimes are not compared; a thread with any is never found to recur.

// patience is the number of private steps before the first state is remembered.
const patience = 1 << 14

// remember stores the state of the thread, which is at the head of a loop.
func (t *Thread) remember() {
	t.past, t.remembers, t.suspect = nil, false, suspect{}
	for i := range t.depth {
		f := &t.frames[i]
		for j := range f.loops {
			r := &f.loops[j]
			if l := f.fn.loops[r.loop]; r.turns > 1 && l.head <= f.pc && f.pc <= l.tail && t.suspect.fn == nil {
				t.suspect = suspect{f.fn, i + 1, r.loop}
			}
			r.turns = 0
		}
	}
	t.past = t.Copy()
}

// suspect is a loop that may be endless and is not inside another such loop.
type suspect struct {
	fn          *function
	depth, loop int
}

// is reports whether the thread is at the loop's head. If so, the loop is no longer suspect.
func (s *suspect) is(t *Thread, loop int) bool {
	if s.fn != t.top().fn || s.depth != t.depth || s.loop != loop {
		return false
	}
	*s = suspect{}
	return true
}

// recurs reports whether the thread is in the remembered state again.
func (t *Thread) recurs() bool {
	p := t.past
	if p.depth != t.depth || t.chosen > 0 || len(t.cells) > 0 || len(t.due) > 0 || !slices.Equal(t.made, p.made) ||
		!slices.Equal(t.stack, p.stack) || !slices.Equal(t.dead, p.dead) {
		return false
	}
	for i := t.depth - 1; i >= 0; i-- { // the top frame usually differs first
		f, g := &t.frames[i], &p.frames[i]
		if f.fn != g.fn || f.pc != g.pc || f.dst != g.dst || !slices.Equal(f.regs, g.regs) ||
			!slices.Equal(f.unset, g.unset) {
			return false
		}
	}
	return slices.EqualFunc(t.memory.segments, p.memory.segments, func(s, was segment) bool {
		return s.base == was.base && (s.of == was.of || bytes.Equal(s.data, was.data) && bytes.Equal(s.set, was.set))
	})
}
