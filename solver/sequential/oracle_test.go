package sequential_test

import (
	"encoding/binary"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// The oracle runs a program under the TSO of atig-2011, Section 2.3, in every way that
// there is. It leaves no interleaving out and shares nothing with the engines but the
// program and the cursor.

// restricted returns the outcomes that p, a program without loops, can reach under TSO and its filter lets pass: their
// visible parts, by key. Runs that reach the bound of an unrolled loop do not count.
//
// A round of a thread is a longest segment of a run with instructions of that thread, and flushes of its buffer, only.
// Each thread has at most that many rounds (0: any number); the paper, which counts from 0, calls that k where it is
// k+1. The age of a store is the number of rounds that its thread has begun since its issue; a store older than age
// (negative: any) cannot reach memory.
//
// It panics when a thread accesses what is no location.
func restricted(p *ir.Program, rounds, age int) map[string]ir.State {
	o := &oracle{
		program: p, rounds: rounds, age: age,
		seen: map[string]bool{}, outcomes: map[string]ir.State{},
	}
	start := oracleState{active: -1}
	for _, l := range p.Locs {
		start.memory = append(start.memory, l.Init&ir.Mask(l.Bits))
	}
	for t := range p.Threads {
		start.threads = append(start.threads, oracleThread{Cursor: *ir.NewCursor(p, t, false)})
		start.threads[t].action()
	}
	o.visit(start)
	return o.outcomes
}

type oracle struct {
	program     *ir.Program
	rounds, age int
	seen        map[string]bool
	outcomes    map[string]ir.State
}

// oracleState is a run between two steps. Every cursor points to its thread's next visible action.
type oracleState struct {
	memory  []uint64
	threads []oracleThread
	active  int // the thread of the last step; -1 before the first
}

type oracleThread struct {
	ir.Cursor
	pending []pendingStore // the oldest first
	rounds  int            // begun; counted only if they are bounded
	// intact: since memory got the value that the thread's last exclusive load read, no
	// other thread has written to the location.
	intact bool
}

type pendingStore struct {
	loc   int
	value uint64
	age   int // counted only if it is bounded
	// reserved: the thread's last exclusive load has read this store.
	reserved bool
	tags     ir.Tags
}

// visit explores all that can follow s.
func (o *oracle) visit(s oracleState) {
	key := s.key()
	if o.seen[key] {
		return
	}
	o.seen[key] = true
	if s.over() {
		o.end(s)
		return
	}
	for t := range s.threads {
		if turn, ok := o.turn(s, t); ok {
			o.steps(turn, t)
		}
	}
}

// over tells whether all threads have ended, with nothing pending.
func (s oracleState) over() bool {
	for t := range s.threads {
		if s.threads[t].action().Kind != ir.ActEnd || len(s.threads[t].pending) > 0 {
			return false
		}
	}
	return true
}

// turn makes t the active thread, if it may have another round. A store that exceeds the age by that could never reach
// memory.
func (o *oracle) turn(s oracleState, t int) (turn oracleState, ok bool) {
	if s.active == t {
		return s, true
	}
	turn = s.copyFor(t)
	turn.active = t
	th := &turn.threads[t]
	if o.rounds > 0 {
		th.rounds++
		if th.rounds > o.rounds {
			return turn, false
		}
	}
	if o.age >= 0 {
		for i := range th.pending {
			th.pending[i].age++
			if th.pending[i].age > o.age {
				return turn, false
			}
		}
	}
	return turn, true
}

// steps explores each step that thread t, which is active in s, can take.
func (o *oracle) steps(s oracleState, t int) {
	do := func(step func(n *oracleState, th *oracleThread)) {
		n := s.copyFor(t)
		step(&n, &n.threads[t])
		n.threads[t].action()
		o.visit(n)
	}
	drained := len(s.threads[t].pending) == 0
	if !drained {
		do(func(n *oracleState, th *oracleThread) {
			oldest := th.pending[0]
			th.pending = th.pending[1:]
			th.intact = th.intact || oldest.reserved
			n.write(t, oldest.loc, oldest.value)
		})
	}
	switch a := s.threads[t].action(); a.Kind {
	case ir.ActStore:
		do(func(_ *oracleState, th *oracleThread) {
			th.pending = append(th.pending, pendingStore{loc: a.Loc, value: a.Value, tags: a.Tags})
			th.Pass()
		})
	case ir.ActLoad:
		if !s.threads[t].waits(a.Tags) {
			do(func(n *oracleState, th *oracleThread) { th.load(a, n.memory[a.Loc]) })
		}
	case ir.ActRMW:
		if drained {
			do(func(n *oracleState, th *oracleThread) {
				if v, writes := th.Read(n.memory[a.Loc]); writes {
					n.write(t, a.Loc, v)
				}
			})
		}
	case ir.ActStoreCond:
		do(func(_ *oracleState, th *oracleThread) { th.Conditional(false) })
		if th := &s.threads[t]; drained && th.Reserved == a.Loc && th.intact {
			do(func(n *oracleState, th *oracleThread) {
				n.write(t, a.Loc, a.Value)
				th.Conditional(true)
			})
		}
	case ir.ActFence:
		if drained || !a.Tags.Has(ir.TagWR) {
			do(func(_ *oracleState, th *oracleThread) { th.Pass() })
		}
	case ir.ActChoose:
		do(func(_ *oracleState, th *oracleThread) { th.Choose(false) })
		do(func(_ *oracleState, th *oracleThread) { th.Choose(true) })
	}
}

// waits tells whether a load may not come before what is pending.
func (th *oracleThread) waits(tags ir.Tags) bool {
	both := func(tags ir.Tags, a, b ir.Tag) bool { return tags.Has(a) && tags.Has(b) }
	for _, st := range th.pending {
		if tags.Has(ir.TagRelease) || st.tags.Has(ir.TagAcquire) ||
			both(st.tags, ir.TagRelease, ir.TagRCsc) && both(tags, ir.TagAcquire, ir.TagRCsc) {
			return true
		}
	}
	return false
}

// load reads the newest pending store to the location, or else memory.
func (th *oracleThread) load(a ir.Action, memory uint64) {
	newest := len(th.pending) - 1
	for newest >= 0 && th.pending[newest].loc != a.Loc {
		newest--
	}
	if th.Thread.Code[a.Step].Op.(ir.Load).Reserve {
		th.intact = newest < 0
		for i := range th.pending {
			th.pending[i].reserved = i == newest
		}
	}
	if newest >= 0 {
		memory = th.pending[newest].value
	}
	th.Read(memory)
}

// write puts a value of thread t into memory.
func (s *oracleState) write(t, loc int, v uint64) {
	s.memory[loc] = v
	for u := range s.threads {
		if u != t && s.threads[u].Reserved == loc {
			s.threads[u].intact = false
		}
	}
}

// action is the thread's next visible action, to which it moves the cursor.
func (th *oracleThread) action() ir.Action {
	a, err := th.Next()
	if err != nil {
		panic(fmt.Sprintf("the oracle's program is wrong: %v", err))
	}
	return a
}

// end notes the outcome of a run that is over.
func (o *oracle) end(s oracleState) {
	final := make(ir.State, len(o.program.Observed))
	for i, obs := range o.program.Observed {
		v := uint64(0)
		if obs.Thread >= 0 {
			v = s.threads[obs.Thread].Regs[obs.Index]
		} else {
			v = s.memory[obs.Index]
		}
		final[i] = v & ir.Mask(obs.Bits)
	}
	if o.program.Filter == nil || o.program.Satisfies(o.program.Filter, final) {
		visible := o.program.Visible(final)
		o.outcomes[visible.Key()] = visible
	}
}

// copyFor is a copy of s for a step of thread t, which leaves other threads' registers
// and buffers alone.
func (s oracleState) copyFor(t int) oracleState {
	s.memory = slices.Clone(s.memory)
	s.threads = slices.Clone(s.threads)
	th := &s.threads[t]
	th.Regs = slices.Clone(th.Regs)
	th.pending = slices.Clone(th.pending)
	return s
}

// key is a string that equal states have in common, and only they.
func (s oracleState) key() string {
	var b []byte
	add := func(v int) { b = binary.AppendVarint(b, int64(v)) }
	flag := func(f bool) {
		if f {
			add(1)
		} else {
			add(0)
		}
	}
	add(s.active)
	for _, v := range s.memory {
		b = binary.AppendUvarint(b, v)
	}
	for t := range s.threads {
		th := &s.threads[t]
		add(th.PC)
		for _, v := range th.Regs {
			b = binary.AppendUvarint(b, v)
		}
		add(th.rounds)
		add(th.Reserved)
		flag(th.intact)
		add(len(th.pending))
		for _, st := range th.pending {
			add(st.loc)
			b = binary.AppendUvarint(b, st.value)
			add(st.age)
			flag(st.tags.Has(ir.TagAcquire))
			flag(st.tags.Has(ir.TagRelease))
			flag(st.tags.Has(ir.TagRCsc))
			flag(st.reserved)
		}
	}
	return string(b)
}
