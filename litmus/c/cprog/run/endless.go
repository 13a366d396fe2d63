package run

import "slices"

// A thread that goes round for ever may count its rounds, and never be again what it was. So a loop that goes on and on
// is gone round with all that the thread may be like at its head: at first with what it is like, then with what comes
// of a round as well, and so on until no more comes of one. Numbers are known in part there: that a counter of 16 bits
// is never negative, say, or that it is even. Where a branch may go either way, both are followed, and come together
// where they meet again; loops within are gone round as often as they are, as long as it is known how often. If no path
// leaves the loop, fails, or does what others see, none ever will, for all that the thread may come to be like has been
// looked at.

// grown is how something is widened that has grown some times.
func grown(times int) widening {
	switch {
	case times < 4:
		return asItIs
	case times < 16:
		return byBits
	}
	return byTypes
}

// endless tells whether the thread, which stands at the head of a loop, never leaves that, as far as so many steps
// show.
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
		if next == nil { // there is a loop within that is not left
			return true
		}
		more, ok := x.meet(all, next, grown(round))
		if !ok || !more {
			return ok
		}
	}
}

// begins is what the thread is like.
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

// round has what is at the head of the loop go once round it: next is what comes back to it, nil where nothing does. ok
// is false where something may leave it, or do what is not followed.
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

// come is all that has come to a place, and how often it has grown.
type come struct {
	*path
	times int
}

// again has a path that comes to the head of a loop of which it is open how often it is gone round go on with all that
// has come there before; nil where that is no more than what has.
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
