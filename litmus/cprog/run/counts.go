package run

import (
	"bytes"
	"slices"

	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/ir"
)

// A thread that goes round for ever may count its rounds, and never be again what it was. It goes round for ever all the
// same if nothing that it does depends on what it counts: where two moments at one place differ in some bytes and registers alone, what it has
// done in between is done again, and seen to where their values come to. If no branch, no address and nothing else that
// it does rests on them, and they come to nothing but one another in the end, it does the same from now on, in any number of
// rounds. What something rests on is from then on to be the same in both moments.

// maxSpots is how many bytes and registers may differ.
const maxSpots = 64

// spot is a register of a call, or where depth is 0 a byte of memory.
type spot struct {
	depth, reg int
	addr       uint64
}

// counting is what has been found out since the thread was what is kept.
type counting struct {
	needed []spot // that something rests on
	spent  int    // steps done again
}

// counts tells whether the thread differs from what it was in nothing that it ever depends on.
func (t *Thread) counts() bool {
	period := t.steps - t.past.steps
	if t.counting.spent+period > t.steps || !t.past.sameAt(t, t.counting.needed) {
		return false
	}
	roots, ok := t.past.differences(t)
	if !ok {
		return false
	}
	origins := make([]uint64, len(roots)) // by root: those whose values came to it
	for {
		if t.counting.spent += period; t.counting.spent > 2*t.steps {
			return false
		}
		f := flow{t: t.past.Copy(), bytes: map[uint64]uint64{}}
		f.t.past, f.t.remembers = nil, false
		for range f.t.depth {
			f.regs = append(f.regs, make([]uint64, len(f.t.frames[len(f.regs)].regs)))
		}
		for i, s := range roots {
			f.mark(s, 1<<i)
		}
		for range period {
			if !f.step() {
				break
			}
		}
		if f.rests != 0 {
			for again := true; again; {
				again = false
				for i := range roots {
					if all := f.rests | origins[i]; f.rests>>i&1 == 1 && all != f.rests {
						f.rests, again = all, true
					}
				}
			}
			for i, s := range roots {
				if f.rests>>i&1 == 1 {
					t.counting.needed = append(t.counting.needed, s)
				}
			}
			return false
		}
		if f.lost || f.t.depth != t.depth || f.t.top().pc != t.top().pc {
			return false
		}
		more := false
		for s, from := range f.ends() {
			if !slices.Contains(roots, s) {
				roots, origins, more = append(roots, s), append(origins, from), true
			}
		}
		switch {
		case len(roots) > maxSpots:
			return false
		case !more:
			return true
		}
	}
}

// at is the value of a spot.
func (t *Thread) at(s spot) uint64 {
	if s.depth > 0 {
		return t.frames[s.depth-1].regs[s.reg]
	}
	b := t.p.blockAt(s.addr)
	v, _ := t.private(b, int(s.addr-b.base), 1)
	return v
}

// sameAt tells whether some spots have the values that they have in another thread.
func (t *Thread) sameAt(u *Thread, spots []spot) bool {
	return !slices.ContainsFunc(spots, func(s spot) bool {
		return s.depth > t.depth || s.depth > u.depth || s.depth > 0 && t.frames[s.depth-1].fn != u.frames[s.depth-1].fn || t.at(s) != u.at(s)
	})
}

// differences are where a thread is not what it is later; ok is false where it is elsewhere, or they are too many.
func (t *Thread) differences(u *Thread) (all []spot, ok bool) {
	if t.depth != u.depth || u.chosen > 0 || len(u.cells) > 0 || len(u.due) > 0 || !slices.Equal(t.made, u.made) || !slices.Equal(t.dead, u.dead) ||
		len(t.memory.segments) != len(u.memory.segments) {
		return nil, false
	}
	for i := t.depth - 1; i >= 0; i-- {
		f, g := &t.frames[i], &u.frames[i]
		if f.fn != g.fn || f.pc != g.pc || f.dst != g.dst || !slices.Equal(f.unset, g.unset) {
			return nil, false
		}
		for r, v := range f.regs {
			if v != g.regs[r] {
				all = append(all, spot{depth: i + 1, reg: r})
			}
		}
		if len(all) > maxSpots {
			return nil, false
		}
	}
	for i := range t.memory.segments {
		s, is := &t.memory.segments[i], &u.memory.segments[i]
		if s.base != is.base || s.of != is.of && !bytes.Equal(s.set, is.set) {
			return nil, false
		}
		if s.of == is.of || bytes.Equal(s.data, is.data) {
			continue
		}
		for j, v := range s.data {
			if v != is.data[j] {
				if all = append(all, spot{addr: s.base + uint64(j)}); len(all) > maxSpots {
					return nil, false
				}
			}
		}
	}
	return all, true
}

