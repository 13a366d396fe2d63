package web

import (
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
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
)

// question is what a visitor asks, from the form, a permalink or REST.
type question struct {
	Source    string
	Models    []string
	ModelText string // the visitor's own model, which Models then names
	Engine    string
	Options   solver.Options
}

// maxSource bounds a test and a model of the visitor's, in bytes each.
const maxSource = 256 << 10

// maxQuestion bounds the time for all models of a question together; it is below
// the server's writeTimeout.
const maxQuestion = 4 * time.Minute

// maxModels bounds the models of one question.
const maxModels = 32

// A refusal says, for its reader, why a question cannot be asked.
type refusal struct{ msg string }

func (r refusal) Error() string { return r.msg }

func refuse(format string, args ...any) error { return refusal{fmt.Sprintf(format, args...)} }

// badTest is a test that cannot be read. It keeps the text its places refer to.
type badTest struct {
	source string
	errs   litmus.ErrorList
}

func (b *badTest) Error() string { return b.errs.Error() }

// badModel is a model of the visitor's that cannot be read.
type badModel struct{ errs litmus.ErrorList }

func (b *badModel) Error() string { return b.errs.Error() }

// answers are the results of a question, one for each of its models.
type answers struct {
	test    *litmus.Test
	results []*solver.Result
}

// threads are the test's, as numbered there.
func (a *answers) threads() []int {
	out := make([]int, len(a.test.Threads))
	for i, c := range a.test.Threads {
		out[i] = c.ID
	}
	return out
}

// ownModel is the name of the model that a visitor writes on the page.
const ownModel = "own"

// fileName stands for the visitor's text in places; messages on pages drop it.
const fileName = "test"

func check(source string) (*litmus.Test, *ir.Program, error) {
	if len(source) > maxSource {
		return nil, nil, refuse("The test is longer than %d KiB.", maxSource>>10)
	}
	// Browsers send line ends as CR LF.
	source = strings.ReplaceAll(source, "\r\n", "\n")
	t, err := litmus.Parse(fileName, source)
	var p *ir.Program
	if err == nil {
		p, err = dialect.Lower(t)
	}
	if err != nil {
		return nil, nil, &badTest{source, litmus.Errors(err)}
	}
	return t, p, nil
}

// explore runs a question under each of its models. Its error is a refusal, a
// badTest, a badModel, the context's, or a fault of the program.
func (s *server) explore(ctx context.Context, q question) (*answers, error) {
	if err := s.admit(&q); err != nil {
		return nil, err
	}
	t, _, err := check(q.Source)
	if err != nil {
		return nil, err
	}
	q.Source = t.Source
	limited, cancel := context.WithTimeout(ctx, maxQuestion)
	defer cancel()
	a := &answers{test: t, results: make([]*solver.Result, len(q.Models))}
	errs := make([]error, len(q.Models))
	var wg sync.WaitGroup
	for i, m := range q.Models {
		task := q.task(m)
		wg.Go(func() {
			a.results[i], errs[i] = s.Runner.Run(limited, task)
			if errors.Is(errs[i], context.DeadlineExceeded) && ctx.Err() == nil {
				a.results[i], errs[i] = outOfTime(t, task), nil
			}
		})
	}
	wg.Wait()
	return a, errors.Join(errs...)
}

// outOfTime is the answer of a model that a question had no time left for.
func outOfTime(t *litmus.Test, task solver.Task) *solver.Result {
	return &solver.Result{
		Path: task.Path, Name: t.Name, Arch: t.Arch, Model: task.Model, Engine: task.Engine,
		Status: solver.Unknown, Reason: fmt.Sprintf("the question as a whole took longer than %v", maxQuestion),
		Verdict: solver.Undecided, Condition: t.Condition.String(), States: []solver.State{},
	}
}

// admit refuses what is not on offer and brings limits into the server's range.
func (s *server) admit(q *question) error {
	switch {
	case len(q.Models) == 0 && q.ModelText != "":
		q.Models = []string{ownModel}
	case len(q.Models) == 0:
		q.Models = []string{""} // the test's own
	case len(q.Models) > maxModels:
		return refuse("At most %d models can be asked at once.", maxModels)
	case len(q.ModelText) > maxSource:
		return refuse("The model is longer than %d KiB.", maxSource>>10)
	}
	for _, m := range q.Models {
		if err := engines.Admit(q.task(m)); err != nil {
			return refusalOf(err)
		}
	}
	s.ceil(&q.Options)
	return nil
}

