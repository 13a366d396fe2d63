package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// answerView is what the page shows of the answers to a question: a sentence for
// each model and a table of outcomes by models.
type answerView struct {
	Name      string
	Condition string // with its quantifier
	Prop      string // without
	Summary   string // for those who listen
	Models    []modelAnswer
	Names     []string // of the registers and locations that outcomes show
	Rows      []outcomeRow
	More      int  // rows left out
	Asked     bool // some row satisfies the proposition
	Forbids   bool // some cell can be asked why it is forbidden
	Outcomes  []drawnOutcome
	Cells     []cellView
	Remarks   []remarkView
	Execution *executionView // drawn to begin with; nil when there is none
}

// modelAnswer is one model's answer in words.
type modelAnswer struct {
	Label    string // "TSO"
	Verdict  solver.Verdict
	Sentence string
	Holds    string // "Ok" or "No"; "" while undecided
	Facts    []string
	Flags    []flagView
	Problem  string // why it is unknown, or what is wrong
	Remarked bool   // a remark is on this model alone, or on some
}

// remarkView is a remark on the test, and the models to which it matters; "" for all.
type remarkView struct {
	mark
	Models string
}

// remarks lists each remark once.
func (v *answerView) remarks(a *answers) {
	at := marker(a.source)
	var all []solver.Remark
	of := map[solver.Remark][]int{} // the models, by index
	for i, r := range a.results {
		for _, m := range r.Remarks {
			if of[m] == nil {
				all = append(all, m)
			}
			of[m] = append(of[m], i)
		}
	}
	for _, m := range all {
		view := remarkView{mark: at(m.Line, m.Column, m.Message)}
		if len(of[m]) < len(a.results) {
			var labels []string
			for _, i := range of[m] {
				v.Models[i].Remarked = true
				labels = append(labels, v.Models[i].Label)
			}
			view.Models = strings.Join(labels, ", ")
		}
		v.Remarks = append(v.Remarks, view)
	}
}

// flagView is what a model remarks, with the execution that gives it cause to.
type flagView struct {
	Text    string
	Outcome int // index into answerView.Outcomes; -1 when there is nothing to draw
}

// outcomeRow is one final state. The row of a proposition that no model allows
// has Prop instead of Values.
type outcomeRow struct {
	Values    []string
	Prop      string
	Satisfies bool
	Cells     []outcomeCell
	State     solver.State // nil for a proposition
}

// outcomeCell is an outcome under one model.
type outcomeCell struct {
	Verdict solver.Verdict
	Outcome int    // index into answerView.Outcomes; -1 when there is nothing to draw
	Drawn   bool   // to begin with
	Why     string // the model that can be asked why it forbids the outcome; "" = none
	Label   string // in words, for those who listen
}

// maxRows bounds the table: a page is for looking at; REST gives all.
const maxRows = 256

// viewAnswers arranges the answers to a question, without an execution.
func viewAnswers(a *answers) *answerView {
	v := &answerView{
		Name: a.test.Name, Condition: a.test.Condition, Prop: a.test.Prop, Cells: viewCells(a.test),
	}
	var spoken []string
	for _, r := range a.results {
		m := viewModel(r, a.test.Quantifier, v.Prop)
		v.Models = append(v.Models, m)
		spoken = append(spoken, m.Sentence)
	}
	v.Summary = strings.Join(spoken, " ")
	v.remarks(a)
	v.table(a.results, a.test.Threads)
	for i, r := range a.results {
		v.Models[i].Flags = v.flags(r, a.test.Threads)
	}
	return v
}

// flags are those that a model raises, or may raise.
func (v *answerView) flags(r *solver.Result, threads []int) []flagView {
	var out []flagView
	for _, f := range r.Flags {
		if f.Text() == "" {
			continue
		}
		view := flagView{f.Text(), -1}
		if f.Graph != nil {
			view.Outcome = len(v.Outcomes)
			v.Outcomes = append(v.Outcomes, drawnOutcome{
				Test: r.Name, Model: r.Model, Threads: threads, Outcome: solver.Outcome{State: f.State, Graph: f.Graph},
			})
		}
		out = append(out, view)
	}
	return out
}

