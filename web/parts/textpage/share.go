package textpage

import (
	"context"
	"net/http"
	"net/url"
	"slices"
)

// ShareKind is an entry of the Share menu: a kind of link, the source, or a format in which to copy a question.
type ShareKind struct {
	Name string `json:"name"`
	Help string `json:"help"`
	Kind string `json:"kind"`
}

// CopyKind is a format in which a page's question Q, with its answer, can be copied.
type CopyKind[Q any] struct {
	ShareKind
	Write func(context.Context, Q, url.Values) (string, error)
}

// ShortLink is the entry of the Share menu that stores a permalink on the server.
var ShortLink = ShareKind{"Short link", "The server stores the question and its view.", "short"}

type shareMenu struct {
	Teach  bool        `json:"teach"` // a class can be opened on it
	Links  []ShareKind `json:"links"`
	Copies []ShareKind `json:"copies"`
}

// Sharing returns the Share menu of a page. With teach, it offers to open a class.
func Sharing[Q any](teach bool, source ShareKind, copies []CopyKind[Q], links ...ShareKind) shareMenu {
	menu := shareMenu{teach, links, []ShareKind{source}}
	for _, c := range copies {
		menu.Copies = append(menu.Copies, c.ShareKind)
	}
	return menu
}

// menu returns the page's Share menu. A static site has no entries that need a server: short links, classes and
// commands for REST.
func (b *Page[Q]) menu() shareMenu {
	m := b.Sharing
	if b.Server.Static != nil {
		served := func(k ShareKind) bool { return k == ShortLink || k.Kind == "curl" }
		m = shareMenu{
			false, slices.DeleteFunc(slices.Clone(m.Links), served),
			slices.DeleteFunc(slices.Clone(m.Copies), served),
		}
	}
	return m
}

// postCopy answers with the form's question as text, in ?format=; for some of them field
// "origin" is the server as its visitors reach it, and field "link" leads to the question.
func (b *Page[Q]) postCopy(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	i := slices.IndexFunc(b.Copies, func(k CopyKind[Q]) bool { return k.Kind == r.URL.Query().Get("format") })
	if i < 0 {
		b.Server.Fail(w, r, http.StatusNotFound, "There is no such format.")
		return
	}
	q, err := b.Copied(r.PostForm)
	var text string
	if err == nil {
		text, err = b.Copies[i].Write(r.Context(), q, r.PostForm)
	}
	b.Server.SendText(w, r, text, err)
}
