package llvm

import (
	"fmt"
	"strings"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// intrinsic makes the code of a call of an intrinsic function.
func (l *lowering) intrinsic(i *assembly.Instruction, name string) {
	base := strings.TrimPrefix(name, "llvm.")
	has := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if base == p || strings.HasPrefix(base, p+".") {
				return true
			}
		}
		return false
	}
	switch {
	case has("dbg", "experimental.noalias.scope.decl", "donothing", "prefetch", "sideeffect", "invariant", "fake.use",
		"x86.sse2.pause", "aarch64.hint", "arm.hint", "riscv.pause"):
	case has("stacksave"):
		l.set(i, ir.Number(0, l.layout.pointer*8))
	case has("stackrestore"): // its arrays live until the call ends
	case has("lifetime"):
		l.lifetime(i, has("lifetime.end"))
	case strings.Contains(base, ".element.unordered.atomic"):
		l.unsupported("the intrinsic function %s is not supported: its accesses are unordered", name)
	case has("memcpy", "memmove"):
		l.memcpy(i)
	case has("memset"):
		l.memset(i)
	case has("assume") && l.movedAssumption(i.Operands[0]):
	case has("assume"):
		l.assert(l.one(i.Operands[0]), ir.Undefined, "an assumption of the compiler does not hold")
	case has("eh.typeid.for"):
		l.set(i, ir.Number(l.typeID(i.Operands[0]), 32))
	case has("expect", "expect.with.probability", "launder.invariant.group", "strip.invariant.group", "ssa.copy",
		"threadlocal.address", "ptr.annotation", "annotation"):
		l.set(i, l.value(i.Operands[0])...)
	case has("is.constant"):
		l.set(i, ir.Number(0, 1))
	case has("objectsize"):
		l.set(i, ir.Number(^uint64(0), l.layout.scalars(i.Type)[0].bits))
	case has("trap", "debugtrap", "ubsantrap"):
		l.build.Emit(code.Assert{Cond: ir.Number(0, 1), Property: ir.Assertion, Text: "a trap is reached"})
	case has("sadd.with.overflow", "uadd.with.overflow", "ssub.with.overflow", "usub.with.overflow",
		"smul.with.overflow",
		"umul.with.overflow"):
		l.withOverflow(i, base[1:4], base[0] == 's')
	case has("scmp", "ucmp") && i.Type.Kind == assembly.Integer && !wide(i.Operands[0].Type):
		less, bits := ir.Ult, i.Type.Bits
		if base[0] == 's' {
			less = ir.Slt
		}
		x, y := l.build.Keep(l.one(i.Operands[0])), l.build.Keep(l.one(i.Operands[1]))
		below, above := ir.Number(^uint64(0), bits), choose(less.Of(y, x), ir.Number(1, bits), ir.Number(0, bits))
		l.set(i, choose(less.Of(x, y), below, above))
	default:
		f := arithmetic[strings.Split(base, ".")[0]]
		if second := strings.Join(strings.SplitN(base, ".", 3)[:min(2, strings.Count(base, ".")+1)], "."); f == nil {
			f = arithmetic[second]
		}
		if i.Result != "" {
			l.registers(i.Result, i.Type)
		}
		if f == nil || wide(i.Type) {
			l.unsupported("the intrinsic function %s is not supported", name)
			return
		}
		var args [][]ir.Expr
		for _, v := range i.Operands {
			args = append(args, l.value(v))
		}
		out := make([]ir.Expr, len(args[0]))
		for k := range out {
			var of []ir.Expr
			for _, a := range args {
				of = append(of, l.build.Keep(a[min(k, len(a)-1)]))
			}
			out[k] = f(of)
		}
		l.set(i, out...)
	}
}

// movedAssumption reports whether an assumption says that a pointer is not null that a module of Rust has loaded. As
// rustc moves such loads before the test that says whether an enum has the pointer, the value may be any.
func (l *lowering) movedAssumption(cond *assembly.Value) bool {
	if !l.rust || cond.Kind != assembly.Local {
		return false
	}
	test := l.froms[cond.Name]
	if test == nil || test.Op != "icmp" || test.Kind != "ne" || test.Operands[1].Kind != assembly.Null {
		return false
	}
	from := l.froms[test.Operands[0].Name]
	return from != nil && (from.Op == "load" || from.Op == "phi")
}

