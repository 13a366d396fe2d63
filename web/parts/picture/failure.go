package picture

import (
	"context"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
)

// FailureView shows a failing execution of a program.
type FailureView struct {
	Note      string // what there is in place of a picture
	Reordered []string
	Places    placesView
	ExecutionView
}

// placesView relates an execution to lines of the program's text.
type placesView struct {
	Lines  map[string]placeView `json:"lines"` // by cellKey
	Fails  []placeView          `json:"fails"`
	Values map[int]valueView    `json:"values"` // of what events access
	Spawns map[int]int          `json:"spawns"` // the events that threads begin with, by thread
}

// placeView is a line of a file.
type placeView struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// valueView is a value that an event reads or writes: "x = 1".
type valueView struct {
	Text  string `json:"text"`
	Write bool   `json:"write,omitempty"`
}

// HowFailed returns the verb after the text of a failure; "" if the text is complete.
func HowFailed(p ir.Property) string {
	if p == ir.Assertion {
		return "fails"
	}
	return ""
}

// ViewFailure returns the view of a program's failure under the task's model. file is the program's first file.
func (s *Pictures) ViewFailure(ctx context.Context, of solver.Task, file string, f solver.Failure) FailureView {
	v := FailureView{Reordered: f.Reordered, Places: failingPlaces(f)}
	label, how := question.Label(of.Model), HowFailed(f.Property)
	v.Title = strings.TrimSpace(label + ": " + f.Text + " " + how)
	v.FileName = strings.Map(FileRune, strings.TrimSuffix(path.Base(file), path.Ext(file))+"-"+of.Model)
	if f.Graph == nil {
		v.Note = "There is no picture of this failure."
		return v
	}
	// Highlight the cycle that SC forbids: nearly all events of a program are on some cycle.
	if v.Why = s.ViewWhyYet(ctx, of, label, f.Graph); v.Why != nil {
		v.Cycle = v.Why.Steps
	}
	s.Show(ctx, &v.ExecutionView, f.Graph)
	v.Steps = s.failingSteps(ctx, of.Model, f, how)
	return v
}

// failingSteps returns the steps to a failure: those of the engine, or one order of the execution's events.
func (s *Pictures) failingSteps(ctx context.Context, model string, f solver.Failure, how string) *StepsView {
	o := DrawnOutcome{Model: model, Outcome: solver.Outcome{Graph: f.Graph, Trace: f.Trace}}
	for i := range f.Graph.Threads {
		o.Threads = append(o.Threads, i)
	}
	var frames []RunFrame
	if len(f.Trace) > 0 {
		frames = TracedFrames(o)
	} else {
		w, err := s.Walk(ctx, engines.Stroll{Model: model, Outcome: &o.Outcome, Drawn: true})
		if err != nil {
			return &StepsView{Problem: s.Server.Fault(ctx, err).View.String()}
		}
		for _, frame := range w.Frames {
			frames = append(frames, RunFrame{Frame: frame})
		}
	}
	last := frames[len(frames)-1]
	last.Did, last.Note, last.Events, last.Source = f.Text+" "+how, "", nil, -1
	for i, t := range f.Graph.Threads {
		if at := slices.IndexFunc(t.Places,
			func(p models.GraphPlace) bool { return p.Line == f.Line }); t.Name == f.Thread && at >= 0 {
			last.Thread, last.Source = i, at
			frames = append(frames, last)
			break
		}
	}
	return Arrange(o, frames, false)
}

// failingPlaces returns the places of an execution's events and steps in the program's files, with their values.
func failingPlaces(f solver.Failure) placesView {
	v := placesView{
		Lines: map[string]placeView{}, Fails: []placeView{{f.File, f.Line}}, Values: map[int]valueView{},
		Spawns: map[int]int{},
	}
	for _, o := range f.Others {
		if p := (placeView{o.File, o.Line}); !slices.Contains(v.Fails, p) {
			v.Fails = append(v.Fails, p)
		}
	}
	if f.Graph == nil {
		return v
	}
	for i, t := range f.Graph.Threads {
		for j, p := range t.Places {
			v.Lines[answer.CellKey(i, j)] = placeView{p.File, p.Line}
		}
	}
	for _, e := range f.Graph.Events {
		if e.Loc != "" && e.Thread >= 0 {
			v.Values[e.ID] = valueView{e.Loc + " = " + e.Value, e.Kind == "W"}
		}
	}
	for _, r := range f.Graph.Relations {
		for _, p := range r.Edges {
			if r.Name == "spawn" {
				v.Spawns[f.Graph.Events[p[1]].Thread] = p[0]
			}
		}
	}
	return v
}
