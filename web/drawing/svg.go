package drawing

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"litmuscope/web/drawing/geometry"
	"litmuscope/web/drawing/layout"
)

// The SVG's classes and attributes are a contract with pages. The root is svg.execution-graph. Below it:
//
//	g.event  with read, write, fence or initial: each has a shape of its own
//	         implicit: lighter, for an access that no instruction names
//	         data-event (ID; those of all pieces, for an access of several), data-thread,
//	         data-source (-1 for initial writes)
//	         more: a run, in a drawing of class folded; data-event and data-source have those of all its events
//	g.edge   data-rel ("po addr": every relation between the two events)
//	         data-from, data-to, data-default ("true" if the default view shows it)
//	  g.part.rel-po        the curve, once for each of the edge's relations
//	         marked-kept, marked-given_up or marked-only_here: where the drawing beside it differs
//	g.edge.label           the same attributes again: the edge's words
//	  text.halo, text.words > tspan.part.rel-po
//
// Curves and words are in two layers, so that no curve runs over a word. A part that the default view leaves out has
// class off; so has an edge without any other part.
//
// Classes on the root show and hide relations, with the key from [layout.Relation]'s Key:
//
//	hide-KEY   nothing of the relation is visible
//	show-KEY   all of it is visible, not only the default view's part
//
// show-KEY with the key of [layout.Initial] shows what has class beginning, and hides the dots, of class start. Without
// either class, the default view is visible; hide has priority. To switch a single edge, add or remove off on its parts
// (curve, halo and word). The embedded style does the rest: of an edge's visible parts it draws the first and names
// all.
//
// To highlight events and edges, put class focus on the root and hot on each g.event and g.edge: all others fade. A
// drawing with a cycle, the one that was asked for or one that SC forbids, has class cycled on the root and cycle on
// the cycle's parts, which are visible while there is no focus.
//
// To show how far a run is, put class run on the root, todo on each g.event and g.edge that the run has not reached,
// waiting on a write that no other thread can see yet, and now on the events of the current step.
//
// Colours are custom properties with the light palette as fallback: --graph-paper, --graph-ink, --graph-muted,
// --graph-node, --graph-line, --graph-hot, and --rel-TONE for each [layout.Relation]'s Tone; class tone-TONE uses the
// colour, in a legend too. A page that may be dark sets them to [layout.Variables]. The file itself never asks for the
// reader's colour scheme, so that a downloaded one is always dark on white.

// toSVG is a drawing as a document of its own, which may also stand in a page.
func toSVG(d *layout.Drawing, r Request) string {
	s := &svg{d: d, v: r.View}
	s.document(r.Title, r.Caption)
	return s.b.String()
}

type svg struct {
	d *layout.Drawing
	v layout.View
	b strings.Builder
}

