package axiomatic

import (
	"fmt"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
)

// mostExecutions is the default limit of the count.
const mostExecutions = 1 << 20

// count counts the complete executions: those in which every thread reaches its end. Two executions differ in their
// events, in rf or in co. If exchanging threads always gives a different execution, it enumerates only executions with
// one order of such threads, and each counts for all orders.
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
	if !v.want.ByReads { // the order is one of writes
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
