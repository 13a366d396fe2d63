package llvm

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// Options control the translation.
type Options struct {
	Entry    string // the first function; "" is main
	Overflow bool   // whether to assert that arithmetic with nsw or nuw does not overflow
	// Sources are the texts of the compiled files, by name, for the statements that answers show; they may lack some.
	Sources map[string]string
	Arch    string // the architecture that the program is for; "" for none
	// Termination: whether the property is that all threads end.
	Termination bool
}

// unit is a program under construction.
type unit struct {
	module    *assembly.Module
	layout    layout
	options   Options
	out       *code.Unit
	defined   map[string]*assembly.Function
	globals   map[string]*assembly.Global
	functions map[string]*code.Function
	variables map[string]*code.Variable
	queue     []func() error // functions and initial values that are referred to and not translated yet
	lines     *lines
	shims     *shims
	throwers  map[string]bool   // the functions that an exception may leave
	typeIDs   map[string]uint64 // of typeinfo objects that handlers name
	types     []string          // typeinfo objects of what the module throws
	rust      bool              // whether rustc made the module
	// destructors run when the program ends, the last one first.
	destructors []*assembly.Function
}

// Make translates a module to a program. Errors have positions in the module, or in the source if the module has debug
// information.
func Make(m *assembly.Module, o Options) (*code.Unit, error) {
	l, err := newLayout(m.Layout)
	if err != nil {
		return nil, &litmus.Error{Pos: litmus.Pos{File: m.File, Line: 1, Col: 1}, Msg: err.Error()}
	}
	u := &unit{
		module: m, layout: l, options: o, out: &code.Unit{
			Pointer:   l.pointer * 8,
			Functions: map[string]*code.Function{},
		},
		defined: map[string]*assembly.Function{}, globals: map[string]*assembly.Global{},
		functions: map[string]*code.Function{}, variables: map[string]*code.Variable{},
	}
	u.typeIDs = map[string]uint64{}
	u.lines = newLines(u.out, m, o.Sources)
	if m.Assembly {
		return nil, &litmus.Error{
			Pos: litmus.Pos{
				File: m.File,
				Line: 1,
				Col:  1,
			}, Msg: "the module has assembly outside of functions, which is not supported",
		}
	}
	for _, f := range m.Functions {
		u.defined[f.Name] = f
		if f.Name == "reach_error" && callsRemoved(f) {
			return nil, u.refuse(f.Pos, "%s is empty, so the compiler has removed its calls: compile with -O0, or "+
				"only declare it", f.Name)
		}
	}
	for _, g := range m.Globals {
		u.globals[g.Name] = g
	}
	u.throwers = u.throwing()
	u.rust = slices.ContainsFunc(m.Functions, func(f *assembly.Function) bool {
		what, _ := rustReplacement(f.Name)
		return what == startRust
	})
	if u.shims, err = newShims(u); err != nil {
		return nil, err
	}
	entry := o.Entry
	if entry == "" {
		entry = "main"
	}
	f := u.defined[entry]
	if f == nil || len(f.Blocks) == 0 {
		return nil, &litmus.Error{
			Pos: litmus.Pos{File: m.File, Line: 1, Col: 1},
			Msg: fmt.Sprintf("there is no function %s to begin with", entry),
		}
	}
	begin, err := u.entry(f)
	if err != nil {
		return nil, err
	}
	u.out.Functions[entry+"'"], u.out.Functions[entry] = u.functions[entry], begin
	for len(u.queue) > 0 {
		next := u.queue[0]
		u.queue = u.queue[1:]
		if err := next(); err != nil {
			return nil, err
		}
	}
	return u.out, nil
}

