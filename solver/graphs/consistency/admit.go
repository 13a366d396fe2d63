package consistency

import (
	"litmuscope/models"
	"litmuscope/models/cat"
)

// admit refuses an axiom that executions cannot be made by, and notes one that is not known to let each event be added
// to what its thread has come to.
//
// What is made has to be part of what it can become, less of every relation: an axiom never forbids an execution for
// being incomplete. That is so where what is taken away (\) is known of two events as soon as there are both, with all
// that comes before them in program order, or gets less as there is more.
//
// Call a relation forward where, of an event that is last in program order and in coherence and that reads what is last
// in coherence, no pair leads elsewhere, and that makes no pair of others; strict where no event of any kind is paired
// with itself for its own sake. An acyclic or irreflexive relation that is both forward and strict has no cycle by such
// an event: so it can always be added. Where accesses consist of pieces, that is so of all of an access at once: no
// pair leads elsewhere than to another piece.
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

// atomicity recognises rmw & (fr; co), in parts of whichever.
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

// within reports whether a relation is part of a base relation.
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

// settled reports whether who is in a set is known from each event alone.
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

// grows reports whether an execution has of a set or relation what parts of it have; of recursion, whether it would if
// what recurs does.
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

// ofUpdates recognises sm ; x ; sm of pairs x of updates' reads and writes: of such, it is known of the first pieces
// that there are.
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

// shrinks reports whether parts of an execution have of a set or relation, among their events, what the whole has.
func (f *Formula) shrinks(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opRF, opCO, opFR, opAddr, opData, opCtrl, opDomain, opKnot:
		return false
	case opDiff:
		return f.shrinks(n.x) && f.grows(n.y)
	case opSeq: // what is between them in program order is there
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
	case opRange: // and what comes before
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