func (s *svg) f(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

const (
	monoFonts = `"JetBrains Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace`
	sansFonts = `Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif`
)

// document writes the whole SVG. The order of the elements is the order of painting: sections, hidden edges, visible
// edges, events, labels.
func (s *svg) document(title, caption string) {
	d := s.d
	classes := "execution-graph"
	if len(s.d.Cycle) > 0 {
		classes += " cycled"
	}
	waiting := "waiting"
	if d.Folded {
		classes, waiting = classes+" folded", "waiting-folded"
	}
	if slices.ContainsFunc(d.Nodes, func(n layout.Node) bool { return n.Event.Piece > 0 }) {
		classes += " pieces"
	}
	for _, r := range d.Relations {
		if slices.Contains(s.v.Show, r.Name) {
			classes += " show-" + r.Key
		}
		if slices.Contains(s.v.Hide, r.Name) {
			classes += " hide-" + r.Key
		}
	}
	if slices.Contains(s.v.Show, layout.Initial) {
		classes += " show-" + d.InitialKey
	}
	if title == "" {
		title = "Execution graph"
	}
	s.f(
		`<svg xmlns="http://www.w3.org/2000/svg" class="%s" viewBox="0 0 %s %s" width="%s" height="%s" role="group" aria-label="%s">`+"\n",
		classes, num(d.Width), num(d.Height), num(d.Width), num(d.Height), html.EscapeString(title))
	if caption != "" {
		s.f("<desc>%s</desc>\n", html.EscapeString(caption))
	}
	s.f("<style>\n%s</style>\n", s.style())
	s.f(`<defs><pattern id="%s" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`+
		`<rect class="paper" width="6" height="6"/><path class="hatch" stroke-width="2.5" d="M0 0V6"/></pattern></defs>`+"\n", waiting)
	s.f(`<rect class="paper" width="%s" height="%s"/>`+"\n", num(d.Width), num(d.Height))
	for i, h := range d.Headers {
		s.f(`<text class="thread" data-thread="%d" x="%s" y="%s">%s</text>`+"\n",
			i, num(h.X), num(h.Y+layout.LabelSize*.36), html.EscapeString(h.Name))
	}
	for _, x := range d.Boxes {
		s.f(`<g class="scope" data-first="%d" data-last="%d" role="img" aria-label="%s"><rect class="within" x="%s" y="%s" width="%s" height="%s" rx="12"/></g>`+"\n",
			x.First, x.Last, html.EscapeString(x.Words), num(x.Left()), num(x.Top()), num(x.W), num(x.H))
	}
	for i := range d.Sections {
		x := &d.Sections[i]
		s.f(
			`<g class="section" data-thread="%d" data-first="%d" data-last="%d" role="img" aria-label="%s"><rect class="around" x="%s" y="%s" width="%s" height="%s" rx="9"/></g>`+"\n",
			x.Section.Thread, x.Section.First, x.Section.Last, html.EscapeString(x.Words), num(x.Left()), num(x.Top()),
			num(x.W), num(x.H))
	}
	// What the default view hides lies below what it shows.
	for _, shown := range []bool{false, true} {
		for i := range d.Edges {
			if e := &d.Edges[i]; e.Default() == shown {
				s.curve(e)
			}
		}
	}
	for i := range d.Nodes {
		s.event(&d.Nodes[i])
	}
	for _, x := range d.Sections {
		s.title(x.Title, x.Name)
	}
	for _, x := range d.Boxes {
		s.title(x.Title, x.Name)
	}
	for i := range d.Edges {
		s.label(&d.Edges[i])
	}
	s.f("</svg>\n")
}

// title writes the name of a box.
func (s *svg) title(at geometry.Rect, name string) {
	for _, class := range []string{"halo", "title"} {
		s.f(`<text class="section %s" x="%s" y="%s" aria-hidden="true">%s</text>`, class, num(at.X),
			num(at.Y+layout.TagSize*.36), html.EscapeString(name))
	}
	s.b.WriteByte('\n')
}

// openEdge starts the group of an edge's curve or words.
func (s *svg) openEdge(e *layout.Edge, class string) {
	var names []string
	class = "edge" + class
	for _, p := range e.Parts {
		r := s.d.Relations[p.Relation]
		names = append(names, r.Name)
		class += " rel-" + r.Key
		if r.Mark {
			class += " marked-" + r.Key
		}
	}
	if !e.Default() {
		class += " off"
	}
	if s.d.Lit(e) {
		class += " cycle"
	}
	unseen := false
	if s.d.Beginning(e) {
		class += " beginning"
		unseen = !s.d.Between(s.v, e)
	}
	s.f(`<g class="%s" data-rel="%s" data-from="%d" data-to="%d" data-default="%t"%s>`,
		class, html.EscapeString(strings.Join(names, " ")), e.From, e.To, e.Default(), hidden(unseen))
}

func (s *svg) partClass(p layout.Part) string {
	r := s.d.Relations[p.Relation]
	class := "part rel-" + r.Key + " tone-" + r.Tone
	if !p.Default {
		class += " off"
	}
	return class
}

// hidden is for viewers that do not read the style sheet's selectors.
func hidden(is bool) string {
	if is {
		return ` display="none"`
	}
	return ""
}

// curve writes an edge's path once for each of its relations, because scripts show and hide relations. A wide invisible
// path makes each easy to hit.
func (s *svg) curve(e *layout.Edge) {
	s.openEdge(e, "")
	path := pathData(e.Path)
	from, to := s.d.Ends(e)
	seen := false
	for _, p := range e.Parts {
		r := s.d.Relations[p.Relation]
		s.f(`<g class="%s" data-rel="%s" role="img" aria-label="%s from %s to %s" color="%s"%s>`,
			s.partClass(p), html.EscapeString(r.Name), html.EscapeString(s.d.Words(e, p)),
			html.EscapeString(from.Event.Name), html.EscapeString(to.Event.Name), r.Light,
			hidden(!s.v.Shows(r.Name, p) || seen))
		s.f(`<path class="hit" fill="none" stroke="none" stroke-width="12" pointer-events="stroke" d="%s"/>`, path)
		s.f(`<path class="line" fill="none" stroke="currentColor" stroke-width="%s" stroke-linecap="%s"`, num(r.Width),
			lineCap(r.Dash))
		if r.Dash != "" {
			s.f(` stroke-dasharray="%s"`, r.Dash)
		}
		h := e.Head
		if r.Flag {
			s.f(` d="%sL%s %s"/></g>`, path, num(h[0].X), num(h[0].Y))
		} else {
			s.f(` d="%s"/><path class="head" fill="currentColor" d="M%s %sL%s %sL%s %sZ"/></g>`, path,
				num(h[0].X), num(h[0].Y), num(h[1].X), num(h[1].Y), num(h[2].X), num(h[2].Y))
		}
		seen = seen || s.v.Shows(r.Name, p)
	}
	s.f("</g>\n")
}

// lineCap makes the dots of dotted lines round.
func lineCap(dash string) string {
	if strings.HasPrefix(dash, "1.") {
		return "round"
	}
	return "butt"
}

// event writes an event's card, its tags and its text.
func (s *svg) event(n *layout.Node) {
	class := "event"
	switch {
	case n.Run != nil:
	case n.Init():
		class += " initial"
	default:
		class += map[string]string{"R": " read", "W": " write", "F": " fence"}[n.Event.Kind]
	}
	if n.Run == nil && n.Implicit() {
		class += " implicit"
	}
	if s.d.Lights(n.Event.ID) {
		class += " cycle"
	}
	if n.Hidden() {
		class += " beginning"
	}
	title := html.EscapeString(n.Title)
	if n.Run != nil {
		s.run(n, class, title)
		return
	}
	s.f(`<g class="%s" data-event="%s" data-thread="%d" data-source="%d" tabindex="0" role="img" aria-label="%s"%s>`,
		class, numbers(n.IDs), n.Event.Thread, n.Event.Source, title, hidden(!s.v.Sees(*n)))
	s.f(`<title>%s</title>`, title)
	s.card(n)
	y := n.Y
	if n.Tags != "" {
		y -= layout.TagHeight / 2
		s.f(`<text class="tags" x="%s" y="%s">%s</text>`, num(n.X), num(n.Bottom()-8), html.EscapeString(n.Tags))
	}
	y += layout.EventSize*.35 - layout.LineHeight/2*float64(len(n.Lines)-1)
	s.f(`<text x="%s" y="%s"><tspan class="name">%s</tspan> %s`, num(n.X), num(y), html.EscapeString(n.Name),
		html.EscapeString(n.Lines[0]))
	for _, line := range n.Lines[1:] {
		s.f(`<tspan x="%s" dy="%g">%s</tspan>`, num(n.X), layout.LineHeight, html.EscapeString(line))
	}
	s.f("</text></g>\n")
}

// run is what stands for several events: all of their numbers are its own.
func (s *svg) run(n *layout.Node, class, title string) {
	var ids, sources []int
	for _, m := range n.Run {
		for _, id := range m.IDs {
			ids, sources = append(ids, id), append(sources, m.Event.Source)
		}
	}
	s.f(
		`<g class="%s more" data-event="%s" data-thread="%d" data-source="%s" tabindex="0" role="button" aria-label="%s">`,
		class, numbers(ids), n.Event.Thread, numbers(sources), title)
	s.f(
		`<title>%s</title><rect class="card" x="%s" y="%s" width="%s" height="%s" rx="%g"/><text x="%s" y="%s">%s</text></g>`+"\n",
		title, num(n.Left()), num(n.Top()), num(n.W), num(n.H), layout.RunHeight/2, num(n.X),
		num(n.Y+layout.TagSize*.35), n.Text)
}

// numbers are several as one attribute.
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}

