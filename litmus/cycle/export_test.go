package cycle

import "slices"

// What the tests use that ask engines, which know cycles.
var (
	RandomCycle   = randomCycle
	ContradictsSC = contradictsSC
)

// Fits tells whether tests of an architecture can have a cycle.
func Fits(arch string, c Cycle) bool {
	v := find(arch)
	return c.Check() == nil && !slices.ContainsFunc(c, func(e Edge) bool { return v.misfit(arch, e) != "" })
}
