// Package compilercheck checks what real compilers make of C11 tests: it compiles a test, reads each thread's assembly
// back into a test of the architecture, and compares the outcomes of the two tests.
//
//	t, err := compilercheck.TargetOf(ctx, compiler, "aarch64") // "" for the compiler's own architecture
//	c, err := compilercheck.Check(ctx, runner, compilercheck.Question{Source: task, Target: t})
//	c.Verdict, c.Text()
//
// An outcome that the architecture allows and C forbids is a bug of the compiler, unless a model is wrong. The axiom
// no-thin-air of the language's model is stricter than the C standard: what only this axiom forbids is no bug. A test
// that reads wrong with stack slots in registers is read again with all slots in memory, and counts only if it is still
// wrong. A listing that calls helpers for atomic operations is read both with their instructions and
// with their loops, and has to be right in both ways.
//
// It imports litmus, litmus/compile, litmus/readback, litmus/toolchain, models, models/cat, solver and
// solver/mappingcheck: no engine.
package compilercheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
)

// Target is a compiler that makes listings of an architecture.
type Target struct {
	Compiler toolchain.Compiler
	Machine  *readback.Machine
}

// TargetOf returns a compiler with the options that listings need, for an architecture by its name on the command line,
// or for the architecture that the compiler makes code for. Clang gets the target unless the user names one.
func TargetOf(ctx context.Context, c toolchain.Compiler, to string) (Target, error) {
	var m *readback.Machine
	var err error
	if to != "" {
		if m, err = readback.Find(to); err != nil {
			return Target{}, err
		}
	}
	version, err := c.Print(ctx, "--version")
	if err != nil {
		return Target{}, err
	}
	clang := strings.Contains(version, "clang")
	if m != nil && clang && !namesTarget(c.Arguments) {
		c.Arguments = append([]string{"--target=" + m.Clang}, c.Arguments...)
	}
	made, err := c.Print(ctx, "-dumpmachine")
	if err != nil {
		return Target{}, err
	}
	if m != nil && !m.Makes(made) {
		return Target{}, fmt.Errorf(
			"%s compiles for %s, not for %s: name a cross compiler, as in --cc %s-gcc, or clang",
			c,
			made,
			m.Names[0],
			m.Clang,
		)
	}
	for _, other := range readback.Machines() {
		if m == nil && other.Makes(made) {
			m = other
		}
	}
	if m == nil {
		return Target{}, fmt.Errorf("%s compiles for %s, whose listings cannot be read back", c, made)
	}
	options := m.Options()
	if !clang { // GCC makes one function of two with the same code
		options = append(options, "-fno-ipa-icf")
	}
	c.Arguments = append(options, c.Arguments...)
	return Target{c, m}, nil
}

// namesTarget says whether clang's arguments name a target.
func namesTarget(arguments []string) bool {
	for _, a := range arguments {
		if strings.HasPrefix(a, "--target") || a == "-target" || a == "-m32" || a == "-m64" {
			return true
		}
	}
	return false
}

// Question is a test and a compiler, or a listing that a compiler has made.
type Question struct {
	Source solver.Task // the test in C, with the model to hold the compiler to, or none for its own
	Target Target
	// Listing, unless "", is the listing to read instead of compiling; File names it in errors.
	Listing, File string
	// Functions are the functions of the threads in that listing, in order; nil for P0, P1 and so on.
	Functions []string
	// Language is what the language's model has said of the source already; nil without one.
	Language *solver.Result
}

// Built is a test as a compiler has made it.
type Built struct {
	Program  string        `json:"c"`        // the C file
	Listing  string        `json:"listing"`  // the compiler's
	Compiled *compile.Test `json:"compiled"` // the listing as a test

	program *readback.Program
	file    string
}

// Program writes a test as a C file, and compiles nothing.
func Program(q Question) (*Built, error) {
	t, err := litmus.Parse(q.Source.Path, q.Source.Source)
	if err != nil {
		return nil, err
	}
	p, err := readback.Source(t)
	if err != nil {
		return nil, err
	}
	return &Built{Program: p.Text, program: p}, nil
}

// Build compiles a test and reads the listing back. An error is a [toolchain.Failure], or has its place in the test or
// in the listing.
func Build(ctx context.Context, q Question) (*Built, error) {
	b, err := Program(q)
	if err != nil {
		return nil, err
	}
	b.Listing, b.file, b.program.Functions = q.Listing, q.File, q.Functions
	if b.Listing == "" {
		const source, listing = "test.c", "test.s"
		out, err := q.Target.Compiler.Run(ctx, toolchain.Job{
			Files:     map[string][]byte{source: []byte(b.Program)},
			Arguments: []string{"-o", listing, source}, Outputs: []string{listing},
		})
		if err != nil {
			return b, err
		}
		b.Listing, b.file = string(out[listing]), q.Source.Path+": listing"
	}
	b.Compiled, err = q.Target.Machine.Read(b.program, b.file, b.Listing)
	return b, err
}

// Checked is the answer.
type Checked struct {
	*mappingcheck.Checked
	// ThinAir: only the axiom no-thin-air of the language's model forbids what the architecture allows.
	ThinAir bool `json:"thin_air,omitempty"`
	Built   *Built
	Command string
}

// noThinAir is the axiom of rc11 and its like that forbids load buffering of relaxed accesses, which C allows.
const noThinAir = "no-thin-air"

