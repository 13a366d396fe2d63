package graph

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/models"
)

// awkward is an execution whose names mean something to each format.
func awkward() *models.Graph {
	g := sketch{"", []string{"W x 1/A; F MFENCE; R y 0/AMO CAS A", "W y 1; R x 0"}, []string{"addr a c", "rmw d e"}}.graph()
	g.Events[2].Loc, g.Events[2].Name = `p->q[1]_$&%#~^|"`, `é…\{}`
	g.Threads[0].Name = `P0 & <b>"\`
	g.Relations[len(g.Relations)-1].Name = `r_1^-1;[W]`
	return g
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
	for _, s := range sketches() {
		graphs[s.name] = s.graph()
	}
	if format == "tikz" { // LaTeX takes a second each
		graphs = map[string]*models.Graph{"awkward": awkward(), "six": big[3].graph()}
	}
	for name, g := range graphs {
		path := filepath.Join(t.TempDir(), "drawing."+ext)
		text := file(t, format, Request{Graph: g, Title: `50% of "` + name + `" \ <b>`})
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
	text := file(t, "tikz", Request{Graph: awkward(), Title: "x"})
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
	for _, want := range []string{`\begin{tikzpicture}`, `\end{tikzpicture}`, `p-$>$q[1]\_\$\&\%\#\~{}\^{}$|$`, `rel-rf`} {
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
	if err := json.Unmarshal([]byte(file(t, "json", Request{Graph: g, Title: "T", Show: []string{`r_1^-1;[W]`}, Hide: []string{"rf"}})), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Events) != len(g.Events) || len(got.Drawing.Events) != len(g.Events) || got.Title != "T" || got.Events[2].Loc != g.Events[2].Loc {
		t.Errorf("the execution is not all there: %+v", got)
	}
	d := Layout(g)
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
	g := classics[1].graph() // MP with addr and ctrl beside po
	for _, format := range []string{"dot", "tikz"} {
		plain := file(t, format, Request{Graph: g})
		other := file(t, format, Request{Graph: g, Show: []string{"ctrl"}, Hide: []string{"fr"}})
		for _, c := range []struct {
			text, word string
			want       bool
		}{{plain, "fr", true}, {plain, "ctrl", false}, {other, "fr", false}, {other, "ctrl", true}} {
			has := strings.Contains(c.text, "<TD>"+c.word) || strings.Contains(c.text, ", "+c.word+"</TD>") || strings.Contains(c.text, "{"+c.word+"}")
			if has != c.want {
				t.Errorf("%s: %s is there: %v", format, c.word, has)
			}
		}
	}
	if _, err := Draw(Request{Graph: g, Format: "gif"}); err == nil || !strings.Contains(err.Error(), "svg, dot, tikz, json") {
		t.Errorf("a format that there is not: %v", err)
	}
}

// Where there is too much to be read, fr between threads gives way; a cycle that is asked for stays.
func TestThinnedView(t *testing.T) {
	g := crowded(8, 96, 0)
	for i := range 96 - 8 {
		g.Relations[0].Edges = append(g.Relations[0].Edges, models.Pair{i, i + 8})
		if i < 8*10 {
			g.Relations[0].Edges = append(g.Relations[0].Edges, models.Pair{i, i + 16})
		}
	}
	fr, ppo := models.GraphEdges{Name: "fr"}, models.GraphEdges{Name: "ppo"}
	for i := range 80 {
		fr.Edges = append(fr.Edges, models.Pair{i, i + 9})
		ppo.Edges = append(ppo.Edges, models.Pair{i, i + 8})
	}
	fr.Cyclic, ppo.Cyclic = fr.Edges, ppo.Edges
	g.Relations = append(g.Relations, fr, ppo)
	d := layout(Request{Graph: g, Cycle: []models.Pair{{3, 12}}})
	shown := map[string]int{}
	for _, r := range d.Relations {
		shown[r.Name] = r.Shown
	}
	if !d.Thinned || shown["po"] != 88 || shown["fr"] != 1 || shown["ppo"] != 0 {
		t.Errorf("thinned %v, shown %v; want 88 of po, 1 of fr and none of ppo", d.Thinned, shown)
	}
}
