package graph

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
)

// Request is what to draw.
type Request struct {
	Graph *models.Graph `json:"graph"`
	Title string        `json:"title"`
	// Cycle is what a model forbids of the execution: it is made out from all else, and what the
	// model defines is shown on no other. Story is made out, too; without either it is a cycle that SC forbids.
	Cycle []models.Pair `json:"cycle,omitempty"`
	Story []models.Pair `json:"story,omitempty"`
	// Format is that of the file to make, one of Formats; without it a page wants the SVG.
	Format string `json:"format,omitempty"`
	// Show and Hide are names of relations, as in Options.
	Show []string `json:"show,omitempty"`
	Hide []string `json:"hide,omitempty"`
}

// Picture is a drawing as a page has it, or as a file.
type Picture struct {
	SVG       string     `json:"svg,omitempty"`
	Folded    string     `json:"folded,omitempty"` // the SVG with runs of events folded, where all of them are more than can be read
	File      string     `json:"file,omitempty"`   // in the format that was asked for
	Relations []Relation `json:"relations"`
	Thinned   bool       `json:"thinned,omitempty"` // see Drawing
	Initial   string     `json:"initial,omitempty"` // the key of what shows the initial writes that are left out; "" for none
}

// Format is a kind of file that a drawing can be saved as.
type Format struct {
	Name  string // as requests give it
	Title string
	Ext   string // of the file's name
	Media string
}

// Formats are those that Draw knows. A browser makes a PNG of the SVG.
var Formats = []Format{
	{"svg", "SVG", "svg", "image/svg+xml"},
	{"dot", "Graphviz DOT", "dot", "text/vnd.graphviz"},
	{"tikz", "TikZ (LaTeX)", "tex", "application/x-tex"},
	{"json", "JSON", "json", "application/json"},
}

// FormatOf finds a format by its name.
func FormatOf(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// Draw lays a graph out and writes it down.
func Draw(r Request) (*Picture, error) {
	if _, known := FormatOf(r.Format); r.Format != "" && !known {
		var names []string
		for _, f := range Formats {
			names = append(names, f.Name)
		}
		return nil, fmt.Errorf("there is no format %q: want one of %s", r.Format, strings.Join(names, ", "))
	}
	d := layout(r)
	o := Options{Title: r.Title, Show: r.Show, Hide: r.Hide}
	p := &Picture{Relations: d.Relations, Thinned: d.Thinned}
	if slices.ContainsFunc(d.Nodes, Node.hidden) {
		p.Initial = d.initial
	}
	switch r.Format {
	case "":
		p.SVG = d.SVG(o)
		if f := d.fold(r); f != nil {
			p.Folded = f.SVG(o)
		}
	case "svg":
		p.File = d.SVG(o)
	case "dot":
		p.File = d.DOT(o)
	case "tikz":
		p.File = d.TikZ(o)
	case "json":
		text, err := json.MarshalIndent(d.data(r.Graph, o), "", " ")
		if err != nil {
			return nil, err
		}
		p.File = string(text) + "\n"
	}
	return p, nil
}
