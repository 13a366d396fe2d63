package cat

import (
	"litmuscope/litmus"
)

// expr resolves an expression that must be a set or a relation.
func (r *resolver) expr(e Expr, s *scope) value {
	v := r.value(e, s)
	if v.expr == nil {
		panic(litmus.Errorf(position(e), "want a set or a relation, got a %s", v.what()))
	}
	return v
}

// position is where an expression stands in the text.
func position(e Expr) litmus.Pos {
	switch e := e.(type) {
	case Name:
		return e.Pos
	case Call:
		return position(e.Func)
	case Tuple:
		return e.Pos
	case Fun:
		return e.Pos
	case Tag:
		return e.Pos
	case Match:
		return e.Pos
	case LetIn:
		return position(e.Body)
	case Try:
		return position(e.X)
	case If:
		return position(e.Then)
	case Unary:
		return e.Pos
	case Binary:
		return position(e.X)
	case Nothing:
		return e.Pos
	}
	return litmus.Pos{}
}

func (r *resolver) value(e Expr, s *scope) value {
	switch e := e.(type) {
	case Nothing:
		return value{expr: e, kind: Either, size: 1}
	case Name:
		if v, ok := s.find(e.Name); ok {
			return v
		}
		panic(undefined{litmus.Errorf(e.Pos, "%s is not defined", e.Name)})
	case Tag:
		if v, ok := s.find("'" + e.Name); ok {
			return v
		}
		panic(undefined{litmus.Errorf(e.Pos, "tag '%s is in no enum", e.Name)})
	case Tuple:
		v := value{tuple: make([]value, 0, len(e.Members))}
		for _, m := range e.Members {
			v.tuple = append(v.tuple, r.value(m, s))
		}
		return v
	case Fun:
		return value{fn: &function{params: e.Params, body: e.Body, scope: s}}
	case LetIn:
		return r.value(e.Body, r.let(e.Let, s))
	case Try:
		return r.try(e, s)
	case If:
		if holds(e.Cond) {
			return r.value(e.Then, s)
		}
		return r.value(e.Else, s)
	case Match:
		return r.match(e, s)
	case Call:
		return r.call(e, s)
	case Unary:
		return r.unary(e, r.expr(e.X, s))
	case Binary:
		return r.binary(e, r.expr(e.X, s), r.expr(e.Y, s))
	}
	panic("BUG: unknown expression")
}

// undefined is an error that try catches.
type undefined struct{ *litmus.Error }

func (r *resolver) try(e Try, s *scope) (v value) {
	defer func() {
		switch bad := recover().(type) {
		case nil:
		case undefined:
			v = r.value(e.Else, s)
		default:
			panic(bad)
		}
	}()
	return r.value(e.X, s)
}

func (r *resolver) match(e Match, s *scope) value {
	x := r.value(e.X, s)
	if x.tag == "" {
		panic(litmus.Errorf(e.Pos, "match takes a tag, got a %s", x.what()))
	}
	for _, c := range e.Cases {
		if c.Tag == x.tag || c.Tag == "_" {
			return r.value(c.Body, s)
		}
	}
	panic(litmus.Errorf(e.Pos, "no case for '%s", x.tag))
}

func (r *resolver) call(e Call, s *scope) value {
	f := r.value(e.Func, s)
	if f.fn == nil {
		if u, ok := e.Arg.(Unary); ok && u.Op == Identity { // r [S] is often written for r;[S]
			panic(litmus.Errorf(e.Pos, `got "[", want an operator, such as ";", before "["`))
		}
		panic(litmus.Errorf(position(e.Func), "a %s is no function", f.what()))
	}
	r.step(e.Pos)
	if r.depth++; r.depth > maxDepthOfCalls {
		panic(litmus.Errorf(e.Pos, "calls nest too deeply"))
	}
	defer func() { r.depth-- }()
	arg := r.value(e.Arg, s)
	if f.fn.builtin != nil {
		return f.fn.builtin(r, e.Pos, arg)
	}
	name := "the function"
	if n, ok := e.Func.(Name); ok {
		name = n.Name
	}
	return r.value(f.fn.body, r.bindAll(f.fn.scope, e.Pos, name, f.fn.params, []value{arg}))
}

