// Package modeltext renders the text of models, with links from every name to its definition and its sentence as a
// hint. [ViewOf] makes the view of a built-in model, [ViewLines] of any text, and [Link] the address of a line.
//
// It imports models, models/cat and web/parts/question: no page and no engine.
package modeltext

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/library"
	"litmuscope/web/parts/question"
)

// View is a model's text, with all that it includes.
type View struct {
	Title, About string
	Definitions  []DefView // of the model's own text
	Files        []fileView
}

type fileView struct {
	Name   string // as data-def has it
	Title  string
	Anchor string
	Lines  []lineView
}

// lineView is a line; its ID is L12, or FILE-L12 in what is included.
type lineView struct {
	ID     string
	Number int
	Parts  []partView
}

// partView is a piece of a line: what is defined there has an ID, the name of something that
// has a sentence has it as Title.
type partView struct{ ID, Class, Title, Text string }

// ViewOf returns the view of a built-in model, or of a file of the library, with all files that it includes.
func ViewOf(name string) (*View, bool) {
	texts, ok := models.Texts(name)
	if !ok {
		return nil, false
	}
	v := &View{
		Title: texts[0].Name,
		About: "A file of the library in the cat language. Every model may include it.",
	}
	m, ok := models.Find(texts[0].Name)
	if ok {
		v.Title = question.Label(m.Name)
		v.About = m.Title + ", in the cat language, with the files that it includes."
		v.define(m)
	}
	for i, t := range texts {
		f := fileView{Name: t.Name, Title: t.Name, Anchor: anchor(t.Name)}
		prefix := anchor(t.Name) + "-"
		if i == 0 {
			prefix = ""
			f.Title = strings.TrimSuffix(t.Name, ".cat") + ".cat"
		}
		f.Lines = ViewLines(m, t, prefix)
		v.Files = append(v.Files, f)
	}
	return v, true
}

// define lists the axioms and definitions of the model's own text.
func (v *View) define(m *models.Model) {
	add := func(name string, s cat.Source) {
		if s.File == m.Name {
			v.Definitions = append(v.Definitions, DefView{Name: name, Help: s.Doc, Link: "#L" + fmt.Sprint(s.From)})
		}
	}
	for _, a := range m.Axioms {
		add(a.Name, a.Source)
	}
	for _, d := range m.Defs {
		add(d.Name, d.Source)
	}
}

// Link leads to a line of a file on the page of a model, or of the file itself.
func Link(page, file string, line int) string {
	if file == page {
		return fmt.Sprintf("/models/%s#L%d", page, line)
	}
	return fmt.Sprintf("/models/%s#%s-L%d", page, anchor(file), line)
}

// anchor is a file's name as IDs have it.
func anchor(file string) string { return strings.NewReplacer(".", "-", "/", "-").Replace(file) }

var (
	catKeywords = func() map[string]bool {
		out := map[string]bool{}
		for _, w := range cat.Words() {
			out[w.Name] = out[w.Name] || w.Kind == "keyword"
		}
		return out
	}()
	catParts = litmus.Pattern(`\(\*|\*\)|"[^"]*"?|[A-Za-z_][A-Za-z0-9_.'-]*[A-Za-z0-9_.']|[A-Za-z_]|[^A-Za-z_"(*]+|.`)
)

// ViewLines parts a text into lines, and lines into what is written alike.
func ViewLines(m *models.Model, t library.File, prefix string) []lineView {
	var out []lineView
	depth := 0 // of comments
	defined := map[string]bool{}
	before := "" // the word before
	for i, line := range strings.Split(strings.TrimSuffix(t.Text, "\n"), "\n") {
		l := lineView{ID: fmt.Sprintf("%sL%d", prefix, i+1), Number: i + 1}
		put := func(p partView) {
			if n := len(l.Parts); n > 0 && p.ID == "" && l.Parts[n-1].ID == "" && l.Parts[n-1].Class == p.Class &&
				l.Parts[n-1].Title == "" && p.Title == "" {
				l.Parts[n-1].Text += p.Text
				return
			}
			l.Parts = append(l.Parts, p)
		}
		for _, text := range catParts().FindAllString(line, -1) {
			p := partView{Text: text}
			switch {
			case text == "(*":
				depth++
				p.Class = "comment"
			case text == "*)":
				depth = max(0, depth-1)
				p.Class = "comment"
			case depth > 0:
				p.Class = "comment"
			case text[0] == '"':
				p.Class = "string"
			case catKeywords[text]:
				p.Class = "keyword"
			case strings.Trim(text, " ") != "" &&
				(text[0] >= 'A' && text[0] <= 'Z' || text[0] >= 'a' && text[0] <= 'z' || text[0] == '_'):
				p.Title = display.Help(m, text)
				if id := prefix + "def-" +
					text; (before == "let" || before == "rec" || before == "and" || before == "as") && !defined[id] {
					defined[id] = true
					p.ID = id
				}
			}
			if depth == 0 && strings.TrimSpace(text) != "" {
				before = text
			}
			put(p)
		}
		out = append(out, l)
	}
	return out
}

// DefView is a definition or an axiom in the model's text.
type DefView struct {
	Name, Help string
	At         string // "file:from-to"
	Link       string // "" where no page shows it
}
