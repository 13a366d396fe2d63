package cat

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// value is the meaning of a name or an expression: a set or relation, a tuple, a function, a procedure, a tag, or a set
// of tags or of relations.
type value struct {
	expr    Expr // nil for the others
	kind    Kind
	size    int    // of expr, after inlining
	set     *value // the value where a set is required, if expr is a relation
	tuple   []value
	fn      *function
	proc    *procedure
	tag     string
	of      []value   // the members of a set of tags or relations
	order   *Order    // an order from this set, without a name as yet
	per     *family   // expr depends on a class of these
	classes *classSet // a set with a member for each class

	ends   ends // of expr, a relation that depends on a class
	cos    bool // the set of all coherence orders
	ofBPF  bool // AQ, which identifies a model of BPF
	poison bool // an error has been reported
}

var poison = value{poison: true}

// what names the kind of a value, for errors.
func (v value) what() string {
	switch {
	case v.fn != nil:
		return "function"
	case v.proc != nil:
		return "procedure"
	case v.tag != "":
		return "tag"
	case v.cos, v.order != nil:
		return "set of relations"
	case v.classes != nil:
		return "set with a member for each class"
	case v.of != nil:
		return "set of " + v.of[0].what() + "s"
	case v.tuple != nil:
		return "tuple"
	}
	return v.kind.String()
}

// scope is a chain of bindings, innermost first.
type scope struct {
	name  string
	value value
	outer *scope
}

func (s *scope) bind(name string, v value) *scope { return &scope{name, v, s} }

// find returns the meaning of a name. It counts as work only every 16th binding that it passes.
func (r *resolver) find(name string, s *scope) (value, bool) {
	passed := 0
	for s != nil && s.name != name {
		s = s.outer
		passed++
	}
	r.spend(passed / 16)
	if s == nil {
		return value{}, false
	}
	return s.value, true
}

type function struct {
	params []string
	body   Expr
	scope  *scope // where it was defined
	// builtin, if set, computes the function in Go.
	builtin func(r *resolver, pos litmus.Pos, arg value) value
}

type procedure struct {
	Procedure
	scope *scope
}

// expr resolves an expression that must be a set or a relation.
func (r *resolver) expr(e Expr, s *scope) value {
	return r.wanted(e, r.value(e, s))
}

// wanted returns v, the value of e, which must be a set or a relation.
func (r *resolver) wanted(e Expr, v value) value {
	if v.expr == nil && !v.poison {
		return r.fail(position(e), "want a set or a relation, got a %s", v.what())
	}
	return v
}

func (r *resolver) value(e Expr, s *scope) value {
	r.spend(1)
	if r.nesting++; r.nesting > maxNesting {
		panic(litmus.Errorf(r.place, "the model nests too deeply once its functions and procedures are expanded"))
	}
	v := r.evaluated(e, s)
	r.nesting--
	return v
}

// evaluated evaluates an expression in a scope. It is value without the counting of work and nesting.
func (r *resolver) evaluated(e Expr, s *scope) value {
	switch e := e.(type) {
	case Nothing:
		return value{expr: e, kind: Either, size: 1}
	case Name:
		r.place = e.Pos
		if v, ok := r.find(e.Name, s); ok {
			if b, ok := v.expr.(Base); ok && b.Name == e.Name && slices.Contains(c11Orders, e.Name) {
				r.found.c = true
			}
			r.found.bpf = r.found.bpf || v.ofBPF
			return v
		}
		if namesOfPTX[e.Name] && !r.of.ptx {
			r.found.ptx = true
			return poison
		}
		if v, ok := r.emptySet(e); ok {
			return v
		}
		if e.Name == registerReads {
			return r.undefined(e.Pos, "%s is not defined: register accesses are not events here, so a model cannot "+
				"build dependencies from them. Use addr, data and ctrl, or include \"aarch64deps.cat\", which "+
				"defines the dependencies of AArch64", e.Name)
		}
		return r.undefined(e.Pos, "%s is not defined%s", e.Name, r.suggest(e.Name, s))
	case Tag:
		if v, ok := r.find("'"+e.Name, s); ok {
			return v
		}
		return r.undefined(e.Pos, "no enum has the tag '%s%s", e.Name, r.suggest("'"+e.Name, s))
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
		if r.evalCondition(e.Cond, s) {
			return r.value(e.Then, s)
		}
		return r.value(e.Else, s)
	case Match:
		return r.match(e, s)
	case Members:
		return r.members(e, s)
	case Call:
		return r.apply(e, s)
	case Unary:
		return r.unary(e, r.expr(e.X, s))
	case Binary:
		x, y := r.value(e.X, s), r.withoutRegisters(e, s)
		if y.expr == nil {
			y = r.value(e.Y, s)
		}
		if e.Op == Add || x.of != nil || y.of != nil {
			return r.combine(e, x, y)
		}
		return r.binary(e, r.wanted(e.X, x), r.wanted(e.Y, y))
	}
	panic("BUG: unknown expression")
}

// registerReads relates writes of registers to reads of them, in other tools.
const registerReads = "rf-reg"

// withoutRegisters evaluates the left side of r \ rf-reg, which published models write for reads from memory: rf-reg
// relates other events, so there is nothing to remove. Elsewhere rf-reg is an error, because its meaning would be lost.
func (r *resolver) withoutRegisters(e Binary, s *scope) value {
	n, ok := e.Y.(Name)
	if !ok || e.Op != Diff || n.Name != registerReads {
		return value{}
	}
	if _, defined := r.find(n.Name, s); defined {
		return value{}
	}
	return value{expr: Nothing{n.Pos}, kind: Either, size: 1}
}

// undefined is the panic that try catches.
type undefined struct{}

