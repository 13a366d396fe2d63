package explore

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/readback"
	"litmuscope/models"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// Values of the field "to" that are no architectures: toCompiler stands before the name of one of the server's
// compilers, and toListing asks to read the field "listing".
const (
	toCompiler = "compiler "
	toListing  = "listing"
)

// listingView is the form for a listing of a compiler elsewhere.
type listingView struct {
	C        string // the test as a C file
	Machines []machineView
	Text     string // the listing as the visitor sent it
	Marks    []server.Mark
}

// machineView is an architecture whose listings can be read, with the compiler's options.
type machineView struct {
	To, Title, Options string
	Chosen             bool
}

// class is the class of the check's verdict. What the C standard allows is not shown as wrong.
func (v *compiledView) class() string {
	if v.ThinAir {
		return "open"
	}
	return string(v.Verdict)
}

// lines splits a text into its lines.
func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

// compilers are the server's compilers, for the page.
func (s *page) compilers() (out []answer.CompileView) {
	for _, c := range s.questions.Offered() {
		out = append(out, answer.CompileView{
			To: toCompiler + c.Name, Title: c.Name, Help: c.Version + ", to " + c.Title,
		})
	}
	return out
}

// withoutDebug cuts what a listing has for debuggers.
func withoutDebug(listing string) string {
	for i, l := range strings.Split(listing, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), ".section") && strings.Contains(l, ".debug_") {
			return strings.Join(strings.Split(listing, "\n")[:i], "\n")
		}
	}
	return listing
}

// compileBy compiles a test by a compiler of the server.
func (s *page) compileBy(
	ctx context.Context,
	q question.Question,
	name string,
	f url.Values,
) (templ.Component, error) {
	c, listing, err := s.questions.CompileBy(ctx, server.UnixLines(q.Source), name)
	if err != nil {
		return nil, err
	}
	v, err := s.viewReadBack(ctx, q, c, listing)
	var bad *question.BadListing
	switch {
	case errors.As(err, &bad):
		return unreadListing(unreadView{c.Name + " (" + c.Version + ")", bad.Marks(), listing}), nil
	case err != nil:
		return nil, err
	}
	v.Address = server.AddressOf("/compile", compileForm(f))
	return compiled(*v), nil
}

// unreadView is a compiler's listing that cannot be read back.
type unreadView struct {
	By      string
	Marks   []server.Mark
	Listing string
}

// readListing reads the form's listing. Without one, it shows the form for it.
func (s *page) readListing(ctx context.Context, q question.Question, f url.Values) (int, templ.Component, error) {
	form, err := s.viewListing(ctx, q, f)
	if err != nil || strings.TrimSpace(form.Text) == "" {
		return http.StatusOK, pasteListing(form), err
	}
	c := question.Compiler{To: f.Get("of")}
	for _, m := range form.Machines {
		if m.Chosen {
			c.Title = m.Title
		}
	}
	v, err := s.viewReadBack(ctx, q, c, form.Text)
	var bad *question.BadListing
	switch {
	case errors.As(err, &bad):
		form.Marks = bad.Marks()
		return http.StatusUnprocessableEntity, pasteListing(form), nil
	case err != nil:
		return http.StatusOK, nil, err
	}
	v.Paste = &form
	v.Address = server.AddressOf("/compile", compileForm(f))
	return http.StatusOK, compiled(*v), nil
}

func (s *page) viewListing(ctx context.Context, q question.Question, f url.Values) (v listingView, err error) {
	v.Text = server.UnixLines(f.Get("listing"))
	of := f.Get("of")
	for i, m := range readback.Machines() {
		text, options, err := s.questions.CFile(ctx, server.UnixLines(q.Source), m.Names[0])
		if err != nil {
			return v, err
		}
		v.C = text
		v.Machines = append(v.Machines, machineView{
			m.Names[0], m.Title, strings.Join(options, " "), of == m.Names[0] || of == "" && i == 0,
		})
	}
	return v, nil
}

// viewReadBack reads a listing back and compares it with the test.
func (s *page) viewReadBack(
	ctx context.Context, q question.Question, c question.Compiler, listing string,
) (*compiledView, error) {
	r, err := s.questions.ReadListing(ctx, q, c, listing)
	if err != nil {
		return nil, err
	}
	v := &compiledView{
		Title: "A listing for " + c.Title, Listing: withoutDebug(r.Listing),
		Says: textpage.Sentence(r.Words(question.Label)),
		By:   "The page has read the listing back into a test, instruction by instruction.",
	}
	if c.Name != "" {
		v.Title = "Compiled by " + c.Name + " to " + c.Title
		v.By = c.Version + ". " + v.By
	}
	v.fill(q, r.Made, r.Checked)
	v.ThinAir = r.ThinAir
	return v, nil
}

// restReadBack compiles a test by a compiler, or reads a listing, and checks the result.
func (s *page) restReadBack(ctx context.Context, q question.Question, in *compileInput) (*compileOutput, error) {
	b := in.Body
	var c question.Compiler
	listing, out := b.Listing, &compileOutput{}
	switch {
	case b.Compiler != "" && b.Listing != "":
		return nil, server.Refuse("There are a compiler and a listing: send one of them.")
	case b.Variant != "":
		return nil, server.Refuse(
			"The field variant chooses a mapping, and there is none with a compiler or a listing.",
		)
	case b.Compiler != "":
		var err error
		if c, listing, err = s.questions.CompileBy(ctx, server.UnixLines(b.Source), b.Compiler); err != nil {
			return nil, err
		}
		if b.To != "" && b.To != c.To {
			return nil, server.Refuse("The compiler %q compiles to %s, not to %s.", c.Name, c.To, b.To)
		}
		out.Body.Compiler = &c
	default:
		m, err := readback.Find(b.To)
		if err != nil {
			return nil, server.Refuse("%s", server.Sentence(err))
		}
		c = question.Compiler{To: m.Names[0], Title: m.Title}
	}
	r, err := s.questions.ReadListing(ctx, q, c, listing)
	if err != nil {
		return nil, err
	}
	out.Body.Arch, out.Body.Source, out.Body.Names = r.Made.Arch, r.Made.Text, r.Made.Names
	out.Body.Model, out.Body.Check, out.Body.Text = models.Default(r.Made.Arch), r.Checked, r.Words(plainModel)
	out.Body.Listing, out.Body.Threads, out.Body.ThinAir = r.Listing, r.Made.Threads, r.ThinAir
	return out, nil
}

func plainModel(model string) string { return model }

// compilersOutput is the answer of the operation compilers.
type compilersOutput struct {
	Body struct {
		Compilers []question.Compiler `json:"compilers"  nullable:"false" doc:"the compilers that the operation compile accepts"`
		FrontEnds []question.FrontEnd `json:"front_ends" nullable:"false" doc:"the compilers that turn programs in C++ and Rust into LLVM IR, for the operations verify and repair-program"`
	}
}

// restCompilers mounts the operation compilers.
func (s *page) restCompilers(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "compilers", Method: http.MethodGet, Path: "/api/v1/compilers",
		Summary:     "List the compilers",
		Description: "Lists the compilers that this server offers (serve --compilers). The list may be empty.",
	}, func(context.Context, *struct{}) (*compilersOutput, error) {
		out := &compilersOutput{}
		out.Body.Compilers = append([]question.Compiler{}, s.questions.Offered()...)
		out.Body.FrontEnds = append([]question.FrontEnd{}, s.questions.FrontEnds()...)
		return out, nil
	})
}
