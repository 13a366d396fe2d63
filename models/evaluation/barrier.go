package evaluation

import (
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/relation"
)

// Control barriers: under every model, an execution contains a call that waits only if the threads that the call waits
// for arrive, and only if no thread would have to pass one call to arrive at another that the first waits for.

// opens reports whether b is a call of a control barrier that waits for a.
func (e *Evaluator) opens(a, b *models.Event) bool {
	p := e.x.Program
	if p == nil || a.Kind != models.Fence || b.Kind != models.Fence || a.Loc != b.Loc {
		return false
	}
	x, y := p.BarrierOf(a.Thread, a.Step), p.BarrierOf(b.Thread, b.Step)
	return x != nil && y != nil && p.Opens(a.Thread, x, b.Thread, y)
}

// stopsAt reports whether a thread waits for ever at a call of a control barrier, in a prefix of an execution.
func stopsAt(x *models.Execution, call *models.Event) bool {
	if x.Stops == nil || x.Stops[call.Thread].Kind != ir.ActUnwound {
		return false
	}
	op, ok := x.Program.Threads[call.Thread].Code[x.Stops[call.Thread].Step].Op.(ir.Unwound)
	return ok && op.Ending == ir.AtBarrier && op.Since == call.Step
}

// unmet returns the rules of control barriers that the execution breaks.
func (c *Checker) unmet(x *models.Execution) []Violation {
	p := x.Program
	executed := map[[2]int]bool{} // by thread and step
	var calls []int
	for i := range x.Events {
		if v := &x.Events[i]; v.Kind == models.Fence && p.BarrierOf(v.Thread, v.Step) != nil {
			calls = append(calls, i)
			executed[[2]int{v.Thread, v.Step}] = true
		}
	}
	broken := func(name string, kind cat.CheckKind, events []int) []Violation {
		return []Violation{{Axiom: name, Kind: kind, Events: events, axiom: cat.Axiom{Negated: true}}}
	}
	for _, i := range calls {
		v := &x.Events[i]
		b := p.BarrierOf(v.Thread, v.Step)
		switch {
		case b.Arrives, stopsAt(x, v):
		case b.Quorum == 0:
			for t := range p.Threads {
				called, arrives := false, false
				for step := range p.Threads[t].Code {
					if other := p.BarrierOf(t, step); other != nil && p.MayMeet(v.Thread, b, t, other) {
						called, arrives = true, arrives || executed[[2]int{t, step}]
					}
				}
				if called && !arrives {
					return broken("control barriers that all reach", cat.Empty, []int{i})
				}
			}
		default:
			first := 0
			for _, k := range calls {
				w := &x.Events[k]
				a := p.BarrierOf(w.Thread, w.Step)
				if a.First && w.Loc == v.Loc && p.MayMeet(v.Thread, b, w.Thread, a) {
					first++
				}
			}
			if first != b.Quorum {
				return broken("control barriers with a quorum", cat.Empty, []int{i})
			}
		}
	}
	base := func(name string) relation.Relation {
		return c.eval.Eval(cat.Base{Name: name, Kind: cat.Relation})
	}
	order := base("syncbar").Union(base("id")).Then(base("po"))
	among := order.Like()
	for _, a := range calls {
		for _, b := range calls {
			if order.Has(a, b) {
				among.Add(a, b)
			}
		}
	}
	if !among.Acyclic() {
		return broken("order of control barriers", cat.Acyclic, among.Cycle())
	}
	return nil
}
