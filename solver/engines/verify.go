package engines

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/cprog"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

// targets are what C's atomics are for each built-in model. A compiler's mapping to x86 serves
// the generic models as well.
var targets = map[string]cprog.Target{
	"sc": cprog.X86, "tso": cprog.X86, "pso": cprog.X86, "rmo": cprog.X86, "alpha": cprog.X86, "mips": cprog.X86,
	"power": cprog.Power, "power-cav10": cprog.Power, "arm": cprog.ARM, "aarch64": cprog.AArch64, "riscv": cprog.RISCV,
	"rc11": cprog.Language, "c11": cprog.Language, "c11-psc": cprog.Language, "imm": cprog.Language, "lkmm": cprog.Kernel,
}

// Targets are all that C's atomics can be compiled to.
var Targets = []string{
	string(cprog.Language), string(cprog.X86), string(cprog.Power), string(cprog.ARM), string(cprog.AArch64),
	string(cprog.RISCV), string(cprog.Kernel),
}

// targetOf is the target of a task under a model. A model of the user's own is known by its name, as
// aarch64.cat is, or else by what it names: orders of C, or what the kernel has.
func targetOf(t solver.VerifyTask, m *models.Model) cprog.Target {
	if t.Target != "" {
		return cprog.Target(t.Target)
	}
	base, _ := models.Split(t.Model)
	for _, name := range []string{m.Name, strings.TrimSuffix(path.Base(base), ".cat"), strings.SplitN(m.Name, "~", 2)[0]} {
		if target, ok := targets[strings.ToLower(name)]; ok {
			return target
		}
	}
	switch {
	case m.Mentions("ACQ", "REL", "ACQ_REL", "SC", "RLX"):
		return cprog.Language
	case m.Mentions("MB", "Mb", "Rmb", "Wmb", "Rcu-lock"):
		return cprog.Kernel
	}
	return cprog.X86
}

// strong tells whether a weak compare-and-exchange fails for no other reason than a strong one does: where it is
// one instruction, and in the kernel, which has no other. Where no instruction set is meant, as under sc, tso and
// pso by themselves, the language's rules hold, as they do for tests.
func strong(t solver.VerifyTask, m *models.Model) bool {
	switch targetOf(t, m) {
	case cprog.AArch64, cprog.Kernel:
		return true
	case cprog.X86:
		return t.Target != ""
	}
	return false
}

func admitVerify(t solver.VerifyTask) (*Engine, *models.Model, error) {
	for _, p := range t.Properties {
		if !slices.Contains(ir.Properties, p) {
			return nil, nil, fmt.Errorf("unknown property %q: want some of %s", litmus.Shorten(string(p)), solver.Verify{Properties: ir.Properties}.Property())
		}
	}
	if t.Target != "" && !slices.Contains(Targets, t.Target) {
		return nil, nil, fmt.Errorf("unknown target %q: want one of %s", litmus.Shorten(t.Target), strings.Join(Targets, ", "))
	}
	e, m, err := admit(t.Terms(), programTongue(t))
	if err != nil {
		return nil, nil, err
	}
	if _, ok := e.engine.(solver.Verifier); !ok {
		return nil, nil, fmt.Errorf("the engine %s runs no programs in C", e.Name)
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

// counting names an engine that counts the executions of programs.
func counting() string {
	return table[slices.IndexFunc(table, func(e Engine) bool { return e.counts })].Name
}

// kernelHeader is what programs include that are written against the kernel's primitives.
var kernelHeader = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<](lkmm\.h|linux/|asm/)`)

// programTongue is the tongue of a program.
func programTongue(t solver.VerifyTask) string {
	for _, f := range t.Files {
		if kernelHeader.MatchString(f.Text) {
			return dialect.Kernel
		}
	}
	for _, text := range t.Include {
		if kernelHeader.MatchString(text) {
			return dialect.Kernel
		}
	}
	return "C"
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
	if limit := t.Options.Timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	p, err := cprog.Lower(ctx, source(t), cprog.Options{
		Entry: t.Entry, Unroll: t.Options.Unroll, Properties: t.Properties, Target: targetOf(t, m), Strong: strong(t, m),
		Waits: ir.Waits{Reads: m.ForgetsReads(), Locks: m.HasMachine()},
		Ahead: !m.ForbidsThinAir(),
	})
	if err != nil {
		return nil, err
	}
	p.File, p.Name = t.Path, head.Name
	parsed := time.Since(start)
	q := solver.Query{Program: p, Model: m, Options: t.Options}
	q.Options.Witnesses = true // where the bug is comes of it
	if q.Options.Timeout > 0 {
		q.Options.Timeout = max(q.Options.Timeout-parsed, time.Millisecond)
	}
	want := t.Verify
	if mixesSizes(p) {
		want.Properties = append(slices.Clone(want.Properties), ir.MixedSize)
	}
	v, err := e.engine.(solver.Verifier).Verify(ctx, q, want)
	if err != nil {
		return nil, err
	}
	if f := v.Failure; f != nil && f.Property == ir.MixedSize {
		return nil, litmus.Errorf(litmus.Pos{File: f.File, Line: f.Line, Col: f.Column}, "accesses of one object at two widths are not supported: %s", f.Text)
	}
	v.Path, v.Name, v.Model, v.Engine, v.Property, v.Version = head.Path, head.Name, m.Name, e.Name, head.Property, e.Version()
	if v.Bounds == nil {
		v.Bounds = map[string]int{}
	}
	v.Bounds["unroll"] = t.Options.Unroll
	if v.Verdict == solver.Safe && !v.Complete && v.Short == nil {
		v.Short = []string{"unroll"}
	}
	if v.Stats != nil {
		v.Stats.Parse = float64(parsed) / float64(time.Millisecond)
	}
	for _, r := range append(p.Remarks, m.Remarks(p)...) {
		v.Remarks = append(v.Remarks, solver.Remark{Line: r.Pos.Line, Column: r.Pos.Col, Message: r.Msg})
	}
	if f := v.Failure; f != nil {
		if f.Graph != nil {
			f.Reordered = reordered(m, f.Graph)
		}
		if !t.Options.Witnesses {
			f.Graph, f.Trace = nil, nil
		}
	}
	return v, nil
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

// source is a task's program for the front end.
func source(t solver.VerifyTask) cprog.Source {
	s := cprog.Source{Include: texts(t.Include), Dirs: t.Dirs, Defines: t.Defines, ILP32: t.ILP32}
	for _, f := range t.Files {
		s.Files = append(s.Files, cprog.File{Name: f.Name, Text: f.Text})
	}
	return s
}
