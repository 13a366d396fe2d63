package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/solver"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// machineView is a machine that has run the test.
type machineView struct {
	Name  string
	Title string // in words, for the column's head
	Facts string // the same with dates, for the list below the table
	// Apart says how many runs ended in outcomes that the table cannot show, because they name other registers; "" for
	// none.
	Apart string
}

// machineCell says how often a machine has shown an outcome. Text is "" for a row that stands for several outcomes.
type machineCell struct {
	Text  string
	Title string
	Seen  bool
	Alarm bool // seen, although a model forbids it
}

// alarmView is an outcome that machines have shown although models forbid it.
type alarmView struct{ Outcome, Models, Where string }

// text returns the alarm as a sentence.
func (x alarmView) text() string {
	return fmt.Sprintf("Seen, but forbidden by %s: %s, %s.", x.Models, x.Outcome, x.Where)
}

// maxAlarms bounds the outcomes that the alarm lists.
const maxAlarms = 8

// onlySeen returns the rows of the outcomes that machines have shown and no column lists. known has the rows that there
// are, by stateKey, and gains the new ones. asks says that the table has a row for what the condition asks about.
func (t *outcomeTable) onlySeen(a *question.Answers, asks bool, known map[string]*OutcomeRow) (out []*OutcomeRow) {
	names := t.Names
	if names == nil {
		names, _ = apart(a.Test.Fixed)
	}
	for _, m := range a.Machines {
		for _, seen := range m.Outcomes {
			s, ok := inOrder(seen.State, names)
			if !ok || seen.Count == 0 || known[stateKey(s)] != nil || asks && slices.Equal(s, a.Test.Fixed) {
				continue
			}
			row := &OutcomeRow{State: s}
			for j := range a.Results {
				row.Cells = append(row.Cells, OutcomeCell{Verdict: Absent(a, j)})
			}
			_, row.Values = apart(s)
			t.Names, known[stateKey(s)] = names, row
			out = append(out, row)
		}
	}
	return out
}

// inOrder returns a state with its bindings in the order of some names; false if it binds others.
func inOrder(s solver.State, names []string) (solver.State, bool) {
	if len(s) != len(names) {
		return nil, false
	}
	out := make(solver.State, 0, len(s))
	for _, name := range names {
		i := slices.IndexFunc(s, func(b solver.Binding) bool { return b.Name == name })
		if i < 0 {
			return nil, false
		}
		out = append(out, s[i])
	}
	return out, true
}

// stateOf returns the one outcome that a row stands for; nil if there are several.
func (r *OutcomeRow) stateOf(names []string) solver.State {
	if r.State != nil || len(r.Values) != len(names) || slices.Contains(r.Values, "") {
		return r.State
	}
	out := make(solver.State, len(names))
	for i, name := range names {
		out[i] = solver.Binding{Name: name, Value: r.Values[i]}
	}
	return out
}

// machineCells returns a row's cells for machines.
func machineCells(judged []solver.MachineRuns, names []string, row *OutcomeRow) []machineCell {
	var out []machineCell
	state := row.stateOf(names)
	for _, m := range judged {
		var c machineCell
		if state != nil {
			key := state.Key()
			c.Text = "not seen"
			for _, seen := range m.Outcomes {
				if seen.Count > 0 && seen.State.Key() == key {
					c.Text, c.Seen, c.Alarm = thousands(seen.Count), true, len(seen.ForbiddenBy) > 0
				}
			}
			c.Title = fmt.Sprintf("%s of %s on %s", c.Text, countRuns(m.Runs), server.Visible(m.Name))
		}
		out = append(out, c)
	}
	return out
}

// machines describes the machines, and what they have shown although models forbid it.
func (v *View) machines(a *question.Answers) {
	type forbidden struct {
		alarmView
		models []string
		where  []string
	}
	var all []*forbidden
	at := map[string]*forbidden{}
	for _, m := range a.Judged(question.Column.Label) {
		v.Machines = append(v.Machines, viewMachine(&m, v.Names))
		for _, seen := range m.Outcomes {
			if seen.Count == 0 || len(seen.ForbiddenBy) == 0 {
				continue
			}
			state := seen.State
			if s, ok := inOrder(state, v.Names); ok {
				state = s
			}
			f := at[state.Key()]
			if f == nil {
				f = &forbidden{alarmView: alarmView{Outcome: StateText(state)}, models: seen.ForbiddenBy}
				at[state.Key()], all = f, append(all, f)
			}
			f.where = append(f.where, fmt.Sprintf("%s on %s", times(seen.Count), server.Visible(m.Name)))
		}
	}
	for i, f := range all {
		if i == maxAlarms {
			v.MoreAlarms = len(all) - maxAlarms
			break
		}
		f.Models, _ = Enumerate(f.models)
		f.Where = strings.Join(f.where, ", ")
		v.Alarms = append(v.Alarms, f.alarmView)
	}
}

// viewMachine prints what a machine has shown of a test: a name for the column, the facts for its tooltip and the list.
func viewMachine(m *solver.MachineRuns, names []string) machineView {
	v := machineView{Name: server.Visible(m.Name)}
	var facts []string
	for _, fact := range []string{m.Arch, m.Processor, m.System} {
		if fact != "" {
			facts = append(facts, server.Visible(fact))
		}
	}
	if m.Cores > 0 {
		facts = append(facts, solver.Count(m.Cores, "processor"))
	}
	runs := countRuns(m.Runs) + " in " + solver.Count(m.Sessions, "session")
	v.Title = strings.Join(append(facts, runs), ", ")
	last := m.Last.UTC().Format("2 Jan 2006")
	when := "on " + last
	if first := m.First.UTC().Format("2 Jan 2006"); first != last {
		when = "from " + first + " to " + last
	}
	v.Facts = strings.Join(append(facts, runs), ", ") + ", " + when
	var other int64
	for _, seen := range m.Outcomes {
		if _, ok := inOrder(seen.State, names); !ok {
			other += seen.Count
		}
	}
	if other > 0 {
		v.Apart = fmt.Sprintf("%s ended in outcomes with other registers or locations, which the table does not show.",
			countRuns(other))
	}
	return v
}

// thousands is server.Thousands for a number of runs.
func thousands(n int64) string { return server.Thousands(int(n)) }

func countRuns(n int64) string { return thousands(n) + " " + server.Plural(int(min(n, 2)), "run") }

// times is how often something was seen.
func times(n int64) string { return cmp.Or(map[int64]string{1: "once"}[n], thousands(n)+" times") }
