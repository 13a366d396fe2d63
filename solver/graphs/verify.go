package graphs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// VerifyCode checks properties of a C program by running it. Limits and errors are those of a [solver.Verifier]. The
// query's program only needs the file's name.
func (en Engine) VerifyCode(
	ctx context.Context, p *run.Program, q solver.Query, want solver.Verify,
) (*solver.Verification, error) {
	return en.verify(ctx, p, q, want, func(a, b any) bool { return p.Alike(a.(*run.Call), b.(*run.Call)) })
}

// verify implements VerifyCode. alike reports which threads are symmetric; nil if none are.
//
// An attempt may find that its assumptions about the program were wrong, and then starts again: the program accesses
// memory at several widths, has more threads or locations than expected (run.Anew), has symmetric threads (ErrAlike),
// or has executions that symmetry would count wrongly (ErrApart). Each restart knows more, so that there are only a
// few.
func (en Engine) verify(
	ctx context.Context, p *run.Program, q solver.Query, want solver.Verify, alike func(a, b any) bool,
) (*solver.Verification, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	v, err := en.newVerification(q, want)
	if err != nil {
		return nil, err
	}
	f, err := v.formula(p)
	if err != nil {
		return nil, err
	}
	sections, mixed := f.Sections, f.Mixed
	never := func(a, b any) bool { return false }
	attempt := func(symmetric, apart bool) (*explore.Exploration, error) {
		apart = apart || want.ByReads
		if mixed = p.Mixed(); mixed && !f.Mixed { // found in an earlier attempt
			if f, err = v.formula(p); err != nil {
				return nil, err
			}
		}
		v.c = &cprogram{p, max(8, p.Threads()), want.Has(ir.Termination)}
		v.p = v.c
		v.count, v.bounded, v.undefined, v.race = 0, false, nil, nil
		v.counted, v.symmetric = map[[16]byte]bool{}, !apart && !mixed && (sections || symmetric)
		x := &explore.Exploration{
			Program: v.c, Places: graph.NewPlaces(v.c, false), Threads: v.c.most,
			Check: consistency.NewChecker(f), Context: ctx, Leaf: v.leaf, Fails: v.fails, Unset: v.unset,
			Blocked: v.racesOutsideSections, Rounds: v.c.ends, MixedLock: v.c.mixed,
		}
		x.Partial = v.racesOutsideSections
		v.x = x
		switch {
		case mixed || sections && apart:
			x.Symmetry = &explore.Symmetry{Alike: never, Maker: p.Maker}
		case !apart && (sections || symmetric):
			x.Symmetry = &explore.Symmetry{Alike: alike, Maker: p.Maker}
		case !apart && alike != nil:
			x.Likely = &explore.Symmetry{Alike: alike, Maker: p.Maker}
		}
		v.progress = progress{
			start: v.start, last: v.start, told: q.Progress,
			estimate: explore.NewEstimate(x, v.complete),
		}
		if q.Part == nil {
			return x, x.Run()
		}
		from, err := x.Begin(q.Part)
		if err != nil {
			return x, err
		}
		return x, x.Resume(from)
	}
	if q.Part != nil {
		return en.verifyPart(ctx, p, q, v, attempt)
	}
	for symmetric, apart := false, false; ; {
		_, err := attempt(symmetric, apart)
		switch {
		case errors.Is(err, explore.ErrAlike):
			symmetric = true
		case errors.Is(err, explore.ErrApart):
			symmetric, apart = false, true
		case !errors.Is(err, run.Anew):
			return v.finish(ctx, err)
		}
	}
}

