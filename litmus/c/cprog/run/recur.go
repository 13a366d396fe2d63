package run

import (
	"bytes"
	"slices"
)

// A thread that touches nothing that others see does what follows from what it is like, and once it is again
// what it was like before, it will be so for ever. What is kept for that is ever later, after twice as many steps each,
// as Brent has it (An improved Monte Carlo factorization algorithm, BIT 1980): so rounds of any length are found, and
// such as a loop comes to only after a while, if there is time to go them twice.

// patience is how many steps a thread takes by itself before anything is kept.
const patience = 1 << 14

// remember keeps what the thread, which stands at the head of a loop, is like.
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

// suspect is a loop that goes on and on, none around it doing so.
type suspect struct {
	fn          *function
	depth, loop int
}

// is tells whether the thread is at its head. Then it is none any more, whatever comes of it.
func (s *suspect) is(t *Thread, loop int) bool {
	if s.fn != t.top().fn || s.depth != t.depth || s.loop != loop {
		return false
	}
	*s = suspect{}
	return true
}

// recurs tells whether the thread is again what it was like.
func (t *Thread) recurs() bool {
	p := t.past
	if p.depth != t.depth || t.chosen > 0 || len(t.cells) > 0 || len(t.due) > 0 || !slices.Equal(t.made, p.made) ||
		!slices.Equal(t.stack, p.stack) || !slices.Equal(t.dead, p.dead) {
		return false
	}
	for i := t.depth - 1; i >= 0; i-- { // who runs changes first
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
