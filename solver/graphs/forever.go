package graphs

import (
	"math"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/graphs/graph"
)

// halt is how a thread that cannot continue has stopped.
type halt struct {
	rests  bool // ended, or waiting for another thread to end
	waits  bool // waiting for a condition on what it read in its last round
	circle bool // in a loop whose round leaves memory as it is
	loops  bool // in a loop of the program, not of a library function
	since  int  // position of the round's first event in the thread
}

// forever reports a thread that waits for ever, in a graph in which no thread can continue. A finite graph represents
// an infinite execution: every thread has ended, waits for another thread, waits for a condition although all that it
// read is final, or is in a loop whose round leaves memory as it is. The graph is then extended for ever by repeating
// these rounds. The engine assumes that memory is fair: every thread sees the last write to a location in the end.
func (v *verification) forever(g *graph.Graph) error {
	if !v.want.Has(ir.Termination) || v.out.Failure != nil {
		return nil
	}
	stuck, loops := -1, false // report a thread of the program's own loops first
	var waiting []int32       // reads of waiting threads
	again := map[int32]bool{} // writes that threads repeat for ever
	halts := make([]halt, len(g.Threads))
	memory := func(loc int) uint64 { // the final value of a location
		x, _ := g.Value(v.x.Program, int32(loc), g.Last(int32(loc)))
		return x
	}
	for t := range g.Threads {
		h, err := v.p.halt(g, t, memory)
		if err != nil {
			return err
		}
		switch halts[t] = h; {
		case h.rests:
			continue
		case !h.waits && !h.circle || g.SectionAt(t) >= 0:
			return nil
		case stuck < 0, h.loops && !loops:
			stuck, loops = t, h.loops
		}
		for _, id := range g.Order[t][h.since:] {
			switch e := &g.Events[id]; {
			case e.Kind == graph.Write:
				again[id] = true
			case e.Kind == graph.Read && h.waits:
				waiting = append(waiting, id)
			}
		}
	}
	if stuck < 0 || comesAndGoes(g, halts, memory) {
		return nil
	}
	for _, id := range waiting {
		e := &g.Events[id]
		if e.Value != memory(int(e.Loc)) {
			return nil
		}
		for _, w := range g.CO[e.Loc][g.Rank(e.Loc, e.RF)+1:] {
			if !again[w] {
				return nil
			}
		}
	}
	x, err := v.execution(g)
	if err != nil || x == nil {
		return err
	}
	at := v.p.stop(g, stuck).at
	if at < 0 {
		at = len(x.Program.Threads[stuck].Code) - 1
	}
	return v.found(solver.ForEver(x.Program, stuck, at), x)
}

// comesAndGoes reports whether a thread waits in a library function for a value that another thread's repeated round
// makes temporarily. A lock that others release and acquire again and again is available in the end, so that the
// waiting thread does not wait for ever.
func comesAndGoes(g *graph.Graph, halts []halt, memory func(int) uint64) bool {
	otherwise := map[int32]bool{}
	for t, h := range halts {
		if h.circle {
			for _, id := range g.Order[t][h.since:] {
				if e := &g.Events[id]; (e.Kind == graph.Read || e.Kind == graph.Write) &&
					e.Value != memory(int(e.Loc)) {
					otherwise[e.Loc] = true
				}
			}
		}
	}
	for t, h := range halts {
		if h.waits && !h.loops && slices.ContainsFunc(g.Order[t][h.since:], func(id int32) bool {
			return g.Events[id].Kind == graph.Read && otherwise[g.Events[id].Loc]
		}) {
			return true
		}
	}
	return false
}

// halt asks the thread's interpreter, which has recorded what its last round has read and written.
func (p *cprogram) halt(g *graph.Graph, t int, memory func(int) uint64) (h halt, err error) {
	i := g.Threads[t].Run.(*interpreter)
	a := i.act
	h = halt{since: a.Since}
	switch a.Kind {
	case ir.ActEnd, ir.ActUnspawned, ir.ActJoin:
		h.rests = true
	case ir.ActBlocked:
		h.waits, h.circle, h.loops = a.Waits && !a.Weak, a.Endless, a.Spins
	case ir.ActUnwound:
		h.circle, err = i.t.CanRepeat(memory)
		h.loops = true
	}
	return h, err
}

// A test's thread has no interpreter with a memory of rounds, so the events of the last round determine whether it
// halts: each read must have returned what memory holds in the end or what the round has written before it.

// halt says how thread t rests in a graph: ended, waiting, or at the end of a loop's round. A round only counts as one
// that repeats if it read what memory holds and leaves memory as it was. memory gives a location's last value in
// coherence order.
func (p *test) halt(g *graph.Graph, t int, memory func(int) uint64) (h halt, err error) {
	a := g.Threads[t].Next
	from := math.MaxInt // the first step of the round
	switch a.Kind {
	case ir.ActEnd, ir.ActUnspawned, ir.ActJoin:
		h.rests = true
	case ir.ActBlocked:
		op := p.Threads[t].Code[a.At].Op.(ir.Assume)
		h.waits, from = op.Wait, op.Since
	case ir.ActUnwound:
		op := p.Threads[t].Code[a.At].Op.(ir.Unwound)
		h.waits, h.circle, h.loops, from = op.Spin, op.Again, true, op.Since
	}
	list := g.Order[t]
	for h.since < len(list) && int(g.Events[list[h.since]].Step) < from {
		h.since++
	}
	now, circle := map[int32]uint64{}, h.circle // values that the round itself has written
	for _, id := range list[h.since:] {
		switch e := &g.Events[id]; {
		case e.Kind == graph.Choice && a.Kind == ir.ActBlocked && e.Value == 0:
			// an update that failed spuriously may succeed next time
			if op, ok := p.Threads[t].Code[e.Step].Op.(ir.Choose); !ok || op.Weak {
				h.waits = false
			}
		case e.Kind == graph.Read && h.circle:
			v, mine := now[e.Loc]
			if !mine {
				v = memory(int(e.Loc))
			}
			circle = circle && e.Value == v
		case e.Kind == graph.Write:
			now[e.Loc] = e.Value
		}
	}
	for loc, v := range now {
		circle = circle && v == memory(int(loc))
	}
	if h.circle && !circle {
		h.waits, h.circle = false, false
	}
	return h, nil
}