func viewModel(r *solver.Result, q litmus.Quantifier, prop string) modelAnswer {
	m := modelAnswer{Label: modelLabel(r.Model), Verdict: r.Verdict, Problem: cmp.Or(r.Error, r.Reason)}
	switch {
	case r.Status == solver.Failed:
		m.Verdict = solver.Undecided
		m.Sentence = m.Label + " could not be asked."
	case r.Verdict == solver.Allowed:
		m.Sentence = m.Label + " allows this outcome."
	case r.Verdict == solver.Forbidden:
		m.Sentence = m.Label + " forbids this outcome."
	default:
		label := m.Label
		if r.Model == ownModel {
			label = "your model"
		}
		m.Sentence = "Under " + label + " it is unknown."
	}
	if r.ConditionHolds != nil {
		m.Holds = "No"
		if *r.ConditionHolds {
			m.Holds = "Ok"
		}
		m.Facts = append(m.Facts, fmt.Sprintf("%s: %s", q, m.Holds))
	}
	if r.Observation != "" {
		m.Facts = append(m.Facts, "observation: "+string(r.Observation))
	}
	if r.Status != solver.Failed {
		n := solver.Count(len(r.States), "outcome")
		if r.StatesComplete != nil && !*r.StatesComplete {
			n = "first " + n
		}
		m.Facts = append(m.Facts, n)
	}
	if r.Positive != nil && r.Negative != nil {
		m.Facts = append(m.Facts, fmt.Sprintf("%s (%d with it)", solver.Count(*r.Positive+*r.Negative, "execution"), *r.Positive))
	}
	if r.Status == solver.OK {
		if within := r.BoundsText(); within != "" {
			m.Facts = append(m.Facts, within)
		} else if !r.Complete {
			m.Facts = append(m.Facts, "within the bounds of the search")
		}
	}
	if c := r.CertificateText(); c != "" {
		m.Facts = append(m.Facts, c)
	}
	engine := r.Engine
	if r.SettledBy != "" {
		engine += " and " + r.SettledBy
	}
	took := engine + ", " + strconv.FormatFloat(r.MS, 'f', 1, 64) + " ms"
	if r.Cached {
		took += ", cached"
	}
	m.Facts = append(m.Facts, took)
	return m
}

// spellings are those of models that are neither short for something nor plain words.
var spellings = map[string]string{
	ownModel: "Your model", "aarch64": "AArch64", "riscv": "RISC-V", "power-cav10": "Power (2010)",
}

// modelLabel is a model's name as people write it: SC, TSO, RISC-V, Power.
func modelLabel(name string) string {
	if label, ok := spellings[name]; ok {
		return label
	}
	if len(name) <= 4 {
		return strings.ToUpper(name)
	}
	r, n := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(r)) + name[n:]
}

// table lists every outcome that some model allows, those that satisfy the
// proposition first, by their values.
func (v *answerView) table(results []*solver.Result, threads []int) {
	rows := map[string]*outcomeRow{}
	var order []*outcomeRow
	for m, r := range results {
		for i, s := range r.States {
			key := stateKey(s)
			row := rows[key]
			if row == nil {
				row = &outcomeRow{Cells: make([]outcomeCell, len(results)), State: s}
				for j, other := range results {
					row.Cells[j] = absent(other)
				}
				for _, b := range s {
					row.Values = append(row.Values, b.Value)
				}
				if v.Names == nil {
					for _, b := range s {
						v.Names = append(v.Names, b.Name)
					}
				}
				rows[key] = row
				order = append(order, row)
			}
			c := &row.Cells[m]
			c.Verdict = solver.Allowed
			if i < len(r.Outcomes) {
				o := r.Outcomes[i]
				row.Satisfies = row.Satisfies || o.Satisfies
				v.Asked = v.Asked || o.Satisfies
				if o.Graph != nil || len(o.Trace) > 0 {
					c.Outcome = len(v.Outcomes)
					v.Outcomes = append(v.Outcomes, drawnOutcome{Test: r.Name, Model: r.Model, Threads: threads, Outcome: o})
				}
			}
		}
	}
	if !v.Asked && len(results) > 0 {
		v.Rows = append(v.Rows, askedRow(results, v.Prop))
	}
	v.list(order)
	v.label(results)
}

