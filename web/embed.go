package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/shell"
)

// embedView is a question with its answer and a picture, to be looked at in a page elsewhere.
type embedView struct {
	Name    string
	Source  []sourcePart
	Answer  *answerView
	Picture templ.Component // nil where there is none
	Action  string          // where the form leads that a browser without scripts sends
	Hidden  [][2]string     // what the form has beside the cell that is pressed
	Open    string          // the explorer's page of it; "" where only the script knows
	State   linkState
}

// sourcePart is a piece of a test's text; an instruction has a key, see cellKey.
type sourcePart struct{ Text, Key string }

// linkState is what an address's fragment holds, as the page's script has it: options are
// those that are not as usual, and the view is what is shown of the answer.
type linkState struct {
	Source  string            `json:"source"`
	Models  []string          `json:"models"`
	Own     []solver.OwnModel `json:"own,omitempty"`
	Engine  string            `json:"engine,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	View    json.RawMessage   `json:"view,omitempty"`
}

func linkStateOf(q question, view string) linkState {
	st := linkState{Source: shell.UnixLines(q.Source), Models: q.Models, Own: q.Own, Options: map[string]string{}, View: json.RawMessage(view)}
	if q.Engine != engines.Names()[0] {
		st.Engine = q.Engine
	}
	for _, o := range changedOptions(q.Options) {
		st.Options[o.name] = o.value
	}
	return st
}

// theme is the one that ?theme= asks for; "" is the reader's.
func theme(r *http.Request) string {
	if t := r.URL.Query().Get("theme"); t == "light" || t == "dark" {
		return t
	}
	return ""
}

// getEmbed shows a classic test, ?test=ID, or what the script finds in the address's fragment.
func (s *server) getEmbed(w http.ResponseWriter, r *http.Request) {
	if !r.URL.Query().Has("test") {
		s.Render(w, r, http.StatusOK, embedPage(shell.Nonce(r.Context()), theme(r), "litmuscope", nil))
		return
	}
	e, ok := s.chosenClassic(w, r, "")
	if !ok {
		return
	}
	q := question{Source: e.Source, Models: firstModels(dialect.Tongue(e.Source)), Options: solver.DefaultOptions()}
	q.Options.Witnesses = true
	s.embed(w, r, q, "", embedView{
		Action: "/embed", Hidden: [][2]string{{"test", e.ID()}}, Open: "/?test=" + url.QueryEscape(e.ID()),
	})
}

// getEmbedLink shows what a short link leads to.
func (s *server) getEmbedLink(w http.ResponseWriter, r *http.Request) {
	id := chi.URLParam(r, "id")
	l, ok := s.readLink(w, r, id)
	if !ok {
		return
	}
	q := fromLink(l)
	q.Options.Witnesses = true
	s.embed(w, r, q, string(l.View), embedView{Action: "/embed/t/" + id, Open: "/t/" + id})
}

// embed answers a browser's own request with the view of a question.
func (s *server) embed(w http.ResponseWriter, r *http.Request, q question, view string, v embedView) {
	p := viewedPick(view, s.Limits.Source)
	if err := s.fillEmbed(r, &v, q, p, r.URL.Query().Get("cell")); err != nil {
		s.FailOf(w, r, err)
		return
	}
	v.State.View = json.RawMessage(view)
	if t := theme(r); t != "" {
		v.Hidden = append(v.Hidden, [2]string{"theme", t})
	}
	s.Render(w, r, http.StatusOK, embedPage(shell.Nonce(r.Context()), theme(r), v.Name, embedBody(v)))
}

// postEmbed answers the script of a framed page with the view of the form's question.
func (s *server) postEmbed(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	q, p, err := s.readPicture(r.PostForm)
	v := embedView{Action: "/embed"}
	if err == nil {
		err = s.fillEmbed(r, &v, q, p, "")
	}
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	s.Render(w, r, http.StatusOK, embedBody(v))
}

// fillEmbed answers the question, with a picture of a pick, or of a cell, "ROW COLUMN", or
// else of what answers it.
func (s *server) fillEmbed(r *http.Request, v *embedView, q question, p pick, cell string) error {
	q.Named = true
	a, err := s.explore(r.Context(), q)
	if err != nil {
		return err
	}
	v.Answer = viewAnswers(a)
	v.Name, v.Source, v.State = v.Answer.Name, partSource(a.source, v.Answer.Cells), linkStateOf(q, "")
	if pressed, ok := pressedCell(cell, a); ok {
		p = pressed
	}
	if p.Column == "" {
		p = v.Answer.First
	}
	if p.Column != "" {
		v.Answer.Pressed = v.Answer.cellOf(p, a.columns)
		v.Picture = s.pictureOrWhy(r.Context(), s.pictureOfCell(q, p))
	}
	return nil
}

// pressedCell is the cell whose button was pressed without scripts.
func pressedCell(text string, a *answers) (pick, bool) {
	rows := tabulate(a).rows
	var row, col int
	if n, _ := fmt.Sscan(text, &row, &col); n != 2 || row < 0 || row >= len(rows) || col < 0 || col >= len(a.columns) {
		return pick{}, false
	}
	return pick{Column: a.columns[col].String(), State: rows[row].State}, true
}

// viewedPick is what a link's view has a picture of; none where that cannot be read.
func viewedPick(view string, most int) pick {
	var v struct {
		Pick struct {
			Column, State, Flag string
			N                   int
		}
	}
	if view == "" || json.Unmarshal([]byte(view), &v) != nil {
		return pick{}
	}
	p, err := readPick(url.Values{
		"column": {v.Pick.Column}, "state": {v.Pick.State}, "flag": {v.Pick.Flag}, "n": {fmt.Sprint(max(1, v.Pick.N))},
	}, most)
	if err != nil {
		return pick{}
	}
	return p
}

// partSource makes the instructions in a test's text out.
func partSource(source string, cells []cellView) []sourcePart {
	cells = slices.SortedFunc(slices.Values(cells), func(a, b cellView) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	var out []sourcePart
	n := 0
	for line := range strings.Lines(strings.TrimRight(source, "\n")) {
		n++
		units := utf16.Encode([]rune(line))
		at := 0
		for len(cells) > 0 && cells[0].Line <= n {
			c := cells[0]
			cells = cells[1:]
			if end := c.Col + c.Length; c.Line == n && c.Col >= at && end <= len(units) {
				out = append(out,
					sourcePart{Text: string(utf16.Decode(units[at:c.Col]))},
					sourcePart{string(utf16.Decode(units[c.Col:end])), c.Key})
				at = end
			}
		}
		out = append(out, sourcePart{Text: string(utf16.Decode(units[at:]))})
	}
	return out
}

// sourceHTML is the text with its instructions for the script to find.
func sourceHTML(parts []sourcePart) string {
	var b strings.Builder
	b.WriteString("<pre>")
	for _, p := range parts {
		text := templ.EscapeString(p.Text)
		if p.Key != "" {
			text = `<span data-cell="` + p.Key + `">` + text + "</span>"
		}
		b.WriteString(text)
	}
	b.WriteString("</pre>")
	return b.String()
}
