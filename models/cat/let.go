package cat

import "litmuscope/litmus"

// bindAll gives parameters their arguments.
func (r *resolver) bindAll(s *scope, pos litmus.Pos, name string, params []string, args []value) *scope {
	if len(params) == 1 && len(args) != 1 {
		args = []value{{tuple: append([]value{}, args...)}}
	}
	if len(args) == 1 && args[0].tuple != nil && len(params) != 1 {
		args = args[0].tuple
	}
	wrong := len(args) != len(params)
	if wrong && (len(args) != 1 || !args[0].poison) {
		r.fail(pos, "%s takes %d arguments, got %d", name, len(params), len(args))
	}
	r.spend(2 * len(params))
	for i, p := range params {
		switch {
		case p == "_":
		case wrong:
			s = s.bind(p, poison)
		default:
			s = s.bind(p, r.defined(p, args[i]))
		}
	}
	return s
}

// defined makes a set or relation a definition of its own, so that it is evaluated once
// however often it is used; not in a recursive group, whose definitions change while
// they are evaluated.
func (r *resolver) defined(name string, v value) value {
	if v.expr == nil || v.size <= 1 || r.inGroup {
		return v
	}
	r.build(v.size)
	d := &Def{Name: name, Body: v.expr, Kind: v.kind}
	r.model.Defs = append(r.model.Defs, d)
	return value{expr: Ref{d}, kind: v.kind, size: 1, set: v.set}
}

// let binds names, in the scope given, and returns the scope that sees them.
func (r *resolver) let(d Let, s *scope) *scope {
	if d.Rec {
		return r.letRec(d, s)
	}
	inner := s // bindings of one let do not see one another
	for _, b := range d.Bindings {
		r.place = b.Pos
		r.spend(1)
		if b.Params != nil {
			inner = inner.bind(b.Name, value{fn: &function{params: b.Params, body: b.Body, scope: s}})
			continue
		}
		v := r.value(b.Body, s)
		if b.Names != nil {
			known := len(r.model.Defs)
			inner = r.bindAll(inner, b.Pos, "the pattern", b.Names, []value{v})
			for _, d := range r.model.Defs[known:] {
				d.Source = b.Source
			}
			continue
		}
		if v.expr != nil && !isNothing(v.expr) && !r.inGroup { // even a mere name, for its own name's sake
			r.build(v.size)
			def := &Def{Name: b.Name, Body: v.expr, Kind: v.kind, Source: b.Source}
			r.model.Defs = append(r.model.Defs, def)
			v = value{expr: Ref{def}, kind: v.kind, size: 1}
		}
		inner = inner.bind(b.Name, v)
	}
	return inner
}

func (r *resolver) letRec(d Let, s *scope) *scope {
	if d.Bindings[0].Params != nil {
		return r.letRecFunctions(d, s)
	}
	var group []*Def
	for _, b := range d.Bindings {
		if b.Name == "" || b.Params != nil {
			r.fail(b.Pos, "a recursive group of relations and anything else is not supported")
		}
		def := &Def{Name: b.Name, Kind: Relation, Source: b.Source}
		group = append(group, def)
		s = s.bind(b.Name, value{expr: Ref{def}, kind: Relation, size: 1})
	}
	defer func(was bool) { r.inGroup = was }(r.inGroup)
	r.inGroup = true
	broken := false
	for i, b := range d.Bindings {
		v := r.value(b.Body, s)
		if !v.poison && (v.expr == nil || v.kind == Set) {
			v = r.fail(b.Pos, "recursive %s %s is not supported: want a relation", v.what(), b.Name)
		}
		if v.poison {
			broken, v.expr = true, Nothing{b.Pos}
		}
		r.build(v.size)
		group[i].Body, group[i].Group = v.expr, group
	}
	r.model.Defs = append(r.model.Defs, group...)
	for i, b := range d.Bindings {
		if name, ok := antitone(group[i].Body, group, true); !ok {
			broken = true
			r.fail(b.Pos, "%s is defined through %s on the right of \\ or under ~: the recursion has no least solution", b.Name, name)
		}
	}
	for _, b := range d.Bindings {
		if broken {
			s = s.bind(b.Name, poison)
		}
	}
	return s
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

// antitone looks for a member of a recursive group in a place where more of it
// would mean less of e. ok is true when there is none.
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
