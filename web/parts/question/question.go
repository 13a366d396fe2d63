package question

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

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/recognise"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/server"
)

// Unasked reports whether the test has no condition. Such a test is parsed as forall (true).
func (a *Answers) Unasked() bool {
	return a.Test.Quantifier == litmus.Forall && a.Test.Prop == "true"
}

// AnyTest is a test for questions that are only about models.
const AnyTest = "X86 any\n{ }\nP0;\nNOP;\nexists (true)\n"

// IsProgram reports whether a text is a C program and not a litmus test, which begins with its architecture.
func IsProgram(source string) bool {
	r, ok := recognise.Of(source)
	return ok && r.Kind == recognise.CProgram
}

// Marks returns the errors at their places in the text.
func (b *BadTest) Marks() []server.Mark {
	at, out := server.Marker(b.Source), []server.Mark{}
	for _, e := range b.Errs {
		m := at(e.Pos.Line, e.Pos.Col, e.Msg).Mended(b.Source, e.Fix)
		m.More = e.More
		out = append(out, m)
	}
	return out
}

// Question is a visitor's question, from the form, a permalink or REST.
type Question struct {
	Source     string
	Models     []string          // columns, as text; see [Column]
	Own        []solver.OwnModel // the visitor's own models; Models names those that are asked
	Again      bool              // accept a recent answer even if a limit cut it short
	Named      bool              // also look for the test's name
	Machines   bool              // also look for what machines have shown of the test
	Without    []string          // columns to skip because the visitor no longer waits for them
	ModelText  string            // text of the one model in Models that is unknown otherwise; only over REST
	ModelFiles map[string]string // the files that ModelText includes
	Engine     string
	Options    solver.Options
}

var errQuestion = fmt.Errorf("the whole question took longer than %v", server.MaxQuestion)

// WithinQuestion bounds the time for a question by [server.MaxQuestion].
func WithinQuestion(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, server.MaxQuestion, errQuestion)
}

// InTurn waits for a place in turns and bounds the time for a question as WithinQuestion does. The caller must call
// over when done.
func InTurn(ctx context.Context, turns *server.Turns) (within context.Context, over func(), err error) {
	end, err := turns.Take(ctx)
	if err != nil {
		return nil, nil, err
	}
	within, cancel := WithinQuestion(ctx)
	return within, func() { cancel(); end() }, nil
}

// WhyEnded returns the reason for which work ended early: the time ran out, or the server refused it. It is "" for
// other errors, which are bugs.
func WhyEnded(err error) string {
	var no server.Refusal
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "the time ran out"
	case errors.As(err, &no):
		return no.Error()
	}
	return ""
}

