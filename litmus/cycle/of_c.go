package cycle

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// locks reports whether an access of C takes or releases a lock; tries, whether it looks at one.
func locks(tags ir.Tags) bool {
	return slices.ContainsFunc([]ir.Tag{"LKR", "LKW", "UL", "LS", "U"}, tags.Has)
}
func tries(tags ir.Tags) bool { return slices.ContainsFunc([]ir.Tag{"LF", "RL", "RU"}, tags.Has) }

// withoutLocks returns a program of C in which every lock is always free, without accesses to locks. It returns nil if
// there are no locks, or if some thread depends on whether one is free.
func withoutLocks(p *ir.Program) *ir.Program {
	out, some := *p, false
	out.Threads = slices.Clone(p.Threads)
	for i := range out.Threads {
		code := slices.Clone(out.Threads[i].Code)
		for j := range code {
			switch op := code[j].Op.(type) {
			case ir.RMW:
				if locks(op.Tags) {
					code[j].Op, some = ir.Assign{Dst: op.Dst, Value: ir.Number(0, op.Bits)}, true
				}
			case ir.Store:
				if locks(op.Tags) {
					code[j].Op = ir.Fence{}
				}
			case ir.Load:
				if tries(op.Tags) {
					return nil
				}
			}
		}
		out.Threads[i].Code = code
	}
	if !some {
		return nil
	}
	return &out
}

// section returns the word for the outermost critical section of its kind that contains two points; "" if there is
// none.
func (v *vocabulary) section(w *walk, from, to int) string {
	for _, f := range v.Fences {
		if s := f.Section; s != nil && w.within(s, from, to) {
			return f.Name
		}
	}
	return ""
}

// within reports whether two points are in one critical section of a kind. Fences begin and end it or, for a section of
// a structure, accesses to the structure.
func (w *walk) within(s *lower.Section, from, to int) bool {
	depth, opened := 0, 0
	pass := func(tags ir.Tags, entered, left int) bool {
		switch {
		case tags.Has(s.Entered):
			if depth++; depth == 1 {
				opened = entered
			}
		case tags.Has(s.Left):
			if depth--; depth == 0 && opened <= from && left > to {
				return true
			}
		}
		return false
	}
	barriers := w.barriers
	for i := range len(w.points) + 1 {
		for ; len(barriers) > 0 && barriers[0].behind == i; barriers = barriers[1:] {
			if pass(barriers[0].tags, i, i) {
				return true
			}
		}
		if i < len(w.points) && pass(w.points[i].tags, i+1, i) {
			return true
		}
	}
	return false
}
