package analysis

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// A model may order accesses around a fence although it names none of the fence's tags: po \ (W * R) leads from a write
// to the fence, and from the fence to a later read. An atomic update can act in the same way through rmw, and an access
// by lacking the tags that a model excludes.

// Ignored lists the kinds of events that a model's axioms may ignore if they have none of the tags that the model
// names.
type Ignored struct {
	Fence   bool // such a fence changes nothing
	Update  bool // an update changes nothing but that no other write comes between its read and its write
	Exclude bool // such accesses are in no set that excludes tags
}

// MayMatter reports whether the axioms may take notice of an operation that has none of the tags that the model names.
func (u Ignored) MayMatter(op ir.Op) bool {
	switch op := op.(type) {
	case ir.Fence:
		return !u.Fence
	case ir.RMW, ir.StoreCond:
		return !u.Update || !u.Exclude
	case ir.Load:
		return op.Reserve && !u.Update || !u.Exclude
	case ir.Store:
		return !u.Exclude
	}
	return false
}

// presence describes how an expression changes when one fence without a tag is added.
type presence struct {
	same     bool // between other events, it is what it is without the fence
	from, to bool // it leads from no such fence, and to none; a set holds none: both
	test     bool // it relates events to themselves alone
	none     bool // there is nothing in it
}

func (p presence) clean() bool { return p.same && p.from && p.to }

// ring reports that no path along the relation goes through the fence.
func (p presence) ring() bool { return p.same && (p.from || p.to) }

func and(p, q presence) presence {
	return presence{p.same && q.same, p.from && q.from, p.to && q.to, p.test && q.test, p.none && q.none}
}

var nothing = presence{true, true, true, true, true}

// listener examines the definitions of a model, each once.
type listener struct {
	known map[*cat.Def]presence
	tags  ir.Tags // that a model may name
	there ir.Tags // those that events have
}

// IgnoredBy examines the axioms of a model. words are the tags that models may name, there those that the events of a
// program have.
func IgnoredBy(m *cat.Model, words, there ir.Tags) Ignored {
	l := listener{map[*cat.Def]presence{}, words, there}
	out := Ignored{true, true, true}
	for _, a := range m.Axioms {
		p := l.presence(a.Expr)
		switch a.Kind {
		case cat.Empty:
			out.Fence = out.Fence && p.clean()
		case cat.Acyclic:
			out.Fence = out.Fence && l.ring(a.Expr)
		default:
			out.Fence = out.Fence && p.ring()
		}
		if a.Kind != cat.Empty || a.Negated {
			bases := map[string]bool{}
			basesIn(a.Expr, bases, map[*cat.Def]bool{}, nil)
			out.Update = out.Update && !bases["rmw"]
		}
		out.Exclude = out.Exclude && !l.excludes(a.Expr, false, map[exclusion]bool{})
	}
	return out
}

// ring reports that the fence alone makes no path along a relation: a path that leads into it does not lead out of it,
// or another one leads past it.
func (l listener) ring(e cat.Expr) bool { return l.presence(e).ring() || l.past(e) }

// past reports whether only program order leads into the fence and out of it. Program order also leads past it.
func (l listener) past(e cat.Expr) bool {
	return !anyMember(e, func(e cat.Expr) bool {
		switch x := e.(type) {
		case cat.Base:
			if x.Name == "po" {
				return false
			}
		case cat.Ref:
			if x.Def.Group == nil {
				return false
			}
		case cat.Unary:
			if x.Op == cat.Plus || x.Op == cat.Star || x.Op == cat.Optional {
				return !l.past(x.X)
			}
		case cat.Binary:
			if x.Op == cat.Union {
				return false
			}
		}
		return !l.presence(e).clean()
	})
}

