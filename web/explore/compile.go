package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/compile"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/answer"
	"litmuscope/web/apart"
	"litmuscope/web/ask"
	"litmuscope/web/bench"
	"litmuscope/web/option"
	"litmuscope/web/shell"
)

// compiledView is what a test was compiled to, and what the models say of both.
type compiledView struct {
	Title   string
	Source  string // the test in C
	Text    string // what it was compiled to
	URL     string // … in the explorer
	Verdict mappingcheck.Verdict
	Says    string // the verdict in words
	Hint    string
	Sides   []side   // of the language and of the architecture
	More    []string // states that the architecture alone allows
	Rest    int      // further ones
	Choices []choiceView
}

// choiceView is a variant of a mapping.
type choiceView struct {
	Value, Label, Help string
	Chosen             bool
}

// maxShown bounds the states of a mapping that is wrong which a page shows.
const maxShown = 8

// compileTest compiles a test apart from this process. Its error is a refusal, a badTest, the
// context's, or a fault of the program.
func (s *room) compileTest(ctx context.Context, source, to, variant string) (*compile.Test, error) {
	if err := s.Fits(source, &ask.Question{}); err != nil {
		return nil, err
	}
	reply, err := apart.Compiling.Call(ctx, s.Sandbox, compile.Request{File: ask.FileName, Source: source, To: to, Variant: variant})
	switch {
	case err != nil:
		return nil, shell.TooMuch(err, "Compiling this")
	case reply.Why != "":
		return nil, shell.Refuse("%s.", strings.ToUpper(reply.Why[:1])+reply.Why[1:])
	case len(reply.Errors) > 0:
		return nil, &ask.BadTest{Source: source, Errs: reply.Errors}
	}
	return reply.Made, nil
}

// checkMapping holds what a test was compiled to against it, within a question's limits.
// Where the language has been asked before, that is what it said.
func (s *room) checkMapping(ctx context.Context, q ask.Question, made *compile.Test, said *solver.Result) (*mappingcheck.Checked, error) {
	limited, cancel := context.WithTimeout(ctx, shell.MaxQuestion)
	defer cancel()
	model := ""
	if len(q.Models) > 0 {
		model = q.Models[0]
	}
	c, err := mappingcheck.Check(limited, s.Runner, mappingcheck.Question{
		Source: solver.Task{Path: ask.FileName, Source: shell.UnixLines(q.Source), Model: model, Options: q.Limits()}, Made: made, Language: said,
	})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, shell.Refuse("Running both tests takes longer than %v.", shell.MaxQuestion)
	}
	return c, err
}

// postCompile compiles the form's test, as field "to" says, and tells whether the mapping is
// right for it: scripts get that alone, a browser without them a page.
func (s *room) postCompile(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	q, err := ask.FromForm(r.PostForm)
	status, result := http.StatusOK, templ.Component(nil)
	if err == nil {
		q.Models = nil // the test's own
		s.Ceil(&q.Options)
		if to := r.PostForm.Get("to"); to == toAll {
			var v *bench.Beside
			if v, err = s.viewBeside(r.Context(), q); err == nil {
				result = bench.BesidePart(*v)
			}
		} else {
			var v *compiledView
			if v, _, _, err = s.viewCompiled(r.Context(), q, to, nil); err == nil {
				result = compiled(*v)
			}
		}
	}
	if err != nil {
		if status, result = s.Told(w, r, err); result == nil {
			return
		}
	}
	if shell.IsFragment(r) {
		s.Render(w, r, status, result)
		return
	}
	s.Render(w, r, status, compilePage(shell.Nonce(r.Context()), shell.UnixLines(q.Source), ask.ExplorerLink(ask.LinkState{Source: shell.UnixLines(q.Source)}), result))
}

// toAll asks for every architecture, side by side.
const toAll = "all"

