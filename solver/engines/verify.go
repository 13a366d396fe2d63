package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/graphs"
	"litmuscope/solver/symbolic"
)

// Targets are all that C's atomics can be compiled to; those of a mapping may have its variants
// behind them, as in arm:dmb+leading.
var Targets = targetNames()

func targetNames() []string {
	names := []string{string(cprog.Language), string(cprog.Generic), string(cprog.Kernel)}
	for _, a := range compile.Architectures() {
		names = append(names, a.Names[0])
	}
	return names
}

// TargetVariants are targets with one variant of their mappings each.
func TargetVariants() (names []string) {
	for _, a := range compile.Architectures() {
		for _, v := range a.Variants {
			names = append(names, a.Names[0]+":"+v.Name)
		}
	}
	return names
}

// target reads the name of a target.
func target(name string) (cprog.Target, *compile.Mapping, error) {
	if t := cprog.Target(name); t == cprog.Language || t == cprog.Generic || t == cprog.Kernel {
		return t, nil, nil
	}
	m, err := compile.Target(name)
	if err != nil {
		if base, _, variant := strings.Cut(name, ":"); variant && slices.Contains(Targets[:3], base) {
			err = fmt.Errorf("%s has no variants", base)
		} else if _, unknown := compile.Find(base); unknown != nil {
			err = fmt.Errorf("unknown target %q: %swant one of %s", litmus.Shorten(name), compile.Unmapped(base), strings.Join(Targets, ", "))
		}
	}
	return cprog.Machine, m, err
}

// targetOf is the name of a task's target under a model.
func targetOf(t solver.VerifyTask, m *models.Model) string {
	if t.Target != "" {
		return t.Target
	}
	for _, name := range modelNames(t, m) {
		if target := models.FactsOf(name).Target; target != "" {
			return target
		}
	}
	return cmp.Or(m.Target(), string(cprog.Generic))
}

func admitVerify(t solver.VerifyTask) (*Engine, *models.Model, error) {
	for _, p := range t.Properties {
		if !slices.Contains(ir.Properties, p) {
			return nil, nil, fmt.Errorf("unknown property %q: want some of %s", litmus.Shorten(string(p)), solver.Verify{Properties: ir.Properties}.Property())
		}
	}
	if _, err := abiOf(t, nil); err != nil {
		return nil, nil, err
	}
	if t.Target != "" {
		if _, _, err := target(t.Target); err != nil {
			return nil, nil, err
		}
	}
	e, m, err := admit(t.Terms(), programTongue(t))
	if err != nil {
		return nil, nil, err
	}
	if !e.verifies() {
		return nil, nil, fmt.Errorf("the engine %s runs no programs in C", e.Name)
	}
	if t.Part != nil && !e.parts() {
		return nil, nil, fmt.Errorf("the engine %s does not visit executions in parts: ask %s", e.Name, graphs.Engine{}.Name())
	}
	if (t.Count || t.ByReads) && !e.counts {
		return nil, nil, fmt.Errorf("the engine %s does not count executions: ask %s", e.Name, counting())
	}
	defaults := solver.DefaultOptions()
	for _, opt := range solver.OptionTable {
		if !slices.ContainsFunc(VerifyOptions, func(o solver.Option) bool { return o.Name == opt.Name }) && !opt.Same(&t.Options, &defaults) {
			return nil, nil, &solver.OptionError{Option: opt.Name, Msg: "no option of verification"}
		}
	}
	return e, m, nil
}

// interpreter is an engine that runs programs in C as they are.
type interpreter interface {
	// Runs tells whether it does so under a model: elsewhere it takes them lowered.
	Runs(m *models.Model) bool
	VerifyCode(ctx context.Context, p *run.Program, q solver.Query, want solver.Verify) (*solver.Verification, error)
}

// parts tells whether an engine visits executions in parts.
func (e *Engine) parts() bool { return e.Name == graphs.Engine{}.Name() }

// verifies tells whether an engine holds programs in C to properties.
func (e *Engine) verifies() bool {
	_, lowered := e.engine.(solver.Verifier)
	return lowered || e.Name == Auto
}

// runs tells whether an engine runs programs as they are under a model.
func (e *Engine) runs(m *models.Model) bool {
	in, runs := e.engine.(interpreter)
	return runs && in.Runs(m)
}