// startSize is the radius of the mark on a read of an initial value.
const startSize = 3.6

// card is the shape around an event: rounded for a read, square with a bar at its side for a write,
// pointed for a fence.
func (s *svg) card(n *layout.Node) {
	if n.Event.Kind == "F" {
		const point = 8.
		l, r, t, b := num(n.Left()), num(n.Right()), num(n.Top()), num(n.Bottom())
		in, out := num(n.Left()+point), num(n.Right()-point)
		s.f(`<path class="card" d="M%s %sH%sL%s %sL%s %sH%sL%s %sZ"/>`, in, t, out, r, num(n.Y), out,
			b, in, l, num(n.Y))
		return
	}
	corner := "1.5"
	if n.Event.Kind == "R" {
		corner = "10"
	}
	s.f(`<rect class="card" x="%s" y="%s" width="%s" height="%s" rx="%s"/>`, num(n.Left()), num(n.Top()),
		num(n.W), num(n.H),
		corner)
	if n.Start {
		s.f(`<circle class="start tone-rf" cx="%s" cy="%s" r="%g" fill="%s" stroke="currentColor" color="%s"%s/>`,
			num(n.Left()), num(n.Y), startSize,
			layout.Light("paper"), layout.Light("rf"), hidden(!s.v.Starts(*n)))
	}
	if n.Event.Kind == "W" && !n.Init() {
		s.f(`<path class="bar" d="M%s %sV%s"/>`, num(n.Left()+2), num(n.Top()), num(n.Bottom()))
	}
}