// lifetime begins or ends the lifetime of a local variable of fixed size. Marks on other memory have no effect.
func (l *lowering) lifetime(i *assembly.Instruction, ends bool) {
	v := stripCasts(i.Operands[len(i.Operands)-1])
	for v.Kind == assembly.Local && l.statics[v.Name] == nil {
		from := l.froms[v.Name]
		if from == nil || from.Op != "bitcast" {
			return
		}
		v = from.Operands[0]
	}
	if of := l.statics[v.Name]; of != nil && v.Kind == assembly.Local {
		l.build.Emit(code.Life{Of: of, Ends: ends})
		if !ends {
			l.build.Emit(code.Begin{Of: of})
		}
	}
}

// mostCopied is the largest number of bytes that a copy of constant size copies without a loop.
const mostCopied = 4096

// isSmall reports whether a size is constant and so small that copies need no loop.
func isSmall(n *assembly.Value) bool {
	return n.Kind == assembly.Int && n.Int.IsInt64() && n.Int.Int64() <= mostCopied
}

// memcpy copies memory. memmove has the same code: all reads come before the writes.
func (l *lowering) memcpy(i *assembly.Instruction) {
	n := i.Operands[2]
	if !isSmall(n) {
		l.inWords(i, "copy", "memmove", min(i.ArgAlign[0], i.ArgAlign[1]))
		return
	}
	bytes := int(n.Int.Int64())
	parts := l.pieces(bytes, min(i.ArgAlign[0], i.ArgAlign[1]), i.Operands[0], i.Operands[1])
	l.copy(l.one(i.Operands[0]), l.one(i.Operands[1]), parts)
}

func (l *lowering) memset(i *assembly.Instruction) {
	n := i.Operands[2]
	if !isSmall(n) {
		l.inWords(i, "set", "memset", i.ArgAlign[0])
		return
	}
	to := l.one(i.Operands[0])
	b := code.Widen(l.one(i.Operands[1]), 64, false)
	v := code.Fold(ir.Mul, b, ir.Number(0x0101010101010101, 64))
	for _, s := range l.pieces(int(n.Int.Int64()), i.ArgAlign[0], i.Operands[0]) {
		l.write(to, s, code.Widen(v, s.bits, false), code.Access{})
	}
}

// inWords copies or sets memory of a size that is not known, in words as wide as the alignment, because bytes of
// pointers would lose what they point to. With a size that is no multiple of the word, an execution is undefined: no
// answer counts it as safe.
func (l *lowering) inWords(i *assembly.Instruction, words, bytes string, align int) {
	align = min(align, 8)
	if align < 2 {
		l.shimCall(i, bytes, i.Operands[:3])
		return
	}
	n := l.build.Keep(l.one(i.Operands[2]))
	rest := ir.BitAnd.Of(n, ir.Number(uint64(align-1), n.Width()))
	l.assert(code.Fold(ir.Eq, rest, ir.Number(0, n.Width())), ir.Undefined,
		fmt.Sprintf("%s of a size that is no multiple of the alignment, %d bytes, is not supported", bytes, align))
	l.shimCall(i, fmt.Sprint(words, align), i.Operands[:3])
}

// shimCall calls a function of the C library with some operands of an intrinsic.
func (l *lowering) shimCall(i *assembly.Instruction, name string, operands []*assembly.Value) {
	shim := l.shims.function(name)
	if shim == nil {
		l.unsupported("%s of a size that is not constant is not supported", name)
		return
	}
	c := code.Call{Dst: -1, Fn: l.shims.at(shim, l.build.Line)}
	for k, v := range operands {
		x := l.one(v)
		if bits := shim.Regs[shim.Params[k]].Bits; x.Width() != bits {
			x = code.Widen(x, bits, false)
		}
		c.Args = append(c.Args, x)
	}
	l.build.Emit(c)
}

// withOverflow makes a sum, difference or product and whether it overflows.
func (l *lowering) withOverflow(i *assembly.Instruction, op string, signed bool) {
	x, y := l.value(i.Operands[0]), l.value(i.Operands[1])
	t := i.Operands[0].Type
	switch {
	case t.Kind != assembly.Integer:
		l.registers(i.Result, i.Type)
		l.unsupported("%s with overflow of type %s is not supported", op, t)
	case wide(t) || op == "mul" && t.Bits > 32 && t.Bits < 64:
		out := l.wideCompute(op, x, y, t.Bits)
		l.set(i, append(out, l.wideOverflows(op, x, y, t.Bits, signed))...)
	default:
		a, b := l.build.Keep(x[0]), l.build.Keep(y[0])
		l.set(i, operators[op].Of(a, b), overflows(op, a, b, signed))
	}
}

// choose returns x if cond is 1, else y.
func choose(cond, x, y ir.Expr) ir.Expr { return ir.Cond{If: cond, Then: x, Else: y} }

// arithmetic are intrinsic functions that compute a scalar of scalars of its width.
var arithmetic map[string]func(x []ir.Expr) ir.Expr