func (r *resolver) undefined(pos litmus.Pos, format string, args ...any) value {
	switch {
	case r.trying > 0:
		panic(undefined{})
	case r.missing:
		return poison
	}
	return r.fail(pos, format, args...)
}

// suggest suggests a known name that is similar. It suggests none for names of two letters, which resemble many others.
func (r *resolver) suggest(name string, s *scope) litmus.Guess {
	if len(name) < 3 {
		return litmus.Guess{}
	}
	isTag := strings.HasPrefix(name, "'")
	var names []string
	for ; s != nil && len(names) < maxKnown; s = s.outer {
		if strings.HasPrefix(s.name, "'") == isTag {
			names = append(names, s.name)
		}
	}
	if !isTag {
		names = append(names, declWords...)
	}
	r.spend(len(names))
	return litmus.DidYouMean(name, names)
}

// maxKnown bounds the names that are compared with an unknown one.
const maxKnown = 1 << 11

func (r *resolver) try(e Try, s *scope) (v value) {
	depth, nesting, inGroup := r.depth, r.nesting, r.inGroup
	r.trying++
	defer func() {
		r.trying--
		switch bad := recover().(type) {
		case nil:
		case undefined:
			r.depth, r.nesting, r.inGroup = depth, nesting, inGroup
			v = r.value(e.Else, s)
		default:
			panic(bad)
		}
	}()
	return r.value(e.X, s)
}

func (r *resolver) apply(e Call, s *scope) value {
	f := r.value(e.Func, s)
	if f.fn == nil && !f.poison {
		if u, ok := e.Arg.(Unary); ok && u.Op == Identity { // r [S] is often written for r;[S]
			return r.fail(e.Pos, `got "[", want an operator, such as ";", before "["`)
		}
		// A misspelt declaration is parsed as an argument of the expression before it.
		if n, ok := e.Arg.(Name); ok && n.Pos.Line > position(e.Func).Line {
			if near := litmus.DidYouMean(n.Name, declWords); near.Near != "" {
				return r.fail(n.Pos, "%s does not begin a declaration%s", n.Name, near)
			}
		}
		return r.fail(position(e.Func), "a %s is not a function", f.what())
	}
	arg := r.value(e.Arg, s)
	if f.poison {
		return poison
	}
	name := "the function"
	if n, ok := e.Func.(Name); ok {
		name = n.Name
	}
	return r.applied(e.Pos, name, f.fn, arg)
}

// applied returns a function's value for an argument.
func (r *resolver) applied(pos litmus.Pos, name string, f *function, arg value) value {
	defer r.call(pos, name)()
	switch {
	case f.builtin == nil:
		return r.value(f.body, r.bindAll(f.scope, pos, name, f.params, []value{arg}))
	case arg.poison:
		return poison
	}
	return f.builtin(r, pos, arg)
}

// unary applies an operator to a value, and checks its kind. Empty operands are worked out at once.
func (r *resolver) unary(e Unary, x value) value {
	if x.poison {
		return poison
	}
	if e.Op == Identity && x.set != nil {
		x = *x.set
	}
	if x.per != nil && x.expr != nil {
		return r.unaryOf(e, x)
	}
	want, result := Relation, Relation
	switch e.Op {
	case Complement:
		want, result = x.kind, x.kind
		if x.kind == Either && isNothing(x.expr) {
			want, result = Relation, Relation
		}
	case Identity:
		want = Set
	case Domain, Range:
		result = Set
	}
	if x.kind != want && x.kind != Either {
		return r.fail(e.Pos, "want a %s here, got a %s", want, x.kind)
	}
	if x.size >= maxSize {
		return r.tooLong(e.Pos)
	}
	if isNothing(x.expr) {
		return unaryNothing(e, result)
	}
	return value{expr: Unary{e.Pos, e.Op, x.expr}, kind: result, size: x.size + 1}
}

func isNothing(e Expr) bool { _, ok := e.(Nothing); return ok }

// unaryNothing applies an operator to the empty set or relation. Published models name many events that do not occur
// here; their sets are removed early.
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

// asOperand returns v as one operand of an operator, given the other one.
func (v value) asOperand(op BinaryOp, other value) value {
	if v.set != nil && (op == Cartesian || op != Seq && other.kind == Set) {
		return *v.set
	}
	return v
}

// binaryNothing applies an operator with an empty operand.
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

// binary applies an operator to two values of fitting kinds. Sets with known members, values that depend on a class,
// and empty operands have their own rules.
func (r *resolver) binary(e Binary, x, y value) value {
	if x.poison || y.poison {
		return poison
	}
	if r.update(e, x, y) {
		return setOfTag("RMW")
	}
	x, y = x.asOperand(e.Op, y), y.asOperand(e.Op, x)
	if x.per != nil || y.per != nil {
		return r.binaryOf(e, x, y)
	}
	size := x.size + y.size + 1
	if size > maxSize {
		return r.tooLong(e.Pos)
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
			return r.fail(e.Pos, "want a %s here, got a %s", want, k)
		}
	}
	if isNothing(x.expr) || isNothing(y.expr) {
		return binaryNothing(e, x, y, result)
	}
	switch {
	case e.Op == Seq && isIdentity(y.expr):
		return x
	case e.Op == Seq && isIdentity(x.expr):
		return y
	case e.Op == Diff && isIdentity(x.expr) && isIdentity(y.expr):
		return value{expr: Nothing{e.Pos}, kind: result, size: 1}
	}
	return value{expr: Binary{e.Pos, e.Op, x.expr, y.expr}, kind: result, size: size}
}

// isIdentity reports whether an expression is the identity, by name.
func isIdentity(e Expr) bool {
	switch e := e.(type) {
	case Base:
		return e.Name == "id"
	case Ref:
		return e.Def.Group == nil && isIdentity(e.Def.Body)
	}
	return false
}
