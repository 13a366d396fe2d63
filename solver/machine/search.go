package machine

import (
	"bytes"
	"context"
	"fmt"

	"litmuscope/litmus/ir"
)

// Bounds of a search, unless the caller sets others. The memory is that of the
// visited states. Only a loop can have more stores pending than the thread's code
// has, and loopStores more are a sign that its buffer grows without end.
const (
	DefaultStates = 4 << 20
	defaultBytes  = 1 << 30
	loopStores    = 256
)

// search is one exploration.
type search struct {
	program *ir.Program
	kind    Kind
	states  int    // visit at most so many states …
	bytes   int    // … in so much memory
	pending int    // with at most so many stores pending in a thread
	full    bool   // take every step of every state
	start   *state // nil: that of the program
	layout  *layout
	tail    int // bytes of a key behind the state's own

	table  *table
	finals []int      // numbers of states at the end, one for each outcome
	found  []ir.State // the outcomes, by finals
	// stopped says what cut the search short; "" when it saw everything.
	stopped string
	limit   string // the time or memory limit that did; "" for a bound of the engine's own
}

func newSearch(p *ir.Program, k Kind, states int) *search {
	if states <= 0 {
		states = DefaultStates
	}
	s := &search{program: p, kind: k, states: states, bytes: defaultBytes, table: newTable()}
	for _, th := range p.Threads {
		n := 0
		for _, at := range th.Code {
			if _, ok := at.Op.(ir.Store); ok {
				n++
			}
		}
		s.pending = max(s.pending, n+loopStores)
	}
	return s
}

// run visits states breadth first, so that it finds each by a shortest trace.
func (s *search) run(ctx context.Context) error {
	var (
		cur, next = newState(s.program), newState(s.program)
		acts      = make([]ir.Action, len(s.program.Threads))
		reduction = newReducer(s.program, s.kind)
		outcomes  = map[string]bool{}
		steps     []step
		key       []byte
	)
	if s.start != nil {
		cur.set(s.start)
	} else if err := cur.begin(); err != nil {
		return err
	}
	s.table.add(cur.encode(nil), -1)
	for n := 0; n < s.table.len(); n++ {
		if s.limited(ctx, n) {
			return nil
		}
		cur.decode(s.table.key(n))
		if err := cur.actions(acts); err != nil {
			return err
		}
		steps = cur.steps(s.kind, acts, steps[:0])
		if len(steps) == 0 {
			s.end(n, cur, acts, outcomes)
			continue
		}
		if !s.full {
			if st, ok := reduction.alone(cur, acts, steps); ok {
				steps = append(steps[:0], st)
			}
		}
		for _, st := range steps {
			next.set(cur)
			if err := next.take(s.kind, st, acts[st.thread]); err != nil {
				return err
			}
			if len(next.threads[st.thread].buffer.stores) > s.pending {
				s.stopped = fmt.Sprintf("machine: more than %d stores pending in P%d",
					s.pending, s.program.Threads[st.thread].ID)
				return nil
			}
			key = next.encode(key[:0])
			s.table.add(key, n)
		}
	}
	return nil
}

// limited reports whether the search has to stop before it visits state number n.
func (s *search) limited(ctx context.Context, n int) bool {
	switch {
	case n%256 == 0 && ctx.Err() != nil:
		s.stopped = fmt.Sprintf("machine: %s after %d states", ended(ctx), n)
		s.limit = ended(ctx)
	case s.table.len() > s.states:
		s.stopped = fmt.Sprintf("machine: more than %d states", s.states)
	case s.table.bytes > s.bytes:
		s.stopped = fmt.Sprintf("machine: more than %d MiB of states (%d so far)", s.bytes>>20, s.table.len())
		s.limit = "memory limit reached"
	default:
		return false
	}
	return true
}

// end records the outcome of a state without steps, if it is a new one.
func (s *search) end(n int, cur *state, acts []ir.Action, outcomes map[string]bool) {
	waits := false
	for _, a := range acts {
		if a.Kind == ir.ActUnwound {
			s.stopped = "machine: a loop of the program was cut"
			return
		}
		waits = waits || a.Kind != ir.ActEnd
	}
	if waits { // for what an assumption is about
		return
	}
	final := cur.final(s.program)
	if !s.program.Satisfies(s.program.Filter, final) {
		return
	}
	key := fmt.Sprint(s.program.Visible(final))
	if !outcomes[key] {
		outcomes[key] = true
		s.finals = append(s.finals, n)
		s.found = append(s.found, final)
	}
}

// schedule returns the steps by which the search first reached state number n.
func (s *search) schedule(n int) []Step {
	var path []int
	for ; n >= 0; n = s.table.parent(n) {
		path = append(path, n)
	}
	var out []Step
	before, after := s.layout.state(s.program), s.layout.state(s.program)
	acts := make([]ir.Action, len(s.program.Threads))
	for i := len(path) - 1; i > 0; i-- {
		from, to := s.key(path[i]), s.key(path[i-1])
		if bytes.Equal(from, to) {
			continue
		}
		before.decode(from)
		out = append(out, before.exported(s.between(before, after, acts, to)))
	}
	return out
}

// key is the encoding of state number n itself.
func (s *search) key(n int) []byte {
	key := s.table.key(n)
	return key[:len(key)-s.tail]
}

// between finds the step that leads from before to the state with the given key. The
// table keeps no steps: finding them again is cheap, and only for the few states on
// the way to an outcome.
func (s *search) between(before, after *state, acts []ir.Action, key []byte) step {
	if before.actions(acts) == nil {
		for _, st := range before.steps(s.kind, acts, nil) {
			after.set(before)
			if after.take(s.kind, st, acts[st.thread]) == nil && bytes.Equal(after.encode(nil), key) {
				return st
			}
		}
	}
	panic("BUG: no step leads to a state's successor")
}

func ended(ctx context.Context) string {
	if ctx.Err() == context.DeadlineExceeded {
		return "time limit reached"
	}
	return "cancelled"
}
