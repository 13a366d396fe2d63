package llvm

import (
	"slices"
	"strings"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// C++ exceptions, after the Itanium C++ ABI for exception handling. The runtime keeps the exception in flight of each
// thread in variables: the object, and its type. A call that may throw is followed by a test of the object: a call lets
// the function return, with any value, and an invoke goes to its landing pad. A landing pad takes the exception, and
// its clauses choose a handler by the types; resume puts the exception back.
//
// Most functions cannot throw: throwing has those that can, by the calls in them.

// throwing returns the functions of the module that an exception may leave.
func (u *unit) throwing() map[string]bool {
	out := map[string]bool{}
	if !slices.ContainsFunc(u.module.Functions, func(f *assembly.Function) bool { return isThrow(f.Name) }) {
		return out // such as a program in Rust, whose panics end it
	}
	for again := true; again; {
		again = false
		for _, f := range u.module.Functions {
			if out[f.Name] || f.Attributes.Has("nounwind") {
				continue
			}
			if u.throws(f, out) {
				out[f.Name], again = true, true
			}
		}
	}
	return out
}

// throws reports whether an exception may leave a function, if those may throw that are in known.
func (u *unit) throws(f *assembly.Function, known map[string]bool) bool {
	if len(f.Blocks) == 0 {
		return isThrow(f.Name)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instructions {
			if i.Op == "resume" || i.Op == "call" && u.mayThrow(i, known) {
				return true
			}
		}
	}
	return false
}

// mayThrow reports whether a call may throw.
func (u *unit) mayThrow(i *assembly.Instruction, known map[string]bool) bool {
	callee := stripCasts(i.Callee)
	switch {
	case i.Attrs.Has("nounwind") || callee.Kind == assembly.Assembly:
		return false
	case callee.Kind != assembly.GlobalRef: // any function whose address is taken
		return len(known) > 0
	}
	return known[callee.Name]
}

// rethrowException is std::rethrow_exception(std::exception_ptr).
const rethrowException = "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE"

// isThrow reports whether an external function only throws.
func isThrow(name string) bool {
	return name == "__cxa_throw" || name == "__cxa_rethrow" || name == rethrowException || thrownBy(name) != ""
}

// thrownBy returns the mangled name of the type of the exception that a function of libstdc++ throws, or "".
func thrownBy(name string) string {
	for function, class := range map[string]string{
		"__throw_system_errori": "St12system_error", "__throw_bad_allocv": "St9bad_alloc",
		"__throw_bad_array_new_lengthv": "St20bad_array_new_length",
		"__throw_bad_function_callv":    "St17bad_function_call",
		"__throw_length_errorPKc":       "St12length_error", "__throw_logic_errorPKc": "St11logic_error",
		"__throw_out_of_rangePKc": "St12out_of_range", "__throw_out_of_range_fmtPKcz": "St12out_of_range",
		"__throw_invalid_argumentPKc": "St16invalid_argument", "__throw_runtime_errorPKc": "St13runtime_error",
		"__throw_future_errori": "St12future_error", "__throw_bad_castv": "St8bad_cast",
		"__throw_bad_weak_ptrv": "St12bad_weak_ptr",
	} {
		if strings.HasPrefix(name, "_ZSt") && strings.HasSuffix(name, function) {
			return class
		}
	}
	return ""
}

// bases are the direct bases of the exception classes of the standard library, by mangled names.
var bases = map[string]string{
	"St13runtime_error": "St9exception", "St11logic_error": "St9exception", "St9bad_alloc": "St9exception",
	"St8bad_cast": "St9exception", "St17bad_function_call": "St9exception", "St12bad_weak_ptr": "St9exception",
	"St20bad_array_new_length": "St9bad_alloc", "St12length_error": "St11logic_error",
	"St12out_of_range": "St11logic_error", "St16invalid_argument": "St11logic_error",
	"St12domain_error": "St11logic_error",
	"St12future_error": "St11logic_error", "St11range_error": "St13runtime_error",
	"St14overflow_error":  "St13runtime_error",
	"St15underflow_error": "St13runtime_error", "St12system_error": "St13runtime_error",
}

// typePrefix begins the names of typeinfo objects.
const typePrefix = "_ZTI"

// derives reports whether a type is another or derives from it, by the typeinfo objects of the module, whose elements
// behind the name are the bases, and by bases.
func (u *unit) derives(from, to string) bool {
	if from == to {
		return true
	}
	if b := bases[strings.TrimPrefix(from, typePrefix)]; b != "" {
		return u.derives(typePrefix+b, to)
	}
	g := u.globals[from]
	if g == nil || g.Init == nil || g.Init.Kind != assembly.Aggregate {
		return false
	}
	for _, e := range g.Init.Elements[min(2, len(g.Init.Elements)):] {
		b := stripCasts(e)
		if b.Kind == assembly.GlobalRef && strings.HasPrefix(b.Name, typePrefix) && u.derives(b.Name, to) {
			return true
		}
	}
	return false
}

// typeID numbers the types that handlers name; 1 stands for a handler of everything.
func (u *unit) typeID(v *assembly.Value) uint64 {
	v = stripCasts(v)
	if v.Kind != assembly.GlobalRef {
		return 1
	}
	if u.typeIDs[v.Name] == 0 {
		u.typeIDs[v.Name] = uint64(len(u.typeIDs) + 2)
	}
	return u.typeIDs[v.Name]
}

// typeinfo returns the memory of a typeinfo object, which libraries may have.
func (u *unit) typeinfo(name string) *code.Variable {
	if v := u.variable(name); v != nil {
		return v
	}
	v := &code.Variable{Name: u.lines.demangle(name), Size: 64, Align: 8, Static: true}
	u.variables[name] = v
	return v
}

// inFlight returns the address of a variable of the exception in flight: "thrown" or "thrown_type". It is nil if the
// module throws nothing.
func (l *lowering) inFlight(name string) ir.Expr {
	v := l.shims.variable(name)
	if v == nil {
		return nil
	}
	r := l.build.Temp(l.layout.pointer * 8)
	l.build.Emit(code.Locate{Dst: r, Of: v})
	return l.build.Reg(r)
}

// pending returns whether an exception is in flight, as a bit.
func (l *lowering) pending() ir.Expr {
	bits := l.layout.pointer * 8
	r := l.build.Temp(bits)
	l.build.Emit(code.Load{Dst: r, Addr: l.inFlight("thrown")})
	return code.Not(ir.Eq.Of(l.build.Reg(r), ir.Number(0, bits)))
}

// unwound makes the way of an exception after a call: out of the function.
func (l *lowering) unwound(i *assembly.Instruction) {
	if !l.mayThrow(i, l.throwers) || l.inFlight("thrown") == nil {
		return
	}
	past := l.build.Jump(code.Not(l.pending()))
	l.leave()
	l.build.Land(past)
}

// leave returns from the function with any value.
func (l *lowering) leave() {
	var v ir.Expr
	if bits := l.build.Function.Result; bits > 0 {
		v = l.materialise(constant{bits: bits, any: true})
	}
	l.build.Emit(code.Ret{Value: v})
}

// landingpad takes the exception in flight, and chooses a handler.
func (l *lowering) landingpad(i *assembly.Instruction) {
	object, class := l.inFlight("thrown"), l.inFlight("thrown_type")
	regs := l.registers(i.Result, i.Type)
	if object == nil || len(regs) != 2 {
		l.unsupported("this landing pad is not supported")
		return
	}
	bits := l.layout.pointer * 8
	l.build.Emit(code.Load{Dst: regs[0], Addr: object})
	l.build.Emit(code.Store{Addr: object, Value: ir.Number(0, bits)})
	thrown := l.build.Temp(bits)
	l.build.Emit(code.Load{Dst: thrown, Addr: class})
	var selector ir.Expr = ir.Number(0, 32)
	for k := len(i.Clauses) - 1; k >= 0; k-- {
		c := i.Clauses[k]
		if c.Filter {
			l.unsupported("an exception specification is not supported")
			return
		}
		id := ir.Number(l.typeID(c.Value), 32)
		v := stripCasts(c.Value)
		if v.Kind != assembly.GlobalRef {
			selector = id
			continue
		}
		var caught ir.Expr = ir.Number(0, 1)
		for _, name := range l.thrownTypes() {
			if l.derives(name, v.Name) {
				r := l.build.Temp(bits)
				l.build.Emit(code.Locate{Dst: r, Of: l.typeinfo(name)})
				caught = ir.BitOr.Of(caught, ir.Eq.Of(l.build.Reg(thrown), l.build.Reg(r)))
			}
		}
		selector = ir.Cond{If: caught, Then: id, Else: selector}
	}
	l.build.Emit(code.Assign{Dst: regs[1], Value: selector})
}

// thrownTypes lists the typeinfo objects of all exceptions that the module may throw: the second arguments of
// __cxa_throw, and those of libstdc++'s functions that throw.
func (u *unit) thrownTypes() []string {
	if u.types != nil {
		return u.types
	}
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			u.types = append(u.types, name)
		}
	}
	for _, f := range u.module.Functions {
		if class := thrownBy(f.Name); class != "" {
			add(typePrefix + class)
		}
		for _, b := range f.Blocks {
			for _, i := range b.Instructions {
				if i.Callee == nil || len(i.Operands) < 2 {
					continue
				}
				// The second one makes an exception for std::exception_ptr.
				if callee := stripCasts(i.Callee).Name; callee == "__cxa_throw" ||
					callee == "__cxa_init_primary_exception" {
					add(stripCasts(i.Operands[1]).Name)
				}
			}
		}
	}
	return u.types
}

// resume puts the exception back and leaves the function.
func (l *lowering) resume(i *assembly.Instruction) {
	object := l.inFlight("thrown")
	if object == nil {
		l.unsupported("this landing pad is not supported")
		return
	}
	l.build.Emit(code.Store{Addr: object, Value: l.value(i.Operands[0])[0]})
	l.leave()
}

// throwOf makes the code of a function of libstdc++ that throws an exception of a class.
func (l *lowering) throwOf(class string) {
	bits := l.layout.pointer * 8
	object, at := l.inFlight("thrown"), l.inFlight("thrown_type")
	make := l.shims.function("exception")
	if object == nil || make == nil {
		l.unsupported("C++ exceptions are not supported here")
		return
	}
	made, info := l.build.Temp(bits), l.build.Temp(bits)
	l.build.Emit(code.Call{Dst: made, Fn: l.shims.at(make, l.build.Line)})
	l.build.Emit(code.Locate{Dst: info, Of: l.typeinfo(typePrefix + class)})
	l.build.Emit(code.Store{Addr: at, Value: l.build.Reg(info)})
	l.build.Emit(code.Store{Addr: object, Value: l.build.Reg(made)})
}
