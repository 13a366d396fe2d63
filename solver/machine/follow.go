package machine

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver/operational"
)

// followStates bounds the search for a run.
const followStates = 1 << 15

// Follow gives the steps of a run of the machine whose execution is the graph's: its reads read from the same writes,
// and its writes reach memory in the same order. Threads continue as long as they can, and stores wait as long as no
// thread notices.
//
// What a given rf and co ask of the order of steps is a matter of which comes first, without
// alternatives: a read comes after its write has reached memory (or is in its thread's
// buffer), and before the next in coherence order does. So a search that takes no step
// that breaks this rarely has to turn back; it does so for store-conditionals and choices.
func Follow(p *ir.Program, k Kind, g *models.Graph) ([]Step, error) {
	d, err := newDrawn(p, g)
	if err != nil {
		return nil, err
	}
	f := &follower{program: p, kind: k, seen: map[string]bool{}}
	s := newState(p)
	if err := s.begin(); err != nil {
		return nil, err
	}
	found, err := f.search(s, newTracker(d), 0)
	switch {
	case err != nil:
		return nil, err
	case !found && len(f.seen) >= followStates:
		return nil, fmt.Errorf("the first %d states contain no run with this execution", followStates)
	case !found && f.cut:
		return nil, fmt.Errorf("no run of at most %d steps has this execution", play.MaxPath)
	case !found:
		return nil, &operational.Stuck[Step]{Path: f.best, Happened: f.happened}
	}
	return lazy(p, k, f.steps), nil
}

type follower struct {
	program *ir.Program
	kind    Kind
	seen    map[string]bool
	steps   []Step
	cut     bool  // some run is longer than play.MaxPath
	events  []int // of the execution, which the steps perform

	// The first steps with the most events, and these.
	best     []Step
	happened []int
}

// search continues from a state, first with the thread that took the last step.
func (f *follower) search(s *state, x *tracker, thread int) (bool, error) {
	key := string(x.encode(s.encode(nil)))
	if f.seen[key] || len(f.seen) >= followStates {
		return false, nil
	}
	if len(f.steps) >= play.MaxPath {
		f.cut = true
		return false, nil
	}
	f.seen[key] = true
	if len(f.events) > len(f.happened) {
		f.best, f.happened = slices.Clone(f.steps), slices.Clone(f.events)
	}
	acts := make([]ir.Action, len(s.threads))
	if err := s.actions(acts); err != nil {
		return false, err
	}
	steps := s.steps(f.kind, acts, nil)
	if len(steps) == 0 {
		return x.over(), nil
	}
	n := len(s.threads)
	for _, flush := range []bool{false, true} {
		for t := range n {
			for _, st := range steps {
				if st.thread != (thread+t)%n || (st.flush >= 0) != flush {
					continue
				}
				y := x.clone()
				performed, ok := y.take(f.kind, s, st, acts[st.thread])
				if !ok {
					continue
				}
				next := newState(f.program)
				next.set(s)
				if err := next.take(f.kind, st, acts[st.thread]); err != nil {
					continue // a wild access is none of the execution's
				}
				f.steps = append(f.steps, s.exported(st))
				before := len(f.events)
				f.events = append(f.events, performed...)
				if found, err := f.search(next, y, st.thread); found || err != nil {
					return found, err
				}
				f.steps, f.events = f.steps[:len(f.steps)-1], f.events[:before]
			}
		}
	}
	return false, nil
}
