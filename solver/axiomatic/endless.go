package axiomatic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
)

var _ solver.Terminator = Engine{}

// leastRounds is the smallest bound of loops that has room for a round and its copy.
const leastRounds = 2

// Terminates implements solver.Terminator. One question asks for an execution that never ends (encode.NeverEnds), and
// another, if there is none, whether the bound may hide one.
func (en Engine) Terminates(ctx context.Context, q solver.Query) (*solver.Termination, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	bound := max(q.Options.Unroll, leastRounds)
	out := &solver.Termination{Progress: q.Options.Progress, Bound: bound}
	err := en.terminates(ctx, q, out)
	if why := outcomes.Limit(ctx, q.Options, err); why != "" {
		out.Reason, err = why, nil
	}
	return out, err
}

// terminates answers in out. Its formula is that of a verification: a prefix of an execution, where threads may stop.
func (en Engine) terminates(ctx context.Context, q solver.Query, out *solver.Termination) error {
	progress := q.Options.Progress
	x, err := ir.UnrollEndless(q.Program, out.Bound, q.Model.Waits(), progress != solver.Fair)
	if err != nil {
		return err
	}
	q.Program = x.Program
	v := &verification{Query: q, ctx: ctx, stats: &solver.Stats{}}
	stops, err := encode.NewPrefix(v.Program)
	if err != nil {
		return err
	}
	if _, _, err = v.encode(stops); err != nil {
		return err
	}
	defer v.e.Release()
	v.sorted = 0 // schedulers tell threads apart that run the same code
	m, err := v.ask(v.r.NeverEnds(x, progress))
	if err != nil {
		return err
	}
	holds := m == nil
	if !holds {
		if err := v.endless(m, x, out); err != nil || out.Reason != "" {
			return err
		}
		out.Holds, out.Complete = &holds, true
		return nil
	}
	beyond, err := v.ask(v.e.Prefix.Bound(v.e))
	if err != nil {
		return err
	}
	out.Holds, out.Complete = &holds, beyond == nil
	return nil
}

// endless describes an execution that never ends, and checks it: the model allows its prefix, and the prefix with
// another copy of the last round.
func (v *verification) endless(m *sat.Assignment, x *ir.Endless, out *solver.Termination) error {
	exec, _, err := v.e.Decode(m)
	if err != nil {
		return err
	}
	checker := evaluation.NewChecker(v.Model)
	defer checker.Done()
	for _, part := range []struct {
		*models.Execution
		what string
	}{{exec, "prefix"}, {exec, "prefix with another round"}} {
		if part.what != "prefix" {
			if part.Execution, err = withRound(exec, x); err != nil {
				return err
			}
		}
		if err := part.WellFormed(); err != nil {
			return fmt.Errorf("BUG: ill-formed %s: %w", part.what, err)
		}
		if bad := checker.Check(part.Execution); len(bad) > 0 {
			return fmt.Errorf("BUG: an execution never ends, and the model forbids its %s: %v", part.what, bad[0])
		}
	}
	for t, stop := range exec.Stops {
		if stop.Kind == ir.ActUnwound {
			out.Stuck = append(out.Stuck, solver.StuckAt(v.Program, t, stop.Step))
		}
	}
	if len(out.Stuck) == 0 {
		return errors.New("BUG: an execution never ends, and no thread is stuck in it")
	}
	if v.Options.Witnesses {
		out.Graph = display.Graph(exec, v.Model)
	}
	return nil
}

// withRound returns an execution that goes on for another round: each thread that loops repeats its last round, and
// each event of the copy is related as its original is to the last two rounds and to what is before.
func withRound(x *models.Execution, in *ir.Endless) (*models.Execution, error) {
	r := &anotherRound{
		x: x, before: make([]int, len(x.Events)), copied: make([]int, len(x.Events)), moved: make([]int, len(x.Events)),
	}
	r.find(in)
	return r.build()
}

// anotherRound builds an execution with a copy of the last round.
type anotherRound struct {
	x      *models.Execution
	before []int // by event of the last round: the same event a round earlier; -1 for other events
	moved  []int // by event: its number in the new execution
	copied []int // by event of the last round: its copy's number in the new execution; -1 for other events
}

