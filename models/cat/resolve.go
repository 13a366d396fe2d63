package cat

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Resolving a model leaves only definitions, checks and shown relations, over the sets and relations that executions
// provide.
//
// Scope. A scope is a chain of bindings, innermost first. A name refers to its latest binding before its place, and let
// binds a name again without changing earlier uses. So let sync = sync | isync has two different sync, and none of
// let's bindings sees another of the same let. Functions and procedures keep the scope of their definition. An include
// is read into the includer's scope, once: a second include of the same file has no effect. The outermost scope has the
// base names, the next one the names of the prelude.
//
// Inlining. Expressions are evaluated as far as possible without an execution: functions, tuples, tags, conditions, and
// sets of tags or of relations are gone in the end. At a call, the function's body is evaluated again in its scope with
// its parameters bound. All work is counted, by the part of an expression, and bounded; so are nesting and the size of
// the result, so that no text takes long. A set or relation that gets a name, by let or as an argument, becomes a
// definition, which the model's readers evaluate once however often it is used.
//
// Empty sets. Published models name many events that do not occur here, such as accesses of page tables. Their sets are
// empty as written, and an operator with an empty operand is worked out at once, so that little is left of it. A match
// accepts a set of such events as {}.
//
// Recursion. The members of a let rec are bound before their bodies are evaluated, to definitions without a body. They
// may be sets and relations, whose meaning is the result of evaluating their bodies from nothing, one after the other,
// over and over: the least solution, if no member occurs in a position where more of it means less. If one does,
// evaluation might not terminate; such a group is rejected unless each cycle of the recursion passes a member that is
// defined as itself or more. Within a group, parameters do not become definitions, because what depends on a growing
// relation must be evaluated with it. Or the members may be functions, which are inlined like any other: a match or an
// if, decided during resolution, ends the recursion.
//
// Errors. An expression with an error evaluates to a poisoned value. Values made of it are poisoned without another
// report, so that one run finds every error. Only try must know at once that a name is not defined, and leaves by a
// panic, as does the excess of a bound.

// Model is a memory model with every name bound: the input of checkers and engines.
type Model struct {
	Title  string
	Defs   []*Def // in the order of their text; a Ref goes to an earlier one, or to its own recursive group
	Orders []*Order
	Axioms []Axiom
	Flags  []Flag
	Shows  []ShowItem
	Absent []Absent // in the order of discovery
	Bell   *Bell    // what tests in LISA may have; nil if no bell file declares it
}

// Order is a total order over the events of a set that an execution has besides rf and co: any order that the axioms
// allow. Axioms refer to it as a Chosen. That it extends a relation is an axiom like others.
type Order struct {
	Name    string
	Set     Expr
	Extends Expr // it agrees with this relation; Nothing if there is none
	// ByLocation: it orders only events of one location.
	ByLocation bool
}

// Def is the value of a let, with functions inlined.
type Def struct {
	Name  string
	Body  Expr
	Kind  Kind
	Group []*Def // the recursive group it belongs to; nil when it is not recursive
	// Settles: more of some member of the group means less of another, so the group has no least solution. Evaluation
	// from nothing, round after round, terminates.
	Settles bool
	// Prelude: the prelude defines it, so its name is reliable.
	Prelude bool
	Source  Source
}

// Axiom is a check that an execution must pass.
type Axiom struct {
	Name    string // its name, or its kind and number
	Kind    CheckKind
	Negated bool
	Expr    Expr
	Source  Source
}

// Flag is a property of executions that a model reports besides allowing them. An execution raises the flag if it
// passes one of Checks.
type Flag struct {
	Pos    litmus.Pos
	Name   string
	Role   Role // any but Required
	Checks []Axiom
}

// Undefined reports whether an execution that raises the flag has undefined behaviour.
func (f *Flag) Undefined() bool { return f.Role == UndefinedUnless }

// ShowItem is a relation to draw.
type ShowItem struct {
	Name   string
	Expr   Expr
	Source Source
}

// bases are the sets and relations that executions provide. The tags of the dialects are separate.
var bases = map[string]Kind{
	"_": Set, "R": Set, "W": Set, "M": Set, "F": Set, "IW": Set, "FW": Set,
	"po": Relation, "rf": Relation, "co": Relation, "rmw": Relation,
	"addr": Relation, "data": Relation, "ctrl": Relation,
	"loc": Relation, "int": Relation, "ext": Relation, "id": Relation,
	samePieces: Relation,
	"scta":     Relation, "sgpu": Relation, "ssg": Relation, "swg": Relation, "sqf": Relation, "sdv": Relation,
	"vloc": Relation, "ssw": Relation, "syncbar": Relation,
	"LIVE": Set, "remaps": Relation,
}

// samePieces relates the pieces of one access, and each event to itself. If no access is split, it is the identity.
const samePieces = "sm"

// Resolve follows the includes of a file, binds names and inlines functions. load returns an included file's text.
// prelude names a file that every model includes first; it may be empty. tags are the names of tags, which are sets of
// events. mixed is for tests in which accesses may consist of pieces. Errors, in included files too, are a
// [litmus.ErrorList].
func Resolve(
	f *File, load func(name string) (string, error), prelude string, tags []string, mixed bool,
) (*Model, error) {
	r := resolve(f, load, prelude, tags, mixed, dialectOf{})
	if r.found != (dialectOf{}) {
		r = resolve(f, load, prelude, tags, mixed, r.found)
	}
	return r.model, r.errs.Sorted().Err()
}

