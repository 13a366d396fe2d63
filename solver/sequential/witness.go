package sequential

import (
	"fmt"
	"slices"

	"litmuscope/solver"
	"litmuscope/solver/machine"
	"litmuscope/solver/sat"
)

// note is what a memory knows of a step of a trace.
type note struct {
	flushed *statement // the store that the step has brought to memory, if any
	clock   *int
	lists   []solver.WriteList
	stamps  [][]int // by thread: of what waits, the oldest first
}

// witness reads a schedule off a model: what each thread does when, and when each
// store reaches memory.
type witness struct {
	*schedule
	kind    machine.Kind
	m       *sat.Assignment
	steps   []machine.Step
	notes   []note
	waiting []*statement // stores, in the order of issue
	round   int
	next    []int // by thread: the first statement that is still to come
	notify  bool  // notes are wanted
}

func (s *schedule) witness(m *sat.Assignment, k machine.Kind, notes bool) *witness {
	w := &witness{schedule: s, kind: k, m: m, next: make([]int, len(s.threads)), notify: notes}
	for i, p := range s.points {
		if !m.True(p.exec) {
			continue
		}
		w.round = p.round + 1
		if p.statement == nil {
			w.flush(i, false)
			continue
		}
		w.bring(p.thread, p.statement)
		w.flush(i, false)
		w.step(i, p.statement)
		w.flush(i, true)
	}
	for t := range s.threads {
		w.bring(t, nil)
	}
	w.flush(len(s.points), false)
	return w
}

// stopped reads a run off a model that may stop anywhere. What others do not see of a thread
// comes as soon as it can: it may fail.
func (s *schedule) stopped(m *sat.Assignment, k machine.Kind, notes bool) *witness {
	w := &witness{schedule: s, kind: k, m: m, round: 1, next: make([]int, len(s.threads)), notify: notes}
	for t := range s.Threads {
		if !s.Threads[t].Spawned {
			w.rest(0, t)
		}
	}
	for i, p := range s.points {
		if !m.True(p.exec) {
			continue
		}
		w.round = p.round + 1
		w.flush(i, false)
		if p.statement == nil {
			continue
		}
		w.step(i, p.statement)
		w.flush(i, true)
		w.next[p.thread] = slices.Index(s.threads[p.thread], p.statement) + 1
		w.rest(i, p.thread)
	}
	return w
}

// rest brings a thread up to its next statement with a label.
func (w *witness) rest(i, t int) {
	for ; w.next[t] < len(w.threads[t]); w.next[t]++ {
		st := w.threads[t][w.next[t]]
		if !w.m.True(st.guard) {
			continue
		}
		if st.label >= 0 {
			return
		}
		w.step(i, st)
	}
}

// bring takes a thread through what others do not see, up to a statement or to its end.
func (w *witness) bring(t int, to *statement) {
	for ; w.next[t] < len(w.threads[t]); w.next[t]++ {
		st := w.threads[t][w.next[t]]
		if st == to {
			w.next[t]++
			return
		}
		if st.label < 0 && w.m.True(st.guard) {
			w.add(len(w.steps), machine.Step{Thread: t, Succeeds: w.m.True(st.succeeds), Round: w.round}, nil)
		}
	}
}

func (w *witness) step(i int, st *statement) {
	if st.kind == store && w.kind != machine.SC {
		w.waiting = append(w.waiting, st)
	}
	w.add(i, machine.Step{Thread: st.Thread, Succeeds: w.m.True(st.succeeds), Round: w.round}, nil)
	if st.direct {
		w.add(i, machine.Step{Thread: st.Thread, Flush: true, Loc: st.location(w.m), Round: w.round}, st)
	}
	if st.kind == spawn {
		w.rest(i, st.other)
	}
}

// flush adds the stores that reach memory before or after the statement at point i.
func (w *witness) flush(i int, after bool) {
	if len(w.waiting) == 0 {
		return
	}
	for _, st := range w.memory.flushed(w.m, i, after, w.waiting) {
		w.waiting = slices.DeleteFunc(slices.Clone(w.waiting), func(x *statement) bool { return x == st })
		at := i
		if !after {
			at = max(i-1, 0)
		}
		w.add(at, machine.Step{Thread: st.Thread, Flush: true, Loc: st.location(w.m), Round: w.round}, st)
	}
}

func (w *witness) add(i int, step machine.Step, flushed *statement) {
	w.steps = append(w.steps, step)
	if w.notify {
		n := note{flushed: flushed}
		w.memory.annotate(w.m, min(i, len(w.points)), w.waiting, &n)
		w.notes = append(w.notes, n)
	}
}

// replay runs the witness on the machine, which is to agree with every step of it.
func (w *witness) replay() (*machine.Run, error) {
	run, err := machine.Replay(w.Program, w.kind, w.steps)
	if err != nil {
		return nil, fmt.Errorf("BUG: the machine cannot follow the schedule: %w", err)
	}
	w.annotate(run)
	return run, nil
}

func (w *witness) annotate(run *machine.Run) {
	if !w.notify {
		return
	}
	for i, n := range w.notes[:len(run.Trace)] {
		step := &run.Trace[i]
		step.Clock, step.Lists = n.clock, n.lists
		for t, stamps := range n.stamps {
			for k, stamp := range stamps {
				step.Buffers[t][k].Stamp = &stamp
			}
		}
	}
}

// replayPrefix does so for a run that may stop anywhere. What memory begins with that may
// be anything is what the model has.
func (w *witness) replayPrefix() (*machine.Run, error) {
	p := *w.Program
	p.Locs = slices.Clone(p.Locs)
	for l, v := range w.prefix.anything {
		if v != nil {
			p.Locs[l].Init = w.m.Number(v)
		}
	}
	run, err := machine.ReplayPrefix(&p, w.kind, w.steps)
	if err != nil {
		return nil, fmt.Errorf("BUG: the machine cannot follow the schedule: %w", err)
	}
	w.annotate(run)
	return run, nil
}
