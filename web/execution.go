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
	Player    *playerView // of the steps; nil when there are none
	TooLarge  string      // why there is no drawing
	Later     bool        // the page has to ask for it
	Why       *whyView    // of a forbidden outcome; nil for an allowed one

	cycle []models.Pair // edges to be made out from the others
}

// stepView is a step of a trace, in words.
type stepView struct {
	Thread  string
	Key     string // of the instruction, as in cellView
	Round   string // "round 2", of its first step
	Action  string
	Buffers []string // of the threads that have pending stores
	Memory  string
	Clock   string // "clock 3"; "" where there is none
}

// playerView is the frame in which the page's script shows a run: what stays the same
// from step to step.
type playerView struct {
	Steps    int
	Threads  []playerThread
	Buffered bool     // some store waits in a buffer on the way
	Memory   []string // the locations' names
	Lists    []string // … of those that have a write list
}

type playerThread struct {
	Name  string
	Cells []playerCell
}

// playerCell is an instruction.
type playerCell struct {
	Key  string // as in cellView
	Text string
}

// viewExecution arranges an outcome's evidence; later leaves large drawings for a
// request of their own.
func viewExecution(o drawnOutcome, later bool) executionView {
	var names, values []string
	for _, b := range o.Outcome.State {
		names, values = append(names, b.Name), append(values, b.Value)
	}
	v := executionView{
		Title:    modelLabel(o.Model) + ": " + stateText(names, values),
		FileName: strings.Map(fileRune, o.Test+"-"+o.Model+"-"+strings.Join(values, "-")),
	}
	if o.Outcome.Graph != nil {
		v.show(o.Outcome.Graph, later)
	}
	round := 0
	for _, s := range o.Outcome.Trace {
		step := viewStep(s, o.Threads)
		if s.Round != round {
			round = s.Round
			step.Round = fmt.Sprintf("round %d", round)
		}
		v.Steps = append(v.Steps, step)
	}
	if o.Outcome.Graph != nil && len(v.Steps) > 0 {
		v.Player = viewPlayer(o.Outcome)
	}
	return v
}

func viewPlayer(o solver.Outcome) *playerView {
	v := &playerView{Steps: len(o.Trace)}
	for i, t := range o.Graph.Threads {
		th := playerThread{Name: t.Name}
		for j, text := range t.Source {
			th.Cells = append(th.Cells, playerCell{cellKey(i, j), text})
		}
		v.Threads = append(v.Threads, th)
	}
	for _, b := range o.Trace[0].Memory {
		v.Memory = append(v.Memory, b.Name)
	}
	for _, l := range o.Trace[0].Lists {
		v.Lists = append(v.Lists, l.Loc)
	}
	for _, s := range o.Trace {
		v.Buffered = v.Buffered || slices.ContainsFunc(s.Buffers, func(b []solver.BufferEntry) bool { return len(b) > 0 })
	}
	return v
}

// show draws a graph, unless it is too large, or large and to be drawn later.
func (v *executionView) show(g *models.Graph, later bool) {
	edges := countEdges(g)
	switch {
	case len(g.Events) > maxDrawnEvents || edges > maxDrawnEdges:
		v.TooLarge = fmt.Sprintf("This execution has %s and %s: too many to draw.",
			count(len(g.Events), "event"), count(edges, "edge"))
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

func viewStep(s solver.TraceStep, threads []int) stepView {
	v := stepView{Thread: fmt.Sprintf("P%d", s.Thread), Action: s.Action}
	if column := slices.Index(threads, s.Thread); column >= 0 && s.Source >= 0 {
		v.Key = cellKey(column, s.Source)
	}
	for i, b := range s.Buffers {
		if len(b) == 0 || i >= len(threads) {
			continue
		}
		entries := make([]string, len(b))
		for i, e := range b {
			entries[i] = e.Loc + "=" + e.Value
			if e.Stamp != nil {
				entries[i] += fmt.Sprintf(" (until %d)", *e.Stamp)
			}
		}
		v.Buffers = append(v.Buffers, fmt.Sprintf("P%d holds %s", threads[i], strings.Join(entries, ", ")))
	}
	cells := make([]string, len(s.Memory))
	for i, b := range s.Memory {
		cells[i] = b.Name + "=" + b.Value
	}
	v.Memory = strings.Join(cells, " ")
	if s.Clock != nil {
		v.Clock = fmt.Sprintf("clock %d", *s.Clock)
	}
	return v
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
