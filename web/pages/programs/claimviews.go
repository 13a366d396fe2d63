package programs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// claimsView is the answer to a claim: a summary, and a row for each model.
type claimsView struct {
	Name    string
	Asks    string // "Can an assertion fail?"
	Summary string
	// Compiled is the language and the level of a program that was compiled first.
	Compiled string
	Rows     []claimRow
	Remarks  []server.Mark
	Shown    string // the model of the drawn failure
	Mends    int    // number of rows with a repair button
	Weakens  int    // number of rows with a button that asks which orders the program does not need
}

// claimRow is the answer of one model.
type claimRow struct {
	Model, Label, Title string
	Verdict             solver.Verdict
	Says                string       // "Unsafe", "Safe within bounds"
	Problem             string       // why the verdict is unknown, or an error
	Failure             *failureView // for verdict unsafe
	Race                *failureView // the data race that makes the behaviour undefined
	Drawn               bool         // the failure has an execution
	Mendable            bool         // the row has a repair button
	Weakenable          bool         // the row has a button that asks which orders the program does not need
	Facts               []string
	Raise               []raiseView
}

// failureView describes a failure in words: "thread 2: the assertion" x == 1 "fails".
type failureView struct {
	Thread, What, Text, How string
	At                      server.Mark
	Others                  []server.Mark
}

// place returns the failure's position in words.
func (f failureView) place() string {
	text := fmt.Sprintf("line %d", f.At.Line)
	if f.At.File != "" {
		text = f.At.File + ", " + text
	}
	return text
}

// where returns the text that follows the position.
func (f failureView) where() string {
	if f.Thread == "" {
		return ": "
	}
	return ", in " + f.Thread + ": "
}

// raiseView is a button that retries with a higher bound.
type raiseView struct{ Value, Text string }

// propertyView is a property with a checkbox.
type propertyView struct {
	Name, Label, Title string
	Chosen             bool
}

// propertyWords has for each property a label, a line of help and a question.
var propertyWords = map[ir.Property]struct{ label, help, asks string }{
	ir.Assertion: {"assertions", "every assertion that is reached holds", "Can an assertion fail?"},
	ir.DataRace: {
		"data races", "no data race under language models, where a race is undefined behaviour",
		"Can there be a data race?",
	},
	ir.Memory: {
		"memory", "no access through null, to freed or uninitialised memory, or out of bounds",
		"Can memory be misused?",
	},
	ir.Termination: {
		"termination", "no thread waits forever for a value that no longer changes",
		"Can a thread wait forever?",
	},
	ir.Overflow: {"overflow", "no signed integer overflows", "Can a signed integer overflow?"},
	ir.Leak:     {"leaks", "all allocated memory is freed when main returns", "Can memory leak?"},
}

// viewProperties returns the boxes for the chosen properties, or for the default if there are none.
func viewProperties(chosen []ir.Property) []propertyView {
	if len(chosen) == 0 {
		chosen = usualProperties
	}
	var out []propertyView
	for _, p := range ir.Properties {
		w := propertyWords[p]
		out = append(out, propertyView{string(p), w.label, w.help, slices.Contains(chosen, p)})
	}
	return out
}

// viewClaims arranges the answers to a claim.
func (s *page) viewClaims(c *claim, results []*solver.Verification) *claimsView {
	v := &claimsView{Name: programName(c), Asks: "Can it fail?", Compiled: compiledFor(c)}
	if len(c.Properties) == 1 {
		v.Asks = propertyWords[c.Properties[0]].asks
	}
	at := marker(c.VerifyTask)
	coming := slices.ContainsFunc(results, isPending)
	for i, r := range results {
		if isPending(r) {
			row := claimRow{Model: c.Models[i], Label: question.Label(c.Models[i]), Verdict: answer.Waiting}
			if r != nil {
				row.Facts = []string{r.SoFar}
			}
			v.Rows = append(v.Rows, row)
			continue
		}
		v.Rows = append(v.Rows, s.viewClaim(c, c.Models[i], r, at))
		for _, m := range r.Remarks {
			if placed := at(cmp.Or(m.File, c.Path), m.Line, m.Column, m.Message); !slices.Contains(v.Remarks, placed) {
				v.Remarks = append(v.Remarks, placed)
			}
		}
	}
	v.Summary = summarise(v.Rows)
	for _, r := range v.Rows {
		if r.Mendable {
			v.Mends++
		}
		if r.Weakenable {
			v.Weakens++
		}
	}
	for _, r := range v.Rows {
		if r.Drawn && !coming {
			v.Shown = r.Model
			break
		}
	}
	return v
}

