package relaxed

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
)

// A C11 model seldom preserves program order for other threads: accesses must synchronise or be sequentially
// consistent. This file finds which memory orders an execution lacks. It gives the accesses stronger orders until the
// model forbids the execution, and then removes each strengthening that the model does not need for that.

// c11Orders are the tags of memory orders, with their words in sentences.
var c11Orders = []orderName{
	{"NA", "plain"},
	{"RLX", "relaxed"},
	{"CON", "a consume"},
	{"ACQ_REL", "an acquire and release"},
	{"ACQ", "an acquire"},
	{"REL", "a release"},
	{"SC", "sequentially consistent"},
}

type orderName struct {
	tag  ir.Tag
	name string
}

// orderOf returns the words for the memory order among an event's tags.
func orderOf(tags ir.Tags) string {
	for _, o := range c11Orders {
		if tags.Has(o.tag) {
			return o.name
		}
	}
	return ""
}

// neededOrders are the memory orders that an execution's accesses lack, by event.
type neededOrders map[int]ir.Tag

// findNeeded finds the orders that the accesses of a cycle lack for the model to forbid it. It returns nil if the model
// is not one of C11, or if stronger orders are not enough.
//
// It asks in two steps: whether releases and acquires on the cycle's communications suffice, and then whether
// sequential consistency of all accesses does. Removing strengthenings one by one leaves a minimal set, not a smallest
// one; each that remains is needed given the others.
func (r *relaxer) findNeeded(cycle []RelaxedStep) neededOrders {
	if !r.model.Mentions("REL") && !r.model.Mentions("ACQ_REL") {
		return nil
	}
	pairs, all := neededOrders{}, neededOrders{}
	for _, s := range cycle {
		if s.Relation == "rf" && !r.internal(s) {
			r.need(pairs, s.From, "REL")
			r.need(pairs, s.To, "ACQ")
		}
		r.need(all, s.From, "SC")
	}
	for _, lacking := range []neededOrders{pairs, all} {
		if !r.ordered(lacking).forbids() {
			continue
		}
		for _, s := range cycle {
			tag, ok := lacking[s.From]
			if delete(lacking, s.From); ok && !r.ordered(lacking).forbids() {
				lacking[s.From] = tag
			}
		}
		if !lacking.sequential() && !r.synchronise(lacking, cycle) {
			return nil
		}
		return lacking
	}
	return nil
}

// need adds an order for an access that has neither this order nor a stronger one.
func (r *relaxer) need(orders neededOrders, event int, tag ir.Tag) {
	e := &r.x.Events[event]
	has := func(tags ...ir.Tag) bool { return slices.ContainsFunc(tags, e.Tags.Has) }
	if !has("SC", tag) && (tag == "SC" || !has("ACQ_REL")) && has("NA", "ATOMIC") {
		orders[event] = tag
	}
}

// ordered returns the execution with other memory orders.
func (r *relaxer) ordered(orders neededOrders) *relaxer {
	x := *r.x
	x.Events = slices.Clone(x.Events)
	for event, tag := range orders {
		e := &x.Events[event]
		tags := ir.Tags{tag, "ATOMIC"}
		for _, t := range e.Tags {
			if t != "ATOMIC" && !slices.ContainsFunc(c11Orders, func(o orderName) bool { return o.tag == t }) {
				tags = append(tags, t)
			}
		}
		e.Tags = tags
	}
	return &relaxer{model: r.model, x: &x, e: evaluation.NewEvaluator(&x)}
}

// relax marks the steps that the model does not preserve because orders are missing.
func (l neededOrders) relax(r *relaxer, cycle []RelaxedStep) {
	lacks := func(event int) bool { _, ok := l[event]; return ok }
	explained := map[int]bool{}
	for i := range cycle {
		s := &cycle[i]
		if which := r.internal(*s) == l.sequential() && (s.Relation == "rf" || l.sequential()); which &&
			(lacks(s.From) || lacks(s.To)) {
			s.Relaxed, explained[s.From], explained[s.To] = true, true, true
		}
	}
	for i := range cycle {
		if s := &cycle[i]; lacks(s.From) && !explained[s.From] {
			s.Relaxed = true
		}
	}
}

