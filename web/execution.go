package web

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/graph"
)

// drawnOutcome is an allowed outcome on its way to be drawn. The page keeps those
// of its table and sends one back when it is chosen, so that the server holds
// nothing between the two.
type drawnOutcome struct {
	Test    string         `json:"test"`
	Model   string         `json:"model"`
	Threads []int          `json:"threads"` // the test's threads, as numbered there
	Outcome solver.Outcome `json:"outcome"`
}

// Bounds on what is drawn for a visitor: laying out grows faster than the graph,
// to seconds here. Beyond promptEdges an answer does not wait for its drawing.
const (
	maxDrawnEvents = 64
	maxDrawnEdges  = 160
	promptEdges    = 40
)

// executionView is one execution as the page shows it.
type executionView struct {
	Title     string // "TSO: 0:EAX=0; 1:EAX=0"
	FileName  string
	SVG       string // "" when there is no graph
	DOT       string
	Relations []graph.Relation
	Steps     []stepView
	Player    *playerView  // of the steps; nil when there are none
	TooLarge  string       // why there is no drawing
	Later     bool         // the page has to ask for it
	Stepper   *stepperView // nil where there are steps, or no machine to ask for them
	Why       *whyView     // of a forbidden outcome; nil for an allowed one

	cycle []models.Pair // edges to be made out from the others
}

// viewExecution arranges an outcome's evidence; later leaves large drawings for a
// request of their own.
func (s *server) viewExecution(ctx context.Context, o drawnOutcome, later bool) executionView {
	v := executionView{
		Title: modelLabel(o.Model) + ": " + stateText(o.Outcome.State), FileName: fileNameOf(o),
	}
	if o.Outcome.Graph != nil {
		s.show(ctx, &v, o.Outcome.Graph, later)
	}
	if len(o.Outcome.Trace) > 0 {
		v.run(o)
	} else {
		v.Stepper = viewStepper(o)
	}
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

// show draws a graph, unless it is too large, or large and to be drawn later.
func (s *server) show(ctx context.Context, v *executionView, g *models.Graph, later bool) {
	edges := countEdges(g)
	switch {
	case len(g.Events) > maxDrawnEvents || edges > maxDrawnEdges:
		v.TooLarge = fmt.Sprintf("This execution has %s and %s: too many to draw.",
			solver.Count(len(g.Events), "event"), solver.Count(edges, "edge"))
	case later && edges > promptEdges:
		v.Later = true
	default:
		s.draw(ctx, v, g)
	}
}

func (s *server) draw(ctx context.Context, v *executionView, g *models.Graph) {
	p, err := s.Sandbox.Draw(ctx, graph.Request{Graph: g, Title: v.Title, Cycle: v.cycle})
	var limited *solver.Limited
	switch {
	case err == nil:
		v.SVG, v.DOT, v.Relations = p.SVG, p.DOT, p.Relations
	case errors.As(err, &limited):
		v.TooLarge = fmt.Sprintf("This execution takes too much to draw: %s.", limited.Reason)
	default:
		if wait, _ := busy(err); wait == 0 && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "draw", "error", err)
		}
		v.TooLarge = "This execution could not be drawn; try again."
	}
}

// countEdges counts what is drawn: the pairs that are in Cyclic alone are, too.
func countEdges(g *models.Graph) int {
	n := 0
	for _, r := range g.Relations {
		pairs := map[models.Pair]bool{}
		for _, p := range r.Edges {
			pairs[p] = true
		}
		n += len(r.Edges)
		for _, p := range r.Cyclic {
			if !pairs[p] {
				n++
			}
		}
	}
	return n
}

// fileRune keeps what every file system takes.
func fileRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("+-._", r):
		return r
	}
	return '_'
}
