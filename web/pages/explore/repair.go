package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/synth"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// repair looks for repairs in a child process. It returns a refusal, the context's error, or an internal error.
func (s *page) repair(ctx context.Context, q synth.Question) (*synth.Reply, error) {
	if err := s.questions.Fits(q.Source, &question.Question{ModelText: q.Costs}); err != nil {
		return nil, err
	}
	s.questions.Ceil(&q.Options)
	if most := childwork.RepairTime; q.Options.Timeout == 0 || q.Options.Timeout > most {
		q.Options.Timeout = most
	}
	r, err := childwork.Repairing.Call(ctx, s.questions.Sandbox, q)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Looking for changes")
	case len(r.BadTest) > 0:
		return nil, &question.BadTest{Source: q.Source, Errs: r.BadTest}
	case r.Status == solver.Failed:
		return nil, question.RefusalOf(fmt.Errorf("%s", r.Error))
	}
	return r, nil
}

// askRepair returns the question how to forbid a cell of the table of outcomes, or how to forbid it with less.
func askRepair(q question.Question, pick repairPick) synth.Question {
	model := question.ReadColumn(pick.Column).Model
	q.Options = q.Limits()
	asked := q.Unread()
	return synth.Question{
		Path: question.FileName, Source: asked.Source, Under: []solver.Task{asked.Task(model)},
		State: pick.State, Options: q.Options, Weaken: pick.Weaken,
	}
}

// pictureOf returns a picture. If the outcome is allowed, the picture has a button that asks for repairs; if the test
// forbids it, one that asks what the test does not need.
func (s *page) pictureOf(ctx context.Context, f url.Values) (picture.Shown, error) {
	v, err := s.pictures.AskPicture(ctx, f)
	if err == nil {
		_, pick, err := s.pictures.ReadPicture(f)
		return offered(v, pick.State), err
	}
	return v, err
}

func offered(v picture.Shown, state solver.State) picture.Shown {
	for _, p := range picture.Executions(v) {
		if p.Pick.Flag != "" {
			continue
		}
		value, err := json.Marshal(repairPick{p.Pick.Column, state, p.Verdict == solver.Forbidden})
		if err != nil {
			panic("BUG: cannot write an outcome as JSON: " + err.Error())
		}
		switch p.Verdict {
		case solver.Allowed:
			p.Repair = string(value)
		case solver.Forbidden:
			p.Weaken = string(value)
		}
	}
	return v
}

// repairPick is the outcome to forbid: a column's outcome or, without a state, the one that the condition asks about.
// With Weaken, the column forbids it, and the question is which barriers and orders the test does not need for that.
type repairPick struct {
	Column string       `json:"column"`
	State  solver.State `json:"state,omitempty"`
	Weaken bool         `json:"weaken,omitempty"`
}

// postRepair finds repairs for the cell in form field "repair". Scripts get the result, browsers without scripts a
// page.
func (s *page) postRepair(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	q, err := question.FromForm(r.PostForm)
	var pick repairPick
	if text := r.PostForm.Get("repair"); err == nil &&
		(len(text) > s.server.Limits.Source || json.Unmarshal([]byte(text), &pick) != nil) {
		err = server.Refuse("repair: want an outcome as JSON.")
	}
	status, result := http.StatusOK, templ.Component(nil)
	if err == nil {
		var reply *synth.Reply
		if reply, err = s.repair(r.Context(), askRepair(q, pick)); err == nil {
			v := viewRepairs(q, pick, reply)
			v.Address = server.AddressOf("/repair", r.PostForm, "open", "rerun")
			result = textpage.RepairsPart(v)
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
		repairPage(server.Nonce(r.Context()), server.UnixLines(q.Source),
			question.ExplorerLink(question.LinkStateOf(q, "")), result))
}

// viewRepairs arranges repairs for the page.
func viewRepairs(q question.Question, pick repairPick, r *synth.Reply) textpage.Repairs {
	label, tongue := question.ReadColumn(pick.Column).Label(), dialect.Tongue(server.UnixLines(q.Source))
	url := func(source string) string {
		asks := q
		asks.Source = source
		return question.ExplorerLink(question.LinkStateOf(asks, ""))
	}
	if pick.Weaken {
		return textpage.ViewWeakened("Barriers that the test does not need under "+label, tongue, r, url)
	}
	return textpage.ViewRepairs("Changes that forbid the outcome under "+label, tongue, r, url)
}

// Bodies of the operation repair.
type (
	repairInput struct {
		Body struct {
			Source  string             `json:"source" limit:"test" doc:"the litmus test"`
			Models  []string           `json:"models,omitempty" limit:"models,name" doc:"built-in models that all must forbid the outcome; default: the test's own" example:"[\"tso\"]"`
			Weaken  bool               `json:"weaken,omitempty" doc:"instead of repairing an allowed test, find what a forbidden test does not need"`
			Costs   string             `json:"costs,omitempty" limit:"test" doc:"the costs of changes, in the format of the command repair; they extend the default table"`
			Options optionform.Options `json:"options,omitempty"`
		}
	}
	repairOutput struct{ Body *synth.Reply }
)

// restRepair mounts the operation repair.
func (s *page) restRepair(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "repair", Path: "/api/v1/repair",
		Summary: "Repair a test, or weaken it",
		Description: "Finds the cheapest sets of changes that forbid the outcome of a test's condition: barriers, " +
			"acquires and " +
			"releases, stronger orders, dependencies. " +
			"The response has all sets of the lowest cost, each with the repaired test and the cycles that its " +
			"changes break. No cheaper set suffices. " +
			"With weaken, finds which barriers and orders of a forbidden test can be removed or made cheaper. " +
			"If the test cannot be read, the response is a problem with status 422; its errors give lines and " +
			"columns.",
	}), func(ctx context.Context, in *repairInput) (*repairOutput, error) {
		q := synth.Question{
			Path: question.FileName, Source: server.UnixLines(in.Body.Source), Weaken: in.Body.Weaken,
			Costs: in.Body.Costs, Options: in.Body.Options.OrUsual(),
		}
		for _, m := range in.Body.Models {
			q.Under = append(q.Under, solver.Task{Model: m})
		}
		r, err := s.repair(ctx, q)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		return &repairOutput{r.Public()}, nil
	})
}