// synchronise reports whether accesses of the cycle that read from one another synchronise with the orders that they
// lack. If not, the orders have only restored program order within a thread.
func (r *relaxer) synchronise(l neededOrders, cycle []RelaxedStep) bool {
	is := func(e *models.Event, tags ...ir.Tag) bool { return slices.ContainsFunc(tags, e.Tags.Has) }
	for _, s := range cycle {
		_, from := l[s.From]
		if _, to := l[s.To]; s.Relation != "rf" || r.internal(s) || from == to {
			continue
		}
		w, read := &r.x.Events[s.From], &r.x.Events[s.To]
		if !slices.ContainsFunc(r.x.Events, func(e models.Event) bool {
			if from { // through the read, or a fence after it
				return is(&e, "ACQ", "ACQ_REL", "SC", "CON") && e.Thread == read.Thread &&
					(e.ID == read.ID || e.Kind == models.Fence && e.ID > read.ID)
			}
			return is(&e, "REL", "ACQ_REL", "SC") &&
				(e.Thread == w.Thread && (e.Kind == models.Fence || e.Loc == w.Loc) && e.ID <= w.ID ||
					partOf(r.x, w.ID))
		}) {
			return false
		}
	}
	return true
}

// sequential reports whether sequential consistency is missing.
func (l neededOrders) sequential() bool {
	for _, tag := range l {
		return tag == "SC"
	}
	return false
}

// describeNeeded says which order a step lacks.
func (t *describer) describeNeeded(s RelaxedStep) string {
	_, from := t.needed[s.From]
	_, to := t.needed[s.To]
	x, y := t.event(s.From), t.event(s.To)
	order := func(event int) string { return orderOf(t.x.Events[event].Tags) }
	switch {
	case t.needed.sequential():
		what := upper(x) + " is not"
		switch {
		case from && to && t.internal(s):
			what = upper(x) + " and its " + t.withoutThread(s.To) + " are not"
		case !from:
			what = upper(y) + " is not"
		}
		return what + " sequentially consistent: only sequentially consistent accesses have a single order for all " +
			"threads."
	case from && to && order(s.From) == order(s.To):
		return upper(x) + " is " + order(s.From) + ", and so is " + y +
			", which reads from it: they do not synchronise."
	case from && to:
		return upper(x) + " is " + order(s.From) + ", and " + y + ", which reads from it, " + order(s.To) +
			": they do not synchronise."
	case from:
		return upper(x) + " is " + order(s.From) + ", so that " + y +
			", which reads from it, does not synchronise with it."
	}
	return upper(y) + " is " + order(s.To) + ", so that it does not synchronise with " + x + ", which it reads from."
}

// strengthened says with which orders the model would forbid the execution.
func (t *describer) strengthened(out *Relaxed) string {
	var parts []string
	for _, kind := range []struct {
		of                     models.EventKind
		one, more, order, many string
	}{
		{models.Write, "the store", "these stores", " a release", " releases"},
		{models.Read, "the load", "these loads", " an acquire", " acquires"},
	} {
		n := 0
		for _, s := range out.Cycle {
			if _, ok := t.needed[s.From]; ok && t.x.Events[s.From].Kind == kind.of {
				n++
			}
		}
		who, order := kind.one, kind.order
		if n > 1 {
			who, order = kind.more, kind.many
		}
		if t.needed.sequential() {
			order = ""
		}
		if n > 0 {
			if order != "" {
				who += " were" + order
			}
			parts = append(parts, who)
		}
	}
	what := strings.Join(parts, " and ")
	if t.needed.sequential() {
		what += " were sequentially consistent"
	}
	return "If " + what + ", " + t.label + " would forbid this execution."
}