// viewBeside arranges what a test is compiled to for every architecture.
func (s *room) viewBeside(ctx context.Context, q ask.Question) (*bench.Beside, error) {
	v := &bench.Beside{Hint: "A line has the colour of the line of C that it comes of: point at one, or tap it, to see all of it. " +
		"The standard mapping of each; others are to be had one by one."}
	all := compile.Architectures()
	v.Columns = make([]bench.BesideColumn, len(all))
	made := make([]*compile.Test, len(all))
	said := make([]*solver.Result, len(all))
	one := func(i int, before *solver.Result) (err error) {
		c := &v.Columns[i]
		c.Title, c.To = all[i].Title, all[i].Names[0]
		var one *compiledView
		one, made[i], said[i], err = s.viewCompiled(ctx, q, c.To, before)
		var bad *ask.BadTest
		var no shell.Refusal
		switch {
		case errors.As(err, &bad):
			c.Problem = &shell.ProblemView{Text: "This cannot be compiled:", Marks: bad.Marks()}
			return nil
		case errors.As(err, &no):
			c.Problem = &shell.ProblemView{Text: err.Error()}
			return nil
		case err != nil:
			return err
		}
		c.Said, c.Class, c.Mapping, c.Hint, c.URL = one.Sides[1].said(), string(one.Verdict), one.Says, one.Hint, one.URL
		return nil
	}
	// The language is asked with the first that can be compiled to; the others go at once.
	first := 0
	for ; first < len(all) && said[max(first-1, 0)] == nil; first++ {
		if err := one(first, nil); err != nil {
			return nil, err
		}
	}
	before := said[first-1]
	if err := ask.AtOnce(len(all)-first, func(i int) error { return one(first+i, before) }); err != nil {
		return nil, err
	}
	if before != nil {
		v.Said = sideLine("C", before).said()
	}
	v.Source = bench.Numbered(shell.UnixLines(q.Source), func(line int) bool {
		return slices.ContainsFunc(made, func(m *compile.Test) bool { return m != nil && comesOf(m, line) })
	})
	for i, m := range made {
		if m == nil {
			continue
		}
		for _, th := range m.Threads {
			of := bench.BesideThread{Name: fmt.Sprintf("P%d", th.ID)}
			for _, l := range th.Lines {
				tint := 0
				if l.From >= 1 && l.From <= len(v.Source) {
					tint = v.Source[l.From-1].Tint
				}
				of.Lines = append(of.Lines, bench.CodeLine{Text: l.Text, Line: l.From, Tint: tint})
			}
			v.Columns[i].Threads = append(v.Columns[i].Threads, of)
		}
	}
	return v, nil
}

// comesOf tells whether anything was made of a line of the source.
func comesOf(m *compile.Test, line int) bool {
	return slices.ContainsFunc(m.Threads, func(th compile.Listing) bool {
		return slices.ContainsFunc(th.Lines, func(l compile.Line) bool { return l.From == line })
	})
}

// viewCompiled arranges what a test is compiled to; to is an architecture, and perhaps, behind
// a blank, variants. It gives the test that was made, too, and what the language says of the source, which it is not asked
// again if it has said so.
func (s *room) viewCompiled(ctx context.Context, q ask.Question, to string, said *solver.Result) (*compiledView, *compile.Test, *solver.Result, error) {
	arch, variant, _ := strings.Cut(to, " ")
	source := shell.UnixLines(q.Source)
	made, err := s.compileTest(ctx, source, arch, variant)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := s.checkMapping(ctx, q, made, said)
	if err != nil {
		return nil, nil, nil, err
	}
	a, err := compile.Find(arch)
	if err != nil {
		return nil, nil, nil, err
	}
	v := &compiledView{
		Title: a.Title, Source: source, Text: made.Text, URL: ask.ExplorerLink(ask.LinkState{Source: made.Text, Models: []string{c.Architecture.Model}}),
		Verdict: c.Verdict, Says: bench.Sentence(c.Words(ask.Label)), Hint: bench.Sentence(c.HintWords(made, ask.Label)),
	}
	v.Sides = []side{sideLine("In C", c.Language), sideLine("Compiled", c.Architecture)}
	for i, state := range c.More {
		if i == maxShown {
			v.Rest = len(c.More) - maxShown
			break
		}
		v.More = append(v.More, answer.StateText(state))
	}
	for _, choice := range a.Choices() {
		v.Choices = append(v.Choices, choiceView{
			Value: strings.TrimSpace(a.Names[0] + " " + choice), Label: choiceLabel(choice), Help: a.Describe(choice), Chosen: choice == made.Variant,
		})
	}
	return v, made, c.Language, nil
}

