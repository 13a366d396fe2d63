package programs

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/recognise"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// claim is the question of the programs page: a program, and the properties to check under some models.
type claim struct {
	verifyQuestion
	Source string              // the first file, whose name is Path
	Others []solver.SourceFile // the other files
}

// newClaim returns a claim with default settings.
func newClaim(source string) claim {
	c := claim{Source: source}
	c.setFiles(programFile, nil)
	c.Models, c.Options = firstProgramModels(source), solver.DefaultOptions()
	c.Options.Witnesses = true
	return c
}

// setFiles sets the program's files. Files with extensions .c and .i, or of C++, are compiled, as is the first file;
// the others can be included. A file that nobody has named gets the ending of its language.
func (c *claim) setFiles(name string, others []solver.SourceFile) {
	if isUsual(name) {
		name = fileName(c.Source, c.Language)
	}
	c.Path, c.Others, c.Include = name, others, nil
	c.Files = []solver.SourceFile{{Name: name, Text: c.Source}}
	for _, f := range others {
		ext := path.Ext(f.Name)
		if ext == ".c" || ext == ".i" || frontend.LanguageOf(f.Name) == frontend.CPlusPlus {
			c.Files = append(c.Files, f)
			continue
		}
		if c.Include == nil {
			c.Include = map[string]string{}
		}
		c.Include[f.Name] = f.Text
	}
}

// filesFromForm reads the program's other files, whose names and texts are in parallel fields.
func filesFromForm(f url.Values) ([]solver.SourceFile, error) {
	names, texts := f["file-name"], f["file-text"]
	if len(names) != len(texts) || len(names) > server.MaxProgramFiles {
		return nil, server.Refuse("The program's files need different names, and there can be at most %d.",
			server.MaxProgramFiles)
	}
	var out []solver.SourceFile
	for i, name := range names {
		if name == f.Get("file") || slices.Contains(names[:i], name) {
			return nil, server.Refuse("Two files have the name %q.", server.Shortened(name))
		}
		out = append(out, solver.SourceFile{Name: name, Text: server.UnixLines(texts[i])})
	}
	return out, nil
}

