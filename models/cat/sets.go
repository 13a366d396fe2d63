package cat

import (
	"slices"

	"litmuscope/litmus"
)

// The members of a set of tags or of relations are known while a model is resolved. Those of a set of events are not,
// unless the set is empty as written; it then counts as a set without members.

// setOf returns the set of some members, without duplicates. All empty sets are equal, whatever their members would be.
func (r *resolver) setOf(pos litmus.Pos, members []value) value {
	var out []value
	for _, v := range members {
		if v.poison {
			return poison
		}
		if !r.in(out, v) {
			out = append(out, v)
		}
	}
	return setValue(pos, out)
}

// setValue returns the set of some members, which must be distinct.
func setValue(pos litmus.Pos, of []value) value {
	if len(of) == 0 {
		return value{expr: Nothing{pos}, kind: Either, size: 1}
	}
	return value{of: of}
}

// in reports whether a value is known to be among some members.
func (r *resolver) in(members []value, v value) bool {
	r.spend(len(members) / 16)
	return slices.ContainsFunc(members, func(m value) bool {
		return v.tag == m.tag && v.fn == nil && r.same(v.expr, m.expr)
	})
}

// same reports whether two expressions have the same text and place.
func (r *resolver) same(x, y Expr) bool {
	if x == nil {
		return y == nil
	}
	r.spend(1)
	switch x := x.(type) {
	case Unary:
		y, ok := y.(Unary)
		return ok && x.Op == y.Op && x.Pos == y.Pos && r.same(x.X, y.X)
	case Binary:
		y, ok := y.(Binary)
		return ok && x.Op == y.Op && x.Pos == y.Pos && r.same(x.X, y.X) && r.same(x.Y, y.Y)
	case Ref:
		y, ok := y.(Ref)
		if !ok || x.Def == y.Def {
			return ok
		}
		// Each call of a function defines its parameters again.
		d, e := x.Def, y.Def
		return d.Name == e.Name && d.Kind == e.Kind && d.Group == nil && e.Group == nil && r.same(d.Body, e.Body)
	}
	return x == y
}

// members returns the members of a set, if they are known.
func (v value) members() (of []value, ok bool) {
	return v.of, v.of != nil || v.expr != nil && isNothing(v.expr)
}

func (r *resolver) members(e Members, s *scope) value {
	var of []value
	for _, x := range e.Of {
		v := r.value(x, s)
		switch {
		case v.poison:
		case v.per != nil:
			v = r.fail(position(x),
				"a set whose members depend on a class is not supported: want map (fun C -> ...) and the classes")
		case v.expr == nil && v.tag == "":
			v = r.fail(position(x), "want tags or relations in a set, got a %s", v.what())
		case v.kind == Set:
			v = r.fail(position(x), "sets of listed events are not supported: want tags or relations")
		}
		of = append(of, v)
	}
	return r.setOf(e.Pos, of)
}

// combine applies an operator to sets whose members are known.
func (r *resolver) combine(e Binary, x, y value) value {
	if x.poison || y.poison {
		return poison
	}
	if x.per != nil || x.classes != nil || y.classes != nil {
		return r.fail(e.Pos,
			"a set with a member for each class cannot be combined with other sets: want map, fold or forall")
	}
	b, ok := y.members()
	if e.Op == Add {
		if !ok || x.expr == nil && x.tag == "" {
			return r.fail(e.Pos, "\"++\" is a construct of cat that is not supported for a %s and a %s: want a tag "+
				"and a set of tags, or a relation and a set of relations", x.what(), y.what())
		}
		return r.setOf(e.Pos, append([]value{x}, b...))
	}
	a, okX := x.members()
	if !okX || !ok {
		return r.fail(e.Pos, "want two sets of the same kind, got a %s and a %s", x.what(), y.what())
	}
	in := func(v value) bool { return r.in(b, v) }
	switch e.Op {
	case Union:
		return r.setOf(e.Pos, slices.Concat(a, b))
	case Inter:
		return setValue(e.Pos, slices.DeleteFunc(slices.Clone(a), func(v value) bool { return !in(v) }))
	case Diff:
		return setValue(e.Pos, slices.DeleteFunc(slices.Clone(a), in))
	}
	return r.fail(e.Pos, "want a set or a relation, got a %s", value{of: slices.Concat(a, b)}.what())
}

