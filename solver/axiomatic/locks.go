package axiomatic

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/locksets"
)

// Most programs protect what their threads share by locks. For these, a formula with happens-before of all events is
// the slowest way to find no data race: it grows with the cube of the number of rounds, although the lock orders every
// pair of accesses. The engine therefore asks package locksets first. Pairs that it finds in order are not in the
// formula (encode.Relations.Ordered). Often none is left, and the program states no other property; then the answer
// needs no formula at all.

// lockAnalysis analyses the locks of a program under a model for which the argument of package locksets holds: a
// built-in model, whose atomic updates are atomic and whose races are those of C11. For others it returns nil.
func lockAnalysis(p *ir.Program, m *models.Model) *locksets.Analysis {
	if !m.IsBuiltIn() {
		return nil
	}
	races := solver.Races(m, func(tag ir.Tag) bool {
		return slices.ContainsFunc(p.Threads, func(th ir.Thread) bool {
			return slices.ContainsFunc(th.Code, func(s ir.Step) bool { return hasTag(s.Op, tag) })
		})
	})
	if !locksets.Supports(races.Model) {
		return nil
	}
	return locksets.Of(p, races.Model != m)
}

// hasTag reports whether an event of an operation has a tag.
func hasTag(op ir.Op, tag ir.Tag) bool {
	switch op := op.(type) {
	case ir.Load:
		return op.Tags.Has(tag)
	case ir.Store:
		return op.Tags.Has(tag)
	case ir.RMW:
		return op.Tags.Has(tag) || op.WriteTags.Has(tag)
	case ir.StoreCond:
		return op.Tags.Has(tag)
	case ir.Fence:
		return op.Tags.Has(tag)
	}
	return false
}

// settledByLocks reports whether the program is safe whatever its executions are: no accesses race, because locks order
// them; no other property can fail at any step; and every thread runs to its end or waits. Then no formula is needed.
// False means that the formula has to decide.
func (v *verification) settledByLocks() bool {
	if v.locks == nil || v.want.Count || !v.Model.ForbidsThinAir() ||
		slices.ContainsFunc(v.asked, func(p ir.Property) bool { return !failsAtSteps(p) }) {
		return false
	}
	// What remains are the questions that verification.run and encode ask besides races: claims, the loop bound, the
	// order across threads, and addresses outside all locations, which accesses with location lists never have.
	for t := range v.Program.Threads {
		spawned := map[int]bool{}
		for _, s := range v.Program.Threads[t].Code {
			switch op := s.Op.(type) {
			case ir.Assert:
				if op.Property == ir.Undefined || v.want.Has(op.Property) {
					return false
				}
			case ir.Unwound:
				if !op.Spin && !op.Again {
					return false
				}
			case ir.Spawn:
				spawned[op.Thread] = true
			case ir.Join:
				if !spawned[op.Thread] { // threads could wait for each other
					return false
				}
			case ir.Fence:
				if op.Addr != nil {
					return false
				}
			}
		}
	}
	return v.locks.RaceFree()
}

// failsAtSteps reports whether a property other than data-race fails at an ir.Assert, if at all.
func failsAtSteps(p ir.Property) bool {
	return p == ir.DataRace || p == ir.Assertion || p == ir.Overflow
}
