package propagation

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/operational"
)

// Order of the search. Some steps only make further steps possible, and prevent none. The search takes them at once:
//
//   - A thread commits a write or a barrier as soon as it can. Later, more would have reached the thread, which could
//     only add to what other threads must receive first. The place in coherence order is chosen then.
//   - A read takes the write at hand as soon as it can, or does not take that write at all (thread.skips).
//   - An event reaches a thread that it cannot restrict any more.
//
// What remains are the orders in which writes and barriers reach threads. Runs that reach the same state continue in
// the same way, so that only the first does (State.key).

// search explores a program.
type search struct {
	rules
	ctx     context.Context
	program *ir.Program
	limits  operational.Limits
	// early has for each thread and step whether a read may be executed before what the step waits for.
	early [][]bool

	visited map[string]bool
	bytes   int
	ticks   int
	operational.Found
}

// errLong ends a search with too many writes and barriers.
var errLong = fmt.Errorf("engine machine: an execution has more than %d writes and fences: choose another engine",
	maxEvents)

// newSearch returns a search without limits.
func newSearch(ctx context.Context, p *ir.Program, m *models.Model) *search {
	s := &search{
		rules: machines[m.Name], ctx: ctx, program: p, visited: map[string]bool{},
	}
	for _, th := range p.Threads {
		early := make([]bool, len(th.Code)+1)
		for pc := len(th.Code) - 1; pc >= 0; pc-- { // jumps go forward
			early[pc] = early[pc+1]
			switch op := th.Code[pc].Op.(type) {
			case ir.Load:
				early[pc] = true
			case ir.Branch:
				early[pc] = early[op.Target] || op.Cond != nil && early[pc+1]
			case ir.Fence:
				if b := newBarrier(op.Tags, s.rules); b.branch || b.readsBefore && b.readsAfter {
					early[pc] = false
				}
			}
		}
		s.early = append(s.early, early)
	}
	return s
}

// start is the first state.
func (s *search) start() (*State, error) {
	st := &State{at: make([]uint64, len(s.program.Threads)), order: make([][]int, len(s.program.Locs))}
	for t := range s.program.Threads {
		th := &thread{}
		if err := s.advance(st, t, th); err != nil {
			return nil, err
		}
		st.threads = append(st.threads, th)
	}
	return st, nil
}

// explore visits the states from one on.
func (s *search) explore(st *State) (operational.Found, error) {
	err := s.visit(st)
	if errors.Is(err, operational.ErrFull) {
		s.Full, err = true, nil
	}
	return s.Found, err
}

// tick looks at the context now and then.
func (s *search) tick() error {
	if s.ticks++; s.ticks%256 == 0 {
		return s.ctx.Err()
	}
	return nil
}

