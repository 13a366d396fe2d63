package language

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/childwork"
)

// diagnose says what is wrong with a document, and what its author should know.
func (s *server) diagnose(ctx context.Context, v view, d *document) ([]diagnostic, error) {
	out := []diagnostic{}
	var limited *solver.Limited
	var err error
	switch d.tongue {
	case ofTests:
		out, err = s.diagnoseTest(ctx, d)
	case ofModels:
		out, err = s.diagnoseModel(ctx, v, d)
	case ofPrograms:
		out, err = s.diagnoseProgram(ctx, v, d)
	}
	if errors.As(err, &limited) {
		return []diagnostic{
			d.problem(&litmus.Error{Msg: "checking this was stopped: " + limited.Error()}, severityError),
		}, nil
	}
	return out, err
}

func (s *server) diagnoseTest(ctx context.Context, d *document) ([]diagnostic, error) {
	in, err := childwork.Inspecting.Call(ctx, s.Sandbox,
		engines.Question{File: d.name(), Source: d.text, Options: solver.DefaultOptions()})
	if err != nil {
		return nil, err
	}
	out := []diagnostic{}
	for _, e := range in.BadTest {
		out = append(out, d.problem(e, severityError))
	}
	for _, r := range in.Remarks {
		out = append(out, d.problem(&litmus.Error{Pos: r.Pos, Msg: r.Msg, Fix: r.Fix}, severityInformation))
	}
	return out, nil
}

// problem shows what is wrong at its place: at a word, or all of a line where there is none. What mends it goes
// along, and comes back with the request for quick fixes.
func (d *document) problem(e *litmus.Error, severity int) diagnostic {
	from := d.at(e.Pos)
	line, _, _ := strings.Cut(d.text[from:], "\n")
	to := from + max(1, strings.IndexAny(line+" ", " \t\r;|"))
	if t, ok := tokenAt(d.marks(), from); ok && t.from == from && !strings.Contains(d.text[t.from:t.to], "\n") {
		to = t.to
	}
	if to = min(to, from+len(strings.TrimRight(line, "\r"))); to <= from {
		start := d.lines[d.position(from).Line]
		from = start + len(d.text[start:from]) - len(strings.TrimLeft(d.text[start:from], " \t"))
		if to < from {
			from = start
		}
	}
	out := diagnostic{Range: d.span(from, to), Severity: severity, Source: "litmuscope", Message: e.Msg}
	if f := e.Fix; f.Text != "" {
		at := d.at(f.Pos)
		if strings.HasPrefix(d.text[at:], f.Was) {
			mend := fix{f.String(), textEdit{d.span(at, at+len(f.Was)), f.Text}}
			if data, err := json.Marshal(mend); err == nil {
				out.Data = data
			}
		}
	}
	return out
}

// fix is what mends a problem.
type fix struct {
	Title string   `json:"title"`
	Edit  textEdit `json:"edit"`
}

// diagnoseModel checks a model with all that it includes; and a file that other models beside it include, as they do.
func (s *server) diagnoseModel(ctx context.Context, v view, d *document) ([]diagnostic, error) {
	roots := v.includers(d)
	if strings.HasSuffix(d.name(), ".bell") && len(roots) == 0 { // tags alone
		roots = []source{{"bell.cat", "include \"" + d.name() + "\"\nempty 0\n"}}
	}
	if len(roots) == 0 {
		roots = []source{{d.name(), d.text}}
	}
	var found litmus.ErrorList
	for _, root := range roots {
		errs, err := s.readModel(ctx, v, d, root)
		if err != nil {
			return nil, err
		}
		found = append(found, errs...)
	}
	out := []diagnostic{}
	for _, e := range found.Sorted() {
		if e.Pos.File == d.name() || e.Pos.File == "" {
			out = append(out, d.problem(e, severityError))
		} else if roots[0].name == d.name() { // in a file that it includes
			out = append(out, d.inIncluded(e))
		}
	}
	return out, nil
}

// inIncluded shows a problem of an included file where that is included, as far as it is by name.
func (d *document) inIncluded(e *litmus.Error) diagnostic {
	at := litmus.Pos{Line: 1, Col: 1}
	for _, t := range d.marks() {
		if t.of == (symbol{files, 0, e.Pos.File}) {
			p := d.position(t.from)
			at = litmus.Pos{Line: p.Line + 1, Col: t.from - d.lines[p.Line] + 1}
		}
	}
	return d.problem(&litmus.Error{Pos: at, Msg: e.Error()}, severityError)
}

// readModel says what is wrong with a model that stands beside a document.
func (s *server) readModel(ctx context.Context, v view, d *document, root source) (litmus.ErrorList, error) {
	files, err := models.Includes(root.name, root.text, func(name string) (string, error) { return v.read(d, name) })
	var broken litmus.ErrorList
	if err != nil && !errors.As(err, &broken) {
		return litmus.ErrorList{{Msg: err.Error()}}, nil
	}
	in, err := childwork.Inspecting.Call(ctx, s.Sandbox, engines.Question{
		File: "any.litmus", Source: anyTest, Models: []string{root.name}, ModelText: root.text, ModelFiles: files,
		Options: solver.DefaultOptions(),
	})
	switch {
	case err != nil:
		return nil, err
	case len(in.BadModel) > 0:
		return in.BadModel, nil
	case in.Refused != "":
		return litmus.ErrorList{{Msg: in.Refused}}, nil
	}
	return nil, nil
}