// entry makes the first function: it calls the constructors, then the program's entry with arguments that have any
// value, and then what runs at the program's end.
func (u *unit) entry(f *assembly.Function) (*code.Function, error) {
	out := &code.Function{Name: f.Name, Pos: u.lines.function(f)}
	b := &code.Builder{Function: out, Line: u.lines.of(f, nil)}
	constructors, err := u.listed("llvm.global_ctors")
	if err != nil {
		return nil, err
	}
	if u.destructors, err = u.listed("llvm.global_dtors"); err != nil {
		return nil, err
	}
	u.out.Last = u.shims.last() != nil || len(u.destructors) > 0
	for _, c := range constructors {
		b.Emit(code.Call{Dst: -1, Fn: u.function(c)})
	}
	call := code.Call{Dst: -1, Fn: u.function(f)}
	for i, p := range f.Params {
		parts := u.layout.scalars(p.Type)
		if parts == nil {
			return nil, u.refuse(f.Pos, "a parameter of type %s of the first function is not supported", p.Type)
		}
		for _, s := range parts {
			r := b.Temp(s.bits)
			if f.Name == "main" && i == 1 {
				v := &code.Variable{Name: "argv", Pos: out.Pos, Size: 16 * u.layout.pointer, Align: u.layout.pointer}
				out.Locals = append(out.Locals, v)
				b.Emit(code.Locate{Dst: r, Of: v})
			} else {
				b.Emit(code.Choose{Dst: r})
			}
			if f.Name == "main" && i == 0 {
				b.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(b.Reg(r), ir.Number(0, s.bits)))})
			}
			call.Args = append(call.Args, b.Reg(r))
		}
	}
	ret := code.Ret{Value: ir.Number(0, 32)}
	out.Result = 32
	if call.Fn.Result > 0 {
		call.Dst = b.Temp(call.Fn.Result)
		out.Result = call.Fn.Result
		ret.Value = b.Reg(call.Dst)
	}
	b.Emit(call)
	if check := u.shims.function("uncaught"); check != nil {
		b.Emit(code.Call{Dst: -1, Fn: u.shims.at(check, b.Line)})
	}
	u.end(b)
	b.Emit(ret)
	return out, nil
}

// end calls what runs when the program ends: the functions that it has registered, and then its destructors, which are
// in an order opposite to that of constructors.
func (u *unit) end(b *code.Builder) {
	if last := u.shims.last(); last != nil {
		b.Emit(code.Call{Dst: -1, Fn: u.shims.at(last, b.Line)})
	}
	for _, f := range slices.Backward(u.destructors) {
		b.Emit(code.Call{Dst: -1, Fn: u.function(f)})
	}
}

// listed lists the functions of llvm.global_ctors or llvm.global_dtors, by priority.
func (u *unit) listed(name string) ([]*assembly.Function, error) {
	g := u.globals[name]
	if g == nil || g.Init == nil || g.Init.Kind != assembly.Aggregate {
		return nil, nil
	}
	type constructor struct {
		priority int64
		f        *assembly.Function
	}
	var all []constructor
	for _, e := range g.Init.Elements {
		if e.Kind != assembly.Aggregate || len(e.Elements) < 2 || e.Elements[0].Int == nil {
			return nil, u.refuse(g.Pos, "a function of an unknown form in %s is not supported", name)
		}
		f := u.defined[stripCasts(e.Elements[1]).Name]
		if f == nil || len(f.Blocks) == 0 {
			return nil, u.refuse(g.Pos, "%s names a function that is not defined", name)
		}
		if len(f.Params) > 0 {
			return nil, u.refuse(g.Pos, "%s, which %s names, has parameters", u.lines.demangle(f.Name), name)
		}
		all = append(all, constructor{e.Elements[0].Int.Int64(), f})
	}
	slices.SortStableFunc(all, func(a, b constructor) int { return int(a.priority - b.priority) })
	var out []*assembly.Function
	for _, c := range all {
		out = append(out, c.f)
	}
	return out, nil
}

// stripCasts returns what a constant casts.
func stripCasts(v *assembly.Value) *assembly.Value {
	for v.Kind == assembly.Constant && (v.Op == "bitcast" || v.Op == "addrspacecast") {
		v = v.Elements[0]
	}
	return v
}

