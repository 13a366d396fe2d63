package engines

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"litmuscope/solver"
)

// Parts is an exploration in parts: the state after the answers so far. Each path gets one answer; if a new fact
// requires a new exploration of everything, it begins anew.
type Parts struct {
	task   solver.VerifyTask
	first  solver.Part // as which it began, or begins anew
	parts  int
	sum    solver.PartAnswer
	answer *solver.Verification
	lives  *solver.Verification // of the previous exploration, which did not follow lifetimes
}

// PartTime is how long a part usually runs before it leaves its rest to others.
const PartTime = time.Second

// NewParts prepares a task for parts that each run for the given time.
func NewParts(t solver.VerifyTask, each time.Duration) *Parts {
	return &Parts{task: t, first: solver.Part{Time: each}}
}

// Splits reports whether engines can explore a question's executions in parts.
func Splits(q solver.Question) (t solver.VerifyTask, is bool) {
	t, is = q.(solver.VerifyTask)
	if !is || t.Part != nil || t.Minimise || t.ByReads {
		return t, false
	}
	e, err := Find(t.Engine)
	return t, err == nil && e.parts()
}

// Task is the task of a part.
func (p *Parts) Task(path string) solver.VerifyTask {
	t := p.task
	part := p.first
	part.Path = path
	t.Part = &part
	return t
}

// Executions is the number of visited executions.
func (p *Parts) Executions() int { return p.sum.Executions }

// Add accepts an answer, and returns the rest of its part. If again is true, all earlier rests are void, and the
// exploration begins anew, at the path "".
func (p *Parts) Add(v *solver.Verification) (rest []string, again bool) {
	a := v.Part
	if a == nil { // the part did not parse, or ended early
		a = &solver.PartAnswer{}
	}
	if p.answer == nil {
		c := *v
		c.Part = nil
		p.answer = &c
	}
	if a.Again || len(a.Known) > 0 {
		p.first.Known, p.first.Symmetric, p.first.Apart, p.first.Lowered = a.Known, a.Symmetric, a.Apart,
			p.first.Lowered || a.Lowered
	}
	if a.Whole {
		p.first.Time = 0
	}
	if a.Again {
		p.answer, p.sum, p.parts = nil, solver.PartAnswer{}, 0
		return nil, true
	}
	p.parts++
	out := p.answer
	p.sum.Executions += a.Executions
	p.sum.Bounded, p.sum.Garbage = p.sum.Bounded || a.Bounded, cmp.Or(p.sum.Garbage, a.Garbage)
	p.sum.UncheckedLifetimes = p.sum.UncheckedLifetimes || a.UncheckedLifetimes
	p.sum.Seeks, p.sum.Late = p.sum.Seeks || a.Seeks, p.sum.Late || a.Late
	out.Cut = cmp.Or(out.Cut, v.Cut)
	if worse(v.Status, out.Status) {
		out.Status, out.Error, out.Reason, out.Faults = v.Status, v.Error, v.Reason, v.Faults
	}
	if out.Failure == nil {
		out.Failure = v.Failure
	}
	if out.Undefined == nil {
		out.Undefined = v.Undefined
	}
	if out.Race == nil {
		out.Race = v.Race
	}
	for _, r := range v.Remarks {
		if !slices.Contains(out.Remarks, r) {
			out.Remarks = append(out.Remarks, r)
		}
	}
	return a.Rest, false
}

// worse reports whether a part's status is worse than that of the others.
func worse(a, b solver.Status) bool {
	rank := func(s solver.Status) int {
		return slices.Index([]solver.Status{solver.OK, solver.Unknown, solver.Failed}, s)
	}
	return rank(a) > rank(b)
}

// Enough reports whether the exploration may skip the rest.
func (p *Parts) Enough() bool {
	v := p.answer
	switch {
	case v == nil:
		return false
	case v.Status != solver.OK:
		return true
	}
	return v.Failure != nil && !p.task.Count && (v.Race != nil || !p.sum.Seeks)
}

