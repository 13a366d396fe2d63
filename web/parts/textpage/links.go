package textpage

import (
	"context"
	"encoding/json"
	"net/http"

	"litmuscope/store"
	"litmuscope/web/server"
)

// isView reports whether text is a valid view of a link: empty or a JSON object.
func isView(text string) bool {
	var fields map[string]json.RawMessage
	return text == "" || len(text) <= server.MaxView && json.Unmarshal([]byte(text), &fields) == nil && fields != nil
}

// postLink stores the form's question and the view in field "view", and answers with the link.
func (b *Page[Q]) postLink(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	q, err := b.Kept(r.PostForm)
	view := r.PostForm.Get("view")
	if err == nil && !isView(view) {
		err = server.Refuse("The view of the link is not valid JSON.")
	}
	if err != nil {
		b.Server.FailOf(w, r, err)
		return
	}
	l := b.Link(q)
	l.View = json.RawMessage(view)
	b.Permalinks.keep(w, r, l)
}

// keptLink is the address of a stored link, for the page's script.
type keptLink struct {
	URL string `json:"url"`
}

// keep stores a link and answers with its address.
func (s *Permalinks) keep(w http.ResponseWriter, r *http.Request, l store.Link) {
	id, err := s.Store.SaveLink(r.Context(), l)
	if err != nil {
		s.Server.FailOf(w, r, err)
		return
	}
	if server.IsFragment(r) {
		s.Server.WriteJSON(w, keptLink{"/t/" + id})
		return
	}
	http.Redirect(w, r, "/t/"+id, http.StatusSeeOther)
}

// Read returns the link with an id. If there is none, it answers with the error and returns false.
func (s *Permalinks) Read(w http.ResponseWriter, r *http.Request, id string) (store.Link, bool) {
	l, err := s.Store.Link(r.Context(), id)
	if err != nil {
		s.Server.FailOf(w, r, err)
	}
	return l, err == nil
}

// Permalinks stores and opens permalinks.
type Permalinks struct {
	Server *server.Server
	Store  LinkStore
}

// LinkStore stores permalinks. [store.Store] implements it.
type LinkStore interface {
	// SaveLink stores a link and returns its id, or store.ErrLinkTooLong.
	SaveLink(ctx context.Context, l store.Link) (id string, err error)
	// Link returns store.ErrNoLink for an id that no link has.
	Link(ctx context.Context, id string) (store.Link, error)
}
