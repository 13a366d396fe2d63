package explore

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/compile"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// compiledView is a compiled test with the verdicts of both models.
type compiledView struct {
	Title   string
	By      string // the compiler, in a sentence; "" for a mapping
	Tied    textpage.Tied
	Text    string // the compiled test
	Listing string // what a compiler wrote; "" for a mapping
	URL     string // address of the compiled test in the explorer
	// Machine and Language are the models' names.
	Machine, Language string
	Verdict           mappingcheck.Verdict
	Says              string // the verdict in words
	Hint              string
	Sides             []side       // the answers of the language's and the architecture's model
	More              []string     // outcomes that only the architecture allows
	ThinAir           bool         // the C standard allows them all the same
	Paste             *listingView // the listing's form; nil unless the visitor sent the listing
	Rest              int          // number of further outcomes
	Choices           []choiceView
	Address           server.Address
}

// choiceView is a variant of a mapping.
type choiceView struct {
	Value, Label, Help string
	Chosen             bool
}

// maxShown is the maximum number of outcomes that the page shows for a wrong mapping.
const maxShown = 8

// postCompile compiles the form's test to the target in field "to", and checks the mapping on it. Scripts get the
// result, browsers without scripts a page.
func (s *page) postCompile(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	q, err := question.FromForm(r.PostForm)
	status, result := http.StatusOK, templ.Component(nil)
	if err == nil {
		q.Models = nil // the test's default model
		s.questions.Ceil(&q.Options)
		switch to := r.PostForm.Get("to"); {
		case strings.HasPrefix(to, toCompiler):
			result, err = s.compileBy(r.Context(), q, strings.TrimPrefix(to, toCompiler), r.PostForm)
		case to == toListing:
			status, result, err = s.readListing(r.Context(), q, r.PostForm)
		case to == toAll:
			var v *textpage.Beside
			if v, err = textpage.MapAll(r.Context(), s.questions, q, everyArchitecture()); err == nil {
				v.Title, v.Hint = "Compiled, side by side", besideHint
				v.Address = server.AddressOf("/compile", compileForm(r.PostForm))
				result = textpage.BesidePart(*v)
			}
		default:
			var v *compiledView
			if v, err = s.viewCompiled(r.Context(), q, to); err == nil {
				v.Address = server.AddressOf("/compile", compileForm(r.PostForm))
				result = compiled(*v)
			}
		}
	}
	if err != nil {
		if status, result = s.server.ErrorPart(w, r, err); result == nil {
			return
		}
	}
	if server.IsFragment(r) {
		s.server.Render(w, r, status, result)
		return
	}
	s.server.Render(w, r, status,
		compilePage(server.Nonce(r.Context()), server.UnixLines(q.Source),
			question.ExplorerLink(question.LinkState{Source: server.UnixLines(q.Source)}), result))
}

// compileForm returns what a compilation depends on.
func compileForm(f url.Values) url.Values {
	out := url.Values{}
	for _, name := range []string{"source", "to", "engine", "of", "listing"} {
		out[name] = f[name]
	}
	for name := range f {
		if strings.HasPrefix(name, optionform.Field("")) {
			out[name] = f[name]
		}
	}
	return out
}

// toAll is the target that stands for all architectures, side by side.
const toAll = "all"

const besideHint = "Each instruction has the colour of its line of C. Point at a line, or tap it, to see all its " +
	"instructions. " +
	"Each architecture uses its standard mapping; choose one to see its other mappings."

func everyArchitecture() (out []string) {
	for _, a := range compile.Machines() {
		out = append(out, a.Names[0])
	}
	return out
}

// viewCompiled compiles a test. to is an architecture, optionally followed by a space and variants of the mapping.
func (s *page) viewCompiled(ctx context.Context, q question.Question, to string) (*compiledView, error) {
	m, err := textpage.Map(ctx, s.questions, q, to, nil)
	if err != nil {
		return nil, err
	}
	v := &compiledView{
		Title: "Compiled to " + m.Of.Title, Says: m.Says(), Hint: m.HintText(),
	}
	v.fill(q, m.Made, m.Checked)
	for _, choice := range m.Of.Choices() {
		v.Choices = append(v.Choices, choiceView{
			Value: strings.TrimSpace(m.Of.Names[0] + " " + choice), Label: choiceLabel(choice),
			Help: m.Of.Describe(choice), Chosen: choice == m.Made.Variant,
		})
	}
	return v, nil
}

// fill adds what mappings and compilers have in common.
func (v *compiledView) fill(q question.Question, made *compile.Test, c *mappingcheck.Checked) {
	v.Tied, v.Text = textpage.Tie(server.UnixLines(q.Source), made.Threads), made.Text
	v.URL = question.ExplorerLink(question.LinkState{Source: made.Text, Models: []string{c.Architecture.Model}})
	v.Machine, v.Language = question.Label(c.Architecture.Model), question.Label(c.Language.Model)
	v.Verdict = c.Verdict
	language := "In C"
	if c.Language.Arch == "OPENCL" {
		language = "In OpenCL"
	}
	v.Sides = []side{sideLine(language, c.Language), sideLine("Compiled", c.Architecture)}
	for i, state := range c.Unsound {
		if i == maxShown {
			v.Rest = len(c.Unsound) - maxShown
			break
		}
		v.More = append(v.More, answer.StateText(state))
	}
}