func (r *resolver) unary(e Unary, x value) value {
	want, result := Relation, Relation
	switch e.Op {
	case Complement:
		want, result = x.kind, x.kind
		if x.kind == Either {
			want, result = Relation, Relation
		}
	case Identity:
		want = Set
	case Domain, Range:
		result = Set
	}
	if x.kind != want && x.kind != Either {
		panic(litmus.Errorf(e.Pos, "want a %s here, got a %s", want, x.kind))
	}
	if isNothing(x.expr) {
		return unaryNothing(e, result)
	}
	return value{expr: Unary{e.Pos, e.Op, x.expr}, kind: result, size: x.size + 1}
}

func isNothing(e Expr) bool { _, ok := e.(Nothing); return ok }

// unaryNothing applies an operator to the empty set or relation. Published models name
// many events that do not occur here: what is made of them is best forgotten early.
func unaryNothing(e Unary, kind Kind) value {
	all := Base{"_", Set}
	switch {
	case e.Op == Complement && kind == Set:
		return value{expr: all, kind: Set, size: 1}
	case e.Op == Complement:
		return value{expr: Binary{e.Pos, Cartesian, all, all}, kind: Relation, size: 3}
	case e.Op == Star || e.Op == Optional:
		return value{expr: Base{"id", Relation}, kind: Relation, size: 1}
	}
	return value{expr: Nothing{e.Pos}, kind: kind, size: 1}
}

// binaryNothing applies an operator where an operand is empty.
func binaryNothing(e Binary, x, y value, kind Kind) value {
	out := value{expr: Nothing{e.Pos}, kind: kind, size: 1}
	switch {
	case e.Op == Union && isNothing(x.expr):
		out = y
	case (e.Op == Union || e.Op == Diff) && isNothing(y.expr):
		out = x
	}
	out.kind = kind
	return out
}

func (r *resolver) binary(e Binary, x, y value) value {
	size := x.size + y.size + 1
	if size > maxSize {
		panic(litmus.Errorf(e.Pos, "the expression is too large once its functions are written out"))
	}
	want := x.kind
	if want == Either {
		want = y.kind
	}
	if want == Either && e.Op != Seq && e.Op != Cartesian {
		return value{expr: Nothing{e.Pos}, kind: Either, size: 1}
	}
	result := want
	switch e.Op {
	case Seq:
		want, result = Relation, Relation
	case Cartesian:
		want, result = Set, Relation
	}
	for _, k := range []Kind{x.kind, y.kind} {
		if k != want && k != Either {
			panic(litmus.Errorf(e.Pos, "want a %s here, got a %s", want, k))
		}
	}
	if isNothing(x.expr) || isNothing(y.expr) {
		return binaryNothing(e, x, y, result)
	}
	return value{expr: Binary{e.Pos, e.Op, x.expr, y.expr}, kind: result, size: size}
}

// builtins are the functions that models may call without defining them.
var builtins = map[string]func(r *resolver, pos litmus.Pos, arg value) value{
	"domain": func(r *resolver, pos litmus.Pos, arg value) value {
		return r.unary(Unary{Pos: pos, Op: Domain}, r.relation(pos, arg))
	},
	"range": func(r *resolver, pos litmus.Pos, arg value) value {
		return r.unary(Unary{Pos: pos, Op: Range}, r.relation(pos, arg))
	},
	"toid": func(r *resolver, pos litmus.Pos, arg value) value {
		return r.unary(Unary{Pos: pos, Op: Identity}, r.relation(pos, arg))
	},
	"generate_cos": func(_ *resolver, _ litmus.Pos, _ value) value { return value{cos: true} },
}

func (r *resolver) relation(pos litmus.Pos, v value) value {
	if v.expr == nil {
		panic(litmus.Errorf(pos, "want a set or a relation as argument, got a %s", v.what()))
	}
	return v
}

// refused are functions of the language that go through the members of a set one by
// one, which a symbolic reader cannot.
var refused = []string{"linearisations", "linearizations", "partition", "classes", "classes-loc", "tag2scope", "tag2level", "tag2events", "fold", "map"}

func refuse(name string) func(*resolver, litmus.Pos, value) value {
	return func(_ *resolver, pos litmus.Pos, _ value) value {
		panic(litmus.Errorf(pos, "%s is a function of cat that is not supported", name))
	}
}
