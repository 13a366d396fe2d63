package operational

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/play"
)

// Machine takes the steps of a program on a machine with states S.
type Machine[S any] interface {
	// Start is the first state.
	Start() (S, error)
	// Steps are the steps that a state offers, by thread. Late steps are those that a run takes only if it has to; it
	// computes them only if asked.
	Steps(from S, late bool) ([][]Step[S], error)
	// Show is a state as a frame, without steps. before is the state before the last step; nil at the start.
	Show(at S, before *S) (play.Frame, error)
	// Happened are the events of an execution that a state has performed, and those of them that wait: not all threads
	// can see them. It returns false if no run from the state comes to the execution.
	Happened(at S, x *Execution) (events, waiting []int, ok bool)
	// Key has everything that differs between states that can still come to an execution.
	Key(at S) string
	// Search explores the runs from a state.
	Search(ctx context.Context, at S, limits Limits) (Found, error)
}

// Patient is a machine whose Happened sees early that a state cannot come to an execution. Patient returns the machine
// with a Happened that fails only when an event happens otherwise, so that a run gets as far as it can.
type Patient[S any] interface {
	Patient() Machine[S]
}

// Step is a step that a state offers.
type Step[S any] struct {
	After  S
	Text   string // as part of a path: it means the same in every state that offers it
	Source int    // of its instruction, by index in the thread's column; -1 for none
	Did    string // what it does
	Note   string // what is unusual about it
	Choice string // as a choice for readers
	Apart  bool   // it executes no instruction
	// For the search for a run to an execution. Sure: if the step can lead to the execution, every run to it that goes
	// on without the step can take it now. Idle: no run needs it.
	Sure, Idle bool
}

// Run is a run that may stop anywhere, as frames.
type Run struct {
	Frames []play.Frame // one more than steps
	// LeavesAt is the first step, from 1, after which the run cannot be that of the execution any more; 0 for none.
	LeavesAt int

	search func(ctx context.Context, limits Limits) (Found, error)
}

// followStates bounds the search for a run.
const followStates = 1 << 13

// ErrNoRun: no run of the machine has the execution.
var ErrNoRun = errors.New("the machine has no run with this execution")

// Stuck is the error of an execution that no run has. It is an [ErrNoRun]. S is a step.
type Stuck[S any] struct {
	Path     []S   // of a run that performs as many of the execution's events as any that the search has found
	Happened []int // those events
}

// Error implements error.
func (*Stuck[S]) Error() string { return ErrNoRun.Error() }

// Unwrap returns ErrNoRun.
func (*Stuck[S]) Unwrap() error { return ErrNoRun }

// Follow returns the path of a run whose execution is that of a graph. Threads execute as long as they can, and take
// late steps only if no thread can execute on without one. An error says that there is no such run ([Stuck]) or that
// the search has reached its bound.
func Follow[S any](ctx context.Context, m Machine[S], p *ir.Program, g *models.Graph) ([]string, error) {
	x, err := NewExecution(p, g)
	if err != nil {
		return nil, err
	}
	f := &follower[S]{ctx: ctx, machine: m, execution: x, seen: map[string]bool{}}
	start, err := m.Start()
	if err != nil {
		return nil, err
	}
	found, err := f.follow(start, 0)
	switch {
	case err != nil:
		return nil, err
	case !found && len(f.seen) >= followStates:
		return nil, fmt.Errorf("the first %d states contain no run with this execution", followStates)
	case !found && f.cut:
		return nil, fmt.Errorf("no run of at most %d steps has this execution", play.MaxPath)
	case !found:
		if by, ok := m.(Patient[S]); ok {
			f = &follower[S]{ctx: ctx, machine: by.Patient(), execution: x, seen: map[string]bool{}}
			if _, err := f.follow(start, 0); err != nil {
				return nil, err
			}
		}
		return nil, &Stuck[string]{f.best, f.happened}
	}
	return f.path, nil
}

// follower looks for a run with an execution, depth first.
type follower[S any] struct {
	ctx       context.Context
	machine   Machine[S]
	execution *Execution
	seen      map[string]bool
	path      []string
	cut       bool // some run is longer than play.MaxPath

	// The first path with the most events, and these.
	best     []string
	happened []int
}

// follow continues from a state, first with the thread that took the last step, with late steps last.
func (f *follower[S]) follow(from S, last int) (bool, error) {
	if err := f.ctx.Err(); err != nil {
		return false, err
	}
	key := f.machine.Key(from)
	if f.seen[key] || len(f.seen) >= followStates {
		return false, nil
	}
	if len(f.path) >= play.MaxPath {
		f.cut = true
		return false, nil
	}
	f.seen[key] = true
	if events, _, ok := f.machine.Happened(from, f.execution); ok && len(events) > len(f.happened) {
		f.best, f.happened = slices.Clone(f.path), events
	}
	for _, late := range []bool{false, true} {
		steps, err := f.machine.Steps(from, late)
		if err != nil {
			return false, err
		}
		for i := range steps {
			t := (last + i) % len(steps)
			for _, st := range steps[t] {
				if st.Idle {
					continue
				}
				if _, _, ok := f.machine.Happened(st.After, f.execution); !ok {
					continue
				}
				f.path = append(f.path, st.Text)
				if found, err := f.follow(st.After, t); found || err != nil {
					return found, err
				}
				f.path = f.path[:len(f.path)-1]
				if st.Sure {
					return false, nil
				}
			}
		}
		if late || slices.ContainsFunc(steps, func(of []Step[S]) bool { return len(of) > 0 }) {
			continue
		}
		if events, _, ok := f.machine.Happened(from, f.execution); ok && f.execution.Over(events) {
			return true, nil
		}
	}
	return false, nil
}

