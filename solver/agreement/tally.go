package agreement

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// Finding is how the answer to one test or program under one model compares.
type Finding struct {
	Group, Path, Model string // a test's architecture, or a program's suite
	Label              string // the name of a program in its suite; "" for a test
	Verdict            Verdict
	Detail             string // what differs, or why there is no answer
	SettledBy          string // the engine that decided in another's place, if one did
	Explained          string // the option that explains a known difference

	// Of a program: how a count of executions compares, whether the answer holds whatever the
	// bounds, and what it took.
	Count    CountVerdict
	Complete bool
	Seconds  float64
}

// differs reports whether one of the two is wrong.
func (f Finding) differs() bool { return f.Verdict == Disagreed || f.Count == Different }

// String names the test and the model, "SB.litmus under tso".
func (f Finding) String() string {
	if f.Label == "" {
		return f.Path + " under " + f.Model
	}
	return f.Group + " " + f.Label + " under " + f.Model
}

// Tally counts findings by group and model, and keeps those that need a look.
type Tally struct {
	LeftOut  int // skipped tests and programs
	known    []Difference
	programs bool // there are findings of programs
	rows     map[[2]string]*row
	look     []Finding // all that did not agree, or have another count
	stale    []Finding // agreed, though listed as known
	settled  map[string]int
}

type row struct {
	verdicts [Known + 1]int
	counts   [Different + 1]int
	complete int
	seconds  float64
}

// NewTally starts a tally that counts the given differences as known.
func NewTally(known []Difference) *Tally {
	return &Tally{known: known, rows: map[[2]string]*row{}, settled: map[string]int{}}
}

// Add counts a finding. A disagreement in the list counts as known.
func (t *Tally) Add(f Finding) {
	d, listed := Find(t.known, f.Path, f.Model)
	switch {
	case listed && f.differs() && d.With != "" && f.Explained != d.With:
		f.Detail += "; listed as known, but --" + d.With + " does not change it"
	case listed && f.differs():
		f.Verdict, f.Count, f.Detail = Known, NotCounted, f.Detail+"; known: "+d.Reason
		if d.With != "" {
			f.Detail += " With --" + d.With + ", the answer equals the reference's."
		}
	case listed && f.Verdict == Agreed && !strings.HasSuffix(d.Path, "*"):
		t.stale = append(t.stale, f)
	}
	if f.Verdict != Agreed || f.differs() {
		t.look = append(t.look, f)
	}
	if f.SettledBy != "" && f.Verdict != Undecided {
		t.settled[f.SettledBy]++
	}
	t.programs = t.programs || f.Label != ""
	key := [2]string{f.Group, f.Model}
	if t.rows[key] == nil {
		t.rows[key] = new(row)
	}
	r := t.rows[key]
	r.verdicts[f.Verdict]++
	r.counts[f.Count]++
	r.seconds += f.Seconds
	if f.Complete {
		r.complete++
	}
}

// Count is how many findings have a verdict.
func (t *Tally) Count(v Verdict) (n int) {
	for _, r := range t.rows {
		n += r.verdicts[v]
	}
	return n
}

// Differing is how many findings differ: in the answer, or in the count of executions.
func (t *Tally) Differing() (n int) {
	for _, r := range t.rows {
		n += r.verdicts[Disagreed] + r.counts[Different]
	}
	return n
}

// Print writes the table, then what did not agree: why tests are unsupported, with the number of each, and everything
// else one by one.
func (t *Tally) Print(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "arch\tmodel\ttests"
	if t.programs {
		head = "suite\tmodel\trows"
	}
	for v := Agreed; v <= Known; v++ {
		head += "\t" + v.String()
	}
	if t.programs {
		head += "\tcomplete\tcounts equal\tdifferent\tseconds"
	}
	fmt.Fprintln(tw, head+"\t")
	var all row
	keys := slices.SortedFunc(maps.Keys(t.rows), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		t.rows[k].print(tw, k[0], k[1], t.programs)
		all.add(t.rows[k])
	}
	if len(keys) > 1 {
		all.print(tw, "all", "", t.programs)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.settled)) {
		fmt.Fprintf(&b, "\ndecided by %s after a bound left them open: %d\n", name, t.settled[name])
	}
	if t.LeftOut > 0 {
		fmt.Fprintf(&b, "\nskipped by name: %d\n", t.LeftOut)
	}
	t.reasons(&b, Unsupported)
	if t.programs {
		t.reasons(&b, Undecided)
	} else {
		t.section(&b, Undecided.String(), func(f Finding) bool { return f.Verdict == Undecided })
	}
	t.section(&b, Known.String(), func(f Finding) bool { return f.Verdict == Known })
	t.section(&b, "different counts", func(f Finding) bool { return f.Count == Different })
	t.section(&b, Disagreed.String(), func(f Finding) bool { return f.Verdict == Disagreed })
	if len(t.stale) > 0 {
		b.WriteString("\nlisted as known differences, but agreed:\n")
		for _, f := range t.stale {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *row) add(o *row) {
	for v, n := range o.verdicts {
		r.verdicts[v] += n
	}
	for v, n := range o.counts {
		r.counts[v] += n
	}
	r.complete += o.complete
	r.seconds += o.seconds
}

func (r *row) print(w io.Writer, group, model string, programs bool) {
	sum := 0
	for _, n := range r.verdicts {
		sum += n
	}
	fmt.Fprintf(w, "%s\t%s\t%d", group, model, sum)
	for _, n := range r.verdicts {
		fmt.Fprintf(w, "\t%d", n)
	}
	if programs {
		fmt.Fprintf(w, "\t%d\t%d\t%d\t%.1f", r.complete, r.counts[Equal], r.counts[Different], r.seconds)
	}
	fmt.Fprintln(w, "\t")
}

func (t *Tally) section(b *strings.Builder, title string, in func(Finding) bool) {
	for _, f := range t.look {
		if !in(f) {
			continue
		}
		if title != "" {
			fmt.Fprintf(b, "\n%s:\n", title)
			title = ""
		}
		fmt.Fprintf(b, "  %s: %s\n", f, f.Detail)
	}
}

// place is where an error is: file:line:col, or the file alone.
var place = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^(.*\.litmus|\S+\.[chi])(:\d+(:\d+)?)?: `) })

// reasons counts findings by the reason for a verdict alone, the most frequent first, each with the first
// as an example.
func (t *Tally) reasons(b *strings.Builder, v Verdict) {
	count, example := map[string]int{}, map[string]Finding{}
	for _, f := range t.look {
		if f.Verdict != v {
			continue
		}
		text, _, _ := strings.Cut(f.Detail, "\n")
		text = place().ReplaceAllString(text, "")
		if count[text]++; count[text] == 1 {
			example[text] = f
		}
	}
	texts := slices.SortedFunc(maps.Keys(count), func(a, c string) int {
		return cmp.Or(cmp.Compare(count[c], count[a]), cmp.Compare(a, c))
	})
	for i, text := range texts {
		if i == 0 {
			fmt.Fprintf(b, "\n%s:\n", v)
		}
		fmt.Fprintf(b, "  %d × %s (%s)\n", count[text], text, example[text])
	}
}