// program is a task's program as the engine takes it under a model: of one that runs it, the first has remarks alone.
func (e *Engine) program(ctx context.Context, t solver.VerifyTask, m *models.Model, o cprog.Options) (*ir.Program, *run.Program, error) {
	s, err := source(t, m)
	if err != nil {
		return nil, nil, err
	}
	if !e.runs(m) || t.Part != nil && t.Part.Lowered {
		p, err := cprog.Lower(ctx, s, o)
		return p, nil, err
	}
	code, err := cprog.Run(s, o)
	if err != nil {
		return nil, nil, err
	}
	return &ir.Program{Remarks: code.Remarks}, code, nil
}

// hold holds a program to properties, and tells whether that was by running it. Where it does not do to run it, it is lowered.
func (e *Engine) hold(ctx context.Context, t solver.VerifyTask, o cprog.Options, code *run.Program, q solver.Query, want solver.Verify) (v *solver.Verification, ran bool, err error) {
	if in, runs := e.engine.(interpreter); runs && code != nil {
		v, err := in.VerifyCode(ctx, code, q, want)
		switch {
		case !errors.Is(err, graphs.ErrLater):
			return v, true, err
		case q.Part != nil:
			v = solver.NewVerification(q, e.engine.(solver.Verifier))
			v.Verdict, v.Part = solver.Undecided, &solver.PartAnswer{Again: true, Lowered: true}
			return v, true, nil
		}
		s, err := source(t, q.Model)
		if err != nil {
			return nil, false, err
		}
		p, err := cprog.Lower(ctx, s, o)
		if err != nil {
			return nil, false, err
		}
		p.File, p.Name, p.Remarks, code.Mortal = q.Program.File, q.Program.Name, q.Program.Remarks, p.Mortal
		q.Program = p
	}
	if q.Model, err = e.modelFor(q.Program, q.Model); err != nil {
		return nil, false, err
	}
	// All engines pay for locations, most of them whether anything comes there or not.
	q.Program = symbolic.Narrow(q.Program, q.Model.ForbidsThinAir())
	if mixesSizes(q.Program) {
		want.Properties = append(slices.Clone(want.Properties), ir.MixedSize)
	}
	v, err = e.engine.(solver.Verifier).Verify(ctx, q, want)
	return v, false, err
}

// Counts tells whether an engine counts the executions of programs.
func (e *Engine) Counts() bool { return e.counts }

// counting names an engine that counts the executions of programs.
func counting() string {
	return table[slices.IndexFunc(table, func(e Engine) bool { return e.counts })].Name
}

// programTongue is the tongue of a program: the kernel's, where it includes a header of the kernel's.
func programTongue(t solver.VerifyTask) string {
	if s, err := source(t, nil); err == nil && cprog.IncludesKernel(s) {
		return dialect.Kernel
	}
	return "C"
}

// readOptions are how a task's program is read for a model.
func readOptions(t solver.VerifyTask, m *models.Model) (cprog.Options, *compile.Mapping, error) {
	to, mapping, err := target(targetOf(t, m))
	waits := m.Waits()
	waits.Locks = m.HasMachine() // of programs, exchanges that write back what they have read are followed under other models
	return cprog.Options{
		Lives: t.Part != nil && t.Part.Lives,
		Entry: t.Entry, Unroll: t.Options.Unroll, Properties: t.Properties, Target: to, Mapping: mapping,
		Strong: to == cprog.Kernel || mapping != nil && mapping.Strong(),
		Waits:  waits,
		Ahead:  !m.IsGrounded(),
	}, mapping, err
}

// unmapped refuses a program for what compilers would make of it.
func (e *Engine) unmapped(t solver.VerifyTask) error {
	return litmus.Errorf(litmus.Pos{File: t.Path}, "engine %s: it does not run what compilers make of C: choose another engine, or target c or generic", e.Name)
}

