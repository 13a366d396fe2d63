package axiomatic

import (
	"fmt"
	"time"

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
	are := []sat.Lit{e.Prefix.Complete(e)}
	limit := v.Options.Executions
	if limit == solver.DefaultOptions().Executions {
		limit = mostExecutions
	}
	orders := 1
	if !v.want.ByReads { // the order is that of writes
		var sorted sat.Lit
		if sorted, orders = e.OneOfEach(max(limit, 1)); sorted != 0 {
			are = append(are, sorted)
		}
	}
	for _, l := range are {
		e.Define(l)
	}
	n, err := e.Enumerate(v.ctx, e.Distinct(v.want.ByReads), limit/orders, are...)
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
