package drawing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/web/drawing/layout"
)

// Request is what to draw, and as what.
type Request struct {
	layout.Request
	Title string `json:"title"` // what the picture is, for those who cannot see it
	// Caption says how the picture differs from the one beside it; "" for one by itself.
	Caption string `json:"caption,omitempty"`
	// Format is that of the file to make, one of Formats; without it a page wants the SVG.
	Format string `json:"format,omitempty"`
}

// Picture is a drawing as a page has it, or as a file.
type Picture struct {
	SVG string `json:"svg,omitempty"`
	// the SVG with runs of events folded, where all of them are more than can be read
	Folded string `json:"folded,omitempty"`
	File   string `json:"file,omitempty"` // in the format that was asked for
	// the SVG with a box for each piece of an access, where some consist of several
	Pieces    string            `json:"pieces,omitempty"`
	Relations []layout.Relation `json:"relations"`
	Thinned   bool              `json:"thinned,omitempty"` // see layout.Drawing
	// the key of what shows the initial writes that are left out; "" for none
	Initial string `json:"initial,omitempty"`
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
	{"figure", "TikZ to \\input", "tex", "application/x-tex"},
	{"json", "JSON", "json", "application/json"},
	{"text", "Text", "txt", "text/plain"},
}

// FormatOf finds a format by its name.
func FormatOf(name string) (Format, bool) {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return Formats[i], true
}

// Draw lays an execution out and writes it down.
func Draw(r Request) (*Picture, error) {
	if _, known := FormatOf(r.Format); r.Format != "" && !known {
		var names []string
		for _, f := range Formats {
			names = append(names, f.Name)
		}
		return nil, fmt.Errorf("unknown format %q: want one of %s", r.Format, strings.Join(names, ", "))
	}
	d := layout.Layout(r.Request)
	p := &Picture{Relations: d.Relations, Thinned: d.Thinned}
	if slices.ContainsFunc(d.Nodes, layout.Node.Hidden) {
		p.Initial = d.InitialKey
	}
	shown := r.Graph
	if r.Shared != nil {
		shown = &models.Graph{
			Threads: r.Graph.Threads, Events: r.Graph.Events, Relations: r.Shared.Relations, Sections: r.Graph.Sections,
		}
	}
	switch r.Format {
	case "":
		p.SVG = toSVG(d, r)
		if f := d.Fold(r.Request); f != nil {
			p.Folded = toSVG(f, r)
		}
		if slices.ContainsFunc(d.Nodes, func(n layout.Node) bool { return len(n.IDs) > 1 }) {
			r.Show = append(slices.Clone(r.Show), layout.Pieces)
			p.Pieces = toSVG(layout.Layout(r.Request), r)
		}
	case "svg":
		p.File = toSVG(d, r)
	case "dot":
		p.File = toDOT(d, r.Title, r.View)
	case "figure":
		p.File = toFigure(d, r.Title, r.View)
	case "tikz":
		p.File = toTikZ(d, r.Title, r.View)
	case "json":
		text, err := json.MarshalIndent(data(d, shown, r.Title, r.View), "", " ")
		if err != nil {
			return nil, err
		}
		p.File = string(text) + "\n"
	case "text":
		p.File = toText(d, shown, r.Title, r.View)
	}
	return p, nil
}
