package engines

import (
	"context"
	"errors"
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
	"litmuscope/solver/operational"
	"litmuscope/solver/promising"
	"litmuscope/solver/propagation"
	"litmuscope/solver/views"
)

// Stroll is a question for a run: to the execution of an outcome, or along a path.
type Stroll struct {
	File   string `json:"file"`
	Source string `json:"source"`
	Model  string `json:"model"`
	// Outcome is the execution in the picture; nil for none.
	Outcome *solver.Outcome `json:"outcome,omitempty"`
	// Forbidden: the model forbids the execution. The walk goes as far as a run of the model's machine can.
	Forbidden bool `json:"forbidden,omitempty"`
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
	// Why says why the frames are an order of events, although the model has a machine.
	Why string `json:"why,omitempty"`
	// Stuck, of a forbidden execution, says where the frames stop.
	Stuck string `json:"stuck,omitempty"`
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
	followTime  = 2 * time.Second // for the run of such a machine to an execution
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
	case m != nil && m.IsBuiltIn() && stepperOf(m) != nil:
		if err := w.run(p, m, q, g); err == nil || q.Path != nil || g == nil || q.Forbidden {
			return w, nil
		}
		w.Refused = ""
		w.play(p, g)
	case q.Path != nil:
		w.Refused = fmt.Sprintf("%s has no machine that could run step by step.", q.Model)
	case g == nil:
		w.Refused = "The test has no execution to show."
	default:
		w.play(p, g)
	}
	return w, nil
}

// stepper takes the steps of a machine: those of a path, or those of a run to an execution.
type stepper struct {
	lacks func(p *ir.Program) string // what the machine does not support in a program
	run   runner
}

// runner takes the steps of a path, or those of a run to an execution. If the model forbids the execution, it goes as
// far as a run can, and says where that is.
type runner func(
	ctx context.Context, p *ir.Program, m *models.Model, path *string, g *models.Graph, forbidden bool,
) (run *operational.Run, stuck string, err error)

// stepperOf returns the stepper of a model; nil if there is none.
func stepperOf(m *models.Model) *stepper {
	switch {
	case promising.Has(m):
		return &stepper{promising.Lacks, stepsOf(promising.Machine)}
	case propagation.Has(m):
		lacks := func(p *ir.Program) string { return propagation.Lacks(m, p) }
		return &stepper{lacks, stepsOf(propagation.Machine)}
	case views.Has(m):
		return &stepper{views.Lacks, stepsOf(views.Machine)}
	}
	return nil
}

// stepsOf takes the steps of a machine.
func stepsOf[S any](
	machineOf func(context.Context, *ir.Program, *models.Model) (operational.Machine[S], error),
) runner {
	return func(
		ctx context.Context, p *ir.Program, m *models.Model, path *string, g *models.Graph, forbidden bool,
	) (*operational.Run, string, error) {
		k, err := machineOf(ctx, p, m)
		if err != nil {
			return nil, "", err
		}
		var steps []string
		text := ""
		switch {
		case path != nil:
			steps, err = play.ParsePath(*path, func(part string) (string, error) { return part, nil })
		case g != nil:
			steps, err = operational.Follow(ctx, k, p, g)
			if stuck := (*operational.Stuck[string])(nil); forbidden && errors.As(err, &stuck) {
				steps, text, err = stuck.Path, play.Stuck(g, stuck.Happened), nil
				if by, ok := k.(operational.Patient[S]); ok {
					k = by.Patient()
				}
			}
		default:
			err = errors.New("the test has no execution to show")
		}
		if err != nil {
			return nil, "", err
		}
		run, err := operational.NewRun(k, p, steps, g)
		return run, text, err
	}
}

// run takes the steps of a machine that the model has in another package than machine. It returns why there is no such
// run, which w says, too.
func (w *Walk) run(p *ir.Program, m *models.Model, q Stroll, g *models.Graph) error {
	ctx, cancel := context.WithTimeout(context.Background(), followTime)
	defer cancel()
	unrolled, _ := ir.Unroll(p, solver.DefaultOptions().Unroll, m.Waits())
	by := stepperOf(m)
	var run *operational.Run
	var err error
	if lacks := by.lacks(unrolled); lacks != "" {
		err = fmt.Errorf("the machine of %s does not support %s", models.FactsOf(m.Name).Label, lacks)
	} else {
		run, w.Stuck, err = by.run(ctx, unrolled, m, q.Path, g, q.Forbidden)
	}
	if err != nil {
		w.refuse(err)
		w.Why = w.Refused
		return err
	}
	w.Machine, w.Frames, w.LeavesAt = m.Name, run.Frames, run.LeavesAt
	if q.Path == nil {
		return nil
	}
	ctx, cancel = context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	w.Reachable = &machine.Reachable{Outcomes: []machine.Reached{}}
	states, why, err := run.Reach(ctx, unrolled, operational.Limits{Bytes: reachBytes}, maxReached)
	if err != nil {
		why = err.Error()
	}
	w.Reachable.Complete, w.Reachable.Why = why == "", why
	for _, s := range states {
		w.Reachable.Outcomes = append(w.Reachable.Outcomes,
			machine.Reached{State: solver.PrintState(p, s), Satisfies: p.Satisfies(p.Condition.Prop, s)})
	}
	return nil
}

// walk takes the steps of a machine.
func (w *Walk) walk(p *ir.Program, k machine.Kind, q Stroll, g *models.Graph) error {
	steps, err := course(p, k, q, g)
	if stuck := (*operational.Stuck[machine.Step])(nil); q.Forbidden && errors.As(err, &stuck) {
		steps, w.Stuck, err = stuck.Path, play.Stuck(g, stuck.Happened), nil
	}
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
