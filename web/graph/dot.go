package graph

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"litmuscope/web/graph/plane"
)

// DOT is the drawing as a Graphviz digraph with everything pinned: "neato -n"
// keeps the events where they are, "neato -n2" the curves and labels too. What
// the options hide is left out. Graphviz knows fewer dashes than SVG; the nearest
// is taken.
func (d *Drawing) DOT(o Options) string {
	var b strings.Builder
	title := o.Title
	if title == "" {
		title = "execution"
	}
	fmt.Fprintf(&b, "digraph %s {\n", quote(title))
	b.WriteString("  graph [splines=true];\n")
	b.WriteString("  node [shape=box, fixedsize=true, margin=0, fontname=\"monospace\", fontsize=14];\n")
	b.WriteString("  edge [fontname=\"sans-serif\", fontsize=12, arrowsize=0.7];\n")
	for _, h := range d.Headers {
		fmt.Fprintf(&b, "  %s [shape=plaintext, fontname=\"sans-serif\", fontsize=11, label=%s, pos=\"%s\", width=%s, height=%s];\n",
			quote("thread "+h.Name), quote(h.Name), d.pos(h.Centre()), inch(h.W), inch(h.H))
	}
	for i, x := range d.Sections { // before the events, so that it lies below them
		fmt.Fprintf(&b, "  \"section %d\" [label=\"\", style=rounded, color=\"%s\", pos=\"%s\", width=%s, height=%s];\n", i, inks[4][1], d.pos(x.Centre()), inch(x.W), inch(x.H))
		fmt.Fprintf(&b, "  \"title %d\" [shape=plaintext, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=11, fontcolor=\"%s\", label=%s, pos=\"%s\", width=%s, height=%s];\n",
			i, inks[2][1], quote(x.Name), d.pos(x.Title.Centre()), inch(x.Title.W), inch(x.Title.H))
	}
	for _, n := range d.Nodes {
		if !o.sees(n) {
			continue
		}
		label := quote(n.Name + " " + n.Text)
		if n.Tags != "" {
			label = fmt.Sprintf("<%s<BR/><FONT FACE=\"sans-serif\" POINT-SIZE=\"%g\">%s</FONT>>", html.EscapeString(n.Name+" "+n.Text), tagSize-1, html.EscapeString(n.Tags))
		}
		extra := ""
		switch {
		case n.Init():
			extra = ", style=dotted, fontcolor=\"" + inks[2][1] + "\""
		case n.Event.Kind == "F":
			extra = ", shape=hexagon"
		case n.Event.Kind == "R":
			extra = ", style=rounded"
		}
		if d.lights(n.Event.ID) {
			extra += ", penwidth=2, color=\"" + inks[5][1] + "\""
		}
		fmt.Fprintf(&b, "  e%d [label=%s, pos=\"%s\", width=%s, height=%s%s];\n",
			n.Event.ID, label, d.pos(n.Centre()), inch(n.W), inch(n.H), extra)
		if d.starts(o, n) {
			fmt.Fprintf(&b, "  \"start %d\" [shape=circle, label=\"\", style=filled, fillcolor=white, penwidth=1.8, color=\"%s\", pos=\"%s\", width=%s];\n",
				n.Event.ID, tones[1].light, d.pos(plane.At(n.Left(), n.Y)), inch(2*startSize))
		}
	}
	d.visible(o, func(e *Edge, parts []Part) {
		var names []string
		for _, p := range parts {
			names = append(names, d.Relations[p.Relation].Name)
		}
		r := d.Relations[parts[0].Relation]
		fmt.Fprintf(&b, "  e%d -> e%d [label=<%s>, color=\"%s\", fontcolor=\"%s\", style=\"%s\", pos=\"%s\", lp=\"%s\"%s];\n",
			e.From, e.To, onPaper(strings.Join(names, ", ")), r.Light, r.Light, dotStyle(r.Tone), d.spline(e, r.Flag), d.pos(e.Label.Centre()), either(r.Flag, "", ", dir=none")+either(d.lit(e), "", ", penwidth=3"))
	})
	b.WriteString("}\n")
	return b.String()
}

// onPaper is a label with a ground, so that its edge does not strike it through.
func onPaper(words string) string {
	return `<TABLE BORDER="0" CELLPADDING="0" CELLSPACING="0" BGCOLOR="white"><TR><TD>` + html.EscapeString(words) + `</TD></TR></TABLE>`
}

func dotStyle(tone string) string {
	for _, t := range slices.Concat(tones, spares) {
		if t.name == tone {
			return t.dot
		}
	}
	panic("BUG: no tone " + tone)
}

// pos is a place in points, y upwards.
func (d *Drawing) pos(p plane.Point) string {
	return num(p.X) + "," + num(d.Height-p.Y)
}

func (d *Drawing) spline(e *Edge, headless bool) string {
	pts := []string{"e," + d.pos(e.Head[0]), d.pos(e.Path[0][0])}
	if headless {
		pts = pts[1:]
	}
	for _, c := range e.Path {
		pts = append(pts, d.pos(c[1]), d.pos(c[2]), d.pos(c[3]))
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
