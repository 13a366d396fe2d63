package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
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

// Targets are all architectures to which the front end compiles C's atomics; those of a mapping may have its variants
// behind them, as in arm:dmb+leading.
var Targets = targetNames()

func targetNames() []string {
	names := []string{string(cprog.Language), string(cprog.Generic), string(cprog.Kernel)}
	for _, a := range compile.Machines() {
		names = append(names, a.Names[0])
	}
	return names
}

// TargetVariants are targets with one variant of their mappings each.
func TargetVariants() (names []string) {
	for _, a := range compile.Machines() {
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
			err = fmt.Errorf("unknown target %q: %swant one of %s", litmus.Shorten(name), compile.Unmapped(base),
				strings.Join(Targets, ", "))
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

// admitVerify finds the engine and the model of a task, or says why they cannot answer it: an unknown property, target
// or data model, an engine without that kind of question, or an option that verification does not use.
func admitVerify(t solver.VerifyTask) (*Engine, *models.Model, error) {
	for _, p := range t.Properties {
		if !slices.Contains(ir.Properties, p) {
			return nil, nil, fmt.Errorf("unknown property %q: want one or more of %s", litmus.Shorten(string(p)),
				solver.Verify{Properties: ir.Properties}.Property())
		}
	}
	if _, err := abiOf(t, nil); err != nil {
		return nil, nil, err
	}
	if _, _, err := t.RelaxedAccesses(); err != nil {
		return nil, nil, err
	}
	if t.Target != "" {
		if _, _, err := target(t.Target); err != nil {
			return nil, nil, err
		}
	}
	e, m, err := admit(t.Params(), ProgramTongue(t))
	if err != nil {
		return nil, nil, err
	}
	if m != nil {
		if err := unscoped(m, "programs have"); err != nil {
			return nil, nil, err
		}
	}
	if !e.verifies() {
		return nil, nil, fmt.Errorf("the engine %s does not check C programs", e.Name)
	}
	if s, ok := e.engine.(selective); ok && m != nil && !slices.Contains(s.Verifies(), m.Name) {
		return nil, nil, fmt.Errorf("the engine %s checks programs under %s, not under %s, for which it runs litmus "+
			"tests only", e.Name, strings.Join(s.Verifies(), ", "), m.Name)
	}
	if t.Part != nil && !e.parts() {
		return nil, nil, fmt.Errorf("the engine %s does not explore executions in parts: use %s", e.Name,
			graphs.Engine{}.Name())
	}
	if (t.Count || t.ByReads) && !e.counts {
		return nil, nil, fmt.Errorf("the engine %s does not count executions: use %s", e.Name, counting())
	}
	defaults := solver.DefaultOptions()
	for _, opt := range solver.OptionTable {
		if !slices.ContainsFunc(VerifyOptions, func(o solver.Option) bool { return o.Name == opt.Name }) &&
			!opt.Same(&t.Options, &defaults) {
			return nil, nil, &solver.OptionError{Option: opt.Name, Msg: "verification does not have this option"}
		}
	}
	return e, m, nil
}

// interpreter is an engine that runs programs in C as they are.
type interpreter interface {
	// Runs reports whether it does so under a model: elsewhere it takes them lowered.
	Runs(m *models.Model) bool
	VerifyCode(ctx context.Context, p *run.Program, q solver.Query, want solver.Verify) (*solver.Verification, error)
}

// parts reports whether an engine visits executions in parts.
func (e *Engine) parts() bool { return e.Name == graphs.Engine{}.Name() }

// verifies reports whether an engine holds programs in C to properties.
func (e *Engine) verifies() bool {
	_, lowered := e.engine.(solver.Verifier)
	return lowered || e.Name == Auto
}

// selective is an engine that checks programs under fewer models than it runs tests under.
type selective interface{ Verifies() []string }

// VerifiesUnder reports whether the engine checks programs under a model of a name.
func (e *Engine) VerifiesUnder(model string) bool {
	if s, ok := e.engine.(selective); ok {
		return slices.Contains(s.Verifies(), model)
	}
	return e.AnswersFor(model)
}

// runs reports whether an engine runs programs as they are under a model.
func (e *Engine) runs(m *models.Model) bool {
	in, runs := e.engine.(interpreter)
	return runs && in.Runs(m)
}

// reader returns the code of a task's program, which it makes once.
type reader func() (*cprog.Code, error)

// newReader returns the reader of a task's program under a model.
func newReader(t solver.VerifyTask, m *models.Model, o cprog.Options) reader {
	return sync.OnceValues(func() (*cprog.Code, error) {
		s, err := source(t, m)
		if err != nil {
			return nil, err
		}
		return cprog.Read(s, o)
	})
}

// program is a task's program as the engine takes it under a model: of one that runs it, the first has remarks alone.
func (e *Engine) program(
	ctx context.Context, t solver.VerifyTask, m *models.Model, read reader, o cprog.Options,
) (*ir.Program, *run.Program, error) {
	c, err := read()
	if err != nil {
		return nil, nil, err
	}
	if !e.runs(m) || t.Part != nil && t.Part.Lowered {
		p, err := c.Lower(ctx, o)
		return p, nil, err
	}
	code, err := c.Run(o)
	if err != nil {
		return nil, nil, err
	}
	return &ir.Program{Remarks: code.Remarks}, code, nil
}

// verifyWith verifies properties of a program, and reports whether it ran the code for that. If running it does not
// suffice, it lowers the program.
func (e *Engine) verifyWith(
	ctx context.Context, read reader, o cprog.Options, code *run.Program, q solver.Query, want solver.Verify,
) (v *solver.Verification, ran bool, err error) {
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
		c, err := read()
		if err != nil {
			return nil, false, err
		}
		p, err := c.Lower(ctx, o)
		if err != nil {
			return nil, false, err
		}
		p.File, p.Name, p.Remarks = q.Program.File, q.Program.Name, q.Program.Remarks
		code.UncheckedLifetimes = p.UncheckedLifetimes
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

// Counts reports whether an engine counts the executions of programs.
func (e *Engine) Counts() bool { return e.counts }

// counting names an engine that counts the executions of programs.
func counting() string {
	return table[slices.IndexFunc(table, func(e Engine) bool { return e.counts })].Name
}

// ProgramTongue is the tongue of a program: the kernel's, where it includes a header of the kernel's.
func ProgramTongue(t solver.VerifyTask) string {
	if s, err := source(t, nil); err == nil && !cprog.IsLLVM(s) && cprog.IncludesKernel(s) {
		return dialect.Kernel
	}
	return "C"
}

// readOptions are the options for parsing a task's program for a model.
func readOptions(t solver.VerifyTask, m *models.Model) (cprog.Options, *compile.Mapping, error) {
	to, mapping, err := target(targetOf(t, m))
	waits := m.Waits()
	// for programs, other models follow exchanges that write back the value that they read
	waits.Locks = m.HasMachine()
	return cprog.Options{
		Lives: t.Part != nil && t.Part.Lives,
		Entry: t.Entry, Unroll: t.Options.Unroll, Properties: t.Properties, Target: to, Mapping: mapping,
		Strong:  to == cprog.Kernel || mapping != nil && mapping.Strong(),
		Waits:   waits,
		Ahead:   !m.IsGrounded(),
		Relaxed: relaxedOf(t),
	}, mapping, err
}

// unmapped refuses a program for what compilers would make of it.
func (e *Engine) unmapped(t solver.VerifyTask) error {
	return litmus.Errorf(litmus.Pos{File: t.Path},
		"the engine %s does not check compiled programs: choose another engine, or the target c or generic", e.Name)
}

// verification is the state of one task. Its stages, in order, are newVerification, read, decide, checkLifetimes and
// finish.
type verification struct {
	task    solver.VerifyTask
	engine  *Engine
	model   *models.Model
	head    *solver.Verification // what the answer says of the question
	options cprog.Options
	mapping *compile.Mapping // what compilers make of accesses; nil for C's own
	abi     cprog.ABI
	reader  reader

	program *ir.Program
	code    *run.Program // that the engine runs; nil: it reads the program
	parsed  time.Duration
	query   solver.Query
	ran     bool // the engine ran the code, with loops to their ends
}

// verify decides a task that began at start.
func verify(ctx context.Context, t solver.VerifyTask, start time.Time) (*solver.Verification, error) {
	s, err := newVerification(t)
	if err != nil {
		return nil, err
	}
	ctx, cancel := t.Options.Within(ctx)
	defer cancel()
	if err := s.read(ctx, start); err != nil {
		return nil, err
	}
	v, err := s.decide(ctx)
	if err != nil {
		return nil, err
	}
	if t.Part != nil {
		if !s.ran {
			v.Part.UncheckedLifetimes = s.program.UncheckedLifetimes
		}
		s.name(v)
		s.explain(v)
		return v, nil
	}
	var late []solver.Remark
	if s.hasLifetimes() && v.Verdict == solver.Safe && v.Undefined == nil {
		if late, err = s.checkLifetimes(ctx, v); err != nil {
			return nil, err
		}
	}
	s.finish(v)
	v.Remarks = append(v.Remarks, late...)
	return v, nil
}

// newVerification admits a task, and determines how to parse its program.
func newVerification(t solver.VerifyTask) (*verification, error) {
	e, m, err := admitVerify(t)
	if err != nil {
		return nil, err
	}
	if len(t.Properties) == 0 {
		t.Properties = solver.UsualProperties(m)
	}
	s := &verification{task: t, engine: e, model: m, head: Unread(t, nil)}
	if s.options, s.mapping, err = readOptions(t, m); err != nil {
		return nil, err
	}
	s.abi, err = abiOf(t, m)
	s.reader = newReader(t, m, s.options)
	return s, err
}

// progress reports the current step to the task's follower, if there is one.
func (s *verification) progress(ctx context.Context) func(words string) {
	told := solver.Follower(ctx)
	if told == nil {
		return func(string) {}
	}
	return func(words string) {
		so := *s.head
		so.Status, so.SoFar = "", words
		told(&so)
	}
}

// read reads the program, and makes the query about it.
func (s *verification) read(ctx context.Context, start time.Time) error {
	progress := s.progress(ctx)
	if !s.engine.runs(s.model) {
		progress("running the program symbolically")
	} else if s.mapping != nil {
		return s.engine.unmapped(s.task)
	}
	if err := s.readProgram(ctx); err != nil {
		return err
	}
	if s.code == nil {
		progress("encoding the interaction of " + solver.Count(len(s.program.Threads), "thread"))
	}
	s.parsed = time.Since(start)
	s.query = solver.Query{
		Program: s.program, Model: s.model, Options: s.task.Options, Progress: progress,
		Part: s.task.Part,
	}
	s.query.Options.Witnesses = true // it shows where the bug is
	if s.query.Options.Timeout > 0 {
		s.query.Options.Timeout = max(s.query.Options.Timeout-s.parsed, time.Millisecond)
	}
	s.query.OnPartialVerdict = s.onPartialVerdict(ctx)
	return nil
}

// readProgram reads the program as the options say.
func (s *verification) readProgram(ctx context.Context) (err error) {
	if s.program, s.code, err = s.engine.program(ctx, s.task, s.model, s.reader, s.options); err != nil {
		return err
	}
	s.program.File, s.program.Name = s.task.Path, s.head.Name
	return nil
}

// decide has the engine decide the query. If a program accesses an object at two widths, it parses the program once
// more, byte by byte.
func (s *verification) decide(ctx context.Context) (*solver.Verification, error) {
	v, err := s.ask(ctx)
	if err != nil {
		return nil, err
	}
	if f := v.Failure; f != nil && f.Property == ir.MixedSize && s.task.Part == nil {
		s.progress(ctx)("running the program symbolically at several widths")
		s.options.Bytes = true
		if err := s.readProgram(ctx); err != nil {
			return nil, err
		}
		s.query.Program = s.program
		if v, err = s.ask(ctx); err != nil {
			return nil, err
		}
	}
	if f := v.Failure; f != nil && f.Property == ir.MixedSize {
		return nil, litmus.Errorf(litmus.Pos{File: f.File, Line: f.Line, Col: f.Column},
			"accesses to one object at two widths are not supported: %s", f.Text)
	}
	return v, nil
}

// ask has the engine answer the query as it is now.
func (s *verification) ask(ctx context.Context) (v *solver.Verification, err error) {
	v, s.ran, err = s.engine.verifyWith(ctx, s.reader, s.options, s.code, s.query, s.task.Verify)
	return v, err
}

// hasLifetimes reports whether the program may access memory after its lifetime, which the query does not track.
func (s *verification) hasLifetimes() bool {
	return s.program.UncheckedLifetimes || s.code != nil && s.code.UncheckedLifetimes
}

// checkLifetimes looks for such accesses in a program that v says is safe otherwise, and returns what remains open.
func (s *verification) checkLifetimes(ctx context.Context, v *solver.Verification) ([]solver.Remark, error) {
	lives := s.query
	lives.OnPartialVerdict, lives.Progress = nil, func(words string) {
		s.query.OnPartialVerdict("nothing fails: looking for accesses of memory after its lifetime ("+words+")",
			v)
	}
	lives.Progress("running the program symbolically")
	return checkLifetimes(ctx, s.task, s.engine, s.reader, lives, s.options, v)
}

// onPartialVerdict tells who follows the task a verdict that nothing changes any more, with what is still open.
func (s *verification) onPartialVerdict(ctx context.Context) func(words string, v *solver.Verification) {
	return func(words string, v *solver.Verification) {
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
		s.finish(&so)
		so.Status, so.SoFar, so.Open = "", words, v.Open
		if v.Verdict == solver.Safe && s.hasLifetimes() {
			so.Open = slices.Concat(v.Open, unfollowed(""))
		}
		told(&so)
	}
}

// name has an answer say which question it answers, and who answered.
func (s *verification) name(v *solver.Verification) {
	v.Path, v.Name, v.Model, v.Engine, v.Property, v.Version = s.head.Path, s.head.Name, s.model.Name, s.engine.Name,
		s.head.Property, s.engine.Version()
}

// explain adds what a reader needs beside the verdict: the machine's C, remarks and the failure's execution.
func (s *verification) explain(v *solver.Verification) {
	showABI(v, s.task, s.abi)
	v.Remarks = slices.Concat(solver.Remarks(s.program, s.model), v.Remarks)
	if says := solver.RaceRemark(s.model); says != "" && s.task.Has(ir.DataRace) {
		v.Remarks = append(v.Remarks, solver.Remark{Line: 1, Column: 1, Message: says})
	}
	v.Remarks = append(v.Remarks, s.task.RelaxedRemarks()...)
	showFailure(v, s.model, s.task.Options)
}

// finish completes an answer: undefined behaviour, bounds, statistics and what explains it.
func (s *verification) finish(v *solver.Verification) {
	settleUndefined(v, s.task.Path)
	s.name(v)
	if v.Bounds == nil {
		v.Bounds = map[string]int{}
	}
	// If the bound cut nothing, there is none to mention: loops ran to their ends, or there are none.
	v.Loops = s.program.Loops || s.code != nil && s.code.HasLoops()
	if v.Loops && (!s.ran || v.Verdict != solver.Safe || !v.Complete) || v.Verdict == solver.Safe && !v.Complete {
		v.Bounds["unroll"] = s.task.Options.Unroll
	}
	if v.Verdict == solver.Safe && !v.Complete && v.Short == nil {
		v.Short = []string{"unroll"}
	}
	if v.Stats != nil {
		v.Stats.Parse = float64(s.parsed) / float64(time.Millisecond)
	}
	if s.mapping != nil {
		v.Mapping = s.mapping.Choices()
	}
	s.explain(v)
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

// settleUndefined removes the verdict if there is undefined behaviour and nothing fails.
func settleUndefined(v *solver.Verification, path string) {
	if u := v.Undefined; u != nil && v.Verdict == solver.Safe {
		v.Status, v.Verdict, v.Complete, v.Short = solver.Unknown, solver.Undecided, false, nil
		v.Reason = fmt.Sprintf("no property fails, but behaviour is undefined at %s, after which anything "+
			"can happen: %s (see --property memory and overflow)",
			placeOf(u, path), u.Text)
	}
	if v.Verdict != solver.Undecided {
		v.Undefined = nil
	}
}

// checkLifetimes looks for accesses of memory whose life has ended, in a program that is safe otherwise. The program
// then has more accesses than the properties need, to see where lives end.
func checkLifetimes(
	ctx context.Context, t solver.VerifyTask, e *Engine, read reader, q solver.Query, o cprog.Options,
	v *solver.Verification,
) ([]solver.Remark, error) {
	o.Lives = true
	p, code, err := e.program(ctx, t, q.Model, read, o)
	if err == nil {
		p.File, p.Name = q.Program.File, q.Program.Name
		q.Program = p
		if deadline, ok := ctx.Deadline(); ok {
			q.Options.Timeout = max(time.Until(deadline), time.Millisecond)
		}
		var also *solver.Verification
		if also, _, err = e.verifyWith(ctx, read, o, code, q, solver.Verify{Properties: t.Properties}); err == nil {
			v.Cut = cmp.Or(v.Cut, also.Cut)
			if v.Undefined = also.Undefined; also.Verdict == solver.Safe {
				return nil, nil
			}
			if also.Verdict == solver.Unsafe { // the end of a life races
				v.Verdict, v.Complete, v.Failure, v.Executions = also.Verdict, also.Complete, also.Failure, nil
				return nil, nil
			}
			err = errors.New(cmp.Or(also.Reason, "a second run gave another answer"))
		}
	}
	var needs *solver.NeedsMemory
	switch {
	case errors.As(err, &needs):
		return nil, err
	case ctx.Err() == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		v.Cut = cmp.Or(v.Cut, timeReached(t.Options.Timeout))
	default:
		return nil, ctx.Err()
	}
	return unfollowed(err.Error()), nil
}

// unfollowed is the remark that the program may access memory after its lifetime.
func unfollowed(why string) []solver.Remark {
	return []solver.Remark{
		{
			Line: 1, Column: 1,
			Message: "accesses of memory after its lifetime, which are undefined behaviour, are not excluded: " + why,
		},
	}
}

// placeOf is where a failure is, for people.
func placeOf(f *solver.Failure, path string) string {
	if f.File == "" || f.File == path {
		return fmt.Sprintf("line %d", f.Line)
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// mixesSizes reports whether a program may access an object at two widths, and says so where it does.
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
	return cprog.Operated(s, cprog.Options{Entry: t.Entry, Relaxed: relaxedOf(t)})
}

// source is a task's program for the front end, under a model; nil if only the task's name of it is known.
func source(t solver.VerifyTask, m *models.Model) (cprog.Source, error) {
	abi, err := abiOf(t, m)
	s := cprog.Source{Dirs: t.Dirs, Defines: t.Defines, ABI: abi}
	if len(t.Include) > 0 { // without, the front end may know the program from an earlier question
		s.Include = texts(t.Include)
	}
	for _, f := range t.Files {
		s.Files = append(s.Files, cprog.File{Name: f.Name, Text: f.Text})
	}
	return s, err
}
