package report

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"litmuscope/solver"
)

// jsonl writes a result per line, as the REST interface gives it.
type jsonl struct {
	e *json.Encoder
	o Options
}

func newJSONL(w io.Writer, o Options) Writer {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &jsonl{e, o}
}

// Close does nothing.
func (j *jsonl) Close() error { return nil }

// Result writes a result as a line of JSON, without what follows from its other fields.
func (j *jsonl) Result(r *solver.Result) error {
	c := *r
	c.Satisfying = nil // follows from the states and the condition
	if !j.o.Witnesses {
		c.Outcomes = nil
	}
	if !j.o.Stats {
		c.Stats = nil
	}
	if c.States == nil {
		c.States = []solver.State{}
	}
	return j.e.Encode(&c)
}

// values writes a header, then a row per result. It counts states and does not list them.
type values struct {
	w        *csv.Writer
	header   bool
	machines []solver.Computer
}

func newCSV(w io.Writer, o Options) Writer { return &values{w: csv.NewWriter(w), machines: o.Machines} }

func (v *values) head() error {
	if v.header {
		return nil
	}
	v.header = true
	head := []string{
		"path", "name", "arch", "model", "engine", "status", "verdict", "observation",
		"condition_holds", "states", "positive", "negative", "complete", "ms", "error", "remarks",
		"certified", "refutations", "lemmas", "proof_bytes", "check_ms", "flags",
	}
	for _, m := range v.machines {
		name := oneLine(m.Name)
		head = append(head, name+": runs", name+": outcomes", name+": forbidden")
	}
	return v.w.Write(NoFormulas(head))
}

// Result writes a result as a row of CSV, after the head.
func (v *values) Result(r *solver.Result) error {
	if err := v.head(); err != nil {
		return err
	}
	row := []string{
		r.Path, r.Name, r.Arch, r.Model, r.Engine, string(r.Status), string(r.Verdict),
		string(r.Observation), optional(r.ConditionHolds, strconv.FormatBool), strconv.Itoa(len(r.States)),
		optional(r.Positive, strconv.Itoa), optional(r.Negative, strconv.Itoa),
		strconv.FormatBool(r.Complete), strconv.FormatFloat(r.MS, 'f', -1, 64), complaint(r), joined(r.Remarks),
		optional(r.Certified, strconv.FormatBool), "", "", "", "",
	}
	if c := r.Certificate; c != nil {
		row = append(row[:len(row)-4], strconv.Itoa(c.Refutations), strconv.Itoa(c.Lemmas),
			strconv.FormatInt(c.Bytes, 10), strconv.FormatFloat(c.CheckMS, 'f', -1, 64))
	}
	row = append(append(row, strings.Join(r.RaisedFlags(), " ")), v.seen(r)...)
	for i := range row {
		row[i] = printable(row[i])
	}
	if err := v.w.Write(NoFormulas(row)); err != nil {
		return err
	}
	v.w.Flush()
	return v.w.Error()
}

// seen has three fields for each machine: its runs of the test, the outcomes that it has shown, and the runs that ended
// in those that the model forbids. They are empty for a machine that has not run the test, and the last also where the
// result cannot tell.
func (v *values) seen(r *solver.Result) []string {
	out := make([]string, 0, 3*len(v.machines))
	for _, c := range v.machines {
		fields := []string{"", "", ""}
		for _, m := range r.Machines {
			if m.Name != c.Name {
				continue
			}
			fields[0], fields[1] = strconv.FormatInt(m.Runs, 10), strconv.Itoa(len(m.Outcomes))
			if r.ListsAll() {
				runs, _ := m.Forbidden()
				fields[2] = strconv.FormatInt(runs, 10)
			}
		}
		out = append(out, fields...)
	}
	return out
}

// NoFormulas keeps the texts of a row from being formulas where a program for tables opens it. The path of what
// came on standard input, - or -/name, is none, and numbers are not below zero.
func NoFormulas(row []string) []string {
	for i, text := range row {
		if formula().MatchString(text) {
			row[i] = "'" + text
		}
	}
	return row
}

var formula = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([=+@\t\r]|-[^/])`) })

// joined is one line of several remarks.
func joined(remarks []solver.Remark) string {
	lines := make([]string, len(remarks))
	for i, m := range remarks {
		lines[i] = m.String()
	}
	return strings.Join(lines, "; ")
}

// Close writes the head if there was no result.
func (v *values) Close() error {
	if err := v.head(); err != nil {
		return err
	}
	v.w.Flush()
	return v.w.Error()
}

func optional[T any](v *T, format func(T) string) string {
	if v == nil {
		return ""
	}
	return format(*v)
}
