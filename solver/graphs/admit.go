package graphs

import (
	"litmuscope/models"
	"litmuscope/models/cat"
)

// admit refuses an axiom that the method is not made for.
//
// Call a relation forward where, of an event that is last in program order and in coherence and that reads what is last in
// coherence, no pair leads elsewhere; strict where no event of any kind is paired with itself for its own sake. An acyclic
// or irreflexive relation that is both forward and strict has no cycle by such an event: so it can always be added. And where
// what is taken away (\) does not hang on other events than the two, less of an execution has less of the relation.
func (f *formula) admit(m *models.Model, a cat.Axiom, root int) {
	no := func(why string) {
		refuse("%s: axiom %s %s", models.Label(m.Name), a.Name, why)
	}
	if a.Negated {
		no("wants a relation not to be " + a.Kind.String())
	}
	if !f.monotone(root) {
		no("takes away what depends on further events: an execution that it forbids may be allowed when it goes on")
	}
	if a.Kind == cat.Empty {
		if !f.atomicity(root) {
			no("wants a relation to be empty that is not of an atomic update and a write between: an event that it forbids is not known to be another's place")
		}
		return
	}
	if !f.forward(root) || !f.strict(root) {
		no("has pairs that lead back from the last event of a thread: one more event may always break it")
	}
}

// atomicity recognises rmw & (fr; co), in parts of whichever.
func (f *formula) atomicity(i int) bool {
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

// within tells whether a relation is part of a base relation.
func (f *formula) within(i int, base op) bool {
	n := f.nodes[i]
	switch n.op {
	case base:
		return true
	case opRestrict, opDiff:
		return f.within(n.x, base)
	case opInter:
		return f.within(n.x, base) || f.within(n.y, base)
	case opUnion:
		return f.within(n.x, base) && f.within(n.y, base)
	}
	return false
}

func (f *formula) forward(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opPO, opRF, opCO, opFR, opAddr, opData, opCtrl, opRMW, opID, opNothing, opKnot:
		return true
	case opIdentity:
		return f.settled(n.x)
	case opUnion, opSeq:
		return f.forward(n.x) && f.forward(n.y)
	case opInter:
		return f.forward(n.x) || f.forward(n.y)
	case opDiff, opPlus:
		return f.forward(n.x)
	case opRestrict:
		return f.forward(n.x) && (n.y < 0 || f.settled(n.y)) && (n.z < 0 || f.settled(n.z))
	}
	return false
}

// settled tells whether who is in a set is known from each event alone.
func (f *formula) settled(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opDomain, opRange, opKnot:
		return false
	case opUnion, opInter, opDiff:
		return f.settled(n.x) && f.settled(n.y)
	}
	return true
}

func (f *formula) strict(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opID, opIdentity, opInt, opLoc, opCartesian:
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

// monotone tells whether less of an execution has less of a set or relation.
func (f *formula) monotone(i int) bool {
	n := f.nodes[i]
	if n.op == opDiff {
		return f.monotone(n.x) && f.local(n.y)
	}
	for _, x := range n.operands() {
		if !f.monotone(x) {
			return false
		}
	}
	if n.op == opKnot {
		return true // its bodies are among the nodes of whoever uses it
	}
	return true
}

// local tells whether two events, or one, are in a relation or a set whatever others there are.
func (f *formula) local(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opDomain, opRange, opSeq, opPlus, opKnot:
		return false
	}
	for _, x := range n.operands() {
		if !f.local(x) {
			return false
		}
	}
	return true
}
