package programs

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// claimPage is the content of the programs page.
type claimPage struct {
	textpage.Shared
	Properties []propertyView
	AllRaces   bool                    // data races are checked under models of machines too
	Fields     []formfields.OptionView // settings of the task other than the Options
	Own        []formfields.OwnView
	File       string // the name of the file in the editor
	Others     []solver.SourceFile
	Unroll     formfields.OptionView // shown apart from the Options
	Language   formfields.OptionView
}

// Part implements [textpage.View].
func (v *claimPage) Part(nonce string) templ.Component { return verifyPage(nonce, *v) }

// programPages mounts the page on C programs. With form field "open", the page shows a program without verifying it.
func (s *page) programPages(r chi.Router) {
	b := &textpage.Page[claim]{
		Server: s.server, Pictures: s.pictures, Permalinks: s.permalinks, Page: "/programs", Asks: "/programs",
		Others:   "/programs",
		Examples: "/programs/program", Field: "program", First: firstExample, None: "There is no program %q.",
		Find: func(id string) (textpage.Example[claim], bool) {
			e, ok := findExample(id)
			c := newClaim(e.Source)
			c.Defines = e.Defines
			if e.Properties != nil {
				c.Properties = e.Properties
			}
			c.Options.Unroll = cmp.Or(e.Unroll, c.Options.Unroll)
			return textpage.Example[claim]{Asks: c, Script: scriptExample{e, c.Models}}, ok
		},
		View: viewClaim, Link: claim.link,
		Read: readClaim, Answer: s.answerClaims, Check: s.checkProgramForm, Picture: s.askFailing,
		Kept: checkedClaim, Sharing: textpage.Sharing(false, programSource, s.claimCopies(), programLinks...),
		Copies: s.claimCopies(),
		Copied: func(f url.Values) (claim, error) {
			c, err := checkedClaim(f)
			s.questions.Ceil(&c.Options)
			return c, err
		},
	}
	b.Mount(r)
	r.Post("/programs/compiled", s.postCompiled)
	r.Get("/programs/compiled", s.server.FromAddress(s.postCompiled))
	r.Post("/programs/repair", s.postRepair)
	r.Get("/programs/repair", s.server.FromAddress(s.postRepair))
	r.Get("/programs/list", s.getExampleList)
	for _, old := range []string{"/verify", "/verify/*"} { // old addresses of the page
		r.HandleFunc(old, func(w http.ResponseWriter, r *http.Request) {
			to := *r.URL
			to.Scheme, to.Host, to.Path, to.RawPath = "", "", "/programs"+strings.TrimPrefix(r.URL.Path, "/verify"), ""
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		})
	}
	r.Post("/programs", func(w http.ResponseWriter, r *http.Request) {
		if !s.server.ParseForm(w, r) {
			return
		}
		if r.PostForm.Has("open") {
			textpage.Show(s.server, w, r, http.StatusOK,
				viewClaim(newClaim(server.UnixLines(r.PostForm.Get("source")))))
			return
		}
		b.Post(w, r)
	})
}

// viewClaim makes the page for a claim.
func viewClaim(c claim) textpage.View {
	table := slices.DeleteFunc(slices.Clone(engines.VerifyOptions),
		func(o solver.Option) bool { return o.Name == "unroll" })
	v := &claimPage{
		Shared:     textpage.Share(c.Source, engines.Verifiers(), c.Engine, table, &c.Options),
		Properties: viewProperties(c.Properties), AllRaces: c.Has(ir.DataRace),
		Fields: taskFields(c), Language: languageField(c), Own: formfields.ViewOwn(c.Own),
		File: c.Path, Others: c.Others,
	}
	if e, ok := exampleOf(&c); ok {
		v.Name, v.ID, v.Note = e.Title, e.ID, e.Note
	}
	front := firstProgramModels(c.Source)
	known, _ := engines.VerifyModels(c.VerifyTask)
	for _, m := range formfields.ViewModels(c.Models, engines.ProgramTongue(c.VerifyTask)) {
		if m.Front = m.Chosen || slices.Contains(front, m.Name); m.Front || slices.Contains(known, m.Name) {
			v.Models = append(v.Models, m)
		}
	}
	for _, f := range v.Fields {
		v.Changed = v.Changed || f.Value != f.Default
	}
	for _, o := range engines.VerifyOptions {
		if o.Name == "unroll" {
			v.Unroll = formfields.ViewOption(o, &c.Options)
		}
	}
	return v
}

