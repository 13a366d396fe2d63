package mathml

import (
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	for _, c := range []struct {
		tex     string
		display bool
		want    []string
	}{
		{`x`, false, []string{"<math", "<mi>x</mi>"}},
		{`\mathit{po} \cup \mathit{rf}`, false, []string{"∪"}},
		{`\binom{4}{2} = 6`, true, []string{`display="block"`, "<mfrac"}},
		{`a \subseteq b`, false, []string{"⊆"}},
		{`\text{a <b> \& "c"}`, false, []string{"&lt;b&gt;"}},
		{`\href{javascript:alert(1)}{x}`, false, []string{"<math"}},
	} {
		got, err := Render(c.tex, c.display)
		if err != nil {
			t.Errorf("%s: %v", c.tex, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in %s", c.tex, want, got)
			}
		}
		for _, never := range []string{" style=", "<script", " href=", "<b>"} {
			if strings.Contains(got, never) {
				t.Errorf("%s: it has %s: %s", c.tex, never, got)
			}
		}
	}
}

// What is wrong is said, and what is too much ends.
func TestRenderRefuses(t *testing.T) {
	for _, c := range []struct{ tex, want string }{
		{`\frac{a`, "Unexpected end of input"},
		{`\nonsense`, `Undefined control sequence: \nonsense`},
		{`\def\a{\a\a}\a`, `a formula cannot define macros: write out what \def defines`},
		{`\newcommand{\a}{xx}\a`, `what \newcommand defines`},
		{strings.Repeat("{", MaxFormula), ""},
		{strings.Repeat("x", MaxFormula+1), "longer than 2000 bytes"},
		{"\xff", "UTF-8"},
	} {
		if _, err := Render(c.tex, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20s: got %v, want %q", c.tex, err, c.want)
		}
	}
	if got, err := Render(`x^2`, false); err != nil || !strings.Contains(got, "<msup>") {
		t.Errorf("after all that: %v, %s", err, got)
	}
}

func FuzzRender(f *testing.F) {
	f.Add(`\frac{a}{b}`)
	f.Add(`\left( \begin{matrix} a & b \\ c & d \end{matrix} \right)`)
	f.Add(`\color{red} x \tag{1}`)
	f.Fuzz(func(t *testing.T, tex string) {
		got, err := Render(tex, true)
		if err == nil && (strings.Contains(got, " style=") || strings.Contains(got, "<script")) {
			t.Error(got)
		}
	})
}
