package textpage

import (
	"context"
	"encoding/json"
	"net/http"

	"litmuscope/store"
	"litmuscope/web/server"
)

// isView tells what a link may keep of the view: nothing, or an object of the page's.
func isView(text string) bool {
	var fields map[string]json.RawMessage
	return text == "" || len(text) <= server.MaxView && json.Unmarshal([]byte(text), &fields) == nil && fields != nil
}

// postLink keeps the form's question, and what field "view" says was shown of the answer, and leads to it.
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

// keptLink is where a link that was kept leads, as the page's script has it.
type keptLink struct {
	URL string `json:"url"`
}

// keep keeps a link, and leads to it.
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

// Read returns the link with an id. If there is none, it answers the request with that.
func (s *Permalinks) Read(w http.ResponseWriter, r *http.Request, id string) (store.Link, bool) {
	l, err := s.Store.Link(r.Context(), id)
	if err != nil {
		s.Server.FailOf(w, r, err)
	}
	return l, err == nil
}

// Permalinks are the links that pages about texts keep and open.
type Permalinks struct {
	Server *server.Server
	Store  LinkStore
}

// LinkStore keeps permalinks. [store.Store] is one.
type LinkStore interface {
	// SaveLink returns the link's id; store.ErrLinkTooLong among its errors.
	SaveLink(ctx context.Context, l store.Link) (id string, err error)
	// Link returns store.ErrNoLink for an id that no link has.
	Link(ctx context.Context, id string) (store.Link, error)
}