// macros splits a list of macros at line breaks or, in one line, at spaces.
func macros(text string) []string {
	text = server.UnixLines(text)
	if !strings.Contains(text, "\n") {
		return strings.Fields(text)
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// macroText is the inverse of macros.
func macroText(defines []string) string {
	if slices.ContainsFunc(defines, func(d string) bool { return strings.ContainsAny(d, " \t") }) {
		return strings.Join(defines, "\n") + "\n"
	}
	return strings.Join(defines, " ")
}

// readClaim parses the claim in a form.
func readClaim(f url.Values) (claim, error) {
	c := newClaim(server.UnixLines(f.Get("source")))
	if f.Has("model") {
		c.Models = f["model"]
	}
	var err error
	if c.Own, err = question.OwnFromForm(f); err != nil {
		return c, err
	}
	for _, m := range c.Own {
		if !slices.Contains(c.Models, m.Name) {
			c.Models = append(c.Models, m.Name)
		}
	}
	others, err := filesFromForm(f)
	if err != nil {
		return c, err
	}
	if c.Language, err = languageNamed(f.Get("option-language")); err != nil {
		return c, err
	}
	c.Level = f.Get("option-level")
	c.setFiles(cmp.Or(f.Get("file"), programFile), others)
	question.InOrder(c.Models, engines.ProgramTongue(c.VerifyTask))
	c.Entry, c.Engine, c.Defines = strings.TrimSpace(f.Get("option-entry")), f.Get("engine"),
		macros(f.Get("option-defines"))
	c.DataModel, c.Char, c.Target = f.Get("option-data-model"), f.Get("option-char"),
		strings.TrimSpace(f.Get("option-target"))
	c.Volatile, c.Plain = f.Get("option-volatile"), strings.TrimSpace(f.Get("option-plain"))
	c.Count, c.Minimise = f.Get("option-count") == "true", f.Get("option-minimise") == "true"
	c.Properties = propertiesFromForm(f)
	if strings.TrimSpace(c.Source) == "" {
		return c, server.Refuse("The program is empty: write one, or choose one from the list.")
	}
	if err := optionform.SetAll(&c.Options, f); err != nil {
		return c, err
	}
	return c, c.raise(f.Get("raise"))
}

// racesField is the form field whose value "all" checks for data races under models of machines too.
const racesField = "races"

// usualProperties are the boxes that are ticked by default. If they alone are ticked and racesField is not, the claim
// has no properties, and the engine's default applies: see [solver.UsualProperties].
var usualProperties = []ir.Property{ir.Assertion, ir.DataRace}

// propertiesFromForm returns the chosen properties, nil for the default.
func propertiesFromForm(f url.Values) (out []ir.Property) {
	for _, p := range f["property"] {
		out = append(out, ir.Property(p))
	}
	if f.Get(racesField) != "" {
		if !slices.Contains(out, ir.DataRace) {
			out = append(out, ir.DataRace)
		}
	} else if slices.Equal(out, usualProperties) {
		return nil
	}
	return out
}

// checkedClaim is readClaim with the checks of checkProgram.
func checkedClaim(f url.Values) (claim, error) {
	c, err := readClaim(f)
	if err == nil {
		err = checkProgram(&c.verifyQuestion)
	}
	return c, err
}

// raise sets the bound in the value of an answer's button, such as "unroll=4".
func (c *claim) raise(text string) error {
	name, value, _ := strings.Cut(text, "=")
	if i := slices.IndexFunc(engines.VerifyOptions,
		func(o solver.Option) bool { return o.Name == name && optionform.OnPage(o) }); i >= 0 {
		return optionform.Set(&c.Options, engines.VerifyOptions[i], value)
	}
	return nil
}

// readProgram returns the errors in a program.
func (s *page) readProgram(ctx context.Context, c claim) ([]server.Mark, error) {
	if err := checkProgram(&c.verifyQuestion); err != nil {
		return nil, err
	}
	if language := c.language(); language == frontend.CPlusPlus || language == frontend.Rust {
		return s.readCompiled(language), nil
	}
	read, err := childwork.ReadingPrograms.Call(ctx, s.questions.Sandbox, c.VerifyTask)
	if err != nil {
		return nil, server.TooMuch(err, "Reading the program")
	}
	at, out := marker(c.VerifyTask), []server.Mark{}
	for _, e := range read.Bad {
		m := at(e.Pos.File, e.Pos.Line, e.Pos.Col, e.Msg)
		m.More = e.More
		if e.Fix.Pos.File == e.Pos.File {
			m = m.Mended(textOf(c.VerifyTask, e.Pos.File), e.Fix)
		}
		out = append(out, m)
	}
	return out, nil
}

// marker returns a function that makes marks from positions in a program's files. A mark in the first file has no file
// name; a position outside the visitor's files becomes part of the message.
func marker(t solver.VerifyTask) func(file string, line, col int, message string) server.Mark {
	markers := map[string]func(line, col int, message string) server.Mark{}
	return func(file string, line, col int, message string) server.Mark {
		text := textOf(t, file)
		if text == "" {
			pos := litmus.Pos{File: file, Line: line, Col: col}
			return server.Mark{Line: 1, Col: 1, Message: pos.String() + ": " + message}
		}
		if markers[file] == nil {
			markers[file] = server.Marker(text)
		}
		m := markers[file](line, col, message)
		if file != t.Files[0].Name {
			m.File = file
		}
		return m
	}
}

// textOf returns the text of one of the visitor's files; "" for other files.
func textOf(t solver.VerifyTask, file string) string {
	if i := slices.IndexFunc(t.Files, func(f solver.SourceFile) bool { return f.Name == file }); i >= 0 {
		return t.Files[i].Text
	}
	return t.Include[file]
}

// firstProgramModels returns the models that are ticked for a new program.
func firstProgramModels(source string) []string {
	task := solver.VerifyTask{Files: []solver.SourceFile{{Name: fileName(source, ""), Text: source}}}
	return question.FirstProgramModels(task)
}

// link returns the content of a permalink to the claim.
func (c claim) link() store.Link {
	l := store.Link{
		Source: c.Source, Models: c.Models, Own: c.Own, Engine: c.Engine, Options: c.Options,
		Program: &store.LinkedProgram{
			Property: c.Property(), Defines: c.Defines, Entry: c.Entry, Files: c.Others,
			DataModel: c.DataModel, Char: c.Char, Target: c.Target, Count: c.Count, Minimise: c.Minimise,
			Volatile: c.Volatile, Plain: c.Plain, Language: c.Language, Level: c.Level,
		},
	}
	if !isUsual(c.Path) {
		l.Program.File = c.Path
	}
	return l
}

// claimOf returns the claim of a permalink.
func claimOf(l store.Link) claim {
	c := newClaim(l.Source)
	p := l.Program
	c.Language, c.Level = p.Language, p.Level
	c.setFiles(cmp.Or(p.File, programFile), p.Files)
	c.Models, c.Own, c.Engine, c.Options, c.Defines, c.Entry, c.Properties = l.Models, l.Own, l.Engine, l.Options,
		p.Defines, p.Entry, nil
	c.DataModel, c.Char, c.Target, c.Count, c.Minimise = p.DataModel, p.Char, p.Target, p.Count, p.Minimise
	c.Volatile, c.Plain = p.Volatile, p.Plain
	if p.ILP32 {
		c.DataModel = "ilp32"
	}
	if p.Property != "" {
		c.Verify = c.With(strings.Split(p.Property, "+"))
	}
	return c
}

// Say lists the positions of the errors in the program and in the visitor's models.
func (b *badProgram) Say() server.Said {
	first, _, _ := strings.Cut(b.detail, "\n")
	out := server.Say("cannot verify the program: %s", first)
	view := server.ProblemView{Text: "Cannot read the program:"}
	at := marker(b.task)
	for _, f := range b.faults {
		view.Marks = append(view.Marks, at(f.File, f.Line, f.Column, f.Message))
		where := "body.files"
		if b.own[f.File] {
			where = "body.own_models"
		}
		out.Details = append(out.Details,
			rest.ProblemDetail{Message: f.Message, Location: where, File: f.File, Line: f.Line, Column: f.Column})
	}
	if len(b.task.Files) == 1 && len(b.faults) > 0 {
		text := b.task.Files[0].Text
		for _, e := range recognise.ProgramErrors(b.task.Files[0].Name, text, litmus.ErrorList{{}}) {
			if e.Fix.Opens != "" {
				fix := server.Mark{}.Mended(text, e.Fix).Fix
				view.Open, view.Title = fix.Open, fix.Title
			}
		}
	}
	out.View = view
	return out
}