// anyTest is for questions about models alone.
const anyTest = "X86 any\n{ }\nP0;\nNOP;\nexists (true)\n"

// source is a file by its name.
type source struct{ name, text string }

// read is a file beside a document, as an editor has it or as it is on disk.
func (v view) read(d *document, name string) (string, error) {
	if ext := path.Ext(name); ext != ".cat" && ext != ".bell" {
		return "", fs.ErrNotExist // errors quote what they are about
	}
	return v.beside(d, name)
}

// beside reads a file in a document's folder or below.
func (v view) beside(d *document, name string) (string, error) {
	if name == d.name() {
		return d.text, nil
	}
	file := d.file()
	if file == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fs.ErrNotExist
	}
	folder := filepath.Dir(file)
	for _, open := range v {
		if open.file() == filepath.Join(folder, filepath.FromSlash(name)) {
			return open.text, nil
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", fs.ErrNotExist // an editor may have a folder that is not there yet
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	if about, err := f.Stat(); err != nil || !about.Mode().IsRegular() || about.Size() > maxFile {
		return "", fs.ErrNotExist
	}
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	return string(text), err
}

// Bounds on what is read beside a document.
const (
	maxFile   = 1 << 20
	maxBeside = 256
)

// models are the files of models in a document's folder, but for itself, by name.
func (v view) models(d *document) []source {
	file := d.file()
	if file == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil
	}
	var out []source
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext != ".cat" && ext != ".bell" || e.Name() == filepath.Base(file) || len(out) == maxBeside {
			continue
		}
		if text, err := v.beside(d, e.Name()); err == nil {
			out = append(out, source{e.Name(), text})
		}
	}
	return out
}

// includers are the models beside a document that include it, by way of others perhaps, and that no other includes;
// a .bell file is included by the model of its name.
func (v view) includers(d *document) []source {
	all := v.models(d)
	includes := map[string][]string{}
	for _, m := range all {
		includes[m.name] = includedBy(m.text)
		if bell := strings.TrimSuffix(m.name, ".cat") + ".bell"; bell != m.name {
			includes[m.name] = append(includes[m.name], bell)
		}
	}
	above := map[string]bool{d.name(): true}
	for grows := true; grows; {
		grows = false
		for _, m := range all {
			if !above[m.name] && slices.ContainsFunc(includes[m.name], func(f string) bool { return above[f] }) {
				above[m.name], grows = true, true
			}
		}
	}
	var roots []source
	for _, m := range all {
		included := slices.ContainsFunc(all,
			func(o source) bool { return above[o.name] && slices.Contains(includes[o.name], m.name) })
		if above[m.name] && !included {
			roots = append(roots, m)
		}
	}
	return roots
}

// includedBy lists the files that a model includes.
func includedBy(text string) []string {
	var out []string
	for _, t := range modelTokens("", text) {
		if t.of.space == files {
			out = append(out, t.of.name)
		}
	}
	return out
}

// isHeader tells a header, which is no program by itself.
func (d *document) isHeader() bool { return strings.HasSuffix(d.name(), ".h") }

// program is a program as verify is asked about it, with the files that it includes as an editor has them.
func (d *document) program(v view) (solver.VerifyTask, error) {
	name := d.name()
	if file := d.file(); file != "" {
		name = filepath.ToSlash(file)
	}
	task := solver.VerifyTask{
		Path: name, Files: []solver.SourceFile{{Name: name, Text: d.text}}, Engine: engines.Auto,
		Options: solver.DefaultOptions(),
		Verify:  solver.Verify{Properties: []ir.Property{ir.Assertion}},
	}
	if d.file() == "" {
		return task, nil // nothing lies beside it
	}
	var err error
	if task.Include, err = suite.Includes(map[string]string{name: d.text}, nil, nil); err != nil {
		return task, err
	}
	for _, open := range v {
		if _, included := task.Include[filepath.ToSlash(open.file())]; included {
			task.Include[filepath.ToSlash(open.file())] = open.text
		}
	}
	return task, nil
}

// diagnoseProgram reads a program as verify does.
func (s *server) diagnoseProgram(ctx context.Context, v view, d *document) ([]diagnostic, error) {
	out := []diagnostic{}
	if d.isHeader() {
		return out, nil
	}
	task, err := d.program(v)
	if err != nil {
		return append(out, d.problem(&litmus.Error{Msg: err.Error()}, severityError)), nil
	}
	read, err := childwork.ReadingPrograms.Call(ctx, s.Sandbox, task)
	if err != nil {
		return nil, err
	}
	for _, e := range read.Bad {
		if e.Pos.File == task.Path || e.Pos.File == "" {
			out = append(out, d.problem(e, severityError))
		} else {
			out = append(out, d.problem(&litmus.Error{Msg: e.Error()}, severityError))
		}
	}
	return out, nil
}
