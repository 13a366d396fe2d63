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

// ProgramTally counts findings by suite and model, and keeps those that need a look.
type ProgramTally struct {
	known   []Difference
	rows    map[[2]string]*programRow
	look    []ProgramFinding // all that did not agree, or have another count
	stale   []ProgramFinding // agreed, though listed as known
	LeftOut int              // rows that were not asked
}

type programRow struct {
	verdicts [Known + 1]int
	counts   [Different + 1]int
	complete int
	seconds  float64
}

// NewProgramTally starts a tally in which the given differences count as known.
func NewProgramTally(known []Difference) *ProgramTally {
	return &ProgramTally{known: known, rows: map[[2]string]*programRow{}}
}

// Add counts a finding. A disagreement that is listed as known counts as such.
func (t *ProgramTally) Add(f ProgramFinding) {
	differs := f.Verdict == Disagreed || f.Count == Different
	if d, listed := Find(t.known, f.Path, f.Model); listed {
		if differs {
			f.Verdict, f.Count, f.Detail = Known, NotCounted, f.Detail+"; known: "+d.Reason
		} else if f.Verdict == Agreed {
			t.stale = append(t.stale, f)
		}
	}
	if f.Verdict != Agreed || differs {
		t.look = append(t.look, f)
	}
	key := [2]string{f.Suite, f.Model}
	row := t.rows[key]
	if row == nil {
		row = new(programRow)
		t.rows[key] = row
	}
	row.verdicts[f.Verdict]++
	row.counts[f.Count]++
	row.seconds += f.Seconds
	if f.Complete {
		row.complete++
	}
}

// Count is how many findings have a verdict.
func (t *ProgramTally) Count(v Verdict) (n int) {
	for _, row := range t.rows {
		n += row.verdicts[v]
	}
	return n
}

// Miscounted is how many findings have another count than their reference.
func (t *ProgramTally) Miscounted() (n int) {
	for _, row := range t.rows {
		n += row.counts[Different]
	}
	return n
}

// Print writes the table, then what did not agree: why programs are unsupported or unknown, with
// how many rows each, and wrong answers and counts row by row.
func (t *ProgramTally) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "suite\tmodel\trows\tagree\twrong\tunsupported\tunknown\tknown\tcomplete\tcounts equal\tdifferent\tseconds\t")
	var all programRow
	keys := slices.SortedFunc(maps.Keys(t.rows), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		t.rows[k].print(tw, k[0], k[1])
		all.add(t.rows[k])
	}
	if len(keys) > 1 {
		all.print(tw, "all", "")
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	if t.LeftOut > 0 {
		fmt.Fprintf(&b, "\nleft out by name: %d\n", t.LeftOut)
	}
	t.reasons(&b, Unsupported)
	t.reasons(&b, Undecided)
	t.section(&b, "known", func(f ProgramFinding) bool { return f.Verdict == Known })
	t.section(&b, "other counts", func(f ProgramFinding) bool { return f.Count == Different })
	t.section(&b, "WRONG", func(f ProgramFinding) bool { return f.Verdict == Disagreed })
	if len(t.stale) > 0 {
		b.WriteString("\nlisted as known differences, but agreed:\n")
		for _, f := range t.stale {
			fmt.Fprintf(&b, "  %s under %s\n", f.Label, f.Model)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *programRow) add(o *programRow) {
	for v, n := range o.verdicts {
		r.verdicts[v] += n
	}
	for v, n := range o.counts {
		r.counts[v] += n
	}
	r.complete += o.complete
	r.seconds += o.seconds
}

func (r *programRow) print(w io.Writer, suite, model string) {
	rows := 0
	for _, n := range r.verdicts {
		rows += n
	}
	fmt.Fprintf(w, "%s\t%s\t%d", suite, model, rows)
	for _, n := range r.verdicts {
		fmt.Fprintf(w, "\t%d", n)
	}
	fmt.Fprintf(w, "\t%d\t%d\t%d\t%.1f\t\n", r.complete, r.counts[Equal], r.counts[Different], r.seconds)
}

func (t *ProgramTally) section(b *strings.Builder, title string, in func(ProgramFinding) bool) {
	for _, f := range t.look {
		if !in(f) {
			continue
		}
		if title != "" {
			fmt.Fprintf(b, "\n%s:\n", title)
			title = ""
		}
		fmt.Fprintf(b, "  %s %s under %s: %s\n", f.Suite, f.Label, f.Model, f.Detail)
	}
}

// inFile is where an error in a program is: file:line:col, or the file alone.
var inFile = regexp.MustCompile(`^\S+\.[chi](:\d+(:\d+)?)?: `)

// reasons counts rows by the reason for a verdict alone, the most frequent first, with the first
// row as an example.
func (t *ProgramTally) reasons(b *strings.Builder, v Verdict) {
	count, example := map[string]int{}, map[string]ProgramFinding{}
	for _, f := range t.look {
		if f.Verdict != v {
			continue
		}
		text, _, _ := strings.Cut(f.Detail, "\n")
		text = inFile.ReplaceAllString(text, "")
		if count[text]++; count[text] == 1 {
			example[text] = f
		}
	}
	if len(count) == 0 {
		return
	}
	texts := slices.SortedFunc(maps.Keys(count), func(a, c string) int {
		return cmp.Or(cmp.Compare(count[c], count[a]), cmp.Compare(a, c))
	})
	fmt.Fprintf(b, "\n%s:\n", v)
	for _, text := range texts {
		fmt.Fprintf(b, "  %d × %s (%s %s under %s)\n", count[text], text, example[text].Suite, example[text].Label, example[text].Model)
	}
}
