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
	threads [][]int       // by thread: its events but picks, in program order; of an access of several pieces the first
	picks   map[int][]int // by event: the picks that follow it
	from    map[int]int   // of a read: its write
	before  map[int]int   // of a write: the one before it in coherence order
	readers map[int][]int // of a write
	initial []int         // by location
}

// newDrawn looks at an execution of p.
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
		case e.Piece > 0:
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
	out := &tracker{
		drawn: x.drawn, next: slices.Clone(x.next), issued: maps.Clone(x.issued),
		memory: slices.Clone(x.memory),
	}
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

// over reports whether all events have happened.
func (x *tracker) over() bool {
	for t, n := range x.next {
		if n < len(x.threads[t]) {
			return false
		}
	}
	return true
}

// take follows a step from state s, and lists the IDs of the events that it carries out or brings to memory. It reports
// whether the execution is still possible.
func (x *tracker) take(k Kind, s *state, st step, a ir.Action) (ids []int, ok bool) {
	t := st.thread
	if st.flush >= 0 {
		w := x.pending[t][st.flush]
		x.pending[t] = slices.Delete(x.pending[t], st.flush, st.flush+1)
		e := s.threads[t].buffer.stores[st.flush]
		return x.ids(w, false), x.reach(w, e.loc, e.bits)
	}
	th := &s.threads[t]
	source := th.Thread.Code[a.Step].Source
	pieces := func() []ir.Piece { return piecesOf(x.program, a.Loc, a.Bits) }
	// read comes from the write that from returns for each cell.
	read := func(v uint64, from func(cell int) int) bool {
		r, ok := x.happens(t, "R", source, pieces(), v)
		if !ok {
			return false
		}
		for k, q := range pieces() {
			if x.from[r+k] != from(q.Loc) {
				return false
			}
			x.issued[r+k] = true
		}
		ids = append(ids, x.ids(r, true)...)
		return true
	}
	inMemory := func(cell int) int { return x.memory[cell] }
	write := func(v uint64, pending bool) bool {
		w, ok := x.happens(t, "W", source, pieces(), v)
		if !ok {
			return false
		}
		ids = append(ids, x.ids(w, true)...)
		if pending {
			x.pending[t] = append(x.pending[t], w)
			return true
		}
		return x.reach(w, a.Loc, a.Bits)
	}
	switch a.Kind {
	case ir.ActStore:
		return ids, write(a.Value, k != SC)
	case ir.ActLoad:
		return ids, read(s.read(t, a.Loc, a.Bits), func(cell int) int {
			if i, piece, _ := th.buffer.newest(x.program, cell); i >= 0 {
				return x.pending[t][i] + piece
			}
			return x.memory[cell]
		})
	case ir.ActRMW:
		old := s.valueAt(x.program, a.Loc, a.Bits)
		if !read(old, inMemory) {
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
		f, ok := x.happens(t, "F", source, nil, 0)
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

// happens goes past the next event of a thread, or all pieces of an access, if it is what the instruction does.
func (x *tracker) happens(t int, kind string, source int, pieces []ir.Piece, v uint64) (int, bool) {
	i, ok := x.peek(t)
	if !ok {
		return 0, false
	}
	e := x.graph.Events[i]
	if e.Kind != kind || e.Source != source {
		return 0, false
	}
	for k, q := range pieces {
		if i+k >= len(x.graph.Events) {
			return 0, false
		}
		e := x.graph.Events[i+k]
		if e.Piece != k || e.Loc != x.program.Locs[q.Loc].Name || e.Value != x.program.FormatAt(q.Loc, q.In(v)) {
			return 0, false
		}
	}
	x.next[t]++
	return i, true
}

// reach puts a write into memory: after those before it in coherence order, which nobody
// can read any more.
func (x *tracker) reach(w, loc, bits int) bool {
	for k, q := range piecesOf(x.program, loc, bits) {
		old := x.memory[q.Loc]
		if before, ok := x.before[w+k]; !ok || before != old {
			return false
		}
		x.memory[q.Loc] = w + k
		if slices.ContainsFunc(x.readers[old], func(r int) bool { return !x.issued[r] }) {
			return false
		}
	}
	return true
}

// ids are those of an event and of the picks that execute with it.
func (x *drawn) ids(i int, picks bool) []int {
	out := []int{x.graph.Events[i].ID}
	for k := i + 1; k < len(x.graph.Events) && x.graph.Events[k].Piece == k-i; k++ {
		out = append(out, x.graph.Events[k].ID)
	}
	if picks {
		for _, p := range x.picks[i] {
			out = append(out, x.graph.Events[p].ID)
		}
	}
	return out
}
