package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/parts/question"
)

// Outcome returns a row's outcome as text.
func (r *OutcomeRow) Outcome(a *question.Answers) string {
	switch {
	case r.State != nil:
		return StateText(r.State)
	case r.Prop != "":
		return r.Prop
	}
	return a.Test.Prop
}

// PressedCell parses the value of a cell's button, for browsers without scripts.
func PressedCell(text string, a *question.Answers) (Pick, bool) {
	rows := Tabulate(a).Every
	var row, col int
	if n, _ := fmt.Sscan(text, &row, &col); n != 2 || row < 0 || row >= len(rows) || col < 0 || col >= len(a.Columns) {
		return Pick{}, false
	}
	return Pick{Column: a.Columns[col].String(), State: rows[row].State}, true
}

// NameOf returns the name of the cell that a Pick selects.
func (v *View) NameOf(p Pick) string {
	columns := make([]question.Column, len(v.Columns))
	for i, c := range v.Columns {
		columns[i] = question.ReadColumn(c.Column)
	}
	return v.CellOf(p, columns)
}

// outcomeTable has a row for every outcome that some column allows. If none of them answers the question, a further row
// stands for the outcomes that would.
type outcomeTable struct {
	Names   []string // of the registers and locations that outcomes show
	Rows    []OutcomeRow
	From    int    // the index of the first of Rows among all
	All     int    // rows there are
	Differ  int    // … that the columns differ in
	Answers string // what a row that answers the question does: "satisfies the condition"
	Pressed string // the cell whose picture comes with the table; see cellName

	Every []OutcomeRow // all of them
}

// OutcomeRow is one outcome. The row of a proposition that no model allows has Prop. It also has Values if the
// proposition fixes them; "" is a value that it leaves open.
type OutcomeRow struct {
	Values  []string
	Prop    string
	Answers bool // the outcome decides the condition
	Differ  bool // one column allows it, another forbids it
	Cells   []OutcomeCell
	State   solver.State // nil for a proposition

	Machines []machineCell // how often each machine has shown the outcome
}

// OutcomeCell is an outcome under one column.
type OutcomeCell struct {
	Verdict solver.Verdict // "" where behaviour is undefined
	Label   string         // in words, for those who listen
}

// CellName returns the name of a cell: its row and column, from 0.
func CellName(row, col int) string { return fmt.Sprint(row, " ", col) }

// CellOf returns the name of the cell that a Pick selects.
func (t *outcomeTable) CellOf(p Pick, columns []question.Column) string {
	row := slices.IndexFunc(t.Every, func(r OutcomeRow) bool {
		return p.State == nil && r.Answers || p.State != nil && slices.Equal(r.State, p.State)
	})
	return CellName(row, slices.IndexFunc(columns, func(c question.Column) bool { return c.String() == p.Column }))
}

// rowsShown bounds the rows on a page. Its script asks for more when the visitor scrolls.
const rowsShown = 64

// Window selects the rows to show, from an index on. With differ, it skips rows on which the columns agree.
func (t *outcomeTable) Window(from int, differ bool) {
	rows := t.Every
	if differ {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r OutcomeRow) bool { return !r.Differ })
	}
	t.All = len(rows)
	t.From = min(max(from, 0), len(rows))
	t.Rows = rows[t.From:min(t.From+rowsShown, len(rows))]
}

// More returns the index of the first row after those shown; 0 if there is none.
func (t *outcomeTable) More() int {
	if next := t.From + len(t.Rows); next < t.All {
		return next
	}
	return 0
}

