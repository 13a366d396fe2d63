package llvm

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// rustPaths are the functions and variables of Rust's standard library that the translation replaces.
//
//go:embed runtime/rust.txt
var rustPaths string

// rustRuntime are their replacements in C. Each is guarded by a macro with its name.
//
//go:embed runtime/rust.c
var rustRuntime string

// What rust.txt says of a path that has no function in C.
const (
	doNothing   = "nothing"
	doPanic     = "panic"
	doRefuse    = "refuse"
	spurious    = "spurious"    // a wait that may return at once; IsReplaced is false
	startRust   = "rust_start"  // begins the program
	environment = "environment" // std::env::var_os, which has one known name

	startThread   = "rust_thread_new"
	threadOfRust  = "rust_thread" // the function that its threads run
	conditionWait = "rust_condition_wait"
	conditionFirm = "rust_condition_firm" // the same for callers in std, which test for an early end
)

// rustTable has the replacements by path, rustPrefixes those of the paths that begin so, and rustOutlined the paths of
// functions that the compiler must not inline.
var rustTable, rustPrefixes, rustOutlined = func() (exact, prefixes map[string]string, outlined map[string]bool) {
	exact, prefixes, outlined = map[string]string{}, map[string]string{}, map[string]bool{}
	for line := range strings.Lines(rustPaths) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		outlined[fields[0]] = len(fields) == 3 && fields[2] == "outlined"
		if prefix, ok := strings.CutSuffix(fields[0], "*"); ok {
			prefixes[prefix] = fields[1]
		} else {
			exact[fields[0]] = fields[1]
		}
	}
	return exact, prefixes, outlined
}()

// rustPath returns the path of a mangled name of Rust: without the hash of the crate and without generic arguments. It
// is "" for names of other languages.
func rustPath(name string) string {
	if !strings.HasPrefix(name, "_R") && !(strings.HasPrefix(name, "_ZN") && strings.Contains(name, "17h")) {
		return ""
	}
	path, err := demangle.ToString(name, demangle.NoParams)
	if err != nil {
		return ""
	}
	return withoutArguments(path)
}

// withoutArguments removes generic arguments from a path.
func withoutArguments(path string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(path); i++ { // <A>::f becomes A::f, and f::<A> becomes f
		switch c := path[i]; {
		case c == '<' && (depth > 0 || i > 0 && path[i-1] != ' '):
			depth++
		case c == '<':
		case c == '>' && i > 0 && path[i-1] == '-':
		case c == '>' && depth > 0:
			depth--
		case c == '>':
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), "::::", "::"), "::")
}

// rustReplacement returns what rust.txt says of a mangled name, and its path; "" if the name has no row.
func rustReplacement(name string) (what, path string) {
	if path = rustPath(name); path == "" {
		return "", ""
	}
	if what = rustTable[path]; what != "" {
		return what, path
	}
	for prefix, w := range rustPrefixes {
		if strings.HasPrefix(path, prefix) {
			return w, path
		}
	}
	return "", path
}

// IsReplaced reports whether a function or a variable of a module in Rust has a replacement, so that its definition is
// not needed.
func IsReplaced(name string) bool {
	what, _ := rustReplacement(name)
	return what != "" && what != spurious
}

// Inlined lists the functions with replacements that a module in Rust has inlined, by their debug information, although
// it must not. Their names are mangled.
func Inlined(module string) []string {
	seen := map[string]bool{}
	const key = `linkageName: "`
	for rest := module; ; {
		at := strings.Index(rest, key)
		if at < 0 {
			return slices.Sorted(maps.Keys(seen))
		}
		rest = rest[at+len(key):]
		name, _, _ := strings.Cut(rest, `"`)
		if !seen[name] && rustOutlined[rustPath(name)] {
			seen[name] = true
		}
	}
}

