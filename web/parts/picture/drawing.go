package picture

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// Bounds on drawings. The layout of 120 events takes half a second, and of any number only a few seconds, but nobody
// can read larger drawings.
const (
	maxDrawnEvents = 160
	maxDrawnEdges  = 800
)

// DrawingView shows the graph of an execution.
type DrawingView struct {
	FileName  string // that it is saved as, without the kind
	SVG       string // "" when there is no graph
	Folded    string // the same with runs of events folded, where it is more than a page can show at once
	Pieces    string // the same with a box for each piece of an access, where some consist of several
	Relations []layout.Relation
	Thinned   bool   // it shows less than usual, for there is too much
	Initial   string // the key of the initial writes, where it leaves some out
	TooLarge  string // why there is no drawing

	request drawing.Request // to draw it again, as a file
}

// relationHelp explains a relation and says how many of its edges are visible.
func relationHelp(r layout.Relation) string {
	help := r.Name
	if r.Help != "" {
		help += ": " + r.Help
	}
	if edges := r.Edges - r.Initial; 0 < r.Shown && r.Shown < edges {
		help += fmt.Sprintf(" (%d of %d edges)", r.Shown, edges)
	}
	return help
}

// draw draws a graph, unless it is too large.
func (s *Pictures) draw(ctx context.Context, r drawing.Request, fileName string) DrawingView {
	v := DrawingView{FileName: fileName, request: r}
	if edges := countEdges(r.Graph); len(r.Graph.Events) > maxDrawnEvents || edges > maxDrawnEdges {
		v.TooLarge = fmt.Sprintf("This execution has %s and %s, which is too many to draw.",
			solver.Count(len(r.Graph.Events), "event"), solver.Count(edges, "edge"))
		return v
	}
	p, err := childwork.Drawing.Call(ctx, s.Questions.Sandbox, r)
	var limited *solver.Limited
	switch {
	case err == nil:
		v.SVG, v.Folded, v.Pieces, v.Relations, v.Thinned, v.Initial = p.SVG, p.Folded, p.Pieces, p.Relations,
			p.Thinned, p.Initial
	case errors.As(err, &limited):
		v.TooLarge = fmt.Sprintf("Drawing this execution was stopped: %s.", limited.Reason)
	default:
		_ = s.Server.Fault(ctx, err) // which logs what is the server's
		v.TooLarge = "The server could not draw this execution. Try again."
	}
	return v
}

// maxNames bounds the relations that a file may be asked to show or hide by name.
const maxNames = 100

// Export returns the drawing that a form asks for, as a file in the format of field "format".
func (s *Pictures) Export(
	ctx context.Context, f url.Values, of func(context.Context, url.Values) (Shown, error),
) (text string, format drawing.Format, name string, err error) {
	format, known := drawing.FormatOf(f.Get("format"))
	if !known {
		return "", format, "", server.Refuse("Unknown format %q for drawings.",
			litmus.Shorten(f.Get("format")))
	}
	if len(f["show"])+len(f["hide"]) > maxNames {
		return "", format, "", server.Refuse("Too many relations: at most %d may be named.", maxNames)
	}
	found, err := of(ctx, f)
	if err != nil {
		return "", format, "", err
	}
	v, note := found.Drawn()
	text, err = s.File(ctx, v, note, format, layout.View{Show: f["show"], Hide: f["hide"]})
	return text, format, v.FileName, err
}

// File draws a view again, as a file. note is the reason if there is no drawing.
func (s *Pictures) File(
	ctx context.Context, v *DrawingView, note string, format drawing.Format, view layout.View,
) (string, error) {
	if v.SVG == "" {
		return "", server.Refuse("There is no drawing to save. %s%s", v.TooLarge, note)
	}
	v.request.Format, v.request.View = format.Name, view
	p, err := childwork.Drawing.Call(ctx, s.Questions.Sandbox, v.request)
	if err != nil {
		return "", err
	}
	return p.File, nil
}

// countEdges counts the edges of a drawing, including pairs that are only in Cyclic.
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
