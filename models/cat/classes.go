package cat

import (
	"slices"

	"litmuscope/litmus"
)

// classes(r) is the set of the equivalence classes of r, and partition(S) that of the events of S by their locations.
// Their number depends on the execution, but a model is resolved without one. So a class C is resolved once, for all
// classes together: an expression v(C) that depends on C is represented by the union of v(C) over all classes, from
// which each v(C) can be recovered. For a set, v(C) has the members that are in C. For a relation, it has the pairs
// whose first event is in C, or whose second is, or both; the value records which ends these are. If both are, the
// union is within r, because r relates two events of one class.
//
// An operator is exact on such values, or is rejected. For example, (s & C*C)+ is the closure of s & r, since no path
// leads from class to class. But s | C*C is rejected, because the pairs of s belong to no class. A check of v(C) for
// each class is one check of the union, because two events in one cycle are in one class.

// family is the set of classes of an equivalence.
type family struct{ of value }

// ends records which ends of a relation's pairs are in the class that the relation belongs to.
type ends uint8

const (
	first  ends = 1
	second ends = 2
	both        = first | second
)

// swapped returns the ends for the inverse relation.
func (e ends) swapped() ends { return e&first<<1 | e&second>>1 }

// classesOf implements classes(r).
func classesOf(r *resolver, pos litmus.Pos, arg value) value {
	switch {
	case arg.expr == nil || arg.kind == Set:
		return r.fail(pos, "classes takes an equivalence, got a %s", arg.what())
	case arg.per != nil:
		return r.fail(pos, "classes of a relation that depends on a class are not supported")
	case isNothing(arg.expr):
		return arg
	}
	of := r.defined("equivalence", arg)
	if !equivalence(of.expr, map[*Def]bool{}) {
		op := func(op BinaryOp, x, y value) value { return r.binary(Binary{Pos: pos, Op: op}, x, y) }
		more := op(Diff, op(Union, r.unary(Unary{Pos: pos, Op: Inverse}, of), op(Seq, of, of)), of)
		if more.poison {
			return poison
		}
		r.build(more.size)
		const name = "classes-of-no-equivalence"
		r.model.Flags = append(r.model.Flags,
			Flag{pos, name, Asserted, []Axiom{{Name: name, Kind: Empty, Negated: true, Expr: more.expr}}})
	}
	return value{classes: &classSet{family: &family{of}}}
}

// partitionOf implements partition(S).
func partitionOf(r *resolver, pos litmus.Pos, arg value) value {
	if arg.set != nil {
		arg = *arg.set
	}
	if arg.expr == nil || arg.kind == Relation {
		return r.fail(pos, "partition takes a set of events, got a %s", arg.what())
	}
	if arg.per != nil {
		return r.fail(pos, "partition of a set that depends on a class is not supported")
	}
	return classesOf(r, pos,
		r.binary(Binary{Pos: pos, Op: Inter}, baseOf("loc"), r.binary(Binary{Pos: pos, Op: Cartesian}, arg, arg)))
}

// equivalence reports whether the text of a relation shows that it is symmetric and transitive in every execution. seen
// has the definitions that the recursion has visited.
func equivalence(e Expr, seen map[*Def]bool) bool {
	switch e := e.(type) {
	case Base:
		return e.Name == "loc" || e.Name == "int" || e.Name == "id" || e.Name == samePieces
	case Ref:
		if seen[e.Def] {
			return true // or the answer is no by now
		}
		seen[e.Def] = true
		return e.Def.Group == nil && equivalence(e.Def.Body, seen)
	case Binary:
		return e.Op == Inter && equivalence(e.X, seen) && equivalence(e.Y, seen) || e.Op == Cartesian && e.X == e.Y
	}
	return false
}

// classSet is a set with a member for each class of a family: the class itself, or what map made of it.
type classSet struct {
	*family
	mapped *value
}

// member returns the value for a class of the family.
func (f *family) member(r *resolver, pos litmus.Pos) value {
	v := r.unary(Unary{Pos: pos, Op: Domain}, f.of)
	v.per = f
	return v
}

// each returns the value that represents all members of the set.
func (s *classSet) each(r *resolver, pos litmus.Pos) value {
	if s.mapped != nil {
		return *s.mapped
	}
	return s.member(r, pos)
}

// mapClasses implements map f for a set with a member for each class.
func (r *resolver) mapClasses(pos litmus.Pos, f *function, set value) value {
	v := r.applied(pos, "the function", f, set.classes.each(r, pos))
	switch {
	case v.poison:
		return poison
	case v.expr == nil || v.per == nil && !isNothing(v.expr):
		return r.fail(pos, "map over classes takes sets or relations that depend on the class, got a %s", v.what())
	}
	return value{classes: &classSet{set.classes.family, &v}}
}

// foldClasses implements fold f over a set with a member for each class. f must be a union of an expression over the
// member and the result for the other members.
func (r *resolver) foldClasses(pos litmus.Pos, f *function, set, start value) value {
	if start.poison {
		return poison
	}
	x := set.classes.each(r, pos)
	if start.expr == nil || start.per != nil {
		return r.fail(pos, "fold over classes takes a set or a relation for the empty set, got a %s", start.what())
	}
	rest := &Def{Name: "rest", Kind: start.kind, Body: Nothing{pos}}
	if rest.Kind == Either {
		rest.Kind = x.kind
	}
	known := len(r.model.Defs)
	v := r.applied(pos, "the function", f,
		value{tuple: []value{x, {expr: Ref{rest}, kind: rest.Kind, size: 1, per: set.classes.family, ends: x.ends}}})
	if v.poison {
		return poison
	}
	u, ok := v.expr.(Binary)
	// A definition in the function could have used the result for the others in the part for the member.
	kept := slices.ContainsFunc(r.model.Defs[min(known, len(r.model.Defs)):],
		func(d *Def) bool { return speaksOf(d.Body, rest) })
	if ok = ok && u.Op == Union && !kept; ok {
		other := u.X
		if u.X == (Ref{rest}) {
			other = u.Y
		}
		if ok = (u.X == Ref{rest}) != (u.Y == Ref{rest}) && !speaksOf(other, rest); ok {
			return r.binary(Binary{Pos: pos, Op: Union}, value{expr: other, kind: v.kind, size: v.size}, start)
		}
	}
	return r.fail(pos, "fold over classes is supported for a function (x, rest) -> f(x) | rest alone")
}

