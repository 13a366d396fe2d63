package llvm

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/codegen"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/llvm/assembly"
)

// declarations are the functions of C's library that a module may call, one declaration a line: package cprog knows
// what they do.
//
//go:embed runtime/declarations.txt
var declarations string

// runtime are functions of the C++ runtime, in C. Each is guarded by a macro with its name.
//
//go:embed runtime/runtime.c
var runtime string

// prefix begins the names of shims, so that they differ from the functions that they call.
const prefix = "shim_"

// shims are the functions that a module calls without defining them: those of C's library, wrapped, and those of the
// C++ runtime.
type shims struct {
	unit   *code.Unit // of the shims alone
	copies map[copied]*code.Function
	out    *code.Unit
}

// copied is a shim with the line that all its steps have, which is the line of the call, and the type that the call
// allocates or the name of the thread that it starts, if they are known.
type copied struct {
	of     *code.Function
	line   int
	site   int // the number of the type in the metadata, or -1
	thread string
}

// declaration matches a line of declarations.txt: the result, the name, the parameters.
var declaration = regexp.MustCompile(`^(.*?)(\w+)\((.*)\)$`)

// newShims translates the shims that a module needs.
func newShims(u *unit) (*shims, error) {
	s := &shims{unit: &code.Unit{}, copies: map[copied]*code.Function{}, out: u.out}
	wanted := map[string]bool{}
	if u.copiesAnySize() {
		wanted["memmove"], wanted["memset"], wanted["copy8"] = true, true, true
	}
	for _, f := range u.module.Functions {
		if what, _ := rustReplacement(f.Name); what != "" {
			wanted[what] = true
			wanted[conditionFirm] = wanted[conditionFirm] || what == conditionWait
		} else if len(f.Blocks) == 0 || s.replaces(f) {
			wanted[f.Name] = true
		}
	}
	for _, g := range u.module.Globals {
		if what, _ := rustReplacement(g.Name); what != "" {
			wanted[what] = true
		} else if g.External {
			wanted[g.Name] = true
		}
	}
	if len(u.throwers) > 0 || wanted["_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"] {
		for _, name := range []string{"thrown", "thrown_type", "uncaught", "exception"} {
			wanted[name] = true
		}
	}
	if wanted["exit"] {
		wanted["_exit"] = true
	}
	var text strings.Builder
	text.WriteString("void nothing(void) {}\n")
	if u.options.Termination {
		text.WriteString("#define TERMINATION\n")
	}
	if u.hasMutexKinds() { // the C library supports other mutexes if a program mentions them
		text.WriteString("int shim_kinds(void) { return PTHREAD_MUTEX_RECURSIVE; }\n")
	}
	var roots []string
	for _, line := range strings.Split(declarations, "\n") {
		m := declaration.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || !wanted[m[2]] {
			continue
		}
		parameters, names := parameterNames(m[3])
		back := "return "
		if strings.TrimSpace(m[1]) == "void" {
			back = ""
		}
		fmt.Fprintf(&text, "%s%s%s(%s) { %s%s(%s); }\n", m[1], prefix, m[2], parameters, back, m[2], names)
		roots = append(roots, prefix+m[2])
	}
	var defines []string
	if wanted["copy8"] {
		for _, width := range []string{"8", "4", "2"} {
			roots = append(roots, prefix+"copy"+width, prefix+"set"+width)
		}
	}
	for name := range wanted {
		if !isIdentifier(name) {
			continue
		}
		roots = append(roots, prefix+name)
		if strings.Contains(runtime+rustRuntime, "(NEED_"+name+")") {
			defines = append(defines, "NEED_"+name)
		}
	}
	sort.Strings(defines)
	sort.Strings(roots)
	if len(defines) > 0 {
		text.WriteString(neededParts(runtime, wanted))
		if slices.ContainsFunc(defines, func(name string) bool { return strings.Contains(rustRuntime, "("+name+")") }) {
			text.WriteString(neededParts(rustRuntime, wanted))
		}
		roots = append(roots, prefix+"last") // if the runtime registers functions for the program's end
	}
	var err error
	for _, all := range []bool{false, true} { // with all headers if some are missing
		s.unit, err = codegen.Make(read.Source{
			Files: []read.File{{
				Name: "runtime.c", Text: "#define __litmus_glibc\n" + includes(text.String(), all) + text.String(),
			}}, Defines: defines, ABI: read.ABI{ILP32: u.layout.pointer == 4},
		}, codegen.Options{Entry: "nothing", Roots: roots, Termination: u.options.Termination})
		if err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("BUG: the C library of a module: %w", err)
	}
	return s, nil
}

// copiesAnySize reports whether the module copies or fills memory of a size that is not constant, or so large that the
// copy needs a loop.
func (u *unit) copiesAnySize() bool {
	isLoop := func(i *assembly.Instruction) bool {
		if i.Callee == nil || len(i.Operands) < 3 {
			return false
		}
		name, is := strings.CutPrefix(stripCasts(i.Callee).Name, "llvm.mem")
		return is && (strings.HasPrefix(name, "cpy") || strings.HasPrefix(name, "move") ||
			strings.HasPrefix(name, "set")) && !isSmall(i.Operands[2])
	}
	for _, f := range u.module.Functions {
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instructions, isLoop) {
				return true
			}
		}
	}
	return false
}

// replaces reports whether a shim stands for a function although the module defines it: those that IsReplaced names,
// and reach_error of SV-COMP, a call of which is a failure, whatever it does.
func (s *shims) replaces(f *assembly.Function) bool {
	return f.Name == "reach_error" || IsReplaced(f.Name)
}