// taskFields returns the settings of a task other than its options, with the names of the command line.
func taskFields(c claim) []formfields.OptionView {
	return []formfields.OptionView{
		levelField(c),
		{
			Field: optionform.Field("defines"), Name: "macros", Value: macroText(c.Defines),
			Help: "NAME or NAME=VALUE, separated by spaces or line breaks",
		},
		{
			Field: optionform.Field("entry"), Name: "entry", Value: c.Entry,
			Help: "the function where the program starts; default: main",
		},
		{
			Field: optionform.Field("data-model"), Name: "data model", Value: c.DataModel,
			Choices: append([]string{""}, engines.DataModels()...), Help: "width of long and of pointers: 64 bits " +
				"(lp64) or 32 (ilp32); default: that of the model’s machine",
		},
		{
			Field: optionform.Field("char"), Name: "plain char", Value: c.Char,
			Choices: append([]string{""}, engines.Chars()...),
			Help:    "signed or unsigned; default: that of the model’s machine",
		},
		{
			Field: optionform.Field("target"), Name: "target", Value: c.Target,
			Choices: slices.Concat([]string{""}, engines.Targets, engines.TargetVariants()),
			Help:    "what atomics are compiled to; default: the model’s choice",
		},
		{
			Field: optionform.Field("volatile"), Name: "volatile", Value: c.Volatile,
			Choices: []string{"", solver.CountRelaxed},
			Help:    "relaxed: accesses of volatile objects count as relaxed atomics, for code from before C11",
		},
		{
			Field: optionform.Field("plain"), Name: "plain", Value: c.Plain,
			Help: "relaxed:NAME,NAME: plain accesses of these variables and fields count as relaxed atomics",
		},
		{
			Field: optionform.Field("count"), Name: "count", Value: strconv.FormatBool(c.Count), Default: "false",
			Tick: true, Help: "also count complete executions",
		},
		{
			Field: optionform.Field("minimise"), Name: "minimise", Value: strconv.FormatBool(c.Minimise),
			Default: "false",
			Tick:    true, Help: "find a failure with as few context switches or reorderings as possible",
		},
	}
}

// answerClaims verifies the form's claim.
func (s *page) answerClaims(
	ctx context.Context, c claim, f url.Values, asked textpage.Asked,
) (out textpage.Answer, err error) {
	c.Again = f.Has("show")
	results, err := s.verify(ctx, c.verifyQuestion, func(results []*solver.Verification) {
		asked.Partial(func() templ.Component { return claimsAnswer(*s.viewClaims(&c, results)) })
	})
	if err != nil {
		return out, err
	}
	v := s.viewClaims(&c, results)
	if show := f.Get("show"); slices.ContainsFunc(v.Rows, func(r claimRow) bool { return r.Model == show && r.Drawn }) {
		v.Shown = show
	}
	if v.Shown != "" {
		out.Picture = func(ctx context.Context) (picture.Shown, error) { return s.viewFailing(ctx, &c, v.Shown) }
	}
	out.Part = claimsAnswer(*v)
	return out, nil
}

// askFailing returns the execution in which the form's program fails under the model in field "column".
func (s *page) askFailing(ctx context.Context, f url.Values) (picture.Shown, error) {
	c, err := readClaim(f)
	if err != nil {
		return nil, err
	}
	return s.viewFailing(ctx, &c, f.Get("column"))
}

// checkProgramForm checks a program while it is typed.
func (s *page) checkProgramForm(ctx context.Context, f url.Values) (textpage.Checked, error) {
	c, err := readClaim(f)
	out := textpage.Checked{Errors: []server.Mark{}, Remarks: []server.Mark{}}
	if err == nil {
		out.Errors, err = s.readProgram(ctx, c)
	}
	var no server.Refusal
	if errors.As(err, &no) {
		out.Errors, err = []server.Mark{{Line: 1, Col: 1, Message: err.Error()}}, nil
	}
	return out, err
}