// NewRun takes the steps of a path in turn. With a graph, frames name the events of it that they carry out, for as long
// as the run can still become that execution. It fails, naming the step, when the machine cannot take one.
func NewRun[S any](m Machine[S], p *ir.Program, path []string, g *models.Graph) (*Run, error) {
	var x *Execution
	if g != nil {
		var err error
		if x, err = NewExecution(p, g); err != nil {
			return nil, err
		}
	}
	at, err := m.Start()
	if err != nil {
		return nil, err
	}
	w := &Run{}
	offered, err := add(w, m, play.Frame{Thread: -1, Source: -1}, at, nil)
	if err != nil {
		return nil, err
	}
	var happened []int
	for i, want := range path {
		t, st, ok := find(offered, want)
		if !ok {
			return nil, fmt.Errorf("step %d: the machine cannot take the step %q", i+1, litmus.Shorten(want))
		}
		f := play.Frame{Thread: t, Source: st.Source, Choice: st.Text, Did: st.Did, Note: st.Note}
		if x != nil {
			events, waiting, ok := m.Happened(st.After, x)
			if !ok {
				x, w.LeavesAt = nil, i+1
			} else {
				for _, e := range events {
					if !slices.Contains(happened, e) {
						f.Events = append(f.Events, e)
					}
				}
				happened, f.Waiting = events, waiting
			}
		}
		before := at
		at = st.After
		if offered, err = add(w, m, f, at, &before); err != nil {
			return nil, err
		}
	}
	w.search = func(ctx context.Context, limits Limits) (Found, error) { return m.Search(ctx, at, limits) }
	return w, nil
}

// find returns the step of a text.
func find[S any](offered [][]Step[S], text string) (int, Step[S], bool) {
	for t, steps := range offered {
		for _, st := range steps {
			if st.Text == text {
				return t, st, true
			}
		}
	}
	return 0, Step[S]{}, false
}

// add adds the frame of a step, completed by the state after it. It returns the steps that the state offers.
func add[S any](w *Run, m Machine[S], f play.Frame, at S, before *S) ([][]Step[S], error) {
	shown, err := m.Show(at, before)
	if err != nil {
		return nil, err
	}
	f.Memory, f.Messages, f.Threads = shown.Memory, shown.Messages, shown.Threads
	f.Orders, f.Propagates = shown.Orders, shown.Propagates
	if n := len(w.Frames); n > 0 {
		last := &w.Frames[n-1]
		mark(f.Memory, last.Memory)
		for t := range f.Threads {
			now, was := &f.Threads[t], &last.Threads[t]
			mark(now.Regs, was.Regs)
			mark(now.View, was.View)
			mark(now.Bounds, was.Bounds)
		}
	}
	offered := make([][]Step[S], len(f.Threads))
	for _, late := range []bool{false, true} {
		steps, err := m.Steps(at, late)
		if err != nil {
			return nil, err
		}
		for t := range steps {
			offered[t] = append(offered[t], steps[t]...)
		}
	}
	for t, steps := range offered {
		for _, st := range steps {
			f.Choices = append(f.Choices, play.Choice{Step: st.Text, Thread: t, Text: st.Choice, Flush: st.Apart})
		}
	}
	w.Frames = append(w.Frames, f)
	return offered, nil
}

// mark marks the cells whose values differ from those before.
func mark(now, before []play.Cell) {
	for i := range now {
		now[i].New = i < len(before) && before[i].Value != now[i].Value
	}
}

// Reach returns the outcomes that can follow the run's last step, at most so many, and why there may be others: "" if
// there are none.
func (w *Run) Reach(ctx context.Context, p *ir.Program, limits Limits, most int) ([]ir.State, string, error) {
	found, err := w.search(ctx, limits)
	why := ""
	switch {
	case err != nil && ctx.Err() != nil:
		why = "time limit reached"
	case err != nil:
		return nil, "", err
	case found.Full:
		why = ErrFull.Error()
	case found.Cut:
		why = "the unroll bound was reached"
	}
	var out []ir.State
	for _, o := range found.Outcomes {
		out = append(out, o.State)
	}
	slices.SortFunc(out, p.CompareStates)
	if len(out) > most {
		out, why = out[:most], fmt.Sprintf("more than %d outcomes", most)
	}
	return out, why, nil
}

// NextThread is a thread at its next action, as part of a frame: its registers, and its instruction unless it has
// ended.
func NextThread(p *ir.Program, t int, a ir.Action, regs []uint64) play.Thread {
	out := play.Thread{Next: -1, Regs: play.Registers(p, t, regs)}
	switch a.Kind {
	case ir.ActEnd, ir.ActUnwound:
	case ir.ActBlocked:
		out.Blocked = fmt.Sprintf("P%d cannot continue", p.Threads[t].ID)
		fallthrough
	default:
		out.Next = p.Threads[t].Code[a.Step].Source
	}
	return out
}

// Initial is the initial value of a location.
func Initial(p *ir.Program, loc int) uint64 { return p.Locs[loc].Init & ir.Mask(p.Locs[loc].Bits) }

// Assignment is "x=1".
func Assignment(p *ir.Program, loc int, value uint64) string {
	return p.Locs[loc].Name + "=" + p.FormatAt(loc, value)
}
