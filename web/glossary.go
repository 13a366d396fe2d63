package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/catalogue"
	"litmuscope/web/shell"
)

// A term is an entry of the glossary: what a word on the pages means.
type term struct {
	ID, Name string
	Also     []string // other names, by which it is found
	Text     []termPart
	Sources  []string // where to read more
}

// termPart is a piece of a term's text: plain, or the name of another term or of a classic test.
type termPart struct {
	Text string
	Term string // its ID
	Test string // its ID
}

type termGroup struct {
	Title string
	Terms []*term
}

// ID is the group's anchor.
func (g termGroup) ID() string {
	return strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(g.Title, ",", ""), " ", "-"))
}

// Plain is the text without its links.
func (t *term) Plain() string {
	var b strings.Builder
	for _, p := range t.Text {
		b.WriteString(p.Text)
	}
	return b.String()
}

// has tells whether all words, in lower case, are in the term's names or in its text.
func (t *term) has(words []string) bool {
	text := strings.ToLower(strings.Join(append([]string{t.ID, t.Name, t.Plain()}, t.Also...), "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

//go:embed glossary.txt
var glossaryText string

type glossaryTable struct {
	groups []termGroup
	byID   map[string]*term
	cards  []byte // what the page's script needs of it, as JSON
	etag   string
}

var glossary = sync.OnceValue(func() *glossaryTable {
	g, err := readGlossary(glossaryText)
	if err != nil {
		panic("BUG: glossary.txt: " + err.Error())
	}
	return g
})

// termLink is [id] or [words|id], or {ID} or {ID|tso allowed; sc forbidden} of a classic test.
var termLink = regexp.MustCompile(`\[([^\]|]+)(?:\|([^\]]+))?\]|\{([^}|]+)(?:\|([^}]+))?\}`)

// readGlossary reads the format that the head of glossary.txt describes.
func readGlossary(text string) (*glossaryTable, error) {
	g := &glossaryTable{byID: map[string]*term{}}
	var t *term
	texts := map[*term]string{}
	for i, line := range strings.Split(text, "\n") {
		wrong := func(what string) error { return fmt.Errorf("line %d: %s: %q", i+1, what, line) }
		rest := ""
		if len(line) > 2 {
			rest = strings.TrimSpace(line[1:])
		}
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '=':
			g.groups = append(g.groups, termGroup{Title: rest})
			t = nil
		case line[0] == ':':
			f := strings.Split(rest, " | ")
			if len(f) < 2 || len(f) > 3 || len(g.groups) == 0 || g.byID[f[0]] != nil {
				return nil, wrong("got a term, want one of a new ID and with a name, in a group")
			}
			t = &term{ID: f[0], Name: f[1]}
			if len(f) > 2 {
				t.Also = strings.Split(f[2], ", ")
			}
			g.byID[t.ID] = t
			last := &g.groups[len(g.groups)-1]
			last.Terms = append(last.Terms, t)
		case t == nil:
			return nil, wrong("got text that is no term's")
		case line[0] == '>':
			t.Sources = append(t.Sources, strings.Split(rest, "; ")...)
		case t.Sources != nil:
			return nil, wrong("got text after the sources")
		default:
			texts[t] = strings.TrimSpace(texts[t] + " " + line)
		}
	}
	return g, g.link(texts)
}

// link takes texts apart into their parts, once all terms are known.
func (g *glossaryTable) link(texts map[*term]string) error {
	cards := map[string][2]string{}
	for id, t := range g.byID {
		text := texts[t]
		if text == "" {
			return fmt.Errorf("%s has no text", id)
		}
		at := 0
		for _, m := range termLink.FindAllStringSubmatchIndex(text, -1) {
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
				return fmt.Errorf("%s leads to %s, which is no term", id, p.Term)
			}
			t.Text = append(t.Text, p)
		}
		if at < len(text) {
			t.Text = append(t.Text, termPart{Text: text[at:]})
		}
		cards[id] = [2]string{t.Name, t.Plain()}
	}
	var err error
	g.cards, err = json.Marshal(cards)
	g.etag = etagOf(g.cards)
	return err
}

// testSays holds what a term says of a classic test, "tso allowed; sc forbidden", to its verdicts.
func testSays(test, claims string) error {
	e, ok := catalogue.Find(test)
	if !ok {
		return fmt.Errorf("%s is no classic test", test)
	}
	for _, claim := range strings.FieldsFunc(claims, func(r rune) bool { return r == ';' }) {
		model, verdict, _ := strings.Cut(strings.TrimSpace(claim), " ")
		if v, ok := e.Under(model); !ok || v.Verdict != verdict {
			return fmt.Errorf("%q: the catalogue has %q", test+"|"+claims, v.Verdict)
		}
	}
	return nil
}

// findTerm gives the term of an ID, if there is one.
func findTerm(id string) (*term, bool) {
	t, ok := glossary().byID[id]
	return t, ok
}

// glossaryView is the glossary's page, or what a search leaves of it.
type glossaryView struct {
	Query  string
	Groups []termGroup
	Found  int
}

func (s *server) getGlossary(w http.ResponseWriter, r *http.Request) {
	v := glossaryView{Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	words := strings.Fields(strings.ToLower(v.Query))
	for _, g := range glossary().groups {
		g.Terms = slices.DeleteFunc(slices.Clone(g.Terms), func(t *term) bool { return !t.has(words) })
		if len(g.Terms) > 0 {
			v.Groups = append(v.Groups, g)
			v.Found += len(g.Terms)
		}
	}
	s.Render(w, r, http.StatusOK, glossaryPage(shell.Nonce(r.Context()), v))
}

// getTerms gives the terms for the cards that scripts show of them.
func (s *server) getTerms(w http.ResponseWriter, r *http.Request) {
	s.writeKept(w, r, glossary().cards, glossary().etag)
}

// writeKept answers with JSON that stays the same as long as the program does: browsers keep
// it, and ask whether it is still so.
func (s *server) writeKept(w http.ResponseWriter, r *http.Request, body []byte, etag string) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client may have gone
}

// etagOf is a weak tag: what is sent may be compressed.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + hex.EncodeToString(sum[:8]) + `"`
}