// Conclude returns the answer, once there is enough, or nothing remains. Where it is not the whole yet, the exploration
// begins anew, at the path "".
func (p *Parts) Conclude() (v *solver.Verification, anew bool) {
	v = p.answer
	count := p.sum.Executions
	v.Executions, v.Complete, v.Short = nil, false, nil
	if p.task.Count && v.Status == solver.OK && !p.sum.Late {
		v.Executions = &count
	}
	v.Bounds = map[string]int{"unroll": p.task.Options.Unroll}
	v.Stats = &solver.Stats{Explored: count}
	if v.Status == solver.Unknown && v.Failure != nil { // it is final, whatever else is unknown
		if p.sum.Seeks && v.Race == nil {
			v.Remarks = append(v.Remarks, solver.RaceNotKnown(v.Reason))
		}
		v.Status, v.Reason = solver.OK, ""
	}
	switch {
	case v.Status != solver.OK:
		v.Verdict = solver.Undecided
		if v.Status == solver.Failed {
			v.Verdict = ""
		}
	case v.Failure != nil:
		v.Verdict, v.Complete = solver.Unsafe, true
	case p.sum.Garbage != "":
		v.Status, v.Verdict, v.Reason = solver.Unknown, solver.Undecided, p.sum.Garbage
	default:
		v.Verdict, v.Complete = solver.Safe, !p.sum.Bounded
	}
	if whole := p.lives; whole != nil { // that was the second time, for the sake of lives alone
		late := v
		v = whole
		v.Cut, v.Undefined = cmp.Or(v.Cut, late.Cut), late.Undefined
		switch late.Verdict {
		case solver.Safe:
		case solver.Unsafe: // the end of a life races
			v.Verdict, v.Complete, v.Failure, v.Executions = late.Verdict, late.Complete, late.Failure, nil
		default:
			why := late.Reason
			if why == "" {
				why = "a second run gave another answer"
			}
			v.Remarks = append(v.Remarks, unfollowed(why)...)
		}
	} else if p.sum.UncheckedLifetimes && v.Verdict == solver.Safe && v.Undefined == nil {
		p.lives, p.answer, p.sum, p.parts = v, nil, solver.PartAnswer{}, 0
		p.first = solver.Part{Time: p.first.Time, Lives: true}
		p.task.Count = false
		return nil, true
	}
	settleUndefined(v, p.task.Path)
	if v.Verdict == solver.Safe && !v.Complete {
		v.Short = []string{"unroll"}
	}
	return v, false
}

// Count returns the number of explored parts.
func (p *Parts) Count() int { return p.parts }

// ProgressText describes the progress.
func (p *Parts) ProgressText() string {
	return fmt.Sprintf("%s, in %s", solver.Count(p.Executions(), "execution"), solver.Count(p.parts, "part"))
}

// AtTimeLimit returns the answer after the time limit.
func (p *Parts) AtTimeLimit() *solver.Verification {
	return Stopped(p.task,
		fmt.Sprintf("time limit of %v reached after %s", p.task.Options.Timeout,
			solver.Count(p.Executions(), "execution")))
}

// SplitUp explores a task in parts that each run for the given time, so many at once. In the end it is what the engine
// would have said of the whole.
func SplitUp(
	ctx context.Context, t solver.VerifyTask, each time.Duration, most int,
	run func(context.Context, solver.VerifyTask) (solver.Answer, error),
) (*solver.Verification, error) {
	began := time.Now()
	ctx, cancel := t.Options.Within(ctx)
	defer cancel()
	p := NewParts(t, each)
	told := solver.Follower(ctx)
	quiet := solver.Following(ctx, func(*solver.Verification) {})
	type end struct {
		v   *solver.Verification
		err error
		gen int
	}
	ends := make(chan end)
	left, asked, gen := []string{""}, 0, 0
	within, stop := context.WithCancel(quiet)
	defer func() { stop() }()
	anew := func() {
		stop()
		within, stop = context.WithCancel(quiet)
		left, gen = []string{""}, gen+1
	}
	var failed error
	for {
		for len(left) > 0 && asked < most && failed == nil {
			task, ctx, gen := p.Task(left[len(left)-1]), within, gen
			left = left[:len(left)-1]
			if d, ok := ctx.Deadline(); ok {
				task.Options.Timeout = max(time.Until(d), time.Millisecond)
			}
			asked++
			go func() {
				a, err := run(ctx, task)
				v, _ := a.(*solver.Verification)
				ends <- end{v, err, gen}
			}()
		}
		if asked == 0 {
			if failed != nil {
				break
			}
			v, more := p.Conclude()
			if !more {
				v.MS = float64(time.Since(began)) / float64(time.Millisecond)
				v.Stats.Solve = v.MS
				return v, nil
			}
			anew()
			continue
		}
		e := <-ends
		asked--
		switch {
		case e.gen != gen || failed != nil:
			continue
		case e.err != nil:
			failed = e.err
			stop()
			continue
		}
		rest, again := p.Add(e.v)
		switch {
		case again:
			anew()
			continue
		case p.Enough():
			rest, left = nil, nil
			stop()
			gen++ // answers under way are obsolete
		}
		left = append(left, rest...)
		if told != nil {
			so := *Unread(t, nil)
			so.Status, so.SoFar = "", fmt.Sprintf("%s; %d left", p.ProgressText(), len(left)+asked)
			told(&so)
		}
	}
	if ctx.Err() == context.DeadlineExceeded {
		return p.AtTimeLimit(), nil
	}
	return nil, failed
}
