package views

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/operational"
)

// Order of the search. Every execution has one run here, although threads could take turns in many ways:
//
//   - A thread that is not at a read goes on at once. Whatever the other threads do before, they could do it afterwards
//     with the same execution: they do not read the new message, and they can put theirs on either side of it.
//   - If all threads are at reads, one of them is chosen. It reads one of the messages that are there. Or it waits for
//     one that is not there yet (thread.older), if another thread may still write one.
//
// Runs that reach the same state continue in the same way, so that only the first does (key.go). If the order of
// sequentially consistent events matters, no two runs reach the same state, because the state has all events.

// search explores a program.
type search struct {
	ctx     context.Context
	program *ir.Program
	model   *models.Model
	limits  operational.Limits

	ordered bool   // the order of sequentially consistent events matters
	merges  bool   // runs that reach the same state continue once
	plain   []bool // by location: it has plain accesses, which may race
	ahead   *ahead
	shown   []bool // by location: the outcome contains it

	visited map[string]bool
	bytes   int
	operational.Found
}

// errLong ends a search with too many sequentially consistent events.
var errLong = fmt.Errorf("engine machine: an execution has more than %d sequentially consistent events: "+
	"choose another engine", maxOrdered)

// Flags of the model that the machine finds.
const (
	flagRace   = "data-race"
	flagUnlock = "bad-unlock"
	flagWidths = "atomic-widths" // only of accesses of mixed size, which the machine refuses
)

// Takes returns an error that names what the machine does not support in a program, or nil.
func Takes(m *models.Model, p *ir.Program) error {
	at := litmus.Pos{File: p.File}
	if !Has(m) {
		return litmus.Errorf(at, "engine machine: %s has no view machine", m.Name)
	}
	if lacks := lacksFeature(p); lacks != "" {
		return litmus.Errorf(at, "engine machine: the machine of %s does not support %s: choose another engine", m.Name,
			lacks)
	}
	for _, f := range m.Flags {
		if f.Name != flagRace && f.Name != flagUnlock && f.Name != flagWidths {
			return litmus.Errorf(at, "engine machine: the machine of %s does not know the flag %s: choose another "+
				"engine", m.Name, f.Name)
		}
	}
	return nil
}

// Lacks names what the view machine does not support in a program; "" for nothing.
func Lacks(p *ir.Program) string {
	for _, th := range p.Threads {
		for _, step := range th.Code {
			if f, ok := step.Op.(ir.Fence); ok && f.Addr != nil {
				return "fences of a location"
			}
		}
	}
	return lacksFeature(p)
}

// lacksFeature is Lacks without instructions, whose errors name their places.
func lacksFeature(p *ir.Program) string {
	switch {
	case p.Split:
		return "mixed-size accesses"
	case slices.ContainsFunc(p.Locs, func(l ir.Location) bool { return l.Any }):
		return "arbitrary initial values"
	}
	return ""
}

// explore is Explore. ordered says that the order of sequentially consistent events matters, merges that runs which
// reach the same state continue once.
func explore(
	ctx context.Context, p *ir.Program, m *models.Model, limits operational.Limits, ordered, merges bool,
) (operational.Found, error) {
	if err := Takes(m, p); err != nil {
		return operational.Found{}, err
	}
	s := newSearch(ctx, p, m)
	s.limits, s.ordered, s.merges = limits, ordered, merges && !ordered
	st, err := s.start()
	if err != nil {
		return s.Found, err
	}
	return s.explore(st)
}

// newSearch returns a search without limits.
func newSearch(ctx context.Context, p *ir.Program, m *models.Model) *search {
	s := &search{
		ctx: ctx, program: p, model: m, ahead: lookAhead(p), plain: make([]bool, len(p.Locs)),
		shown: make([]bool, len(p.Locs)), visited: map[string]bool{},
		Found: operational.Found{Flagged: make([]*models.Execution, len(m.Flags))},
	}
	for loc := range p.Locs {
		s.plain[loc] = s.ahead.plain(loc)
	}
	for _, o := range p.Observed {
		if o.Thread < 0 {
			s.shown[o.Index] = true
		}
	}
	return s
}

// explore visits the states from one on.
func (s *search) explore(st *State) (operational.Found, error) {
	err := s.visit(st)
	if errors.Is(err, operational.ErrFull) {
		s.Full, err = true, nil
	}
	return s.Found, err
}

