package web

import (
	"fmt"
	"runtime"
	"slices"
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
	maxSteps       = 2000
)

// drawings holds as many drawings as are made at once: half the processors, so
// that visitors who draw leave room for those who ask.
var drawings = make(chan struct{}, max(1, runtime.NumCPU()/2))

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
func (s *server) viewExecution(o drawnOutcome, later bool) executionView {
	name := o.Test + "-" + o.Model
	for _, b := range o.Outcome.State {
		name += "-" + b.Value
	}
	v := executionView{
		Title: modelLabel(o.Model) + ": " + stateText(o.Outcome.State), FileName: strings.Map(fileRune, name),
	}
	if o.Outcome.Graph != nil {
		v.show(o.Outcome.Graph, later)
	}
	if len(o.Outcome.Trace) > 0 {
		v.run(o)
	} else {
		v.Stepper = viewStepper(o)
	}
	return v
}

// show draws a graph, unless it is too large, or large and to be drawn later.
func (v *executionView) show(g *models.Graph, later bool) {
	edges := countEdges(g)
	switch {
	case len(g.Events) > maxDrawnEvents || edges > maxDrawnEdges:
		v.TooLarge = fmt.Sprintf("This execution has %s and %s: too many to draw.",
			solver.Count(len(g.Events), "event"), solver.Count(edges, "edge"))
	case later && edges > promptEdges:
		v.Later = true
	default:
		v.draw(g)
	}
}

func (v *executionView) draw(g *models.Graph) {
	drawings <- struct{}{}
	defer func() { <-drawings }()
	d := graph.Layout(g)
	v.SVG = d.SVG(graph.Options{Title: v.Title, Cycle: v.cycle})
	v.DOT = d.DOT(graph.Options{Title: v.Title})
	v.Relations = d.Relations
}

func countEdges(g *models.Graph) int {
	n := 0
	for _, r := range g.Relations {
		n += len(r.Edges)
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

// validate refuses an outcome that no engine can have made: what comes back from
// a page may be anything.
func (o drawnOutcome) validate() error {
	if len(o.Outcome.Trace) > maxSteps {
		return refuse("The trace has more than %d steps.", maxSteps)
	}
	g := o.Outcome.Graph
	if g == nil {
		return nil
	}
	ids := map[int]bool{}
	for _, e := range g.Events {
		if ids[e.ID] || e.Thread < models.InitThread || e.Thread >= len(g.Threads) || !slices.Contains([]string{"R", "W", "F"}, e.Kind) {
			return refuse("The execution graph is not well formed.")
		}
		if e.Thread >= 0 && (e.Source < -1 || e.Source >= len(g.Threads[e.Thread].Source)) {
			return refuse("The execution graph is not well formed.")
		}
		ids[e.ID] = true
	}
	for _, r := range g.Relations {
		for _, pairs := range [][]models.Pair{r.Edges, r.Cyclic} {
			for _, p := range pairs {
				if !ids[p[0]] || !ids[p[1]] {
					return refuse("The execution graph is not well formed.")
				}
			}
		}
	}
	return nil
}
