package lower

import (
	"strings"

	"litmuscope/litmus/ir"
)

// Most tests give no type to what they reach through registers alone: the accesses
// tell. An access whose address comes from a single register that holds a location's
// address from the start, perhaps by way of others that it is added to, is to that location; what no such
// access settles has the width of the program's accesses, if that is one.

// settleWidths finds the widths of locations without a type, and of those that are only
// accessed in part.
func (b *Builder) settleWidths() {
	common, mixed := 0, false
	widths := map[int]int{} // by location; -1 where accesses differ
	for t := range b.Program.Threads {
		f := b.newPointerFinder(t)
		for _, s := range b.Program.Threads[t].Code {
			addr, bits := ir.Access(s.Op)
			if addr == nil {
				continue
			}
			mixed = mixed || common != 0 && common != bits
			common = bits
			if i, ok := f.location(addr); ok {
				if w := widths[i]; w != 0 && w != bits {
					bits = -1
				}
				widths[i] = bits
			}
		}
	}
	for i := range b.Program.Locs {
		switch loc := &b.Program.Locs[i]; {
		case b.typed[i]:
			// The low end of a wider location is one by itself if nothing reaches the rest.
			if w := widths[i]; w > 0 && w < loc.Bits && loc.Init&^ir.Mask(w) == 0 && !b.inArray(i) {
				loc.Bits, loc.Signed = w, false
			}
		case widths[i] > 0:
			b.setWidth(i, widths[i])
		case common != 0 && !mixed:
			b.setWidth(i, common)
		}
	}
}

// setWidth gives a location without a type a width. A part of a word is a number of its
// own, without a sign.
func (b *Builder) setWidth(i, bits int) {
	loc := &b.Program.Locs[i]
	loc.Bits, loc.Signed = bits, bits >= b.WordBits
}

// inArray tells whether location i is an element of an array.
func (b *Builder) inArray(i int) bool { return strings.Contains(b.Program.Locs[i].Name, "[") }

// pointerFinder follows the addresses of one thread back to initial values.
type pointerFinder struct {
	b    *Builder
	t    int
	sets []int       // how often each register is set
	by   []ir.Assign // the last assignment to it
}

func (b *Builder) newPointerFinder(t int) *pointerFinder {
	th := &b.Program.Threads[t]
	f := &pointerFinder{b, t, make([]int, len(th.Regs)), make([]ir.Assign, len(th.Regs))}
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 {
			f.sets[r]++
			f.by[r], _ = s.Op.(ir.Assign)
		}
	}
	return f
}

// location is the only location whose address e can be seen to come from.
func (f *pointerFinder) location(e ir.Expr) (loc int, ok bool) {
	loc = -1
	unique := true
	th := &f.b.Program.Threads[f.t]
	seen := map[int]bool{}
	var visit func(r int)
	visit = func(r int) {
		if seen[r] {
			return
		}
		seen[r] = true
		switch {
		case f.sets[r] == 0 && th.Regs[r].Init != 0:
			if i, ok := f.b.Program.LocationAt(th.Regs[r].Init); ok {
				unique = unique && (loc < 0 || loc == i)
				loc = i
			}
		case f.sets[r] == 1 && f.by[r].Value != nil:
			ir.Registers(f.by[r].Value, visit)
		}
	}
	ir.Registers(e, visit)
	return loc, loc >= 0 && unique
}
