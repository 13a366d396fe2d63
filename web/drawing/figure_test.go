package drawing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus/cycle"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/drawing/layout"
)

// figures are an execution and two rings, by the names of their files.
func figures(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"execution.tex": file(t, "figure", of(awkward(), "An “awkward” one"))}
	for arch, text := range map[string]string{
		"PPC": "SyncdWW Rfe DpAddrdR Fre",
		"X86": "PodWR Fre PodWR Fre PodWR Fre",
	} {
		c, err := cycle.ParseCycle(arch, text)
		if err != nil {
			t.Fatal(err)
		}
		round, tall := cyclediagram.Draw(arch, c)
		out[arch+".tex"] = RingFigure(round, c.Name())
		if tall != nil {
			out[arch+"-tall.tex"] = RingFigure(*tall, c.Name())
		}
	}
	return out
}

// A figure has no document around it, is in ASCII, and has no colour or style that the package does not define.
func TestFiguresNeedTheStyleAlone(t *testing.T) {
	style := TikZStyle()
	for name, text := range figures(t) {
		if strings.Contains(text, `\document`) || strings.Contains(text, `\usepackage`) ||
			strings.Contains(text, `\definecolor`) {
			t.Errorf("%s is more than a figure:\n%s", name, text)
		}
		if strings.Count(text, "{")-strings.Count(text, `\{`) != strings.Count(text, "}")-strings.Count(text, `\}`) {
			t.Errorf("%s: groups are not closed", name)
		}
		for i, r := range text {
			if r > '~' {
				t.Fatalf("%s: %q at %d is no ASCII", name, r, i)
			}
		}
		for _, word := range strings.FieldsFunc(text,
			func(r rune) bool { return strings.ContainsRune(" [],=;{}\n", r) }) {
			if (strings.HasPrefix(word, "rel-") || strings.HasPrefix(word, "graph-")) &&
				!strings.Contains(style, `\definecolor{`+word+"}") {
				t.Errorf("%s: the style does not define %s", name, word)
			}
		}
	}
	for _, tone := range layout.Tones() {
		if !strings.Contains(style, "{rel-"+tone.Name+"}{HTML}{"+strings.ToUpper(tone.Light[1:])+"}") {
			t.Errorf("the style has no colour of %s", tone.Name)
		}
	}
}

// LaTeX, where there is one, takes them all into one document.
func TestLaTeXOpensFigures(t *testing.T) {
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Skip("no pdflatex")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("litmuscope.sty", TikZStyle())
	document := "\\documentclass{article}\n\\usepackage{litmuscope}\n\\begin{document}\n"
	for name, text := range figures(t) {
		write(name, text)
		document += "\\input{" + name + "}\n\n"
	}
	write("all.tex", document+"\\end{document}\n")
	c := exec.CommandContext(t.Context(), "pdflatex", "-halt-on-error", "-interaction=nonstopmode", "all.tex")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "Warning: ") &&
		!strings.Contains(string(out), "rerun") {
		t.Errorf("%v: %s", err, out)
	}
}
