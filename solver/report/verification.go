package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/solver"
)

// VerificationFormats are the formats of answers about programs, the default first.
var VerificationFormats = []string{"text", "jsonl"}

// Verifications gives what writes answers about programs, one after the other, in a format; nil for an unknown format.
func Verifications(format string, w io.Writer, o Options) func(*solver.Verification) error {
	switch format {
	case "text":
		return func(v *solver.Verification) error {
			var b strings.Builder
			verificationText(&b, v)
			if o.Stats {
				memoryText(&b, v)
			}
			_, err := io.WriteString(w, b.String())
			return err
		}
	case "jsonl":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return func(v *solver.Verification) error {
			c := *v
			c.Faults = nil // Error has them
			if !o.Stats {
				c.Stats = nil
			}
			if c.Failure != nil && !o.Witnesses {
				f := *c.Failure
				f.Graph, f.Trace = nil, nil
				c.Failure = &f
			}
			return e.Encode(&c)
		}
	}
	return nil
}

// verificationText is an answer for people.
func verificationText(b *strings.Builder, v *solver.Verification) {
	say := func(format string, args ...any) {
		b.WriteString(printable(fmt.Sprintf(format, args...)))
		b.WriteByte('\n')
	}
	what := fmt.Sprintf("under %s (%s)", v.Model, v.Property)
	count := ""
	if v.Executions != nil {
		count = fmt.Sprintf("; %d executions", *v.Executions)
		if *v.Executions == 1 {
			count = "; 1 execution"
		}
	}
	switch {
	case v.Status == solver.Failed:
		say("error: %s", strings.ReplaceAll(v.Error, "\n", "\nerror: "))
	case v.Status == solver.Unknown:
		say("%s: unknown %s: %s%s", v.Path, what, v.Reason, count)
	case v.Verdict == solver.Unsafe:
		say("%s: unsafe %s%s", v.Path, what, count)
	case v.SettledBy != "":
		say("%s: safe %s by %s", v.Path, what, v.SettledBy)
	case v.Complete:
		say("%s: safe %s%s", v.Path, what, count)
	default:
		say("%s: safe within bounds %s%s", v.Path, what, count)
		say("  no failure with %s; a longer run may fail: raise --%s", boundsText(v.Bounds),
			strings.Join(v.Short, " or --"))
	}
	if abi := v.ABI(); abi != "" {
		say("  %s", abi)
	}
	for _, way := range v.Mapping {
		say("  compiled to %s", way)
	}
	if r := v.Race; r != nil {
		say("  the program has a data race, which makes all its behaviour undefined under %s:", v.Model)
		placesText(say, r, oneLine(r.Text))
	}
	for _, r := range v.Remarks {
		say("  remark: %s", r)
	}
	if f := v.Failure; f != nil {
		failureText(say, f)
		executionText(b, f)
	}
}

// memoryText says how much memory an answer took, if that is known.
func memoryText(b *strings.Builder, v *solver.Verification) {
	switch s := v.Stats; {
	case s == nil || s.PeakMiB == 0:
	case s.ForecastMiB == 0:
		fmt.Fprintf(b, "  peak memory: %.1f MiB\n", s.PeakMiB)
	default:
		fmt.Fprintf(b, "  peak memory: %.1f MiB (forecast: %.1f MiB)\n", s.PeakMiB, s.ForecastMiB)
	}
}

// boundsText lists bounds by flag.
func boundsText(bounds map[string]int) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		out = append(out, fmt.Sprintf("--%s %d", name, bounds[name]))
	}
	return strings.Join(out, ", ")
}

// failureText says where a program fails, and why SC would not have it so.
func failureText(say func(string, ...any), f *solver.Failure) {
	text := oneLine(f.Text)
	if f.Property == ir.Assertion {
		text = "assertion fails: " + text
	}
	placesText(say, f, text)
	if len(f.Reordered) > 0 {
		say("  SC forbids this execution; here")
		for _, r := range f.Reordered {
			say("    %s", r)
		}
	}
}

// placesText lists the places of a failure.
func placesText(say func(string, ...any), f *solver.Failure, text string) {
	say("  %s: %s", failurePlace(f), text)
	for i := range f.Others {
		say("  %s: %s", failurePlace(&f.Others[i]), oneLine(f.Others[i].Text))
	}
}

func failurePlace(f *solver.Failure) string {
	at := fmt.Sprintf("%s:%d", f.File, f.Line)
	if f.Column > 0 {
		at += fmt.Sprintf(":%d", f.Column)
	}
	if f.Thread != "" {
		at += ": in " + f.Thread
	}
	return at
}

