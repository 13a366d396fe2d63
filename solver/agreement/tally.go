package agreement

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// Finding is how one test's answer under one model compares.
type Finding struct {
	Path, Arch, Model string
	Verdict           Verdict
	Detail            string // what differs, or why there is no answer
	SettledBy         string // the engine that decided in another's place, if one did
}

// Tally counts findings by architecture and model, and keeps those that need a look.
type Tally struct {
	known   []Difference
	rows    map[[2]string]*[Known + 1]int
	look    []Finding // all that did not agree
	stale   []Finding // agreed, though listed as known
	settled map[string]int
}

// NewTally starts a tally in which the given differences count as known.
func NewTally(known []Difference) *Tally {
	return &Tally{known: known, rows: map[[2]string]*[Known + 1]int{}, settled: map[string]int{}}
}

// Add counts a finding. A disagreement that is listed as known counts as such.
func (t *Tally) Add(f Finding) {
	d, listed := Find(t.known, f.Path, f.Model)
	switch {
	case listed && f.Verdict == Disagreed:
		f.Verdict, f.Detail = Known, f.Detail+"; known: "+d.Reason
	case listed && f.Verdict == Agreed:
		t.stale = append(t.stale, f)
	}
	if f.Verdict != Agreed {
		t.look = append(t.look, f)
	}
	if f.SettledBy != "" && f.Verdict != Undecided {
		t.settled[f.SettledBy]++
	}
	row := t.rows[[2]string{f.Arch, f.Model}]
	if row == nil {
		row = new([Known + 1]int)
		t.rows[[2]string{f.Arch, f.Model}] = row
	}
	row[f.Verdict]++
}

// Count is how many findings have a verdict.
func (t *Tally) Count(v Verdict) int {
	n := 0
	for _, row := range t.rows {
		n += row[v]
	}
	return n
}

// Print writes the table, then what did not agree: why tests are unsupported, with
// how many each, and everything else test by test.
func (t *Tally) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "arch\tmodel\ttests")
	for v := Agreed; v <= Known; v++ {
		fmt.Fprintf(tw, "\t%s", v)
	}
	fmt.Fprintln(tw, "\t")
	keys := make([][2]string, 0, len(t.rows))
	for k := range t.rows {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var all [Known + 1]int
	for _, k := range keys {
		t.row(tw, k[0], k[1], *t.rows[k])
		for v, n := range t.rows[k] {
			all[v] += n
		}
	}
	if len(keys) > 1 {
		t.row(tw, "all", "", all)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.settled)) {
		fmt.Fprintf(&b, "\nsettled by %s, where a bound had left them open: %d\n", name, t.settled[name])
	}
	t.unsupported(&b)
	for _, v := range []Verdict{Undecided, Known, Disagreed} {
		section(&b, v.String(), t.with(v))
	}
	section(&b, "listed as known differences, but agreed", t.stale)
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Tally) row(w io.Writer, arch, model string, counts [Known + 1]int) {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	fmt.Fprintf(w, "%s\t%s\t%d", arch, model, sum)
	for _, n := range counts {
		fmt.Fprintf(w, "\t%d", n)
	}
	fmt.Fprintln(w, "\t")
}

func (t *Tally) with(v Verdict) []Finding {
	var out []Finding
	for _, f := range t.look {
		if f.Verdict == v {
			out = append(out, f)
		}
	}
	return out
}

func section(b *strings.Builder, title string, findings []Finding) {
	if len(findings) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, f := range findings {
		fmt.Fprintf(b, "  %s under %s", f.Path, f.Model)
		if f.Detail != "" {
			fmt.Fprintf(b, ": %s", f.Detail)
		}
		b.WriteByte('\n')
	}
}

// place is where an error is: file:line:col, or the file alone.
var place = regexp.MustCompile(`^.*\.litmus(:\d+:\d+)?: `)

// unsupported counts tests by the reason alone, the most frequent first, with the
// first test as an example.
func (t *Tally) unsupported(b *strings.Builder) {
	type reason struct {
		text, example string
		count         int
	}
	var reasons []*reason
	byText := map[string]*reason{}
	for _, f := range t.with(Unsupported) {
		text := place.ReplaceAllString(f.Detail, "")
		r := byText[text]
		if r == nil {
			r = &reason{text: text, example: f.Path}
			byText[text] = r
			reasons = append(reasons, r)
		}
		r.count++
	}
	if len(reasons) == 0 {
		return
	}
	slices.SortStableFunc(reasons, func(a, b *reason) int { return cmp.Compare(b.count, a.count) })
	b.WriteString("\nunsupported:\n")
	for _, r := range reasons {
		fmt.Fprintf(b, "  %d × %s (%s)\n", r.count, r.text, r.example)
	}
}
