package operational

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
)

// Outcome is an outcome with an execution that has it.
type Outcome struct {
	State     ir.State
	Execution *models.Execution
}

// Limits bound a search.
type Limits struct {
	Bytes int // of visited states; 0 for no bound
}

// Found is what a search of a machine has found.
type Found struct {
	Outcomes []Outcome
	// Flagged has for each flag of the model an execution that raises it; nil for none. It is nil as a whole if the
	// machine does not look for flags.
	Flagged []*models.Execution
	Cut     bool // some execution reaches the unrolling bound
	Waits   bool // some execution waits in a loop
	States  int  // visited
	Full    bool // Limits.Bytes ended the search

	known map[string]bool // by key of the visible state
}

// Add records the outcome of a run, unless the test's filter leaves it out or it is known, and the flags of the model
// that the run is the first to raise. execution returns the run's execution; it is only called for something new.
func (f *Found) Add(
	p *ir.Program, final ir.State, raises []int, execution func() (*models.Execution, error),
) error {
	if !p.Satisfies(p.Filter, final) {
		return nil
	}
	key := p.Visible(final).Key()
	if f.known[key] && len(raises) == 0 {
		return nil
	}
	x, err := execution()
	if err != nil {
		return err
	}
	if !slices.Equal(x.Final(), final) {
		return fmt.Errorf("BUG: a run to %v is an execution to %v", final, x.Final())
	}
	for _, i := range raises {
		f.Flagged[i] = x
	}
	if !f.known[key] {
		if f.known == nil {
			f.known = map[string]bool{}
		}
		f.known[key] = true
		f.Outcomes = append(f.Outcomes, Outcome{State: final, Execution: x})
	}
	return nil
}

// Search explores a machine for all outcomes of a program without backward jumps, as [ir.Unroll] makes it. It ends
// early, with the context's error and the outcomes so far, when the context does.
type Search func(ctx context.Context, p *ir.Program, m *models.Model, limits Limits) (Found, error)

// ErrFull ends a search that has no memory left.
var ErrFull = errors.New("memory limit reached")

// Answer answers a query for an engine of a name by a search, whose states have a name such as "state". It uses the
// options Timeout, States, Unroll, Memory (half of it, for the visited states) and Witnesses. Every outcome has an
// execution that the axioms of the model allow, with the flags that the machine has found: another answer is an error,
// as a bug of the machine.
func Answer(ctx context.Context, q solver.Query, engine, unit string, search Search) (*solver.Result, error) {
	start := time.Now()
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	unrolled, _ := ir.Unroll(q.Program, q.Options.Unroll, q.Model.Waits())
	found, err := search(ctx, unrolled, q.Model, Limits{Bytes: q.Options.Memory << 20 / 2})
	r := solver.NewResult(q, engine)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		r.Cut = "time limit reached"
		if errors.Is(err, context.Canceled) {
			r.Cut = "cancelled"
		}
	case err != nil:
		return nil, err
	case found.Full:
		r.Cut = ErrFull.Error()
	}
	r.Complete = r.Cut == "" && !found.Cut
	judge := evaluation.NewChecker(q.Model)
	open, err := flag(r, q, judge, found)
	if err != nil {
		return nil, err
	}
	some := func(satisfies bool) solver.Truth {
		if slices.ContainsFunc(found.Outcomes, func(o Outcome) bool {
			return q.Program.Satisfies(q.Program.Condition.Prop, o.State) == satisfies
		}) {
			return solver.Yes
		}
		if !r.Complete {
			return solver.Open
		}
		return solver.No
	}
	r.Decide(q.Program.Condition.Quantifier, some(true), some(false))
	if err := list(r, q, judge, found); err != nil {
		return nil, err
	}
	if r.StatesComplete == nil && r.Cut != "" {
		r.StatesComplete = new(bool)
	}
	undecided := r.Verdict == solver.Undecided || r.ConditionHolds == nil
	switch {
	case r.Cut != "":
		r.Status, r.Reason = solver.Unknown, fmt.Sprintf("machine: %s after %s", r.Cut,
			solver.Count(found.States, unit))
	case found.Cut && undecided:
		r.Status, r.Reason = solver.Unknown,
			fmt.Sprintf("the unroll bound of %d was reached: raise --unroll", q.Options.Unroll)
	case open != "" && undecided:
		r.Status, r.Reason = solver.Unknown, fmt.Sprintf("behaviour may be undefined (%s): "+
			"only one failing round of a waiting loop was explored", open)
	}
	ms := float64(time.Since(start).Microseconds()) / 1000
	r.Stats, r.MS = &solver.Stats{Explored: found.States, Solve: ms}, ms
	return r, nil
}

// flag puts the model's flags into the result. It returns the name of one that stays open because loops that only wait
// are cut.
func flag(r *solver.Result, q solver.Query, judge *evaluation.Checker, found Found) (open string, err error) {
	if found.Flagged == nil {
		return "", nil
	}
	for i, f := range q.Model.Flags {
		out := solver.Flag{Name: f.Name, Undefined: f.Undefined()}
		switch x := found.Flagged[i]; {
		case x != nil:
			if !judge.Flags(x)[i] {
				return "", fmt.Errorf("BUG: the machine finds %s in an execution without it", f.Name)
			}
			if bad := judge.Check(x); len(bad) > 0 {
				return "", fmt.Errorf("BUG: the machine reaches an execution that %s forbids: %v", q.Model.Name, bad[0])
			}
			out.Raise(x, q.Model, judge.Causes(x, i), q.Options.Witnesses)
		case !r.Complete:
		case found.Waits && !q.Model.Persists(i):
			open = f.Name
		default:
			out.Raised = new(bool)
		}
		r.Flags = append(r.Flags, out)
	}
	return open, nil
}

// list puts the first outcomes, in the order they print, into the result. The axioms check each execution.
func list(r *solver.Result, q solver.Query, judge *evaluation.Checker, found Found) error {
	outcomes := slices.Clone(found.Outcomes)
	slices.SortFunc(outcomes, func(a, b Outcome) int { return q.Program.CompareStates(a.State, b.State) })
	if n := q.Options.States; n > 0 && len(outcomes) > n {
		outcomes, r.StatesComplete = outcomes[:n], new(bool)
	}
	listed := make([]solver.Found, len(outcomes))
	for i, o := range outcomes {
		if bad := judge.Check(o.Execution); len(bad) > 0 {
			return fmt.Errorf("BUG: the machine reaches an execution that %s forbids: %v", q.Model.Name, bad[0])
		}
		if found.Flagged != nil {
			for k, raised := range judge.Flags(o.Execution) {
				if raised && found.Flagged[k] == nil {
					return fmt.Errorf("BUG: the machine does not find %s in an execution", q.Model.Flags[k].Name)
				}
			}
		}
		listed[i].State = o.State
		if q.Options.Witnesses {
			listed[i].Graph = display.Graph(o.Execution, q.Model)
		}
	}
	r.SetOutcomes(q.Program, listed, q.Options.Witnesses)
	return nil
}
