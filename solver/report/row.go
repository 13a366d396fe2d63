package report

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"litmuscope/solver"
)

// Row is what a log says of one test under one model: the fields of a [solver.Result] that logs of different tools
// share. What a log leaves out is empty.
type Row struct {
	Test           string // its name
	Path           string
	Arch           string
	Model          string
	Engine         string
	Hash           string // herd's and litmus7's, of the test's text
	Status         solver.Status
	Verdict        solver.Verdict
	Observation    solver.Observation
	Condition      string // with its quantifier
	ConditionHolds *bool
	States         []LoggedState
	// Listed: States are all that there are, and not a first part of them, or none.
	Listed bool
	// Complete: no bound of the tool hides an outcome.
	Complete bool
	// Hardware: hardware ran the test, so its states have counts.
	Hardware bool
	Error    string // why there is no answer
}

// LoggedState is an outcome in a log. Its names are as in 0:EAX, x and t[1], without brackets around a location, and
// its numbers decimal, whatever the log has.
type LoggedState struct {
	State solver.State
	Count *uint64 // how many runs of the test ended in it, if hardware ran the test
}

// RowOf returns the row of a result.
func RowOf(r *solver.Result) *Row {
	row := &Row{
		Test: r.Name, Path: r.Path, Arch: r.Arch, Model: r.Model, Engine: r.Engine,
		Status: r.Status, Verdict: r.Verdict, Observation: r.Observation,
		Condition: r.Condition, ConditionHolds: r.ConditionHolds, Complete: r.Complete,
		Listed: len(r.States) > 0 && (r.StatesComplete == nil || *r.StatesComplete),
		Error:  complaint(r),
	}
	for _, s := range r.States {
		row.States = append(row.States, LoggedState{State: normal(s)})
	}
	return row
}

// Runs is the number of runs of the test.
func (r *Row) Runs() uint64 {
	var n uint64
	for _, s := range r.States {
		if s.Count != nil {
			n += *s.Count
		}
	}
	return n
}

// normal is a state in the names and numbers of a Seen.
func normal(s solver.State) solver.State {
	out := make(solver.State, len(s))
	for i, b := range s {
		out[i] = solver.Binding{Name: normalName(b.Name), Value: normalValue(b.Value)}
	}
	return out
}

func normalName(name string) string {
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		return strings.TrimSpace(name[1 : len(name)-1])
	}
	if thread, register, ok := strings.Cut(name, ":"); ok && strings.HasPrefix(thread, "P") {
		if _, err := strconv.Atoi(thread[1:]); err == nil {
			return thread[1:] + ":" + register
		}
	}
	return name
}

// A number in another notation than decimal: hexadecimal, or with zeros in front.
var odd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(0[xX][0-9a-fA-F]+|0+[0-9]+)\b`) })

func normalValue(v string) string {
	v = strings.TrimSpace(v)
	if len(v) == 1 {
		return v
	}
	v = odd().ReplaceAllStringFunc(v, func(number string) string {
		digits, base := number, 10
		if number[1]|0x20 == 'x' {
			digits, base = number[2:], 16
		}
		n, err := strconv.ParseUint(digits, base, 64)
		if err != nil {
			return number // wider than any value of a test
		}
		return strconv.FormatUint(n, 10)
	})
	if strings.HasPrefix(v, "{") {
		v = strings.Join(strings.Fields(v), "")
	}
	return v
}
