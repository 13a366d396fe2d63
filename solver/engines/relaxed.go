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

// DeclaredBy lists the plain objects of a task's program that a name declares, which threads can share.
func DeclaredBy(t solver.VerifyTask, name string) ([]Declared, error) {
	s, err := source(t, nil)
	if err != nil {
		return nil, err
	}
	return cprog.DeclaredBy(s, name)
}

// Declared is a plain object of a program that threads can share.
type Declared = cprog.Declared