// formula compiles the model for a program that runs as it is.
func (v *verification) formula(p *run.Program) (*consistency.Formula, error) {
	tags, fences := p.Tags()
	sections, mixed := p.Sections(), p.Mixed()
	if mixed {
		m, err := v.Model.Mixed()
		if err != nil {
			return nil, v.refuse("threads access memory at several widths: %v", err)
		}
		v.Model = m
	}
	f, err := consistency.Compile(v.Model, presentInC(tags, fences, sections))
	if err != nil {
		return nil, v.refuse("%v: choose another engine", err)
	}
	if f.Sections = sections; mixed {
		f.Mix()
	}
	v.lives = p.FollowsLives() && solver.OfLives.Property(v.Model, v.want.Properties) != ""
	if err := v.watch(f, func(t ir.Tag) bool { return tags[t] }); err != nil {
		return nil, err
	}
	if f.Ahead && (sections || mixed || !f.RunInOrder(v.Model.Order())) {
		return nil, ErrLater
	}
	if f.Deps {
		return nil,
			v.refuse(
				"%s uses dependencies, which the engine does not track in C programs: choose another engine",
				models.Label(v.Model.Name))
	}
	p.Follows = f.RunsInOrder()
	return f, nil
}

// errFound ends an exploration that has found what it looks for.
var errFound = errors.New("found")

// verification is the state of checking one program.
type verification struct {
	solver.Query
	want  solver.Verify
	start time.Time
	out   *solver.Verification
	p     traced
	c     *cprogram // nil for a lowered program
	x     *explore.Exploration
	progress

	flag      *solver.RaceFlag // nil without a search for data races
	lives     bool             // whether the engine looks for races with the end of a lifetime
	count     int
	counted   map[[16]byte]bool // executions that the exploration may visit again
	symmetric bool              // each represents those of symmetric threads
	bounded   bool
	undefined *solver.Failure
	race      *solver.Failure
	// garbage: after a read of uninitialised memory, the exploration covered only one value.
	garbage bool
}

// traced is a program that the engine can verify.
type traced interface {
	// traced returns a graph as an execution.
	traced(g *graph.Graph, file string) (*models.Execution, error)
	// stop says how a thread has stopped.
	stop(g *graph.Graph, t int) stop
	// halt says whether a stopped thread waits for ever; memory gives final values.
	halt(g *graph.Graph, t int, memory func(int) uint64) (halt, error)
	// location returns what races need to know about a location.
	location(loc int32) *ir.Location
	// read returns the name and the place in the source of a read's object.
	read(g *graph.Graph, id int32) (name string, at litmus.Pos)
}

// stop is how and where a thread has stopped.
type stop struct {
	kind     ir.ActionKind
	at       int // step of its code in an execution; -1 for the last
	property ir.Property
	text     string
	waits    bool // in a loop that only waits
	spurious bool // an update failed spuriously
}

// watch looks for data races if the question is about them, if they make behaviour undefined, or if the engine tracks
// lifetimes. present has the tags of the program's own accesses and fences.
func (v *verification) watch(f *consistency.Formula, present func(ir.Tag) bool) error {
	if !v.want.Has(ir.DataRace) && !solver.RacesUndefine(v.Model) && !v.lives {
		return nil
	}
	flag := solver.Races(v.Model, present)
	v.flag = &flag
	if err := f.Watch(flag); err != nil {
		return v.refuse("%v: choose another engine", err)
	}
	return nil
}

// refuse returns an error about the whole program.
func (v *verification) refuse(format string, args ...any) error {
	return litmus.Errorf(litmus.Pos{File: v.Program.File}, "engine graphs: "+format, args...)
}

// fails handles a thread that has failed, in a graph that others may extend. heard reports whether the engine has
// recorded the failure, or it does not matter. In a program with atomic sections only the part of the graph outside
// unfinished sections counts.
func (v *verification) fails(g *graph.Graph, t int) (heard bool, err error) {
	s := v.p.stop(g, t)
	asked := v.want.Has(s.property)
	if !asked && (s.property != ir.Undefined || v.undefined != nil) || asked && v.out.Failure != nil {
		return true, nil
	}
	settled := v.x.WithoutOpenSections(g)
	if len(settled.Order[t]) < len(g.Order[t]) {
		return false, nil
	}
	x, err := v.execution(settled)
	if err != nil || x == nil {
		return err == nil, err
	}
	if s.at < 0 {
		s.at = len(x.Program.Threads[t].Code) - 1
	}
	f := solver.FailureAt(x.Program, t, s.at, s.property, s.text)
	f.Others = solver.Ended(x, t)
	if !asked {
		v.undefined = f
		return true, nil
	}
	return true, v.found(f, x)
}

