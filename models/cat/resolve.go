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
	Flags  []Flag
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

// Flag is what a model says of an execution beside allowing it. An execution raises it
// that passes one of Checks.
type Flag struct {
	Pos    litmus.Pos
	Name   string
	Role   Role // any but Required
	Checks []Axiom
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
	if d.Role == Required {
		r.model.Axioms = append(r.model.Axioms, Axiom{name, d.Kind, d.Negated, v.expr})
		return
	}
	a := Axiom{name, d.Kind, d.Negated != (d.Role != Flagged), v.expr} // what fails raises the other flags
	for i := range r.model.Flags {
		if f := &r.model.Flags[i]; f.Name == name && f.Role == d.Role {
			f.Checks = append(f.Checks, a)
			return
		}
	}
	r.model.Flags = append(r.model.Flags, Flag{d.Pos, name, d.Role, []Axiom{a}})
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
