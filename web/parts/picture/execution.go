package picture

import (
	"context"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
)

// DrawnOutcome is an allowed outcome with the data for its picture.
type DrawnOutcome struct {
	Test             string
	Model            string
	Threads          []int // the test's threads, as numbered there
	Outcome          solver.Outcome
	litmus.Processor               // of the question
	Lit              []models.Pair // edges to be made out from the others
	Why              *whyView      // why it is allowed, though SC forbids it; nil where nobody has asked
}

// ExecutionView shows one execution.
type ExecutionView struct {
	DrawingView
	Title string     // "TSO: 0:EAX=0; 1:EAX=0"
	Steps *StepsView // nil when there is nothing to step through
	Why   *whyView   // of a forbidden outcome; nil for an allowed one

	Cycle []models.Pair // what is forbidden of it
}

// viewExecution returns the view of an outcome's execution. source is the test's text.
func (s *Pictures) viewExecution(ctx context.Context, source string, o DrawnOutcome) ExecutionView {
	v := ExecutionView{
		Title: question.Label(o.Model) + ": " + answer.StateText(o.Outcome.State),
		Cycle: o.Lit, Why: o.Why,
	}
	v.FileName = fileNameOf(o)
	if o.Outcome.Graph != nil {
		s.Show(ctx, &v, o.Outcome.Graph)
	}
	v.Steps = s.viewSteps(ctx, source, o)
	return v
}

// fileNameOf returns the file name of a drawing.
func fileNameOf(o DrawnOutcome) string {
	const most = 120 // file systems take little more
	name := o.Test + "-" + o.Model
	for _, b := range o.Outcome.State {
		if len(name) > most {
			break
		}
		name += "-" + b.Value
	}
	return strings.Map(FileRune, name[:min(len(name), most)])
}

// Show draws a graph.
func (s *Pictures) Show(ctx context.Context, v *ExecutionView, g *models.Graph) {
	r := drawing.Request{Title: v.Title, Request: layout.Request{Graph: g, Cycle: v.Cycle}}
	if v.Why != nil && len(v.Cycle) == 0 {
		r.Story = v.Why.Steps
	}
	v.DrawingView = s.draw(ctx, r, v.FileName)
}

// FileRune maps characters that some file systems reject.
func FileRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("+-._", r):
		return r
	}
	return '_'
}
