package cat

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Resolving a model leaves nothing of the language but definitions, checks and what to
// show, over the sets and relations that executions give.
//
// Scope. A scope is a chain of bindings, innermost first: a name means its latest
// binding before the place where it stands, and let gives a name a new meaning without
// touching what was said in terms of the old. So let sync = sync | isync speaks of two
// different sync, and none of let's bindings sees another of the same let. What a
// function or a procedure means by a name is settled where it stands, for it keeps the
// scope of that place. An include is read into the includer's scope, once: a second
// include of the same file says nothing. Below all else are the base names, above them
// the prelude's.
//
// Inlining. Expressions are evaluated to values here and now, as far as can be done
// without an execution: functions, tuples, tags, conditions, and sets of tags or of
// relations are gone in the end. Where a function is called, its body is evaluated anew
// in its scope with its parameters bound. All work is counted, by the part of an
// expression, and bounded, and so are nesting and the size of what is built, so that no
// text takes long. A set or relation that is given a name, by let or as an argument,
// becomes a definition, which the model's readers evaluate once however often it is used.
//
// Empty sets. Published models say much about events that do not occur here, such as
// accesses of page tables. Their sets are empty as written, and an operator with an
// empty operand is worked out at once, so that little is left of it; and a match can go
// through a set of such events, where it takes the side of {}.
//
// Recursion. The members of a let rec are bound before their bodies are evaluated, to
// definitions without a body as yet. They may be sets and relations, which mean what their
// bodies come to when they are evaluated from nothing, one after the other, over and over:
// the least solution, where no member stands in a place where more of it means less. Where
// one does, there may be no end to it; such a group is refused unless each way round the
// recursion is through a member that is defined as itself or more. Within a group parameters
// become no definitions of their own, for what rests on a growing relation must be evaluated
// with it. Or the members may be functions, which are inlined like any other: what ends the
// recursion is a match or an if, decided here.
//
// Errors. An expression that means nothing gives a poisoned value, and what is made of
// it is poisoned without another word; so one reading finds every error. try alone
// must know at once that a name is not defined, and leaves by a panic, as does what
// exceeds a bound.

// Model is a memory model with every name bound: what its readers evaluate.
type Model struct {
	Title  string
	Defs   []*Def // in the order of their text; a Ref goes to an earlier one, or to its own recursive group
	Orders []*Order
	Axioms []Axiom
	Flags  []Flag
	Shows  []ShowItem
	Absent []Absent // in the order in which they are come to
}

// Order is a total order over the events of a set that an execution has beside rf and co:
// any that the axioms allow, which speak of it as a Chosen. What it is to agree with is an
// axiom like others.
type Order struct {
	Name    string
	Set     Expr
	Extends Expr // it goes the way of this relation; Nothing where that is all one
	// ByLocation: only events of one location are in order.
	ByLocation bool
}

// Def is the value of a let, with functions inlined.
type Def struct {
	Name  string
	Body  Expr
	Kind  Kind
	Group []*Def // the recursive group it belongs to; nil when it is not recursive
	// Settles: more of some member of the group means less of another, so that it has no
	// least solution; evaluated from nothing, round after round, it comes to an end.
	Settles bool
	// Prelude: the definition is the prelude's, so that its name can be trusted.
	Prelude bool
	Source  Source
}

// Axiom is a check that an execution must pass.
type Axiom struct {
	Name    string // as named, or its kind and number
	Kind    CheckKind
	Negated bool
	Expr    Expr
	Source  Source
}

// Flag is what a model says of an execution beside allowing it. An execution raises it
// that passes one of Checks.
type Flag struct {
	Pos    litmus.Pos
	Name   string
	Role   Role // any but Required
	Checks []Axiom
}

// Undefined tells whether an execution that raises the flag has undefined behaviour.
func (f *Flag) Undefined() bool { return f.Role == UndefinedUnless }

// ShowItem is a relation to draw.
type ShowItem struct {
	Name   string
	Expr   Expr
	Source Source
}

// bases are the sets and relations that executions give. The tags of the dialects
// are in Tags.
var bases = map[string]Kind{
	"_": Set, "R": Set, "W": Set, "M": Set, "F": Set, "IW": Set, "FW": Set,
	"po": Relation, "rf": Relation, "co": Relation, "rmw": Relation,
	"addr": Relation, "data": Relation, "ctrl": Relation,
	"loc": Relation, "int": Relation, "ext": Relation, "id": Relation,
	samePieces: Relation,
}

