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
		r.scope = r.scope.bind(name, Base{name, kind})
	}
	for _, t := range tags {
		r.scope = r.scope.bind(t, Base{t, Set})
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
	inlining int
	inGroup  bool // a recursive group's bodies are being resolved
	size     int  // of the expression resolved last, functions written out
}

// scope is a chain of bindings, innermost first. A binding is an Expr or a
// *function.
type scope struct {
	name  string
	value any
	outer *scope
}

func (s *scope) bind(name string, value any) *scope { return &scope{name, value, s} }

func (s *scope) find(name string) any {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value
		}
	}
	return nil
}

type function struct {
	Binding
	scope *scope // where it was defined
}

func (r *resolver) decls(decls []Decl) {
	for _, d := range decls {
		switch d := d.(type) {
		case Include:
			r.include(d)
		case Let:
			r.let(d)
		case Check:
			r.check(d)
		case Show:
			r.show(d)
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

func (r *resolver) let(d Let) {
	if !d.Rec {
		outer := r.scope // bindings of one let do not see one another
		for _, b := range d.Bindings {
			if b.Params != nil {
				r.scope = r.scope.bind(b.Name, &function{b, outer})
				continue
			}
			def := &Def{Name: b.Name}
			def.Body, def.Kind = r.expr(b.Body, outer)
			if def.Kind == Either { // empty, and a set or a relation where it is used
				r.scope = r.scope.bind(b.Name, &argument{Nothing{b.Pos}, Either, 1})
				continue
			}
			r.model.Defs = append(r.model.Defs, def)
			r.scope = r.scope.bind(b.Name, Ref{def})
		}
		return
	}
	var group []*Def
	for _, b := range d.Bindings {
		if b.Params != nil {
			panic(litmus.Errorf(b.Pos, "recursive function %s is not supported", b.Name))
		}
		def := &Def{Name: b.Name, Kind: Relation}
		group = append(group, def)
		r.scope = r.scope.bind(b.Name, Ref{def})
	}
	r.inGroup = true
	defer func() { r.inGroup = false }()
	for i, b := range d.Bindings {
		body, kind := r.expr(b.Body, r.scope)
		if kind == Set {
			panic(litmus.Errorf(b.Pos, "recursive set %s is not supported: want a relation", b.Name))
		}
		group[i].Body, group[i].Group = body, group
	}
	r.model.Defs = append(r.model.Defs, group...)
	for i, b := range d.Bindings {
		if name, ok := antitone(group[i].Body, group, true); !ok {
			panic(litmus.Errorf(b.Pos, "%s is defined through %s on the right of \\ or under ~: the recursion has no least solution", b.Name, name))
		}
	}
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

func (r *resolver) check(d Check) {
	e, kind := r.expr(d.Expr, r.scope)
	if kind == Set && d.Kind != Empty {
		panic(litmus.Errorf(d.Pos, "%s takes a relation, got a set", d.Kind))
	}
	name := d.Name
	if name == "" {
		name = fmt.Sprintf("%s-%d", d.Kind, len(r.model.Axioms)+len(r.model.Flags)+1)
	}
	a := Axiom{name, d.Kind, d.Negated, e}
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
	e, kind := r.expr(d.Expr, r.scope)
	if kind == Set {
		panic(litmus.Errorf(d.Pos, "show takes a relation, got a set"))
	}
	r.model.Shows = append(r.model.Shows, ShowItem{d.Name, e})
}

// maxInlining bounds calls within calls.
const maxInlining = 100

// maxSize bounds an expression whose functions are written out.
const maxSize = 1 << 14

func (r *resolver) expr(e Expr, s *scope) (Expr, Kind) {
	switch e := e.(type) {
	case Nothing:
		r.size = 1
		return e, Either
	case Name:
		r.size = 1
		switch v := s.find(e.Name).(type) {
		case Base:
			return v, v.Kind
		case Ref:
			return v, v.Def.Kind
		case *argument:
			r.size = v.size
			return v.expr, v.kind
		case *function:
			panic(litmus.Errorf(e.Pos, "%s is a function: want its arguments in parentheses", e.Name))
		}
		panic(litmus.Errorf(e.Pos, "%s is not defined", e.Name))
	case Call:
		return r.call(e, s)
	case Unary:
		return r.unary(e, s)
	case Binary:
		return r.binary(e, s)
	}
	panic("BUG: unknown expression")
}

// argument is what a parameter stands for while its function is inlined.
type argument struct {
	expr Expr
	kind Kind
	size int
}

func (r *resolver) call(e Call, s *scope) (Expr, Kind) {
	if op, ok := map[string]UnaryOp{"domain": Domain, "range": Range}[e.Func]; ok && len(e.Args) == 1 {
		return r.unary(Unary{e.Pos, op, e.Args[0]}, s)
	}
	f, ok := s.find(e.Func).(*function)
	if !ok {
		panic(litmus.Errorf(e.Pos, "%s is not a function", e.Func))
	}
	if len(e.Args) != len(f.Params) {
		panic(litmus.Errorf(e.Pos, "%s takes %d arguments, got %d", e.Func, len(f.Params), len(e.Args)))
	}
	if r.inlining++; r.inlining > maxInlining {
		panic(litmus.Errorf(e.Pos, "calls of %s nest too deeply", e.Func))
	}
	defer func() { r.inlining-- }()
	inner := f.scope
	for i, p := range f.Params {
		inner = inner.bind(p, r.argument(p, e.Args[i], s))
	}
	return r.expr(f.Body, inner)
}

// argument resolves what is passed for a parameter. It becomes a definition, so that
// it is evaluated once however often the function uses it; not in a recursive group,
// whose definitions change while they are evaluated.
func (r *resolver) argument(name string, e Expr, s *scope) *argument {
	x, kind := r.expr(e, s)
	if r.size == 1 || r.inGroup || kind == Either {
		return &argument{x, kind, r.size}
	}
	d := &Def{Name: name, Body: x, Kind: kind}
	r.model.Defs = append(r.model.Defs, d)
	return &argument{Ref{d}, kind, 1}
}

func (r *resolver) unary(e Unary, s *scope) (Expr, Kind) {
	x, kind := r.expr(e.X, s)
	r.size++
	want, result := Relation, Relation
	switch e.Op {
	case Complement:
		want, result = kind, kind
		if kind == Either {
			want, result = Relation, Relation
		}
	case Identity:
		want = Set
	case Domain, Range:
		result = Set
	}
	if kind != want && kind != Either {
		panic(litmus.Errorf(e.Pos, "want a %s here, got a %s", want, kind))
	}
	return Unary{e.Pos, e.Op, x}, result
}

func (r *resolver) binary(e Binary, s *scope) (Expr, Kind) {
	x, kx := r.expr(e.X, s)
	left := r.size
	y, ky := r.expr(e.Y, s)
	if r.size += left + 1; r.size > maxSize {
		panic(litmus.Errorf(e.Pos, "the expression is too large once its functions are written out"))
	}
	out := Binary{e.Pos, e.Op, x, y}
	want := kx
	if want == Either {
		want = ky
	}
	if want == Either && e.Op != Seq && e.Op != Cartesian {
		return Nothing{e.Pos}, Either
	}
	result := want
	switch e.Op {
	case Seq:
		want, result = Relation, Relation
	case Cartesian:
		want, result = Set, Relation
	}
	for _, k := range []Kind{kx, ky} {
		if k != want && k != Either {
			panic(litmus.Errorf(e.Pos, "want a %s here, got a %s", want, k))
		}
	}
	return out, result
}
