package web

import (
	"context"
	"errors"
	"fmt"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/graph"
)

// Bounds on what is drawn for a visitor: laying out grows faster than the graph,
// to seconds here. Beyond promptEdges an answer does not wait for its drawing.
const (
	maxDrawnEvents = 64
	maxDrawnEdges  = 160
	promptEdges    = 40
)

// drawingView is the graph of an execution as the page shows it.
type drawingView struct {
	FileName  string // that it is saved as, without the kind
	SVG       string // "" when there is no graph
	DOT       string
	Relations []graph.Relation
	TooLarge  string // why there is no drawing
}

// draw draws a graph, unless it is too large.
func (s *server) draw(ctx context.Context, r graph.Request, fileName string) drawingView {
	v := drawingView{FileName: fileName}
	if edges := countEdges(r.Graph); len(r.Graph.Events) > maxDrawnEvents || edges > maxDrawnEdges {
		v.TooLarge = fmt.Sprintf("This execution has %s and %s: too many to draw.",
			solver.Count(len(r.Graph.Events), "event"), solver.Count(edges, "edge"))
		return v
	}
	p, err := s.Sandbox.Draw(ctx, r)
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
	return v
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