// flow does what a thread has done once more, and sees to where the values of some spots come to. What has come of the
// i-th has bit i.
type flow struct {
	t     *Thread
	regs  [][]uint64 // by call
	bytes map[uint64]uint64
	rests uint64 // what something rests on that the thread has done
	lost  bool   // it has done what is not followed
}

func (f *flow) mark(s spot, bits uint64) {
	if s.depth > 0 {
		f.regs[s.depth-1][s.reg] |= bits
	} else {
		f.bytes[s.addr] |= bits
	}
}

// ends are the spots that something has come to.
func (f *flow) ends() map[spot]uint64 {
	out := map[spot]uint64{}
	for depth, regs := range f.regs[:f.t.depth] {
		for r, from := range regs {
			if from != 0 {
				out[spot{depth: depth + 1, reg: r}] = from
			}
		}
	}
	for addr, from := range f.bytes {
		if from != 0 {
			out[spot{addr: addr}] = from
		}
	}
	return out
}

// of is what has come to an expression.
func (f *flow) of(x ir.Expr) (from uint64) {
	if x != nil {
		ir.Registers(x, func(r int) { from |= f.regs[f.t.depth-1][r] })
	}
	return from
}

// step does one step; false where no other is to be done.
func (f *flow) step() bool {
	t := f.t
	if len(t.due) > 0 || t.chosen > 0 {
		f.lost = true
		return false
	}
	fr, depth := t.top(), t.depth
	set := func(r int, from uint64) {
		if r >= 0 {
			f.regs[depth-1][r] = from
		}
	}
	memory := func(addr ir.Expr, bits int) (from uint64) {
		for i := range uint64(bits / 8) {
			from |= f.bytes[t.eval(addr, 0)+i]
		}
		return from
	}
	write := func(addr ir.Expr, bits int, from uint64) {
		for i := range uint64(bits / 8) {
			f.bytes[t.eval(addr, 0)+i] = from
		}
	}
	var args []uint64 // of a call, by parameter
	result, to := uint64(0), -1
	switch o := fr.fn.Code[fr.pc].Op.(type) {
	case code.Assign:
		set(o.Dst, f.of(o.Value))
	case code.Locate:
		set(o.Dst, 0)
	case code.Self:
		set(o.Dst, 0)
	case code.Load:
		f.rests |= f.of(o.Addr)
		set(o.Dst, memory(o.Addr, fr.fn.Regs[o.Dst].Bits))
	case code.Store:
		f.rests |= f.of(o.Addr)
		write(o.Addr, o.Value.Width(), f.of(o.Value))
	case code.Update:
		f.rests |= f.of(o.Addr) | f.of(o.Weak)
		bits := fr.fn.Regs[o.Dst].Bits
		was := memory(o.Addr, bits)
		write(o.Addr, bits, was|f.of(o.Next)|f.of(o.When))
		does := was | f.of(o.When)
		set(o.Dst, was)
		set(o.Wrote, does)
	case code.Fence:
		f.rests |= f.of(o.Addr)
	case code.Branch:
		f.rests |= f.of(o.Cond)
	case code.Assume:
		f.rests |= f.of(o.Cond)
	case code.Assert:
		if o.Property != ir.Overflow || slices.Contains(t.p.Properties, ir.Overflow) {
			f.rests |= f.of(o.Cond)
		}
	case code.Call:
		f.rests |= f.of(o.Target)
		for _, x := range o.Args {
			args = append(args, f.of(x))
		}
	case code.Ret:
		result, to = f.of(o.Value), fr.dst
	case code.Begin, code.Life, code.Section, code.Bound, code.Attempt:
	default:
		f.lost = true
	}
	if f.rests != 0 || f.lost {
		return false
	}
	if a, err := t.step(); a != nil || err != nil || t.stopped != nil {
		f.lost = true
		return false
	}
	switch {
	case t.depth > depth: // a call
		fn := t.top().fn
		regs := make([]uint64, len(fn.Regs))
		for i, r := range fn.Params {
			if i < len(args) {
				regs[r] = args[i]
			}
		}
		f.regs = append(f.regs[:depth], regs)
	case t.depth < depth && to >= 0:
		f.regs[t.depth-1][to] = result
	}
	return true
}
