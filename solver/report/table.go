package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"litmuscope/solver"
)

// table writes aligned columns. Rows go out as they come: a column that turns out
// too narrow widens from there on.
type table struct {
	w      io.Writer
	o      Options
	widths []int
}

func newTable(w io.Writer, o Options) Writer { return &table{w: w, o: o} }

// The columns, with the width each begins with and whether it holds numbers.
var columns = []struct {
	title  string
	width  int
	number bool
}{
	{"test", 24, false},
	{"model", 8, false},
	{"verdict", 9, false},
	{"observation", 11, false},
	{"states", 6, true},
	{"ms", 8, true},
}

// Terminal colours of verdicts and statuses.
var colours = map[string]string{
	string(solver.Allowed):   "\x1b[32m",   // green
	string(solver.Forbidden): "\x1b[31m",   // red
	string(solver.Undecided): "\x1b[33m",   // yellow
	string(solver.Failed):    "\x1b[1;31m", // bold red
}

// Result writes a row, and below it, indented, what the result says beside its verdict: the reason, remarks, bounds,
// flags, the certificate, the explanation and the listed executions.
func (t *table) Result(r *solver.Result) error {
	var b bytes.Buffer
	t.head(&b)
	word := string(r.Verdict)
	if r.Status == solver.Failed || word == "" {
		word = string(r.Status)
	}
	states := strconv.Itoa(len(r.States))
	if r.Status != solver.OK || r.StatesComplete != nil && !*r.StatesComplete {
		states += "+" // there may be more
	}
	ms := fmt.Sprintf("%.1f", r.MS)
	if r.Cached {
		ms = "cached"
	}
	observation := string(r.Observation)
	if r.Status == solver.Failed {
		states, ms = "", ""
	}
	t.row(&b, []string{oneLine(title(r)), oneLine(r.Model), word, observation, states, ms})
	if why := complaint(r); why != "" {
		b.WriteString("  " + strings.ReplaceAll(printable(why), "\n", "\n  ") + "\n")
	}
	for _, m := range r.Remarks {
		b.WriteString("  " + oneLine("remark: "+m.String()) + "\n")
	}
	if within := r.BoundsText(); within != "" && r.Status == solver.OK {
		b.WriteString("  " + within + "\n")
	}
	for _, f := range r.Flags {
		if text := f.Sentence(); text != "" {
			b.WriteString("  " + oneLine(text) + "\n")
		}
	}
	if r.Termination != nil {
		b.WriteString("  " + oneLine(r.Termination.Sentence()) + "\n")
	}
	if c := r.CertificateText(); c != "" {
		b.WriteString("  " + oneLine(c) + "\n")
	}
	if r.Explanation != nil {
		for _, l := range r.Explanation.Lines() {
			b.WriteString("  " + oneLine(l) + "\n")
		}
	}
	for _, l := range r.ExecutionLines() {
		b.WriteString("  " + oneLine(l) + "\n")
	}
	for i := range r.Machines {
		b.WriteString("  " + oneLine(r.Machines[i].Line()) + "\n")
	}
	_, err := t.w.Write(b.Bytes())
	return err
}

// Close writes the table's head if there was no result.
func (t *table) Close() error {
	var b bytes.Buffer
	t.head(&b)
	_, err := t.w.Write(b.Bytes())
	return err
}

func (t *table) head(b *bytes.Buffer) {
	if t.widths != nil {
		return
	}
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.title
		t.widths = append(t.widths, c.width)
	}
	t.row(b, titles)
}

func (t *table) row(b *bytes.Buffer, cells []string) {
	var line strings.Builder
	for i, c := range cells {
		n := utf8.RuneCountInString(c)
		t.widths[i] = max(t.widths[i], n)
		pad := strings.Repeat(" ", t.widths[i]-n)
		if colour := colours[c]; t.o.Colour && i == 2 && colour != "" {
			c = colour + c + "\x1b[0m"
		}
		if i > 0 {
			line.WriteString("  ")
		}
		if columns[i].number {
			line.WriteString(pad + c)
		} else {
			line.WriteString(c + pad)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}