// std makes the code of a call of a function of Rust's standard library that has a replacement.
func (l *lowering) std(i *assembly.Instruction, what, path string) {
	if what == environment && l.text(i, len(i.Operands)-2) != "RUST_MIN_STACK" {
		what = doRefuse
	}
	if what == conditionWait && strings.HasPrefix(rustPath(l.f.Name), "std::") {
		what = conditionFirm
	}
	switch what {
	case doNothing:
	case doPanic:
		l.build.Emit(code.Assert{Cond: ir.Number(0, 1), Property: ir.Assertion, Text: l.panicText(i, path)})
		l.build.Emit(code.Assume{Cond: ir.Number(0, 1)})
	case doRefuse:
		l.unsupported("%s of Rust's standard library is not supported", path)
	default:
		shim := l.shims.function(what)
		if shim == nil {
			panic(fmt.Sprintf("BUG: rust.c has no function %s", what))
		}
		fn := l.shims.starting(shim, l.build.Line, l.started(i, what))
		if site := l.allocated(i, what); site >= 0 {
			fn = l.shims.allocating(shim, l.build.Line, site, l.lines)
		}
		l.calls(i, code.Call{Fn: fn})
		return
	}
	if i.Result != "" {
		l.registers(i.Result, i.Type)
	}
}

// started returns the path of the closure or the function that a thread runs which a call of startThread starts; ""
// for other calls, or if it is not known. Its last argument points to a structure with a table of functions, which std
// has made for that closure.
func (l *lowering) started(i *assembly.Instruction, what string) string {
	if what != startThread || len(i.Operands) == 0 {
		return ""
	}
	for _, field := range l.users[i.Operands[len(i.Operands)-1].Name] {
		for _, use := range append(l.users[field.Result], field) {
			if use.Op != "store" || use.Operands[0].Kind != assembly.GlobalRef {
				continue
			}
			table := l.globals[use.Operands[0].Name]
			if table == nil || table.Init == nil {
				continue
			}
			for _, e := range table.Init.Elements {
				if e.Kind != assembly.GlobalRef {
					continue
				}
				if name := spawned(demangle.Filter(e.Name, demangle.NoParams)); name != "" {
					return l.lines.withoutCrate(name)
				}
			}
		}
	}
	return ""
}

// allocated returns the number in the metadata of the type that a call of Rust's allocator makes an object of; -1 if it
// is not known. The call is inlined into the constructor of a Box, an Arc or a Rc, whose generic argument is the type.
func (l *lowering) allocated(i *assembly.Instruction, what string) int {
	if what != "rust_alloc" && what != "rust_alloc_zeroed" {
		return -1
	}
	n := l.module.Metadata[i.Debug]
	for range 100 {
		if n == nil {
			return -1
		}
		if name := l.lines.linkage(l.lines.node(n.Fields["scope"])); name != "" {
			if site := l.lines.boxed(demangle.Filter(name, demangle.NoParams)); site >= 0 {
				return site
			}
		}
		n = l.lines.node(n.Fields["inlinedAt"])
	}
	return -1
}

// spawned returns the first generic argument of std's function spawn_unchecked in the name of another.
func spawned(name string) string {
	_, rest, ok := strings.Cut(name, "spawn_unchecked<")
	if !ok {
		return ""
	}
	depth := 0
	for at := range len(rest) {
		switch c := rest[at]; {
		case c == '<' || c == '(':
			depth++
		case c == '>' && at > 0 && rest[at-1] == '-':
		case c == ',' && depth == 0, c == '>' && depth == 0:
			return withoutArguments(rest[:at])
		case c == '>' || c == ')':
			depth--
		}
	}
	return ""
}

// waits calls a function of std that waits and may return without a reason. It is not called at all: those are the runs
// in which it returns late. If the property is termination, the call is a choice, so that a lost notification is found.
func (l *lowering) waits(i *assembly.Instruction, f *assembly.Function) {
	if !l.options.Termination {
		return
	}
	early := l.build.Temp(1)
	l.build.Emit(code.Choose{Dst: early})
	end := l.build.Jump(l.build.Reg(early))
	l.calls(i, code.Call{Fn: l.function(f)})
	l.build.Land(end)
}