func verify(ctx context.Context, t solver.VerifyTask, start time.Time) (*solver.Verification, error) {
	if len(t.Properties) == 0 {
		t.Properties = []ir.Property{ir.Assertion}
	}
	e, m, err := admitVerify(t)
	if err != nil {
		return nil, err
	}
	head := Unread(t, nil)
	ctx, cancel := t.Options.Within(ctx)
	defer cancel()
	o, mapping, err := readOptions(t, m)
	if err != nil {
		return nil, err
	}
	abi, err := abiOf(t, m)
	if err != nil {
		return nil, err
	}
	progress := func(string) {}
	if told := solver.Follower(ctx); told != nil {
		progress = func(words string) {
			so := *head
			so.Status, so.SoFar = "", words
			told(&so)
		}
	}
	if !e.runs(m) {
		progress("following what the program does")
	} else if mapping != nil {
		return nil, e.unmapped(t)
	}
	p, code, err := e.program(ctx, t, m, o)
	if err != nil {
		return nil, err
	}
	p.File, p.Name = t.Path, head.Name
	if code == nil {
		progress("writing down what " + solver.Count(len(p.Threads), "thread") + " may do to one another")
	}
	parsed := time.Since(start)
	q := solver.Query{Program: p, Model: m, Options: t.Options, Progress: progress, Part: t.Part}
	q.Options.Witnesses = true // where the bug is comes of it
	if q.Options.Timeout > 0 {
		q.Options.Timeout = max(q.Options.Timeout-parsed, time.Millisecond)
	}
	ran := false
	mortal := func() bool { return p.Mortal || code != nil && code.Mortal }
	// explain adds what a reader needs beside the verdict: the machine's C, remarks and the failure's execution.
	explain := func(v *solver.Verification) {
		showABI(v, t, abi)
		v.Remarks = slices.Concat(solver.Remarks(p, m), v.Remarks)
		if says := solver.RaceRemark(m); says != "" && t.Has(ir.DataRace) {
			v.Remarks = append(v.Remarks, solver.Remark{Line: 1, Column: 1, Message: says})
		}
		showFailure(v, m, t.Options)
	}
	finish := func(v *solver.Verification) {
		settleUndefined(v, t.Path)
		v.Path, v.Name, v.Model, v.Engine, v.Property, v.Version = head.Path, head.Name, m.Name, e.Name, head.Property, e.Version()
		if v.Bounds == nil {
			v.Bounds = map[string]int{}
		}
		if !ran || v.Verdict != solver.Safe || !v.Complete { // else loops were run to their ends
			v.Bounds["unroll"] = t.Options.Unroll
		}
		if v.Verdict == solver.Safe && !v.Complete && v.Short == nil {
			v.Short = []string{"unroll"}
		}
		if v.Stats != nil {
			v.Stats.Parse = float64(parsed) / float64(time.Millisecond)
		}
		if mapping != nil {
			v.Mapping = mapping.Taken()
		}
		explain(v)
	}
	q.Stands = func(words string, v *solver.Verification) {
		told := solver.Follower(ctx)
		if f := v.Failure; told == nil || f != nil && f.Property == ir.MixedSize {
			return
		}
		so := *v
		so.Bounds = maps.Clone(v.Bounds)
		if v.Failure != nil {
			f := *v.Failure
			so.Failure = &f
		}
		finish(&so)
		so.Status, so.SoFar, so.Open = "", words, v.Open
		if v.Verdict == solver.Safe && mortal() {
			so.Open = slices.Concat(v.Open, unfollowed(""))
		}
		told(&so)
	}
	v, ran, err := e.hold(ctx, t, o, code, q, t.Verify)
	if err != nil {
		return nil, err
	}
	if f := v.Failure; f != nil && f.Property == ir.MixedSize && t.Part == nil {
		progress("following what the program does at several widths")
		o.Bytes = true
		if p, code, err = e.program(ctx, t, m, o); err != nil {
			return nil, err
		}
		p.File, p.Name = t.Path, head.Name
		q.Program = p
		if v, ran, err = e.hold(ctx, t, o, code, q, t.Verify); err != nil {
			return nil, err
		}
	}
	if f := v.Failure; f != nil && f.Property == ir.MixedSize {
		return nil, litmus.Errorf(litmus.Pos{File: f.File, Line: f.Line, Col: f.Column}, "accesses of one object at two widths are not supported: %s", f.Text)
	}
	if t.Part != nil {
		if !ran {
			v.Part.Mortal = p.Mortal
		}
		v.Path, v.Name, v.Model, v.Engine, v.Property, v.Version = head.Path, head.Name, m.Name, e.Name, head.Property, e.Version()
		explain(v)
		return v, nil
	}
	var late []solver.Remark
	if mortal() && v.Verdict == solver.Safe && v.Undefined == nil {
		lives := q
		lives.Stands, lives.Progress = nil, func(words string) {
			q.Stands("nothing fails: looking for accesses of memory after the end of its life ("+words+")", v)
		}
		lives.Progress("following what the program does")
		if late, err = outlived(ctx, t, e, lives, o, v); err != nil {
			return nil, err
		}
	}
	finish(v)
	v.Remarks = append(v.Remarks, late...)
	return v, nil
}

