package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/cyclediagram"
	"litmuscope/web/shell"
)

// question is what a visitor asks, from the form, a permalink or REST.
type question struct {
	Source     string
	Models     []string          // columns, as text; see [column]
	Own        []solver.OwnModel // the visitor's own models, as far as Models names them
	Again      bool              // it was answered just now, and an answer cut short then will do
	Named      bool              // the test's name is wanted with the answers
	ModelText  string            // for the name in Models that is of none of them, of REST alone
	ModelFiles map[string]string // what it includes
	Before     string            // the test that Source was made of; "" where nobody asks
	Engine     string
	Options    solver.Options
}

var errQuestion = fmt.Errorf("the question as a whole took longer than %v", shell.MaxQuestion)

// withinQuestion bounds what is done for a question.
func withinQuestion(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, shell.MaxQuestion, errQuestion)
}

// ask has a question of some answered, within their time; again, an answer that was given just now will do.
func ask[A solver.Answer](ctx context.Context, s *server, q solver.Asking[A], again bool) (A, error) {
	if a, ok := s.recent.get(q).(A); ok && again {
		return a, nil
	}
	a, err := solver.Ask(ctx, s.Runner, q)
	if err == nil {
		s.recent.put(q, a)
	}
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errQuestion) {
		return engines.Stopped(q, errQuestion.Error()), nil
	}
	return a, err
}

// atOnce does something for each of some numbers.
func atOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// badTest is a test that cannot be read. It keeps the text its places refer to.
type badTest struct {
	source string
	errs   litmus.ErrorList
}

func (b *badTest) Error() string { return b.errs.Error() }

func (b *badTest) Say() shell.Said {
	out := shell.Say("the test cannot be read: %v", b.errs[0])
	out.View = shell.ProblemView{Text: "The test cannot be read:", Marks: b.marks()}
	if isProgram(b.source) {
		out.View = shell.ProblemView{Text: "This is a C program, and no litmus test.", Program: true}
	}
	out.Details = shell.DetailsOf("body.source", b.errs)
	return out
}

// badModel is a model of the visitor's that cannot be read, where there is nothing else
// to answer.
type badModel struct {
	errs litmus.ErrorList
	own  bool // in the question's Own
}

func (b *badModel) Error() string { return b.errs.Error() }

func (b *badModel) Say() shell.Said {
	out := shell.Say("the model cannot be read: %v", b.errs[0])
	out.View = shell.ProblemView{Text: "The model cannot be read:", Notes: modelNotes(ownModel, b.errs)}
	where := "body.model_text"
	if b.own {
		where = "body.own_models"
	}
	out.Details = shell.DetailsOf(where, b.errs)
	return out
}

// answers are the results of a question, one for each of its models.
type answers struct {
	source  string // in which places are
	asked   engines.Question
	test    *engines.Inspection
	columns []column
	results []*solver.Result      // one for each of the columns
	cycle   *cyclediagram.Reading // what the test asks about; nil where that is not known, or not wanted
}

// modelsSize is that of the visitor's models, in bytes.
func (q *question) modelsSize() int {
	n := len(q.ModelText) + size(q.ModelFiles)
	for _, m := range q.Own {
		n += len(m.Name) + len(m.Text) + size(m.Files)
	}
	return n
}

// size is that of what a model includes, in bytes.
func size(files map[string]string) int {
	n := 0
	for name, text := range files {
		n += len(name) + len(text)
	}
	return n
}

// ownModel is the name of the model that a visitor writes on the page.
const ownModel = "own"

// fileName stands for the visitor's text in places; messages on pages drop it.
const fileName = "test"

// fits refuses a text, and a question's models, that are longer than the server takes.
func (s *server) fits(source string, q *question) error {
	switch most := s.Limits.Source; {
	case len(source) > most:
		return shell.Refuse("The test is longer than %d KiB.", most>>10)
	case q.modelsSize() > most:
		return shell.Refuse("The model is longer than %d KiB.", most>>10)
	}
	return nil
}

// inspect has a question read apart from this process. Its error is a refusal, a badTest,
// a badModel, the context's, or a fault of the program.
func (s *server) inspect(ctx context.Context, q engines.Question) (*engines.Inspection, error) {
	if err := s.fits(q.Source, &question{Own: q.Own, ModelText: q.ModelText, ModelFiles: q.ModelFiles}); err != nil {
		return nil, err
	}
	in, err := Inspecting.Call(ctx, s.Sandbox, q)
	switch {
	case err != nil:
		return nil, shell.TooMuch(err, "Reading the question")
	case in.Admission() != nil:
		return nil, refusalOf(in.Admission())
	case len(in.BadTest) > 0:
		return nil, &badTest{q.Source, in.BadTest}
	}
	return in, nil
}