// list puts the rows that satisfy the proposition first, keeps as many as a page
// can show, and drops the evidence of the rest.
func (v *answerView) list(order []*outcomeRow) {
	slices.SortStableFunc(order, func(a, b *outcomeRow) int {
		switch {
		case a.Satisfies == b.Satisfies:
			return slices.CompareFunc(a.Values, b.Values, compareValues)
		case a.Satisfies:
			return -1
		}
		return 1
	})
	if len(order) > maxRows {
		v.More = len(order) - maxRows
		order = order[:maxRows]
	}
	all := v.Outcomes
	v.Outcomes = nil
	for _, row := range order {
		for i := range row.Cells {
			if c := &row.Cells[i]; c.Outcome >= 0 {
				v.Outcomes = append(v.Outcomes, all[c.Outcome])
				c.Outcome = len(v.Outcomes) - 1
			}
		}
		v.Rows = append(v.Rows, *row)
	}
}

// absent is the cell of an outcome that a result does not list: forbidden, if the
// result lists all that is allowed.
func absent(r *solver.Result) outcomeCell {
	c := outcomeCell{Verdict: solver.Forbidden, Outcome: -1}
	cut := r.StatesComplete != nil && !*r.StatesComplete
	if r.Status != solver.OK || !r.Complete || cut {
		c.Verdict = solver.Undecided
	}
	return c
}

// askedRow is the row of a proposition that no listed outcome satisfies.
func askedRow(results []*solver.Result, prop string) outcomeRow {
	row := outcomeRow{Prop: prop, Satisfies: true}
	for _, r := range results {
		v := r.Verdict
		if v == "" || r.Status == solver.Failed {
			v = solver.Undecided
		}
		row.Cells = append(row.Cells, outcomeCell{Verdict: v, Outcome: -1})
	}
	return row
}

func (v *answerView) label(results []*solver.Result) {
	for i := range v.Rows {
		row := &v.Rows[i]
		for m := range row.Cells {
			c := &row.Cells[m]
			what := row.Prop
			if what == "" {
				what = stateText(row.State)
			}
			c.Label = fmt.Sprintf("%s: %s under %s", what, c.Verdict, modelLabel(results[m].Model))
			if c.Verdict == solver.Forbidden {
				c.Why, v.Forbids = results[m].Model, true
			}
		}
	}
}

// first is the outcome to draw to begin with: one that satisfies the proposition, else
// any, or nil. Its cell is marked.
func (v *answerView) first() *drawnOutcome {
	for _, any := range []bool{false, true} {
		for i := range v.Rows {
			for j := range v.Rows[i].Cells {
				c := &v.Rows[i].Cells[j]
				if c.Outcome < 0 || !any && !v.Rows[i].Satisfies {
					continue
				}
				c.Drawn = true
				return &v.Outcomes[c.Outcome]
			}
		}
	}
	return nil
}

func stateKey(s solver.State) string {
	var b strings.Builder
	for _, e := range s {
		b.WriteString(e.Value)
		b.WriteByte(0)
	}
	return b.String()
}

// stateText is an outcome in one line.
func stateText(s solver.State) string {
	parts := make([]string, len(s))
	for i, b := range s {
		parts[i] = b.Name + "=" + b.Value
	}
	return strings.Join(parts, "; ")
}

// compareValues orders numbers as numbers, before names.
func compareValues(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// cellView is where an instruction stands in the text, for the editor: a line
// from 1, a column from 0 and a length in UTF-16 units, as browsers count.
type cellView struct {
	Key    string `json:"key"` // see cellKey
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Length int    `json:"length"`
}

// cellKey names a statement: its thread by index, and its place there, from 0.
func cellKey(thread, source int) string { return fmt.Sprintf("%d:%d", thread, source) }

func viewCells(t *engines.Inspection) []cellView {
	out := []cellView{}
	for _, c := range t.Cells {
		out = append(out, cellView{Key: cellKey(c.Thread, c.Source), Line: c.Line, Col: c.Col, Length: c.Length})
	}
	return out
}

// stateJSON is a state as the page keeps it and sends it back.
func stateJSON(s solver.State) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("BUG: a state has no JSON: " + err.Error())
	}
	return string(b)
}
