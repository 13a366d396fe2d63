package axiomatic

import (
	"fmt"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
)

// mostExecutions bounds the count where nobody has asked for another bound.
const mostExecutions = 1 << 20

// count counts the executions in which every thread comes to its end. They are distinct in what is
// executed, in rf and in co. Where threads can be exchanged, and that always makes an execution another, only
// those in one order of such threads are looked for, and each stands for as many as there are orders.
func (v *verification) count() error {
	began := time.Now()
	defer func() { v.stats.Solve += outcomes.Since(began) }()
	e := v.e
	are := []sat.Lit{e.prefix.complete(e)}
	limit := v.Options.Executions
	if limit == solver.DefaultOptions().Executions {
		limit = mostExecutions
	}
	orders := 1
	if !v.want.ByReads { // the order is that of writes
		var sorted sat.Lit
		if sorted, orders = e.oneOfEach(max(limit, 1)); sorted != 0 {
			are = append(are, sorted)
		}
	}
	for _, l := range are {
		e.Define(l)
	}
	n, err := e.Enumerate(v.ctx, e.distinct(v.want.ByReads), limit/orders, are...)
	switch n *= orders; {
	case err != nil:
		return err
	case n > limit:
		v.out.Reason = fmt.Sprintf("there are more than %d executions, which were not counted", limit)
	default:
		v.out.Executions = &n
	}
	return nil
}

// distinct are the literals by which executions are told apart: what is executed, what it reads
// from, and, but for byReads, the order of writes.
func (e *encoding) distinct(byReads bool) []sat.Lit {
	var out []sat.Lit
	add := func(l sat.Lit) {
		if l != sat.True && l != sat.False {
			e.Define(l)
			out = append(out, l)
		}
	}
	for _, rf := range e.reads {
		guard := e.events[rf.read].guard
		add(guard)
		for k := range rf.writes {
			add(e.And(guard, rf.choice[k]))
		}
	}
	for i := range e.events {
		if ev := &e.events[i]; ev.Kind == models.Write {
			add(ev.guard)
		}
	}
	if byReads {
		return out
	}
	for a := range e.events {
		for b, l := range e.co[a] {
			if l == 0 || e.events[a].Thread == models.InitThread || e.events[b].Thread == models.InitThread {
				continue
			}
			same := e.sameLocation(a, b)
			if same == sat.True && a > b { // the other way round says as much
				continue
			}
			add(e.And(e.both(a, b), same, l))
		}
	}
	return out
}