// refusalOf words what engines.Admit says for the page and REST.
func refusalOf(err error) error {
	var option *solver.OptionError
	if errors.As(err, &option) {
		return shell.Refuse("Option %v.", option)
	}
	var list litmus.ErrorList
	if errors.As(err, &list) {
		return &badModel{errs: list}
	}
	text := err.Error()
	return shell.Refuse("%s.", strings.ToUpper(text[:1])+text[1:])
}

// explore runs a question under each of its models. Its error is one of inspect's, or of the
// runner's.
func (s *server) explore(ctx context.Context, q question) (*answers, error) {
	if err := s.settle(&q); err != nil {
		return nil, err
	}
	asked := q.unread()
	test, err := s.inspect(ctx, asked)
	if err != nil {
		return nil, err
	}
	limited, cancel := withinQuestion(ctx)
	defer cancel()
	a := &answers{source: asked.Source, asked: asked, test: test, columns: q.columns(), results: make([]*solver.Result, len(q.Models))}
	if err := nothingElse(a); err != nil {
		return nil, err
	}
	var naming sync.WaitGroup
	if q.Named {
		naming.Go(func() { a.cycle = s.cycleOf(limited, asked.Source) })
	}
	err = atOnce(len(a.columns), func(i int) (err error) {
		task := a.columns[i].task(asked)
		if fault := test.Fault(a.columns[i].Model); fault != nil {
			a.results[i] = engines.Unread(task, fault)
		} else if a.results[i], err = ask(limited, s, task, q.Again); err != nil {
			return err
		}
		if r := a.results[i]; r.Name == "" { // nobody has read the test for it
			r.Name, r.Arch, r.Condition = test.Name, test.Arch, test.Condition
		}
		return nil
	})
	naming.Wait()
	if err != nil {
		return nil, err
	}
	for i, r := range a.results {
		a.columns[i].Model = cmp.Or(a.columns[i].Model, r.Model) // the test's own
	}
	return a, room(ctx, a.results)
}

// nothingElse is the error of a question of whose models none can be asked.
func nothingElse(a *answers) error {
	bad := &badModel{own: true}
	for _, c := range a.columns {
		fault := a.test.Fault(c.Model)
		if fault == nil {
			return nil
		}
		bad.errs = append(bad.errs, fault...)
	}
	bad.errs = bad.errs.Sorted() // once, though variants have the same
	return bad
}

// fault is what keeps a column from having an answer.
func (a *answers) fault(column int) string {
	model := a.columns[column].Model
	if fault := a.test.Fault(model); fault != nil {
		return "could not be read: " + strings.Join(modelNotes(model, fault), "; ")
	}
	return "could not be asked: " + a.results[column].Error
}

// modelNotes words the errors of an own model, with their places in its text.
func modelNotes(model string, errs litmus.ErrorList) []string {
	file, _ := models.Split(model)
	var out []string
	for _, e := range errs {
		switch {
		case e.Pos.File == file && e.Pos.Line > 0:
			out = append(out, fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Col, e.Msg))
		case e.Pos.File == file || e.Pos.File == "":
			out = append(out, e.Msg)
		default:
			out = append(out, e.Error())
		}
	}
	return out
}

