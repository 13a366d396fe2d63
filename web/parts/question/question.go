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

// Unasked tells whether the test has no condition: it is read as forall (true).
func (a *Answers) Unasked() bool {
	return a.Test.Quantifier == litmus.Forall && a.Test.Prop == "true"
}

// AnyTest is for questions about models alone.
const AnyTest = "X86 any\n{ }\nP0;\nNOP;\nexists (true)\n"

// programSigns are what C programs have and litmus tests have not.
var programSigns = litmus.Pattern(
	`(?m)^[ \t]*#[ \t]*(include|define|ifdef|ifndef)\b|^[\w \t*]*\bmain[ \t]*\(|\bpthread_create\b|\bthrd_create\b`)

// IsProgram tells a C program from a litmus test, which names its architecture first.
func IsProgram(source string) bool {
	return !slices.Contains(dialect.Tongues(), dialect.Tongue(source)) && programSigns().MatchString(source)
}

// Marks returns the errors at their places in the text.
func (b *BadTest) Marks() []server.Mark {
	at, out := server.Marker(b.Source), []server.Mark{}
	for _, e := range b.Errs {
		out = append(out, at(e.Pos.Line, e.Pos.Col, e.Msg).Mended(b.Source, e.Fix))
	}
	return out
}

// Question is what a visitor asks, from the form, a permalink or REST.
type Question struct {
	Source     string
	Models     []string          // columns, as text; see [Column]
	Own        []solver.OwnModel // the visitor's own models, as far as Models names them
	Again      bool              // it was answered just now, and an answer cut short then will do
	Named      bool              // the test's name is wanted with the answers
	Without    []string          // columns that nobody waits for any longer
	ModelText  string            // for the name in Models that is of none of them, of REST alone
	ModelFiles map[string]string // what it includes
	Engine     string
	Options    solver.Options
}

var errQuestion = fmt.Errorf("the whole question took longer than %v", server.MaxQuestion)

// WithinQuestion bounds what is done for a question.
func WithinQuestion(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, server.MaxQuestion, errQuestion)
}

// InTurn waits for a turn of the client of a context, and bounds what is done in it as WithinQuestion does; over ends
// both.
func InTurn(ctx context.Context, turns *server.Turns) (within context.Context, over func(), err error) {
	end, err := turns.Take(ctx)
	if err != nil {
		return nil, nil, err
	}
	within, cancel := WithinQuestion(ctx)
	return within, func() { cancel(); end() }, nil
}

// WhyEnded says in words why something ended before it was through: its time was over, or it was refused. It is "" for
// other errors, which are faults of the program.
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

// Ask has a question of some answered, within their time; again, an answer that was given just now will do.
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

// AtOnce does something for each of some numbers.
func AtOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = server.Guarded(func() error { return do(i) }) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// BadTest is a test that cannot be read. It keeps the text its places refer to.
type BadTest struct {
	Source string
	Errs   litmus.ErrorList
}

func (b *BadTest) Error() string { return b.Errs.Error() }

// Say implements [server.Mendable].
func (b *BadTest) Say() server.Said {
	out := server.Say("the test has errors: %v", b.Errs[0])
	out.View = server.ProblemView{Text: "The test has errors:", Marks: b.Marks()}
	if IsProgram(b.Source) {
		out.View = server.ProblemView{Text: "This is a C program, not a litmus test.", Program: true}
	}
	out.Details = server.DetailsOf("body.source", b.Errs)
	return out
}

// BadModel is a model of the visitor's that cannot be read, where there is nothing else
// to answer.
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

// Answers are the results of a question, one for each of its models.
type Answers struct {
	Source  string // in which places are
	Asked   engines.Question
	Test    *engines.Inspection
	Columns []Column
	Results []*solver.Result      // one for each of the columns
	Waiting []bool                // … which may say more yet: what it says of states holds, the rest may not
	Cycle   *cyclediagram.Reading // what the test asks about; nil where that is not known, or not wanted
}

// Any tells whether there is any answer yet, or part of one.
func (a *Answers) Any() bool {
	for i, r := range a.Results {
		if !a.Waiting[i] || len(r.States) > 0 {
			return true
		}
	}
	return false
}

