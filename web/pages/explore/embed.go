package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// embedView is a question with its answer and picture, for a frame on another site.
type embedView struct {
	Name    string
	Source  []answer.SourcePart
	Answer  *answer.View
	Picture templ.Component // nil: none
	Action  string          // action of the form for browsers without scripts
	Hidden  [][2]string     // the form's fields except the chosen cell
	Open    string          // address in the explorer; "" if only the script knows it
	State   question.LinkState
}

// theme returns the theme in ?theme=; "" means the reader's choice.
func theme(r *http.Request) string {
	if t := r.URL.Query().Get("theme"); t == "light" || t == "dark" {
		return t
	}
	return ""
}

// getEmbed shows the classic test ?test=ID, or a page whose script reads the question from the address's fragment.
func (s *page) getEmbed(w http.ResponseWriter, r *http.Request) {
	if !r.URL.Query().Has("test") {
		s.server.Render(w, r, http.StatusOK, embedPage(server.Nonce(r.Context()), theme(r), "litmuscope", nil))
		return
	}
	e, ok := classic.Chosen(s.server, w, r, "")
	if !ok {
		return
	}
	q := question.Question{
		Source: e.Source, Models: question.FirstModelsOf(e),
		Options: solver.DefaultOptions(),
	}
	q.Options.Witnesses = true
	s.embed(w, r, q, "", embedView{
		Action: "/embed", Hidden: [][2]string{{"test", e.ID()}}, Open: "/?test=" + url.QueryEscape(e.ID()),
	})
}

// getEmbedLink shows the question of a short link.
func (s *page) getEmbedLink(w http.ResponseWriter, r *http.Request) {
	id := chi.URLParam(r, "id")
	l, ok := s.permalinks.Read(w, r, id)
	if !ok {
		return
	}
	q := question.FromLink(l)
	q.Options.Witnesses = true
	s.embed(w, r, q, string(l.View), embedView{Action: "/embed/t/" + id, Open: "/t/" + id})
}

// embed answers a browser without scripts with the view of a question.
func (s *page) embed(w http.ResponseWriter, r *http.Request, q question.Question, view string, v embedView) {
	p := viewedPick(view, s.server.Limits.Source)
	if err := s.fillEmbed(r, &v, q, p, r.URL.Query().Get("cell")); err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v.State.View = json.RawMessage(view)
	if t := theme(r); t != "" {
		v.Hidden = append(v.Hidden, [2]string{"theme", t})
	}
	s.server.Render(w, r, http.StatusOK, embedPage(server.Nonce(r.Context()), theme(r), v.Name, embedBody(v)))
}

// postEmbed answers the script of a framed page with the view of the form's question.
func (s *page) postEmbed(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	q, p, err := s.pictures.ReadPicture(r.PostForm)
	v := embedView{Action: "/embed"}
	if err == nil {
		err = s.fillEmbed(r, &v, q, p, r.PostForm.Get("cell"))
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, embedBody(v))
}

// fillEmbed answers the question. The picture is of the pick, of the cell "ROW COLUMN", or of the outcome that answers
// the question.
func (s *page) fillEmbed(r *http.Request, v *embedView, q question.Question, p answer.Pick, cell string) error {
	q.Named = true
	a, err := s.questions.Explore(r.Context(), q)
	if err != nil {
		return err
	}
	v.Answer = answer.ViewOf(a)
	v.Name, v.Source, v.State = v.Answer.Name, answer.PartSource(a.Source, v.Answer.Cells), question.LinkStateOf(q, "")
	if pressed, ok := answer.PressedCell(cell, a); ok {
		p = pressed
	}
	if p.Column == "" {
		p = v.Answer.First
	}
	if p.Column != "" {
		v.Answer.Pressed = v.Answer.CellOf(p, a.Columns)
		v.Picture = s.pictures.PictureOrWhy(r.Context(), s.pictures.PictureOfCell(q, p))
	}
	return nil
}

// viewedPick returns the picture that a link's view shows; the zero Pick if the view cannot be read.
func viewedPick(view string, most int) answer.Pick {
	var v struct {
		Pick struct {
			Column, State, Flag string
			N                   int
		}
	}
	if view == "" || json.Unmarshal([]byte(view), &v) != nil {
		return answer.Pick{}
	}
	p, err := picture.ReadPick(url.Values{
		"column": {v.Pick.Column}, "state": {v.Pick.State}, "flag": {v.Pick.Flag}, "n": {fmt.Sprint(max(1, v.Pick.N))},
	}, most)
	if err != nil {
		return answer.Pick{}
	}
	return p
}
