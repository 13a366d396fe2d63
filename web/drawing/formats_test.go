package drawing

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
	"litmuscope/web/drawing/layout"
)

// awkward is an execution whose names mean something to each format.
func awkward() *models.Graph {
	g := drawingtest.Sketch{
		Threads: []string{"W x 1/A; F MFENCE; R y 0/AMO CAS A", "W y 1; R x 0"},
		More:    []string{"addr a c", "rmw d e"},
	}.Graph()
	g.Events[2].Loc, g.Events[2].Name = `p->q[1]_$&%#~^|"`, `é…\{}`
	g.Threads[0].Name = `P0 & <b>"\`
	g.Relations[len(g.Relations)-1].Name = `r_1^-1;[W]`
	return g
}

// of asks for a picture of a graph.
func of(g *models.Graph, title string) Request {
	return Request{Request: layout.Request{Graph: g}, Title: title}
}

func file(t *testing.T, format string, r Request) string {
	t.Helper()
	r.Format = format
	p, err := Draw(r)
	if err != nil {
		t.Fatal(err)
	}
	return p.File
}

// opened runs a tool on a file of the format, if the machine has it.
func opened(t *testing.T, format, ext string, command ...string) {
	t.Helper()
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("there is no %s on this machine to open the file with", command[0])
	}
	graphs := map[string]*models.Graph{"awkward": awkward()}
	for _, s := range drawingtest.All() {
		graphs[s.Name] = s.Graph()
	}
	if format == "tikz" { // LaTeX takes a second each
		graphs = map[string]*models.Graph{"awkward": awkward(), "six": drawingtest.Big[3].Graph()}
	}
	for name, g := range graphs {
		path := filepath.Join(t.TempDir(), "drawing."+ext)
		text := file(t, format, of(g, `50% of "`+name+`" \ <b>`))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), command[0], append(command[1:], path)...)
		c.Dir = filepath.Dir(path)
		if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning") {
			t.Errorf("%s: %v: %s\n%.3000s", name, err, out, text)
		}
	}
}

func TestGraphvizOpensDOT(t *testing.T) {
	opened(t, "dot", "dot", "neato", "-n2", "-Tsvg", "-o", os.DevNull)
}

func TestLaTeXOpensTikZ(t *testing.T) {
	opened(t, "tikz", "tex", "pdflatex", "-halt-on-error", "-interaction=nonstopmode")
}

func TestXMLLintOpensSVG(t *testing.T) { opened(t, "svg", "svg", "xmllint", "--noout") }

// Where there is no LaTeX: groups are closed, nothing but ASCII is in it, and every command is one that
// TikZ and LaTeX have.
func TestTikZIsWellFormed(t *testing.T) {
	text := file(t, "tikz", of(awkward(), "x"))
	depth := 0
	for i, r := range text {
		switch {
		case r > '~':
			t.Errorf("%q is no ASCII", r)
		case i > 0 && text[i-1] == '\\':
		case r == '{':
			depth++
		case r == '}':
			depth--
		}
		if depth < 0 {
			t.Fatalf("a group is closed that was not opened: %s", text[:i])
		}
	}
	if depth != 0 {
		t.Errorf("%d groups are not closed", depth)
	}
	for _, want := range []string{
		`\begin{tikzpicture}`, `\end{tikzpicture}`,
		`p-$>$q[1]\_\$\&\%\#\~{}\^{}$|$`, `rel-rf`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if first := line[0]; !strings.ContainsRune(`\% `, rune(first)) {
			t.Errorf("a line is no command: %s", line)
		}
	}
}

func TestJSONHasGraphAndPlaces(t *testing.T) {
	g := awkward()
	var got JSON
	if err := json.Unmarshal(
		[]byte(
			file(t, "json",
				Request{
					Title: "T",
					Request: layout.Request{
						Graph: g,
						View:  layout.View{Show: []string{`r_1^-1;[W]`}, Hide: []string{"rf"}},
					},
				})), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Events) != len(g.Events) || len(got.Drawing.Events) != len(g.Events) || got.Title != "T" ||
		got.Events[2].Loc != g.Events[2].Loc {
		t.Errorf("the execution is not all there: %+v", got)
	}
	d := layout.Layout(layout.Request{Graph: g})
	if len(got.Drawing.Edges) != len(d.Edges) {
		t.Errorf("%d edges, want %d", len(got.Drawing.Edges), len(d.Edges))
	}
	shown := map[string]bool{}
	for _, e := range got.Drawing.Edges {
		for _, name := range e.Shown {
			shown[name] = true
		}
	}
	if !shown[`r_1^-1;[W]`] || shown["rf"] || !shown["fr"] {
		t.Errorf("shown are %v", shown)
	}
}

