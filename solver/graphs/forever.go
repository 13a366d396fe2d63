package graphs

import (
	"math"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/graphs/graph"
)

// halt is what a thread has come to that goes no further, for those who ask whether it may yet.
type halt struct {
	rests  bool // at its end, or for another thread
	waits  bool // until something holds of what it has read in its last round
	circle bool // in a loop whose round leaves all as it is
	loops  bool // in a loop of the program's own, rather than one of a library's
	since  int  // the place of the first event of the round
}

// forever sees to a graph in which no thread can go on, and some wait for what does not come: every thread has ended,
// or waits for another, or until something holds of what it has read, all of which is written last; or it is in a loop
// whose round leaves all as it is.
func (v *verification) forever(g *graph.Graph) error {
	if !v.want.Has(ir.Termination) || v.out.Failure != nil {
		return nil
	}
	stuck, loops := -1, false // one that is in a loop of the program's own has it said of it
	var waiting []int32       // reads of threads that wait
	again := map[int32]bool{} // writes that threads write again and again
	halts := make([]halt, len(g.Threads))
	memory := func(loc int) uint64 { // in the end
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

// comesAndGoes reports whether somebody waits in a function of a library for what another has otherwise in the midst of
// a round that leaves all as it is: a lock that is left and taken again and again is one's own in the end.
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

// halt says how thread t rests in a graph: ended, waiting, or at the end of a loop's round. A round only counts as one
// that repeats if it read what memory holds and leaves memory as it was. memory gives a location's last value in
// coherence order.
func (p *test) halt(g *graph.Graph, t int, memory func(int) uint64) (h halt, err error) {
	a := g.Threads[t].Next
	from := math.MaxInt // the step that the round begins at
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
	now, circle := map[int32]uint64{}, h.circle // what it would leave memory as
	for _, id := range list[h.since:] {
		switch e := &g.Events[id]; {
		case e.Kind == graph.Choice && a.Kind == ir.ActBlocked && e.Value == 0:
			// an update that has failed for no reason may go otherwise
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
