package axiomatic

import (
	"errors"
	"fmt"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
)

// flags makes a literal for each flag of the model. It is true only in executions that raise the flag, and can be true
// in all that do. The engine asserts flags, and never negates them.
func (x *exploration) flags(r *encode.Relations) error {
	for i, f := range x.Model.Flags {
		s := outcomes.Flag{Flag: solver.Flag{Name: f.Name, Undefined: f.Undefined()}, Silent: f.Role == cat.Asserted}
		if x.e.Waits && !(x.once && x.Model.Persists(i)) {
			s.Open = "only one failing round of a waiting loop was explored"
		}
		raised, err := r.Raised(f)
		var large *encode.TooLarge
		switch {
		case errors.As(err, &large):
			s.Open = err.Error()
		case err != nil:
			return err
		default:
			r.Allow(raised)
			s.Lit = raised
		}
		x.Flags = append(x.Flags, s)
		x.pinned = append(x.pinned, r.Pins(f))
	}
	return nil
}

// noteFlags lets the checker decide which flags an execution raises, and compares this with the formula.
func (x *exploration) noteFlags(m *sat.Assignment, exec *models.Execution) error {
	if len(x.Flags) == 0 {
		return nil
	}
	for i, raised := range x.checker.Flags(exec) {
		f := &x.Flags[i]
		if said := f.Lit != 0 && m.True(f.Lit); said && !raised || f.Lit != 0 && x.pinned[i] && said != raised {
			return fmt.Errorf("BUG: formula and checker differ on whether an execution raises %s", f.Name)
		}
		if !raised || f.Raised != nil {
			continue
		}
		if role := x.Model.Flags[i]; role.Role == cat.Asserted {
			return litmus.Errorf(role.Pos,
				"the model's assertion %s fails in an execution of this test: the model does not support such "+
					"tests", f.Name)
		}
		f.Raise(exec, x.Model, x.checker.Causes(exec, i), x.Options.Witnesses)
		if f.Undefined {
			x.raising = exec
		}
	}
	return nil
}