// Every format holds what is seen: the default view, more or less what was switched on or off.
func TestFilesHoldWhatIsShown(t *testing.T) {
	g := drawingtest.Classics[1].Graph() // MP with addr and ctrl beside po
	for _, format := range []string{"dot", "tikz"} {
		plain := file(t, format, of(g, ""))
		other := file(t, format,
			Request{Request: layout.Request{Graph: g, View: layout.View{Show: []string{"ctrl"}, Hide: []string{"fr"}}}})
		for _, c := range []struct {
			text, word string
			want       bool
		}{{plain, "fr", true}, {plain, "ctrl", false}, {other, "fr", false}, {other, "ctrl", true}} {
			has := strings.Contains(c.text, "<TD>"+c.word) || strings.Contains(c.text, ", "+c.word+"</TD>") ||
				strings.Contains(c.text, "{"+c.word+"}")
			if has != c.want {
				t.Errorf("%s: %s is there: %v", format, c.word, has)
			}
		}
	}
	if _, err := Draw(Request{Request: layout.Request{Graph: g}, Format: "gif"}); err == nil ||
		!strings.Contains(err.Error(), "svg, dot, tikz, figure, json") {
		t.Errorf("a format that there is not: %v", err)
	}
}

// In words, each thread has its events and instructions, each relation that is seen its line, and what is made out is
// gone round.
func TestText(t *testing.T) {
	g := drawingtest.Classics[1].Graph() // MP with addr and ctrl beside po
	for i := range g.Threads {
		for k := range g.Threads[i].Source {
			g.Threads[i].Source[k] += " // as written"
		}
	}
	got := file(t, "text", of(g, "MP"))
	for _, want := range []string{"MP\n", "\nP0\n", "\nP1\n", "// as written\n", "\nrf ", "\nhighlighted: "} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if hidden := file(t, "text",
		Request{Request: layout.Request{Graph: g, View: layout.View{Hide: []string{"rf"}}}}); strings.Contains(hidden,
		"\nrf ") {
		t.Errorf("rf is hidden:\n%s", hidden)
	}
	walked := walk([]step{{"a", "b", "po"}, {"c", "d", "po"}, {"b", "c", "fr"}, {"d", "a", "fr"}, {"e", "f", "rf"}})
	if want := "a -po-> b -fr-> c -po-> d -fr-> a, e -rf-> f"; walked != want {
		t.Errorf("%s, want %s", walked, want)
	}
}

// Every format shows sections, and says in words what they are.
func TestSectionsInFiles(t *testing.T) {
	g := drawingtest.Kernel[3].Graph()
	r := layout.Request{Graph: g, Cycle: g.Relations[len(g.Relations)-1].Edges}
	svg := file(t, "svg", Request{Request: r})
	seen := checkXML(t, "locks", svg)
	if seen["around"] != 4 || seen["title"] != 4 || seen["section"] != 3*4 {
		t.Errorf("boxes %d, names %d", seen["around"], seen["title"])
	}
	for _, want := range []string{
		`aria-label="critical section under lock s, P0: from a to d"`, `R[plain] y=1`, `lock s=0`, `unlock s=2`,
		`aria-label="a: lock: read s=0, P0: R s 0, the initial value"`,
		`aria-label="l: write y=1 (plain), P1: W y 1"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s", want)
		}
	}
	dot, tikz := file(t, "dot", Request{Request: r}), file(t, "tikz", Request{Request: r})
	for text, want := range map[string]int{
		`"section `: 4, `label="lock s"`: 2, "dir=none": 1, "penwidth=3": 1,
		"penwidth=2": 2,
	} {
		if got := strings.Count(dot, text); got != want {
			t.Errorf("DOT has %d of %s, want %d", got, text, want)
		}
	}
	for text, want := range map[string]int{"fill opacity": 4, `\bfseries lock s`: 2, "card,lit": 2} {
		if got := strings.Count(tikz, text); got != want {
			t.Errorf("TikZ has %d of %s, want %d", got, text, want)
		}
	}
	var got JSON
	if err := json.Unmarshal([]byte(file(t, "json", Request{Request: r})), &got); err != nil {
		t.Fatal(err)
	}
	lit := 0
	for _, e := range got.Drawing.Events {
		if e.Lit {
			lit++
		}
	}
	if len(got.Sections) != 4 || len(got.Drawing.Sections) != 4 ||
		got.Drawing.Sections[0].Text != "lock s" || lit != 2 {
		t.Errorf("JSON: %+v, %d lit", got.Drawing.Sections, lit)
	}
}

// A text in two lines is so in every format, and whole in JSON.
func TestTwoLinesInFiles(t *testing.T) {
	for format, want := range map[string]string{
		"svg": `</tspan> W[rlx] nodes[1].next<tspan x=`, "dot": `"a: W[rlx] nodes[1].next\n=&nodes[0].value"`,
		"tikz": `{\textcolor{graph-muted}{a:} W[rlx] nodes[1].next}`,
		"json": `"a: W[rlx] nodes[1].next=\u0026nodes[0].value"`,
	} {
		if text := file(t, format, of(drawingtest.Wide[0].Graph(), "")); !strings.Contains(text, want) {
			t.Errorf("%s has no %s:\n%.3000s", format, want, text)
		}
	}
}