// init fills the table, whose functions use the table of operators.
func init() {
	limit := func(signed bool, x []ir.Expr, op string) ir.Expr {
		bits := x[0].Width()
		over := overflows(op, x[0], x[1], signed)
		sum := operators[op].Of(x[0], x[1])
		if !signed {
			end := ir.Number(0, bits)
			if op == "add" {
				end = ir.Number(^uint64(0), bits)
			}
			return choose(over, end, sum)
		}
		low := ir.Number(1<<(bits-1), bits)
		return choose(over, choose(ir.Bit(x[0], bits-1), low, ir.Not(low)), sum)
	}
	arithmetic = map[string]func(x []ir.Expr) ir.Expr{
		"smax": func(x []ir.Expr) ir.Expr { return choose(ir.Slt.Of(x[0], x[1]), x[1], x[0]) },
		"smin": func(x []ir.Expr) ir.Expr { return choose(ir.Slt.Of(x[0], x[1]), x[0], x[1]) },
		"umax": func(x []ir.Expr) ir.Expr { return choose(ir.Ult.Of(x[0], x[1]), x[1], x[0]) },
		"umin": func(x []ir.Expr) ir.Expr { return choose(ir.Ult.Of(x[0], x[1]), x[0], x[1]) },
		"abs": func(x []ir.Expr) ir.Expr {
			return choose(ir.Bit(x[0], x[0].Width()-1), ir.Neg.Of(x[0]), x[0])
		},
		"ctpop": func(x []ir.Expr) ir.Expr { return count(x[0]) },
		"ctlz":  func(x []ir.Expr) ir.Expr { return zeros(x[0], func(i, bits int) int { return bits - 1 - i }) },
		"cttz":  func(x []ir.Expr) ir.Expr { return zeros(x[0], func(i, _ int) int { return i }) },
		"bswap": func(x []ir.Expr) ir.Expr { return swap(x[0], 8) },
		"bitreverse": func(x []ir.Expr) ir.Expr {
			return swap(x[0], 1)
		},
		"fshl":     func(x []ir.Expr) ir.Expr { return funnel(x, true) },
		"fshr":     func(x []ir.Expr) ir.Expr { return funnel(x, false) },
		"uadd.sat": func(x []ir.Expr) ir.Expr { return limit(false, x, "add") },
		"usub.sat": func(x []ir.Expr) ir.Expr { return limit(false, x, "sub") },
		"sadd.sat": func(x []ir.Expr) ir.Expr { return limit(true, x, "add") },
		"ssub.sat": func(x []ir.Expr) ir.Expr { return limit(true, x, "sub") },
	}
}

// count counts the bits that are 1.
func count(x ir.Expr) ir.Expr {
	bits := x.Width()
	var sum ir.Expr = ir.Number(0, bits)
	for i := range bits {
		sum = code.Fold(ir.Add, sum, code.Widen(ir.Bit(x, i), bits, false))
	}
	return sum
}

// zeros counts the bits that are 0 before the first 1, in the order that at gives; the width if there is none.
func zeros(x ir.Expr, at func(i, bits int) int) ir.Expr {
	bits := x.Width()
	out := ir.Number(uint64(bits), bits)
	for i := bits - 1; i >= 0; i-- {
		out = choose(ir.Bit(x, at(i, bits)), ir.Number(uint64(i), bits), out)
	}
	return out
}

// swap reverses the order of groups of bits.
func swap(x ir.Expr, group int) ir.Expr {
	bits := x.Width()
	var out ir.Expr = ir.Number(0, bits)
	for at := 0; at < bits; at += group {
		part := code.Widen(ir.Extract{X: x, Lo: at, Bits: group}, bits, false)
		out = ir.BitOr.Of(out, code.Fold(ir.Shl, part, ir.Number(uint64(bits-group-at), bits)))
	}
	return out
}

// funnel shifts two numbers that stand side by side, by a count modulo their width.
func funnel(x []ir.Expr, left bool) ir.Expr {
	bits := x[0].Width()
	n := ir.URem.Of(x[2], ir.Number(uint64(bits), bits))
	if c, ok := x[2].(ir.Const); ok {
		n = ir.Number(c.Value%uint64(bits), bits)
	}
	other := code.Fold(ir.Sub, ir.Number(uint64(bits), bits), n)
	if left {
		return ir.BitOr.Of(code.Fold(ir.Shl, x[0], n), code.Fold(ir.Shr, x[1], other))
	}
	return ir.BitOr.Of(code.Fold(ir.Shl, x[0], other), code.Fold(ir.Shr, x[1], n))
}
