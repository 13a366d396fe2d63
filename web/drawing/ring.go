package drawing

import (
	"fmt"
	"math"
	"strings"

	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/drawing/geometry"
)

// RingFigure is a cycle as a ring, to be \input into a document that uses litmuscope.sty.
func RingFigure(d cyclediagram.Drawing, title string) string {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	b.WriteString(tikzComment(title))
	// Paths are those of the page, in pixels with y downwards, as TikZ has coordinates without a unit.
	f("\\begin{tikzpicture}[litmuscope]\n\\useasboundingbox (%s,%s) rectangle (%s,%s);\n", num(-d.Width/2),
		num(-d.Height/2), num(d.Width/2), num(d.Height/2))
	for _, a := range d.Threads {
		f("\\draw[graph-line,opacity=.35,line width=6bp,line cap=round] %s;\n", tikzPath(a.Path))
		f("\\node[word,text=graph-muted] at (%s,%s) {%s};\n", num(a.X), num(a.Y), latex(a.Label))
	}
	for _, e := range d.Edges {
		f("\\draw[rel-%s,line width=1.3bp] %s;\n\\fill[rel-%s] %s;\n", e.Tone, tikzPath(e.Path), e.Tone,
			tikzPath(e.Tip))
	}
	for _, e := range d.Edges {
		f("\\node[label,text=rel-%s] at (%s,%s) {%s};\n", e.Tone, num(e.X), num(e.Y), latex(e.Label))
	}
	for _, e := range d.Events {
		f("\\node[event,card,rounded corners=7bp,minimum width=%sbp,minimum height=%sbp] at (%s,%s) {%s};\n",
			num(e.Width*tikzScale), num(e.Height*tikzScale), num(e.X), num(e.Y),
			latex(strings.TrimSpace(e.Label+" "+e.Mark)))
	}
	f("\\end{tikzpicture}%%\n")
	return b.String()
}

// tikzPath is a path of a ring: an arc about its middle, or a triangle.
func tikzPath(d string) string {
	var x, y, rx, ry, u, v float64
	var large int
	if n, err := fmt.Sscanf(d, "M%f %fA%f %f 0 %d 1 %f %f", &x, &y, &rx, &ry, &large, &u, &v); err == nil && n == 7 {
		return tikzArc(rx, ry, math.Atan2(y/ry, x/rx), math.Atan2(v/ry, u/rx))
	}
	var points []string
	for _, at := range strings.FieldsFunc(d, func(r rune) bool { return r == 'M' || r == 'L' || r == 'Z' }) {
		if _, err := fmt.Sscanf(at, "%f %f", &x, &y); err != nil {
			panic("BUG: a ring has the path " + d)
		}
		points = append(points, tikzPoint(geometry.At(x, y)))
	}
	return strings.Join(points, " -- ") + " -- cycle"
}

// tikzArc is the part of an ellipse from one angle on to another, in curves of at most an eighth of it.
func tikzArc(rx, ry, begin, end float64) string {
	for end <= begin {
		end += 2 * math.Pi
	}
	n := math.Ceil((end - begin) / (math.Pi / 4))
	step := (end - begin) / n
	k := 4. / 3 * math.Tan(step/4)
	at := func(a, along float64) string {
		return tikzPoint(geometry.At(rx*(math.Cos(a)-along*math.Sin(a)), ry*(math.Sin(a)+along*math.Cos(a))))
	}
	out := at(begin, 0)
	for i := range int(n) {
		a := begin + float64(i)*step
		out += " .. controls " + at(a, k) + " and " + at(a+step, -k) + " .. " + at(a+step, 0)
	}
	return out
}
