package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// marked matches code and claims in a story: `code`, [words](before unsafe rc11 c11; fixed safe all).
var marked = litmus.Pattern("`([^`]+)`|\\[([^\\]]+)\\]\\(([^)]*)\\)")

// paragraph reads a paragraph of a story, and compares its claims with the exhibit's verdicts.
func (m *museumRoom) paragraph(e *Exhibit, text string) (out Paragraph) {
	at := 0
	for _, x := range marked().FindAllStringSubmatchIndex(text, -1) {
		if at < x[0] {
			out = append(out, Span{Text: text[at:x[0]]})
		}
		at = x[1]
		if x[2] >= 0 {
			out = append(out, Span{Text: text[x[2]:x[3]], Code: true})
			continue
		}
		s := Span{Text: text[x[4]:x[5]]}
		for one := range strings.SplitSeq(text[x[6]:x[7]], ";") {
			c, err := m.claimed(e, strings.Fields(one))
			if err != nil {
				panic(fmt.Sprintf("BUG: %s: %s says “%s”: %v", m.file, e.Name, s.Text, err))
			}
			s.Claims = append(s.Claims, c)
		}
		out = append(out, s)
	}
	if at < len(text) {
		out = append(out, Span{Text: text[at:]})
	}
	return out
}

// claimed reads a claim. It fails if the claim is wrong.
func (m *museumRoom) claimed(e *Exhibit, words []string) (c Claimed, err error) {
	if len(words) < 3 {
		return c, fmt.Errorf("got %q, want a build, a verdict and models", strings.Join(words, " "))
	}
	c = Claimed{Build: words[0], Verdict: words[1], Models: words[2:]}
	if slices.Equal(c.Models, []string{"all"}) {
		c.Models = m.models
	}
	_, b, ok := e.Find(c.Build)
	if !ok {
		return c, fmt.Errorf("there is no build %q", c.Build)
	}
	for _, model := range c.Models {
		if k := b.Under(model); k.Verdict != c.Verdict {
			return c, fmt.Errorf("%s under %s is %q, not %s", c.Build, model, k.Verdict, c.Verdict)
		}
	}
	return c, nil
}

// Words returns the words of a claim, with its code as separate spans.
func (s Span) Words() (out []Span) {
	for i, part := range strings.Split(s.Text, "`") {
		if part != "" {
			out = append(out, Span{Text: part, Code: i%2 == 1})
		}
	}
	return out
}
