package evaluation

import (
	"maps"
	"slices"

	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/relation"
)

// chosen returns the order that the execution gives for an [cat.Order], empty if it gives none.
func (e *Evaluator) chosen(o *cat.Order) relation.Relation {
	r := e.slab.Relation(e.n)
	for i, a := range e.x.Orders[o] {
		for _, b := range e.x.Orders[o][i+1:] {
			if l := e.x.Events[a].Loc; !o.ByLocation || l >= 0 && l == e.x.Events[b].Loc {
				r.Add(a, b)
			}
		}
	}
	return r
}

// orders reports whether the execution's order contains each event of the set exactly once.
func (e *Evaluator) orders(o *cat.Order) bool {
	given := e.slab.Set(e.n)
	for _, a := range e.x.Orders[o] {
		if given.Has(0, a) {
			return false
		}
		given.Add(0, a)
	}
	return given.Equal(e.Eval(o.Set))
}

// complete returns an execution with all orders that the model chooses. It tries all extensions until one breaks no
// axiom. If each breaks some, it takes the first that breaks fewest.
//
// Orders that a model chooses, such as C11's order of sequentially consistent accesses, are not part of an execution.
// An execution is allowed if some choice breaks no axiom. The number of extensions is exponential in the number of
// unordered events. It is small for litmus tests, and engines give the orders of their witnesses, so that nothing has
// to be tried.
func (c *Checker) complete(x *models.Execution) *models.Execution {
	if !slices.ContainsFunc(c.model.Orders, func(o *cat.Order) bool { return x.Orders[o] == nil }) {
		return x
	}
	var best *models.Execution
	broken := 0
	try := *x
	var next func(i int) (done bool)
	next = func(i int) bool {
		if i == len(c.model.Orders) {
			with := try // a copy, because the evaluator compares it with the previous one
			with.Orders = maps.Clone(try.Orders)
			if n := len(c.check(&with)); best == nil || n < broken {
				best, broken = &with, n
			}
			return broken == 0
		}
		o := c.model.Orders[i]
		if x.Orders[o] != nil {
			return next(i + 1)
		}
		with := try
		c.setExecution(&with)
		events := []int{}
		c.eval.Eval(o.Set).Each(0, func(a int) { events = append(events, a) })
		outer := try.Orders
		chooseOrder := func(order []int) bool {
			try.Orders = maps.Clone(outer)
			if try.Orders == nil {
				try.Orders = map[*cat.Order][]int{}
			}
			try.Orders[o] = slices.Clone(order)
			return next(i + 1)
		}
		done := extensions(events, nil, c.before(o), chooseOrder)
		if best == nil { // the required order has a cycle: let the axiom report it
			done = chooseOrder(events)
		}
		try.Orders = outer
		return done
	}
	next(0)
	return best
}

// extensions visits the orders of events that extend before, until a visit returns true.
func extensions(events, order []int, before func(a, b int) bool, visit func(order []int) (done bool)) bool {
	if len(events) == 0 {
		return visit(order)
	}
	for i, a := range events {
		if slices.ContainsFunc(events, func(b int) bool { return before(b, a) }) {
			continue
		}
		if extensions(slices.Concat(events[:i], events[i+1:]),
			append(order[:len(order):len(order)], a), before, visit) {
			return true
		}
	}
	return false
}

// before returns a function that reports which of two events must come first: by the relation that the order extends,
// and by location if only events of one location are ordered.
func (c *Checker) before(o *cat.Order) func(a, b int) bool {
	agrees := slices.ContainsFunc(c.model.Axioms,
		func(a cat.Axiom) bool { return a.Name == o.Name && a.Kind == cat.Irreflexive })
	along, events := c.eval.Eval(o.Extends), c.eval.x.Events
	return func(a, b int) bool {
		if o.ByLocation && events[a].Loc != events[b].Loc {
			return events[a].Loc < events[b].Loc
		}
		return agrees && along.Has(a, b)
	}
}