// Check answers a question. What Build has made is part of the answer even if there is an error.
func Check(ctx context.Context, r solver.Runner, q Question) (*Checked, error) {
	out := &Checked{Command: q.Target.Compiler.String()}
	var err error
	if out.Built, err = Build(ctx, q); err != nil {
		return out, err
	}
	if err = out.read(ctx, r, q, false); err != nil || !q.Target.Machine.HasHelpers(out.Built.Listing) {
		return out, err
	}
	if out.Verdict != mappingcheck.Right && !out.ThinAir {
		return out, nil
	}
	first, made := *out, out.Built.Compiled
	q.Language = out.Language
	if err = out.read(ctx, r, q, true); err == nil && out.Verdict == mappingcheck.Right {
		*out, out.Built.Compiled = first, made // what the instructions show may be out of thin air
	}
	return out, err
}

// read reads the listing, with helpers as instructions or as loops, and checks it. If it is wrong with stack slots in
// registers, it reads the listing again with all slots in memory. If a limit then comes first, the first answer stands
// unless it shows a bug.
func (c *Checked) read(ctx context.Context, r solver.Runner, q Question, loops bool) error {
	var thin *Checked // the first answer, if what it shows is out of thin air
	for _, keep := range []bool{false, true} {
		how := readback.How{KeepStack: keep, Loops: loops}
		made, err := q.Target.Machine.ReadAs(c.Built.program, c.Built.file, c.Built.Listing, how)
		if err != nil {
			return err
		}
		if keep && made.Text == c.Built.Compiled.Text {
			break
		}
		ask := mappingcheck.Question{Source: q.Source, Compiled: made, Language: q.Language}
		if c.Checked, err = mappingcheck.Check(ctx, r, ask); err != nil {
			return err
		}
		c.Built.Compiled, q.Language, c.ThinAir = made, c.Language, false
		if c.Verdict == mappingcheck.Wrong {
			if c.ThinAir, err = c.allowsThinAir(ctx, r, q.Source); err != nil {
				return err
			}
			if c.ThinAir && !keep {
				first := *c
				made := *c.Built
				first.Built, thin = &made, &first
			}
		}
		switch {
		case c.Verdict == mappingcheck.Wrong:
		case c.Verdict == mappingcheck.Unknown && thin != nil:
			*c = *thin
			return nil
		default:
			return nil
		}
	}
	return nil
}

// allowsThinAir reports whether the language's model allows all that is wrong once it is without its axiom no-thin-air.
// If a limit or a bound leaves that open, the answer becomes unknown.
// Other axioms may be the only ones that forbid it, too: an exchange that reads out of thin air breaks atomicity unless
// it reads so.
func (c *Checked) allowsThinAir(ctx context.Context, r solver.Runner, source solver.Task) (bool, error) {
	m, err := models.Named(c.Language.Model)
	if err != nil || !slices.ContainsFunc(m.Axioms, func(a cat.Axiom) bool { return a.Name == noThinAir }) {
		return false, nil //nolint:nilerr // a model of the user's own
	}
	source.Model = c.Language.Model + "~" + noThinAir
	weaker, err := solver.Ask(ctx, r, source)
	if err != nil {
		return false, err
	}
	ask := mappingcheck.Question{Source: source, Compiled: c.Built.Compiled, Language: weaker}
	again, err := mappingcheck.Check(ctx, r, ask)
	if err != nil {
		return false, err
	}
	switch again.Verdict {
	case mappingcheck.Right:
		c.Axiom = noThinAir
	case mappingcheck.Unknown: // what is missing may be a bug
		c.Verdict, c.Reason, c.Axiom, c.Unsound = mappingcheck.Unknown, again.Reason, "", nil
	}
	return again.Verdict == mappingcheck.Right, nil
}

// Bug says whether the answer shows a bug of the compiler, or of a model.
func (c *Checked) Bug() bool {
	return c.Checked != nil && c.Verdict == mappingcheck.Wrong && !c.ThinAir
}

// Text is the answer in words.
func (c *Checked) Text() string {
	switch {
	case c.ThinAir:
		return fmt.Sprintf(
			"allowed by %s, and forbidden only by the axiom %s of %s: the C standard allows it, so it is no "+
				"bug of the compiler",
			c.Architecture.Model,
			noThinAir,
			c.Language.Model,
		)
	case c.Bug():
		text := fmt.Sprintf("allowed by %s, not by %s: the compiler, or a model, is wrong", c.Architecture.Model,
			c.Language.Model)
		if c.Axiom != "" {
			text += fmt.Sprintf(" (only the axiom %s of %s forbids it)", c.Axiom, c.Language.Model)
		}
		return text
	}
	return c.Checked.Text()
}

// Row is a line of the C test, or "" where it is that of the row before, and an instruction of the compiled test.
type Row struct {
	Line             int
	Source, Compiled string
}

// Initial returns the registers of a thread of the compiled test that have an initial value, as in "X28=x, X27=y".
func (b *Built) Initial(thread int) string {
	t, err := litmus.Parse("", b.Compiled.Text)
	if err != nil {
		return "" // Build has parsed it
	}
	var items []string
	for _, item := range t.Init {
		if item.Target.Thread == thread {
			item.Target.Thread = -1
			items = append(items, item.String())
		}
	}
	return strings.Join(items, ", ")
}

// SideBySide returns a thread's instructions with the lines of the C test that they come from.
func SideBySide(source string, l compile.Listing) []Row {
	lines := strings.Split(source, "\n")
	var rows []Row
	last := 0
	for _, in := range l.Lines {
		row := Row{Line: in.From, Compiled: in.Text}
		if in.From != last && in.From >= 1 && in.From <= len(lines) {
			row.Source, last = strings.TrimSpace(lines[in.From-1]), in.From
		}
		rows = append(rows, row)
	}
	return rows
}