func (s *svg) label(e *layout.Edge) {
	if s.d.Stub(e) {
		return
	}
	s.openEdge(e, " label")
	// The halo is a text of its own, so that one word's does not eat into the next.
	s.words(e, "halo")
	s.words(e, "words")
	s.f("</g>\n")
}

func (s *svg) words(e *layout.Edge, class string) {
	s.f(`<text class="%s" x="%s" y="%s" aria-hidden="true">`, class, num(e.Label.X),
		num(e.Label.Y+layout.LabelSize*.33))
	seen := false
	for i, p := range e.Parts {
		r := s.d.Relations[p.Relation]
		s.f(`<tspan class="%s" data-rel="%s" color="%s"%s>`, s.partClass(p), html.EscapeString(r.Name), r.Light,
			hidden(!s.v.Shows(r.Name, p)))
		if i > 0 {
			s.f(`<tspan class="sep"%s>, </tspan>`, hidden(!seen))
		}
		s.f("%s</tspan>", html.EscapeString(s.d.Words(e, p)))
		seen = seen || s.v.Shows(r.Name, p)
	}
	s.f("</text>")
}

// ink is the value of a page colour: the variable, and the light colour without it.
func ink(name string) string { return "var(--graph-" + name + "," + layout.Light(name) + ")" }