func choiceLabel(choice string) string {
	if choice == "" {
		return "standard"
	}
	return strings.ReplaceAll(choice, "+", " + ")
}

// side is one model's answer for one of the two tests.
type side struct {
	Which   string // "In C, RC11"
	Verdict solver.Verdict
	Says    string
}

func sideLine(which string, r *solver.Result) side {
	return side{fmt.Sprintf("%s, %s", which, question.Label(r.Model)), r.Verdict, textpage.Says(r)}
}

// Bodies of the operation compile.
type (
	compileInput struct {
		Body struct {
			Source   string             `json:"source" limit:"test" doc:"the litmus test, in C"`
			To       string             `json:"to,omitempty" limit:"name" doc:"the architecture: x86_64, ppc, arm, aarch64, riscv or ptx; required unless there is a compiler" example:"aarch64"`
			Variant  string             `json:"variant,omitempty" limit:"name" doc:"variants of the mapping, as names with + between them" example:"llsc+ctrl"`
			Compiler string             `json:"compiler,omitempty" maxLength:"200" doc:"compile by this compiler of the server, and not by the mapping; GET /api/v1/compilers lists them" example:"gcc -O2"`
			Listing  string             `json:"listing,omitempty" limit:"test" doc:"read this assembly listing of the test's C file, in the syntax of the GNU assembler, and do not compile; to has its architecture"`
			Check    bool               `json:"check,omitempty" doc:"run both tests and report whether the mapping is right"`
			Model    string             `json:"model,omitempty" limit:"name" doc:"with check, the language's model; default: the test's own"`
			Options  optionform.Options `json:"options,omitempty"`
		}
	}
	compileOutput struct {
		Body struct {
			Arch   string `json:"arch" doc:"the architecture, as in the test's header"`
			Source string `json:"source" doc:"the compiled test"`
			Names  map[string]compile.
				Local `json:"names,omitempty" doc:"the source's local variables, by register"`
			Model string                `json:"model" doc:"the architecture's model"`
			Check *mappingcheck.Checked `json:"check,omitempty" doc:"the result of running both tests"`
			Text  string                `json:"text,omitempty" doc:"the check's verdict in words"`
			// For a compiler or a listing.
			Compiler *question.Compiler `json:"compiler,omitempty" doc:"the compiler that made the listing"`
			Listing  string             `json:"listing,omitempty" doc:"the compiler's listing"`
			Threads  []compile.Listing  `json:"threads,omitempty" doc:"the compiled threads: each instruction (text) with the line of the C test (from) that it comes from; 0 where that is unknown"`
			ThinAir  bool               `json:"thin_air,omitempty" doc:"only the axiom no-thin-air of the language's model forbids what the architecture allows: the C standard allows it, so it is no bug of the compiler"`
			Hint     string             `json:"hint,omitempty" doc:"a variant of the mapping that would be right, if there is one"`
		}
	}
)

// restCompile mounts the operation compile.
func (s *page) restCompile(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "compile", Path: "/api/v1/compile",
		Summary: "Compile a test in C or OpenCL",
		Description: "Compiles a C11 test to a test of an architecture, or one in OpenCL to PTX or Vulkan, by the " +
			"published mappings of atomic operations. " +
			"With check, runs both tests, each under its own model, and compares them: the mapping is wrong if " +
			"the architecture allows an outcome that the language forbids. " +
			"With compiler, a compiler of the server compiles the test, and its listing is read back into a test; " +
			"with listing, the listing of a compiler elsewhere is read back. Both always check the compiled code, " +
			"under the model that the field model names or the test's own. " +
			"If the test cannot be read or compiled, the response is a problem with status 422; its errors give " +
			"lines and " +
			"columns.",
	}), func(ctx context.Context, in *compileInput) (*compileOutput, error) {
		b := in.Body
		q := question.Question{Source: b.Source, Options: b.Options.OrUsual()}
		if b.Model != "" {
			if _, err := models.Named(b.Model); err != nil {
				return nil, s.server.Problem(ctx, question.RefusalOf(err))
			}
			q.Models = []string{b.Model}
		}
		s.questions.Ceil(&q.Options)
		if b.Compiler != "" || b.Listing != "" {
			out, err := s.restReadBack(ctx, q, in)
			if err != nil {
				return nil, s.server.Problem(ctx, err)
			}
			return out, nil
		}
		if b.To == "" {
			return nil, s.server.Problem(ctx, server.Refuse("The field to is missing: name an architecture, such as "+
				"aarch64, or a compiler."))
		}
		made, err := s.questions.Compile(ctx, server.UnixLines(b.Source), b.To, b.Variant)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		out := &compileOutput{}
		out.Body.Arch, out.Body.Source, out.Body.Names = made.Arch, made.Text, made.Names
		out.Body.Threads = made.Threads
		out.Body.Model = models.Default(made.Arch)
		if b.Check {
			if out.Body.Check, err = s.questions.CheckMapping(ctx, q, made, nil); err != nil {
				return nil, s.server.Problem(ctx, err)
			}
			out.Body.Text, out.Body.Hint = out.Body.Check.Text(), out.Body.Check.Hint(made)
		}
		return out, nil
	})
}