// ceil brings limits into the server's range.
func (s *server) ceil(o *solver.Options) {
	if o.Timeout == 0 || o.Timeout > s.MaxTimeout {
		o.Timeout = s.MaxTimeout
	}
	if o.Memory == 0 || o.Memory > s.MaxMemory {
		o.Memory = s.MaxMemory
	}
}

// isBuiltIn tells a built-in model by its name.
func isBuiltIn(name string) bool {
	_, ok := models.Find(name)
	return ok
}

// task is the question under one of its models, which is the visitor's own where it is
// no built-in one.
func (q *question) task(model string) solver.Task {
	t := solver.Task{Path: fileName, Source: q.Source, Model: model, Engine: q.Engine, Options: q.Options}
	if !isBuiltIn(model) {
		t.ModelText = q.ModelText
	}
	return t
}

// refusalOf words what engines.Admit says for the page and REST.
func refusalOf(err error) error {
	var option *solver.OptionError
	if errors.As(err, &option) {
		return refuse("Option %v.", option)
	}
	var list litmus.ErrorList
	if errors.As(err, &list) {
		return &badModel{list}
	}
	text := err.Error()
	return refuse("%s.", strings.ToUpper(text[:1])+text[1:])
}

// optionField is the form's name for an option.
func optionField(name string) string { return "option-" + name }

// onPage tells the options that visitors choose from those the page sets itself.
func onPage(o solver.Option) bool { return o.Name != "witnesses" && o.Name != "explain" }

// fromForm reads a question from the page's form.
func fromForm(f url.Values) (question, error) {
	q := question{
		Source: f.Get("source"), Models: f["model"], ModelText: f.Get("model-text"), Engine: f.Get("engine"),
		Options: solver.DefaultOptions(),
	}
	q.Options.Witnesses = true
	// Models that were ticked for the visitor give way to those of the test's architecture.
	if ticked, arch := f.Get("arch"), testArch(q.Source); ticked != arch && slices.Equal(q.Models, firstModels(ticked)) {
		q.Models = firstModels(arch)
	}
	if strings.TrimSpace(q.ModelText) == "" {
		q.ModelText = ""
	} else {
		q.Models = append(q.Models, ownModel)
	}
	for _, o := range solver.OptionTable {
		text, sent := f.Get(optionField(o.Name)), f.Has(optionField(o.Name))
		if !onPage(o) || !sent {
			continue
		}
		if err := setOption(&q.Options, o, text); err != nil {
			return q, err
		}
	}
	return q, nil
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
		return refuse("Option %s: %q is not a value for it.", o.Name, text)
	}
	return nil
}

// outcomeQuestion turns an outcome of the table into a question of its own: the test's,
// with the outcome as its condition, under one model, to the first engine. The form is
// the question's; field "about" names the model, and field "state" is the outcome, or is
// empty for the test's own proposition.
func outcomeQuestion(f url.Values) (q question, state solver.State, err error) {
	if q, err = fromForm(f); err != nil {
		return q, nil, err
	}
	limits := q.Options
	q.Options = solver.DefaultOptions()
	q.Options.Timeout, q.Options.Memory, q.Options.Unroll = limits.Timeout, limits.Memory, limits.Unroll
	q.Models, q.Engine = []string{f.Get("about")}, ""
	text := f.Get("state")
	if text == "" {
		return q, nil, nil
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return q, nil, refuse("The outcome cannot be read.")
	}
	t, _, err := check(q.Source)
	if err != nil {
		return q, nil, err
	}
	q.Source = asking(t, state)
	if _, _, err := check(q.Source); err != nil {
		return q, nil, refuse("The outcome does not fit the test.")
	}
	return q, state, nil
}

// asking is a test that asks for one final state.
func asking(t *litmus.Test, state solver.State) string {
	parts := make([]string, len(state))
	for i, b := range state {
		parts[i] = b.Name + "=" + b.Value
	}
	asks := *t
	asks.Condition = litmus.Condition{Prop: litmus.Bool(true)}
	source := strings.TrimSuffix(litmus.Print(&asks), asks.Condition.String()+"\n")
	return source + "exists (" + strings.Join(parts, ` /\ `) + ")\n"
}

func (q question) link() store.Link {
	return store.Link{Source: q.Source, Models: q.Models, ModelText: q.ModelText, Engine: q.Engine, Options: q.Options}
}

func fromLink(l store.Link) question {
	return question{Source: l.Source, Models: l.Models, ModelText: l.ModelText, Engine: l.Engine, Options: l.Options}
}