// presence computes the presence of an expression by structure. The cases assume that the fence has none of the tags in
// l.tags, so it is in _ and F and is related by po, int, ext and ctrl only. An unknown expression counts as unchanged
// by the fence and free of it.
func (l listener) presence(e cat.Expr) presence {
	switch e := e.(type) {
	case cat.Nothing:
		return nothing
	case cat.Base:
		switch {
		case slices.Contains([]string{"po", "int", "ext", "ctrl", "_", "F", "ssw"}, e.Name),
			ir.ScopeOf(e.Name) != "":
			return presence{same: true}
		case e.Name == "id":
			return presence{same: true, test: true}
		case l.tags.Has(ir.Tag(e.Name)) && !l.there.Has(ir.Tag(e.Name)):
			return nothing
		}
	case cat.Ref:
		return l.def(e.Def)
	case cat.Chosen:
		return presence{same: l.presence(e.Order.Set).clean(), from: true, to: true}
	case cat.Unary:
		x := l.presence(e.X)
		if x.none && e.Op != cat.Star && e.Op != cat.Optional && e.Op != cat.Complement {
			return nothing
		}
		switch e.Op {
		case cat.Inverse:
			x.from, x.to = x.to, x.from
		case cat.Plus:
			x.same = l.ring(e.X)
		case cat.Star:
			return presence{same: l.ring(e.X)}
		case cat.Optional:
			return presence{same: x.same, test: x.test}
		case cat.Complement:
			return presence{same: x.same}
		case cat.Identity:
			x.test = true
		case cat.Domain:
			return presence{same: x.same && x.to, from: x.from, to: x.from}
		case cat.Range:
			return presence{same: x.same && x.from, from: x.to, to: x.to}
		}
		return x
	case cat.Binary:
		x, y := l.presence(e.X), l.presence(e.Y)
		switch {
		case e.Op != cat.Union && (x.none || y.none && e.Op != cat.Diff):
			return nothing
		case e.Op == cat.Union && x.none:
			return y
		case e.Op == cat.Union && y.none:
			return x
		}
		switch e.Op {
		case cat.Union:
			return and(x, y)
		case cat.Inter:
			return presence{x.same && y.same, x.from || y.from, x.to || y.to, x.test || y.test, false}
		case cat.Diff:
			x.same = x.same && y.same
			return x
		case cat.Seq:
			through := !x.to && !y.from && !x.test && !y.test
			return presence{x.same && y.same && !through, x.from || x.test && y.from, y.to || y.test && x.to, x.test &&
				y.test, false}
		case cat.Cartesian:
			return presence{x.same && y.same, x.from, y.to, false, false}
		}
	}
	return presence{same: true, from: true, to: true}
}

// def returns the presence of a definition. For a recursive one, it is the largest that the body confirms.
func (l listener) def(d *cat.Def) presence {
	if p, ok := l.known[d]; ok {
		return p
	}
	if d.Group == nil {
		l.known[d] = l.presence(d.Body)
		return l.known[d]
	}
	for _, g := range d.Group {
		l.known[g] = nothing
	}
	for changed := true; changed; {
		changed = false
		for _, g := range d.Group {
			if p := and(l.known[g], l.presence(g.Body)); p != l.known[g] {
				l.known[g], changed = p, true
			}
		}
	}
	return l.known[d]
}

// exclusion is a visited definition, with the polarity in which it was visited.
type exclusion struct {
	def     *cat.Def
	negated bool
}

// excludes reports whether an expression tests that an event lacks some tag.
func (l listener) excludes(e cat.Expr, negated bool, seen map[exclusion]bool) bool {
	switch e := e.(type) {
	case cat.Base:
		return negated && l.tags.Has(ir.Tag(e.Name))
	case cat.Ref:
		if at := (exclusion{e.Def, negated}); !seen[at] {
			seen[at] = true
			return l.excludes(e.Def.Body, negated, seen)
		}
	case cat.Chosen:
		return l.excludes(e.Order.Set, negated, seen)
	case cat.Unary:
		return l.excludes(e.X, negated != (e.Op == cat.Complement), seen)
	case cat.Binary:
		return l.excludes(e.X, negated, seen) || l.excludes(e.Y, negated != (e.Op == cat.Diff), seen)
	}
	return false
}
