package programs

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web/apart"
	"litmuscope/web/ask"
	"litmuscope/web/option"
	"litmuscope/web/rest"
	"litmuscope/web/shell"
)

// claim is a program in one file, and what is claimed of it under some models: what the page on
// programs asks.
type claim struct {
	verifyQuestion
	Source string
}

// programFile stands for the visitor's program in places.
const programFile = "program.c"

// newClaim is the usual one of a program.
func newClaim(source string) claim {
	c := claim{Source: source}
	c.Path, c.Files = programFile, []solver.SourceFile{{Name: programFile, Text: source}}
	c.Models, c.Properties, c.Options = firstProgramModels(source), ir.Properties[:1], solver.DefaultOptions()
	c.Options.Witnesses = true
	return c
}

// readClaim reads the claim of a form.
func readClaim(f url.Values) (claim, error) {
	c := newClaim(shell.UnixLines(f.Get("source")))
	if f.Has("model") {
		c.Models = f["model"]
		ask.InOrder(c.Models)
	}
	c.Entry, c.Engine, c.Defines = strings.TrimSpace(f.Get("option-entry")), f.Get("engine"), strings.Fields(f.Get("option-defines"))
	for i, p := range f["property"] {
		if i == 0 {
			c.Properties = nil
		}
		c.Properties = append(c.Properties, ir.Property(p))
	}
	if strings.TrimSpace(c.Source) == "" {
		return c, shell.Refuse("There is nothing in it: write a program, or begin with one of the list.")
	}
	if err := option.SetAll(&c.Options, f); err != nil {
		return c, err
	}
	return c, c.raise(f.Get("raise"))
}

// checkedClaim is readClaim, and refuses what no program should be.
func checkedClaim(f url.Values) (claim, error) {
	c, err := readClaim(f)
	if err == nil {
		err = checkProgram(&c.verifyQuestion)
	}
	return c, err
}

// raise sets the bound that the button of an answer names, "unroll=4".
func (c *claim) raise(text string) error {
	name, value, _ := strings.Cut(text, "=")
	if i := slices.IndexFunc(engines.VerifyOptions, func(o solver.Option) bool { return o.Name == name && option.OnPage(o) }); i >= 0 {
		return option.Set(&c.Options, engines.VerifyOptions[i], value)
	}
	return nil
}

// readProgram says what is wrong with a program.
func (s *room) readProgram(ctx context.Context, c claim) ([]shell.Mark, error) {
	if err := checkProgram(&c.verifyQuestion); err != nil {
		return nil, err
	}
	read, err := apart.ReadingPrograms.Call(ctx, s.Sandbox, c.VerifyTask)
	if err != nil {
		return nil, shell.TooMuch(err, "Reading the program")
	}
	faults := make([]solver.Fault, len(read.Bad))
	for i, e := range read.Bad {
		faults[i] = solver.Fault{File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col, Message: e.Msg}
	}
	return faultMarks(c.Source, faults), nil
}

// faultMarks puts faults to their places in a program; those in other files than the visitor's say where
// they are.
func faultMarks(source string, faults []solver.Fault) []shell.Mark {
	at, out := shell.Marker(source), []shell.Mark{}
	for _, f := range faults {
		if f.File != programFile {
			pos := litmus.Pos{File: f.File, Line: f.Line, Col: f.Column}
			f = solver.Fault{Line: 1, Column: 1, Message: pos.String() + ": " + f.Message}
		}
		out = append(out, at(f.Line, f.Column, f.Message))
	}
	return out
}

// firstProgramModels are ticked for a new program: what one expects of memory, processors that people
// have, and the language itself; or what the kernel has.
func firstProgramModels(source string) []string {
	task := solver.VerifyTask{Files: []solver.SourceFile{{Name: programFile, Text: source}}}
	_, own := engines.VerifyModels(task)
	if own == models.Default(dialect.Kernel) {
		return ask.FirstModels(dialect.Kernel)
	}
	return append(models.InFront(models.InPrograms), own)
}

// link is what a permalink keeps of a claim.
func (c claim) link() store.Link {
	return store.Link{
		Source: c.Source, Models: c.Models, Engine: c.Engine, Options: c.Options,
		Program: &store.LinkedProgram{Property: c.Property(), Defines: c.Defines, Entry: c.Entry},
	}
}

func claimOf(l store.Link) claim {
	c := newClaim(l.Source)
	c.Models, c.Engine, c.Options, c.Defines, c.Entry, c.Properties = l.Models, l.Engine, l.Options, l.Program.Defines, l.Program.Entry, nil
	for _, name := range strings.Split(l.Program.Property, "+") {
		c.Properties = append(c.Properties, ir.Property(name))
	}
	return c
}

// Say names the places in the program, and in models of the visitor's own.
func (b *badProgram) Say() shell.Said {
	first, _, _ := strings.Cut(b.detail, "\n")
	out := shell.Say("the program cannot be verified: %s", first)
	out.View = shell.ProblemView{Text: "The program cannot be read:", Marks: faultMarks(b.source, b.faults)}
	for _, f := range b.faults {
		where := "body.files"
		if b.own[f.File] {
			where = "body.own_models"
		}
		out.Details = append(out.Details, rest.ProblemDetail{Message: f.Message, Location: where, File: f.File, Line: f.Line, Column: f.Column})
	}
	return out
}
