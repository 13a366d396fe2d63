package cat

import (
	"errors"
	"fmt"

	"litmuscope/litmus"
)

// Model is a memory model with every name bound: what its readers evaluate.
type Model struct {
	Title  string
	Defs   []*Def // in the order of their text; a Ref goes to an earlier one, or to its own recursive group
	Axioms []Axiom
	Flags  []Axiom
	Shows  []ShowItem
}

// Def is the value of a let, with functions inlined.
type Def struct {
	Name  string
	Body  Expr
	Kind  Kind
	Group []*Def // the recursive group it belongs to; nil when it is not recursive
	// Prelude: the definition is the prelude's, so that its name can be trusted.
	Prelude bool
}

// Axiom is a check that an execution must pass.
type Axiom struct {
	Name    string // as named, or its kind and number
	Kind    CheckKind
	Negated bool
	Expr    Expr
}

// ShowItem is a relation to draw.
type ShowItem struct {
	Name string
	Expr Expr
}

// bases are the sets and relations that executions give. The tags of the dialects
// are in Tags.
var bases = map[string]Kind{
	"_": Set, "R": Set, "W": Set, "M": Set, "F": Set, "IW": Set,
	"po": Relation, "rf": Relation, "co": Relation, "rmw": Relation,
	"addr": Relation, "data": Relation, "ctrl": Relation,
	"loc": Relation, "int": Relation, "ext": Relation, "id": Relation,
}

// Resolve follows the includes of a file, binds names and inlines functions. load
// finds an included file's text; prelude names a file that every model includes
// first, or is empty. tags are the sets that events are tagged with.
func Resolve(f *File, load func(name string) (string, error), prelude string, tags []string) (m *Model, err error) {
	defer recoverError(&err)
	r := &resolver{model: &Model{Title: f.Title}, load: load, included: map[string]bool{}, scope: &scope{}}
	for name, kind := range bases {
		r.scope = r.scope.bind(name, value{expr: Base{name, kind}, kind: kind, size: 1})
	}
	for _, t := range tags {
		r.scope = r.scope.bind(t, value{expr: Base{t, Set}, kind: Set, size: 1})
	}
	r.scope = r.scope.bind("emptyset", value{expr: Nothing{}, kind: Either, size: 1})
	for name, f := range builtins {
		r.scope = r.scope.bind(name, value{fn: &function{builtin: f}})
	}
	for _, name := range refused {
		r.scope = r.scope.bind(name, value{fn: &function{builtin: refuse(name)}})
	}
	if prelude != "" {
		r.include(Include{File: prelude})
		for _, d := range r.model.Defs {
			d.Prelude = true
		}
	}
	r.decls(f.Decls)
	if len(r.model.Axioms) == 0 {
		return nil, errors.New("the model has no axiom: want at least one acyclic, irreflexive or empty")
	}
	return r.model, nil
}

type resolver struct {
	model    *Model
	load     func(string) (string, error)
	included map[string]bool
	scope    *scope
	depth    int  // of calls within calls
	inGroup  bool // a recursive group's bodies are being resolved
	steps    int
}

// value is what a name stands for, or an expression: a set or relation, a tuple, a
// function, a procedure, or a tag.
type value struct {
	expr  Expr // nil for the others
	kind  Kind
	size  int // of expr, functions written out
	tuple []value
	fn    *function
	proc  *procedure
	tag   string
	cos   bool // the set of all coherence orders
}

// what names the sort of a value, for errors.
func (v value) what() string {
	switch {
	case v.fn != nil:
		return "function"
	case v.proc != nil:
		return "procedure"
	case v.tag != "":
		return "tag"
	case v.cos:
		return "set of relations"
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

func (s *scope) find(name string) (value, bool) {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value, true
		}
	}
	return value{}, false
}

type function struct {
	params []string
	body   Expr
	scope  *scope // where it was defined
	// builtin, when set, is computed here.
	builtin func(r *resolver, pos litmus.Pos, arg value) value
}

