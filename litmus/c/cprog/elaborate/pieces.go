package elaborate

import (
	"cmp"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// pieces merges bytes that no access separates into one location. Accesses that may reach several places have the same
// pieces in all of them.
//
// It begins with a cut at both ends of each access, and adds cuts until all places of an access have the same ones.
// Cuts are never removed, so this ends, at the latest when each byte is a location. Fewer locations matter, because an
// access has an event for each of its pieces.
func (e *elaboration) pieces() error {
	p := e.program
	if !slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Next > 0 }) {
		return nil
	}
	c := newCuts(p)
	for changed := true; changed; {
		changed = false
		e.accesses(func(_ int, _ ir.Step, at ir.Locs, bits int) { changed = c.align(at, bits) || changed })
	}
	if e.options.Target == Language {
		if err := e.oneAtomicWidth(c); err != nil {
			return err
		}
	}
	p.Locs = c.joined()
	for t := range p.Threads {
		for i, s := range p.Threads[t].Code {
			at, _ := placesOf(s.Op)
			moved := make(ir.Locs, len(at))
			for k, l := range at {
				moved[k] = c.to[l]
			}
			slices.Sort(moved)
			p.Threads[t].Code[i].Op = placed(s.Op, moved)
		}
	}
	e.accesses(func(_ int, _ ir.Step, at ir.Locs, bits int) {
		p.Split = p.Split || slices.ContainsFunc(at, func(l int) bool { return p.Locs[l].Bits < bits })
	})
	return nil
}

// accesses calls do for all accesses to locations.
func (e *elaboration) accesses(do func(thread int, s ir.Step, at ir.Locs, bits int)) {
	for t := range e.program.Threads {
		for _, s := range e.program.Threads[t].Code {
			if at, bits := placesOf(s.Op); len(at) > 0 {
				do(t, s, at, bits)
			}
		}
	}
}

// placesOf returns the possible locations of an access, and its width in bits.
func placesOf(op ir.Op) (at ir.Locs, bits int) {
	_, bits = ir.Access(op)
	return ir.At(op), bits
}

// placed returns an operation with other locations, if it has any.
func placed(op ir.Op, at ir.Locs) ir.Op {
	if len(at) == 0 {
		return op
	}
	switch op := op.(type) {
	case ir.Load:
		op.At = at
		return op
	case ir.Store:
		op.At = at
		return op
	case ir.RMW:
		op.At = at
		return op
	case ir.StoreCond:
		op.At = at
		return op
	}
	return op
}

// cuts are the boundaries between adjacent locations that must remain.
type cuts struct {
	p      *ir.Program
	before []bool // by location
	to     []int  // by location, the new index of the location it is merged into
}

// newCuts returns the cuts at the ends of accesses, and where uninitialised and initialised memory meet.
func newCuts(p *ir.Program) *cuts {
	c := &cuts{p: p, before: make([]bool, len(p.Locs))}
	for i := range c.before {
		c.before[i] = true
	}
	for _, l := range p.Locs {
		if l.Next > 0 {
			c.before[l.Next] = p.Locs[l.Next].Any != l.Any
		}
	}
	for t := range p.Threads {
		for _, s := range p.Threads[t].Code {
			at, bits := placesOf(s.Op)
			for _, l := range at {
				c.before[l] = true
				run := c.run(l, bits)
				if next := p.Locs[run[len(run)-1]].Next; next > 0 {
					c.before[next] = true
				}
			}
		}
	}
	return c
}

// run returns the locations of an access.
func (c *cuts) run(l, bits int) []int {
	out := []int{l}
	for left := bits - c.p.Locs[l].Bits; left > 0; left -= c.p.Locs[l].Bits {
		l = c.p.Locs[l].Next
		out = append(out, l)
	}
	return out
}

// align makes the cuts equal in all places that an access may reach.
func (c *cuts) align(at ir.Locs, bits int) (changed bool) {
	if len(at) < 2 {
		return false
	}
	runs := make([][]int, len(at))
	for i, l := range at {
		runs[i] = c.run(l, bits)
	}
	for k := range runs[0] {
		if !slices.ContainsFunc(runs, func(run []int) bool { return c.before[run[k]] }) {
			continue
		}
		for _, run := range runs {
			changed = changed || !c.before[run[k]]
			c.before[run[k]] = true
		}
	}
	return changed
}

// joined returns the merged locations in the order of addresses.
func (c *cuts) joined() []ir.Location {
	order := make([]int, len(c.p.Locs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.p.Locs[i].Address, c.p.Locs[j].Address) })
	c.to = make([]int, len(order))
	var out []ir.Location
	for _, i := range order {
		l := c.p.Locs[i]
		if c.before[i] {
			l.Next = 0
			out = append(out, l)
		} else { // directly after the last one, because it is its Next
			last := &out[len(out)-1]
			last.Init |= l.Init << last.Bits
			last.Bits += l.Bits
			last.Plain = last.Plain && l.Plain
		}
		c.to[i] = len(out) - 1
	}
	for i, l := range c.p.Locs {
		if l.Next > 0 && c.to[l.Next] != c.to[i] {
			out[c.to[i]].Next = c.to[l.Next]
		}
	}
	return out
}

// oneAtomicWidth rejects atomic accesses of two widths to one object. C does not define them: atomic operations apply
// to objects of an atomic type (C11, 7.17.7), and no language model orders them with those of another type.
func (e *elaboration) oneAtomicWidth(c *cuts) (err error) {
	type extent struct {
		at   ir.Locs
		from uint64
		bits int
		pos  litmus.Pos
	}
	had := make(map[int]extent)
	e.accesses(func(t int, s ir.Step, at ir.Locs, bits int) {
		if ir.AccessTags(s.Op).Has("NA") || err != nil {
			return
		}
		th := &e.program.Threads[t]
		for _, l := range at {
			now := extent{at, c.p.Locs[l].Address, bits, th.Source[s.Source].Pos}
			for _, q := range c.run(l, bits) {
				was, ok := had[q]
				if !ok {
					had[q] = now
				} else if was.from != now.from || was.bits != now.bits {
					err = TwoAtomicWidths(now.pos, c.p.Locs[l].Name, bits, was.bits, was.pos)
					return
				}
			}
		}
	})
	return err
}

// TwoAtomicWidths is the error that an atomic access overlaps another one of other bytes.
func TwoAtomicWidths(at litmus.Pos, name string, bits, otherBits int, otherAt litmus.Pos) error {
	return litmus.Errorf(at, "atomic access of %d bits to %s, which overlaps one of %d bits at %v: C does not "+
		"define atomic accesses of two widths to one object; choose a hardware model, such as aarch64 or tso",
		bits, name, otherBits, otherAt)
}