// visit explores a state.
func (s *search) visit(st *State) error {
	for {
		if err := s.tick(); err != nil {
			return err
		}
		next, ways, err := s.atOnce(st)
		if err != nil {
			return err
		}
		if ways != nil {
			for _, way := range *ways {
				if err := s.visit(way); err != nil {
					return err
				}
			}
			return nil
		}
		if next == nil {
			break
		}
		st = next
	}
	if st.over() {
		return s.record(st)
	}
	key := st.key()
	if s.visited[key] {
		return nil
	}
	s.visited[key] = true
	s.States++
	if s.bytes += len(key) + 48; s.limits.Bytes > 0 && s.bytes > s.limits.Bytes {
		return operational.ErrFull
	}
	for e := range st.events {
		for t := range st.threads {
			if st.propagates(e, t) && st.matters(e, t) {
				if err := s.visit(st.propagate(e, t)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// atOnce returns the state after a step that the search takes at once, or the states of the ways that it can go; nil
// for neither. The ways may be none: then no run from the state ends.
func (s *search) atOnce(st *State) (next *State, ways *[]*State, err error) {
	if len(st.events) > maxEvents-1 {
		return nil, nil, errLong
	}
	for t, th := range st.threads {
		if ways, err = s.decide(st, t, th); ways != nil || err != nil {
			return nil, ways, err
		}
	}
	for t, th := range st.threads {
		committed := s.committed(st, t, th)
		for i := range th.code {
			if in := &th.code[i]; in.kind == reads || in.kind == fences && !in.barrier.storage() ||
				!s.commits(th, i, committed) {
				continue
			}
			if th.code[i].kind == fences {
				return st.commitFence(t, i), nil, nil
			}
			return nil, st.commitWays(t, i), nil
		}
	}
	for e := range st.events {
		for t := range st.threads {
			if st.propagates(e, t) && st.harmless(e, t) {
				return st.propagate(e, t), nil, nil
			}
		}
	}
	for t, th := range st.threads {
		committed := s.committed(st, t, th)
		for i := range th.code {
			if th.code[i].kind != reads || th.from[i] != none {
				continue
			}
			w := s.available(st, t, th, i, committed)
			if w == none || w == th.skips[i] {
				continue
			}
			ways, err := s.readWays(st, t, i, w)
			return nil, &ways, err
		}
	}
	return nil, nil, nil
}

// commitWays are the states after the commit of a write, one for each place in coherence order.
func (st *State) commitWays(t, i int) *[]*State {
	ways := []*State{}
	first, last := st.positions(t, st.threads[t].code[i].Loc)
	for at := last; at >= first; at-- {
		if way := st.commitWrite(t, i, at); way != nil {
			ways = append(ways, way)
		}
	}
	return &ways
}

// readWays are the states in which a read takes a write, or never takes it.
func (s *search) readWays(st *State, t, i int, w write) ([]*State, error) {
	ways := []*State{}
	if way, err := s.read(st, t, i, w); err != nil {
		return nil, err
	} else if way != nil {
		ways = append(ways, way)
	}
	if st.mayChange(t, st.threads[t].code[i].Loc) {
		way, th := st.clone(t)
		th.skips[i] = w
		ways = append(ways, way)
	}
	return ways, nil
}

// read makes a read take a write. It returns nil if that cannot be.
func (s *search) read(st *State, t, i int, w write) (*State, error) {
	if !st.coherent(t, st.threads[t], i, w) {
		return nil, nil
	}
	next, th := st.clone(t)
	th.from[i] = w
	th.skips[i] = none
	return next, s.advance(next, t, th)
}

// mayChange reports whether another write of a location may still reach a thread.
func (st *State) mayChange(t, loc int) bool {
	for e, ev := range st.events {
		if ev.kind == writes && ev.loc == loc && st.at[t]&(1<<e) == 0 && !st.overtaken(e, t) {
			return true
		}
	}
	for u, th := range st.threads {
		if u == t {
			continue
		}
		if !th.ended() {
			return true
		}
		for i := range th.code {
			if th.code[i].kind == writes && th.code[i].Loc == loc && !th.done[i] {
				return true
			}
		}
	}
	return false
}

// decide returns the ways of a thread at a choice, a store-conditional or something that it guesses; nil if it is at
// none. A thread that has guessed wrong has no way.
func (s *search) decide(st *State, t int, th *thread) (*[]*State, error) {
	ways := []*State{}
	add := func(change func(th *thread)) error {
		way, c := st.clone(t)
		change(c)
		ways = append(ways, way)
		return s.advance(way, t, c)
	}
	switch th.stop.Kind {
	case ir.ActEnd, ir.ActUnwound:
		if th.stop.Kind == ir.ActUnwound && s.program.Threads[t].Code[th.stop.Step].Op.(ir.Unwound).Spin {
			return &ways, nil
		}
		return nil, nil
	case ir.ActBlocked, ir.ActRefuted:
		return &ways, nil
	case ir.ActStoreCond, ir.ActChoose:
		for _, bit := range []uint64{1, 0} {
			if err := add(func(c *thread) { c.bits = append(c.bits, bit) }); err != nil {
				return nil, err
			}
		}
		return &ways, nil
	case ir.ActWants:
		if !s.guesses(t, th.stop.Step) {
			return nil, nil
		}
		for _, v := range th.stop.Guesses {
			err := add(func(c *thread) { c.guesses = append(c.guesses, ir.Guess{Step: th.stop.Step, Value: v}) })
			if err != nil {
				return nil, err
			}
		}
		return &ways, nil
	}
	return nil, fmt.Errorf("BUG: P%d stops at action %d", s.program.Threads[t].ID, th.stop.Kind)
}

// guesses reports whether a thread has to guess what a step waits for, because it may read behind the step before.
func (s *search) guesses(t, step int) bool {
	if op, ok := s.program.Threads[t].Code[step].Op.(ir.Branch); ok {
		return s.early[t][step+1] || s.early[t][op.Target]
	}
	return s.early[t][step+1]
}

// harmless reports whether an event can restrict nothing when it reaches a thread.
func (st *State) harmless(e, t int) bool {
	th := st.threads[t]
	if !th.ended() {
		return false
	}
	for i := range th.code {
		in := &th.code[i]
		switch {
		case in.kind == reads && th.from[i] == none:
			if st.events[e].kind == writes && in.Loc == st.events[e].loc {
				return false
			}
		case in.kind == writes && !th.done[i]:
			if st.events[e].kind == fences || in.Loc == st.events[e].loc {
				return false
			}
		case in.kind == fences && !th.done[i] && in.barrier.storage() && st.events[e].kind == writes:
			return false
		}
	}
	return true
}

// matters reports whether it can make a difference that an event reaches a thread: to a read, or to a barrier that
// follows it there.
func (st *State) matters(e, t int) bool {
	ev, th := &st.events[e], st.threads[t]
	if ev.kind == fences || !th.ended() {
		return true
	}
	for i := range th.code {
		if in := &th.code[i]; in.kind == reads && th.from[i] == none && in.Loc == ev.loc {
			return true
		}
	}
	for b, other := range st.events {
		if other.kind == fences && other.before&(1<<e) != 0 && st.at[t]&(1<<b) == 0 {
			return true
		}
	}
	return false
}

// over reports whether all threads have ended.
func (st *State) over() bool {
	for _, th := range st.threads {
		if !th.ended() {
			return false
		}
		for i := range th.code {
			in := &th.code[i]
			if in.kind == reads && th.from[i] == none || in.kind == writes && !th.done[i] ||
				in.kind == fences && in.barrier.storage() && !th.done[i] {
				return false
			}
		}
	}
	return true
}

// key has everything that a state's future depends on. Events are numbered by thread and program order in it.
func (st *State) key() string {
	sorted := make([]int, len(st.events))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, func(a, b int) int {
		x, y := &st.events[a], &st.events[b]
		if x.thread != y.thread {
			return x.thread - y.thread
		}
		return x.number - y.number
	})
	renamed := make([]int, len(st.events))
	for n, e := range sorted {
		renamed[e] = n
	}
	set := func(events uint64) (out uint64) {
		for e, n := range renamed {
			out |= events >> e & 1 << n
		}
		return out
	}
	var key []byte
	number := func(n int) { key = binary.AppendVarint(key, int64(n)) }
	for t, th := range st.threads {
		number(len(th.guesses))
		for _, g := range th.guesses {
			number(g.Step)
			key = binary.AppendUvarint(key, g.Value)
		}
		number(len(th.bits))
		for _, b := range th.bits {
			number(int(b))
		}
		number(len(th.code))
		for i := range th.code {
			if th.code[i].kind != reads {
				continue
			}
			w := th.from[i]
			if w == none {
				number(-1)
				w = th.skips[i]
			}
			number(w.thread)
			number(w.number)
		}
		key = binary.AppendUvarint(key, set(st.at[t]))
	}
	for _, e := range sorted {
		number(st.events[e].thread)
		number(st.events[e].number)
		key = binary.AppendUvarint(key, set(st.events[e].before))
	}
	for _, order := range st.order {
		for _, e := range order {
			number(renamed[e])
		}
	}
	return string(key)
}

// record notes the outcome of a state in which all threads have ended.
func (s *search) record(st *State) error {
	if slices.ContainsFunc(st.threads, func(th *thread) bool { return th.stop.Kind == ir.ActUnwound }) {
		s.Cut = true
		return nil
	}
	p := s.program
	final := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 {
			final[i] = st.threads[o.Thread].regs[o.Index] & ir.Mask(o.Bits)
			continue
		}
		last := initial
		if order := st.order[o.Index]; len(order) > 0 {
			last = st.events[order[len(order)-1]].write
		}
		final[i] = s.value(st, o.Index, last, -1, nil) & ir.Mask(o.Bits)
	}
	return s.Add(p, final, nil, func() (*models.Execution, error) { return s.execution(st) })
}

// execution is that of a complete run.
func (s *search) execution(st *State) (*models.Execution, error) {
	inputs := make([][]uint64, len(st.threads))
	for t, th := range st.threads {
		inputs[t] = th.inputs
	}
	x, err := replay.Replay(s.program, inputs)
	if err != nil {
		return nil, fmt.Errorf("BUG: a run is not an execution: %w", err)
	}
	ids := map[write]int{} // by access
	next := make([]int, len(st.threads))
	for _, e := range x.Events[len(s.program.Locs):] {
		if e.Kind == models.Fence || e.Tags.Has(ir.TagPick) {
			continue
		}
		code := st.threads[e.Thread].code
		for code[next[e.Thread]].kind == fences {
			next[e.Thread]++
		}
		ids[write{e.Thread, next[e.Thread]}] = e.ID
		next[e.Thread]++
	}
	for t, th := range st.threads {
		for i := range th.code {
			if th.code[i].kind != reads {
				continue
			}
			from := th.code[i].Loc // the initial write
			if th.from[i] != initial {
				from = ids[th.from[i]]
			}
			x.RF[ids[write{t, i}]] = from
		}
	}
	for loc, order := range st.order {
		x.CO[loc] = []int{loc}
		for _, e := range order {
			x.CO[loc] = append(x.CO[loc], ids[st.events[e].write])
		}
	}
	return x, x.WellFormed()
}
