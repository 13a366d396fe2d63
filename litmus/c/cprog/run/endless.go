package run

import "slices"

// Endless loops by abstract interpretation (Cousot and Cousot, POPL 1977). A thread in an endless loop may count its
// rounds, and so never be in the same state twice. For a loop that runs very long, this file computes all abstract
// states at the loop's head: first the thread's state, then also the states after a round, and so on until there are no
// more. An abstract state describes numbers in part: for example, that a 16-bit counter is never negative, or is even.
// If a branch can go both ways, both paths are followed and joined where they meet. Inner loops are executed round by
// round as long as the number of rounds is known. If no path leaves the loop, fails, or has an effect that other
// threads can observe, the loop is endless, because the abstract states include all states that the thread can reach.
//
// The computation ends because joins widen: after 4 rounds in which the state at the head has grown, the ends of ranges
// move by powers of two, and after 16 to the ends of C's types, of which there are few (value.go). Besides, it takes no
// more steps than the thread has taken so far, so that attempts that fail cost about as much as the steps themselves.
//
// The result is one-sided. It is true only if no abstract path leaves the loop. False means nothing: an abstract path
// may be impossible, or a step may not be supported here.

// grown returns the widening to use for a state that has grown so many times.
func grown(times int) widening {
	switch {
	case times < 4:
		return asItIs
	case times < 16:
		return byBits
	}
	return byTypes
}

// endless reports whether the thread, which is at the head of a loop, certainly never leaves it. It uses at most so
// many steps.
func (t *Thread) endless(loop, steps int) bool {
	if t.chosen > 0 || len(t.cells) > 0 || len(t.due) > 0 {
		return false
	}
	x := &explorer{t: t, base: t.depth - 1, loop: loop, steps: steps}
	all := x.begins()
	for round := 0; ; round++ {
		next, ok := x.round(all)
		if !ok {
			return false
		}
		if next == nil { // an inner loop is endless
			return true
		}
		more, ok := x.meet(all, next, grown(round))
		if !ok || !more {
			return ok
		}
	}
}

// begins returns the thread's present state as a path.
func (x *explorer) begins() *path {
	f := x.t.top()
	out := &path{cells: map[uint64]content{}, anew: map[*block]bool{}, dead: slices.Clone(x.t.dead)}
	g := call{fn: f.fn, dst: f.dst, regs: make([]value, len(f.regs))}
	for i, v := range f.regs {
		g.regs[i] = exactly(v, f.fn.Regs[i].Bits)
		g.regs[i].unset = f.unset[i]
	}
	g.arrive(f.pc)
	out.frames = []call{g}
	return out
}

// round executes one round of the loop from the states at its head. next has the states that return to the head; it is
// nil if there are none. ok is false if a path may leave the loop, or does something that is not supported here.
func (x *explorer) round(from *path) (next *path, ok bool) {
	head := from.top().pc
	var open []*path
	var seen []come
	open = append(open, x.copy(from))
	for len(open) > 0 {
		p := open[0]
		open = open[1:]
		for {
			x.steps--
			other, ok := x.step(p)
			if !ok || x.steps < 0 {
				return nil, false
			}
			goesOn := false
			for _, q := range []*path{other, p} {
				if q == nil {
					continue
				}
				f := q.top()
				if len(q.frames) == 1 && !slices.ContainsFunc(f.turns, func(t turn) bool { return t.loop == x.loop }) {
					return nil, false
				}
				if len(q.frames) == 1 && f.pc == head {
					if next == nil {
						next = q
					} else if _, ok := x.meet(next, q, asItIs); !ok {
						return nil, false
					}
					continue
				}
				if q, ok = x.again(&seen, q); !ok {
					return nil, false
				} else if q == nil {
					continue
				}
				if q == p && (len(open) == 0 || p.compare(open[0]) < 0) {
					goesOn = true
					continue
				}
				i, same := slices.BinarySearchFunc(open, q, (*path).compare)
				if !same {
					open = slices.Insert(open, i, q)
				} else if _, ok := x.meet(open[i], q, asItIs); !ok {
					return nil, false
				}
			}
			if !goesOn {
				break
			}
		}
	}
	return next, true
}

// come is the join of all states that have reached a place, and how often it has grown.
type come struct {
	*path
	times int
}

// again joins a path, at the head of an inner loop with an unknown number of rounds, with all states that have reached
// the head before. It returns nil if there are no new states.
func (x *explorer) again(seen *[]come, p *path) (on *path, ok bool) {
	f := p.top()
	if n := f.fn.heads[f.pc]; n < 0 ||
		!slices.ContainsFunc(f.turns, func(t turn) bool { return t.loop == n && t.open > maxOpen }) {
		return p, true
	}
	for i := range *seen {
		q := &(*seen)[i]
		if q.compare(p) != 0 {
			continue
		}
		more, ok := x.meet(q.path, p, grown(q.times))
		q.times++
		if !ok || !more {
			return nil, ok
		}
		return x.copy(q.path), true
	}
	*seen = append(*seen, come{path: x.copy(p)})
	return p, true
}
