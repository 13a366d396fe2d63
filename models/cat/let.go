package cat

import "litmuscope/litmus"

// bindAll binds parameters to arguments.
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

// defined makes a definition of a set or relation, so that it is evaluated once however often it is used. It does not
// in a recursive group, whose definitions change during evaluation.
func (r *resolver) defined(name string, v value) value {
	if v.expr == nil || v.size <= 1 || r.inGroup {
		return v
	}
	r.build(v.size)
	d := &Def{Name: name, Body: v.expr, Kind: v.kind}
	r.model.Defs = append(r.model.Defs, d)
	return value{expr: Ref{d}, kind: v.kind, size: 1, set: v.set, per: v.per, ends: v.ends}
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
		if v.expr != nil && !isNothing(v.expr) && !r.inGroup { // even for a mere name, so that the new name appears
			r.build(v.size)
			def := &Def{Name: b.Name, Body: v.expr, Kind: v.kind, Source: b.Source}
			r.model.Defs = append(r.model.Defs, def)
			v = value{expr: Ref{def}, kind: v.kind, size: 1, per: v.per, ends: v.ends}
		}
		inner = inner.bind(b.Name, v)
	}
	return inner
}
