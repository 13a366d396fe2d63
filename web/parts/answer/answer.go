// Package answer shows the answers to a question on pages: the models' verdicts in words, and a table of outcomes by
// columns. [ViewOf] makes a [View] of question.Answers, [Part] renders it. [VerdictsOf] returns what each column says
// of the condition, and [PressedCell] the outcome that a visitor selects.
//
// It imports web/parts/question and other parts: no page and no engine.
package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// View shows the answers to a question: the question and the models' verdicts in words, and a table of outcomes by
// columns.
type View struct {
	Name      string
	Asks      string     // the question that the quantifier asks
	Condition string     // with its quantifier
	Named     *namedView // the test's cycle; nil if it has none
	Lines     []VerdictLine
	Summary   string // for screen readers
	Terms     bool   // link words to the glossary
	Columns   []Column
	Flags     []flagView
	Remarks   []remarkView
	Cells     []CellView
	outcomeTable
	Pages     []ir.PageEntry // the initial entries of page tables
	MorePages int            // the number of entries that Pages leaves out
	NoDevice  bool           // no browser runs the test
	Compile   []CompileView  // the architectures to which the test can be compiled
	// Compilers are those of the server that compile such tests.
	Compilers []CompileView
	First     Pick // the cell whose picture the page shows first
	Sure      bool // First does not depend on columns that are still waiting

	Machines []machineView // the machines that have shown something of the test
	Alarms   []alarmView   // what they have shown although models forbid it
	Native   string        // the server's machine, on which visitors can run the test; "": they cannot
	// MoreAlarms is the number of further such outcomes.
	MoreAlarms int
}

// entryFields returns the fields for the heads of the columns of a page table.
func entryFields(entries []ir.PageEntry) []ir.EntryField {
	for _, e := range entries {
		if len(e.Fields) > 0 {
			return e.Fields
		}
	}
	return nil
}

// Pick selects the execution of a picture.
type Pick struct {
	Column string
	State  solver.State // nil for the answer to the condition, whatever its state
	Flag   string       // … for an execution that raises a flag; "" otherwise
	N      int          // which of the outcome's executions, from 1; 0 for the first
}

// Column is a column of the table: a model's answer.
type Column struct {
	Column   string // as text, see [question.Column]
	Label    string // "TSO"
	Title    string // the model's own; "" where it has none
	Link     string // the model's text; "" for one of the visitor's own
	Variants []variant
	Facts    []string
	// what makes behaviour undefined, so that nothing else is said of outcomes: "data race"; "" for nothing
	Undefined string
	Raised    string // … and the flag's name
	Problem   string // why it is unknown, or what is wrong
	Remarked  bool   // a remark is on this model alone, or on some
	Waiting   bool   // its answer is on its way
}

// variant is a column that differs from another in one respect.
type variant struct {
	Column string
	Text   string // "without consensus", "by machine"
}

// variants lists the columns to compare a model with: the model without one of its axioms, or by another engine.
func variants(c question.Column, m *models.Model) []variant {
	var out []variant
	_, gone := models.Split(c.Model)
	for _, a := range m.Axioms {
		if a.Name != "" && !slices.Contains(gone, a.Name) {
			out = append(out, variant{c.Model + "~" + a.Name, "without " + a.Name})
		}
	}
	for _, e := range engines.All() {
		if c.Model == m.Name && e.AnswersFor(m.Name) && e.Name != cmp.Or(c.Engine, engines.Names()[0]) {
			out = append(out, variant{question.Column{Model: m.Name, Engine: e.Name}.String(), "by " + e.Name})
		}
	}
	return out
}

// remarkView is a remark on the test, and the models that it concerns; "" for all.
type remarkView struct {
	server.Mark
	Models string
}

// flagView is a flag that several models raise, with an execution of the first of them.
type flagView struct {
	Models        string
	Column        string // of the first
	Name, Text    string
	Drawn         bool   // there is an execution to show
	Before, After string // words around the events that raise it; without events there is Text alone
	Events        []flagEvent
}

// flagEvent is an instruction whose event raises a flag.
type flagEvent struct {
	Thread, Text string // "" and "x=0" for an initial write
	At           server.Mark
}

func viewFlag(f solver.Flag, at func(line, column int, message string) server.Mark) flagView {
	v := flagView{Name: f.Name, Text: f.Text(), Drawn: f.Graph != nil}
	if len(f.Causes) == 0 {
		return v
	}
	v.Before, v.After = f.Parts()
	for _, e := range []*solver.FlagEvent{&f.Causes[0].First, f.Causes[0].Second} {
		if e != nil {
			v.Events = append(v.Events, flagEvent{e.Thread, e.Text, at(e.Line, e.Column, "")})
		}
	}
	return v
}

