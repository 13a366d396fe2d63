package machine

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// drawn is an execution as a graph has it, by the places of events in Graph.Events. Picks
// are no step of a machine: they go with the event of their thread before them.
type drawn struct {
	graph   *models.Graph
	program *ir.Program
	threads [][]int       // by thread: its events but picks, in program order
	picks   map[int][]int // by event: the picks that follow it
	from    map[int]int   // of a read: its write
	before  map[int]int   // of a write: the one before it in coherence order
	readers map[int][]int // of a write
	initial []int         // by location
}

// newDrawn looks at an execution of p, in which no access consists of pieces.
func newDrawn(p *ir.Program, g *models.Graph) (*drawn, error) {
	if len(g.Threads) != len(p.Threads) {
		return nil, fmt.Errorf("the execution has %d threads, the test %d", len(g.Threads), len(p.Threads))
	}
	d := &drawn{
		graph: g, program: p, threads: make([][]int, len(p.Threads)), picks: map[int][]int{},
		from: g.Back("rf"), before: g.Back("co"), readers: map[int][]int{}, initial: make([]int, len(p.Locs)),
	}
	last := -1
	for l := range d.initial {
		d.initial[l] = -1
	}
	for i, e := range g.Events {
		switch {
		case e.Thread < 0:
			for l := range p.Locs {
				if p.Locs[l].Name == e.Loc {
					d.initial[l] = i
				}
			}
		case e.Tags.Has(ir.TagPick):
			d.picks[last] = append(d.picks[last], i)
		default:
			d.threads[e.Thread] = append(d.threads[e.Thread], i)
			last = i
		}
	}
	for _, p := range g.Pairs("rf") {
		d.readers[p[0]] = append(d.readers[p[0]], p[1])
	}
	return d, nil
}

// tracker holds a run against an execution, for as long as it can still become that one.
type tracker struct {
	*drawn
	next    []int        // by thread: how many of its events have happened
	issued  map[int]bool // reads that have happened
	memory  []int        // by location: the write whose value it holds
	pending [][]int      // by thread: the writes in its buffer, as the buffer has them
}

func newTracker(d *drawn) *tracker {
	return &tracker{
		drawn: d, next: make([]int, len(d.threads)), issued: map[int]bool{},
		memory: slices.Clone(d.initial), pending: make([][]int, len(d.threads)),
	}
}

func (x *tracker) clone() *tracker {
	out := &tracker{drawn: x.drawn, next: slices.Clone(x.next), issued: maps.Clone(x.issued), memory: slices.Clone(x.memory)}
	for _, p := range x.pending {
		out.pending = append(out.pending, slices.Clone(p))
	}
	return out
}

// encode appends what tells x from other trackers of the same machine state.
func (x *tracker) encode(key []byte) []byte {
	for _, n := range x.next {
		key = binary.AppendUvarint(key, uint64(n))
	}
	for _, w := range slices.Concat(append(x.pending, x.memory)...) {
		key = binary.AppendUvarint(key, uint64(w+1))
	}
	return key
}

// over tells whether all events have happened.
func (x *tracker) over() bool {
	for t, n := range x.next {
		if n < len(x.threads[t]) {
			return false
		}
	}
	return true
}

// take follows a step from state s, and lists the IDs of the events that it carries out or
// brings to memory. It tells whether the execution can still be had.
func (x *tracker) take(k Kind, s *state, st step, a ir.Action) (ids []int, ok bool) {
	t := st.thread
	if st.flush >= 0 {
		w := x.pending[t][st.flush]
		x.pending[t] = slices.Delete(x.pending[t], st.flush, st.flush+1)
		return x.ids(w, false), x.reach(w, s.threads[t].buffer.stores[st.flush].loc)
	}
	th := &s.threads[t]
	source := th.Thread.Code[a.Step].Source
	read := func(v uint64, from int) bool {
		r, ok := x.happens(t, "R", source, a.Loc, v)
		if !ok || x.from[r] != from {
			return false
		}
		x.issued[r] = true
		ids = append(ids, x.ids(r, true)...)
		return true
	}
	write := func(v uint64, pending bool) bool {
		w, ok := x.happens(t, "W", source, a.Loc, v)
		if !ok {
			return false
		}
		ids = append(ids, x.ids(w, true)...)
		if pending {
			x.pending[t] = append(x.pending[t], w)
			return true
		}
		return x.reach(w, a.Loc)
	}
	switch a.Kind {
	case ir.ActStore:
		return ids, write(a.Value, k != SC)
	case ir.ActLoad:
		value, from := s.memory[a.Loc], x.memory[a.Loc]
		if i, _, v := th.buffer.newest(x.program, a.Loc); i >= 0 {
			value, from = v, x.pending[t][i]
		}
		return ids, read(value, from)
	case ir.ActRMW:
		old := s.memory[a.Loc]
		if !read(old, x.memory[a.Loc]) {
			return nil, false
		}
		op := th.Thread.Code[a.Step].Op.(ir.RMW)
		if op.If == nil || x.program.Eval(op.If, th.Regs, old) == 1 {
			return ids, write(x.program.Eval(op.New, th.Regs, old), false)
		}
		return ids, true
	case ir.ActStoreCond:
		if st.flush == succeed {
			return ids, write(a.Value, false)
		}
		e, ok := x.peek(t)
		return nil, !ok || x.graph.Events[e].Source != source
	case ir.ActFence:
		f, ok := x.happens(t, "F", source, -1, 0)
		if !ok {
			return nil, false
		}
		return x.ids(f, true), true
	}
	return nil, true // a choice is no event
}

// peek is the next event of a thread.
func (x *tracker) peek(t int) (int, bool) {
	if x.next[t] == len(x.threads[t]) {
		return 0, false
	}
	return x.threads[t][x.next[t]], true
}

// happens goes past the next event of a thread, if it is what the instruction does.
func (x *tracker) happens(t int, kind string, source, loc int, v uint64) (int, bool) {
	i, ok := x.peek(t)
	if !ok {
		return 0, false
	}
	e := x.graph.Events[i]
	if e.Kind != kind || e.Source != source {
		return 0, false
	}
	if loc >= 0 {
		l := x.program.Locs[loc]
		if e.Loc != l.Name || e.Value != x.program.FormatAt(loc, v) {
			return 0, false
		}
	}
	x.next[t]++
	return i, true
}

// reach puts a write into memory: after the one before it in coherence order, which nobody
// can read any more.
func (x *tracker) reach(w, loc int) bool {
	old := x.memory[loc]
	if before, ok := x.before[w]; !ok || before != old {
		return false
	}
	x.memory[loc] = w
	return !slices.ContainsFunc(x.readers[old], func(r int) bool { return !x.issued[r] })
}

// ids are an event's, and those of the picks that go with it when it is carried out.
func (x *tracker) ids(i int, picks bool) []int {
	out := []int{x.graph.Events[i].ID}
	if picks {
		for _, p := range x.picks[i] {
			out = append(out, x.graph.Events[p].ID)
		}
	}
	return out
}