// panicText is the message of a panic, as far as it is constant.
func (l *lowering) panicText(i *assembly.Instruction, path string) string {
	_, last, _ := cutLast(path, "::")
	switch last {
	case "panic", "panic_nounwind", "panic_str_2015", "panic_display", "expect_failed", "begin_panic":
		if text := l.sized(i, 0); text != "" {
			return "panic: " + text
		}
	case "unwrap_failed":
		if strings.HasPrefix(path, "core::option") {
			return "panic: called `Option::unwrap()` on a `None` value"
		}
		if text := l.sized(i, 0); text != "" {
			return "panic: " + text
		}
	case "panic_fmt", "panic_nounwind_fmt", "panic_fmt_rt":
		if text := l.formatted(i); text != "" {
			return "panic: " + text
		}
	case "assert_failed", "assert_failed_inner":
		kind := "=="
		if k := i.Operands[0]; k.Kind == assembly.Int && k.Int.Int64() == 1 {
			kind = "!="
		}
		return "panic: assertion `left " + kind + " right` failed"
	case "panic_bounds_check":
		return "panic: index out of bounds"
	case "abort":
		return "the program aborts"
	}
	if text, ok := strings.CutPrefix(last, "panic_const_"); ok {
		words := strings.ReplaceAll(text, "_", " ")
		if operation, ok := strings.CutSuffix(words, " overflow"); ok {
			return "panic: attempt to " + operation + " with overflow"
		}
		return "panic: " + words
	}
	return "panic: " + path
}

// cutLast splits a text at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// bytes returns the constant bytes that an operand points to, or "".
func (l *lowering) bytes(v *assembly.Value) string {
	v = stripCasts(v)
	if g := l.globals[v.Name]; v.Kind == assembly.GlobalRef && g != nil && g.Init != nil {
		init := g.Init
		for init.Kind == assembly.Aggregate && len(init.Elements) > 0 {
			init = init.Elements[0]
		}
		if init.Kind == assembly.Chars {
			return init.Name
		}
	}
	return ""
}

// sized returns the constant string whose address and size are two operands, or "".
func (l *lowering) sized(i *assembly.Instruction, at int) string {
	if at+1 >= len(i.Operands) {
		return ""
	}
	n := i.Operands[at+1]
	text := l.bytes(i.Operands[at])
	if n.Kind != assembly.Int || n.Int.Int64() > int64(len(text)) {
		return ""
	}
	return strings.ToValidUTF8(text[:n.Int.Int64()], "?")
}

// formatted returns the text of the first two operands, a fmt::Arguments of std 1.95. Its first word points to a
// string if the second is odd: then that is twice the length and 1. Otherwise it points to a template: a byte below
// 128 counts the bytes of text behind it, 0 ends it, and larger bytes stand for arguments, which become "…".
func (l *lowering) formatted(i *assembly.Instruction) string {
	if len(i.Operands) < 2 {
		return ""
	}
	template, second := l.bytes(i.Operands[0]), i.Operands[1]
	if second.Kind == assembly.Constant && second.Op == "inttoptr" && second.Elements[0].Kind == assembly.Int {
		n := second.Elements[0].Int.Int64()
		if n%2 == 1 && int(n/2) <= len(template) {
			return strings.ToValidUTF8(template[:n/2], "?")
		}
		return ""
	}
	var b strings.Builder
	for at := 0; at < len(template) && template[at] != 0; {
		n := int(template[at])
		at++
		switch {
		case n < 0x80 && at+n <= len(template):
			b.WriteString(template[at : at+n])
			at += n
		case n == 0xC0:
			b.WriteString("…")
		default: // a format with options
			b.WriteString("…")
			at = len(template)
		}
	}
	return strings.ToValidUTF8(b.String(), "?")
}
