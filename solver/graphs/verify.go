package graphs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/cprog/run"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver"
)

// VerifyCode holds a C program to properties, by running it. Limits and errors are as those of a [solver.Verifier]. The query's
// program has the file's name alone.
func (en Engine) VerifyCode(ctx context.Context, p *run.Program, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	return en.verify(ctx, p, q, want, func(a, b any) bool { return p.Alike(a.(*run.Call), b.(*run.Call)) })
}

// verify does what VerifyCode does, with threads that are alike as alike has it; nil for none.
func (en Engine) verify(ctx context.Context, p *run.Program, q solver.Query, want solver.Verify, alike func(a, b any) bool) (*solver.Verification, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	v, err := en.newVerification(q, want)
	if err != nil {
		return nil, err
	}
	tags := p.Tags()
	f, err := compile(q.Model, func(t ir.Tag) bool { return tags[t] || spawnTags.Has(t) || joinTags.Has(t) })
	if err != nil {
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "engine graphs: %v: choose another engine", err)
	}
	if f.deps {
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "engine graphs: %s asks for dependencies, which it does not follow where it runs C as it is: choose another engine", models.Label(q.Model.Name))
	}
	v.watch(f)
	symmetric := false
	for {
		v.c = &cprogram{p, max(8, p.Threads()), want.Has(ir.Termination)}
		v.p = v.c
		v.count, v.bounded, v.undefined, v.race = 0, false, nil, nil
		x := &exploration{p: v.c, threads: v.c.most, check: newChecker(f), ctx: ctx, coherent: q.Model.Coherent(), leaf: v.leaf, fails: v.fails, unset: v.unset}
		if v.x = x; symmetric {
			x.symmetry = &symmetry{alike: alike, maker: p.Maker}
		} else {
			x.alike = alike
		}
		v.progress = progress{start: v.start, last: v.start, told: q.Progress, estimate: newEstimate(x, v.complete)}
		err = x.run()
		switch {
		case errors.Is(err, errAlike):
			symmetric = true
		case errors.Is(err, errApart):
			alike, symmetric = nil, false
		}
		if !errors.Is(err, run.Anew) && !errors.Is(err, errAlike) && !errors.Is(err, errApart) {
			break
		}
	}
	return v.finish(ctx, err)
}

// errFound ends an exploration that has found what it was for.
var errFound = errors.New("found")

// verification is one program being held to properties.
type verification struct {
	solver.Query
	want  solver.Verify
	start time.Time
	out   *solver.Verification
	p     traced
	c     *cprogram // where it is that
	x     *exploration
	progress

	flag      *raceFlag
	count     int
	bounded   bool
	undefined *solver.Failure
	race      *solver.Failure
	// garbage: what comes behind a read of memory without a value was looked at for one value alone.
	garbage bool
}

// traced is a program that is verified.
type traced interface {
	// traced is a graph as an execution.
	traced(g *graph, file string) (*models.Execution, error)
	// stop is what a thread has come to.
	stop(g *graph, t int) stop
}

// stop is where a thread has stopped, or is.
type stop struct {
	kind     ir.ActionKind
	at       int // the step of its code in an execution; -1 for the last
	property ir.Property
	text     string
	waits    bool // in a loop that does nothing else
	spurious bool // an update has failed for no reason
}

// raceFlag is the flag for data races, of the model or of the language.
type raceFlag struct {
	model *models.Model
	index int
	root  int
}

const dataRace = "data-race"

// watch has data races looked for, where they are asked for, or leave all undefined.
func (v *verification) watch(f *formula) {
	m := v.Model
	named := func(g cat.Flag) bool { return g.Name == dataRace }
	i := slices.IndexFunc(m.Flags, named)
	if !v.want.Has(ir.DataRace) && (i < 0 || m.Flags[i].Role != cat.UndefinedUnless) {
		return
	}
	if i < 0 {
		m = models.OfAccesses(f.present)
		i = slices.IndexFunc(m.Flags, named)
	}
	v.flag = &raceFlag{m, i, f.watch(m.Flags[i].Checks[0].Expr)}
}

// fails sees to a thread that has failed, in a graph that others may go on from.
func (v *verification) fails(g *graph, t int) error {
	s := v.p.stop(g, t)
	asked := v.want.Has(s.property)
	if !asked && (s.property != ir.Undefined || v.undefined != nil) || asked && v.out.Failure != nil {
		return nil
	}
	x, err := v.execution(g)
	if err != nil {
		return err
	}
	if s.at < 0 {
		s.at = len(x.Program.Threads[t].Code) - 1
	}
	f := solver.FailureAt(x.Program, t, s.at, s.property, s.text)
	if !asked {
		v.undefined = f
		return nil
	}
	return v.found(f, x)
}

