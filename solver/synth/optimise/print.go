package optimise

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/solver"
	"litmuscope/solver/report"
)

// Formats are the output formats, the default first.
var Formats = []string{"text", "jsonl", "patch", "table"}

// Write prints an answer in a format.
func (a *Answer) Write(out io.Writer, format string) error {
	switch format {
	case "jsonl":
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		told := *a
		told.Clients = make([]*solver.Verification, len(a.Clients))
		for i, v := range a.Clients {
			c := *v
			c.Stats = nil
			told.Clients[i] = &c
		}
		return lines.Encode(&told)
	case "patch":
		text := a.Diff
		if a.Unsafe != nil || a.Status != solver.OK {
			text = "# " + a.Summary() + "\n"
		}
		_, err := io.WriteString(out, text)
		return err
	}
	var b strings.Builder
	b.WriteString(a.Summary() + "\n")
	for _, remark := range a.Remarks {
		b.WriteString(remark + "\n")
	}
	if a.Unsafe != nil {
		if err := a.execution(&b, a.Unsafe); err != nil {
			return err
		}
	}
	if len(a.Places) > 0 {
		b.WriteByte('\n')
		a.table(&b)
	}
	for i, l := range a.Left {
		if i == 0 {
			b.WriteString("\nunchanged:\n")
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", l.File, l.Line, l.Column, l.Operation, l.Why)
	}
	if len(a.Clients) > 0 {
		b.WriteString("\nwith these orders:\n")
		for _, v := range a.Clients {
			b.WriteString(said(v) + "\n")
		}
	}
	if format == "text" {
		for _, p := range a.Places {
			for _, w := range p.Weaker {
				if w.Fails == nil {
					continue
				}
				fmt.Fprintf(&b, "\n%s:%d: %s with %s instead of %s:\n", p.File, p.Line, p.called(), w.Order, p.Is)
				if err := a.execution(&b, w.Fails); err != nil {
					return err
				}
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// execution prints a client's failing execution, as verify prints it, indented.
func (a *Answer) execution(b *strings.Builder, v *solver.Verification) error {
	var text strings.Builder
	if err := report.Verifications("text", &text, report.Options{Witnesses: true})(v); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		b.WriteString("  " + line)
	}
	return nil
}

// Summary returns the result in one line.
func (a *Answer) Summary() string {
	switch {
	case a.Unsafe != nil:
		at := "with the written orders"
		if a.From != "written" {
			at = "even with all orders " + a.From
		}
		return fmt.Sprintf("nothing changed: %s fails under %s %s", a.Unsafe.Path, a.Unsafe.Model, at)
	case a.Status == solver.Failed:
		return "error: " + strings.ReplaceAll(a.Error, "\n", "\nerror: ")
	case a.Status != solver.OK:
		return "nothing changed: it is undecided whether the clients are safe: " + a.Reason
	}
	count := func(is func(p Place) bool) (n int) {
		for _, p := range a.Places {
			if is(p) {
				n++
			}
		}
		return n
	}
	weaker := count(func(p Place) bool { return orders.Weaker(p.is, p.was) })
	text := fmt.Sprintf("%d of %s can be weaker", weaker, solver.Count(len(a.Places), "order"))
	if a.From != "written" {
		stronger, same := count(func(p Place) bool { return orders.Weaker(p.was, p.is) }),
			count(func(p Place) bool { return p.was == p.is })
		text = fmt.Sprintf("%s found from %s: %d as written, %d weaker, %d stronger",
			solver.Count(len(a.Places), "order"), a.From, same, weaker, stronger)
		if other := len(a.Places) - weaker - stronger - same; other > 0 {
			text += fmt.Sprintf(", %d neither", other)
		}
	}
	if n := count(func(p Place) bool { return p.Why == Unreached }); n > 0 {
		text += fmt.Sprintf("; %d unchanged, because no client reaches them", n)
	}
	if n := count(func(p Place) bool { return p.Why == Undecided }); n > 0 {
		text += fmt.Sprintf("; for %d, it is undecided whether a weaker order is enough", n)
	}
	return text + fmt.Sprintf(" (%s asked)", solver.Count(a.Asked, "question"))
}

// called names the operation of a place, and the failure order of a compare-and-exchange as such.
func (p Place) called() string {
	if p.Failure {
		return p.Operation + " (failure)"
	}
	return p.Operation
}

// table prints a line for each place.
func (a *Answer) table(b *strings.Builder) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "place\toperation\twas\tis\twhy")
	for _, p := range a.Places {
		fmt.Fprintf(w, "%s:%d:%d\t%s\t%s\t%s\t%s\n", p.File, p.Line, p.Column, p.called(), p.Was, p.Is, a.why(p))
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// why says why an order is what it is.
func (a *Answer) why(p Place) string {
	switch p.Why {
	case Free:
		if p.was == p.is && a.From == "written" {
			return "already the weakest order"
		}
		return "the weakest order is enough"
	case Unreached:
		return "no client reaches it"
	}
	var all []string
	for _, w := range p.Weaker {
		if w.Fails == nil {
			all = append(all, w.Order+" is undecided: "+w.Reason)
			continue
		}
		text := w.Order + " fails under " + w.Fails.Model + fails(w.Fails)
		if slices.ContainsFunc(a.Clients, func(v *solver.Verification) bool { return v.Path != w.Fails.Path }) {
			text += ", in " + w.Fails.Path
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// fails describes a client's failure in a few words.
func fails(v *solver.Verification) string {
	f, what := v.Failure, ""
	switch {
	case v.Race != nil && f == nil:
		f, what = v.Race, "data race"
	case f == nil && v.Undefined != nil:
		f, what = v.Undefined, "undefined behaviour"
	case f != nil:
		what = string(f.Property)
	}
	at := ""
	if f != nil {
		at = fmt.Sprintf(" at %s:%d", f.File, f.Line)
	}
	return ": " + what + at
}

// said returns a client's verdict in one line.
func said(v *solver.Verification) string {
	text := fmt.Sprintf("%s: safe under %s (%s)", v.Path, v.Model, v.Property)
	if !v.Complete {
		var bounds []string
		for _, name := range v.Short {
			bounds = append(bounds, fmt.Sprintf("--%s %d", name, v.Bounds[name]))
		}
		text = fmt.Sprintf("%s: safe within bounds under %s (%s), with %s", v.Path, v.Model, v.Property,
			cmp.Or(strings.Join(bounds, ", "), "loops cut"))
	}
	return text
}
