// Package glossary explains the words on the pages. glossary.txt has the terms, [Find] returns a [Term] and [Ref]
// renders a link to it. A new model, engine or concept needs an entry; an entry also lists other names by which
// visitors search classic tests.
//
// It imports litmus, litmus/catalogue and web/server: no page and no engine.
package glossary

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/web/server"
)

// Term is an entry of the glossary: the meaning of a word on the pages.
type Term struct {
	ID, Name string
	Also     []string // other names, for searches
	Text     []termPart
	Sources  []string // publications
}

// termPart is a piece of a term's text: plain text, or a link to another term or to a classic test.
type termPart struct {
	Text string
	Term string // its ID
	Test string // its ID
}

// TermGroup is a titled part of the glossary.
type TermGroup struct {
	Title string
	Terms []*Term
}

// ID returns the group's anchor on the glossary page.
func (g TermGroup) ID() string {
	return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(g.Title, ",", ""), " ", "-"))
}

// Plain returns the text without its links.
func (t *Term) Plain() string {
	var b strings.Builder
	for _, p := range t.Text {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Has reports whether the term's names or text contain all words, which must be in lower case.
func (t *Term) Has(words []string) bool {
	text := strings.ToLower(strings.Join(append([]string{t.ID, t.Name, t.Plain()}, t.Also...), "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

//go:embed glossary.txt
var glossaryText string

type glossaryTable struct {
	Groups []TermGroup
	byID   map[string]*Term
	Cards  []byte // the terms for the page's script, as JSON; see termCards
	Etag   string
}

// Table returns the glossary.
var Table = sync.OnceValue(func() *glossaryTable {
	g, err := readGlossary(glossaryText)
	if err != nil {
		panic("BUG: glossary.txt: " + err.Error())
	}
	return g
})

// termLink matches [id] and [words|id], and {ID} and {ID|tso allowed; sc forbidden} of a classic test.
var termLink = litmus.Pattern(`\[([^\]|]+)(?:\|([^\]]+))?\]|\{([^}|]+)(?:\|([^}]+))?\}`)

// readGlossary reads the format that the head of glossary.txt describes.
func readGlossary(text string) (*glossaryTable, error) {
	g := &glossaryTable{byID: map[string]*Term{}}
	var t *Term
	texts := map[*Term]string{}
	for i, line := range strings.Split(text, "\n") {
		wrong := func(what string) error { return fmt.Errorf("line %d: %s: %q", i+1, what, line) }
		rest := ""
		if len(line) > 2 {
			rest = strings.TrimSpace(line[1:])
		}
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '=':
			g.Groups = append(g.Groups, TermGroup{Title: rest})
			t = nil
		case line[0] == ':':
			f := strings.Split(rest, " | ")
			if len(f) < 2 || len(f) > 3 || len(g.Groups) == 0 || g.byID[f[0]] != nil {
				return nil, wrong("invalid term: want a new ID and a name, in a group")
			}
			t = &Term{ID: f[0], Name: f[1]}
			if len(f) > 2 {
				t.Also = strings.Split(f[2], ", ")
			}
			g.byID[t.ID] = t
			last := &g.Groups[len(g.Groups)-1]
			last.Terms = append(last.Terms, t)
		case t == nil:
			return nil, wrong("text outside of a term")
		case line[0] == '>':
			t.Sources = append(t.Sources, strings.Split(rest, "; ")...)
		case t.Sources != nil:
			return nil, wrong("text after the sources")
		default:
			texts[t] = strings.TrimSpace(texts[t] + " " + line)
		}
	}
	return g, g.link(texts)
}

// termCards maps a term's ID to its name and text, for the page's script.
type termCards map[string][2]string

// link splits texts into their parts, once all terms are known.
func (g *glossaryTable) link(texts map[*Term]string) error {
	cards := termCards{}
	for id, t := range g.byID {
		text := texts[t]
		if text == "" {
			return fmt.Errorf("%s has no text", id)
		}
		at := 0
		for _, m := range termLink().FindAllStringSubmatchIndex(text, -1) {
			if m[0] > at {
				t.Text = append(t.Text, termPart{Text: text[at:m[0]]})
			}
			at = m[1]
			part := func(n int) string {
				if m[2*n] < 0 {
					return ""
				}
				return text[m[2*n]:m[2*n+1]]
			}
			p := termPart{Text: part(1), Term: part(2), Test: part(3)}
			if p.Test != "" {
				p.Text = p.Test
				if err := testSays(p.Test, part(4)); err != nil {
					return fmt.Errorf("%s: %w", id, err)
				}
			} else if p.Term == "" {
				p.Term = strings.ToLower(p.Text)
			}
			if p.Test == "" && g.byID[p.Term] == nil {
				return fmt.Errorf("%s links to %s, which is not a term", id, p.Term)
			}
			t.Text = append(t.Text, p)
		}
		if at < len(text) {
			t.Text = append(t.Text, termPart{Text: text[at:]})
		}
		cards[id] = [2]string{t.Name, t.Plain()}
	}
	var err error
	g.Cards, err = json.Marshal(cards)
	g.Etag = server.ETagOf(g.Cards)
	return err
}

// testSays checks a term's claims about a classic test, "tso allowed; sc forbidden", with the catalogue's verdicts.
func testSays(test, claims string) error {
	e, ok := catalogue.Find(test)
	if !ok {
		return fmt.Errorf("%s is not a classic test", test)
	}
	for _, claim := range strings.FieldsFunc(claims, func(r rune) bool { return r == ';' }) {
		model, verdict, _ := strings.Cut(strings.TrimSpace(claim), " ")
		if v, ok := e.Under(model); !ok || v.Verdict != verdict {
			return fmt.Errorf("%q: the catalogue has %q", test+"|"+claims, v.Verdict)
		}
	}
	return nil
}

// Find returns the term with an ID.
func Find(id string) (*Term, bool) {
	t, ok := Table().byID[id]
	return t, ok
}

// LessonTerms maps the names of terms, in lower case, to their IDs. Lessons link words by it.
func LessonTerms() map[string]string {
	out := map[string]string{}
	add := func(name, id string) {
		if name = strings.ToLower(name); out[name] == "" {
			out[name] = id
		}
	}
	g := Table()
	for id := range g.byID {
		add(id, id)
	}
	for _, group := range g.Groups {
		for _, t := range group.Terms {
			add(t.Name, t.ID)
		}
	}
	for _, group := range g.Groups {
		for _, t := range group.Terms {
			for _, also := range t.Also {
				add(also, t.ID)
			}
		}
	}
	return out
}