// settle says which models a question is about, each once, and brings its options down to
// the server's most.
func (s *server) settle(q *question) error {
	if len(q.Models) > suites.MaxModels {
		return shell.Refuse("There are %d models; at most %d are asked at once.", len(q.Models), suites.MaxModels)
	}
	if len(q.Models) == 0 {
		for _, m := range q.Own {
			q.Models = append(q.Models, m.Name)
		}
		if q.ModelText != "" {
			q.Models = append(q.Models, ownModel)
		}
	}
	if len(q.Models) == 0 {
		q.Models = []string{""} // the test's own
	}
	own := ""
	var once []string
	for _, c := range q.columns() {
		if m, ok := models.Find(c.Model); ok {
			c.Model = m.Name
		} else if base := c.Base(); base != "" && base != own && !models.IsBuiltIn(base) && !q.owns(base) {
			if own != "" {
				return shell.Refuse("Neither %q nor %q is built in: model_text has one name.", litmus.Shorten(own), litmus.Shorten(base))
			}
			own = base
		}
		if name := c.String(); !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	q.Models = once
	s.ceil(&q.Options)
	return nil
}

// owns tells whether a model is among the visitor's own.
func (q *question) owns(name string) bool {
	return slices.ContainsFunc(q.Own, func(m solver.OwnModel) bool { return m.Name == name })
}

// ceil brings options down to the server's most. Those out of their range are still to be
// told of.
func (s *server) ceil(o *solver.Options) {
	if o.Validate() == nil {
		o.Cap(s.Limits.Options)
	}
}

func (q *question) columns() []column {
	out := make([]column, len(q.Models))
	for i, name := range q.Models {
		out[i] = readColumn(name)
	}
	return out
}

// limits are the usual options, within what the question may take.
func (q *question) limits() solver.Options {
	o := solver.DefaultOptions()
	o.Timeout, o.Memory, o.Unroll = q.Options.Timeout, q.Options.Memory, q.Options.Unroll
	return o
}

// unread is the question as text, for others to read: what is said of its engine is so of
// the columns without one of their own.
func (q *question) unread() engines.Question {
	var named []string
	for _, c := range q.columns() {
		if c.Engine == "" {
			named = append(named, c.Model)
		}
	}
	return engines.Question{
		// Browsers send line ends as CR LF.
		File: fileName, Source: shell.UnixLines(q.Source), Models: named,
		Own: q.Own, ModelText: q.ModelText, ModelFiles: q.ModelFiles, Engine: q.Engine, Options: q.Options,
		Before: q.Before,
	}
}

// optionField is the form's name for an option.
func optionField(name string) string { return "option-" + name }

// onPage tells the options that visitors choose from those the page sets itself.
func onPage(o solver.Option) bool {
	return o.Name != "witnesses" && o.Name != "explain" && o.Name != "list"
}

// fromForm reads a question from the page's form.
func fromForm(f url.Values) (question, error) {
	q := question{
		Source: f.Get("source"), Models: f["model"], Engine: f.Get("engine"),
		Options: solver.DefaultOptions(),
	}
	q.Options.Witnesses = true
	// Models that were ticked for the visitor give way to those of the test's architecture; a form without
	// one has what somebody chose.
	if ticked, arch := f.Get("arch"), dialect.Tongue(q.Source); ticked != "" && ticked != arch && slices.Equal(q.Models, firstModels(ticked)) {
		q.Models = firstModels(arch)
	}
	own, err := ownFromForm(f)
	if err != nil {
		return q, err
	}
	q.Own = own
	for _, m := range own {
		if !slices.Contains(q.Models, m.Name) {
			q.Models = append(q.Models, m.Name)
		}
	}
	inOrder(q.Models)
	return q, setOptions(&q.Options, f)
}

// ownFromForm reads the visitor's own models: of each its name, its text and, as JSON, what
// it includes, in fields that stand in parallel. A form of one model may have it as
// model-text and model-files. What is blank is no model.
func ownFromForm(f url.Values) ([]solver.OwnModel, error) {
	names, texts, files := f["own-name"], f["own-text"], f["own-files"]
	if len(texts) == 0 {
		names, texts, files = []string{ownModel}, f["model-text"], f["model-files"]
	}
	var out []solver.OwnModel
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		m := solver.OwnModel{Name: ownModel, Text: strings.ReplaceAll(text, "\r\n", "\n")}
		if i > 0 {
			m.Name += strconv.Itoa(i + 1)
		}
		if i < len(names) && names[i] != "" {
			m.Name = names[i]
		}
		if i < len(files) && files[i] != "" {
			if err := json.Unmarshal([]byte(files[i]), &m.Files); err != nil {
				return nil, shell.Refuse("What the model includes cannot be read: %v.", err)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// setOptions sets those options that a form has.
func setOptions(to *solver.Options, f url.Values) error {
	for _, o := range solver.OptionTable {
		text, sent := f.Get(optionField(o.Name)), f.Has(optionField(o.Name))
		if !onPage(o) || !sent {
			continue
		}
		if err := setOption(to, o, text); err != nil {
			return err
		}
	}
	return nil
}

// setOption sets an option from text.
func setOption(to *solver.Options, o solver.Option, text string) error {
	text = strings.TrimSpace(text)
	var err error
	switch f := o.Field(to).(type) {
	case *time.Duration:
		if *f, err = time.ParseDuration(text); err != nil {
			// A bare number is seconds.
			var sec float64
			if sec, err = strconv.ParseFloat(text, 64); err == nil {
				*f = time.Duration(sec * float64(time.Second))
			}
		}
	case *int:
		*f, err = strconv.Atoi(text)
	case *string:
		*f = text
	case *bool:
		*f, err = strconv.ParseBool(text)
	}
	if err != nil {
		return shell.Refuse("Option %s: %q is not a value for it.", o.Name, text)
	}
	return nil
}

func (q question) link() store.Link {
	return store.Link{Source: q.Source, Models: q.Models, Own: q.Own, Engine: q.Engine, Options: q.Options}
}

func fromLink(l store.Link) question {
	q := question{Source: l.Source, Models: l.Models, Own: l.Own, Engine: l.Engine, Options: l.Options}
	if l.ModelText != "" {
		q.Own = append(q.Own, solver.OwnModel{Name: ownModel, Text: l.ModelText, Files: l.ModelFiles})
	}
	return q
}