// Ask answers a question within the time of its context. With again, a recent answer is accepted.
func Ask[A solver.Answer](ctx context.Context, s *Service, q solver.Asking[A], again bool) (A, error) {
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

// AtOnce calls do for the numbers from 0 to n-1, concurrently, and returns all errors.
func AtOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = server.Guarded(func() error { return do(i) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// BadTest is the error for a test with errors. Source is the text to which their places refer.
type BadTest struct {
	Source string
	Errs   litmus.ErrorList
}

func (b *BadTest) Error() string { return b.Errs.Error() }

// Say implements [server.Mendable].
func (b *BadTest) Say() server.Said {
	out := server.Say("the test has errors: %v", b.Errs[0])
	out.View = server.ProblemView{Text: "The test has errors:", Marks: b.Marks()}
	for _, m := range out.View.Marks {
		if m.Fix != nil && m.Fix.Open != "" {
			out.View.Open, out.View.Title = m.Fix.Open, m.Fix.Title
		}
	}
	out.Details = server.DetailsOf("body.source", b.Errs)
	return out
}

// BadModel is the error for a visitor's model with errors, if the question has no other model.
type BadModel struct {
	Errs litmus.ErrorList
	Own  bool // in the question's Own
}

func (b *BadModel) Error() string { return b.Errs.Error() }

// Say implements [server.Mendable].
func (b *BadModel) Say() server.Said {
	out := server.Say("the model has errors: %v", b.Errs[0])
	out.View = server.ProblemView{Text: "The model has errors:", Notes: modelNotes(OwnModel, b.Errs)}
	where := "body.model_text"
	if b.Own {
		where = "body.own_models"
	}
	out.Details = server.DetailsOf(where, b.Errs)
	return out
}

// Answers has the results of a question, one for each column.
type Answers struct {
	Source  string // the test's text, to which places refer
	Asked   engines.Question
	Test    *engines.Inspection
	Columns []Column
	Results []*solver.Result      // by column
	Waiting []bool                // by column: the result is partial; its states are final, the rest may change
	Cycle   *cyclediagram.Reading // the cycle that the test asks about; nil: unknown or not wanted
	// Machines is what machines have shown of the test. See Judged for the models that forbid it.
	Machines []solver.MachineRuns
}

// Judged is what machines have shown of the test, with the columns that forbid it, each as name has it. Columns that
// are still waiting forbid nothing.
func (a *Answers) Judged(name func(Column) string) []solver.MachineRuns {
	var results []*solver.Result
	var labels []string
	for i, r := range a.Results {
		if !a.Waiting[i] {
			results, labels = append(results, r), append(labels, name(a.Columns[i]))
		}
	}
	return solver.Against(a.Machines, results, labels)
}

// Any reports whether there is an answer, or a part of one.
func (a *Answers) Any() bool {
	for i, r := range a.Results {
		if !a.Waiting[i] || len(r.States) > 0 {
			return true
		}
	}
	return false
}

// modelsSize returns the size of the visitor's models, in bytes.
func (q *Question) modelsSize() int {
	n := len(q.ModelText) + size(q.ModelFiles)
	for _, m := range q.Own {
		n += len(m.Name) + len(m.Text) + size(m.Files)
	}
	return n
}

// size returns the size of a model's files, in bytes.
func size(files map[string]string) int {
	n := 0
	for name, text := range files {
		n += len(name) + len(text)
	}
	return n
}

// OwnModel is the default name of the model that a visitor writes on the page.
const OwnModel = "own"

// FileName is the file name of the visitor's text in places. Messages on pages omit it.
const FileName = "test"

// Fits returns a Refusal if a text or a question's own models exceed the limit "test".
func (s *Service) Fits(source string, q *Question) error {
	switch most := s.Server.Limits.Source; {
	case len(source) > most:
		return server.Refuse("The test is longer than %d KiB.", most>>10)
	case q.modelsSize() > most:
		return server.Refuse("The model is longer than %d KiB.", most>>10)
	}
	return nil
}

// Inspect parses and checks a question in a child process. Its error is a [server.Refusal], a [BadTest], a [BadModel],
// the context's, or a bug.
func (s *Service) Inspect(ctx context.Context, q engines.Question) (*engines.Inspection, error) {
	if err := s.Fits(q.Source, &Question{Own: q.Own, ModelText: q.ModelText, ModelFiles: q.ModelFiles}); err != nil {
		return nil, err
	}
	in, err := s.read.of(
		q,
		func() (*engines.Inspection, error) { return childwork.Inspecting.Call(ctx, s.Sandbox, q) },
	)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Reading the question")
	case in.Admission() != nil:
		return nil, RefusalOf(in.Admission())
	case len(in.BadTest) > 0:
		return nil, &BadTest{q.Source, in.BadTest}
	}
	return in, nil
}

// RefusalOf returns the error of engines.Admit as a Refusal or a BadModel.
func RefusalOf(err error) error {
	var option *solver.OptionError
	if errors.As(err, &option) {
		return server.Refuse("Option %v.", option)
	}
	var list litmus.ErrorList
	if errors.As(err, &list) {
		return &BadModel{Errs: list}
	}
	text := err.Error()
	return server.Refuse("%s.", strings.ToUpper(text[:1])+text[1:])
}

// Explore answers a question under each of its models. Its error is one of Inspect's, or the runner's.
func (s *Service) Explore(ctx context.Context, q Question) (*Answers, error) {
	return s.Follow(ctx, q, func(*Answers) {})
}

// Follow is Explore, and calls told with the answers so far whenever a column has an answer or a further part of it.
func (s *Service) Follow(ctx context.Context, q Question, told func(*Answers)) (*Answers, error) {
	if err := s.Normalise(&q); err != nil {
		return nil, err
	}
	asked := q.Unread()
	test, err := s.Inspect(ctx, asked)
	if err != nil {
		return nil, err
	}
	limited, cancel := WithinQuestion(ctx)
	defer cancel()
	n := len(q.Models)
	a := &Answers{
		Source: asked.Source, Asked: asked, Test: test, Columns: q.Columns(),
		Results: make([]*solver.Result, n), Waiting: make([]bool, n),
	}
	if q.Machines {
		a.Machines = s.machines(ctx, test)
	}
	if err := nothingElse(a); err != nil {
		return nil, err
	}
	for i, c := range a.Columns {
		a.Results[i], a.Waiting[i] = engines.Stopped(c.Task(asked), ""), true
	}
	var changing sync.Mutex
	change := func(how func()) {
		changing.Lock()
		defer changing.Unlock()
		how()
		now := *a
		now.Columns, now.Results, now.Waiting = slices.Clone(a.Columns), slices.Clone(a.Results),
			slices.Clone(a.Waiting)
		told(&now)
	}
	var naming sync.WaitGroup
	var unnamed error
	if q.Named {
		naming.Go(func() {
			unnamed = server.Guarded(func() error {
				cycle := s.cycleOf(limited, asked.Source)
				change(func() { a.Cycle = cycle })
				return nil
			})
		})
	}
	err = AtOnce(n, func(i int) error {
		column := a.Columns[i]
		if slices.Contains(q.Without, column.String()) {
			return nil
		}
		r, err := s.column(limited, test, column, column.Task(asked), q.Again, func(r *solver.Result) {
			change(func() {
				if a.Waiting[i] && len(r.States) >= len(a.Results[i].States) { // an engine may start again
					a.Results[i] = r
				}
			})
		})
		if err == nil {
			change(func() {
				a.Results[i], a.Waiting[i] = r, false
				a.Columns[i].Model = cmp.Or(column.Model, r.Model) // the default model of the test
			})
		}
		return err
	})
	naming.Wait()
	if err := errors.Join(err, unnamed); err != nil {
		return nil, err
	}
	return a, Room(ctx, a.Results)
}

// column answers a question under one column.
func (s *Service) column(
	ctx context.Context, test *engines.Inspection, c Column, t solver.Task, again bool, told func(*solver.Result),
) (r *solver.Result, err error) {
	if fault := test.Fault(c.Model); fault != nil {
		r = engines.Unread(t, fault)
	} else if r, err = Ask(solver.Following(ctx, told), s, t, again); err != nil {
		return nil, err
	}
	if r.Name == "" { // the engine has not parsed the test
		r.Name, r.Arch, r.Condition = test.Name, test.Arch, test.Condition
	}
	return r, nil
}

// nothingElse returns an error if every model of a question has errors.
func nothingElse(a *Answers) error {
	bad := &BadModel{Own: true}
	for _, c := range a.Columns {
		fault := a.Test.Fault(c.Model)
		if fault == nil {
			return nil
		}
		bad.Errs = append(bad.Errs, fault...)
	}
	bad.Errs = bad.Errs.Sorted() // also removes duplicates: variants of a model have the same errors
	return bad
}

// Fault says why a column has no answer.
func (a *Answers) Fault(column int) string {
	model := a.Columns[column].Model
	if fault := a.Test.Fault(model); fault != nil {
		return "has errors: " + strings.Join(modelNotes(model, fault), "; ")
	}
	return "has no answer: " + strings.TrimPrefix(a.Results[column].Error, FileName+": ")
}

// modelNotes returns the errors of an own model as text, with their places.
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

// Normalise completes a question's models, removes duplicates, and reduces its options to the server's limits.
func (s *Service) Normalise(q *Question) error {
	if len(q.Models) > suites.MaxModels {
		return server.Refuse("The question has %d models; the maximum is %d.", len(q.Models), suites.MaxModels)
	}
	if len(q.Models) == 0 {
		for _, m := range q.Own {
			q.Models = append(q.Models, m.Name)
		}
		if q.ModelText != "" {
			q.Models = append(q.Models, OwnModel)
		}
	}
	if len(q.Models) == 0 {
		q.Models = []string{""} // the test's own
	}
	own := ""
	var once []string
	for _, c := range q.Columns() {
		if m, ok := models.Find(c.Model); ok {
			c.Model = m.Name
		} else if base := c.Base(); base != "" && base != own && !models.IsBuiltIn(base) && !q.Owns(base) {
			if own != "" {
				return server.Refuse("Neither %q nor %q is a built-in model, and model_text can define only one "+
					"of them.", litmus.Shorten(own),
					litmus.Shorten(base))
			}
			own = base
		}
		if name := c.String(); !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	q.Models = once
	s.Ceil(&q.Options)
	return nil
}

// Owns reports whether a model is one of the visitor's own.
func (q *Question) Owns(name string) bool {
	return slices.ContainsFunc(q.Own, func(m solver.OwnModel) bool { return m.Name == name })
}

// Ceil reduces options to the server's limits. Options that are out of range stay, so that Admit reports them.
func (s *Service) Ceil(o *solver.Options) {
	if o.Validate() == nil {
		o.Cap(s.Server.Limits.Options)
	}
}

// Columns parses the question's columns.
func (q *Question) Columns() []Column {
	out := make([]Column, len(q.Models))
	for i, name := range q.Models {
		out[i] = ReadColumn(name)
	}
	return out
}

// Limits returns the default options with the question's time, memory and unroll bound.
func (q *Question) Limits() solver.Options {
	o := solver.DefaultOptions()
	o.Timeout, o.Memory, o.Unroll = q.Options.Timeout, q.Options.Memory, q.Options.Unroll
	return o
}

// Unread returns the question for the engines, with its text not yet parsed. Its models are those of the columns that
// use the question's engine.
func (q *Question) Unread() engines.Question {
	var named []string
	for _, c := range q.Columns() {
		if c.Engine == "" {
			named = append(named, c.Model)
		}
	}
	return engines.Question{
		// Browsers send line ends as CR LF.
		File: FileName, Source: server.UnixLines(q.Source), Models: named,
		Own: q.Own, ModelText: q.ModelText, ModelFiles: q.ModelFiles, Engine: q.Engine, Options: q.Options,
	}
}

// FromForm parses the page's form.
func FromForm(f url.Values) (Question, error) {
	q := Question{
		Source: f.Get("source"), Models: f["model"], Engine: f.Get("engine"),
		Options: solver.DefaultOptions(),
	}
	q.Options.Witnesses = true
	// Field arch has the architecture for which the page has ticked models by default. If the test has another one,
	// use the default models of that. A form without arch has the visitor's choice.
	if ticked, arch := f.Get("arch"), dialect.Tongue(q.Source); ticked != "" && ticked != arch &&
		slices.Equal(models.Arranged(q.Models, ticked), FirstModels(ticked)) {
		q.Models = FirstModels(arch)
	}
	own, err := OwnFromForm(f)
	if err != nil {
		return q, err
	}
	q.Own = own
	for _, m := range own {
		if !slices.Contains(q.Models, m.Name) {
			q.Models = append(q.Models, m.Name)
		}
	}
	InOrder(q.Models, dialect.Tongue(q.Source))
	return q, optionform.SetAll(&q.Options, f)
}

// OwnFromForm parses the visitor's own models: parallel fields have their names, their texts and, as JSON, the files
// that they include. A form with one model may use model-text and model-files. Blank texts are skipped.
func OwnFromForm(f url.Values) ([]solver.OwnModel, error) {
	names, texts, files := f["own-name"], f["own-text"], f["own-files"]
	if len(texts) == 0 {
		names, texts, files = []string{OwnModel}, f["model-text"], f["model-files"]
	}
	var out []solver.OwnModel
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		m := solver.OwnModel{Name: OwnModel, Text: strings.ReplaceAll(text, "\r\n", "\n")}
		if i > 0 {
			m.Name += strconv.Itoa(i + 1)
		}
		if i < len(names) && names[i] != "" {
			m.Name = names[i]
		}
		if i < len(files) && files[i] != "" {
			if err := json.Unmarshal([]byte(files[i]), &m.Files); err != nil {
				return nil, server.Refuse("The files that the model includes are not valid JSON: %v.", err)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// Link returns the part of a question that a permalink stores.
func (q Question) Link() store.Link {
	return store.Link{Source: q.Source, Models: q.Models, Own: q.Own, Engine: q.Engine, Options: q.Options}
}

// FromLink returns the question of a permalink.
func FromLink(l store.Link) Question {
	q := Question{Source: l.Source, Models: l.Models, Own: l.Own, Engine: l.Engine, Options: l.Options}
	if l.ModelText != "" {
		q.Own = append(q.Own, solver.OwnModel{Name: OwnModel, Text: l.ModelText, Files: l.ModelFiles})
	}
	return q
}
