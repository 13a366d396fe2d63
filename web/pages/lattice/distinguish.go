package lattice

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/distinguish"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Limits of a search over all cycles.
const (
	leastSize, mostSize, usualSize = 2, 6, 4
	mostTests                      = 20 // per direction
)

// surveyParams are the models to compare and the tests to use.
type surveyParams struct {
	Models     []string
	Own        []solver.OwnModel
	Arch       string
	Size, Most int
	Options    solver.Options
}

// survey checks the parameters and returns the search. It returns a refusal if they are wrong.
func (s *page) survey(ctx context.Context, q *surveyParams) (survey distinguish.Survey, err error) {
	if q.Size < leastSize || q.Size > mostSize {
		return survey, server.Refuse("size: got %d, want %d to %d.", q.Size, leastSize, mostSize)
	}
	if q.Most < 1 || q.Most > mostTests {
		return survey, server.Refuse("most: got %d tests for each direction, want 1 to %d.", q.Most, mostTests)
	}
	s.questions.Ceil(&q.Options)
	if err := s.readOwn(ctx, q.Own); err != nil {
		return survey, err
	}
	var sides []solver.Task
	for _, name := range q.Models {
		t := solver.Task{Model: name, Options: q.Options}
		base, _ := models.Split(name)
		own := slices.IndexFunc(q.Own, func(o solver.OwnModel) bool { return o.Name == base })
		version, isVersion := published.Find(base)
		switch {
		case own >= 0:
			t.ModelText, t.ModelFiles = q.Own[own].Text, q.Own[own].Files
		case isVersion && version.Text != "":
			t.ModelText = version.Text
		default:
			if _, err := models.Named(name); err != nil {
				return survey, server.Refuse("%s.", server.Shortened(err.Error()))
			}
		}
		if err := engines.Admit(t); err != nil {
			return survey, question.RefusalOf(err)
		}
		sides = append(sides, t)
	}
	if q.Arch, err = distinguish.Tongue(q.Models, q.Arch); err != nil {
		return survey, server.Refuse("%s.", err.Error())
	}
	over, err := cycle.ParseRelaxations(q.Arch, cycle.AllRelaxations(q.Arch))
	if err != nil {
		return survey, err
	}
	survey = distinguish.Survey{
		Runner: s.questions.Runner, Workers: max(1, s.server.Limits.Jobs/2), Sides: sides,
		Over: distinguish.Range{Arch: q.Arch, Over: over, Most: q.Size},
	}
	if slices.ContainsFunc(q.Models,
		func(name string) bool { v, ok := published.Find(name); return ok && v.Text != "" }) {
		for _, t := range published.Tests(q.Arch) {
			survey.Also = append(survey.Also, distinguish.Test{Name: t.Name, Source: t.Source})
		}
	}
	return survey, nil
}

// surveyOfTwo returns the search for tests that distinguish two models.
func (s *page) surveyOfTwo(ctx context.Context, q *surveyParams) (distinguish.Survey, error) {
	survey, err := s.survey(ctx, q)
	if err == nil && q.Models[0] == q.Models[1] {
		err = server.Refuse("Choose two different models.")
	}
	return survey, err
}

// readOwn parses the visitor's models in a child process and returns the first error.
func (s *page) readOwn(ctx context.Context, own []solver.OwnModel) error {
	for _, o := range own {
		if models.IsBuiltIn(o.Name) || strings.ContainsAny(o.Name, "~+ ") {
			return server.Refuse("Your model cannot have the name %q. Choose another name.", litmus.Shorten(o.Name))
		}
		q := question.Question{
			Source: question.AnyTest, Models: []string{o.Name}, Own: []solver.OwnModel{o},
			Options: solver.DefaultOptions(),
		}
		in, err := s.questions.Inspect(ctx, q.Unread())
		if err != nil {
			return err
		}
		if errs := in.Fault(o.Name); errs != nil {
			return &question.BadModel{Errs: errs, Own: true}
		}
	}
	return nil
}

// readQuestion reads the page's form.
func readQuestion(f url.Values) (*surveyParams, error) {
	q := &surveyParams{
		Models: []string{cmp.Or(f.Get("left"), "sc"), cmp.Or(f.Get("right"), "tso")},
		Arch:   f.Get("arch"), Size: usualSize, Most: 3, Options: solver.DefaultOptions(),
	}
	var err error
	if q.Own, err = question.OwnFromForm(f); err != nil {
		return nil, err
	}
	if text := f.Get("size"); text != "" {
		if q.Size, err = strconv.Atoi(text); err != nil {
			return nil, server.Refuse("size: got %q, want a number.", litmus.Shorten(text))
		}
	}
	return q, nil
}

// address returns the address of the search: readable as long as it has no own model.
func (q *surveyParams) address() server.Address {
	f := url.Values{"left": {q.Models[0]}, "right": {q.Models[1]}, "size": {strconv.Itoa(q.Size)}}
	if q.Arch != "" {
		f.Set("arch", q.Arch)
	}
	if len(q.Own) == 0 {
		return server.Address{URL: "/distinguish?" + f.Encode()}
	}
	for _, o := range q.Own {
		formfields.AddOwn(f, o)
	}
	return server.AddressOf("/distinguish", f)
}

