package engines

import (
	"litmuscope/litmus/c/cprog"
	"litmuscope/solver"
)

// relaxedOf says which plain accesses of an admitted task's program count as relaxed atomics.
func relaxedOf(t solver.VerifyTask) cprog.RelaxedOptions {
	volatile, names, _ := t.RelaxedAccesses()
	return cprog.RelaxedOptions{Volatile: volatile, Names: names}
}
