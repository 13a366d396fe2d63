package axiomatic

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// listing is the executions that are listed for having the condition's proposition. They
// differ in rf or co, as those that are counted do.
type listing struct {
	states []ir.State  // of each
	blocks [][]sat.Lit // clauses that all others satisfy
	more   bool        // there is one for which there was no room
	all    bool        // there are no others
}

// note lists an execution as it is found, if there is room for it. Each comes here once.
func (l *listing) note(x *exploration, exec *models.Execution, state ir.State, block []sat.Lit) {
	if x.Options.List == 0 || !x.Program.Satisfies(x.Program.Condition.Prop, state) {
		return
	}
	if l.more = len(l.states) == x.Options.List; l.more {
		return
	}
	l.states, l.blocks = append(l.states, state), append(l.blocks, block)
	x.Result.Executions = append(x.Result.Executions, solver.Outcome{
		State: solver.PrintState(x.Program, state), Satisfies: true, Graph: display.Graph(exec, x.Model),
	})
}

// list looks for the executions that have not come by; every reports whether all
// executions have.
func (x *exploration) list(every bool) error {
	l := &x.listing
	if every || x.Some == solver.No {
		l.all = !l.more
		return nil
	}
	x.Aside = "listing executions"
	s := x.Listing()
	s.Add(x.Prop())
	for _, b := range l.blocks {
		s.Add(b...)
	}
	for !l.more {
		m, err := x.Ask(s)
		if err != nil {
			return err
		}
		if m == nil {
			l.all = true
			return nil
		}
		n := len(l.states)
		if err := x.record(m); err != nil {
			return err
		}
		switch {
		case len(l.states) > n:
			s.Add(l.blocks[n]...)
		case !l.more:
			return errors.New("BUG: an execution that should satisfy the proposition does not")
		}
		x.TellMore()
	}
	return nil
}

// arrange puts the list in the order of its states; of one state, the execution that is the
// state's witness stays in front.
func (x *exploration) arrange() {
	l, r := &x.listing, x.Result
	order := make([]int, len(l.states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return x.Program.CompareStates(l.states[a], l.states[b]) })
	found := r.Executions
	r.Executions = nil // what is told of meanwhile stays as it is
	for _, i := range order {
		r.Executions = append(r.Executions, found[i])
	}
	all := l.all && !x.Bounded
	r.ExecutionsComplete = &all
}
