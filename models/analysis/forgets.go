package analysis

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// A loop that only waits reads, finds that it has to go on waiting, and reads again. Engines leave
// its failing rounds out (package ir, spin.go): each execution E with such rounds stands for the
// execution E' without their reads and fences. That loses nothing if the model allows E' whenever
// it allows E, and this file finds out from the model's text whether it does.
//
// It does if every axiom forbids (acyclic, irreflexive or empty) an expression that shrinks: on E'
// it contains no pair that it did not contain on E. An expression shrinks if what it subtracts is
// restricted, that is, contains exactly the pairs of E that are left. r \ (a ; b) grows, for
// example, if a removed event was the middle of a ; b. So events that may be such a middle must
// stay, and the loops that have them are not cut: [Forgetting.Kept] collects their tags.
//
// A flag is a question about E that E' cannot always answer: a failing round may race where the
// last one does not. But if the flag's expression persists, so that each of its pairs is still
// there once all other events are removed, an execution with one failing round of each loop shows
// whatever there is to show. Engines keep one such round for the models that have flags.

// Forgetting describes what happens to a model's axioms and flags when an execution loses some of its reads and fences.
type Forgetting struct {
	Rest     []cat.Axiom // the axioms that may forbid the smaller execution
	Kept     ir.Tags     // of the fences that must stay
	Persists []bool      // by flag: one failing round of each loop is enough to raise it
}

// Forgets examines the axioms and flags of a model as described above. unread has the tags that no read carries.
func Forgets(m *cat.Model, unread ir.Tags) Forgetting {
	c := monotonicity{unread, map[*cat.Def]bool{}, map[*cat.Def]bool{}, &Forgetting{}}
	for _, a := range m.Axioms {
		c.reset()
		if a.Negated || !c.shrinks(a.Expr) {
			c.out.Rest = append(c.out.Rest, a)
		}
	}
	for _, f := range m.Flags {
		c.out.Persists = append(c.out.Persists,
			!slices.ContainsFunc(f.Checks, func(a cat.Axiom) bool { return !c.flag(a) }))
	}
	return *c.out
}

// monotonicity caches the definitions that have passed a check.
type monotonicity struct {
	unread                 ir.Tags
	shrinking, restricting map[*cat.Def]bool
	out                    *Forgetting
}

// reset clears the caches. The answers found on the way to a "no" may rest on a wrong assumption about a recursive
// definition.
func (c monotonicity) reset() {
	clear(c.shrinking)
	clear(c.restricting)
}

// flag reports whether one failing round of each loop is enough to raise a flag. It is if the flag looks for one event,
// or for pairs within one round of each loop (oneRound).
func (c monotonicity) flag(a cat.Axiom) bool {
	c.reset()
	if !a.Negated || !c.persists(a.Expr) {
		return false
	}
	switch a.Kind {
	case cat.Irreflexive:
		return true
	case cat.Empty:
		return isSet(a.Expr) || c.oneRound(a.Expr)
	}
	return false
}

// oneRound reports whether the text of a relation shows that no pair has events of two failing rounds of a loop: that
// each is between different threads, or has an event that stays.
func (c monotonicity) oneRound(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Nothing:
		return true
	case cat.Base:
		if e.Name == "ext" {
			return true
		}
	case cat.Ref:
		return e.Def.Group == nil && c.oneRound(e.Def.Body)
	case cat.Unary:
		return e.Op == cat.Inverse && c.oneRound(e.X)
	case cat.Binary:
		switch e.Op {
		case cat.Union:
			return c.oneRound(e.X) && c.oneRound(e.Y)
		case cat.Inter:
			return c.oneRound(e.X) || c.oneRound(e.Y)
		case cat.Diff:
			return c.oneRound(e.X)
		}
	}
	return c.avoidsReads(e, false) || c.avoidsReads(e, true)
}

func isSet(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Base:
		return e.Kind == cat.Set
	case cat.Ref:
		return e.Def.Kind == cat.Set
	case cat.Unary:
		return e.Op == cat.Domain || e.Op == cat.Range || e.Op == cat.Complement && isSet(e.X)
	case cat.Binary:
		return e.Op != cat.Seq && e.Op != cat.Cartesian && isSet(e.X)
	}
	return false
}

// persists reports whether e on fewer events still has all its pairs of the events that are left.
func (c monotonicity) persists(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Ref:
		return e.Def.Group == nil && c.persists(e.Def.Body)
	case cat.Chosen:
		return false
	case cat.Unary:
		switch e.Op {
		case cat.Complement:
			return c.shrinks(e.X)
		case cat.Domain, cat.Range:
			return c.avoidsReads(e.X, e.Op == cat.Domain) && c.persists(e.X)
		case cat.Plus, cat.Star:
			return false
		}
		return c.persists(e.X)
	case cat.Binary:
		switch e.Op {
		case cat.Diff:
			return c.persists(e.X) && c.shrinks(e.Y)
		case cat.Seq:
			by := sameAccess(e.X) || sameAccess(e.Y) || c.avoidsReads(e.X, true) || c.avoidsReads(e.Y, false)
			return by && c.persists(e.X) && c.persists(e.Y)
		}
		return c.persists(e.X) && c.persists(e.Y)
	}
	return true
}

