package symbolic

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Narrow is a program whose accesses name as few locations as the analysis can show, without locations that no access
// can reach: if threads compute an index into a table, it drops the entries beyond the index's range. It accepts
// programs that name locations by number alone and whose condition reads no location at the end. It returns a program
// unchanged if that has no more locations than accesses: there is little to gain then, and finding it takes some walks.
func Narrow(p *ir.Program, forbidsThinAir bool) *ir.Program {
	accesses := 0
	for t := range p.Threads {
		for _, s := range p.Threads[t].Code {
			if addr, _ := ir.Access(s.Op); addr != nil {
				accesses++
			}
		}
	}
	if len(p.Locs) <= accesses {
		return p
	}
	// What a location may hold follows from what accesses may be to, and the other way round.
	s := Observe(p, forbidsThinAir, Quick)
	for {
		less := 0
		next := placed(p, func(site Site, at ir.Locs) ir.Locs {
			to := ir.Locs{}
			if addr, walked := s.Addresses[site]; walked { // else no execution comes there
				for _, l := range at {
					if addr.May(p.Locs[l].Address & ir.Mask(addr.Bits)) {
						to = append(to, l)
					}
				}
			}
			less += len(at) - len(to)
			return to
		})
		if less == 0 {
			return inhabited(p, s)
		}
		p = next
		s = Observe(p, forbidsThinAir, Quick)
	}
}

// placed is a program with other locations for its accesses with location lists.
func placed(p *ir.Program, at func(Site, ir.Locs) ir.Locs) *ir.Program {
	out := *p
	out.Threads = slices.Clone(p.Threads)
	for t := range out.Threads {
		code := slices.Clone(out.Threads[t].Code)
		for pc, s := range code {
			if was := ir.At(s.Op); was != nil {
				code[pc].Op = ir.AccessAt(s.Op, at(Site{t, pc}, was))
			}
		}
		out.Threads[t].Code = code
	}
	return &out
}

// inhabited is a program without the locations that no event is at.
func inhabited(p *ir.Program, s *Structure) *ir.Program {
	to := make([]int, len(p.Locs)) // what a location becomes; -1 for nothing
	for i := range to {
		to[i] = -1
	}
	for _, e := range s.Events[len(p.Locs):] {
		for _, l := range e.Locs {
			to[l] = 0
		}
	}
	var locs []ir.Location
	for i, l := range p.Locs {
		if to[i] == 0 {
			to[i] = len(locs)
			locs = append(locs, l)
		}
	}
	if len(locs) == len(p.Locs) {
		return p
	}
	for i, l := range locs {
		if l.Next > 0 {
			locs[i].Next = max(to[l.Next], 0) // 0 where no access goes over both
		}
	}
	out := placed(p, func(_ Site, at ir.Locs) ir.Locs {
		moved := make(ir.Locs, len(at))
		for i, l := range at {
			moved[i] = to[l]
		}
		return moved
	})
	out.Locs = locs
	return out
}
