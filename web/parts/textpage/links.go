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
func (b *Bench[Q]) postLink(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	q, err := b.Kept(r.PostForm)
	view := r.PostForm.Get("view")
	if err == nil && !isView(view) {
		err = server.Refuse("What the link is to show cannot be read.")
	}
	if err != nil {
		b.FailOf(w, r, err)
		return
	}
	l := b.Link(q)
	l.View = json.RawMessage(view)
	b.keepLink(w, r, l)
}

// keepLink keeps a link, and leads to it.
func (s *Desk) keepLink(w http.ResponseWriter, r *http.Request, l store.Link) {
	id, err := s.Links.SaveLink(r.Context(), l)
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	if server.IsFragment(r) {
		s.WriteJSON(w, map[string]string{"url": "/t/" + id})
		return
	}
	http.Redirect(w, r, "/t/"+id, http.StatusSeeOther)
}

// ReadLink is the link with an id. If there is none, it answers so.
func (s *Desk) ReadLink(w http.ResponseWriter, r *http.Request, id string) (store.Link, bool) {
	l, err := s.Links.Link(r.Context(), id)
	if err != nil {
		s.FailOf(w, r, err)
	}
	return l, err == nil
}

// Links keeps permalinks. [store.Store] is one.
type Links interface {
	// SaveLink returns the link's id; store.ErrLinkTooLong among its errors.
	SaveLink(ctx context.Context, l store.Link) (id string, err error)
	// Link returns store.ErrNoLink for an id that no link has.
	Link(ctx context.Context, id string) (store.Link, error)
}