// modelsSize is that of the visitor's models, in bytes.
func (q *Question) modelsSize() int {
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

// OwnModel is the name of the model that a visitor writes on the page.
const OwnModel = "own"

// FileName stands for the visitor's text in places; messages on pages drop it.
const FileName = "test"

// Fits refuses a text, and a question's models, that are longer than the server takes.
func (s *Service) Fits(source string, q *Question) error {
	switch most := s.Server.Limits.Source; {
	case len(source) > most:
		return server.Refuse("The test is longer than %d KiB.", most>>10)
	case q.modelsSize() > most:
		return server.Refuse("The model is longer than %d KiB.", most>>10)
	}
	return nil
}

// Inspect has a question read apart from this process. Its error is a refusal, a badTest,
// a badModel, the context's, or a fault of the program.
func (s *Service) Inspect(ctx context.Context, q engines.Question) (*engines.Inspection, error) {
	if err := s.Fits(q.Source, &Question{Own: q.Own, ModelText: q.ModelText, ModelFiles: q.ModelFiles}); err != nil {
		return nil, err
	}
	in, err := s.read.of(q, func() (*engines.Inspection, error) { return childwork.Inspecting.Call(ctx, s.Sandbox, q) })
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

// RefusalOf words what engines.Admit says for the page and REST.
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

// Explore runs a question under each of its models. Its error is one of inspect's, or of the
// runner's.
func (s *Service) Explore(ctx context.Context, q Question) (*Answers, error) {
	return s.Follow(ctx, q, func(*Answers) {})
}

// Follow is Explore, and tells of the answers as they come: whenever a column has its own, or knows more.
func (s *Service) Follow(ctx context.Context, q Question, told func(*Answers)) (*Answers, error) {
	if err := s.Settle(&q); err != nil {
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
				if a.Waiting[i] && len(r.States) >= len(a.Results[i].States) { // it may have begun anew
					a.Results[i] = r
				}
			})
		})
		if err == nil {
			change(func() {
				a.Results[i], a.Waiting[i] = r, false
				a.Columns[i].Model = cmp.Or(column.Model, r.Model) // the test's own
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

// column is the answer under one column.
func (s *Service) column(
	ctx context.Context, test *engines.Inspection, c Column, t solver.Task, again bool, told func(*solver.Result),
) (r *solver.Result, err error) {
	if fault := test.Fault(c.Model); fault != nil {
		r = engines.Unread(t, fault)
	} else if r, err = Ask(solver.Following(ctx, told), s, t, again); err != nil {
		return nil, err
	}
	if r.Name == "" { // nobody has read the test for it
		r.Name, r.Arch, r.Condition = test.Name, test.Arch, test.Condition
	}
	return r, nil
}

// nothingElse is the error of a question of whose models none can be asked.
func nothingElse(a *Answers) error {
	bad := &BadModel{Own: true}
	for _, c := range a.Columns {
		fault := a.Test.Fault(c.Model)
		if fault == nil {
			return nil
		}
		bad.Errs = append(bad.Errs, fault...)
	}
	bad.Errs = bad.Errs.Sorted() // once, though variants have the same
	return bad
}

// Fault is what keeps a column from having an answer.
func (a *Answers) Fault(column int) string {
	model := a.Columns[column].Model
	if fault := a.Test.Fault(model); fault != nil {
		return "has errors: " + strings.Join(modelNotes(model, fault), "; ")
	}
	return "has no answer: " + a.Results[column].Error
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

// Settle says which models a question is about, each once, and brings its options down to
// the server's most.
func (s *Service) Settle(q *Question) error {
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

// Owns tells whether a model is among the visitor's own.
func (q *Question) Owns(name string) bool {
	return slices.ContainsFunc(q.Own, func(m solver.OwnModel) bool { return m.Name == name })
}

// Ceil brings options down to the server's most. Those out of their range are still to be
// told of.
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

// Limits are the usual options, within what the question may take.
func (q *Question) Limits() solver.Options {
	o := solver.DefaultOptions()
	o.Timeout, o.Memory, o.Unroll = q.Options.Timeout, q.Options.Memory, q.Options.Unroll
	return o
}

// Unread is the question as text, for others to read: what is said of its engine is so of
// the columns without one of their own.
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

// FromForm reads a question from the page's form.
func FromForm(f url.Values) (Question, error) {
	q := Question{
		Source: f.Get("source"), Models: f["model"], Engine: f.Get("engine"),
		Options: solver.DefaultOptions(),
	}
	q.Options.Witnesses = true
	// Models that were ticked for the visitor give way to those of the test's architecture; a form without
	// one has what somebody chose.
	if ticked, arch := f.Get("arch"), dialect.Tongue(q.Source); ticked != "" && ticked != arch &&
		slices.Equal(q.Models, FirstModels(ticked)) {
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
	InOrder(q.Models)
	return q, optionform.SetAll(&q.Options, f)
}

// OwnFromForm reads the visitor's own models: of each its name, its text and, as JSON, what
// it includes, in fields that stand in parallel. A form of one model may have it as
// model-text and model-files. What is blank is no model.
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