// showFailure says of a failure what SC would have forbidden, and leaves out its execution where nobody wants it.
func showFailure(v *solver.Verification, m *models.Model, o solver.Options) {
	f := v.Failure
	if f == nil {
		return
	}
	if f.Graph != nil {
		f.Reordered = reordered(m, f.Graph)
	}
	if !o.Witnesses {
		f.Graph, f.Trace = nil, nil
	}
}

// settleUndefined has an answer be none where there is undefined behaviour, and nothing fails.
func settleUndefined(v *solver.Verification, path string) {
	if u := v.Undefined; u != nil && v.Verdict == solver.Safe {
		v.Status, v.Verdict, v.Complete, v.Short = solver.Unknown, solver.Undecided, false, nil
		v.Reason = fmt.Sprintf("nothing fails, but there is undefined behaviour at %s before that, and anything may come of it: %s (see --property memory, and overflow)",
			placeOf(u, path), u.Text)
	}
	if v.Verdict != solver.Undecided {
		v.Undefined = nil
	}
}

// outlived looks for accesses of memory whose life has ended, in a program that is safe otherwise: there are more
// accesses then than need be, to see where lives end.
func outlived(ctx context.Context, t solver.VerifyTask, e *Engine, q solver.Query, o cprog.Options, v *solver.Verification) ([]solver.Remark, error) {
	o.Lives = true
	p, code, err := e.program(ctx, t, q.Model, o)
	if err == nil {
		p.File, p.Name = q.Program.File, q.Program.Name
		q.Program = p
		if deadline, ok := ctx.Deadline(); ok {
			q.Options.Timeout = max(time.Until(deadline), time.Millisecond)
		}
		var also *solver.Verification
		if also, _, err = e.hold(ctx, t, o, code, q, solver.Verify{Properties: t.Properties}); err == nil {
			v.Cut = cmp.Or(v.Cut, also.Cut)
			if v.Undefined = also.Undefined; also.Verdict == solver.Safe {
				return nil, nil
			}
			if also.Verdict == solver.Unsafe { // the end of a life races
				v.Verdict, v.Complete, v.Failure, v.Executions = also.Verdict, also.Complete, also.Failure, nil
				return nil, nil
			}
			err = errors.New(cmp.Or(also.Reason, "another answer than without"))
		}
	}
	switch {
	case ctx.Err() == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		v.Cut = cmp.Or(v.Cut, timeReached(t.Options.Timeout))
	default:
		return nil, ctx.Err()
	}
	return unfollowed(err.Error()), nil
}

// unfollowed is the remark that it is not known whether memory is accessed that is not alive any more.
func unfollowed(why string) []solver.Remark {
	return []solver.Remark{{Line: 1, Column: 1, Message: "whether memory is accessed after the end of its life, beyond which nothing is defined, is not known: " + why}}
}

// placeOf is where a failure is, for people.
func placeOf(f *solver.Failure, path string) string {
	if f.File == "" || f.File == path {
		return fmt.Sprintf("line %d", f.Line)
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// mixesSizes tells whether a program may access an object at two widths, and says so where it does.
func mixesSizes(p *ir.Program) bool {
	for i := range p.Threads {
		for _, s := range p.Threads[i].Code {
			if a, ok := s.Op.(ir.Assert); ok && a.Property == ir.MixedSize {
				return true
			}
		}
	}
	return false
}

// Preprocessed are the tokens that the preprocessor makes of a task's program. Its error says places.
func Preprocessed(t solver.VerifyTask) ([]string, error) {
	s, err := source(t, nil)
	if err != nil {
		return nil, err
	}
	return cprog.Preprocessed(s)
}

// Operated are the places where a task's program accesses atomic objects by operators.
func Operated(t solver.VerifyTask) ([]litmus.Pos, error) {
	s, err := source(t, nil)
	if err != nil {
		return nil, err
	}
	return cprog.Operated(s, cprog.Options{Entry: t.Entry})
}

// source is a task's program for the front end, under a model; nil where only the task's name of it is known.
func source(t solver.VerifyTask, m *models.Model) (cprog.Source, error) {
	abi, err := abiOf(t, m)
	s := cprog.Source{Include: texts(t.Include), Dirs: t.Dirs, Defines: t.Defines, ABI: abi}
	for _, f := range t.Files {
		s.Files = append(s.Files, cprog.File{Name: f.Name, Text: f.Text})
	}
	return s, err
}