// summarise returns the answer in a sentence, unsafe models first.
func summarise(rows []claimRow) string {
	var parts []string
	for _, says := range []string{"Unsafe", "Safe", "Safe within bounds", "Unknown"} {
		var labels []string
		for _, r := range rows {
			if r.Says == says {
				labels = append(labels, r.Label)
			}
		}
		if len(labels) > 0 {
			under, _ := answer.Enumerate(labels)
			parts = append(parts, says+" under "+under)
		}
	}
	for i := range parts {
		if i > 0 {
			parts[i] = strings.ToLower(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "; ") + "."
}

// viewClaim makes the row of one model.
func (s *page) viewClaim(
	c *claim, model string, r *solver.Verification, at func(file string, line, col int, message string) server.Mark,
) claimRow {
	row := claimRow{
		Model: model, Label: question.Label(model), Verdict: cmp.Or(r.Verdict, solver.Undecided),
		Problem: cmp.Or(r.Error, r.Reason),
	}
	if m, err := models.Named(model); err == nil {
		row.Title = m.Title
	}
	switch {
	case row.Verdict == solver.Unsafe && r.Failure != nil:
		row.Says, row.Failure = "Unsafe", viewFailure(*r.Failure, at)
		row.Drawn = r.Failure.Graph != nil
	case row.Verdict == solver.Safe && r.Complete:
		row.Says = "Safe"
	case row.Verdict == solver.Safe:
		row.Says = "Safe within bounds"
	default:
		row.Says = "Unknown"
	}
	if !r.Complete && row.Verdict != solver.Unsafe && r.Status != solver.Failed {
		row.Raise = s.raises(c, r)
	}
	if r.Race != nil {
		row.Race = viewFailure(*r.Race, at)
	}
	isModule := c.language() == frontend.Module // it is not changed by itself
	row.Mendable = !isModule && (row.Failure != nil || row.Race != nil)
	row.Weakenable = !isModule && row.Failure == nil && row.Race == nil && r.Undefined == nil &&
		row.Verdict == solver.Safe
	row.Facts = claimFacts(r)
	return row
}

// viewFailure describes a failure. Both accesses of a race say that they are in a data race, which the page shows once:
// "this read of x is in a data race with this write of x".
func viewFailure(f solver.Failure, at func(file string, line, col int, message string) server.Mark) *failureView {
	v := &failureView{
		Thread: f.Thread, Text: f.Text, How: picture.HowFailed(f.Property),
		At: at(f.File, f.Line, f.Column, ""),
	}
	for _, o := range f.Others {
		v.Others = append(v.Others, at(o.File, o.Line, o.Column, strings.TrimSuffix(o.Text, " is in a data race")))
	}
	return v
}

// boundText describes a bound.
func boundText(name string, n int) string {
	switch name {
	case "unroll":
		return "loops unrolled " + solver.Count(n, "time")
	case "rounds":
		return solver.Count(n, "round")
	}
	return name + " " + strconv.Itoa(n)
}

// raises returns buttons for the bounds that limited the answer, up to the server's limits.
func (s *page) raises(c *claim, r *solver.Verification) []raiseView {
	var out []raiseView
	o := c.Options
	offer := func(name, value, text string) {
		to := *c
		if to.raise(name+"="+value) != nil || to.Options.Validate() != nil {
			return
		}
		if s.questions.Ceil(&to.Options); to.Options != o {
			out = append(out, raiseView{name + "=" + value, text})
		}
	}
	for _, name := range boundNames(r.Bounds) {
		if r.Verdict != solver.Safe || !slices.Contains(r.Short, name) {
			continue // raising the bound would only take longer or find nothing new
		}
		more := max(2*r.Bounds[name], r.Bounds[name]+1)
		offer(name, strconv.Itoa(more), "Try with "+boundText(name, more))
	}
	if strings.Contains(r.Reason, "time limit") && o.Timeout > 0 {
		more := 4 * o.Timeout
		if s.server.Limits.Options.Timeout > 0 {
			more = min(more, s.server.Limits.Options.Timeout)
		}
		offer("timeout", more.String(), fmt.Sprintf("Try with time limit %s", server.ShortTime(more)))
	}
	return out
}

func boundNames(bounds map[string]int) []string {
	var out []string
	for _, o := range solver.OptionTable {
		if _, ok := bounds[o.Name]; ok {
			out = append(out, o.Name)
		}
	}
	return out
}

// claimFacts returns further facts about an answer: bounds, data model, mapping, engine and time.
func claimFacts(r *solver.Verification) []string {
	var out []string
	for _, name := range boundNames(r.Bounds) {
		switch text := boundText(name, r.Bounds[name]); {
		case r.Verdict == solver.Unsafe:
		case r.Complete && r.Verdict == solver.Safe:
			out = append(out, text+", which suffices")
		default:
			out = append(out, text)
		}
	}
	if r.Complete && r.Verdict == solver.Safe && len(r.Bounds) == 0 && r.Loops {
		out = append(out, "all loops end or only wait")
	}
	if abi := r.ABI(); abi != "" {
		out = append(out, abi)
	}
	for _, way := range r.Mapping {
		out = append(out, "compiled to "+way)
	}
	if r.Executions != nil {
		out = append(out, solver.Count(*r.Executions, "execution"))
	}
	took := r.Engine
	if r.SettledBy != "" {
		took += " by " + r.SettledBy
	}
	took += ", " + strconv.FormatFloat(r.MS, 'f', 1, 64) + " ms"
	if r.Cached {
		took += ", cached"
	}
	return append(out, took)
}

// programName returns the title of a program.
func programName(c *claim) string {
	if e, ok := exampleOf(c); ok {
		return e.Title
	}
	return "Your program"
}

// failureShown is the execution in which a program fails, for the page.
type failureShown struct {
	Model, Label string
	Failure      failureView
	picture.FailureView
}

// Part implements [picture.Shown].
func (v *failureShown) Part() templ.Component { return failingPicture(*v) }

// Drawn implements [picture.Shown].
func (v *failureShown) Drawn() (*picture.DrawingView, string) { return &v.DrawingView, v.Note }

// viewFailing returns the execution in which a program fails under one model.
func (s *page) viewFailing(ctx context.Context, c *claim, model string) (*failureShown, error) {
	one := c.verifyQuestion
	one.Models, one.Again = []string{model}, true
	results, err := s.verify(ctx, one, ignorePartial)
	if err != nil {
		return nil, err
	}
	r := results[0]
	if r.Verdict != solver.Unsafe || r.Failure == nil {
		return nil, server.Refuse("The program does not fail under %s.", question.Label(model))
	}
	task := solver.Task{Model: r.Model}
	for _, m := range c.Own {
		if m.Name == r.Model {
			task.ModelText, task.ModelFiles = m.Text, m.Files
		}
	}
	return &failureShown{
		Model: r.Model, Label: question.Label(r.Model), Failure: *viewFailure(*r.Failure, marker(c.VerifyTask)),
		FailureView: s.pictures.ViewFailure(ctx, task, c.Path, *r.Failure),
	}, nil
}