func (u *unit) refuse(pos litmus.Pos, format string, args ...any) error {
	return &litmus.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// function returns the code of a defined function, which is made later.
func (u *unit) function(f *assembly.Function) *code.Function {
	if out, ok := u.functions[f.Name]; ok {
		return out
	}
	out := &code.Function{Name: u.lines.name(f), Pos: u.lines.function(f)}
	if parts := u.layout.scalars(f.Result); len(parts) == 1 {
		out.Result = parts[0].bits
	}
	u.functions[f.Name] = out
	u.out.Functions[f.Name] = out
	u.queue = append(u.queue, func() error { return u.lower(f, out) })
	return out
}

// hidden says whether a function returns its result in memory whose address is its first parameter.
func (u *unit) hidden(result *assembly.Type) bool {
	return result.Kind != assembly.Void && len(u.layout.scalars(result)) != 1
}

// A constant in memory may not be written.
const constantWritten code.ReadOnly = "a constant is written (LLVM language reference, global variables)"

// variable returns the memory of a global variable, or nil if the module does not define it and nobody knows it.
func (u *unit) variable(name string) *code.Variable {
	if v, ok := u.variables[name]; ok {
		return v
	}
	g := u.globals[name]
	if g == nil {
		return nil
	}
	if g.Type != nil && u.layout.size(g.Type) > mostObject {
		panic(refusal{u.refuse(g.Pos, "@%s has more than %d bytes, which is not supported", g.Name, mostObject)})
	}
	v := &code.Variable{
		Name: u.lines.variableName(g), Pos: u.lines.variable(g), Size: max(1, u.layout.size(g.Type)),
		Align: max(g.Align, u.layout.align(g.Type)), PerThread: g.Local, Static: true,
		Layout: u.lines.layout(g, u.layout),
	}
	if own := u.shims.variable(name); own != nil && (g.External || IsReplaced(name)) {
		u.variables[name] = own
		return own
	}
	if g.External {
		if !externals[name] && !strings.HasPrefix(name, "_ZTV") && !strings.HasPrefix(name, "_ZTI") {
			return nil
		}
		v.Size = max(v.Size, 64)
	}
	u.variables[name] = v
	if g.Constant {
		v.ReadOnly = constantWritten
	}
	if g.Init != nil {
		u.queue = append(u.queue, func() (err error) {
			defer recovered(&err)
			v.Init = u.initial(g.Pos, g.Init, 0, nil)
			return nil
		})
	}
	return v
}

// externals are the variables of C's and C++'s libraries that programs use; they are 0. __libc_single_threaded is not 0
// while the program has one thread: libstdc++ then counts references without atomic operations, which makes no
// difference.
var externals = map[string]bool{
	"stdin": true, "stdout": true, "stderr": true, "__dso_handle": true, "__libc_single_threaded": true,
	"_ZSt7nothrow": true,
}

// refusal is what the translation of a constant panics with.
type refusal struct{ err error }

func recovered(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(refusal)
		if !ok {
			panic(r)
		}
		*err = f.err
	}
}

// initial lists the scalars of an initial value that are not zero.
func (u *unit) initial(pos litmus.Pos, v *assembly.Value, at int, into []code.Initial) []code.Initial {
	t := v.Type
	if packed(t) && v.Kind != assembly.Zero {
		panic(refusal{u.refuse(pos, "an initial value of type %s is not supported", t)})
	}
	switch v.Kind {
	case assembly.Zero, assembly.Null, assembly.Undef, assembly.Poison:
		return into
	case assembly.Chars:
		for i := range len(v.Name) {
			if v.Name[i] != 0 {
				into = append(into, code.Initial{Offset: at + i, Bits: 8, Value: uint64(v.Name[i])})
			}
		}
		return into
	case assembly.Aggregate:
		for i, e := range v.Elements {
			offset := 0
			switch t.Kind {
			case assembly.Struct:
				offset = u.layout.offset(t, i)
			case assembly.Array:
				offset = i * u.layout.size(t.Elem)
			default:
				offset = i * u.layout.stored(t.Elem)
			}
			into = u.initial(pos, e, at+offset, into)
		}
		return into
	case assembly.Splat:
		for i := range t.Len {
			into = u.initial(pos, v.Elements[0], at+i*u.layout.stored(t.Elem), into)
		}
		return into
	}
	parts := u.layout.scalars(t)
	values := u.constant(pos, v)
	if len(parts) != len(values) {
		panic(refusal{u.refuse(pos, "an initial value of type %s is not supported", t)})
	}
	for i, s := range parts {
		c := values[i]
		into = append(into, code.Initial{
			Offset: at + s.offset, Bits: s.stored * 8, Value: c.value, Of: c.of, Function: c.fn,
		})
	}
	return into
}
