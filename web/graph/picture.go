package graph

import "litmuscope/models"

// Request is what to draw.
type Request struct {
	Graph *models.Graph `json:"graph"`
	Title string        `json:"title"`
	Cycle []models.Pair `json:"cycle,omitempty"` // see Options
}

// Picture is a drawing as a page and files have it.
type Picture struct {
	SVG       string     `json:"svg"`
	DOT       string     `json:"dot"`
	Relations []Relation `json:"relations"`
}

// Draw lays a graph out and writes it down.
func Draw(r Request) (*Picture, error) {
	d := layout(r.Graph, r.Cycle)
	return &Picture{
		SVG: d.SVG(Options{Title: r.Title, Cycle: r.Cycle}), DOT: d.DOT(Options{Title: r.Title}), Relations: d.Relations,
	}, nil
}
