package drawing

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"litmuscope/web/drawing/geometry"
	"litmuscope/web/drawing/layout"
)

// toDOT is a drawing as a Graphviz digraph with everything pinned: "neato -n"
// keeps the events where they are, "neato -n2" the curves and labels too. What
// the view hides is left out. Graphviz knows fewer dashes than SVG; the nearest
// is taken.
func toDOT(d *layout.Drawing, title string, v layout.View) string {
	var b strings.Builder
	if title == "" {
		title = "execution"
	}
	fmt.Fprintf(&b, "digraph %s {\n", quote(title))
	b.WriteString("  graph [splines=true];\n")
	b.WriteString("  node [shape=box, fixedsize=true, margin=0, fontname=\"monospace\", fontsize=14];\n")
	b.WriteString("  edge [fontname=\"sans-serif\", fontsize=12, arrowsize=0.7];\n")
	for _, h := range d.Headers {
		fmt.Fprintf(&b, "  %s [shape=plaintext, fontname=\"sans-serif\", fontsize=11, label=%s, pos=\"%s\", "+
			"width=%s, height=%s];\n",
			quote("thread "+h.Name), quote(h.Name), pos(d, h.Centre()), inch(h.W), inch(h.H))
	}
	for i, x := range d.Boxes {
		fmt.Fprintf(&b, "  \"scope %d\" [label=\"\", style=\"rounded,dashed\", color=\"%s\", pos=\"%s\", width=%s, "+
			"height=%s];\n", i, layout.Light("line"), pos(d, x.Centre()), inch(x.W), inch(x.H))
		fmt.Fprintf(&b, "  \"scope name %d\" [shape=plaintext, style=filled, fillcolor=white, "+
			"fontname=\"sans-serif\", fontsize=11, fontcolor=\"%s\", label=%s, pos=\"%s\", width=%s, height=%s];\n",
			i, layout.Light("muted"), quote(x.Name), pos(d, x.Title.Centre()), inch(x.Title.W), inch(x.Title.H))
	}
	for i, x := range d.Sections { // before the events, so that it lies below them
		fmt.Fprintf(&b,
			"  \"section %d\" [label=\"\", style=rounded, color=\"%s\", pos=\"%s\", width=%s, height=%s];\n", i,
			layout.Light("line"), pos(d, x.Centre()), inch(x.W), inch(x.H))
		fmt.Fprintf(&b, "  \"title %d\" [shape=plaintext, style=filled, fillcolor=white, fontname=\"sans-serif\", "+
			"fontsize=11, fontcolor=\"%s\", label=%s, pos=\"%s\", width=%s, height=%s];\n",
			i, layout.Light("muted"), quote(x.Name), pos(d, x.Title.Centre()), inch(x.Title.W), inch(x.Title.H))
	}
	for _, n := range d.Nodes {
		if !v.Sees(n) {
			continue
		}
		label := quote(n.Name + " " + strings.Join(n.Lines, "\n"))
		if n.Tags != "" {
			label = fmt.Sprintf("<%s<BR/><FONT FACE=\"sans-serif\" POINT-SIZE=\"%g\">%s</FONT>>",
				strings.ReplaceAll(html.EscapeString(n.Name+" "+strings.Join(n.Lines, "\n")), "\n", "<BR/>"),
				layout.TagSize-1, html.EscapeString(n.Tags))
		}
		extra := ""
		switch {
		case n.Init():
			extra = ", style=dotted, fontcolor=\"" + layout.Light("muted") + "\""
		case n.Event.Kind == "F":
			extra = ", shape=hexagon"
		case n.Event.Kind == "R":
			extra = ", style=rounded"
		}
		if n.Implicit() {
			extra += ", fontcolor=\"" + layout.Light("muted") + "\""
		}
		switch {
		case d.Lights(n.Event.ID):
			extra += ", penwidth=2, color=\"" + layout.Light("hot") + "\""
		case n.Implicit():
			extra += fmt.Sprintf(", penwidth=%g, color=\"%s\"", layout.ImplicitFrame, layout.Light("line"))
		}
		fmt.Fprintf(&b, "  e%d [label=%s, pos=\"%s\", width=%s, height=%s%s];\n",
			n.Event.ID, label, pos(d, n.Centre()), inch(n.W), inch(n.H), extra)
		if v.Starts(n) {
			fmt.Fprintf(&b, "  \"start %d\" [shape=circle, label=\"\", style=filled, fillcolor=white, penwidth=1.8, "+
				"color=\"%s\", pos=\"%s\", width=%s];\n",
				n.Event.ID, layout.Light("rf"), pos(d, geometry.At(n.Left(), n.Y)), inch(2*startSize))
		}
	}
	d.Visible(v, func(e *layout.Edge, parts []layout.Part) {
		var names []string
		for _, p := range parts {
			names = append(names, d.Words(e, p))
		}
		r := d.Relations[parts[0].Relation]
		fmt.Fprintf(&b,
			"  e%d -> e%d [label=<%s>, color=\"%s\", fontcolor=\"%s\", style=\"%s\", pos=\"%s\", lp=\"%s\"%s];\n",
			e.From, e.To, onPaper(strings.Join(names, ", ")), r.Light, r.Light, r.Dot, spline(d, e, r.Flag),
			pos(d, e.Label.Centre()), when(r.Flag, ", dir=none")+when(d.Lit(e), ", penwidth=3"))
	})
	b.WriteString("}\n")
	return b.String()
}

// onPaper is a label with a ground, so that its edge does not strike it through.
func onPaper(words string) string {
	return `<TABLE BORDER="0" CELLPADDING="0" CELLSPACING="0" BGCOLOR="white"><TR><TD>` + html.EscapeString(words) +
		`</TD></TR></TABLE>`
}

// when is the text if so.
func when(so bool, text string) string {
	if so {
		return text
	}
	return ""
}

// pos is a place in points, y upwards.
func pos(d *layout.Drawing, p geometry.Point) string {
	return num(p.X) + "," + num(d.Height-p.Y)
}

func spline(d *layout.Drawing, e *layout.Edge, headless bool) string {
	pts := []string{"e," + pos(d, e.Head[0]), pos(d, e.Path[0][0])}
	if headless {
		pts = pts[1:]
	}
	for _, c := range e.Path {
		pts = append(pts, pos(d, c[1]), pos(d, c[2]), pos(d, c[3]))
	}
	return strings.Join(pts, " ")
}

func inch(px float64) string {
	return strconv.FormatFloat(math.Round(px/72*1000)/1000, 'f', -1, 64)
}

// quote writes a DOT string, which knows no escapes but these.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