// resolve is Resolve with the meanings that models of some dialects give to names. The result says which dialects'
// names the model uses.
func resolve(
	f *File, load func(name string) (string, error), prelude string, tags []string, mixed bool, of dialectOf,
) *resolver {
	r := &resolver{
		mixed: mixed,
		model: &Model{Title: f.Title}, load: load, included: map[string]bool{}, reading: []string{path.Base(f.Name)},
		scope: &scope{}, told: map[litmus.Error]bool{}, shown: map[string]int{},
		tags: tags, carried: map[string][]string{}, of: of,
	}
	r.bindBases(tags)
	r.safely(func() {
		if prelude != "" {
			r.include(Include{File: prelude})
			for _, d := range r.model.Defs {
				d.Prelude = true
			}
		}
		if of.ptx {
			r.include(Include{File: ptxWords})
		}
		r.decls(f.Decls)
		r.nested()
		r.model.Shows = slices.DeleteFunc(r.model.Shows, func(s ShowItem) bool { return s.Expr == nil })
		if len(r.errs) == 0 && !f.Broken && len(r.model.Axioms) == 0 {
			r.fail(litmus.Pos{File: f.Name}, "the model has no axiom: want at least one acyclic, irreflexive or empty")
		}
	})
	return r
}

// dialectOf says which dialects' names a model uses, where other models use the names for something else.
type dialectOf struct {
	c   bool // names of C11's events
	bpf bool // RL are BPF's releases, not the kernel's spin_is_locked
	ptx bool // co is partial, and there is an order of fence.sc
}

// ptxWords is the file with what published models of PTX take for granted. A model that uses one of these names, which
// no other model has, is resolved with it.
const ptxWords = "ptx-words.cat"

var namesOfPTX = map[string]bool{"sr": true, "sync_fence": true}

type resolver struct {
	model    *Model
	load     func(string) (string, error)
	included map[string]bool
	reading  []string // the files being read, each included by the previous one
	scope    *scope
	files    int                 // number of included files
	bytes    int                 // their text
	depth    int                 // of calls in calls
	nesting  int                 // of expressions, including those of the calls
	inGroup  bool                // resolving the bodies of a recursive group
	group    []member            // its members so far
	guessing int                 // finding the kinds of these bodies: errors are not reported
	tags     []string            // that events have
	carried  map[string][]string // kinds of instructions, by a tag that they may have
	mixed    bool                // accesses may consist of pieces
	of       dialectOf           // names have the meanings that models of these dialects give them
	found    dialectOf           // the dialects whose names the model uses, so that it has to be resolved with them
	forClass bool                // resolving declarations for each class
	trying   int                 // enclosing try expressions that would catch an undefined name
	place    litmus.Pos          // the last place examined
	work     int
	built    int            // parts of expressions in the model
	shown    map[string]int // index of a name in the model's Shows
	errs     litmus.ErrorList
	told     map[litmus.Error]bool
	missing  bool // an included file is missing, so names may be undefined because of that
}

// safely runs f to its end, or to the error that stops it.
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

// fail reports an error once, and returns the poisoned value, which causes no other.
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

// bindBases binds the base names.
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
	if r.of.c {
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

// fences are names of fences that some models write in lower case: the set of its events where a set is required, else
// the pairs around the fence.
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
	maxSize         = 1 << 14 // parts of an expression after inlining
	maxBuilt        = 1 << 16 // parts of all expressions together
	maxWork         = 1 << 20 // evaluated parts of expressions, and similar work
)

// spend counts work, and stops resolution at the bound.
func (r *resolver) spend(work int) {
	if r.work += work; r.work > maxWork {
		panic(r.tooLarge())
	}
}

// build counts the size of an expression that becomes part of the model.
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

// call records that a function or procedure is called. The caller calls the returned function at the end of the call.
func (r *resolver) call(pos litmus.Pos, name string) func() {
	if r.depth++; r.depth > maxDepthOfCalls {
		panic(litmus.Errorf(pos, "calls of %s nest too deeply", name))
	}
	return func() { r.depth-- }
}

// decls resolves declarations in order. Declarations with an error bind their names to the poisoned value.
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
			if r.evalCondition(d.If, r.scope) {
				r.decls(d.Then)
			} else {
				r.decls(d.Else)
			}
		case Enum:
			r.enum(d)
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

// include resolves the declarations of another file, once, within the bounds on files and text. A file that includes
// itself is an error.
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

// with handles the sets that "with x from S" accepts: the coherence orders, of which an execution has one and the
// engines explore all; other orders, of which the engines choose one; and a set with one known relation.
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

// invoke calls a procedure in its own scope. Its definitions are not visible outside.
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
			if d.Source.Doc != "" { // the comment of the call is more specific
				c.Source.Doc = d.Source.Doc
			}
			r.check(c, d.Name)
			continue
		}
		r.decls([]Decl{decl})
	}
	r.scope = outside
}

// check adds an axiom or a flag to the model. as is the name from an enclosing call, used unless the check has its own.
// A check that depends on a class stands for all classes.
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
	a := Axiom{name, d.Kind, d.Negated != (d.Role != Flagged), v.expr, d.Source} // for other flags, failure raises them
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
			return // published models list relations to show that only some tests have
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