// speaksOf reports whether an expression itself uses a definition.
func speaksOf(e Expr, d *Def) bool {
	switch e := e.(type) {
	case Ref:
		return e.Def == d
	case Unary:
		return speaksOf(e.X, d)
	case Binary:
		return speaksOf(e.X, d) || speaksOf(e.Y, d)
	}
	return false
}

// plain returns the value without its class, for operators that take the union over all classes.
func (v value) plain() value {
	v.per, v.ends = nil, 0
	return v
}

// within returns the pairs of a relation whose ends are in one class.
func (f *family) within(r *resolver, pos litmus.Pos, v value) value {
	return r.binary(Binary{Pos: pos, Op: Inter}, v.plain(), f.of)
}

// dependent returns v as a value that depends on a class.
func (v value) dependent(f *family, e ends) value {
	if v.expr != nil && !isNothing(v.expr) {
		v.per, v.ends = f, e
	}
	return v
}

// unaryOf applies an operator to a value that depends on a class.
func (r *resolver) unaryOf(e Unary, x value) value {
	out := x.ends
	ok := true
	switch e.Op {
	case Inverse:
		out = x.ends.swapped()
	case Plus:
		ok = x.kind == Set || x.ends == both
	case Star, Optional, Complement:
		ok = false
	case Identity:
		out = both
	case Domain:
		ok, out = x.ends&first != 0, 0
	case Range:
		ok, out = x.ends&second != 0, 0
	}
	if !ok {
		return r.fail(e.Pos, "this operator is not supported for a relation or set that depends on a class C: want "+
			"r & (C * C) in such places, and r? or ~r for an r that does not depend on it")
	}
	return r.unary(e, x.plain()).dependent(x.per, out)
}

// binaryOf applies an operator if an operand depends on a class.
func (r *resolver) binaryOf(e Binary, x, y value) value {
	f := x.per
	if f == nil {
		f = y.per
	}
	if x.per != nil && y.per != nil && x.per != y.per {
		return r.fail(e.Pos, "an expression that depends on classes of two sets is not supported")
	}
	apply := func() value { return r.binary(e, x.plain(), y.plain()) }
	within := func(v value) value { return f.within(r, e.Pos, v) }
	if isNothing(x.expr) || isNothing(y.expr) {
		out := x.ends | y.ends
		return apply().dependent(f, out)
	}
	if e.Op == Cartesian {
		switch {
		case x.per == nil:
			return apply().dependent(f, second)
		case y.per == nil:
			return apply().dependent(f, first)
		}
		return within(apply()).dependent(f, both)
	}
	if e.Op == Seq && x.kind != Set && y.kind != Set {
		return r.sequenceOf(e, f, x, y)
	}
	set := x.kind == Set
	switch e.Op {
	case Union:
		if x.per != nil && y.per != nil && x.ends == y.ends {
			return apply().dependent(f, x.ends)
		}
	case Inter:
		v := apply()
		if !set && x.ends|y.ends == both && x.ends != both && y.ends != both {
			v = within(v)
		}
		return v.dependent(f, x.ends|y.ends)
	case Diff:
		if x.per != nil && (y.per == nil || set || y.ends == both || y.ends == x.ends || x.ends == both) {
			return apply().dependent(f, x.ends)
		}
	}
	return r.fail(e.Pos, "this operator is not supported if only one side depends on a class C, or both depend on "+
		"it in different ways: want r & (C * C), S & C for each")
}

// sequenceOf is x ; y if one of them depends on a class, or both do.
func (r *resolver) sequenceOf(e Binary, f *family, x, y value) value {
	a, middle, b := x.ends&first != 0, x.ends&second != 0 || y.ends&first != 0, y.ends&second != 0
	left, right := x.plain(), y.plain()
	switch {
	case a && b: // the middle event is in the class in any case, because one of the two has both ends there
		return f.within(r, e.Pos, r.binary(e, left, right)).dependent(f, both)
	case a:
		if middle && x.ends != both {
			left = f.within(r, e.Pos, left)
		}
		return r.binary(e, left, right).dependent(f, first)
	case b:
		if middle && y.ends != both {
			right = f.within(r, e.Pos, right)
		}
		return r.binary(e, left, right).dependent(f, second)
	}
	return r.fail(e.Pos,
		"a sequence with a class only in its middle is not supported: want [C] at its beginning or end, too")
}

// checkOf converts a check for each class to one check of all classes.
func (r *resolver) checkOf(d Check, v value) value {
	if d.Negated != (d.Role == Flagged) {
		return r.fail(d.Pos, "want a check that holds for all classes together exactly if it holds for each: acyclic, "+
			"irreflexive or empty, or flag ~acyclic, flag ~irreflexive or flag ~empty")
	}
	if d.Kind == Acyclic && v.kind != Set {
		return v.per.within(r, d.Pos, v)
	}
	return v.plain()
}