// callsRemoved reports whether a function is empty, so that the compiler has removed calls of it.
func callsRemoved(f *assembly.Function) bool {
	return len(f.Blocks) == 1 && f.Blocks[0].Instructions[0].Op == "ret" && !f.Attributes.Has("optnone")
}

// hasMutexKinds reports whether the module may have mutexes that are not normal, such as recursive ones: it sets
// attributes, a type or a name in its debug information says so, or the word with the kind is initialised or written.
func (u *unit) hasMutexKinds() bool {
	if u.defined["pthread_mutexattr_settype"] != nil {
		return true
	}
	isMutex := func(t *assembly.Type) bool { return t != nil && strings.Contains(t.Name, "pthread_mutex") }
	const kind = 4 // the field of struct __pthread_mutex_s, and 16 its offset
	var initialised func(v *assembly.Value) bool
	initialised = func(v *assembly.Value) bool {
		if v == nil || v.Kind != assembly.Aggregate {
			return false
		}
		if isMutex(v.Type) && len(v.Elements) > kind {
			e := v.Elements[kind]
			return e.Int != nil && e.Int.Sign() != 0
		}
		return slices.ContainsFunc(v.Elements, initialised)
	}
	for _, g := range u.module.Globals {
		if initialised(g.Init) {
			return true
		}
	}
	writes := func(i *assembly.Instruction) bool {
		if i.Op != "getelementptr" || len(i.Operands) < 2 {
			return false
		}
		last := i.Operands[len(i.Operands)-1].Int
		if last == nil {
			return false
		}
		return isMutex(i.Type) && last.Int64() == kind || last.Int64() == 16 && len(i.Operands) == 2
	}
	for _, f := range u.module.Functions {
		if strings.Contains(f.Name, "recursive") {
			return true
		}
		for _, b := range f.Blocks {
			if u.defined["pthread_mutex_lock"] != nil && slices.ContainsFunc(b.Instructions, writes) {
				return true
			}
		}
	}
	return u.lines.hasType("recursive_mutex") || u.lines.hasType("recursive_timed_mutex") ||
		u.lines.hasType("__recursive_mutex_base")
}

var identifier = regexp.MustCompile(`^\w+$`)

func isIdentifier(name string) bool { return identifier.MatchString(name) }

// parameterNames gives each parameter type a name, as in "pthread_mutex_t *a0", and lists the names.
func parameterNames(types string) (parameters, names string) {
	if types == "" || types == "void" {
		return "void", ""
	}
	for i, t := range strings.Split(types, ";") {
		if i > 0 {
			parameters, names = parameters+", ", names+", "
		}
		name := fmt.Sprint("a", i)
		if strings.Contains(t, "(*)") {
			parameters += strings.Replace(t, "(*)", "(*"+name+")", 1)
		} else {
			parameters += t + " " + name
		}
		names += name
	}
	return parameters, names
}

// function returns the shim of an external function, or nil.
func (s *shims) function(name string) *code.Function {
	if what, _ := rustReplacement(name); what != "" {
		name = what
	}
	return s.unit.Functions[prefix+name]
}

// variable returns the variable of the runtime that an external variable is, or nil: the one whose address the function
// with its name returns.
func (s *shims) variable(name string) *code.Variable {
	if what, _ := rustReplacement(name); what != "" {
		name = what
	}
	if f := s.unit.Functions[prefix+name]; f != nil && len(f.Params) == 0 {
		for _, step := range f.Code {
			if at, ok := step.Op.(code.Locate); ok && at.Of != nil {
				return at.Of
			}
		}
	}
	return nil
}

// last returns what runs at the program's end, or nil.
func (s *shims) last() *code.Function { return s.unit.Functions[prefix+"last"] }

// at returns a shim for calls from a line. All its steps have that line, and so have the functions that it calls.
func (s *shims) at(f *code.Function, line int) *code.Function {
	return s.copy(copied{f, line, -1, ""}, nil)
}

// starting returns a shim that starts threads with a name.
func (s *shims) starting(f *code.Function, line int, thread string) *code.Function {
	return s.copy(copied{f, line, -1, thread}, nil)
}

// allocating returns a shim that allocates objects of a type of the metadata, which lines names.
func (s *shims) allocating(f *code.Function, line, site int, names *lines) *code.Function {
	return s.copy(copied{f, line, site, ""}, names)
}

// copy returns the copy of a shim that a key describes, with copies of the functions that it calls.
func (s *shims) copy(key copied, names *lines) *code.Function {
	f, line, site := key.of, key.line, key.site
	if out := s.copies[key]; out != nil {
		return out
	}
	out := &code.Function{
		Name: strings.TrimPrefix(f.Name, prefix), Pos: s.out.Lines[line].Pos, Params: f.Params, Result: f.Result,
		Regs: f.Regs, Locals: f.Locals,
	}
	if key.thread != "" && f.Name == threadOfRust {
		out.Name = key.thread
	}
	s.copies[key] = out
	s.out.Functions[fmt.Sprintf("%s at %d of %d %s", f.Name, line, site, key.thread)] = out
	again := func(f *code.Function) *code.Function {
		if f == nil {
			return nil
		}
		return s.copy(copied{f, line, site, key.thread}, names)
	}
	for _, step := range f.Code {
		step.Line = line
		switch o := step.Op.(type) {
		case code.Call:
			o.Fn = again(o.Fn)
			step.Op = o
		case code.Spawn:
			o.Fn = again(o.Fn)
			step.Op = o
		case code.Locate:
			o.Fn = again(o.Fn)
			step.Op = o
		case code.Allocate:
			if names != nil {
				o.Name, o.Layout = names.heap(site, o.Name)
			}
			step.Op = o
		}
		out.Code = append(out.Code, step)
	}
	return out
}