// progress is the progress of a search, or its end.
type progress struct {
	Asked  int
	Answer *distinguish.Apart
	Ended  string // why the search is incomplete; "": it is complete
}

// search runs a search. It yields the progress every half second and finally the answer.
func (s *page) search(ctx context.Context, q *surveyParams, survey distinguish.Survey) iter.Seq[progress] {
	return func(yield func(progress) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var asked atomic.Int64
		done := make(chan progress, 1)
		go func() {
			var n progress
			err := server.Guarded(func() (err error) {
				n.Answer, err = survey.Two(ctx, q.Most, func() { asked.Add(1) })
				return err
			})
			n.Asked, n.Ended = int(asked.Load()), s.ended(ctx, err)
			done <- n
		}()
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case n := <-done:
				yield(n)
				return
			case <-tick.C:
				if !yield(progress{Asked: int(asked.Load())}) {
					return
				}
			}
		}
	}
}

// ended returns why a search ended early; "" if it did not.
func (s *page) ended(ctx context.Context, err error) string {
	if err == nil {
		return ""
	}
	if why := question.WhyEnded(cmp.Or(ctx.Err(), err)); why != "" {
		return why
	}
	s.server.Log.ErrorContext(ctx, "distinguish", "error", err)
	return "internal error; the server has logged it"
}

// getDistinguish shows the form and, if the address has two models, runs the search.
func (s *page) getDistinguish(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("form") {
		s.server.FromAddress(s.postDistinguish)(w, r)
		return
	}
	s.answer(w, r, r.URL.Query(), r.URL.Query().Has("right"))
}

func (s *page) postDistinguish(w http.ResponseWriter, r *http.Request) {
	if s.server.ParseForm(w, r) {
		s.answer(w, r, r.PostForm, true)
	}
}

// answer shows the page for a form; with asks set, it runs the search and streams the page.
func (s *page) answer(w http.ResponseWriter, r *http.Request, f url.Values, asks bool) {
	q, err := readQuestion(f)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	if !asks {
		s.server.Render(w, r, http.StatusOK, distinguishPage(server.Nonce(r.Context()), viewQuestion(q, nil)))
		return
	}
	survey, err := s.surveyOfTwo(r.Context(), q)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	ctx, over, err := question.InTurn(r.Context(), s.turns)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	defer over()
	v := viewQuestion(q, s.search(ctx, q, survey))
	v.Address = q.address()
	s.server.Render(w, r, http.StatusOK, distinguishPage(server.Nonce(r.Context()), v))
}

// Bodies of the operation distinguish.
type (
	distinguishInput struct {
		Body struct {
			Left  string `json:"left" limit:"name" doc:"a built-in model, a model without an axiom (tso~consensus), a published version, or a name in own_models" example:"tso"`
			Right string `json:"right" limit:"name" doc:"the other model" example:"pso"`
			Own   []solver.
				OwnModel `json:"own_models,omitempty" limit:"models" doc:"models in the cat language, under the names that left and right can use"`
			Arch string `json:"arch,omitempty" limit:"name" doc:"the dialect of the tests; default: the models' architecture"`
			Size int    `json:"size,omitempty" minimum:"2" maximum:"6" default:"4" doc:"the largest number of accesses in a test's cycle"`
			Most int    `json:"most,omitempty" minimum:"1" maximum:"20" default:"3" doc:"how many tests to return for each direction"`
		}
	}
	distinguishOutput struct{ Body *toldApart }
	toldApart         struct {
		*distinguish.Apart
		Ended string `json:"ended,omitempty" doc:"why the search is incomplete; the response has what it found"`
	}
)

// restDistinguish mounts the operation distinguish.
func (s *page) restDistinguish(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "distinguish", Path: "/api/v1/distinguish",
		Summary: "Tell two models apart",
		Description: "Finds the smallest tests that one model forbids and the other allows, in both directions, " +
			"each with the reason why one model forbids it and an execution that the other allows. " +
			"It searches the tests of all critical cycles of up to size accesses; exhausted_to is the size up to " +
			"which both models decided all tests. " +
			"The search stops at the time limit of a question, or when the client closes the request. The response " +
			"then has the tests found so far. " +
			"If a model cannot be read, the response is a problem with status 422; its errors give lines and columns.",
	}), func(ctx context.Context, in *distinguishInput) (*distinguishOutput, error) {
		b := in.Body
		q := &surveyParams{
			Models: []string{b.Left, b.Right}, Own: b.Own, Arch: b.Arch, Size: cmp.Or(b.Size, usualSize),
			Most: cmp.Or(b.Most, 3), Options: solver.DefaultOptions(),
		}
		survey, err := s.surveyOfTwo(ctx, q)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		within, over, err := question.InTurn(ctx, s.turns)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		defer over()
		begun := time.Now()
		a, err := survey.Two(within, q.Most, func() {})
		if a == nil {
			return nil, s.server.Problem(ctx, err)
		}
		a.MS = float64(time.Since(begun).Microseconds()) / 1000
		return &distinguishOutput{&toldApart{a, s.ended(within, err)}}, nil
	})
}