// style is the embedded style sheet. Every colour has its light value as
// fallback; presentation attributes stand in where a viewer knows no variables.
func (s *svg) style() string {
	const root = ".execution-graph"
	var b strings.Builder
	rule := func(selector, body string) { fmt.Fprintf(&b, "%s %s{%s}\n", root, selector, body) }
	fmt.Fprintf(&b, "%s{max-width:100%%;height:auto;color:%s}\n", root, ink("ink"))
	rule(".paper", "fill:"+ink("paper"))
	rule("text", fmt.Sprintf("font:%gpx %s;text-anchor:middle;fill:%s", layout.EventSize, monoFonts, ink("ink")))
	rule(".card", "fill:"+ink("node")+";stroke:"+ink("line")+fmt.Sprintf(";stroke-width:%g", layout.Frame))
	rule(".bar", "stroke:"+ink("line")+fmt.Sprintf(";stroke-width:%g", layout.FullBar))
	rule(".event .name, "+root+" .event .tags, "+root+" .initial text", "fill:"+ink("muted"))
	rule(".event .tags", fmt.Sprintf("font:%gpx %s", layout.TagSize, sansFonts))
	rule(".start", "display:inline;fill:"+ink("paper")+";stroke-width:1.8")
	fmt.Fprintf(&b, "%[1]s:not(.show-%[2]s) .beginning, %[1]s.show-%[2]s .start{display:none}\n"+
		"%[1]s.show-%[2]s .beginning{display:inline}\n", root, s.d.InitialKey)
	if s.d.Folded {
		rule(".more", "cursor:pointer")
		rule(".more .card", "fill:"+ink("paper")+";stroke-dasharray:3 2.5")
		rule(".more text", fmt.Sprintf("font:%gpx %s;fill:%s", layout.TagSize, sansFonts, ink("muted")))
		fmt.Fprintf(&b, "%s.folded .waiting .card{fill:url(#waiting-folded)}\n", root)
	}
	rule(".initial .card", "fill:"+ink("paper")+";stroke-dasharray:2 3")
	light := slices.ContainsFunc(s.d.Nodes, layout.Node.Implicit)
	if light {
		rule(".implicit text", "fill:"+ink("muted"))
		rule(".implicit .card", fmt.Sprintf("fill:%s;stroke-width:%g", ink("paper"), layout.ImplicitFrame))
		rule(".implicit .bar", fmt.Sprintf("stroke-width:%g", layout.ImplicitBar))
	}
	rule(".thread", fmt.Sprintf("font:600 %gpx %s;fill:%s", layout.LabelSize, sansFonts, ink("muted")))
	if len(s.d.Boxes) > 0 {
		rule(".within", "fill:"+ink("muted")+";fill-opacity:.04;stroke:"+ink("line")+";stroke-width:1.2;"+
			"stroke-dasharray:6 4")
	}
	if len(s.d.Sections)+len(s.d.Boxes) > 0 {
		rule(".around", "fill:"+ink("muted")+";fill-opacity:.05;stroke:"+ink("line")+";stroke-width:1.2")
		rule("text.section", fmt.Sprintf("font:600 %gpx %s", layout.TagSize, sansFonts))
		rule(".title", "fill:"+ink("muted"))
	}
	rule(".label text", fmt.Sprintf("font:500 %gpx %s", layout.LabelSize, sansFonts))
	rule(".halo", "stroke-width:8px;stroke-linejoin:round;stroke:"+ink("paper"))
	rule(".label", "pointer-events:none")
	rule(".event:focus", "outline:none")
	rule(".event:focus-visible .card, "+root+" .event.hot .card", "stroke:"+ink("hot")+";stroke-width:2")
	rule(".edge.hot .line", "stroke-width:3")
	fmt.Fprintf(&b, "%s.focus .edge:not(.hot), %s.focus .event:not(.hot){opacity:.18}\n", root, root)
	rule(".hatch", "stroke:"+ink("line"))
	// What is still to come is pale, and can be read.
	rule(".event.todo>:not(text)", "opacity:.35")
	rule(".event.todo text", "fill:"+ink("muted"))
	rule(".edge.todo", "opacity:.15")
	rule(".edge.label.todo", "visibility:hidden")
	rule(".event.waiting .card", "fill:url(#waiting)")
	rule(".event.now .card", "stroke:"+ink("hot")+";stroke-width:2")
	if len(s.d.Cycle) > 0 {
		rule(".event.cycle .card", "stroke:"+ink("hot")+";stroke-width:2")
		rule(".edge.cycle .line", "stroke-width:3")
		// Implicit events are lighter already, and would be too pale to read.
		fmt.Fprintf(&b, "%s.cycled:not(.focus,.run) .edge:not(.cycle), %s.cycled:not(.focus,.run) "+
			".event:not(.cycle%s){opacity:.62}\n", root, root, when(light, ",.implicit"))
	}
	var seen []string
	done := map[string]bool{}
	for _, r := range s.d.Relations {
		if r.Mark {
			line := "stroke-width:5"
			if r.Name == "given up" {
				line = "stroke-width:3;stroke-dasharray:1 7;stroke-linecap:round"
			}
			rule(".edge.marked-"+r.Key+" .line", line)
			rule(".words .rel-"+r.Key, "font-weight:700")
		}
		if !done[r.Tone] {
			done[r.Tone] = true
			fmt.Fprintf(&b, ".tone-%s{color:var(--rel-%s,%s)}\n", r.Tone, r.Tone, r.Light)
		}
		seen = append(seen, fmt.Sprintf(".rel-%s:is(:not(.off),.show-%s *):not(.hide-%s *)", r.Key, r.Key, r.Key))
	}
	rule(".words .part", "fill:currentColor")
	if len(seen) > 0 {
		// Viewers without :is skip these rules as a whole and go by the attributes.
		is := ".part:is(" + strings.Join(seen, ",") + ")"
		fmt.Fprintf(&b, ":is(%s .part,%s .sep){display:none}\n", root, root)
		rule(is, "display:inline")
		rule(is+"~g.part", "display:none")
		rule(is+"~tspan.part>.sep", "display:inline")
	}
	return b.String()
}

func pathData(path []geometry.Cubic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%s %s", num(path[0][0].X), num(path[0][0].Y))
	for _, c := range path {
		fmt.Fprintf(&b, "C%s %s %s %s %s %s", num(c[1].X), num(c[1].Y), num(c[2].X), num(c[2].Y),
			num(c[3].X), num(c[3].Y))
	}
	return b.String()
}

// num prints a length to a tenth of a pixel.
func num(f float64) string {
	return strconv.FormatFloat(tenth(f), 'f', -1, 64)
}

func tenth(f float64) float64 { return math.Round(f*10)/10 + 0 }
