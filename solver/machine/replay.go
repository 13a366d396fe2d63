package machine

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver"
)

// Step is one transition of a machine.
type Step struct {
	Thread   int  // index into Program.Threads
	Flush    bool // the oldest pending store to Loc goes to memory; otherwise the thread's next visible instruction
	Loc      int
	Succeeds bool // of a store-conditional: it succeeds; of a choice: it goes to 1
	Round    int  // passed on to TraceStep.Round
}

// Run is what a replay shows.
type Run struct {
	Trace     []solver.TraceStep
	Execution *models.Execution // with rf and co
	Final     ir.State          // over Program.Observed
	Failed    *solver.Failure   // of a prefix: the assertion that fails at its end
}

// Replay takes the steps in turn. It fails, naming the step, when the machine cannot
// take one, or when the last leaves a thread unfinished or a store pending.
func Replay(p *ir.Program, k Kind, steps []Step) (*Run, error) {
	r := newReplayer(p, k)
	if err := r.before.begin(); err != nil {
		return nil, err
	}
	for i, st := range steps {
		if err := r.take(st); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if err := r.ended(); err != nil {
		return nil, fmt.Errorf("after step %d, the last: %w", len(steps), err)
	}
	x, err := r.execution()
	if err != nil {
		return nil, err
	}
	return &Run{Trace: r.trace, Execution: x, Final: r.before.final(p)}, nil
}

// replayer takes a machine through a run and notes what happens.
type replayer struct {
	program       *ir.Program
	kind          Kind
	before, after *state
	acts          []ir.Action // by thread, its next in before
	trace         []solver.TraceStep

	// Events have numbers in the order in which they happen, the initial writes first.
	events  []happening
	threads [][]int    // by thread: its events
	reads   [][]uint64 // by thread: what replay.Replay asks for
	memory  []int      // by location: the write whose value memory holds
	pending [][]int    // by thread: the writes in its buffer, by the first piece of each, as the buffer has them
	co      [][]int    // by location
}

// happening is an event of a run.
type happening struct {
	from  int // of a read: the write that it saw; else -1
	step  int // that carries it out; -1 for an initial write
	flush int // the step that takes it from the buffer to memory; -1 for none
}

func newReplayer(p *ir.Program, k Kind) *replayer { return (*layout)(nil).replayer(p, k) }

// replayer begins a run of p, the layout's program where there is one.
func (l *layout) replayer(p *ir.Program, k Kind) *replayer {
	n := len(p.Threads)
	r := &replayer{
		program: p, kind: k, before: l.state(p), after: l.state(p),
		acts: make([]ir.Action, n), trace: []solver.TraceStep{},
		threads: make([][]int, n), reads: make([][]uint64, n), pending: make([][]int, n),
	}
	for loc := range p.Locs {
		r.events = append(r.events, happening{from: -1, step: -1, flush: -1})
		r.memory = append(r.memory, loc)
		r.co = append(r.co, []int{loc})
	}
	return r
}

// take takes one step, or says why the machine cannot.
func (r *replayer) take(want Step) error {
	if err := r.before.actions(r.acts); err != nil {
		return err
	}
	st, ok := r.before.find(r.kind, r.acts, want)
	if !ok {
		return r.refusal(want)
	}
	r.after.set(r.before)
	a := r.acts[st.thread]
	if err := r.after.take(r.kind, st, a); err != nil {
		return err
	}
	r.note(st, a)
	shown := r.describe(st, a)
	shown.Round = want.Round
	r.trace = append(r.trace, shown)
	r.before, r.after = r.after, r.before
	return nil
}

// find returns the step of k that callers call want, if the machine can take it now.
func (s *state) find(k Kind, acts []ir.Action, want Step) (step, bool) {
	want.Round = 0
	if !want.Flush {
		want.Loc = 0
	}
	for _, st := range s.steps(k, acts, nil) {
		if s.exported(st) == want {
			return st, true
		}
	}
	return step{}, false
}

// exported is a step as callers know it.
func (s *state) exported(st step) Step {
	out := Step{Thread: st.thread, Flush: st.flush >= 0, Succeeds: st.flush == succeed}
	if out.Flush {
		out.Loc = s.threads[st.thread].buffer.stores[st.flush].loc
	}
	return out
}

// refusal says which step the machine cannot take.
func (r *replayer) refusal(want Step) error {
	p := r.program
	if want.Thread < 0 || want.Thread >= len(p.Threads) {
		return fmt.Errorf("the test has %s and no thread %d", solver.Count(len(p.Threads), "thread"), want.Thread)
	}
	th := &p.Threads[want.Thread]
	if want.Flush {
		if want.Loc < 0 || want.Loc >= len(p.Locs) {
			return fmt.Errorf("the test has %s and no location %d", solver.Count(len(p.Locs), "location"), want.Loc)
		}
		return fmt.Errorf("P%d has no store to %s that the %s machine can flush now", th.ID,
			p.Locs[want.Loc].Name, r.kind)
	}
	a := r.acts[want.Thread]
	if a.Kind == ir.ActEnd || a.Kind == ir.ActUnwound || a.Kind == ir.ActBlocked {
		return fmt.Errorf("P%d has no next instruction", th.ID)
	}
	text := th.Source[th.Code[a.Step].Source].Text
	if want.Succeeds {
		return fmt.Errorf("P%d: %s cannot succeed now", th.ID, text)
	}
	if st := (step{want.Thread, issue}); enabled(r.kind, &r.before.threads[want.Thread].buffer, a) &&
		r.before.fails(r.kind, st, a) {
		return fmt.Errorf("P%d: %s has to wait for another thread", th.ID, text)
	}
	return fmt.Errorf("P%d: %s has to wait for the store buffer", th.ID, text)
}

// ended tells what a finished run has left.
func (r *replayer) ended() error {
	if err := r.before.actions(r.acts); err != nil {
		return err
	}
	for t, a := range r.acts {
		id := r.program.Threads[t].ID
		if a.Kind != ir.ActEnd {
			return fmt.Errorf("P%d has not ended", id)
		}
		if n := len(r.before.threads[t].buffer.stores); n > 0 {
			return fmt.Errorf("P%d has %s", id, solver.Count(n, "pending store"))
		}
	}
	return nil
}

// note files the events of a step between before and after.
func (r *replayer) note(st step, a ir.Action) {
	t := st.thread
	if st.flush >= 0 {
		w, e := r.pending[t][st.flush], r.before.threads[t].buffer.stores[st.flush]
		r.pending[t] = slices.Delete(r.pending[t], st.flush, st.flush+1)
		for k, q := range piecesOf(r.program, e.loc, e.bits) {
			r.events[w+k].flush = len(r.trace)
			r.reach(q.Loc, w+k)
		}
		return
	}
	switch a.Kind {
	case ir.ActStore:
		if r.kind == SC {
			r.reachAll(t, a)
			return
		}
		r.pending[t] = append(r.pending[t], len(r.events))
		for range piecesOf(r.program, a.Loc, a.Bits) {
			r.happens(t, -1)
		}
	case ir.ActLoad:
		r.reads[t] = append(r.reads[t], r.before.read(t, a.Loc, a.Bits))
		for _, q := range piecesOf(r.program, a.Loc, a.Bits) {
			from := r.memory[q.Loc]
			if i, piece, _ := r.before.threads[t].buffer.newest(r.program, q.Loc); i >= 0 {
				from = r.pending[t][i] + piece
			}
			r.happens(t, from)
		}
	case ir.ActRMW:
		r.reads[t] = append(r.reads[t], r.before.valueAt(r.program, a.Loc, a.Bits))
		for _, q := range piecesOf(r.program, a.Loc, a.Bits) {
			r.happens(t, r.memory[q.Loc])
		}
		if r.writes(t, a) {
			r.reachAll(t, a)
		}
	case ir.ActStoreCond:
		r.decided(t, st)
		if st.flush == succeed {
			r.reachAll(t, a)
		}
	case ir.ActChoose:
		r.decided(t, st)
	case ir.ActFence, ir.ActSpawn, ir.ActJoin, ir.ActEnter, ir.ActLeave:
		r.happens(t, -1)
	}
}

// happens adds an event of a thread for the current step.
func (r *replayer) happens(t, from int) int {
	n := len(r.events)
	r.events = append(r.events, happening{from: from, step: len(r.trace), flush: -1})
	r.threads[t] = append(r.threads[t], n)
	return n
}

// reachAll adds the pieces of a write that goes to memory at once.
func (r *replayer) reachAll(t int, a ir.Action) {
	for _, q := range piecesOf(r.program, a.Loc, a.Bits) {
		r.reach(q.Loc, r.happens(t, -1))
	}
}

// reach puts a write's value into memory.
func (r *replayer) reach(loc, w int) {
	r.memory[loc] = w
	r.co[loc] = append(r.co[loc], w)
}

func (r *replayer) decided(t int, st step) {
	bit := uint64(0)
	if st.flush == succeed {
		bit = 1
	}
	r.reads[t] = append(r.reads[t], bit)
}

// writes reports whether a thread's read-modify-write writes.
func (r *replayer) writes(t int, a ir.Action) bool {
	th := &r.before.threads[t]
	rmw := th.Thread.Code[a.Step].Op.(ir.RMW)
	return rmw.If == nil || r.program.Eval(rmw.If, th.Regs, r.before.valueAt(r.program, a.Loc, a.Bits)) == 1
}

// execution is the run as an execution, whose numbers of events the trace takes over.
func (r *replayer) execution() (*models.Execution, error) {
	var ends []int
	for t := range r.before.threads {
		ends = append(ends, r.before.threads[t].PC)
	}
	x, err := replay.Prefix(r.program, r.reads, ends)
	if err != nil {
		return nil, fmt.Errorf("BUG: a run is not an execution: %w", err)
	}
	id := make([]int, len(r.events))
	for loc := range r.program.Locs {
		id[loc] = loc
	}
	next := make([]int, len(r.threads)) // by thread, an index into its events
	for _, e := range x.Events[len(r.program.Locs):] {
		own := r.threads[e.Thread]
		if e.Tags.Has(ir.TagPick) { // a part of what comes before, unseen by others
			if len(own) > 0 {
				r.carries(r.events[own[max(0, next[e.Thread]-1)]].step, e.ID)
			}
			continue
		}
		n := own[next[e.Thread]]
		next[e.Thread]++
		id[n] = e.ID
		r.carries(r.events[n].step, e.ID)
		if flush := r.events[n].flush; flush >= 0 {
			r.carries(flush, e.ID)
		}
	}
	for n, h := range r.events {
		if h.from >= 0 {
			x.RF[id[n]] = id[h.from]
		}
	}
	for loc, order := range r.co {
		for _, w := range order {
			x.CO[loc] = append(x.CO[loc], id[w])
		}
	}
	return x, nil
}

func (r *replayer) carries(n, event int) {
	r.trace[n].Events = append(r.trace[n].Events, event)
}