func choiceLabel(choice string) string {
	if choice == "" {
		return "standard"
	}
	return strings.ReplaceAll(choice, "+", " + ")
}

// side is what a model says of one of the two tests.
type side struct {
	Which   string // "In C, RC11"
	Model   string // "RC11"
	Verdict solver.Verdict
	Says    string
}

func (s side) said() bench.Said {
	return bench.Said{Class: answer.VerdictClass(s.Verdict), Mark: answer.VerdictMark(s.Verdict), Text: s.Model + " " + s.Says}
}

func sideLine(which string, r *solver.Result) side {
	says := map[solver.Verdict]string{solver.Allowed: "allows it", solver.Forbidden: "forbids it", solver.Undecided: "leaves it open"}[r.Verdict]
	if r.Status == solver.Failed {
		says = "could not be asked: " + r.Error
	}
	return side{fmt.Sprintf("%s, %s", which, ask.Label(r.Model)), ask.Label(r.Model), r.Verdict, says}
}

// The bodies of the operation that compiles a test.
type (
	compileInput struct {
		Body struct {
			Source  string         `json:"source" limit:"test" doc:"the litmus test, in C"`
			To      string         `json:"to" limit:"name" doc:"the architecture: x86_64, ppc, arm, aarch64 or riscv" example:"aarch64"`
			Variant string         `json:"variant,omitempty" limit:"name" doc:"how to compile what can be compiled in several ways, names with + between them" example:"llsc+ctrl"`
			Check   bool           `json:"check,omitempty" doc:"run both tests, and say whether the mapping is right"`
			Model   string         `json:"model,omitempty" limit:"name" doc:"with check, the language's model; the test's own when absent"`
			Options option.Options `json:"options,omitempty"`
		}
	}
	compileOutput struct {
		Body struct {
			Arch   string                   `json:"arch" doc:"the architecture, as the header of the test has it"`
			Source string                   `json:"source" doc:"the test that was made"`
			Names  map[string]compile.Local `json:"names,omitempty" doc:"the source's locals, by the registers that hold them"`
			Model  string                   `json:"model" doc:"the architecture's model"`
			Check  *mappingcheck.Checked    `json:"check,omitempty" doc:"what comes of running both"`
			Text   string                   `json:"text,omitempty" doc:"the check's verdict in words"`
			Hint   string                   `json:"hint,omitempty" doc:"a variant that helps, where one does"`
		}
	}
)

// restCompile mounts the operation that compiles a test.
func (s *room) restCompile(api huma.API) {
	huma.Register(api, s.Asking(huma.Operation{
		OperationID: "compile", Path: "/api/v1/compile",
		Summary: "Compile a test in C",
		Description: "Makes of a C11 test the test of an architecture that compilers make of it, by the published mappings of atomic operations. " +
			"With check, both are run, each under the model of its own, and held against each other: what the architecture allows, the language has to allow, or the mapping is wrong. " +
			"A test that cannot be read or compiled is a problem with status 422, whose errors have its lines and columns.",
	}), func(ctx context.Context, in *compileInput) (*compileOutput, error) {
		b := in.Body
		q := ask.Question{Source: b.Source, Options: b.Options.OrUsual()}
		if b.Model != "" {
			if _, err := models.Named(b.Model); err != nil {
				return nil, s.Problem(ctx, ask.RefusalOf(err))
			}
			q.Models = []string{b.Model}
		}
		s.Ceil(&q.Options)
		made, err := s.compileTest(ctx, shell.UnixLines(b.Source), b.To, b.Variant)
		if err != nil {
			return nil, s.Problem(ctx, err)
		}
		out := &compileOutput{}
		out.Body.Arch, out.Body.Source, out.Body.Names = made.Arch, made.Text, made.Names
		out.Body.Model = models.Default(made.Arch)
		if b.Check {
			if out.Body.Check, err = s.checkMapping(ctx, q, made, nil); err != nil {
				return nil, s.Problem(ctx, err)
			}
			out.Body.Text, out.Body.Hint = out.Body.Check.Text(), out.Body.Check.Hint(made)
		}
		return out, nil
	})
}
