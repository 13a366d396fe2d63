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

// listing has the listed executions that satisfy the condition's proposition. They differ in rf or co, like those that
// the engine counts.
type listing struct {
	states []ir.State  // by execution: its state
	blocks [][]sat.Lit // clauses that all other executions satisfy
	more   bool        // there was no room for another one
	all    bool        // there are no others
}

// note lists a new execution if there is room. The caller notes each once.
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

// list looks for new executions; every reports whether it found all executions.
func (x *exploration) list(every bool) error {
	l := &x.listing
	if every || x.Some == solver.No {
		l.all = !l.more
		return nil
	}
	x.AfterOutcomes = "listing executions"
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
		x.SendPartialAtIntervals()
	}
	return nil
}

// arrange sorts the list by states; of one state, the state's witness comes first.
func (x *exploration) arrange() {
	l, r := &x.listing, x.Result
	order := make([]int, len(l.states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return x.Program.CompareStates(l.states[a], l.states[b]) })
	found := r.Executions
	r.Executions = nil // a published result must not change
	for _, i := range order {
		r.Executions = append(r.Executions, found[i])
	}
	all := l.all && !x.Bounded
	r.ExecutionsComplete = &all
}