// within reports whether the text of a relation shows that it is part of a relation that is recognises, one that is
// transitive.
func within(e cat.Expr, is func(cat.Expr) bool) bool {
	if is(e) {
		return true
	}
	switch e := e.(type) {
	case cat.Ref:
		return e.Def.Group == nil && within(e.Def.Body, is)
	case cat.Binary:
		switch e.Op {
		case cat.Union, cat.Seq:
			return within(e.X, is) && within(e.Y, is)
		case cat.Inter:
			return within(e.X, is) || within(e.Y, is)
		case cat.Diff:
			return within(e.X, is)
		}
	}
	return false
}

// isIdentity recognises id and [S].
func isIdentity(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Base:
		return e.Name == "id" && e.Kind == cat.Relation
	case cat.Unary:
		return e.Op == cat.Identity
	}
	return false
}

// sameAccess reports whether a relation is within sm or id. An access is removed with all its pieces.
func sameAccess(e cat.Expr) bool {
	return within(e, func(e cat.Expr) bool { return isPieces(e) || isIdentity(e) })
}

// shrinks reports whether e on fewer events has no pair that it did not have on all events.
func (c monotonicity) shrinks(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Ref:
		if c.shrinking[e.Def] {
			return true
		}
		c.shrinking[e.Def] = true // and a recursive definition shrinks if its body does
		return c.shrinks(e.Def.Body)
	case cat.Chosen:
		// the order that was chosen of more events is one of those that are left, if what it extends asks for no more
		return c.shrinks(e.Order.Extends) && c.restricts(e.Order.Set)
	case cat.Unary:
		if e.Op == cat.Complement {
			return c.restricts(e.X)
		}
		return c.shrinks(e.X)
	case cat.Binary:
		if e.Op == cat.Diff {
			return c.shrinks(e.X) && c.restricts(e.Y)
		}
		return c.shrinks(e.X) && c.shrinks(e.Y)
	}
	return true
}

// restricts reports whether e on fewer events is exactly e without the pairs of the removed events, so that no pair
// depends on a third event that may be removed. A read of an atomic update is never removed alone, so rmw has the same
// writes.
func (c monotonicity) restricts(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Ref:
		if e.Def.Group != nil {
			return false
		}
		if c.restricting[e.Def] {
			return true
		}
		c.restricting[e.Def] = true
		return c.restricts(e.Def.Body)
	case cat.Chosen:
		return c.shrinks(e)
	case cat.Unary:
		switch e.Op {
		case cat.Domain, cat.Range: // the other event of each pair stays
			by := e.X == cat.Base{Name: "rmw", Kind: cat.Relation} || c.avoidsReads(e.X, e.Op == cat.Domain)
			return by && c.restricts(e.X)
		case cat.Plus, cat.Star: // the events between stay: a step ends there, and the next one begins there
			by := c.avoidsReads(e.X, false) || c.avoidsReads(e.X, true)
			return by && c.restricts(e.X)
		}
		return c.restricts(e.X)
	case cat.Binary:
		by := e.Op != cat.Seq || c.avoidsReads(e.X, true) || c.avoidsReads(e.Y, false)
		return by && c.restricts(e.X) && c.restricts(e.Y)
	}
	return true
}

// avoidsReads reports whether the text of a set shows that it contains no reads, or the text of a relation that it does
// not begin at a read, or, with to, does not end at one. It keeps the fences that this depends on.
func (c monotonicity) avoidsReads(e cat.Expr, to bool) bool {
	switch e := e.(type) {
	case cat.Base:
		switch {
		case e.Kind == cat.Relation:
			return e.Name == "co" || e.Name == "rf" && !to || e.Name == "rmw" && to
		case e.Name == "W" || e.Name == "IW":
			return true
		case e.Name == "F" || c.unread.Has(ir.Tag(e.Name)):
			if tag := ir.Tag(e.Name); !c.out.Kept.Has(tag) {
				c.out.Kept = append(c.out.Kept, tag)
			}
			return true
		}
	case cat.Ref:
		return e.Def.Group == nil && c.avoidsReads(e.Def.Body, to)
	case cat.Unary:
		switch e.Op {
		case cat.Identity:
			return c.avoidsReads(e.X, to)
		case cat.Inverse:
			return c.avoidsReads(e.X, !to)
		}
	case cat.Binary:
		switch e.Op {
		case cat.Union:
			return c.avoidsReads(e.X, to) && c.avoidsReads(e.Y, to)
		case cat.Inter:
			return c.avoidsReads(e.X, to) || c.avoidsReads(e.Y, to)
		case cat.Diff:
			return c.avoidsReads(e.X, to)
		case cat.Seq, cat.Cartesian:
			first, last := e.X, e.Y
			if to {
				first, last = e.Y, e.X
			}
			return c.avoidsReads(first, to) || e.Op == cat.Seq && within(first, isIdentity) && c.avoidsReads(last, to)
		}
	}
	return false
}
