package consistency

import (
	"litmuscope/models"
	"litmuscope/models/cat"
)

// admit rejects an axiom that the exploration does not support, and clears f.Extends if the axiom may forbid the next
// event of a thread whatever that event reads or wherever it goes in coherence order.
//
// The exploration builds executions event by event, so an axiom must never forbid a partial execution that a larger,
// allowed one contains: this is the prefix closure that [Compile] asks for. Relations only grow when the exploration
// adds events. This makes every axiom monotone, except for differences: x \ y needs a y that no later event extends
// among the events that exist already. grows checks this.
//
// Call a relation forward if the last event of a thread, being last in coherence order or reading from the last write,
// starts no pair and adds no pair between other events. Call it strict if being that event alone relates no event to
// itself. If an acyclic or irreflexive relation is both forward and strict, such an event closes no cycle: it has no
// outgoing edge and no loop. So the model always allows the event, and no exploration ends in a dead end. If accesses
// consist of pieces, this applies to all pieces of an access at once: a pair may lead to another piece of the same
// access.
func (f *Formula) admit(m *models.Model, a cat.Axiom, root int) {
	no := func(why string) {
		refuse("%s: axiom %s %s", models.Label(m.Name), a.Name, why)
	}
	if a.Negated {
		no("requires a relation not to be " + a.Kind.String())
	}
	roots := []int{root}
	for _, i := range f.needed(roots) {
		if n := f.nodes[i]; n.op == opKnot {
			roots = append(roots, f.knots[n.x].bodies...)
		}
	}
	for _, i := range roots {
		if !f.grows(i) {
			no("subtracts a relation that later events can extend: the axiom may forbid an execution that becomes " +
				"allowed later")
		}
		if a.Kind == cat.Empty {
			f.Extends = f.Extends && f.atomicity(root)
		} else {
			f.Extends = f.Extends && f.forward(i) && f.strict(i)
		}
	}
}

func (f *Formula) atomicity(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opUnion:
		return f.atomicity(n.x) && f.atomicity(n.y)
	case opRestrict:
		return f.atomicity(n.x)
	case opInter:
		of := func(rmw, between int) bool {
			b := f.nodes[between]
			return f.within(rmw, opRMW) && b.op == opSeq && f.within(b.x, opFR) && f.within(b.y, opCO)
		}
		return of(n.x, n.y) || of(n.y, n.x)
	}
	return false
}

// within reports whether a relation is certainly a subset of a base relation. The answer false means "not known".
// Dependencies and rmw count as subsets of po.
func (f *Formula) within(i int, base op) bool {
	n := f.nodes[i]
	switch n.op {
	case base:
		return true
	case opAddr, opData, opCtrl, opRMW:
		return base == opPO
	case opRestrict, opDiff:
		return f.within(n.x, base)
	case opInter:
		return f.within(n.x, base) || f.within(n.y, base)
	case opUnion:
		return f.within(n.x, base) && f.within(n.y, base)
	case opSeq:
		return base == opPO && f.within(n.x, base) && f.within(n.y, base)
	case opPlus:
		return base == opPO && f.within(n.x, base)
	}
	return false
}

// forward reports whether a relation is forward in the sense of [Formula.admit]. It decides by the shape of the
// expression, so that false means "not known". An intersection needs only one forward side if the other does not
// change later.
func (f *Formula) forward(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opPO, opRF, opCO, opFR, opAddr, opData, opCtrl, opRMW, opID, opAccess, opSiblings, opNothing, opKnot:
		return true
	case opIdentity:
		return f.settled(n.x)
	case opUnion, opSeq:
		return f.forward(n.x) && f.forward(n.y)
	case opInter:
		lasts := func(x int) bool { return f.forward(x) || f.grows(x) && f.shrinks(x) }
		return f.forward(n.x) && lasts(n.y) || f.forward(n.y) && lasts(n.x)
	case opDiff:
		return f.forward(n.x) && f.grows(n.y)
	case opPlus:
		return f.forward(n.x)
	case opRestrict:
		return f.forward(n.x) && (n.y < 0 || f.settled(n.y)) && (n.z < 0 || f.settled(n.z))
	}
	return false
}

// settled reports whether membership in a set depends on the event alone: its kind and tags. Domains and ranges
// depend on other events, and recursive sets may.
func (f *Formula) settled(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opDomain, opRange, opKnot:
		return false
	case opUnion, opInter, opDiff:
		return f.settled(n.x) && f.settled(n.y)
	}
	return true
}

// strict reports whether a relation relates no event to itself for being that event (see [Formula.admit]). A sequence
// or an intersection is strict if one of its sides is.
func (f *Formula) strict(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opID, opIdentity, opInt, opLoc, opCartesian, opAccess, opSiblings, opOverlap:
		return false
	case opUnion:
		return f.strict(n.x) && f.strict(n.y)
	case opSeq, opInter:
		return f.strict(n.x) || f.strict(n.y)
	case opDiff, opPlus, opRestrict, opInverse:
		return f.strict(n.x)
	}
	return true
}

// grows reports whether a set or relation is monotone: a larger execution has all members and pairs that its parts
// have. For a knot the answer assumes that the recursive definitions grow.
func (f *Formula) grows(i int) bool {
	n := f.nodes[i]
	if n.op == opDiff {
		return f.grows(n.x) && f.shrinks(n.y)
	}
	for _, x := range n.operands() {
		if !f.grows(x) {
			return false
		}
	}
	return true
}

// ofUpdates recognises sm ; x ; sm where x is within rmw, and returns x. An update's first pieces determine such pairs,
// so the pairs are known as soon as the update exists.
func (f *Formula) ofUpdates(i int) (x int, ok bool) {
	n := f.nodes[i]
	a, b := f.nodes[n.x], f.nodes[n.y]
	switch {
	case a.op == opAccess && b.op == opSeq && f.nodes[b.y].op == opAccess:
		x = b.x
	case b.op == opAccess && a.op == opSeq && f.nodes[a.x].op == opAccess:
		x = a.y
	default:
		return 0, false
	}
	return x, f.within(x, opRMW)
}

// shrinks reports whether later events add nothing to a set or relation among the events that exist already. This is
// the converse of grows: what holds in the whole execution between events of a part already holds in the part. The
// difference may safely subtract relations that do both.
func (f *Formula) shrinks(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opRF, opCO, opFR, opAddr, opData, opCtrl, opDomain, opKnot:
		return false
	case opDiff:
		return f.shrinks(n.x) && f.grows(n.y)
	case opSeq: // the events between the two in program order exist already
		if x, ok := f.ofUpdates(i); ok {
			return f.shrinks(x)
		}
		if !f.within(n.x, opPO) || !f.within(n.y, opPO) {
			return false
		}
	case opPlus:
		if !f.within(n.x, opPO) {
			return false
		}
	case opRange: // the same for the events before
		if !f.within(n.x, opPO) {
			return false
		}
	}
	for _, x := range n.operands() {
		if !f.shrinks(x) {
			return false
		}
	}
	return true
}