// ViewOf returns the view of the answers to a question, with the first rows of the table; see [outcomeTable.Window].
func ViewOf(a *question.Answers) *View {
	v := &View{
		Name: a.Test.Name, Condition: a.Test.Condition, Asks: asks(a), Cells: viewCells(a.Test),
	}
	for i, r := range a.Results {
		c := viewColumn(a.Columns[i], r)
		if c.Waiting = a.Waiting[i]; c.Waiting {
			c.Facts = nil // they are of what there is so far
		}
		if r.Status == solver.Failed {
			c.Problem = a.Fault(i)
		}
		v.Columns = append(v.Columns, c)
	}
	v.Named = viewNamed(a.Cycle, v.Name, a.Source)
	v.Lines = VerdictLines(a)
	var spoken []string
	for _, l := range v.Lines {
		spoken = append(spoken, l.String())
	}
	v.Summary = strings.Join(spoken, " ")
	v.remarks(a)
	v.flags(a)
	v.outcomeTable = Tabulate(a)
	v.Pages, v.MorePages, v.NoDevice = a.Test.Pages, a.Test.MorePages, a.Test.NoDevice
	v.machines(a)
	for i := len(v.Alarms) - 1; i >= 0; i-- {
		v.Summary = v.Alarms[i].text() + " " + v.Summary
	}
	v.First = first(a, v.Every)
	v.Sure = v.First.Column == models.Default(a.Test.Tongue) || !slices.Contains(a.Waiting, true)
	return v
}

// remarks lists each remark once, with the models that it concerns.
func (v *View) remarks(a *question.Answers) {
	at := server.Marker(a.Source)
	var all []solver.Remark
	of := map[solver.Remark][]int{} // the columns, by index
	for i, r := range a.Results {
		for _, m := range r.Remarks {
			if of[m] == nil {
				all = append(all, m)
			}
			of[m] = append(of[m], i)
		}
	}
	for _, m := range all {
		view := remarkView{Mark: server.RemarkMark(at, m)}
		if len(of[m]) < len(a.Results) {
			var labels []string
			for _, i := range of[m] {
				v.Columns[i].Remarked = true
				labels = append(labels, v.Columns[i].Label)
			}
			view.Models = strings.Join(labels, ", ")
		}
		v.Remarks = append(v.Remarks, view)
	}
}

func viewColumn(c question.Column, r *solver.Result) Column {
	v := Column{Column: c.String(), Label: c.Label(), Problem: cmp.Or(r.Error, r.Reason)}
	if m, ok := models.Find(c.Base()); ok {
		v.Title, v.Link = m.Title, "/models/"+m.Name
		v.Variants = variants(c, m)
	}
	if v.Undefined = undefined(r); v.Undefined != "" {
		v.Raised = undefinedIn(r)
	}
	v.Facts = facts(r)
	return v
}

// flags lists each flag once, with the models that raise it.
func (v *View) flags(a *question.Answers) {
	var of [][]string
	for i, r := range a.Results {
		for _, f := range r.Flags {
			if f.Text() == "" {
				continue
			}
			one := viewFlag(f, server.Marker(a.Source))
			k := slices.IndexFunc(v.Flags, func(o flagView) bool {
				return o.Name == one.Name && o.Text == one.Text && o.After == one.After &&
					slices.Equal(o.Events, one.Events)
			})
			if k < 0 {
				one.Column = a.Columns[i].String()
				k, v.Flags, of = len(of), append(v.Flags, one), append(of, nil)
			}
			of[k] = append(of[k], v.Columns[i].Label)
		}
	}
	for k, labels := range of {
		v.Flags[k].Models, _ = Enumerate(labels)
	}
}

// facts lists further facts about an answer: counts, bounds, time and memory.
func facts(r *solver.Result) []string {
	var out []string
	if r.Observation != "" {
		out = append(out, string(r.Observation))
	}
	if r.Status != solver.Failed {
		n := solver.Count(len(r.States), "outcome")
		if r.StatesComplete != nil && !*r.StatesComplete {
			n = "first " + n
		}
		out = append(out, n)
	}
	if r.Positive != nil && r.Negative != nil {
		out = append(out,
			fmt.Sprintf("%s (%d positive)", solver.Count(*r.Positive+*r.Negative, "execution"), *r.Positive))
	}
	if r.Status == solver.OK {
		if within := r.BoundsText(); within != "" {
			out = append(out, within)
		} else if !r.Complete {
			out = append(out, "within the bounds of the search")
		}
	}
	if c := r.CertificateText(); c != "" {
		out = append(out, c)
	}
	engine := r.Engine
	if r.SettledBy != "" {
		engine += " and " + r.SettledBy
	}
	took := engine + ", " + strconv.FormatFloat(r.MS, 'f', 1, 64) + " ms"
	if r.Cached {
		took += ", cached"
	}
	return append(out, took)
}

