package drawing

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/web/drawing/geometry"
	"litmuscope/web/drawing/layout"
)

// tikzScale: a pixel is three quarters of a point, so that texts are as large as those of a paper.
const tikzScale = .75

// TikZStyle is the LaTeX package that figures need: colours and styles, and nothing but TikZ beside.
func TikZStyle() string {
	var b strings.Builder
	b.WriteString("% What the figures of litmuscope look like. Another look is another " +
		"litmuscope.sty.\n\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesPackage{litmuscope}\n\\RequirePackage{tikz}\n")
	for _, tone := range layout.Tones() {
		fmt.Fprintf(&b, "\\definecolor{rel-%s}{HTML}{%s}\n", tone.Name, hex(tone.Light))
	}
	tikzLook(&b)
	b.WriteString("\\endinput\n")
	return b.String()
}

// tikzLook is the colours of what is no relation, and the styles.
func tikzLook(b *strings.Builder) {
	for _, i := range layout.Inks {
		fmt.Fprintf(b, "\\definecolor{graph-%s}{HTML}{%s}\n", i.Name, hex(i.Light))
	}
	fmt.Fprintf(b,
		"\\tikzset{litmuscope/.style={x=%gbp,y=-%gbp,line join=round,execute at begin picture={\\frenchspacing},\n",
		tikzScale, tikzScale)
	b.WriteString("  event/.style={font=\\ttfamily\\fontsize{10}{10}\\selectfont,inner sep=0pt},\n" +
		"  word/.style={font=\\sffamily\\fontsize{9}{9}\\selectfont,inner sep=0pt},\n" +
		"  label/.style={word,fill=white,inner sep=1bp},\n" +
		"  card/.style={draw=graph-line,fill=graph-node,line width=.9bp},\n" +
		"  implicit/.style={fill=white,text=graph-muted,line width=")
	fmt.Fprintf(b, "%gbp},\n  lit/.style={draw=graph-hot,line width=1.5bp}}}\n", layout.ImplicitFrame*tikzScale)
}

// hex is a colour as LaTeX has it.
func hex(colour string) string { return strings.ToUpper(colour[1:]) }

// tikzComment is a title above a picture.
func tikzComment(title string) string {
	if title == "" {
		return ""
	}
	return fmt.Sprintf("%% %s\n", strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, title)), " "))
}

// toTikZ is a drawing as a LaTeX document of one page of its size, which needs nothing but TikZ. What
// the view hides is left out.
func toTikZ(d *layout.Drawing, title string, v layout.View) string {
	var b strings.Builder
	if title != "" {
		fmt.Fprintf(&b, "%% %s\n", strings.Join(strings.Fields(title), " "))
	}
	fmt.Fprintf(&b, "\\documentclass{article}\n\\usepackage[paperwidth=%sbp,paperheight=%sbp,margin=0bp]{geometry}\n",
		num(d.Width*tikzScale), num(d.Height*tikzScale))
	b.WriteString(
		"\\usepackage{tikz}\n\\pagestyle{empty}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\topskip}{0pt}\n")
	defined := map[string]bool{}
	for _, r := range d.Relations {
		if !defined[r.Tone] {
			defined[r.Tone] = true
			fmt.Fprintf(&b, "\\definecolor{rel-%s}{HTML}{%s}\n", r.Tone, hex(r.Light))
		}
	}
	tikzLook(&b)
	b.WriteString("\\begin{document}")
	b.WriteString(tikzPicture(d, v))
	b.WriteString("\\end{document}\n")
	return b.String()
}

// toFigure is a drawing to be \input into a document that uses litmuscope.sty.
func toFigure(d *layout.Drawing, title string, v layout.View) string {
	return tikzComment(title) + tikzPicture(d, v)
}

