package cat

import (
	"slices"

	"litmuscope/litmus"
)

// letRec binds sets and relations that are defined by each other. A group nested in another becomes part of it: the
// result is the same, and neither can be evaluated alone.
func (r *resolver) letRec(d Let, s *scope) *scope {
	if d.Bindings[0].Params != nil {
		return r.letRecFunctions(d, s)
	}
	outer, inGroup := s, r.inGroup
	defer func() { r.inGroup = inGroup }()
	r.inGroup = true
	kinds := r.kindsOf(d, s)
	own := make([]member, len(d.Bindings))
	for i, b := range d.Bindings {
		if b.Name == "" || b.Params != nil {
			r.fail(b.Pos, "a recursive group of relations and anything else is not supported")
			return r.poisoned(d, outer)
		}
		own[i] = member{&Def{Name: b.Name, Kind: kinds[i], Body: Nothing{b.Pos}, Source: b.Source}, b.Pos}
		s = s.bind(b.Name, value{expr: Ref{own[i].Def}, kind: kinds[i], size: 1})
	}
	broken := false
	for i, b := range d.Bindings {
		v := r.expr(b.Body, s)
		if !v.poison && v.kind != Either && v.kind != kinds[i] {
			v = r.fail(b.Pos, "%s is used as a %s, and defined as a %s", b.Name, kinds[i], v.kind)
		}
		if v.per != nil {
			v = r.fail(b.Pos, "a let rec that depends on a class is not supported")
		}
		if v.poison {
			broken = true
			continue
		}
		r.build(v.size)
		own[i].Body = v.expr
	}
	r.group = append(r.group, own...)
	if !inGroup {
		broken = !r.closeGroup() || broken
	}
	if broken {
		return r.poisoned(d, outer)
	}
	return s
}

// poisoned returns a scope with the names of a group bound to the poisoned value.
func (r *resolver) poisoned(d Let, s *scope) *scope {
	for _, b := range d.Bindings {
		s = s.bind(b.Name, poison)
	}
	return s
}

// kindsOf finds which members of a recursive group are sets. The kind of a body may depend on the members whose kinds
// are known, so it takes a round for each step between members. A member without evidence is a relation.
func (r *resolver) kindsOf(d Let, s *scope) []Kind {
	kinds := make([]Kind, len(d.Bindings))
	defs, group := len(r.model.Defs), len(r.group)
	r.guessing++
	for more := true; more; {
		more = false
		inner := s
		for i, b := range d.Bindings {
			inner = inner.bind(b.Name, value{expr: Ref{&Def{Name: b.Name}}, kind: kinds[i], size: 1})
		}
		for i, b := range d.Bindings {
			if kinds[i] == Either {
				v := r.value(b.Body, inner)
				kinds[i] = v.kind
				more = more || v.kind != Either
			}
		}
	}
	r.guessing--
	r.model.Defs, r.group = r.model.Defs[:defs], r.group[:group]
	for i := range kinds {
		if kinds[i] == Either {
			kinds[i] = Relation
		}
	}
	return kinds
}

// member is a member of a recursive group during resolution.
type member struct {
	*Def
	pos litmus.Pos
}

// closeGroup adds the open group to the model. It fails if evaluation of the group may not terminate.
func (r *resolver) closeGroup() bool {
	members := r.group
	r.group = nil
	group := make([]*Def, len(members))
	for i, m := range members {
		group[i] = m.Def
	}
	monotone := true
	for _, d := range group {
		_, ok := antitone(d.Body, group, true)
		monotone = monotone && ok
		d.Group = group
	}
	for _, d := range group {
		d.Settles = !monotone
	}
	r.model.Defs = append(r.model.Defs, group...)
	if monotone || terminates(group) {
		return true
	}
	for _, m := range members {
		if name, ok := antitone(m.Body, group, true); !ok {
			r.fail(m.pos, "%s is defined through %s on the right of \\ or under ~: the recursion has no least solution",
				m.Name, name)
		}
	}
	return false
}

// terminates reports whether rounds of evaluation terminate: every cycle of the recursion passes a member that is
// defined as itself or more, and so grows and never shrinks.
func terminates(group []*Def) bool {
	const (
		entered = iota + 1
		left
	)
	state := map[*Def]int{}
	for _, d := range group {
		if alternative(d.Body, d) {
			state[d] = left
		}
	}
	var visit func(e Expr) bool
	visit = func(e Expr) bool {
		switch e := e.(type) {
		case Ref:
			switch {
			case state[e.Def] == entered:
				return false
			case state[e.Def] == left || !slices.Contains(group, e.Def):
				return true
			}
			state[e.Def] = entered
			ok := visit(e.Def.Body)
			state[e.Def] = left
			return ok
		case Unary:
			return visit(e.X)
		case Binary:
			return visit(e.X) && visit(e.Y)
		}
		return true
	}
	return !slices.ContainsFunc(group, func(d *Def) bool { return !visit(Ref{d}) })
}

// alternative reports whether a definition is one of the operands of a union.
func alternative(e Expr, d *Def) bool {
	switch e := e.(type) {
	case Ref:
		return e.Def == d
	case Binary:
		return e.Op == Union && (alternative(e.X, d) || alternative(e.Y, d))
	}
	return false
}

// letRecFunctions binds functions that may call each other.
func (r *resolver) letRecFunctions(d Let, s *scope) *scope {
	var group []*function
	for _, b := range d.Bindings {
		if b.Params == nil {
			r.fail(b.Pos, "a recursive group of functions and anything else is not supported")
		}
		group = append(group, &function{params: b.Params, body: b.Body})
		s = s.bind(b.Name, value{fn: group[len(group)-1]})
	}
	for _, f := range group {
		f.scope = s
	}
	return s
}

// antitone looks for a member of a recursive group in a position where more of the member means less of e. ok is true
// if there is none.
func antitone(e Expr, group []*Def, positive bool) (name string, ok bool) {
	switch e := e.(type) {
	case Ref:
		for _, d := range group {
			if d == e.Def && !positive {
				return d.Name, false
			}
		}
	case Unary:
		return antitone(e.X, group, positive != (e.Op == Complement))
	case Binary:
		if name, ok = antitone(e.X, group, positive); !ok {
			return name, false
		}
		return antitone(e.Y, group, positive != (e.Op == Diff))
	}
	return "", true
}