// samePieces relates the pieces of one access, each to itself as well. Where every access is whole, it is the identity.
const samePieces = "sm"

// Resolve follows the includes of a file, binds names and inlines functions. load
// finds an included file's text; prelude names a file that every model includes
// first, or is empty. tags are the sets that events are tagged with. mixed is for tests in which
// accesses may consist of pieces. What is wrong, in included files too, is a [litmus.ErrorList].
func Resolve(
	f *File, load func(name string) (string, error), prelude string, tags []string, mixed bool,
) (*Model, error) {
	r := resolve(f, load, prelude, tags, mixed, false, false)
	if r.isC || r.isBPF {
		r = resolve(f, load, prelude, tags, mixed, r.isC, r.isBPF)
	}
	return r.model, r.errs.Sorted().Err()
}

func resolve(
	f *File, load func(name string) (string, error), prelude string, tags []string, mixed, ofC, ofBPF bool,
) *resolver {
	r := &resolver{
		mixed: mixed,
		model: &Model{Title: f.Title}, load: load, included: map[string]bool{}, reading: []string{path.Base(f.Name)},
		scope: &scope{}, told: map[litmus.Error]bool{}, shown: map[string]int{},
		tags: tags, carried: map[string][]string{}, ofC: ofC, ofBPF: ofBPF,
	}
	r.bindBases(tags)
	r.safely(func() {
		if prelude != "" {
			r.include(Include{File: prelude})
			for _, d := range r.model.Defs {
				d.Prelude = true
			}
		}
		r.decls(f.Decls)
		r.model.Shows = slices.DeleteFunc(r.model.Shows, func(s ShowItem) bool { return s.Expr == nil })
		if len(r.errs) == 0 && !f.Broken && len(r.model.Axioms) == 0 {
			r.fail(litmus.Pos{File: f.Name}, "the model has no axiom: want at least one acyclic, irreflexive or empty")
		}
	})
	return r
}

type resolver struct {
	model    *Model
	load     func(string) (string, error)
	included map[string]bool
	reading  []string // the files that are being read, each included by the one before
	scope    *scope
	files    int                 // included, with so many
	bytes    int                 // of text
	depth    int                 // of calls within calls
	nesting  int                 // of expressions, those of the calls among them
	inGroup  bool                // a recursive group's bodies are being resolved
	group    []member            // of that, as far as they are
	guessing int                 // to what kinds these bodies belong: no error is told
	tags     []string            // that events have
	carried  map[string][]string // kinds of instructions, by the tag that they may have
	mixed    bool                // accesses may consist of pieces
	ofC, isC bool                // names are those of C11's events; and should be
	ofBPF    bool                // RL are BPF's releases, not the kernel's spin_is_locked
	isBPF    bool                // the model names AQ, so that it has to be resolved with ofBPF
	forClass bool                // declarations are for each class
	trying   int                 // try expressions that would catch an undefined name
	place    litmus.Pos          // of what was looked at last
	work     int
	built    int            // parts of expressions that are in the model
	shown    map[string]int // where in the model's Shows a name is
	errs     litmus.ErrorList
	told     map[litmus.Error]bool
	missing  bool // an included file is, and names may not be defined for that reason
}

// safely runs f to its end, or to the error that ends it.
func (r *resolver) safely(f func()) {
	defer func() {
		switch e := recover().(type) {
		case nil, enough:
		case *litmus.Error:
			r.errs = append(r.errs, e)
		default:
			panic(e)
		}
	}()
	f()
}

// fail notes an error, once, and gives the value that causes no other.
func (r *resolver) fail(pos litmus.Pos, format string, args ...any) value {
	if r.guessing > 0 {
		return poison
	}
	if e := litmus.Errorf(pos, format, args...); !r.told[*e] {
		r.told[*e] = true
		if r.errs = append(r.errs, e); len(r.errs) >= MaxErrors {
			panic(enough{})
		}
	}
	return poison
}