// unset handles a read of shared memory that has no value yet. If threads run ahead, there may be no execution with it.
// First, unset looks for a data race with the write that would give it a value, unless other reads still wait for one:
// then the graph is no execution yet.
func (v *verification) unset(g *graph.Graph, id int32) error {
	if !v.want.Has(ir.Memory) {
		waits := func(e graph.Event) bool { return e.Kind == graph.Read && e.RF == graph.None }
		if !slices.ContainsFunc(g.Events, waits) {
			if err := v.racesOutsideSections(g); err != nil {
				return err
			}
		}
		name, at := v.p.read(g, id)
		return litmus.Errorf(at, "%s is read here before it is written, so that it may have any value: this engine "+
			"does not support that (see --property memory)", name)
	}
	if v.garbage = true; g.SectionAt(int(g.Events[id].Thread)) >= 0 || v.x.Check.Formula().Sections &&
		len(v.x.WithoutOpenSections(g).Events) < len(g.Events) {
		name, at := v.p.read(g, id)
		return litmus.Errorf(at, "%s is read here before it is written, in a program with an atomic section: this "+
			"engine "+
			"does not support that", name)
	}
	if v.x.Ahead != nil {
		return nil
	}
	return v.uninitialised(g, id)
}

// uninitialised records a read of memory without a value as a failure.
func (v *verification) uninitialised(g *graph.Graph, id int32) error {
	if v.out.Failure != nil {
		return nil
	}
	x, err := v.execution(g)
	if err != nil || x == nil {
		return err
	}
	name, at := v.p.read(g, id)
	thread := solver.ThreadName(&x.Program.Threads[g.Events[id].Thread])
	return v.found(
		&solver.Failure{
			File: at.File, Line: at.Line, Column: at.Col, Thread: thread, Property: ir.Memory,
			Text: name + " is read before it is written",
		}, x)
}

// found records a failure.
func (v *verification) found(f *solver.Failure, x *models.Execution) error {
	if v.Options.Witnesses {
		f.Graph = display.Graph(x, v.Model)
	}
	v.out.Failure = f
	return v.enough()
}

// enough ends the exploration if there is nothing left to find. A failing program may have a data race as well, which
// would make it undefined.
func (v *verification) enough() error {
	if v.out.Failure == nil || v.want.Count || v.seeksRace() {
		return nil
	}
	return errFound
}

// seeksRace reports whether the engine must still find a data race outside the question.
func (v *verification) seeksRace() bool {
	return v.flag != nil && !v.want.Has(ir.DataRace) && solver.RacesUndefine(v.Model) && v.race == nil
}

// execution returns the execution of a graph, judged by package evaluation; nil if the graph is none (IsExecution).
func (v *verification) execution(g *graph.Graph) (*models.Execution, error) {
	if is, err := v.x.Check.IsExecution(g); err != nil || !is {
		return nil, err
	}
	x, err := v.p.traced(g, v.Program.File)
	if err != nil {
		return nil, err
	}
	if bad := evaluation.NewChecker(v.Model).Check(x); len(bad) > 0 {
		return nil, fmt.Errorf("BUG: the engine visited a graph that the model forbids: %v", bad[0])
	}
	return x, nil
}

// complete reports whether every thread has ended without a spurious failure of an update.
func (v *verification) complete(g *graph.Graph) bool {
	for t := range g.Threads {
		if s := v.p.stop(g, t); s.kind != ir.ActEnd && s.kind != ir.ActUnspawned || s.spurious {
			return false
		}
	}
	return true
}

