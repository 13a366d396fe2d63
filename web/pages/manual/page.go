package manual

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

type page struct{ server *server.Server }

// New returns the pages of the manual.
func New(s *server.Server) server.Page {
	p := &page{s}
	return server.Page{Mount: func(r chi.Router) {
		r.Get(root, p.getIndex)
		r.Get(root+"/*", p.getPage)
	}}
}

// searchView is the result of a search.
type searchView struct {
	Query string
	Found []Found
}

func (s *page) getIndex(w http.ResponseWriter, r *http.Request) {
	index := pages()[""]
	v := searchView{Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	if v.Query != "" {
		v.Found = search(index, v.Query)
	}
	s.server.Render(w, r, http.StatusOK, indexPage(server.Nonce(r.Context()), index, v))
}

func (s *page) getPage(w http.ResponseWriter, r *http.Request) {
	p := pages()[chi.URLParam(r, "*")]
	if p == nil || p.Name == "" {
		s.server.Fail(w, r, http.StatusNotFound,
			"The manual has no page with this name. All pages are listed at "+root+".")
		return
	}
	s.server.Render(w, r, http.StatusOK, manualPage(server.Nonce(r.Context()), p))
}
