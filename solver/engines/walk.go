package engines

import (
	"context"
	"fmt"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/play"
	"litmuscope/solver"
	"litmuscope/solver/machine"
)

// Stroll is a question for a run: to the execution of an outcome, or along a path.
type Stroll struct {
	File   string `json:"file"`
	Source string `json:"source"`
	Model  string `json:"model"`
	// Outcome is the execution in the picture; nil for none.
	Outcome *solver.Outcome `json:"outcome,omitempty"`
	// Drawn: the execution is a C program's. The walk puts the drawn execution in order; it does not parse the source.
	Drawn bool `json:"drawn,omitempty"`
	// Path, unless nil, are the steps to take (see machine.ParsePath); it wants a machine.
	Path *string `json:"path,omitempty"`
	litmus.Processor
}

// Walk is a run, or why there is none.
type Walk struct {
	Refused string           `json:"refused,omitempty"`
	BadTest litmus.ErrorList `json:"bad_test,omitempty"`
	Threads []int            `json:"threads,omitempty"` // as numbered in the test
	// Machine names the machine whose steps these are, which may leave the path for others; "" for an execution with an
	// order of its events.
	Machine string       `json:"machine,omitempty"`
	Frames  []play.Frame `json:"frames,omitempty"`
	// LeavesAt is the first step after which the run cannot be that of the execution any more;
	// 0 for none.
	LeavesAt int `json:"left,omitempty"`
	// Reachable is what can still follow a path.
	Reachable *machine.Reachable `json:"reachable,omitempty"`
}

// Bounds on a search for what a path can still come to: a reader is waiting.
const (
	reachTime   = 300 * time.Millisecond
	reachStates = 1 << 17
	reachBytes  = 64 << 20
	maxReached  = 256
)

// AnswerStroll answers a stroll. Its error is a fault of the program.
func AnswerStroll(q Stroll) (*Walk, error) {
	w := &Walk{}
	if q.Drawn && q.Outcome != nil && q.Outcome.Graph != nil {
		var err error
		if w.Frames, err = play.Play(q.Outcome.Graph); err != nil {
			w.refuse(err)
		}
		return w, nil
	}
	p, err := dialect.ParseFor(q.File, strings.ReplaceAll(q.Source, "\r\n", "\n"), q.Processor)
	if err != nil {
		w.BadTest = few(litmus.Errors(err))
		return w, nil
	}
	for _, th := range p.Threads {
		w.Threads = append(w.Threads, th.ID)
	}
	var g *models.Graph
	if q.Outcome != nil {
		g = q.Outcome.Graph
	}
	m, _ := models.Find(q.Model)
	switch {
	case m != nil && m.HasMachine():
		kind, _ := machine.For(m)
		w.Machine = kind.String()
		return w, w.walk(p, kind, q, g)
	case q.Path != nil:
		w.Refused = fmt.Sprintf("%s has no machine that could run step by step.", q.Model)
	case g == nil:
		w.Refused = "The test has no execution to show."
	default:
		w.play(p, g)
	}
	return w, nil
}

// walk takes the steps of a machine.
func (w *Walk) walk(p *ir.Program, k machine.Kind, q Stroll, g *models.Graph) error {
	steps, err := course(p, k, q, g)
	if err != nil {
		w.refuse(err)
		return nil
	}
	run, err := machine.NewWalk(p, k, steps, g)
	if err != nil {
		w.refuse(err)
		return nil
	}
	if q.Path == nil && g != nil && run.LeavesAt > 0 {
		return fmt.Errorf("BUG: the run to an execution leaves it at step %d", run.LeavesAt)
	}
	w.Frames, w.LeavesAt = run.Frames, run.LeavesAt
	if q.Path == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	w.Reachable, err = run.Reach(ctx, machine.ReachLimits{States: reachStates, Bytes: reachBytes, Outcomes: maxReached})
	if err != nil { // some run that continues from here has no next step
		w.Reachable = &machine.Reachable{Outcomes: []machine.Reached{}, Why: err.Error()}
	}
	return nil
}

// course are the steps to take: those given, those of the outcome's own run, or those of one
// to its execution.
func course(p *ir.Program, k machine.Kind, q Stroll, g *models.Graph) ([]machine.Step, error) {
	switch {
	case q.Path != nil:
		return machine.ParsePath(p, *q.Path)
	case q.Outcome != nil && len(q.Outcome.Trace) > 0:
		if steps, err := machine.Retrace(p, k, q.Outcome.Trace); err == nil {
			return steps, nil
		}
	}
	if g == nil {
		return nil, fmt.Errorf("the test has no execution to show")
	}
	return machine.Follow(p, k, g)
}

// play puts an execution in order.
func (w *Walk) play(p *ir.Program, g *models.Graph) {
	frames, err := play.Play(g)
	if err == nil {
		err = play.Fill(p, g, frames)
	}
	if err != nil {
		w.refuse(err)
		return
	}
	w.Frames = frames
}

func (w *Walk) refuse(err error) {
	text := err.Error()
	w.Refused = strings.ToUpper(text[:1]) + text[1:] + "."
}
