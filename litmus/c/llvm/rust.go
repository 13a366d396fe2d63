package llvm

import (
	_ "embed"
	"fmt"
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
	startRust   = "rust_start"  // begins the program
	environment = "environment" // std::env::var_os, which has one known name
)

// rustTable has the replacements by path, and rustPrefixes those of the paths that begin so.
var rustTable, rustPrefixes = func() (exact, prefixes map[string]string) {
	exact, prefixes = map[string]string{}, map[string]string{}
	for line := range strings.Lines(rustPaths) {
		fields := strings.Fields(line)
		if len(fields) != 2 || fields[0] == "#" {
			continue
		}
		if prefix, ok := strings.CutSuffix(fields[0], "*"); ok {
			prefixes[prefix] = fields[1]
		} else {
			exact[fields[0]] = fields[1]
		}
	}
	return exact, prefixes
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
	return what != ""
}

// std makes the code of a call of a function of Rust's standard library that has a replacement.
func (l *lowering) std(i *assembly.Instruction, what, path string) {
	if what == environment && l.text(i, len(i.Operands)-2) != "RUST_MIN_STACK" {
		what = doRefuse
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
		l.calls(i, code.Call{Fn: l.shims.at(shim, l.build.Line)})
		return
	}
	if i.Result != "" {
		l.registers(i.Result, i.Type)
	}
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