type procedure struct {
	Procedure
	scope *scope
}

// maxSteps bounds how much a model can write out.
const maxSteps = 1 << 17

func (r *resolver) step(pos litmus.Pos) {
	if r.steps++; r.steps > maxSteps {
		panic(litmus.Errorf(pos, "the model is too large once its functions and procedures are written out"))
	}
}

func (r *resolver) decls(decls []Decl) {
	for _, d := range decls {
		switch d := d.(type) {
		case Include:
			r.include(d)
		case Let:
			r.scope = r.let(d, r.scope)
		case Check:
			r.check(d, "")
		case Show:
			r.show(d)
		case Procedure:
			r.scope = r.scope.bind(d.Name, value{proc: &procedure{d, r.scope}})
		case Invoke:
			r.invoke(d)
		case With:
			r.with(d)
		case Choice:
			if holds(d.If) {
				r.decls(d.Then)
			} else {
				r.decls(d.Else)
			}
		case Enum:
			for _, t := range d.Tags {
				r.scope = r.scope.bind("'"+t, value{tag: t})
			}
		}
	}
}

func (r *resolver) include(d Include) {
	if r.included[d.File] {
		return
	}
	r.included[d.File] = true
	text, err := r.load(d.File)
	if err != nil {
		panic(litmus.Errorf(d.Pos, "include %q: %v", d.File, err))
	}
	f, err := Parse(d.File, text)
	if err != nil {
		var bad *litmus.Error
		if errors.As(err, &bad) {
			panic(bad)
		}
		panic(err)
	}
	r.decls(f.Decls)
}

// holds answers a condition. Variants belong to other tools: none is on here.
func holds(c Condition) bool {
	switch c.Op {
	case "not":
		return !holds(c.Operands[0])
	case "&&":
		return holds(c.Operands[0]) && holds(c.Operands[1])
	case "||":
		return holds(c.Operands[0]) || holds(c.Operands[1])
	}
	return false
}

// with accepts the coherence orders alone: an execution has one, and the engines go
// through all of them.
func (r *resolver) with(d With) {
	if v := r.value(d.From, r.scope); !v.cos {
		panic(litmus.Errorf(d.Pos, "with %s from a %s is not supported: want generate_cos(...)", d.Name, v.what()))
	}
	r.scope = r.scope.bind(d.Name, value{expr: Base{"co", Relation}, kind: Relation, size: 1})
}

// invoke carries a procedure out in its own scope. Of what it defines, nothing is
// seen outside.
func (r *resolver) invoke(d Invoke) {
	v, ok := r.scope.find(d.Procedure)
	if !ok || v.proc == nil {
		panic(litmus.Errorf(d.Pos, "%s is not a procedure", d.Procedure))
	}
	r.step(d.Pos)
	if r.depth++; r.depth > maxDepthOfCalls {
		panic(litmus.Errorf(d.Pos, "calls of %s nest too deeply", d.Procedure))
	}
	defer func() { r.depth-- }()
	args := make([]value, len(d.Args))
	for i, a := range d.Args {
		args[i] = r.value(a, r.scope)
	}
	outside := r.scope
	r.scope = r.bindAll(v.proc.scope, d.Pos, d.Procedure, v.proc.Params, args)
	for _, decl := range v.proc.Body {
		if c, ok := decl.(Check); ok {
			r.check(c, d.Name)
			continue
		}
		r.decls([]Decl{decl})
	}
	r.scope = outside
}