// match evaluates the first case that fits.
func (r *resolver) match(e Match, s *scope) value {
	i, inner := r.pick(e, s)
	if i < 0 {
		return poison
	}
	return r.value(e.Cases[i].Body, inner)
}

// pick returns the index of the first case that fits, and the scope with what its pattern binds; -1 if none fits.
func (r *resolver) pick(e Match, s *scope) (int, *scope) {
	x := r.value(e.X, s)
	if x.poison {
		return -1, s
	}
	of, isSet := x.members()
	for i, c := range e.Cases {
		r.spend(1)
		switch {
		case c.Pattern == MatchAny && (isSet || x.tag != ""), c.Pattern == MatchTag && x.tag == c.Tag,
			c.Pattern == MatchEmpty && isSet && len(of) == 0:
			return i, s
		case c.Pattern == MatchMember && len(of) > 0:
			return i, s.bind(c.Member, of[0]).bind(c.Rest, setValue(e.Pos, of[1:]))
		}
	}
	switch {
	case x.tag != "":
		r.fail(e.Pos, "no case for '%s", x.tag)
	case isSet:
		r.fail(e.Pos, "no case for a set of %d members", len(of))
	default:
		r.fail(e.Pos, "match takes a tag, or a set of tags or relations, got a %s", x.what())
	}
	return -1, s
}

// forall resolves its declarations for each member of a set.
func (r *resolver) forall(d Forall) {
	v := r.value(d.In, r.scope)
	of, ok := v.members()
	if v.classes != nil {
		of, ok = []value{v.classes.each(r, d.Pos)}, true
		outer := r.forClass
		r.forClass = true
		defer func() { r.forClass = outer }()
	}
	switch {
	case v.poison:
		return
	case !ok:
		r.fail(d.Pos, "forall takes a set of tags or relations, got a %s", v.what())
		return
	}
	outside := r.scope
	for _, x := range of {
		r.scope = outside.bind(d.Name, x)
		r.decls(d.Body)
	}
	r.scope = outside
}

// evalCondition evaluates a condition. Variants belong to other tools: none is on here.
func (r *resolver) evalCondition(c Condition, s *scope) bool {
	r.spend(1)
	switch c.Op {
	case "not":
		return !r.evalCondition(c.Operands[0], s)
	case "&&":
		return r.evalCondition(c.Operands[0], s) && r.evalCondition(c.Operands[1], s)
	case "||":
		return r.evalCondition(c.Operands[0], s) || r.evalCondition(c.Operands[1], s)
	case "":
		return false
	}
	x, y := r.value(c.X, s), r.value(c.Y, s)
	if x.poison || y.poison {
		return false
	}
	a, okX := tagsOf(x)
	b, okY := tagsOf(y)
	if !okX || !okY || c.Op == "in" && (x.tag == "" || y.tag != "") || c.Op == "subset" && x.tag+y.tag != "" ||
		c.Op == "=" && (x.tag == "") != (y.tag == "") {
		r.fail(c.Pos, "a condition compares tags and sets of tags, got a %s and a %s", x.what(), y.what())
		return false
	}
	within := func(a, b []value) bool {
		return !slices.ContainsFunc(a, func(v value) bool { return !r.in(b, v) })
	}
	return within(a, b) && (c.Op != "=" || within(b, a))
}

// tagsOf returns the members of a set of tags, or the single tag that the value is.
func tagsOf(v value) (tags []value, ok bool) {
	if v.tag != "" {
		return []value{v}, true
	}
	tags, ok = v.members()
	return tags, ok && !slices.ContainsFunc(tags, func(t value) bool { return t.tag == "" })
}
