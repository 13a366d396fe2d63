package compare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"litmuscope/solver"
)

// Writer writes differences down.
type Writer interface {
	Difference(Difference) error
	// Close writes the totals.
	Close(Tally) error
}

// Formats are the ways to write, the default first.
var Formats = []struct {
	Name string
	New  func(io.Writer) Writer
}{
	{"text", func(w io.Writer) Writer { return &text{w: w, lines: map[Kind][]line{}} }},
	{"jsonl", func(w io.Writer) Writer {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return jsonl{e}
	}},
}

// jsonl writes a difference a line, as the comparison finds them, then the totals.
type jsonl struct{ e *json.Encoder }

// Difference writes a difference as a line of JSON.
func (j jsonl) Difference(d Difference) error { return j.e.Encode(d) }

// Close writes the totals as the last line.
func (j jsonl) Close(t Tally) error {
	return j.e.Encode(struct {
		Totals Tally `json:"totals"`
	}{t})
}

// text writes for people: the differences by kind, the gravest first, each kind in the
// order of the logs; then a table of how many there are of each. It keeps its lines until
// the end.
type text struct {
	w     io.Writer
	lines map[Kind][]line
}

type line struct {
	at                int
	test, under, text string
}

// Difference collects a difference until Close knows the widths of columns.
func (t *text) Difference(d Difference) error {
	l := line{at: d.at, test: clean(d.title()), under: clean(d.under()), text: clean(d.text())}
	t.lines[d.Kind] = append(t.lines[d.Kind], l)
	return nil
}

// Close writes the differences by kind, the gravest kind first and each in the order of the logs, then the totals.
func (t *text) Close(totals Tally) error {
	var b bytes.Buffer
	for _, k := range Kinds {
		lines := t.lines[k.Kind]
		if len(lines) == 0 {
			continue
		}
		slices.SortStableFunc(lines, func(x, y line) int { return cmp.Compare(x.at, y.at) })
		test, under := 0, 0
		for _, l := range lines {
			test, under = max(test, len([]rune(l.test))), max(under, len([]rune(l.under)))
		}
		test, under = min(test, 40), min(under, 24)
		fmt.Fprintf(&b, "%s: %s\n", k.Kind, k.Text)
		for _, l := range lines {
			b.WriteString(
				strings.TrimRight(fmt.Sprintf("  %-*s  %-*s  %s", test, l.test, under, l.under, l.text), " ") + "\n")
		}
		b.WriteByte('\n')
		if _, err := t.w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	for _, k := range Kinds {
		if n := len(t.lines[k.Kind]); n > 0 {
			fmt.Fprintf(&b, "%-15s %9s  %s\n", k.Kind, grouped(uint64(n)), k.Text)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	for i, side := range []string{"A", "B"} {
		fmt.Fprintf(&b, "%s: %s", side, plural(totals.Rows[i], "row"))
		for _, part := range []struct {
			n    int
			text string
		}{
			{totals.Hardware[i], "from hardware"},
			{totals.Pending[i], "not answered yet"},
			{totals.Alone[i], "without a counterpart"},
			{totals.Skipped[i], "more that are not compared"},
		} {
			if part.n > 0 {
				fmt.Fprintf(&b, ", %s %s", grouped(uint64(part.n)), part.text)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s compared: %s equal, %s different", plural(totals.Pairs, "pair"),
		grouped(uint64(totals.Same)),
		grouped(uint64(totals.Differing())))
	if totals.OneSided > 0 {
		fmt.Fprintf(&b, ", %s answered on one side", grouped(uint64(totals.OneSided)))
	}
	if totals.Unanswered > 0 {
		fmt.Fprintf(&b, ", %s unanswered on both sides", grouped(uint64(totals.Unanswered)))
	}
	b.WriteByte('\n')
	_, err := t.w.Write(b.Bytes())
	return err
}

// title is the test's file, if it is known, or its name.
func (d Difference) title() string {
	for _, a := range []*Answer{d.A, d.B} {
		switch {
		case a == nil || a.Path == "":
		case strings.Contains(a.Path, d.Test):
			return a.Path
		default:
			return d.Test + " (" + a.Path + ")"
		}
	}
	return d.Test
}

// under is the model, or the two, with the engines where these differ.
func (d Difference) under() string {
	if d.A == nil {
		return d.B.Model
	}
	if d.B == nil {
		return d.A.Model
	}
	a, b := d.A.Model, d.B.Model
	if d.A.Engine != d.B.Engine && d.A.Engine != "" && d.B.Engine != "" && a == b {
		return strings.TrimSpace(a + " " + d.A.Engine + " → " + d.B.Engine)
	}
	if a == b || a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return a + " → " + b
}

// maxStates is how many states the text shows.
const maxStates = 8

// text describes a difference in a line: what A and B say, with → between them, or the states that only one of them
// has.
func (d Difference) text() string {
	switch d.Kind {
	case Verdict:
		return d.A.said() + " → " + d.B.said()
	case ErrorA, LimitA, PendingA:
		return d.A.why()
	case ErrorB, LimitB, PendingB:
		return d.B.why()
	case Unanswered:
		if a, b := d.A.why(), d.B.why(); a != b {
			return a + " → " + b
		}
		return d.A.why()
	case Question:
		if d.A.Condition != d.B.Condition && strings.Contains(d.Detail, "conditions") {
			return d.Detail + ": " + d.A.Condition + " → " + d.B.Condition
		}
		return d.Detail
	}
	var parts []string
	for i, s := range d.States {
		if i == maxStates {
			parts = append(parts, grouped(uint64(len(d.States)-i))+" more")
			break
		}
		part := stateText(s.State)
		if s.Count != nil && d.Runs != nil {
			part = fmt.Sprintf("%s (%s of %s)", part, grouped(*s.Count), grouped(*d.Runs))
		}
		parts = append(parts, part)
	}
	if d.Kind == SeenForbidden && len(d.States) == 0 {
		machine, model := d.A, d.B
		if d.B.Hardware {
			machine, model = d.B, d.A
		}
		parts = append(parts, fmt.Sprintf("the hardware says %s, the model says %s", machine.Observation,
			model.Observation))
	}
	if d.Detail != "" {
		parts = append(parts, d.Detail)
	}
	return strings.Join(parts, " | ")
}

// said is an answer in words.
func (a *Answer) said() string {
	var parts []string
	for _, p := range []string{string(a.Verdict), string(a.Observation)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if a.ConditionHolds != nil {
		parts = append(parts, map[bool]string{true: "Ok", false: "No"}[*a.ConditionHolds])
	}
	return strings.Join(parts, ", ")
}

// why there is no answer.
func (a *Answer) why() string {
	if a.Error == "" {
		return string(a.Status)
	}
	return string(a.Status) + ": " + a.Error
}

func stateText(s solver.State) string {
	parts := make([]string, len(s))
	for i, b := range s {
		parts[i] = b.Name + "=" + b.Value + ";"
		if b.Value == "" {
			parts[i] = b.Name + ";"
		}
	}
	return strings.Join(parts, " ")
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(uint64(n)) + " " + what
}

// clean is one line that a terminal shows and does not obey.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			if c == '\n' {
				return ' '
			}
			return '\uFFFD'
		}
		return c
	}, s)
}