// bindAll gives parameters their arguments.
func (r *resolver) bindAll(s *scope, pos litmus.Pos, name string, params []string, args []value) *scope {
	if len(params) == 1 && len(args) != 1 {
		args = []value{{tuple: append([]value{}, args...)}}
	}
	if len(args) == 1 && args[0].tuple != nil && len(params) != 1 {
		args = args[0].tuple
	}
	if len(args) != len(params) {
		panic(litmus.Errorf(pos, "%s takes %d arguments, got %d", name, len(params), len(args)))
	}
	for i, p := range params {
		if p != "_" {
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
	d := &Def{Name: name, Body: v.expr, Kind: v.kind}
	r.model.Defs = append(r.model.Defs, d)
	return value{expr: Ref{d}, kind: v.kind, size: 1}
}

// let binds names, in the scope given, and returns the scope that sees them.
func (r *resolver) let(d Let, s *scope) *scope {
	if d.Rec {
		return r.letRec(d, s)
	}
	inner := s // bindings of one let do not see one another
	for _, b := range d.Bindings {
		if b.Params != nil {
			inner = inner.bind(b.Name, value{fn: &function{params: b.Params, body: b.Body, scope: s}})
			continue
		}
		v := r.value(b.Body, s)
		if b.Names != nil {
			inner = r.bindAll(inner, b.Pos, "the pattern", b.Names, []value{v})
			continue
		}
		if v.expr != nil && !isNothing(v.expr) && !r.inGroup { // even a mere name, for its own name's sake
			def := &Def{Name: b.Name, Body: v.expr, Kind: v.kind}
			r.model.Defs = append(r.model.Defs, def)
			v = value{expr: Ref{def}, kind: v.kind, size: 1}
		}
		inner = inner.bind(b.Name, v)
	}
	return inner
}

func (r *resolver) letRec(d Let, s *scope) *scope {
	var group []*Def
	for _, b := range d.Bindings {
		if b.Params != nil {
			panic(litmus.Errorf(b.Pos, "recursive function %s is not supported", b.Name))
		}
		def := &Def{Name: b.Name, Kind: Relation}
		group = append(group, def)
		s = s.bind(b.Name, value{expr: Ref{def}, kind: Relation, size: 1})
	}
	r.inGroup = true
	defer func() { r.inGroup = false }()
	for i, b := range d.Bindings {
		v := r.value(b.Body, s)
		if v.expr == nil || v.kind == Set {
			panic(litmus.Errorf(b.Pos, "recursive %s %s is not supported: want a relation", v.what(), b.Name))
		}
		group[i].Body, group[i].Group = v.expr, group
	}
	r.model.Defs = append(r.model.Defs, group...)
	for i, b := range d.Bindings {
		if name, ok := antitone(group[i].Body, group, true); !ok {
			panic(litmus.Errorf(b.Pos, "%s is defined through %s on the right of \\ or under ~: the recursion has no least solution", b.Name, name))
		}
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

func (r *resolver) check(d Check, as string) {
	v := r.expr(d.Expr, r.scope)
	if v.kind == Set && d.Kind != Empty {
		panic(litmus.Errorf(d.Pos, "%s takes a relation, got a set", d.Kind))
	}
	name := d.Name
	if as != "" {
		name = as
	}
	if name == "" {
		name = fmt.Sprintf("%s-%d", d.Kind, len(r.model.Axioms)+len(r.model.Flags)+1)
	}
	a := Axiom{name, d.Kind, d.Negated, v.expr}
	if d.Flag {
		r.model.Flags = append(r.model.Flags, a)
	} else {
		r.model.Axioms = append(r.model.Axioms, a)
	}
}

func (r *resolver) show(d Show) {
	shows := r.model.Shows[:0]
	for _, s := range r.model.Shows {
		if s.Name != d.Name {
			shows = append(shows, s)
		}
	}
	r.model.Shows = shows
	if d.Hide {
		return
	}
	if n, ok := d.Expr.(Name); ok {
		if v, defined := r.scope.find(n.Name); !defined || v.expr == nil {
			return // models list for show what only some of the tests have
		}
	}
	v := r.expr(d.Expr, r.scope)
	if isNothing(v.expr) {
		return
	}
	if v.kind == Set {
		panic(litmus.Errorf(d.Pos, "show takes a relation, got a set"))
	}
	r.model.Shows = append(r.model.Shows, ShowItem{d.Name, v.expr})
}

const (
	maxDepthOfCalls = 100
	maxSize         = 1 << 14 // of an expression whose functions are written out
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
