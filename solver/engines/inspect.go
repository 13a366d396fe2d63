package engines

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/recognise"
	"litmuscope/litmus/wasm"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/testdiff"
)

// Question is a test and the models to ask it under, of which nobody has read anything.
type Question struct {
	File       string            `json:"file"` // the name of the test in error positions
	Source     string            `json:"source"`
	Models     []string          `json:"models,omitempty"` // none: only the test itself
	ModelText  string            `json:"model_text,omitempty"`
	ModelFiles map[string]string `json:"model_files,omitempty"` // what it may include
	// Own are models by the names that Models has them under. One that is wrong hides no
	// other's answers, as ModelText would, which is for the name that is nothing else.
	Own     []solver.OwnModel `json:"own_models,omitempty"`
	Engine  string            `json:"engine"`
	Options solver.Options    `json:"options"`
	// State, unless nil, is an outcome to ask for.
	State solver.State `json:"state,omitempty"`
	// Against asks for what the test's proposition does not hold of, unless there is a State.
	Against bool `json:"against,omitempty"`
	// Before, unless "", is the test from which this one was made.
	Before string `json:"before,omitempty"`
	// Cycle, unless "", is one that the test is to be of, in words.
	Cycle string `json:"cycle,omitempty"`
}

// Task is the question under one of its models: a built-in one, one of its own, or else the
// one of its text.
func (q Question) Task(model string) solver.Task {
	t := solver.Task{Path: q.File, Source: q.Source, Model: model, Engine: q.Engine, Options: q.Options}
	if m, own := q.OwnModel(model); own {
		t.ModelText, t.ModelFiles = m.Text, m.Files
	} else if !models.IsBuiltIn(model) {
		t.ModelText, t.ModelFiles = q.ModelText, q.ModelFiles
	}
	return t
}

// Inspection is the analysis of a question before its exploration. If the question is invalid, it has only the errors,
// and own models.
type Inspection struct {
	Refused    string            `json:"refused,omitempty"` // why the question is invalid, whatever the test
	Option     string            `json:"option,omitempty"`  // … because of this option
	BadModel   litmus.ErrorList  `json:"bad_model,omitempty"`
	BadTest    litmus.ErrorList  `json:"bad_test,omitempty"`
	BadOwn     []BadOwn          `json:"bad_own,omitempty"` // the other models are valid
	Name       string            `json:"name,omitempty"`
	Doc        string            `json:"doc,omitempty"`
	Arch       string            `json:"arch,omitempty"`
	Tongue     string            `json:"tongue,omitempty"`  // as dialect.Tongue tells
	Program    []byte            `json:"program,omitempty"` // litmus.ProgramHash
	Threads    []int             `json:"threads,omitempty"` // as numbered in the test
	Quantifier litmus.Quantifier `json:"quantifier"`
	Condition  string            `json:"condition,omitempty"` // with its quantifier
	Prop       string            `json:"prop,omitempty"`      // without
	// what the outcomes that decide the condition show; "" for what is open; see [ir.Program.Fixed]
	Fixed   solver.State    `json:"fixed,omitempty"`
	Remarks []litmus.Remark `json:"remarks,omitempty"` // on the test, whatever the model
	Cells   []Cell          `json:"cells,omitempty"`
	// Pages are the initial entries of page tables, with their defaults; nil if the test has no page tables.
	Pages     []ir.PageEntry `json:"pages,omitempty"`
	MorePages int            `json:"more_pages,omitempty"` // the number of entries that Pages leaves out
	// NoDevice: no browser runs tests of this kind (wasm.Runs).
	NoDevice bool `json:"no_device,omitempty"`
	// Asking is the test with the question's state for its condition, where that fits it, or
	// with what is against its proposition.
	Asking string `json:"asking,omitempty"`
	// Edit lists the changes from that earlier test.
	Edit *testdiff.Edit `json:"edit,omitempty"`
	// OfCycle: it is the very test of the question's cycle. Cycle is the one that it asks about otherwise, with its
	// name; "" if it asks about none that has one.
	OfCycle bool   `json:"of_cycle,omitempty"`
	Cycle   string `json:"cycle,omitempty"`
}

// Cell is where a statement stands, as browsers count: a line from 1, a column from 0 and
// a length, in UTF-16 units. One that takes several lines has a Cell for each.
type Cell struct {
	Thread int `json:"thread"` // by index
	Source int `json:"source"` // its place there, from 0
	Line   int `json:"line"`
	Col    int `json:"col"`
	Length int `json:"length"`
}

// Bounds on what an inspection lists: it is for people.
const (
	maxRemarks = 100
	maxCells   = 10_000
	maxPages   = 100
)

