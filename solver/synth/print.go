package synth

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"litmuscope/litmus/change"
	"litmuscope/models"
	"litmuscope/solver"
)

// Repaired is [Answer] for a child process.
func Repaired(q Question) (*Reply, error) { return Answer(context.Background(), q) }

// Failed returns the reply to a question that failed with an error.
func Failed(q Question, err error) *Reply {
	r := &Reply{Path: q.Path, Status: solver.Failed, Repairs: []Repair{}}
	var names []string
	for _, t := range q.Under {
		names = append(names, t.Model)
	}
	r.Model = strings.Join(names, "+")
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// Formats are the output formats of replies, the default first.
var Formats = []string{"text", "jsonl", "diff", "table"}

// Print writes texts, diffs and JSON reply by reply, so that a long run shows its results early. Only the table waits
// for all rows, because its columns are as wide as their widest cell.

// Printer prints replies in a format.
type Printer struct {
	out    io.Writer
	weaken bool
	reply  func(*Reply) error
	first  bool
	lines  *json.Encoder
	rows   [][]string
}

// NewPrinter returns a printer. weaken selects the words for removed orders instead of repairs.
func NewPrinter(format string, out io.Writer, weaken bool) *Printer {
	p := &Printer{out: out, weaken: weaken, first: true}
	switch format {
	case "jsonl":
		p.lines = json.NewEncoder(out)
		p.lines.SetEscapeHTML(false)
		p.reply = func(r *Reply) error {
			return p.lines.Encode(r.Public())
		}
	case "diff":
		p.reply = p.diffs
	case "table":
		p.rows = [][]string{{"test", "model", "cost", "changes"}}
		p.reply = p.row
	default:
		p.reply = p.text
	}
	return p
}

// Reply prints a reply. The format "table" prints its rows on Close.
func (p *Printer) Reply(r *Reply) error { return p.reply(r) }

// Close prints the collected replies.
func (p *Printer) Close() error {
	if len(p.rows) < 2 { // only the head
		return nil
	}
	widths := make([]int, 4)
	for _, row := range p.rows {
		for i, c := range row {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, row := range p.rows {
		for i, c := range row {
			b.WriteString(c)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-len([]rune(c))+2))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

// Summary returns the result in one line.
func (r *Reply) Summary(weaken bool) string {
	under := labels(r.Model)
	switch {
	case r.Status == solver.Failed:
		return "error: " + r.Error
	case r.Status == solver.Unknown && len(r.Repairs) == 0:
		return "unknown: " + r.Reason
	case r.Already && r.Verdict == solver.Safe:
		return "already safe under " + under
	case r.Already:
		return under + " already forbids the outcome"
	case r.Impossible && weaken:
		return r.Reason
	case r.Impossible:
		return "no repair found: " + r.Reason
	case weaken && len(r.Repairs) == 1 && len(r.Repairs[0].Changes) == 0:
		return "no barrier or order can be removed under " + under
	}
	n := solver.Count(len(r.Repairs), "cheapest repair")
	if weaken {
		n = solver.Count(len(r.Repairs), "minimal remainder")
	}
	if r.More {
		n = "more than " + n
	}
	text := n + " under " + under
	if !weaken && len(r.Repairs) > 0 { // a partial reply may have none yet
		text += fmt.Sprintf(", cost %d", r.Repairs[0].Cost)
	}
	if !r.Minimal {
		text += " (there may be others: " + r.Reason + ")"
	}
	return text
}

// labels returns the models' names for readers, joined by "and".
func labels(model string) string {
	all := strings.Split(model, "+")
	for i, m := range all {
		all[i] = models.Label(m)
	}
	return strings.Join(all, " and ")
}

// text prints each answer with its diff and the cycles that its changes break.
func (p *Printer) text(r *Reply) error {
	var b strings.Builder
	if !p.first {
		b.WriteByte('\n')
	}
	p.first = false
	fmt.Fprintf(&b, "%s: %s\n", r.Path, r.Summary(p.weaken))
	for _, remark := range r.Remarks {
		b.WriteString("  " + remark + "\n")
	}
	for i := range r.Repairs {
		a := &r.Repairs[i]
		if len(a.Changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n  %d. cost %d", i+1, a.Cost)
		if p.weaken {
			fmt.Fprintf(&b, ", %d less than before", a.Saved)
		}
		if a.Certified != nil {
			if *a.Certified {
				fmt.Fprintf(&b, ", certified (%s, %s)", solver.Count(a.Certificate.Refutations, "refutation"),
					solver.Count(a.Certificate.Lemmas, "lemma"))
			} else {
				b.WriteString(", not certified")
			}
		}
		b.WriteByte('\n')
		for _, c := range a.Changes {
			where := c.Where()
			if c.File != "" && c.File != r.Path {
				where += " of " + c.File
			}
			fmt.Fprintf(&b, "     %s, line %d: %s\n", where, c.Line, c.Words())
			if c.Fails != "" {
				fmt.Fprintf(&b, "       without this change, the program fails under %s\n", c.Fails)
			}
			if x := c.Breaks; x != nil {
				fmt.Fprintf(&b, "       breaks %s\n",
					cmp.Or(x.Cycle, "the axiom "+x.Axiom+" of "+models.Label(x.Model)))
				if x.Events != "" {
					fmt.Fprintf(&b, "       (%s)\n", x.Events)
				}
			}
		}
		for line := range strings.Lines(a.Diff) {
			b.WriteString("     " + line)
		}
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

// Where returns the thread of a test or the function of a program that a change is in.
func (c Change) Where() string {
	if c.Fails != "" || c.File != "" {
		return cmp.Or(c.Function, "outside of functions")
	}
	return fmt.Sprintf("P%d", c.Thread)
}

// Words describes a change.
func (c Change) Words() string {
	switch {
	case c.Kind == change.Atomic:
		return c.Text
	case c.Fails != "" && c.Kind == change.Order:
		return c.Text + " in " + c.Place
	case c.Text == "":
		return "without " + c.Place
	case c.Kind == change.Order:
		return c.Text + " instead of " + c.Place
	case c.Kind == change.Dependency:
		return "a dependency of " + c.Place + ", " + c.Text
	}
	return c.Text + " before " + c.Place
}

// diffs prints the answers as patches, after a comment with the test, the models and the cost of each. A reply
// without changes, or one that is not minimal, starts with its summary.
func (p *Printer) diffs(r *Reply) error {
	var b strings.Builder
	if len(r.Repairs) == 0 || !r.Minimal || len(r.Repairs[0].Changes) == 0 {
		fmt.Fprintf(&b, "# %s: %s\n", r.Path, r.Summary(p.weaken))
	}
	for i := range r.Repairs {
		a := &r.Repairs[i]
		fmt.Fprintf(&b, "# %s under %s: %d of %d, cost %d\n", r.Path, labels(r.Model), i+1, len(r.Repairs), a.Cost)
		if !strings.HasPrefix(a.Diff, "---") { // a program's names its files itself
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", r.Path, r.Path)
		}
		b.WriteString(a.Diff)
	}
	_, err := io.WriteString(p.out, b.String())
	return err
}

// row is a line of the table for each answer: the test, the model, the cost and the changes.
func (p *Printer) row(r *Reply) error {
	first := []string{cmp.Or(r.Name, r.Path), r.Model}
	if len(r.Repairs) == 0 {
		what := r.Summary(p.weaken)
		switch {
		case r.Already:
			what = "already forbidden"
		case r.Impossible && p.weaken:
			what = "already allowed"
		case r.Impossible:
			what = "no repair found"
		}
		p.rows = append(p.rows, append(first, "-", what))
		return nil
	}
	for _, a := range r.Repairs {
		var parts []string
		for _, c := range a.Changes {
			words := c.Words()
			if c.Kind == change.Order && c.Fails == "" {
				words = c.Text
			}
			parts = append(parts, c.Where()+": "+words)
		}
		p.rows = append(p.rows, append(first, fmt.Sprint(a.Cost), cmp.Or(strings.Join(parts, "; "), "none")))
		first = []string{"", ""}
	}
	return nil
}

// difference is a unified diff of two texts, without the names of files.
func difference(was, is string) string {
	text := string(diff.Diff("a", []byte(was), "b", []byte(is)))
	if i := strings.Index(text, "@@"); i >= 0 {
		return text[i:]
	}
	return ""
}