// FlagAttribute returns the attribute that names the flag of the first picture.
func FlagAttribute(p Pick) templ.Attributes {
	if p.Flag == "" {
		return nil
	}
	return templ.Attributes{"data-first-flag": p.Flag}
}

// first selects the cell that answers the question: an outcome that satisfies the proposition (violates it, for
// forall), the reason why there is none, or an execution with undefined behaviour. It prefers the column of the
// architecture's default model, then a model that allows the outcome, then the weakest model.
func first(a *question.Answers, rows []OutcomeRow) Pick {
	own := models.Default(a.Test.Tongue)
	var allows, forbids, raises *Pick
	weakest := -1 // the place of forbids in [models.Names]
	for i, c := range a.Columns {
		p := Pick{Column: c.String()}
		if a.Waiting[i] {
			continue
		}
		if undefined(a.Results[i]) != "" {
			if p.Flag = undefinedIn(a.Results[i]); p.Flag != "" && c.Model == own && c.Engine == "" {
				return p
			}
			if p.Flag != "" {
				raises = cmp.Or(raises, &p)
			}
			continue
		}
		row := slices.IndexFunc(rows, func(r OutcomeRow) bool {
			return (r.Answers || a.Unasked()) && r.Cells[i].Verdict == solver.Allowed
		})
		switch mine := c.Model == own && c.Engine == ""; {
		case row >= 0:
			p.State = rows[row].State
			if mine {
				return p
			}
			allows = cmp.Or(allows, &p)
		case a.Results[i].Status == solver.OK:
			if mine {
				return p
			}
			at := slices.Index(models.Names(), c.Base())
			if at < 0 {
				at = len(models.Names()) // the visitor's own
			}
			if at >= weakest {
				forbids, weakest = &p, at
			}
		}
	}
	if p := cmp.Or(allows, forbids, raises); p != nil {
		return *p
	}
	return Pick{}
}

// undefinedIn returns the name of a flag of undefined behaviour for which a result has an execution; "" if there is
// none.
func undefinedIn(r *solver.Result) string {
	for _, f := range r.Flags {
		if f.Undefined && f.Graph != nil {
			return f.Name
		}
	}
	return ""
}

// StateText returns an outcome on one line.
func StateText(s solver.State) string {
	parts := make([]string, len(s))
	for i, b := range s {
		parts[i] = b.Name + "=" + b.Value
	}
	return strings.Join(parts, "; ")
}

// CellView is the place of an instruction in the text, for the editor: a line from 1, and a column from 0 and a length
// in UTF-16 units.
type CellView struct {
	Key    string `json:"key"` // see cellKey
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Length int    `json:"length"`
}

// CellKey returns the key of a statement: its thread's index and its place there, from 0.
func CellKey(thread, source int) string { return fmt.Sprintf("%d:%d", thread, source) }

func viewCells(t *engines.Inspection) []CellView {
	out := []CellView{}
	for _, c := range t.Cells {
		out = append(out, CellView{Key: CellKey(c.Thread, c.Source), Line: c.Line, Col: c.Col, Length: c.Length})
	}
	return out
}

// StateJSON returns a state as JSON, in which pages send it back.
func StateJSON(s solver.State) string {
	if s == nil {
		return ""
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic("BUG: a state has no JSON: " + err.Error())
	}
	return string(b)
}

// asks returns the question that a condition asks.
func asks(a *question.Answers) string {
	switch {
	case a.Unasked():
		return "What can happen?"
	case a.Test.Quantifier == litmus.Exists:
		return "Can this happen?"
	case a.Test.Quantifier == litmus.NotExists:
		return "Does this never happen?"
	}
	return "Does this always hold?"
}

// CompileView is a way to compile a test: to an architecture, or by a compiler.
type CompileView struct {
	To, Title, Help string
	// Machine: threads are in no scopes, and compilers are read back.
	Machine bool
}

// Compilable lists the architectures to which a test can be compiled; none unless it is in C11 or OpenCL.
func Compilable(t *engines.Inspection) (out []CompileView) {
	for _, a := range compile.Architectures() {
		if t.Tongue == "C" || t.Arch == "OPENCL" && a.Scoped {
			out = append(out, CompileView{To: a.Names[0], Title: a.Title, Machine: !a.Scoped})
		}
	}
	return out
}