// Inspect reads a question. It takes time and memory as its text would have it.
func Inspect(q Question) (*Inspection, error) {
	in := &Inspection{}
	q.Source = strings.ReplaceAll(q.Source, "\r\n", "\n") // as browsers send line ends
	if err := q.checkOwn(); err != nil {
		in.refuse(err)
		return in, nil
	}
	for _, m := range q.Models {
		if _, own := q.OwnModel(m); own {
			if err := q.readOwn(m); err != nil {
				in.BadOwn = append(in.BadOwn, BadOwn{m, few(litmus.Errors(err))})
				continue
			}
		}
		if err := Admit(q.Task(m)); err != nil {
			in.refuse(err)
			return in, nil
		}
	}
	t, err := litmus.Parse(q.File, q.Source)
	var p *ir.Program
	if err == nil {
		p, err = dialect.Runnable(t)
	}
	if err != nil {
		in.BadTest = few(recognise.Errors(q.File, q.Source))
		return in, nil
	}
	in.Name, in.Doc, in.Arch, in.Tongue = t.Name, t.Doc, t.Arch, dialect.Tongue(t.Source)
	hash := litmus.ProgramHash(t)
	in.Program = hash[:]
	in.Quantifier, in.Condition, in.Prop = t.Condition.Quantifier, t.Condition.String(),
		litmus.PropString(t.Condition.Prop)
	if names, values, ok := p.Fixed(in.Quantifier != litmus.Forall); ok {
		for i, name := range names {
			in.Fixed = append(in.Fixed, solver.Binding{Name: name, Value: values[i]})
		}
	}
	for _, th := range t.Threads {
		in.Threads = append(in.Threads, th.ID)
	}
	in.Remarks = p.Remarks[:min(len(p.Remarks), maxRemarks)]
	in.Cells = cells(t)
	pages := p.PageTable()
	in.Pages = pages[:min(len(pages), maxPages)]
	in.MorePages = len(pages) - len(in.Pages)
	in.NoDevice = !wasm.Runs(p)
	if q.Before != "" {
		before, err := dialect.Parse(q.File, q.Before)
		if err != nil {
			return nil, fmt.Errorf("BUG: the test before the edit: %w", err)
		}
		if in.Edit, err = testdiff.Of(context.Background(), before, p); err != nil {
			in.BadTest = few(litmus.Errors(err))
			return in, nil
		}
	}
	if q.Cycle != "" {
		wanted, err := cycle.ParseCycle(t.Arch, q.Cycle)
		in.OfCycle = err == nil && wanted.IsOf(t)
		if own, err := cycle.Of(t); err == nil && !in.OfCycle &&
			(wanted == nil || own.String() != wanted.Canonical().String()) {
			in.Cycle = own.String() + " (" + own.Name() + ")"
		}
	}
	if q.State != nil || q.Against {
		asking := Asking(t, q.State)
		if _, err := dialect.Parse(q.File, asking); err == nil {
			in.Asking = asking
		}
	}
	return in, nil
}

// refuse sorts what Admit says.
func (in *Inspection) refuse(err error) {
	var option *solver.OptionError
	var list litmus.ErrorList
	switch {
	case errors.As(err, &list):
		in.BadModel = few(list)
		return
	case errors.As(err, &option):
		in.Option = option.Option
	}
	in.Refused = err.Error()
}

// Admission is what Admit says of the question.
func (in *Inspection) Admission() error {
	switch {
	case len(in.BadModel) > 0:
		return in.BadModel
	case in.Option != "":
		return &solver.OptionError{Option: in.Option, Msg: strings.TrimPrefix(in.Refused, in.Option+": ")}
	case in.Refused != "":
		return errors.New(in.Refused)
	}
	return nil
}

// few is a list of errors cut to what somebody can look at.
func few(l litmus.ErrorList) litmus.ErrorList { return l.Most(litmus.MaxErrors) }

// cells are the places of a test's statements.
func cells(t *litmus.Test) []Cell {
	columns := litmus.NewUTF16(t.Source)
	var out []Cell
	for i, th := range t.Threads {
		for j, c := range th.Cells {
			at := 0
			for line := range strings.Lines(c.Text) {
				if len(out) == maxCells {
					return out
				}
				rest := c.From(at)
				at += len(line)
				text := strings.TrimSpace(line)
				if col, ok := columns.Column(rest.Pos); ok && text != "" {
					out = append(out,
						Cell{Thread: i, Source: j, Line: rest.Pos.Line, Col: col, Length: litmus.LenUTF16(text)})
				}
			}
		}
	}
	return out
}

// Asking is a test that asks for one outcome or, without one, for whatever its own proposition does not hold of.
func Asking(t *litmus.Test, state solver.State) string {
	prop := "~(" + litmus.PropString(t.Condition.Prop) + ")"
	if state != nil {
		parts := make([]string, len(state))
		for i, b := range state {
			parts[i] = b.Name + "=" + b.Value
		}
		prop = strings.Join(parts, ` /\ `)
	}
	asks := *t
	asks.Condition = litmus.Condition{Prop: litmus.Bool(true)}
	source := strings.TrimSuffix(litmus.Print(&asks), asks.Condition.String()+"\n")
	return source + "exists (" + prop + ")\n"
}