// tikzPicture is the picture itself.
func tikzPicture(d *layout.Drawing, v layout.View) string {
	const scale = tikzScale
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	f("\\begin{tikzpicture}[litmuscope]\n")
	f("\\useasboundingbox (0,0) rectangle %s;\n", tikzPoint(geometry.At(d.Width, d.Height)))
	for _, h := range d.Headers {
		f("\\node[word,text=graph-muted] at %s {\\bfseries %s};\n", tikzPoint(h.Centre()), latex(h.Name))
	}
	for _, x := range d.Boxes {
		f("\\draw[graph-line,line width=.9bp,rounded corners=9bp,dash pattern=on 4.5bp off 3bp,fill=graph-muted,"+
			"fill opacity=.04] %s rectangle %s;\n",
			tikzPoint(geometry.At(x.Left(), x.Top())), tikzPoint(geometry.At(x.Right(), x.Bottom())))
	}
	for _, x := range d.Sections {
		f("\\draw[graph-line,line width=.9bp,rounded corners=6.75bp,fill=graph-muted,fill opacity=.05] %s rectangle "+
			"%s;\n",
			tikzPoint(geometry.At(x.Left(), x.Top())), tikzPoint(geometry.At(x.Right(), x.Bottom())))
	}
	d.Visible(v, func(e *layout.Edge, parts []layout.Part) {
		r := d.Relations[parts[0].Relation]
		dash := ""
		if r.Dash != "" {
			dash = ",dash pattern="
			for i, length := range strings.Fields(r.Dash) {
				n, err := strconv.ParseFloat(length, 64)
				if err != nil {
					panic("BUG: dash " + r.Dash)
				}
				dash += []string{" on ", " off "}[i%2] + num(n*scale) + "bp"
			}
		}
		width := r.Width
		if d.Lit(e) {
			width = 3
		}
		f("\\draw[rel-%s,line width=%gbp%s] %s", r.Tone, width*scale, dash, tikzPoint(e.Path[0][0]))
		for _, c := range e.Path {
			f(" .. controls %s and %s .. %s", tikzPoint(c[1]), tikzPoint(c[2]), tikzPoint(c[3]))
		}
		if r.Flag {
			f(" -- %s;\n", tikzPoint(e.Head[0]))
			return
		}
		f(";\n\\fill[rel-%s] %s -- %s -- %s -- cycle;\n", r.Tone, tikzPoint(e.Head[0]), tikzPoint(e.Head[1]),
			tikzPoint(e.Head[2]))
	})
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if !v.Sees(*n) {
			continue
		}
		style := when(n.Implicit(), ",implicit")
		tikzCard(n, "card"+style+when(d.Lights(n.Event.ID), ",lit"), f)
		if v.Starts(*n) {
			f("\\draw[rel-rf,fill=white,line width=1.35bp] %s circle[radius=%gbp];\n",
				tikzPoint(geometry.At(n.Left(), n.Y)), startSize*scale)
		}
		y := n.Y
		if n.Tags != "" {
			y -= layout.TagHeight / 2
			f("\\node[word,text=graph-muted] at %s {%s};\n", tikzPoint(geometry.At(n.X, n.Bottom()-11)), latex(n.Tags))
		}
		y -= layout.LineHeight / 2 * float64(len(n.Lines)-1)
		f("\\node[event%s] at %s {\\textcolor{graph-muted}{%s} %s};\n", style, tikzPoint(geometry.At(n.X, y)),
			latex(n.Name), latex(n.Lines[0]))
		for _, line := range n.Lines[1:] {
			y += layout.LineHeight
			f("\\node[event%s] at %s {%s};\n", style, tikzPoint(geometry.At(n.X, y)), latex(line))
		}
	}
	for _, x := range d.Sections {
		f("\\node[label,text=graph-muted] at %s {\\bfseries %s};\n", tikzPoint(x.Title.Centre()), latex(x.Name))
	}
	for _, x := range d.Boxes {
		f("\\node[label,text=graph-muted] at %s {\\bfseries %s};\n", tikzPoint(x.Title.Centre()), latex(x.Name))
	}
	d.Visible(v, func(e *layout.Edge, parts []layout.Part) {
		var names []string
		for _, p := range parts {
			r := d.Relations[p.Relation]
			names = append(names, "\\textcolor{rel-"+r.Tone+"}{"+latex(d.Words(e, p))+"}")
		}
		f("\\node[label] at %s {%s};\n", tikzPoint(e.Label.Centre()), strings.Join(names, ", "))
	})
	f("\\end{tikzpicture}%%\n")
	return b.String()
}

// tikzCard is the shape around an event, as in SVG.
func tikzCard(n *layout.Node, style string, f func(string, ...any)) {
	corner := func(x, y float64) string { return tikzPoint(geometry.At(x, y)) }
	l, r, t, b := n.Left(), n.Right(), n.Top(), n.Bottom()
	switch {
	case n.Event.Kind == "F":
		const point = 8.
		f("\\draw[%s] %s -- %s -- %s -- %s -- %s -- %s -- cycle;\n",
			style, corner(l+point, t), corner(r-point, t), corner(r, n.Y), corner(r-point, b), corner(l+point, b),
			corner(l, n.Y))
	case n.Init():
		f("\\draw[%s,dash pattern=on 1.5bp off 2.25bp] %s rectangle %s;\n", style, corner(l, t), corner(r, b))
	case n.Event.Kind == "W":
		f("\\draw[%s] %s rectangle %s;\n\\draw[graph-line,line width=%sbp] %s -- %s;\n", style, corner(l, t),
			corner(r, b), num(n.Bar()*tikzScale), corner(l+2, t), corner(l+2, b))
	default:
		f("\\draw[%s,rounded corners=7.5bp] %s rectangle %s;\n", style, corner(l, t), corner(r, b))
	}
}

func tikzPoint(p geometry.Point) string { return "(" + num(p.X) + "," + num(p.Y) + ")" }

// In text most fonts lack some of these; in mathematics there are all.
var latexSpecials = strings.NewReplacer(
	`\`, `$\backslash$`, `{`, `$\{$`, `}`, `$\}$`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `^`, `\^{}`,
	`_`, `\_`, `%`, `\%`, `~`, `\~{}`, `<`, `$<$`, `>`, `$>$`, `|`, `$|$`, `"`, `''`, "…", `\ldots{}`,
)

// latex writes a text for LaTeX, with a question mark for what not every installation can set.
func latex(s string) string {
	s = strings.Map(func(r rune) rune {
		if r != '…' && (r < ' ' || r > '~') {
			return '?'
		}
		return r
	}, s)
	return latexSpecials.Replace(s)
}
