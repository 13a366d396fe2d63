package lower

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Widths of locations. Most tests do not declare types for locations that they reach through registers; the accesses
// determine the widths. An access whose address comes from a single register that initially contains a location's
// address, perhaps through others that it is added to, is to that location. Locations without such an access have the
// width of the program's accesses, if these have the same one. If a computed address leads to an access of another
// width, the run ends with an error.

// settleWidths determines the widths of locations without a type, and of those that are only accessed in part.
func (b *Builder) settleWidths() {
	common, mixed := 0, false
	widths := map[int]int{} // by location; -1 if accesses differ
	at := map[uint64]int{}
	for i, loc := range slices.Backward(b.Program.Locs) {
		at[loc.Address] = i
	}
	mask := ^uint64(0)
	if b.system != nil {
		mask = b.system.AddressMask
	}
	for t := range b.Program.Threads {
		origins := findOrigins(&b.Program.Threads[t], at, mask)
		for pc, s := range b.Program.Threads[t].Code {
			addr, bits := ir.Access(s.Op)
			if b.system != nil {
				if b.system.hidden[[2]int{t, pc}] {
					continue
				}
				if v := b.system.virtual[[2]int{t, pc}]; v != nil {
					addr = v
				}
			}
			if addr == nil {
				continue
			}
			mixed = mixed || common != 0 && common != bits
			common = bits
			from := origin(noLocation)
			ir.Registers(addr, func(r int) { from = from.join(origins[r]) })
			if i := int(from); i >= 0 {
				if w := widths[i]; w != 0 && w != bits {
					bits = -1
				}
				widths[i] = bits
			}
		}
	}
	for _, t := range b.touches { // an address that does not come from a register
		if t.from < 0 || !t.exact || t.at != 0 {
			continue
		}
		if i := b.objects[t.from].locs[0]; b.typed[i] && widths[i] == 0 {
			widths[i] = t.bits
		}
	}
	mixedSize := map[int]bool{}
	for _, o := range b.objects {
		for _, i := range o.locs {
			mixedSize[i] = o.mixed
		}
	}
	for i := range b.Program.Locs {
		switch loc := &b.Program.Locs[i]; {
		case mixedSize[i]:
		case b.typed[i]:
			// If no access reaches the rest, a wider location is reduced to its low end.
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

// setWidth sets the width of a location without a type. A part of a word is an unsigned number.
func (b *Builder) setWidth(i, bits int) {
	loc := &b.Program.Locs[i]
	loc.Bits, loc.Signed = bits, bits >= b.WordBits
}

// inArray reports whether location i is an element of an array.
func (b *Builder) inArray(i int) bool { return strings.Contains(b.Program.Locs[i].Name, "[") }

// origin is the source of an address in a register: one location, by index, or no visible one, or several.
type origin int

const (
	noLocation origin = -1 - iota
	manyLocations
)

// join returns the origin of a value computed from two.
func (o origin) join(p origin) origin {
	switch {
	case o == p || p == noLocation:
		return o
	case o == noLocation:
		return p
	}
	return manyLocations
}

// findOrigins follows the registers of a thread back to initial values, through registers that are set only once. at
// maps addresses to locations; mask has the bits of an address that count.
func findOrigins(th *ir.Thread, at map[uint64]int, mask uint64) []origin {
	sets := make([]int, len(th.Regs))
	by := make([]ir.Expr, len(th.Regs)) // by register: its last assignment
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 {
			sets[r]++
			a, _ := s.Op.(ir.Assign)
			by[r] = a.Value
		}
	}
	origins := make([]origin, len(th.Regs))
	users := make([][]int, len(th.Regs)) // by register: the registers assigned from it
	var changed []int
	for r := range origins {
		origins[r] = noLocation
		switch {
		case sets[r] == 0 && th.Regs[r].Init != 0:
			if i, ok := at[th.Regs[r].Init&mask]; ok {
				origins[r] = origin(i)
				changed = append(changed, r)
			}
		case sets[r] == 1 && by[r] != nil:
			ir.Registers(by[r], func(from int) { users[from] = append(users[from], r) })
		}
	}
	for len(changed) > 0 { // a register changes twice at most
		r := changed[len(changed)-1]
		changed = changed[:len(changed)-1]
		for _, to := range users[r] {
			if now := origins[to].join(origins[r]); now != origins[to] {
				origins[to] = now
				changed = append(changed, to)
			}
		}
	}
	return origins
}