// unset sees to a read of memory that several threads access and that has no value yet.
func (v *verification) unset(g *graph, id int32) error {
	e := &g.events[id]
	name, at := v.c.Scalars[e.loc].Name, v.c.Lines[e.step].Pos
	if !v.want.Has(ir.Memory) {
		return litmus.Errorf(at, "%s is read here before anything is written to it, and may be anything: that is not supported by this engine (see --property memory)", name)
	}
	v.garbage = true
	if v.out.Failure != nil {
		return nil
	}
	x, err := v.execution(g)
	if err != nil {
		return err
	}
	f := &solver.Failure{File: at.File, Line: at.Line, Column: at.Col, Thread: v.c.threadName(int(e.thread)), Property: ir.Memory, Text: name + " is read before anything is written to it"}
	return v.found(f, x)
}

// found notes what fails.
func (v *verification) found(f *solver.Failure, x *models.Execution) error {
	if v.Options.Witnesses {
		f.Graph = x.Graph(v.Model)
	}
	v.out.Failure = f
	return v.enough()
}

// enough ends the exploration where nothing is left to be found. A program that fails may have a data race as well, and mean nothing.
func (v *verification) enough() error {
	if v.out.Failure == nil || v.want.Count || v.seeksRace() {
		return nil
	}
	return errFound
}

// seeksRace tells whether a data race is still to be found that nobody has asked for.
func (v *verification) seeksRace() bool {
	return v.flag != nil && !v.want.Has(ir.DataRace) && v.race == nil
}

// execution is a graph as others see it, and judge it.
func (v *verification) execution(g *graph) (*models.Execution, error) {
	x, err := v.p.traced(g, v.Program.File)
	if err != nil {
		return nil, err
	}
	if bad := models.NewChecker(v.Model).Check(x); len(bad) > 0 {
		return nil, fmt.Errorf("BUG: a graph is visited that the model forbids: %v", bad[0])
	}
	return x, nil
}

// complete tells whether every thread has come to its end, and no update has failed for no reason.
func (v *verification) complete(g *graph) bool {
	for t := range g.threads {
		if s := v.p.stop(g, t); s.kind != ir.ActEnd && s.kind != ir.ActUnspawned || s.spurious {
			return false
		}
	}
	return true
}

func (v *verification) leaf(g *graph) error {
	for t := range g.threads {
		s := v.p.stop(g, t)
		v.bounded = v.bounded || s.kind == ir.ActUnwound && !s.waits
		if s.kind == ir.ActFailed && v.x.fails == nil { // nobody has asked before
			if err := v.fails(g, t); err != nil {
				return err
			}
		}
	}
	if v.complete(g) {
		v.count += v.x.stands(g)
		if err := v.executions(v.count); err != nil {
			return err
		}
	}
	if err := v.forever(g); err != nil {
		return err
	}
	if v.flag == nil || v.race != nil || v.want.Has(ir.DataRace) && v.out.Failure != nil || !v.x.check.holds(g, v.flag.root) {
		return nil
	}
	x, err := v.execution(g)
	if err != nil {
		return err
	}
	f, err := v.flag.failure(x)
	if err != nil {
		return err
	}
	if v.want.Has(ir.DataRace) {
		return v.found(f, x)
	}
	v.race = f
	return v.enough()
}

// failure says which accesses race.
func (r *raceFlag) failure(x *models.Execution) (*solver.Failure, error) {
	causes := models.NewChecker(r.model).Causes(x, r.index)
	if len(causes) == 0 {
		return nil, errors.New("BUG: an execution that has a data race has none")
	}
	return solver.RaceAt(x, causes[0]), nil
}

func (v *verification) finish(ctx context.Context, err error) (*solver.Verification, error) {
	if errors.Is(err, errFound) {
		err = nil
	}
	if err != nil && v.out.Failure == nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return nil, err
	}
	out := v.out
	out.Undefined, out.Race = v.undefined, v.race
	switch {
	case out.Failure != nil:
		out.Verdict, out.Complete = solver.Unsafe, true
		switch why := "a read of memory without a value was followed for one value alone"; {
		case !v.seeksRace():
		case err != nil && ctx.Err() == nil:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(err.Error()))
		case err != nil:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(ended(ctx)))
		case v.garbage:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(why))
		}
	case err != nil:
		out.Status, out.Verdict = solver.Unknown, solver.Undecided
		out.Reason = v.limited(ended(ctx), v.count, time.Since(v.start))
	default:
		out.Verdict, out.Complete = solver.Safe, !v.bounded
	}
	if v.want.Count && err == nil {
		out.Executions = &v.count
	}
	out.Stats = &solver.Stats{Explored: v.count, Solve: float64(time.Since(v.start).Microseconds()) / 1000}
	out.MS = out.Stats.Solve
	return out, nil
}