// find finds the last round, and the numbers of events in the new execution.
func (r *anotherRound) find(in *ir.Endless) {
	for i := range r.before {
		r.before[i], r.copied[i] = -1, -1
	}
	next := 0
	for i := 0; i < len(r.x.Events); {
		t, first := r.x.Events[i].Thread, i
		for ; i < len(r.x.Events) && r.x.Events[i].Thread == t; i++ {
			r.moved[i] = next
			next++
		}
		if t == models.InitThread || r.x.Stops[t].Kind != ir.ActUnwound {
			continue
		}
		op := in.Threads[t].Code[r.x.Stops[t].Step].Op.(ir.Unwound)
		if op.Ending != ir.Repeats {
			continue
		}
		var earlier, last []int
		for k := first; k < i; k++ {
			switch step := r.x.Events[k].Step; {
			case step >= op.Since:
				last = append(last, k)
			case step >= op.Before:
				earlier = append(earlier, k)
			}
		}
		for k, e := range last {
			if k < len(earlier) {
				r.before[e] = earlier[k]
			}
			r.copied[e] = next
			next++
		}
	}
}

// build makes the execution.
func (r *anotherRound) build() (*models.Execution, error) {
	x := r.x
	out := &models.Execution{
		Program: x.Program, Events: make([]models.Event, len(x.Events)), RF: make([]int, len(x.Events)),
		Regs: x.Regs, Stops: x.Stops,
	}
	for i, c := range r.copied {
		if c < 0 {
			continue
		}
		if b := r.before[i]; b < 0 || x.Events[b].Kind != x.Events[i].Kind || x.Events[b].Loc != x.Events[i].Loc ||
			x.Events[b].Kind != models.Fence && x.Events[b].Value != x.Events[i].Value {
			return nil, fmt.Errorf("BUG: event %d of a round that repeats was not in the round before", i)
		}
		out.Events, out.RF = append(out.Events, models.Event{}), append(out.RF, -1)
	}
	set := func(id, of, rf int) {
		e := x.Events[of]
		e.ID = id
		out.Events[id], out.RF[id] = e, rf
	}
	for i := range x.Events {
		rf := x.RF[i]
		if rf >= 0 {
			set(r.moved[i], i, r.moved[rf])
		} else {
			set(r.moved[i], i, -1)
		}
		if r.copied[i] >= 0 {
			if rf >= 0 {
				rf = r.next(rf)
			}
			set(r.copied[i], i, rf)
		}
	}
	for _, order := range x.CO {
		out.CO = append(out.CO, r.order(order))
	}
	if x.Orders != nil {
		out.Orders = map[*cat.Order][]int{}
		for o, order := range x.Orders {
			out.Orders[o] = r.order(order)
		}
	}
	out.Addr, out.Data, out.Ctrl, out.RMW = r.pairs(x.Addr), r.pairs(x.Data), r.pairs(x.Ctrl), r.pairs(x.RMW)
	return out, nil
}

// next returns the event that is for the copy of the last round what an event is for the last round: its copy, the
// event of the last round that it precedes by a round, or itself.
func (r *anotherRound) next(i int) int {
	if r.copied[i] >= 0 {
		return r.copied[i]
	}
	if k := slices.Index(r.before, i); k >= 0 {
		return r.moved[k]
	}
	return r.moved[i]
}

// order puts the copies last.
func (r *anotherRound) order(of []int) []int {
	out := []int{}
	for _, i := range of {
		out = append(out, r.moved[i])
	}
	for _, i := range of {
		if r.copied[i] >= 0 {
			out = append(out, r.copied[i])
		}
	}
	return out
}

// pairs adds the pairs that lead to the copy.
func (r *anotherRound) pairs(of []models.Pair) (out []models.Pair) {
	for _, p := range of {
		out = append(out, models.Pair{r.moved[p[0]], r.moved[p[1]]})
	}
	for _, p := range of {
		if r.copied[p[1]] < 0 {
			continue
		}
		out = append(out, models.Pair{r.next(p[0]), r.copied[p[1]]})
	}
	return out
}
