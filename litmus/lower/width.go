package lower

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Most tests give no type to what they reach through registers alone: the accesses
// tell. An access whose address comes from a single register that holds a location's
// address from the start, perhaps by way of others that it is added to, is to that location; what no such
// access settles has the width of the program's accesses, if that is one. If only a computed address
// reveals an access of another width, the run ends with an error.

// settleWidths finds the widths of locations without a type, and of those that are only
// accessed in part.
func (b *Builder) settleWidths() {
	common, mixed := 0, false
	widths := map[int]int{} // by location; -1 where accesses differ
	at := map[uint64]int{}
	for i, loc := range slices.Backward(b.Program.Locs) {
		at[loc.Address] = i
	}
	for t := range b.Program.Threads {
		origins := findOrigins(&b.Program.Threads[t], at)
		for _, s := range b.Program.Threads[t].Code {
			addr, bits := ir.Access(s.Op)
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
	for _, t := range b.touches { // an address that is no register's
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

// origin is where a register's value comes from, as far as addresses go: one location, by
// index, none that can be seen, or several.
type origin int

const (
	noLocation origin = -1 - iota
	manyLocations
)

// join is where a value comes from that is made of two.
func (o origin) join(p origin) origin {
	switch {
	case o == p || p == noLocation:
		return o
	case o == noLocation:
		return p
	}
	return manyLocations
}

// findOrigins follows the registers of a thread back to initial values, by assignments to
// registers that are set just once; at finds locations by their addresses.
func findOrigins(th *ir.Thread, at map[uint64]int) []origin {
	sets := make([]int, len(th.Regs))
	by := make([]ir.Expr, len(th.Regs)) // the last assignment to it
	for _, s := range th.Code {
		if r, _ := ir.Effect(s.Op); r >= 0 {
			sets[r]++
			a, _ := s.Op.(ir.Assign)
			by[r] = a.Value
		}
	}
	origins := make([]origin, len(th.Regs))
	users := make([][]int, len(th.Regs)) // of each register, those assigned from it
	var changed []int
	for r := range origins {
		origins[r] = noLocation
		switch {
		case sets[r] == 0 && th.Regs[r].Init != 0:
			if i, ok := at[th.Regs[r].Init]; ok {
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
