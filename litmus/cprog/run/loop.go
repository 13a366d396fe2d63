package run

import (
	"slices"

	"litmuscope/litmus/ir"
)

// round is where a call is in one of its loops.
type round struct {
	loop  int
	count int // rounds whose end was not known beforehand
	bound int // of those
	// decided: what was read has decided where control goes in this one; known: by what is known beforehand it was asked
	// whether it is the last.
	decided, known bool
	regs           []uint64 // as they were at its head
	effects        int
	written        int // how much the thread had logged
}

// change is a write to memory that the thread alone sees, and what was there.
type change struct {
	block         *block
	offset, bytes int
	was           uint64
	unset         holes
}

// maxChanges bounds how many of them a round may have that is found to have changed nothing.
const maxChanges = 64

// arrive has control come to a step, from another one of its call or from before it.
func (t *Thread) arrive(from, to int) {
	f := t.top()
	f.pc, t.checked = to, false
	n := f.fn.heads[to]
	if n < 0 {
		return
	}
	l := f.fn.loops[n]
	i := slices.IndexFunc(f.loops, func(r round) bool { return r.loop == n })
	if i >= 0 && (from < l.head || from > l.tail) { // it is entered again
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
	} else if r := &f.loops[i]; t.unchanged(f, r) {
		t.stop(Action{Kind: ir.ActBlocked, Waits: true})
		return
	} else if r.decided && !r.known {
		if r.count++; r.count > r.bound {
			t.stop(Action{Kind: ir.ActUnwound})
			return
		}
	}
	r := &f.loops[i]
	r.decided, r.known, r.effects, r.written = false, false, t.effects, t.logged
	r.regs = slices.Clone(f.regs) // never changed: others may have it, too
}

// unchanged tells whether a round that has come back to its head has left all as it was that matters there, so that it has only
// waited.
func (t *Thread) unchanged(f *frame, r *round) bool {
	if !t.p.Waits.Reads || t.effects != r.effects || t.logged-r.written > maxChanges {
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

// tested notes a branch of the call at hand, which may leave some loops: by what has been read, or by what is known beforehand.
func (t *Thread) tested(leaves []int) {
	f, tainted := t.top(), t.tainted()
	if !tainted {
		for i := range f.loops {
			f.loops[i].known = f.loops[i].known || slices.Contains(leaves, f.loops[i].loop)
		}
		return
	}
	for n := range t.depth { // whoever has called it is in a round, too
		for i := range t.frames[n].loops {
			t.frames[n].loops[i].decided = true
		}
	}
}

// note logs a change of memory that the thread alone sees.
func (t *Thread) note(c change) {
	if len(t.log) > maxChanges {
		t.log = slices.Delete(t.log, 0, 1)
	}
	t.log = append(t.log, c)
	t.logged++
}
