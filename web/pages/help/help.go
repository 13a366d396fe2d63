package help

import (
	_ "embed"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/models"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/modeltext"
	"litmuscope/web/server"
)

// glossaryView is the content of the glossary's page after a search.
type glossaryView struct {
	Query  string
	Groups []glossary.TermGroup
	Found  int
}

func (s *page) getGlossary(w http.ResponseWriter, r *http.Request) {
	v := glossaryView{Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	words := strings.Fields(strings.ToLower(v.Query))
	for _, g := range glossary.Table().Groups {
		g.Terms = slices.DeleteFunc(slices.Clone(g.Terms), func(t *glossary.Term) bool { return !t.Has(words) })
		if len(g.Terms) > 0 {
			v.Groups = append(v.Groups, g)
			v.Found += len(g.Terms)
		}
	}
	s.server.Render(w, r, http.StatusOK, glossaryPage(server.Nonce(r.Context()), v))
}

// getTerms sends the terms that scripts show as cards.
func (s *page) getTerms(w http.ResponseWriter, r *http.Request) {
	s.server.WriteKept(w, r, glossary.Table().Cards, glossary.Table().Etag)
}

// getModelPage shows the text of a built-in model or of a library file; as a fragment, only the text.
func (s *page) getModelPage(w http.ResponseWriter, r *http.Request) {
	name, _ := models.Split(chi.URLParam(r, "name"))
	v, ok := modeltext.ViewOf(name)
	if !ok {
		s.server.Fail(w, r, http.StatusNotFound,
			"There is no model or file of this name. The models are: "+strings.Join(models.AllNames(), ", ")+".")
		return
	}
	if server.IsFragment(r) || r.URL.Query().Has("fragment") {
		s.server.Render(w, r, http.StatusOK, modeltext.Part(*v))
		return
	}
	s.server.Render(w, r, http.StatusOK, modelPage(server.Nonce(r.Context()), *v))
}