// leaf checks a graph that no thread can extend: failures, uninitialised reads, whether it counts as a complete
// execution, and threads that wait forever. Its error errFound ends the exploration.
func (v *verification) leaf(g *graph.Graph) error {
	if v.x.Check.MayReadLater(g) {
		return ErrLater
	}
	for t := range g.Threads {
		s := v.p.stop(g, t)
		v.bounded = v.bounded || s.kind == ir.ActUnwound && !s.waits
		if s.kind == ir.ActFailed && v.x.Fails == nil { // not handled before
			if _, err := v.fails(g, t); err != nil {
				return err
			}
		}
	}
	if v.garbage && v.x.Ahead != nil {
		for i := range g.Events {
			if g.Events[i].Unset {
				if err := v.uninitialised(g, int32(i)); err != nil {
					return err
				}
			}
		}
	}
	counted, err := v.complete(g), error(nil)
	if counted && v.want.Count {
		if counted, err = v.x.Check.IsExecution(g); err != nil {
			return err
		}
	}
	if counted {
		if err := v.counts(g); err != nil {
			return err
		}
	}
	if err := v.forever(g); err != nil {
		return err
	}
	return v.racesOutsideSections(g)
}

// racesOutsideSections looks for data races in the part of a graph that does not depend on unfinished sections.
func (v *verification) racesOutsideSections(g *graph.Graph) error {
	return v.raced(v.x.WithoutOpenSections(g))
}

// raced checks a graph for data races of both kinds.
func (v *verification) raced(g *graph.Graph) error {
	if v.flag == nil {
		return nil
	}
	if v.lives {
		if err := v.clash(g, solver.OfLives); err != nil {
			return err
		}
	}
	return v.clash(g, solver.OfAccesses)
}

// clash checks a graph for data races of a kind, unless it has found one.
func (v *verification) clash(g *graph.Graph, kind solver.Clash) error {
	p := kind.Property(v.Model, v.want.Properties)
	asked := v.want.Has(p)
	switch {
	case p == "":
		return nil
	case asked:
		if v.out.Failure != nil {
			return nil
		}
	case p == ir.Undefined:
		if v.undefined != nil {
			return nil
		}
	case !v.seeksRace():
		return nil
	}
	if !v.x.Check.Races(g,
		func(e *graph.Event) bool { return e.Loc >= 0 && kind.Concerns(v.p.location(e.Loc), e.Tags) }) {
		return nil
	}
	x, err := v.execution(g)
	if err != nil || x == nil {
		return err
	}
	f, err := v.flag.Failure(x, kind, p)
	switch {
	case err != nil:
		return err
	case asked:
		return v.found(f, x)
	case p == ir.Undefined:
		v.undefined = f
	default:
		v.race = f
	}
	return v.enough()
}

// followed is the reason for an unknown verdict after a read of uninitialised memory.
const followed = "a read of uninitialised memory was explored with only one value"

// finish makes the answer. A failure makes the program unsafe, whatever else is open; without one, an error or a limit
// makes the verdict unknown, and only a complete exploration makes it safe.
func (v *verification) finish(ctx context.Context, err error) (*solver.Verification, error) {
	if errors.Is(err, errFound) {
		err = nil
	}
	// An unsupported program is no error if a data race makes it undefined anyway.
	refused := new(litmus.Error)
	if v.race == nil || !errors.As(err, &refused) {
		refused = nil
	}
	if err != nil && v.out.Failure == nil && refused == nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) ||
		errors.Is(err, ErrLater) {
		return nil, err
	}
	out := v.out
	out.Undefined, out.Race = v.undefined, v.race
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		out.Cut = ended(ctx)
	}
	switch {
	case out.Failure != nil:
		out.Verdict, out.Complete = solver.Unsafe, true
		switch {
		case !v.seeksRace():
		case err != nil && ctx.Err() == nil:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(err.Error()))
		case err != nil:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(ended(ctx)))
		case v.garbage:
			out.Remarks = append(out.Remarks, solver.RaceNotKnown(followed))
		}
	case err == nil && v.garbage:
		out.Status, out.Verdict, out.Reason = solver.Unknown, solver.Undecided, followed
	case refused != nil:
		out.Status, out.Verdict, out.Reason = solver.Unknown, solver.Undecided, refused.Error()
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
