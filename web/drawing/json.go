package drawing

import (
	"slices"

	"litmuscope/models"
	"litmuscope/web/drawing/layout"
)

// JSON is an execution with its drawing, for other programs: the graph's own fields, and where
// everything is, in pixels, y downwards.
type JSON struct {
	Title string `json:"title,omitempty"`
	*models.Graph
	Drawing JSONDrawing `json:"drawing"`
}

// JSONDrawing is where everything is.
type JSONDrawing struct {
	Width  float64     `json:"width"`
	Height float64     `json:"height"`
	Events []JSONEvent `json:"events"`
	Edges  []JSONEdge  `json:"edges"`
	// Sections are the boxes around critical sections.
	Sections []JSONSection `json:"sections,omitempty"`
	// Boxes are around the threads of scopes, of a test for GPUs, the outer ones first.
	Boxes []JSONBox `json:"boxes,omitempty"`
}

// JSONBox is the box around the threads of a scope, about its centre.
type JSONBox struct {
	First  int     `json:"first"` // threads, by index
	Last   int     `json:"last"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Text   string  `json:"text"`
}

// JSONSection is the box around a critical section, about its centre.
type JSONSection struct {
	First  int     `json:"first"` // events, by ID
	Last   int     `json:"last"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Text   string  `json:"text"`
}

// JSONEvent is an event's box, about its centre.
type JSONEvent struct {
	ID     int     `json:"id"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Text   string  `json:"text"`
	Tags   string  `json:"tags,omitempty"`   // in words
	Pieces []int   `json:"pieces,omitempty"` // of an access of several pieces in one box: their events, by ID
	Lit    bool    `json:"lit,omitempty"`    // it is part of what the picture is to show
	Hidden bool    `json:"hidden,omitempty"` // an initial write that the picture leaves out
	Start  bool    `json:"start,omitempty"`  // a read of such a write's value
}

// JSONEdge is a curve, and where its names are.
type JSONEdge struct {
	From      int      `json:"from"`
	To        int      `json:"to"`
	Relations []string `json:"relations"`
	Shown     []string `json:"shown"` // those of them that the picture shows
	Path      string   `json:"path"`  // as in SVG
	LabelX    float64  `json:"label_x"`
	LabelY    float64  `json:"label_y"`
	Lit       bool     `json:"lit,omitempty"`
	// of each relation: "[0..1]", where it is about some bytes only; nothing where none is
	Bytes []string `json:"bytes,omitempty"`
}

// data returns a drawing as JSON: the places of its nodes, sections and edges in pixels, rounded to a tenth.
func data(d *layout.Drawing, g *models.Graph, title string, v layout.View) JSON {
	j := JSON{
		Title: title, Graph: g,
		Drawing: JSONDrawing{Width: d.Width, Height: d.Height, Events: []JSONEvent{}, Edges: []JSONEdge{}},
	}
	for _, n := range d.Nodes {
		j.Drawing.Events = append(j.Drawing.Events,
			JSONEvent{
				ID: n.Event.ID, X: tenth(n.X), Y: tenth(n.Y), Width: tenth(n.W), Height: tenth(n.H),
				Text: n.Name + " " + n.Text, Tags: n.Tags, Lit: d.Lights(n.Event.ID), Hidden: !v.Sees(n),
				Start: v.Starts(n),
			})
		if len(n.IDs) > 1 {
			j.Drawing.Events[len(j.Drawing.Events)-1].Pieces = n.IDs
		}
	}
	for _, x := range d.Sections {
		j.Drawing.Sections = append(j.Drawing.Sections,
			JSONSection{x.Section.First, x.Section.Last, tenth(x.X), tenth(x.Y), tenth(x.W), tenth(x.H), x.Name})
	}
	for _, x := range d.Boxes {
		j.Drawing.Boxes = append(j.Drawing.Boxes,
			JSONBox{x.First, x.Last, tenth(x.X), tenth(x.Y), tenth(x.W), tenth(x.H), x.Name})
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		edge := JSONEdge{
			From: e.From, To: e.To, Shown: []string{}, Path: pathData(e.Path), LabelX: tenth(e.Label.X),
			LabelY: tenth(e.Label.Y), Lit: d.Lit(e),
		}
		for _, p := range e.Parts {
			name := d.Relations[p.Relation].Name
			edge.Relations = append(edge.Relations, name)
			edge.Bytes = append(edge.Bytes, d.Bytes(e, p))
			if v.Shows(name, p) && d.Between(v, e) {
				edge.Shown = append(edge.Shown, name)
			}
		}
		if !slices.ContainsFunc(edge.Bytes, func(b string) bool { return b != "" }) {
			edge.Bytes = nil
		}
		j.Drawing.Edges = append(j.Drawing.Edges, edge)
	}
	return j
}
