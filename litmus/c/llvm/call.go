package llvm

import (
	"strings"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/codegen"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// call makes the code of call and invoke.
func (l *lowering) call(i *assembly.Instruction) {
	callee := stripCasts(i.Callee)
	if callee.Kind == assembly.GlobalRef {
		for range 20 { // aliases
			g := l.globals[callee.Name]
			if g == nil || g.Alias == nil {
				break
			}
			callee = stripCasts(g.Alias)
		}
	}
	switch {
	case callee.Kind == assembly.Assembly:
		l.assembly(i, callee)
	case callee.Kind == assembly.GlobalRef && strings.HasPrefix(callee.Name, "llvm."):
		l.intrinsic(i, callee.Name)
	case callee.Kind == assembly.GlobalRef && l.defined[callee.Name] != nil:
		f := l.defined[callee.Name]
		if len(f.Blocks) > 0 && !l.shims.replaces(f) {
			if what, _ := rustReplacement(f.Name); what == spurious {
				l.waits(i, f)
				return
			}
			l.calls(i, code.Call{Fn: l.function(f)})
			return
		}
		l.external(i, f)
	default:
		l.calls(i, code.Call{Target: l.one(i.Callee)})
	}
}

// arguments returns the scalars of a call's arguments.
func (l *lowering) arguments(i *assembly.Instruction) []ir.Expr {
	var out []ir.Expr
	for k, v := range i.Operands {
		if v.Type.Kind == assembly.MetadataType {
			continue
		}
		if t := i.ByVal[k]; t != nil { // a copy that the callee owns
			copied := l.local("argument", max(1, l.layout.size(t)), l.layout.align(t))
			r := l.build.Temp(l.layout.pointer * 8)
			l.build.Emit(code.Locate{Dst: r, Of: copied})
			l.build.Emit(code.Begin{Of: copied})
			l.copy(l.build.Reg(r), l.one(v), l.layout.scalars(t))
			out = append(out, l.build.Reg(r))
			continue
		}
		out = append(out, l.value(v)...)
	}
	return out
}

// calls emits a call with the instruction's arguments, and sets its result.
func (l *lowering) calls(i *assembly.Instruction, c code.Call) {
	c.Dst = -1
	args := l.arguments(i)
	if !l.hidden(i.Type) {
		c.Args = args
		if i.Type.Kind != assembly.Void && i.Result != "" {
			c.Dst = l.registers(i.Result, i.Type)[0]
		}
		l.build.Emit(c)
		return
	}
	result := l.local("result", max(1, l.layout.size(i.Type)), l.layout.align(i.Type))
	r := l.build.Temp(l.layout.pointer * 8)
	l.build.Emit(code.Locate{Dst: r, Of: result})
	l.build.Emit(code.Begin{Of: result})
	c.Args = append([]ir.Expr{l.build.Reg(r)}, args...)
	l.build.Emit(c)
	if i.Result == "" {
		return
	}
	var out []ir.Expr
	for _, s := range l.layout.scalars(i.Type) {
		out = append(out, l.read(l.build.Reg(r), s, code.Access{Copied: true}))
	}
	l.set(i, out...)
}

// copy copies scalars from an address to another.
func (l *lowering) copy(to, from ir.Expr, parts []scalar) {
	values := make([]ir.Expr, len(parts))
	for k, s := range parts {
		values[k] = l.read(from, s, code.Access{Copied: true})
	}
	for k, s := range parts {
		l.write(to, s, values[k], code.Access{})
	}
}

// external calls a function that the module only declares.
func (l *lowering) external(i *assembly.Instruction, f *assembly.Function) {
	name := f.Name
	if what, path := rustReplacement(name); what != "" {
		l.std(i, what, path)
		return
	}
	switch name {
	case "__assert_fail", "__assert_rtn", "__assert_func":
		at := map[string]int{"__assert_fail": 0, "__assert_rtn": 3, "__assert_func": 3}[name]
		l.build.Emit(code.Assert{Cond: ir.Number(0, 1), Property: ir.Assertion, Text: l.text(i, at)})
		return
	case "printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fflush", "fwrite", "perror", "vfprintf",
		"vprintf", "__printf_chk", "__fprintf_chk":
		if i.Result != "" { // the number of characters, or an error
			for _, r := range l.registers(i.Result, i.Type) {
				l.build.Emit(code.Choose{Dst: r})
			}
		}
		return
	}
	if shim := l.shims.function("_exit"); name == "exit" && shim != nil {
		l.end(l.build)
		l.calls(i, code.Call{Fn: l.shims.at(shim, l.build.Line)})
		return
	}
	if class := thrownBy(name); class != "" {
		l.throwOf(class)
		return
	}
	if strings.HasPrefix(name, "__VERIFIER_nondet_") || strings.HasPrefix(name, "nondet_") {
		l.anything(i, name)
		return
	}
	if shim := l.shims.function(name); shim != nil {
		out := l.shims.at(shim, l.build.Line)
		if l.module.Metadata[i.Site] != nil {
			out = l.shims.allocating(shim, l.build.Line, i.Site, l.lines)
		}
		l.calls(i, code.Call{Fn: out})
		return
	}
	if i.Result != "" {
		l.registers(i.Result, i.Type)
	}
	l.build.Emit(code.Unsupported{Text: l.unknown(f)})
}

// unknown is the refusal of a function that nobody defines.
func (u *unit) unknown(f *assembly.Function) string {
	switch strings.TrimLeft(f.Name, "_") {
	case "setjmp", "sigsetjmp", "longjmp", "siglongjmp", "longjmp_chk":
		return f.Name + " is not supported: a jump out of a function"
	case "fork", "vfork":
		return f.Name + " is not supported: a program of several processes"
	}
	return u.lines.demangle(f.Name) + " is neither defined in the module nor known: compile the file that defines " +
		"it, too, or define it in the program"
}

// unknownFunction is the code of such a function, for its address.
func (u *unit) unknownFunction(f *assembly.Function) *code.Function {
	if out, ok := u.functions[f.Name]; ok {
		return out
	}
	out := &code.Function{Name: u.lines.demangle(f.Name), Pos: f.Pos}
	if parts := u.layout.scalars(f.Result); len(parts) == 1 {
		out.Result = parts[0].bits
	}
	b := &code.Builder{Function: out, Line: u.lines.of(f, nil)}
	for _, p := range f.Params {
		for _, s := range u.layout.scalars(p.Type) {
			out.Params = append(out.Params, b.Temp(s.bits))
		}
	}
	b.Emit(code.Unsupported{Text: u.unknown(f)})
	u.functions[f.Name] = out
	u.out.Functions[f.Name] = out
	return out
}

// anything gives the result any value of its type; a truth value is 0 or 1.
func (l *lowering) anything(i *assembly.Instruction, name string) {
	if i.Result == "" {
		return
	}
	for _, r := range l.registers(i.Result, i.Type) {
		if strings.HasSuffix(name, "bool") || strings.HasSuffix(name, "_Bool") {
			b := l.build.Temp(1)
			l.build.Emit(code.Choose{Dst: b})
			l.build.Emit(code.Assign{Dst: r, Value: code.Widen(l.build.Reg(b), l.build.Function.Regs[r].Bits, false)})
			continue
		}
		l.build.Emit(code.Choose{Dst: r})
	}
}

// text returns the string literal that an argument points to, or "an assertion".
func (l *lowering) text(i *assembly.Instruction, argument int) string {
	if argument < len(i.Operands) {
		v := stripCasts(i.Operands[argument])
		if v.Kind == assembly.Constant && v.Op == "getelementptr" {
			v = stripCasts(v.Elements[0])
		}
		if g := l.globals[v.Name]; v.Kind == assembly.GlobalRef && g != nil && g.Init != nil &&
			g.Init.Kind == assembly.Chars {
			return strings.TrimRight(g.Init.Name, "\x00")
		}
	}
	return "an assertion"
}

// assembly makes the code of inline assembly: barriers and hints without operands. The compiler marks memory and flags
// as clobbered.
func (l *lowering) assembly(i *assembly.Instruction, asm *assembly.Value) {
	if i.Result != "" {
		l.registers(i.Result, i.Type)
	}
	ops, ok := codegen.AsmFence(asm.Name, l.archs())
	for _, c := range strings.Split(asm.Constraints, ",") {
		ok = ok && (c == "" || strings.HasPrefix(c, "~{"))
	}
	if !ok {
		l.unsupported(
			"the inline assembly %q is not supported: use a barrier without operands, such as mfence, dmb ish or "+
				"lwsync",
			asm.Name,
		)
		return
	}
	for _, o := range ops {
		l.build.Emit(o)
	}
}

// archs are the architectures whose barriers inline assembly may have, the likeliest first.
func (u *unit) archs() []string {
	out := []string{"AArch64"}
	if arch, _, _ := strings.Cut(u.module.Triple, "-"); triples[arch] != "" {
		out = append([]string{triples[arch]}, out...)
	}
	if u.options.Arch != "" {
		out = append([]string{u.options.Arch}, out...)
	}
	return out
}

// triples are the dialects of the architectures that target triples begin with.
var triples = map[string]string{
	"x86_64": "X86_64", "i686": "X86", "i386": "X86", "aarch64": "AArch64", "arm64": "AArch64", "armv7": "ARM",
	"armv7a": "ARM", "arm": "ARM", "riscv64": "RISCV", "riscv32": "RISCV", "powerpc64": "PPC", "powerpc64le": "PPC",
	"mips64": "MIPS", "mips64el": "MIPS", "mips": "MIPS",
}
