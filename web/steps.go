package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// stepView is a step of a trace, in words.
type stepView struct {
	Thread  string
	Key     string // of the instruction, as in cellView
	Round   string // "round 2", of its first step
	Action  string
	Buffers []string // of the threads that have pending stores
	Memory  string
	Clock   string // "clock 3"; "" where there is none
}

// playerView is the frame in which the page's script shows a run: what stays the same
// from step to step.
type playerView struct {
	Run      drawnOutcome // for the script
	Steps    int
	Threads  []playerThread
	Buffered bool     // some store waits in a buffer on the way
	Memory   []string // the locations' names
	Lists    []string // … of those that have a write list
}

type playerThread struct {
	Name  string
	Cells []playerCell
}

// playerCell is an instruction.
type playerCell struct {
	Key  string // as in cellView
	Text string
}

// stepperView is the question for a run to an outcome that has none: of the machine,
// which explores states and not executions.
type stepperView struct {
	Model string
	State string // as JSON
}

// stepper is the engine that is asked for runs.
const stepper = "machine"

// viewStepper offers a run to an outcome, if a machine can have one.
func viewStepper(o drawnOutcome) *stepperView {
	if e, err := engines.Find(stepper); err != nil || !e.AnswersFor(o.Model) {
		return nil
	}
	return &stepperView{o.Model, stateJSON(o.Outcome.State)}
}

// postStep asks the machine for a run to an outcome of the table; see outcomeQuestion.
func (s *server) postStep(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r) {
		return
	}
	q, state, err := s.outcomeQuestion(r.Context(), r.PostForm)
	q.Engine, q.Options.Witnesses = stepper, true
	if a := s.ask(w, r, q, err); a != nil {
		s.render(w, r, http.StatusOK, picture(pictureView{executionView: s.viewRun(r.Context(), a, state)}))
	}
}

// viewRun arranges the machine's run to the outcome that a question asks for, or says
// why there is none.
func (s *server) viewRun(ctx context.Context, a *answers, state solver.State) executionView {
	r := a.results[0]
	for _, o := range r.Outcomes {
		if o.Satisfies {
			return s.viewExecution(ctx, drawnOutcome{r.Name, r.Model, a.test.Threads, o}, false)
		}
	}
	why := cmp.Or(r.Error, r.Reason, "it does not reach this outcome")
	return executionView{
		Title: modelLabel(r.Model) + ": " + stateText(state),
		Why:   &whyView{Lead: "The machine has no run to show: " + why + "."},
	}
}

// run arranges an outcome's steps.
func (v *executionView) run(o drawnOutcome) {
	round := 0
	for _, s := range o.Outcome.Trace {
		step := viewStep(s, o.Threads)
		if s.Round != round {
			round = s.Round
			step.Round = fmt.Sprintf("round %d", round)
		}
		v.Steps = append(v.Steps, step)
	}
	if o.Outcome.Graph != nil {
		v.Player = viewPlayer(o)
	}
}

func viewPlayer(run drawnOutcome) *playerView {
	o := run.Outcome
	v := &playerView{Run: run, Steps: len(o.Trace)}
	for i, t := range o.Graph.Threads {
		th := playerThread{Name: t.Name}
		for j, text := range t.Source {
			th.Cells = append(th.Cells, playerCell{cellKey(i, j), text})
		}
		v.Threads = append(v.Threads, th)
	}
	for _, b := range o.Trace[0].Memory {
		v.Memory = append(v.Memory, b.Name)
	}
	for _, l := range o.Trace[0].Lists {
		v.Lists = append(v.Lists, l.Loc)
	}
	for _, s := range o.Trace {
		v.Buffered = v.Buffered || slices.ContainsFunc(s.Buffers, func(b []solver.BufferEntry) bool { return len(b) > 0 })
	}
	return v
}

func viewStep(s solver.TraceStep, threads []int) stepView {
	v := stepView{Thread: fmt.Sprintf("P%d", s.Thread), Action: s.Action}
	if thread := slices.Index(threads, s.Thread); thread >= 0 && s.Source >= 0 {
		v.Key = cellKey(thread, s.Source)
	}
	for i, b := range s.Buffers {
		if len(b) == 0 || i >= len(threads) {
			continue
		}
		entries := make([]string, len(b))
		for i, e := range b {
			entries[i] = e.Loc + "=" + e.Value
			if e.Stamp != nil {
				entries[i] += fmt.Sprintf(" (until %d)", *e.Stamp)
			}
		}
		v.Buffers = append(v.Buffers, fmt.Sprintf("P%d holds %s", threads[i], strings.Join(entries, ", ")))
	}
	cells := make([]string, len(s.Memory))
	for i, b := range s.Memory {
		cells[i] = b.Name + "=" + b.Value
	}
	v.Memory = strings.Join(cells, " ")
	if s.Clock != nil {
		v.Clock = fmt.Sprintf("clock %d", *s.Clock)
	}
	return v
}