// executionText is the execution that fails: step by step, or else by threads.
func executionText(b *strings.Builder, f *solver.Failure) {
	g := f.Graph
	if g == nil {
		return
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	if len(f.Trace) > 0 {
		fmt.Fprintln(w, "  The steps:")
		for i, s := range f.Trace {
			thread, place, text := traceStep(g, s)
			fmt.Fprintf(w, "  %4d\t%s\t%s\t%s\t%s\n", i+1, thread, place, text, oneLine(s.Action))
		}
	} else if order, ok := display.Interleaving(g); ok && len(order) > 0 {
		fmt.Fprintln(w, "  The steps, in one possible order:")
		stepsInOrder(w, g, order)
	} else if !ok {
		fmt.Fprintln(w, "  The execution, thread by thread:")
		byThreads(w, g)
		orderText(w, g)
	}
	w.Flush()
	for line := range strings.Lines(table.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

// stepsInOrder lists the steps in an order that SC allows, a line for each statement.
func stepsInOrder(w io.Writer, g *models.Graph, order []int) {
	does := deeds(g)
	for n := 1; len(order) > 0; n++ {
		e := &g.Events[order[0]]
		rest := slices.IndexFunc(order,
			func(i int) bool { return g.Events[i].Thread != e.Thread || g.Events[i].Source != e.Source })
		if rest < 0 {
			rest = len(order)
		}
		var all []string
		for _, i := range order[:rest] {
			all = append(all, does[i])
		}
		fmt.Fprintf(w, "  %4d\t%s\t%s\t%s\t%s\n", n, oneLine(g.Threads[e.Thread].Name), g.Place(order[0]),
			sourceText(g, e.Thread, e.Source), oneLine(strings.Join(all, ", ")))
		order = order[rest:]
	}
}

// deeds say what each event does.
func deeds(g *models.Graph) []string {
	out := make([]string, len(g.Events))
	for i := range g.Events {
		out[i] = eventText(&g.Events[i])
	}
	for _, p := range g.Pairs("spawn") {
		out[p[0]] = "starts " + g.Threads[g.Events[p[1]].Thread].Name
	}
	for _, p := range g.Pairs("join") {
		out[p[1]] = g.Threads[g.Events[p[0]].Thread].Name + " has ended"
	}
	return out
}

// byThreads lists what each thread does, and where it has the values from that it reads.
func byThreads(w io.Writer, g *models.Graph) {
	does, last := deeds(g), models.InitThread
	for read, w := range g.Back("rf") {
		does[read] += ", from " + writerText(g, w)
	}
	for i := range g.Events {
		e := &g.Events[i]
		if e.Thread == models.InitThread {
			continue
		}
		if e.Thread != last {
			fmt.Fprintf(w, "    %s\t\t\n", oneLine(g.Threads[e.Thread].Name))
			last = e.Thread
		}
		fmt.Fprintf(w, "      %s\t%s\t%s\n", g.Place(i), sourceText(g, e.Thread, e.Source), oneLine(does[i]))
	}
}

// traceStep is a step's thread, place and statement.
func traceStep(g *models.Graph, s solver.TraceStep) (thread, place, text string) {
	thread = fmt.Sprint("thread ", s.Thread)
	if s.Thread < 0 || s.Thread >= len(g.Threads) {
		return thread, "", ""
	}
	t := g.Threads[s.Thread]
	if s.Source >= 0 && s.Source < len(t.Places) {
		place = fmt.Sprintf("%s:%d", t.Places[s.Source].File, t.Places[s.Source].Line)
	}
	return oneLine(t.Name), place, sourceText(g, s.Thread, s.Source)
}

// maxStatement bounds a statement in a listing, in characters.
const maxStatement = 48

func sourceText(g *models.Graph, thread, source int) string {
	if source < 0 || source >= len(g.Threads[thread].Source) {
		return ""
	}
	text := []rune(oneLine(strings.Join(strings.Fields(g.Threads[thread].Source[source]), " ")))
	if len(text) > maxStatement {
		return string(text[:maxStatement-1]) + "…"
	}
	return string(text)
}

// eventText says what an event does.
func eventText(e *models.GraphEvent) string {
	switch {
	case e.Kind == "R":
		return "reads " + e.Loc + " = " + e.Value
	case e.Kind == "W":
		return "writes " + e.Loc + " = " + e.Value
	}
	return cmp.Or(e.Does, "fence")
}

// writerText names the write that a read takes its value from.
func writerText(g *models.Graph, w int) string {
	e := &g.Events[w]
	if e.Thread == models.InitThread {
		return "the beginning"
	}
	text := oneLine(g.Threads[e.Thread].Name)
	if at := g.Place(w); at != "" {
		text += " (" + at + ")"
	}
	return text
}

// orderText lists the order of writes where several threads write one location.
func orderText(w io.Writer, g *models.Graph) {
	next := g.Next("co")
	for i := range g.Events {
		if g.Events[i].Thread != models.InitThread {
			continue
		}
		var order []string
		threads := map[int]bool{}
		for at, ok := next[i]; ok; at, ok = next[at] {
			threads[g.Events[at].Thread] = true
			order = append(order, fmt.Sprintf("%s by %s", g.Events[at].Value, writerText(g, at)))
		}
		if len(threads) > 1 {
			fmt.Fprintf(w, "    %s is written %s\n", g.Events[i].Loc, oneLine(strings.Join(order, ", then ")))
		}
	}
}
