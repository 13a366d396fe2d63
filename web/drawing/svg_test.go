package drawing

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
	"litmuscope/web/drawing/layout"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	s := drawingtest.Sketch{
		Name: "MP", Threads: []string{"W x 1; W y 1", "R y 1/A; R x 0"},
		More: []string{"addr c d", "hb a d"},
	}
	d := layout.Layout(layout.Request{Graph: s.Graph()})
	walks := layout.Layout(layout.Request{Graph: implicit()})
	for file, got := range map[string]string{
		"mp.svg":       toSVG(d, Request{Title: "MP"}),
		"mp.dot":       toDOT(d, "MP", layout.View{}),
		"implicit.svg": toSVG(walks, Request{Title: "MP-pte"}),
		"implicit.dot": toDOT(walks, "MP-pte", layout.View{}),
		"implicit.tex": toFigure(walks, "MP-pte", layout.View{}),
	} {
		path := filepath.Join("testdata", file)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Errorf("%s:%d differs (-update writes it anew):\ngot  %s\nwant %s", path, i+1, at(g, i), at(w, i))
				break
			}
		}
	}
}

// implicit is an execution with the read of an entry, its update by hardware and an access through it.
func implicit() *models.Graph {
	return drawingtest.Sketch{
		Threads: []string{"W PTE(x) 1; W y 1", "R y 1; R PTE(x) 1/IMPLICIT; W PTE(x) 2/IMPLICIT; W x 1"},
		More:    []string{"rmw d e"},
	}.Graph()
}

// Every format shows the accesses that no instruction names lighter than the others, and a cycle does not fade them.
func TestImplicitEventsAreLighter(t *testing.T) {
	g := implicit()
	r := layout.Request{Graph: g, Cycle: []models.Pair{{3, 4}}}
	seen := checkXML(t, "implicit", file(t, "svg", Request{Request: r}))
	if seen["implicit"] != 2 || seen["event"] != len(g.Events) {
		t.Errorf("%d of %d events are lighter, want 2", seen["implicit"], seen["event"])
	}
	svg, dot, tikz := file(t, "svg", Request{Request: r}), file(t, "dot", of(g, "")), file(t, "tikz", of(g, ""))
	for _, c := range []struct {
		text, part string
		want       int
	}{
		{svg, `.execution-graph .implicit text{fill:` + ink("muted") + `}`, 1},
		{svg, `.event:not(.cycle,.implicit){opacity:.62}`, 1},
		{svg, `: implicit read PTE(x)=1, P1`, 2}, // label and title
		{svg, `: implicit write PTE(x)=2, P1`, 2},
		{dot, `penwidth=0.6`, 2},
		{tikz, `\draw[card,implicit`, 2},
		{tikz, `\node[event,implicit]`, 2},
		{tikz, `implicit/.style={fill=white,text=graph-muted,line width=0.45bp}`, 1},
		{file(t, "svg", of(drawingtest.Classics[1].Graph(), "")), "implicit", 0},
	} {
		if got := strings.Count(c.text, c.part); got != c.want {
			t.Errorf("%s is there %d times, want %d", c.part, got, c.want)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// checkXML tells whether s is well-formed, and returns how many elements carry
// each class.
func checkXML(t *testing.T, name, s string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(s)); ; {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return count
		}
		if e, ok := tok.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					for c := range strings.FieldsSeq(a.Value) {
						count[c]++
					}
				}
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestSVGHasEverything(t *testing.T) {
	for _, s := range drawingtest.All() {
		g := s.Graph()
		d := layout.Layout(layout.Request{Graph: g})
		count := checkXML(t, s.Name, toSVG(d, Request{}))
		if count["event"] != len(g.Events) || count["thread"] != len(g.Threads) {
			t.Errorf("%s: %d events and %d threads", s.Name, count["event"], count["thread"])
		}
		if count["edge"] != 2*len(d.Edges) { // a curve and its words
			t.Errorf("%s: %d edge groups for %d edges", s.Name, count["edge"], len(d.Edges))
		}
	}
}

// Whatever is drawn, the picture is well-formed, and no larger than a page can take.
func TestHostileGraphs(t *testing.T) {
	list := drawingtest.Odd()
	if !testing.Short() { // the layout of these has tests of its own
		maps.Copy(list, drawingtest.Hostile())
	}
	for name, g := range list {
		svg := file(t, "svg", of(g, name))
		checkXML(t, name, svg)
		if len(svg) > 64<<20 {
			t.Errorf("%s: the picture has %d bytes", name, len(svg))
		}
	}
}

func TestNamesAreEscaped(t *testing.T) {
	s := drawingtest.Classics[0]
	g := s.Graph()
	g.Events[2].Name = `<b>"&'`
	g.Threads[0].Name = "</svg>"
	g.Threads[0].Source[0] = "if (x < 1 && y > 2)"
	g.Relations[0].Name = `</style><script>`
	g.Relations[1].Name = `rf^-1;[W]`
	d := layout.Layout(layout.Request{Graph: g})
	svg := toSVG(d, Request{Title: `"><x`})
	checkXML(t, "hostile names", svg)
	if strings.Contains(svg, "<script>") {
		t.Error("a relation's name became an element")
	}
}

func TestDOTHoldsWhatIsSeen(t *testing.T) {
	dot := file(t, "dot", of(drawingtest.Classics[1].Graph(), "")) // MP with addr and ctrl beside po
	if !strings.Contains(dot, `<TD>po</TD>`) || strings.Contains(dot, "addr") || strings.Contains(dot, "ctrl") {
		t.Errorf("the DOT file does not hold po alone:\n%s", dot)
	}
}

// A cycle is made out, and is nothing to other drawings.
func TestCycle(t *testing.T) {
	d := layout.Layout(layout.Request{Graph: drawingtest.Classics[1].Graph(), Cycle: []models.Pair{{2, 3}}}) // MP
	seen := checkXML(t, "MP", toSVG(d, Request{}))
	if seen["cycled"] != 1 || seen["cycle"] != 4 { // two events, a curve and its words
		t.Errorf("classes: cycled %d, cycle %d", seen["cycled"], seen["cycle"])
	}
	if plain := file(t, "svg",
		of(drawingtest.Sketch{Threads: []string{"W x 1; R x 1"}}.Graph(), "")); strings.Contains(plain, "cycle") {
		t.Error("a drawing without a cycle mentions one")
	}
}