// bindBases binds the names that every model may use.
func (r *resolver) bindBases(tags []string) {
	for name := range bases {
		r.scope = r.scope.bind(name, baseOf(name))
	}
	if !r.mixed {
		r.scope = r.scope.bind(samePieces, baseOf("id"))
	}
	for _, t := range tags {
		set := value{expr: Base{t, Set}, kind: Set, size: 1}
		r.scope = r.scope.bind(t, set)
		if name := strings.ToLower(t); fences[name] {
			r.scope = r.scope.bind(name, fenceOf(set))
		}
	}
	if r.ofC {
		r.bindC()
	}
	r.bindBPF()
	r.scope = r.scope.bind("emptyset", value{expr: Nothing{}, kind: Either, size: 1})
	for name, f := range builtins {
		r.scope = r.scope.bind(name, value{fn: &function{builtin: f}})
	}
	for name, why := range refused {
		r.scope = r.scope.bind(name, value{fn: &function{builtin: refuse(name, why)}})
	}
}

// fences are those that some models name in lower case: the set of its events where a
// set is wanted, else what the fence stands between.
var fences = map[string]bool{
	"mfence": true, "sfence": true, "lfence": true, "sync": true, "lwsync": true, "eieio": true,
	"isync": true, "isb": true,
	"dmb.sy": true, "dmb.ld": true, "dmb.st": true, "dmb.ish": true, "dmb.ishld": true, "dmb.ishst": true,
	"dsb.sy": true, "dsb.ld": true, "dsb.st": true, "dsb.ish": true, "dsb.ishld": true, "dsb.ishst": true,
}

func fenceOf(set value) value {
	po := Base{"po", Relation}
	before := Binary{Op: Inter, X: po, Y: Binary{Op: Cartesian, X: Base{"_", Set}, Y: set.expr}}
	return value{expr: Binary{Op: Seq, X: before, Y: po}, kind: Relation, size: 7, set: &set}
}

const (
	maxDepthOfCalls = 100
	maxNesting      = 1 << 14
	maxSize         = 1 << 14 // of an expression whose functions are written out
	maxBuilt        = 1 << 16 // of all those together
	maxWork         = 1 << 20 // parts of expressions that are evaluated, and what is like it
)

// spend notes that there is so much work.
func (r *resolver) spend(work int) {
	if r.work += work; r.work > maxWork {
		panic(r.tooLarge())
	}
}

// build notes that an expression of a size is to be in the model.
func (r *resolver) build(size int) {
	if r.built += size; r.built > maxBuilt {
		panic(r.tooLarge())
	}
}

func (r *resolver) tooLarge() *litmus.Error {
	return litmus.Errorf(r.place, "the model is too large once its functions and procedures are expanded")
}

func (r *resolver) tooLong(pos litmus.Pos) value {
	return r.fail(pos, "the expression is too large once its functions are expanded")
}

// call notes that a function or procedure is called; the caller calls what it returns
// when that is over.
func (r *resolver) call(pos litmus.Pos, name string) func() {
	if r.depth++; r.depth > maxDepthOfCalls {
		panic(litmus.Errorf(pos, "calls of %s nest too deeply", name))
	}
	return func() { r.depth-- }
}

func (r *resolver) decls(decls []Decl) {
	for _, d := range decls {
		r.spend(1)
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
			if r.holds(d.If, r.scope) {
				r.decls(d.Then)
			} else {
				r.decls(d.Else)
			}
		case Enum:
			all := value{}
			for _, t := range d.Tags {
				all.of = append(all.of, value{tag: t})
				r.scope = r.scope.bind("'"+t, value{tag: t})
			}
			r.scope = r.scope.bind(d.Name, all)
		case Instructions:
			r.instructions(d)
		case Forall:
			r.forall(d)
		case MatchDecl:
			if i, s := r.pick(d.Match, r.scope); i >= 0 {
				r.scope = s
				r.decls(d.Decls[i])
			}
		case Broken:
			for _, name := range d.Names {
				r.scope = r.scope.bind(name, poison)
			}
		}
	}
}

func (r *resolver) include(d Include) {
	if i := slices.Index(r.reading, d.File); i >= 0 {
		r.fail(d.Pos, "%s includes itself: %s", d.File,
			strings.Join(append(r.reading[i:len(r.reading):len(r.reading)], d.File), " includes "))
		return
	}
	if r.included[d.File] {
		return
	}
	r.included[d.File] = true
	text, err := r.load(d.File)
	if err != nil {
		r.missing = true
		r.fail(d.Pos, "include %q: %v", d.File, err)
		return
	}
	r.files++
	r.bytes += len(text)
	if r.files > MaxFiles || r.bytes > MaxText {
		panic(litmus.Errorf(d.Pos, "the model includes more than %d files, or %d KiB", MaxFiles, MaxText>>10))
	}
	f, err := Parse(d.File, text)
	for _, e := range litmus.Errors(err) {
		r.fail(e.Pos, "%s", e.Msg)
	}
	r.reading = append(r.reading, d.File)
	r.decls(f.Decls)
	r.reading = r.reading[:len(r.reading)-1]
}

