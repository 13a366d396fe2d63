package cat

import (
	"reflect"
	"slices"

	"litmuscope/litmus"
)

// A set of tags or of relations is known member by member while a model is resolved. A
// set of events is not, but for one that is empty as written, which counts here as a set
// without members.

// setOf is the set of some members, each once. The empty one is as any other.
func setOf(pos litmus.Pos, members []value) value {
	var out []value
	for _, v := range members {
		if v.poison {
			return poison
		}
		if !slices.ContainsFunc(out, v.same) {
			out = append(out, v)
		}
	}
	if out == nil {
		return value{expr: Nothing{pos}, kind: Either, size: 1}
	}
	return value{of: out}
}

// same tells whether two members are known to be the same.
func (v value) same(w value) bool {
	return v.tag == w.tag && reflect.DeepEqual(v.expr, w.expr) && v.fn == nil
}

// listed are the members of a set, if it is one whose members are known.
func (v value) listed() (of []value, ok bool) {
	return v.of, v.of != nil || v.expr != nil && isNothing(v.expr)
}

func (r *resolver) members(e Members, s *scope) value {
	var of []value
	for _, x := range e.Of {
		v := r.value(x, s)
		switch {
		case v.poison:
		case v.expr == nil && v.tag == "":
			v = r.fail(position(x), "want tags or relations in a set, got a %s", v.what())
		case v.kind == Set:
			v = r.fail(position(x), "sets of listed events are not supported: want tags or relations")
		}
		of = append(of, v)
	}
	return setOf(e.Pos, of)
}

// combine applies an operator to sets whose members are known.
func (r *resolver) combine(e Binary, x, y value) value {
	if x.poison || y.poison {
		return poison
	}
	b, ok := y.listed()
	if e.Op == Add {
		if !ok || x.expr == nil && x.tag == "" {
			return r.fail(e.Pos, "\"++\" is a construct of cat that is not supported for a %s and a %s: want a tag and a set of tags, or a relation and a set of relations", x.what(), y.what())
		}
		return setOf(e.Pos, append([]value{x}, b...))
	}
	a, okX := x.listed()
	if !okX || !ok {
		return r.fail(e.Pos, "want two sets of one sort, got a %s and a %s", x.what(), y.what())
	}
	in := func(v value) bool { return slices.ContainsFunc(b, v.same) }
	switch e.Op {
	case Union:
		return setOf(e.Pos, slices.Concat(a, b))
	case Inter:
		return setOf(e.Pos, slices.DeleteFunc(slices.Clone(a), func(v value) bool { return !in(v) }))
	case Diff:
		return setOf(e.Pos, slices.DeleteFunc(slices.Clone(a), in))
	}
	return r.fail(e.Pos, "want a set or a relation, got a %s", value{of: slices.Concat(a, b)}.what())
}

// match takes the first case that fits.
func (r *resolver) match(e Match, s *scope) value {
	x := r.value(e.X, s)
	if x.poison {
		return poison
	}
	of, isSet := x.listed()
	for _, c := range e.Cases {
		switch {
		case c.Pattern == MatchAny && (isSet || x.tag != ""), c.Pattern == MatchTag && x.tag == c.Tag, c.Pattern == MatchEmpty && isSet && len(of) == 0:
			return r.value(c.Body, s)
		case c.Pattern == MatchMember && len(of) > 0:
			return r.value(c.Body, s.bind(c.Member, of[0]).bind(c.Rest, setOf(e.Pos, of[1:])))
		}
	}
	switch {
	case x.tag != "":
		return r.fail(e.Pos, "no case for '%s", x.tag)
	case isSet:
		return r.fail(e.Pos, "no case for a set of %d members", len(of))
	}
	return r.fail(e.Pos, "match takes a tag, or a set of tags or relations, got a %s", x.what())
}
