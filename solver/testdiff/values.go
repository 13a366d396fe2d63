package testdiff

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/symbolic"
)

// holds are the values that locations may hold in either program, by location of the first; nil where that may be any.
//
// They are known if every write has a value that depends on no read. If both threads do the same whenever reads return
// such values, nothing else comes about in either, not even out of thin air. A dependency made with an AND that no such
// value has a bit of is one to 0, as it is to those who write it.
func holds(before, after *ir.Program) [][]uint64 {
	out := written(before)
	other := written(after)
	for i, l := range before.Locs {
		j := slices.IndexFunc(after.Locs, func(o ir.Location) bool { return o.Name == l.Name && o.Offset == l.Offset })
		if out[i] == nil || other[j] == nil {
			out[i] = nil
			continue
		}
		out[i] = slices.Concat(out[i], other[j])
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// written are the values that a program's locations may hold.
func written(p *ir.Program) [][]uint64 {
	out := make([][]uint64, len(p.Locs))
	unrolled, loops := ir.Unroll(p, 1, ir.Waits{})
	if loops || slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Any }) {
		return out
	}
	anything := make([]bool, len(p.Locs))
	for _, e := range symbolic.Observe(unrolled, false, symbolic.Quick).Events {
		if e.Kind != models.Write {
			continue
		}
		for _, l := range e.Locs {
			out[l] = append(out[l], e.Known.Value)
			anything[l] = anything[l] || e.Thread != models.InitThread && !e.Fixed
		}
	}
	for l, any := range anything {
		if any {
			out[l] = nil
		}
	}
	return out
}
