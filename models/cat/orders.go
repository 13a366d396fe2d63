package cat

import "litmuscope/litmus"

// linearisations(S, r) is the set of the total orders over S that agree with r, and generate_orders(S, r) that of the
// orders over the events of each location. They may be too many to list, so "with x from …" leaves the choice to the
// engines. Between writes, the order of each location is the execution's co.

// ordersOf returns the function of cat that makes such a set. Its argument is a pair: a set of events, and the relation
// that the orders must extend.
func ordersOf(byLocation bool) func(*resolver, litmus.Pos, value) value {
	return func(r *resolver, pos litmus.Pos, arg value) value {
		if len(arg.tuple) != 2 {
			return r.fail(pos, "want a set of events and a relation that the orders are to agree with, got a %s",
				arg.what())
		}
		set, along := arg.tuple[0], arg.tuple[1]
		switch {
		case set.poison || along.poison:
			return poison
		case set.set != nil:
			set = *set.set
		}
		if set.per != nil || along.per != nil {
			return r.fail(pos, "an order over a class is not supported: want generate_orders(S, r), which orders "+
				"the events of S of each location")
		}
		if set.expr == nil || set.kind == Relation {
			return r.fail(pos, "want a set of events to order, got a %s", set.what())
		}
		if along.expr == nil || along.kind == Set {
			return r.fail(pos, "want a relation that the orders are to agree with, got a %s", along.what())
		}
		set.kind, along.kind = Set, Relation
		set, along = r.defined("ordered", set), r.defined("kept", along)
		return value{order: &Order{Set: set.expr, Extends: along.expr, ByLocation: byLocation}}
	}
}

// choose binds an order to a name, and adds the axiom that the order extends its relation.
func (r *resolver) choose(d With, o Order) value {
	set := value{expr: o.Set, kind: Set, size: 1}
	along := value{expr: o.Extends, kind: Relation, size: 1}
	if isNothing(o.Set) {
		return value{expr: Nothing{d.Pos}, kind: Relation, size: 1}
	}
	op := func(op BinaryOp, x, y value) value { return r.binary(Binary{Pos: d.Pos, Op: op}, x, y) }
	among := op(Cartesian, set, set)
	along = op(Inter, along, among)
	var out value
	agree := func(name string, kind CheckKind, v value) {
		if !isNothing(v.expr) {
			r.build(v.size)
			r.model.Axioms = append(r.model.Axioms, Axiom{Name: name, Kind: kind, Expr: v.expr, Source: d.Source})
		}
	}
	if o.ByLocation && writesOnly(o.Set) {
		out = r.defined(d.Name, op(Inter, baseOf("co"), among))
		if ref, ok := o.Extends.(Ref); !ok || !ref.Def.Prelude { // co0, with which co agrees by itself
			agree(d.Name, Acyclic, op(Inter, op(Union, along, out), baseOf("loc")))
		}
		return out
	}
	o.Name = d.Name
	r.model.Orders = append(r.model.Orders, &o)
	out = value{expr: Chosen{&o}, kind: Relation, size: 1}
	if o.ByLocation {
		along = op(Inter, along, baseOf("loc"))
	}
	agree(d.Name, Irreflexive, op(Seq, r.unary(Unary{Pos: d.Pos, Op: Optional}, out), along))
	return out
}

// writesOnly reports whether a set is W, IW or a subset of them.
func writesOnly(set Expr) bool {
	switch e := set.(type) {
	case Base:
		return e.Name == "W" || e.Name == "IW"
	case Ref:
		return e.Def.Group == nil && writesOnly(e.Def.Body)
	case Binary:
		return e.Op == Inter && (writesOnly(e.X) || writesOnly(e.Y)) || e.Op == Diff && writesOnly(e.X)
	}
	return false
}
