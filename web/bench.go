package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web/shell"
)

// bench is a page on which a text is asked about: the explorer, or the page on programs. What differs between them
// is the question Q and its answer, not the way from a form to a part of the page.
type bench[Q asking] struct {
	*server
	page, asks string // the addresses of the page, and of its form
	others     string // what the addresses of all else begin with

	examples string // the address of the texts to begin with
	field    string // by which one is named
	first    string // the one that a visitor finds in the editor
	none     string // that there is none of a name
	find     func(id string) (benchExample[Q], bool)

	read    func(url.Values) (Q, error) // of a form
	answer  func(context.Context, Q, url.Values, bool) (benchAnswer, error)
	check   func(context.Context, url.Values) (checked, error)
	picture func(context.Context, url.Values) (shown, error)
	kept    func(url.Values) (Q, error) // read, for a link
	copied  func(url.Values) (Q, error) // … for a copy
	sharing shareMenu
	copies  []copyKind[Q]
}

// benchExample is a text to begin with: the usual question about it, and what the page's script has of it, as JSON.
type benchExample[Q asking] struct {
	asks   Q
	script any
}

// asking is what a page's form asks.
type asking interface {
	view(*server) workplace
	link() store.Link // what a permalink keeps of it
}

// benchAnswer is an answer as a part of the page, and what it shows a picture of, for browsers without scripts; nil
// for nothing.
type benchAnswer struct {
	part    templ.Component
	picture func(context.Context) (shown, error)
}

// mount mounts the page.
func (b *bench[Q]) mount(r chi.Router) {
	r.Get(b.page, b.get)
	r.Post(b.asks, b.post)
	r.Get(b.examples, b.getExample)
	r.Post(b.others+"/check", b.postCheck)
	r.Post(b.others+"/picture", b.postPicture)
	r.Post(b.others+"/export", b.postExport)
	r.Post(b.others+"/links", b.postLink)
	r.Get(b.others+"/copy", func(w http.ResponseWriter, _ *http.Request) { b.WriteJSON(w, b.sharing) })
	r.Post(b.others+"/copy", b.postCopy)
}

// get shows the page with an example in it: the one asked for, or the first.
func (b *bench[Q]) get(w http.ResponseWriter, r *http.Request) {
	if e, ok := chosen(b.server, w, r, b.field, b.first, b.none, b.find); ok {
		b.showBench(w, r, http.StatusOK, e.asks.view(b.server))
	}
}

// getExample gives one example to the script.
func (b *bench[Q]) getExample(w http.ResponseWriter, r *http.Request) {
	if e, ok := chosen(b.server, w, r, b.field, "", b.none, b.find); ok {
		b.WriteJSON(w, e.script)
	}
}

// chosen is what a field of the request names, otherwise another. If there is none, it answers so.
func chosen[E any](s *server, w http.ResponseWriter, r *http.Request, field, otherwise, none string, find func(id string) (E, bool)) (E, bool) {
	id := cmp.Or(r.URL.Query().Get(field), otherwise)
	e, ok := find(id)
	if !ok {
		s.Fail(w, r, http.StatusNotFound, fmt.Sprintf(none, id))
	}
	return e, ok
}

// post answers the form. Scripts get the answer alone, a browser without them the whole page.
func (b *bench[Q]) post(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	alone, status := shell.IsFragment(r), http.StatusOK
	q, err := b.read(r.PostForm)
	var a benchAnswer
	if err == nil {
		a, err = b.answer(r.Context(), q, r.PostForm, alone)
	}
	if err != nil {
		if status, a.part = b.Told(w, r, err); a.part == nil {
			return
		}
	}
	if alone {
		b.Render(w, r, status, a.part)
		return
	}
	v := q.view(b.server)
	v.common().Result = a.part
	if a.picture != nil {
		v.common().Picture = b.pictureOrWhy(r.Context(), a.picture)
	}
	b.showBench(w, r, status, v)
}

// pictureOrWhy is a picture as a part of a page, or why there is none.
func (s *server) pictureOrWhy(ctx context.Context, picture func(context.Context) (shown, error)) templ.Component {
	v, err := picture(ctx)
	if err != nil {
		return shell.ProblemPart(s.Fault(ctx, err).View)
	}
	return v.part()
}

// postCheck answers with what is wrong with a text while it is typed.
func (b *bench[Q]) postCheck(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	out, err := b.check(r.Context(), r.PostForm)
	if err != nil {
		b.FailOf(w, r, err)
		return
	}
	b.WriteJSON(w, out)
}

// workplace is a bench as a visitor has it: a *pageView, or a *claimPage.
type workplace interface {
	common() *benchView
	part(nonce string) templ.Component
}

func (s *server) showBench(w http.ResponseWriter, r *http.Request, status int, v workplace) {
	s.Render(w, r, status, v.part(shell.Nonce(r.Context())))
}

// benchView is what benches have in common: the question as it stands, what can be chosen,
// and the answer, once there is one.
type benchView struct {
	Name     string // of the example; "" for the visitor's own
	ID, Note string // … of the example
	Source   string
	Models   []modelView
	Engines  []engineGroup
	Options  []optionView
	Changed  bool            // something behind "more" is not as usual
	View     string          // what a link remembers to have shown, in the script's terms; "" = nothing
	Result   templ.Component // nil before a run
	Picture  templ.Component // nil where there is none yet
}

func (v *benchView) common() *benchView { return v }

// viewBench arranges a text, the engines that may be asked about it, and those of some options that visitors choose.
func viewBench(source string, all []engines.Engine, engine string, table []solver.Option, o *solver.Options) benchView {
	v := benchView{Source: source, Engines: viewEngines(all, engine), Changed: engine != "" && engine != all[0].Name}
	for _, opt := range table {
		if onPage(opt) {
			control := viewOption(opt, o)
			v.Changed = v.Changed || control.Value != control.Default
			v.Options = append(v.Options, control)
		}
	}
	return v
}