// with accepts the coherence orders, of which an execution has one, and the engines go
// through all of them; other orders, of which they choose one; and a set that is one
// relation here and now.
func (r *resolver) with(d With) {
	v := r.value(d.From, r.scope)
	out := poison
	switch {
	case v.poison:
	case v.cos:
		out = baseOf("co")
	case v.order != nil:
		out = r.choose(d, *v.order)
	case len(v.of) == 1 && v.of[0].expr != nil:
		out = r.defined(d.Name, v.of[0])
	default:
		r.fail(d.Pos, "with %s from a %s is not supported: want generate_cos(...) or a set of one relation, or "+
			"linearisations(...)", d.Name, v.what())
	}
	r.scope = r.scope.bind(d.Name, out)
}

// invoke calls a procedure in its own scope. Of what it defines, nothing is
// seen outside.
func (r *resolver) invoke(d Invoke) {
	v, ok := r.find(d.Procedure, r.scope)
	args := make([]value, len(d.Args))
	for i, a := range d.Args {
		args[i] = r.value(a, r.scope)
	}
	if v.poison || !ok && r.missing {
		return
	}
	if v.proc == nil {
		r.fail(d.Pos, "%s is not a procedure", d.Procedure)
		return
	}
	defer r.call(d.Pos, d.Procedure)()
	outside := r.scope
	r.scope = r.bindAll(v.proc.scope, d.Pos, d.Procedure, v.proc.Params, args)
	for _, decl := range v.proc.Body {
		if c, ok := decl.(Check); ok {
			if d.Source.Doc != "" { // what is said of the call is more than what is said of every call
				c.Source.Doc = d.Source.Doc
			}
			r.check(c, d.Name)
			continue
		}
		r.decls([]Decl{decl})
	}
	r.scope = outside
}

func (r *resolver) check(d Check, as string) {
	v := r.expr(d.Expr, r.scope)
	if v.kind == Set && d.Kind != Empty {
		v = r.fail(d.Pos, "%s takes a relation, got a set", d.Kind)
	}
	switch {
	case v.poison:
	case v.per != nil:
		v = r.checkOf(d, v)
	case r.forClass && !isNothing(v.expr):
		v = r.fail(d.Pos, "the check does not depend on the class: want it outside of forall")
	}
	if v.poison {
		return
	}
	r.build(v.size)
	name := d.Name
	if as != "" {
		name = as
	}
	if name == "" {
		name = fmt.Sprintf("%s-%d", d.Kind, len(r.model.Axioms)+len(r.model.Flags)+1)
	}
	if d.Role == Required {
		r.model.Axioms = append(r.model.Axioms, Axiom{name, d.Kind, d.Negated, v.expr, d.Source})
		return
	}
	a := Axiom{name, d.Kind, d.Negated != (d.Role != Flagged), v.expr, d.Source} // what fails raises the other flags
	r.spend(len(r.model.Flags))
	for i := range r.model.Flags {
		if f := &r.model.Flags[i]; f.Name == name && f.Role == d.Role {
			f.Checks = append(f.Checks, a)
			return
		}
	}
	r.model.Flags = append(r.model.Flags, Flag{d.Pos, name, d.Role, []Axiom{a}})
}

func (r *resolver) show(d Show) {
	if i, ok := r.shown[d.Name]; ok {
		r.model.Shows[i].Expr = nil
		delete(r.shown, d.Name)
	}
	if d.Hide {
		return
	}
	if n, ok := d.Expr.(Name); ok {
		if v, defined := r.find(n.Name, r.scope); !defined || v.expr == nil {
			return // models list for show what only some of the tests have
		}
	}
	v := r.expr(d.Expr, r.scope)
	if v.kind == Set {
		v = r.fail(d.Pos, "show takes a relation, got a set")
	}
	if v.poison || isNothing(v.expr) {
		return
	}
	r.build(v.size)
	r.shown[d.Name] = len(r.model.Shows)
	r.model.Shows = append(r.model.Shows, ShowItem{d.Name, v.expr, d.Source})
}