// Tabulate makes the table. Outcomes that answer the question come first; otherwise rows are sorted by their values.
func Tabulate(a *question.Answers) outcomeTable {
	t := outcomeTable{Answers: "satisfies the condition"}
	forall := a.Test.Quantifier == litmus.Forall
	if forall {
		t.Answers = "violates the condition"
	}
	rows := map[string]*OutcomeRow{}
	var order []*OutcomeRow
	answered := false
	// Outcomes under undefined behaviour mean nothing. The table lists them only if every column is undefined.
	defined := slices.ContainsFunc(a.Results, func(r *solver.Result) bool { return undefined(r) == "" })
	for m, r := range a.Results {
		if defined && undefined(r) != "" {
			continue
		}
		for i, s := range r.States {
			key := stateKey(s)
			row := rows[key]
			if row == nil {
				row = &OutcomeRow{Cells: make([]OutcomeCell, len(a.Results)), State: s}
				for j := range a.Results {
					row.Cells[j].Verdict = Absent(a, j)
				}
				t.Names, row.Values = apart(s)
				rows[key] = row
				order = append(order, row)
			}
			if defined {
				row.Cells[m].Verdict = solver.Allowed
			}
			if i < len(r.Outcomes) && r.Outcomes[i].Satisfies != forall {
				row.Answers, answered = true, true
			}
		}
	}
	asks := !answered && len(a.Results) > 0 && !a.Unasked()
	order = append(order, t.onlySeen(a, asks, rows)...)
	slices.SortStableFunc(order, func(a, b *OutcomeRow) int {
		switch {
		case a.Answers == b.Answers:
			return slices.CompareFunc(a.Values, b.Values, compareValues)
		case a.Answers:
			return -1
		}
		return 1
	})
	if asks {
		row := unseen(a, forall)
		if names, values := apart(a.Test.Fixed); t.Names == nil || slices.Equal(t.Names, names) {
			t.Names, row.Values = names, values
		}
		t.Every = append(t.Every, row)
	}
	for _, row := range order {
		t.Every = append(t.Every, *row)
	}
	judged := a.Judged(question.Column.Label)
	for i := range t.Every {
		row := &t.Every[i]
		row.Machines = machineCells(judged, t.Names, row)
		row.Differ = row.differs()
		if row.Differ {
			t.Differ++
		}
		what := cmp.Or(row.Prop, StateText(row.State))
		for m := range row.Cells {
			c := &row.Cells[m]
			c.Label = a.Columns[m].Label() + " " + Verb(c.Verdict) + " " + what
		}
	}
	t.Window(0, false)
	return t
}

// Verb returns the verb between a model and an outcome.
func Verb(v solver.Verdict) string {
	switch v {
	case solver.Allowed:
		return "allows"
	case solver.Forbidden:
		return "forbids"
	case Waiting:
		return "is still checking"
	}
	return "does not decide"
}

func (r *OutcomeRow) differs() bool {
	some := func(v solver.Verdict) bool {
		return slices.ContainsFunc(r.Cells, func(c OutcomeCell) bool { return c.Verdict == v })
	}
	return some(solver.Allowed) && some(solver.Forbidden)
}

// ProgramMark returns the mark of a verdict on a program. Its shape differs from the marks of outcomes, which are ✓ and
// ✗, so that a mark has one meaning on all pages, with and without colour.
func ProgramMark(v solver.Verdict) string {
	switch v {
	case solver.Safe:
		return "●"
	case solver.Unsafe:
		return "▲"
	}
	return "?"
}

// Waiting is the verdict of a column that has not answered yet.
const Waiting solver.Verdict = "waiting"

// Absent returns the verdict on an outcome that a result does not list: forbidden if the result lists all allowed
// outcomes, "" if behaviour is undefined.
func Absent(a *question.Answers, column int) solver.Verdict {
	r := a.Results[column]
	switch {
	case undefined(r) != "":
		return ""
	case a.Waiting[column]:
		return Waiting
	}
	cut := r.StatesComplete != nil && !*r.StatesComplete
	if r.Status != solver.OK || !r.Complete || cut {
		return solver.Undecided
	}
	return solver.Forbidden
}

// unseen returns the row for the outcomes that would answer the question, if no listed outcome does.
func unseen(a *question.Answers, forall bool) OutcomeRow {
	row := OutcomeRow{Prop: a.Test.Prop, Answers: true}
	if forall {
		row.Prop = "not (" + a.Test.Prop + ")"
	}
	for i, r := range a.Results {
		verdict := cmp.Or(r.Verdict, solver.Undecided)
		switch {
		case undefined(r) != "":
			verdict = ""
		case a.Waiting[i]:
			verdict = Waiting
		case r.Status == solver.Failed:
			verdict = solver.Undecided
		case forall && r.ConditionHolds == nil:
			verdict = solver.Undecided
		case forall && *r.ConditionHolds:
			verdict = solver.Forbidden
		case forall:
			verdict = solver.Allowed
		}
		row.Cells = append(row.Cells, OutcomeCell{Verdict: verdict})
	}
	return row
}

// apart returns a state's names and values.
func apart(s solver.State) (names, values []string) {
	for _, b := range s {
		names, values = append(names, b.Name), append(values, b.Value)
	}
	return names, values
}

func stateKey(s solver.State) string {
	var b strings.Builder
	for _, e := range s {
		fmt.Fprintf(&b, "%s\x00", e.Value)
	}
	return b.String()
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
