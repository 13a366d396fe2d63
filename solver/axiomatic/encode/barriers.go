package encode

import (
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/sat"
)

// Control barriers. What an execution must satisfy under every model: a call that waits executes only if the threads
// that it waits for arrive, and the order in which calls wait for each other has no cycle. A thread that would wait
// forever makes an execution that does not end, so the formula excludes it, unless threads may stop there (endless.go).

// call is an event that is a call of a control barrier.
type call struct {
	event int
	*Event
	*ir.Barrier
}

// calls lists the calls of control barriers.
func (e *Encoding) calls() (out []call) {
	if !e.Program.Barriers {
		return nil
	}
	for i := range e.Events {
		ev := &e.Events[i]
		if ev.Kind != models.Fence {
			continue
		}
		if b := e.Program.BarrierOf(ev.Thread, ev.Step); b != nil {
			out = append(out, call{i, ev, b})
		}
	}
	return out
}

// sameNumber returns a literal that is true if two calls have the same number, computed or not.
func (e *Encoding) sameNumber(a, b call) sat.Lit {
	if a.event == b.event || len(a.Locs)+len(b.Locs) == 0 {
		return sat.True
	}
	return e.sameLocation(a.event, b.event)
}

// opens returns a literal that is true if both events execute and are calls of a control barrier, of which the second
// waits for the first.
func (e *Encoding) opens(i, j int) sat.Lit {
	a, b := &e.Events[i], &e.Events[j]
	if a.Kind != models.Fence || b.Kind != models.Fence {
		return sat.False
	}
	x, y := e.Program.BarrierOf(a.Thread, a.Step), e.Program.BarrierOf(b.Thread, b.Step)
	if x == nil || y == nil || !e.Program.Opens(a.Thread, x, b.Thread, y) {
		return sat.False
	}
	return e.And(e.both(i, j), e.sameNumber(call{i, a, x}, call{j, b, y}))
}

// barriers asserts the rules of control barriers.
func (e *Encoding) barriers() {
	all := e.calls()
	for _, c := range all {
		switch {
		case c.Arrives:
		case c.Quorum == 0:
			e.allReach(c)
		default:
			e.quorum(c, all)
		}
	}
	e.orderBarriers(all)
}

// passes returns a literal that is true if a thread passes a call: it arrives, and does not stop there.
func (e *Encoding) passes(c call) sat.Lit {
	if e.Prefix != nil {
		for _, cut := range e.Prefix.Cuts {
			if cut.Ending == ir.AtBarrier && cut.Thread == c.Thread && cut.Since == c.Step {
				return e.And(c.Guard, cut.Reached.Not())
			}
		}
	}
	return c.Guard
}

// allReach asserts that each thread that calls the barrier of c arrives at it if a thread passes c. The calls of a
// thread are steps of the program, whether or not they have events.
func (e *Encoding) allReach(c call) {
	for t := range e.Program.Threads {
		called := false
		arrives := []sat.Lit{e.passes(c).Not()}
		for step := range e.Program.Threads[t].Code {
			b := e.Program.BarrierOf(t, step)
			if b == nil || !e.Program.MayMeet(c.Thread, c.Barrier, t, b) {
				continue
			}
			called = true
			if i := e.first[t][step]; i >= 0 {
				arrives = append(arrives, e.Events[i].Guard)
			}
		}
		if called && t != c.Thread {
			e.Assert(arrives...)
		}
	}
}

// quorum asserts that as many calls as the quorum of c are first if a thread passes c. count[k] says that at least k
// of the calls so far are; only counts up to one more than the quorum matter.
func (e *Encoding) quorum(c call, all []call) {
	count := make([]sat.Lit, c.Quorum+2)
	count[0] = sat.True
	for k := 1; k < len(count); k++ {
		count[k] = sat.False
	}
	for _, a := range all {
		if !a.First || !e.Program.MayMeet(c.Thread, c.Barrier, a.Thread, a.Barrier) {
			continue
		}
		is := e.And(a.Guard, e.sameNumber(a, c))
		for k := len(count) - 1; k > 0; k-- {
			count[k] = e.Or(count[k], e.And(count[k-1], is))
		}
	}
	e.Assert(e.passes(c).Not(), count[c.Quorum])
	e.Assert(e.passes(c).Not(), count[c.Quorum+1].Not())
}

// orderBarriers asserts that the calls have an order in which each comes behind those that its thread passes before,
// and behind those that they wait for. It needs no variables where no cycle is possible.
func (e *Encoding) orderBarriers(all []call) {
	n := len(all)
	steps := make([][]sat.Lit, n) // a arrives before b can
	reach := make([][]bool, n)
	for i, a := range all {
		steps[i], reach[i] = make([]sat.Lit, n), make([]bool, n)
		for j, b := range all {
			steps[i][j] = sat.False
			for _, by := range all {
				if before := e.order.Before(by.event, b.event); before != sat.False {
					waits := e.opens(a.event, by.event)
					if a.event == by.event {
						waits = a.Guard
					}
					steps[i][j] = e.Or(steps[i][j], e.And(before, waits, b.Guard))
				}
			}
			reach[i][j] = steps[i][j] != sat.False
		}
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	first := make([][]sat.Lit, n)
	var round []int
	for i := range all {
		first[i] = make([]sat.Lit, n)
		if !reach[i][i] {
			continue
		}
		e.Assert(steps[i][i].Not())
		for _, j := range round {
			v := e.Var()
			e.Define(v)
			first[j][i], first[i][j] = v, v.Not()
			e.Assert(steps[j][i].Not(), v)
			e.Assert(steps[i][j].Not(), v.Not())
		}
		for x, j := range round {
			for _, k := range round[:x] {
				e.Assert(first[i][j].Not(), first[j][k].Not(), first[k][i].Not())
				e.Assert(first[i][j], first[j][k], first[k][i])
			}
		}
		round = append(round, i)
	}
}
