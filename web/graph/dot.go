package graph

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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
	b.WriteString("  node [shape=box, style=rounded, fixedsize=true, fontname=\"monospace\", fontsize=14];\n")
	b.WriteString("  edge [fontname=\"sans-serif\", fontsize=12, arrowsize=0.7];\n")
	for _, h := range d.Headers {
		fmt.Fprintf(&b, "  %s [shape=plaintext, label=%s, pos=\"%s\", width=%s, height=%s];\n",
			quote("thread "+h.Name), quote(h.Name), d.pos(h.centre()), inch(h.W), inch(h.H))
	}
	for _, n := range d.Nodes {
		label := n.Name + " " + n.Text
		if n.Tags != "" {
			label += "\n" + n.Tags
		}
		extra := ""
		if n.Init() {
			extra = ", style=\"rounded,dotted\", fontcolor=\"#6b6b76\""
		}
		fmt.Fprintf(&b, "  e%d [label=%s, pos=\"%s\", width=%s, height=%s%s];\n",
			n.Event.ID, quote(label), d.pos(n.centre()), inch(n.W), inch(n.H), extra)
	}
	for _, e := range d.Edges {
		parts := slices.DeleteFunc(slices.Clone(e.Parts), func(p Part) bool { return !p.Default })
		if len(parts) == 0 {
			continue
		}
		var names []string
		for _, p := range parts {
			names = append(names, d.Relations[p.Relation].Name)
		}
		r := d.Relations[parts[0].Relation]
		fmt.Fprintf(&b, "  e%d -> e%d [label=%s, color=\"%s\", fontcolor=\"%s\", style=\"%s\", pos=\"%s\", lp=\"%s\"];\n",
			e.From, e.To, quote(strings.Join(names, ", ")), r.Light, r.Light, dotStyle(r.Tone), d.spline(e), d.pos(e.Label.centre()))
	}
	b.WriteString("}\n")
	return b.String()
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
func (d *Drawing) pos(p Point) string {
	return num(p.X) + "," + num(d.Height-p.Y)
}

func (d *Drawing) spline(e Edge) string {
	pts := []string{"e," + d.pos(e.Head[0]), d.pos(e.Path[0][0])}
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