// start is the first state.
func (s *search) start() (*State, error) {
	p, n := s.program, len(s.program.Locs)
	st := &State{order: make([][]int, n), updated: make([]bool, n), last: make([][]int, n)}
	for loc, l := range p.Locs {
		st.messages = append(st.messages, message{loc: loc, value: l.Init & ir.Mask(l.Bits)})
		st.order[loc] = []int{loc}
		st.last[loc] = make([]int, len(p.Threads)*lastKinds)
	}
	for t := range p.Threads {
		th := &thread{cur: *ir.NewCursor(p, t, false), release: make([]view, n), held: make([]bool, n)}
		if err := s.advance(th); err != nil {
			return nil, err
		}
		st.threads = append(st.threads, th)
	}
	return st, nil
}

// visit explores a state.
func (s *search) visit(st *State) error {
	if s.States++; s.States%256 == 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	if s.ordered {
		if ok, err := s.consistent(st); !ok || err != nil {
			return err
		}
	}
	for t, th := range st.threads {
		switch th.next.Kind {
		case ir.ActBlocked:
			return nil
		case ir.ActUnwound:
			if th.cur.Thread.Code[th.next.Step].Op.(ir.Unwound).Spin {
				s.Waits = true
				return nil
			}
		case ir.ActEnd, ir.ActLoad, ir.ActRMW:
		default:
			return s.local(st, t)
		}
	}
	if s.merges {
		if known, err := s.known(st); known || err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(st.threads, (*thread).reads) {
		return s.record(st)
	}
	t, here, later := s.choice(st)
	if t < 0 {
		return nil // some thread waits for a message that no thread writes
	}
	for _, m := range here {
		if err := s.visitNext(s.read(st, t, m)); err != nil {
			return err
		}
	}
	if !later {
		return nil
	}
	waits, th := st.clone(t)
	th.older = len(st.messages)
	return s.visit(waits)
}

// visitNext visits the state after a step, if there is one.
func (s *search) visitNext(st *State, err error) error {
	if st == nil || err != nil {
		return err
	}
	return s.visit(st)
}

// local visits the states after the next action of a thread that is not at a read.
func (s *search) local(st *State, t int) error {
	a := st.threads[t].next
	switch a.Kind {
	case ir.ActFence:
		return s.visitNext(s.fence(st, t))
	case ir.ActStore:
		for _, m := range s.writable(st, t) {
			if err := s.visitNext(s.store(st, t, m)); err != nil {
				return err
			}
		}
		return nil
	case ir.ActChoose, ir.ActStoreCond:
		next := s.choose
		if a.Kind == ir.ActStoreCond {
			next = s.conditional
		}
		for _, yes := range []bool{true, false} {
			if err := s.visitNext(next(st, t, yes)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("BUG: unknown action %d", a.Kind)
}

// reads reports whether a thread is at a read.
func (th *thread) reads() bool { return th.next.Kind == ir.ActLoad || th.next.Kind == ir.ActRMW }

// choice chooses a thread that is at a read, if possible one that cannot read messages of the future. It returns the
// thread's messages, and whether another thread may write further ones; -1 if some thread has nothing to read.
func (s *search) choice(st *State) (thread int, here []int, later bool) {
	thread = -1
	for t, th := range st.threads {
		if !th.reads() {
			continue
		}
		messages, more := s.readable(st, t), s.ahead.othersWrite(st, t, th.next.Loc)
		switch {
		case len(messages) == 0 && !more:
			return -1, nil, false
		case len(messages) == 0:
		case !more:
			thread, here, later = t, messages, false
		case thread < 0:
			thread, here, later = t, messages, true
		}
	}
	return thread, here, later
}

// record notes the outcome of a state in which all threads have ended.
func (s *search) record(st *State) error {
	if slices.ContainsFunc(st.threads, func(th *thread) bool { return th.next.Kind == ir.ActUnwound }) {
		s.Cut = true
		return nil
	}
	p := s.program
	final := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 {
			final[i] = st.threads[o.Thread].cur.Regs[o.Index] & ir.Mask(o.Bits)
			continue
		}
		order := st.order[o.Index]
		final[i] = st.messages[order[len(order)-1]].value & ir.Mask(o.Bits)
	}
	return s.Add(p, final, s.raised(st), func() (*models.Execution, error) { return s.execution(st) })
}

// raised lists the flags that a run raises first.
func (s *search) raised(st *State) (out []int) {
	for i, f := range s.model.Flags {
		raises := f.Name == flagRace && st.racy || f.Name == flagUnlock && st.badUnlock
		if raises && s.Flagged[i] == nil {
			out = append(out, i)
		}
	}
	return out
}
