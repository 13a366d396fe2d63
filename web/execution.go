package web

import (
	"context"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/graph"
)

// drawnOutcome is an allowed outcome on its way to be shown.
type drawnOutcome struct {
	Test    string
	Model   string
	Threads []int // the test's threads, as numbered there
	Outcome solver.Outcome
	Lit     []models.Pair // edges to be made out from the others
	Why     *whyView      // why it is allowed, though SC forbids it; nil where nobody has asked
}

// executionView is one execution as the page shows it.
type executionView struct {
	drawingView
	Title string     // "TSO: 0:EAX=0; 1:EAX=0"
	Steps *stepsView // nil when there is nothing to step through
	Why   *whyView   // of a forbidden outcome; nil for an allowed one

	cycle []models.Pair // what is forbidden of it
}

// viewExecution arranges an outcome's evidence, of the test in source.
func (s *server) viewExecution(ctx context.Context, source string, o drawnOutcome) executionView {
	v := executionView{Title: modelLabel(o.Model) + ": " + stateText(o.Outcome.State), cycle: o.Lit, Why: o.Why}
	v.FileName = fileNameOf(o)
	if o.Outcome.Graph != nil {
		s.show(ctx, &v, o.Outcome.Graph)
	}
	v.Steps = s.viewSteps(ctx, source, o)
	return v
}

// fileNameOf is what a drawing is saved as.
func fileNameOf(o drawnOutcome) string {
	const most = 120 // file systems take little more
	name := o.Test + "-" + o.Model
	for _, b := range o.Outcome.State {
		if len(name) > most {
			break
		}
		name += "-" + b.Value
	}
	return strings.Map(fileRune, name[:min(len(name), most)])
}

// show draws a graph.
func (s *server) show(ctx context.Context, v *executionView, g *models.Graph) {
	r := graph.Request{Graph: g, Title: v.Title, Cycle: v.cycle}
	if v.Why != nil && len(v.cycle) == 0 {
		r.Story = v.Why.cycle
	}
	v.drawingView = s.draw(ctx, r, v.FileName)
}

// fileRune keeps what every file system takes.
func fileRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("+-._", r):
		return r
	}
	return '_'
}
