// Package textpage has the parts shared by the explorer and the programs page: from the form to an answer, pictures,
// checks while typing, repairs, downloads, copies as commands and permalinks. An answer that takes long is sent in
// parts, and each part is the whole answer so far (coming.go). static/src/bench.js does the same for the scripts of
// these pages.
//
// It imports web/server, web/drawing and other parts: no page and no engine.
package textpage

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/picture"
	"litmuscope/web/server"
)

// Page is a page that answers questions about a text: the explorer or the programs page. They differ in the question Q
// and its answer, not in the way from a form to a part of the page.
type Page[Q any] struct {
	Server     *server.Server
	Pictures   *picture.Pictures
	Permalinks *Permalinks

	Page, Asks string // the addresses of the page and of its form
	Others     string // the prefix of all other addresses

	Examples string // the address of the examples
	Field    string // the query's field that names one
	First    string // the example that the editor has at first
	None     string // format of the error for an unknown name
	Find     func(id string) (Example[Q], bool)

	Read    func(url.Values) (Q, error) // of a form
	Answer  func(context.Context, Q, url.Values, Asked) (Answer, error)
	Check   func(context.Context, url.Values) (Checked, error)
	Picture func(context.Context, url.Values) (picture.Shown, error)
	View    func(Q) View
	Link    func(Q) store.Link          // what a permalink keeps of it
	Kept    func(url.Values) (Q, error) // read, for a link
	Copied  func(url.Values) (Q, error) // … for a copy
	Sharing shareMenu
	Copies  []CopyKind[Q]
}

// Example is an example text: the default question about it, and its JSON for the page's script.
type Example[Q any] struct {
	Asks   Q
	Script any
}

// Asked says how to answer.
type Asked struct {
	Alone   bool                         // send the answer without the page around it
	Partial func(func() templ.Component) // receives the answer so far
}

// Answer is an answer as a part of the page. Picture makes its picture for browsers without scripts; nil for none.
type Answer struct {
	Part    templ.Component
	Picture func(context.Context) (picture.Shown, error)
}

// Mount mounts the page.
func (b *Page[Q]) Mount(r chi.Router) {
	r.Get(b.Page, b.get)
	r.Post(b.Asks, b.Post)
	r.Get(b.Examples, b.getExample)
	r.Post(b.Others+"/check", b.postCheck)
	r.Post(b.Others+"/picture", b.postPicture)
	r.Post(b.Others+"/export", b.postExport)
	r.Post(b.Others+"/links", b.postLink)
	r.Get(b.Others+"/copy", func(w http.ResponseWriter, _ *http.Request) { b.Server.WriteJSON(w, b.menu()) })
	r.Post(b.Others+"/copy", b.postCopy)
}

// get shows the page with an example: the one that the query names, or the first.
func (b *Page[Q]) get(w http.ResponseWriter, r *http.Request) {
	if e, ok := server.Chosen(b.Server, w, r, b.Field, b.First, b.None, b.Find); ok {
		Show(b.Server, w, r, http.StatusOK, b.View(e.Asks))
	}
}

// getExample answers with one example, for the script.
func (b *Page[Q]) getExample(w http.ResponseWriter, r *http.Request) {
	if e, ok := server.Chosen(b.Server, w, r, b.Field, "", b.None, b.Find); ok {
		b.Server.WriteJSON(w, e.Script)
	}
}

// Post answers the form. Scripts get only the answer, browsers without scripts the whole page.
func (b *Page[Q]) Post(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	alone, status := server.IsFragment(r), http.StatusOK
	q, err := b.Read(r.PostForm)
	var a Answer
	if err == nil {
		var sent bool
		if a, sent, err = InParts(b.Server, w, r, func(told func(func() templ.Component)) (Answer, error) {
			return b.Answer(r.Context(), q, r.PostForm, Asked{alone, told})
		}); sent {
			return
		}
	}
	if err != nil {
		if status, a.Part = b.Server.ErrorPart(w, r, err); a.Part == nil {
			return
		}
	}
	if alone {
		b.Server.Render(w, r, status, a.Part)
		return
	}
	v := b.View(q)
	v.Common().Result = a.Part
	if a.Picture != nil {
		v.Common().Picture = b.Pictures.PictureOrWhy(r.Context(), a.Picture)
	}
	Show(b.Server, w, r, status, v)
}

// postCheck answers with the errors in a text while the visitor types.
func (b *Page[Q]) postCheck(w http.ResponseWriter, r *http.Request) {
	if !b.Server.ParseForm(w, r) {
		return
	}
	out, err := b.Check(r.Context(), r.PostForm)
	if err != nil {
		b.Server.FailOf(w, r, err)
		return
	}
	b.Server.WriteJSON(w, out)
}

// View is the view of such a page: a *pageView of the explorer, or a *claimPage.
type View interface {
	Common() *Shared
	Part(nonce string) templ.Component
}

// Show answers with the page.
func Show(s *server.Server, w http.ResponseWriter, r *http.Request, status int, v View) {
	s.Render(w, r, status, v.Part(server.Nonce(r.Context())))
}

// Shared has the parts that these pages share: the question, the choices, and the answer if there is one.
type Shared struct {
	Name     string // of the example; "" for the visitor's own
	ID, Note string // … of the example
	Source   string
	Models   []formfields.ModelView
	Engines  []formfields.EngineGroup
	Options  []formfields.OptionView
	Changed  bool            // something behind "more" is not as usual
	View     string          // what a link remembers to have shown, in the script's terms; "" = nothing
	Result   templ.Component // nil before a run
	Picture  templ.Component // nil where there is none yet
}

// Common implements [View].
func (v *Shared) Common() *Shared { return v }

// Share returns the view of a text, with the engines that support it and the options that visitors choose.
func Share(source string, all []engines.Engine, engine string, table []solver.Option, o *solver.Options) Shared {
	v := Shared{Source: source, Engines: formfields.ViewEngines(all, engine), Changed: engine != "" &&
		engine != all[0].Name}
	for _, opt := range table {
		if optionform.OnPage(opt) {
			control := formfields.ViewOption(opt, o)
			v.Changed = v.Changed || control.Value != control.Default
			v.Options = append(v.Options, control)
		}
	}
	return v
}

// From names the suite of the explorer's test, and links to the tests before and after it.
type From struct {
	Suite, URL string
	Place      string // "test 3 of 500"
	Prev, Next string // addresses; "" = there are none
	About      string // the model that the visitor came for
	Note       string
}
