package llvm

import (
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// instruction makes the code of an instruction within a block. first says that the block is the function's first.
func (l *lowering) instruction(i *assembly.Instruction, first bool) {
	switch i.Op {
	case "alloca":
		l.alloca(i, first)
	case "load":
		l.load(i)
	case "store":
		l.storeInstruction(i)
	case "fence":
		l.fence(i)
	case "cmpxchg":
		l.cmpxchg(i)
	case "atomicrmw":
		l.atomicrmw(i)
	case "getelementptr":
		l.element(i)
	case "icmp":
		l.compare(i)
	case "select":
		l.selects(i)
	case "freeze":
		l.freeze(i)
	case "call":
		l.call(i)
		l.unwound(i)
	case "landingpad":
		l.landingpad(i)
	case "extractvalue", "insertvalue":
		l.part(i)
	case "extractelement", "insertelement", "shufflevector":
		l.vector(i)
	case "bitcast", "addrspacecast", "ptrtoint", "inttoptr", "trunc", "zext", "sext":
		l.cast(i)
	default:
		if op, ok := operators[i.Op]; ok {
			l.operator(i, op)
			return
		}
		if i.Result != "" { // the value is never used
			l.registers(i.Result, i.Type)
		}
		l.unsupported("the instruction %s is not supported", i.Op)
	}
}

// operators are the binary operators of LLVM.
var operators = map[string]ir.BinaryOp{
	"add": ir.Add, "sub": ir.Sub, "mul": ir.Mul, "udiv": ir.UDiv, "sdiv": ir.SDiv, "urem": ir.URem, "srem": ir.SRem,
	"shl": ir.Shl, "lshr": ir.Shr, "ashr": ir.Sar, "and": ir.BitAnd, "or": ir.BitOr, "xor": ir.BitXor,
}

// operator applies a binary operator to each scalar.
func (l *lowering) operator(i *assembly.Instruction, op ir.BinaryOp) {
	x, y := l.value(i.Operands[0]), l.value(i.Operands[1])
	if wide(i.Type) {
		l.wideOperator(i, x, y)
		return
	}
	out := make([]ir.Expr, len(x))
	for k := range x {
		l.checkOperator(i, x[k], y[k])
		out[k] = code.Fold(op, x[k], y[k])
	}
	l.set(i, out...)
}

// checkOperator asserts what would be undefined behaviour: a division by zero always, and an overflow that the
// instruction excludes if the property is checked.
func (l *lowering) checkOperator(i *assembly.Instruction, x, y ir.Expr) {
	bits := x.Width()
	switch i.Op {
	case "udiv", "sdiv", "urem", "srem":
		l.assert(code.Not(code.Fold(ir.Eq, y, ir.Number(0, bits))), ir.Undefined, "division by zero")
		if c, ok := y.(ir.Const); i.Op[0] == 's' && (!ok || c.Value == ir.Mask(bits)) {
			l.assert(code.Not(ir.BitAnd.Of(code.Fold(ir.Eq, x, ir.Number(1<<(bits-1), bits)),
				code.Fold(ir.Eq, y, ir.Number(ir.Mask(bits), bits)))), ir.Undefined, "the quotient overflows")
		}
	case "shl", "lshr", "ashr":
		l.assert(
			code.Fold(ir.Ult, y, ir.Number(uint64(bits), bits)),
			ir.Overflow,
			"the shift count is as large as the width",
		)
	}
	for _, signed := range []bool{true, false} {
		flag, kind := "nsw", "signed"
		if !signed {
			flag, kind = "nuw", "unsigned"
		}
		if !i.Flags[flag] || !l.options.Overflow {
			continue
		}
		if over := overflows(i.Op, x, y, signed); over != nil {
			l.assert(code.Not(over), ir.Overflow, fmt.Sprintf("the %s %s overflows", kind, sums[i.Op]))
		}
	}
}

var sums = map[string]string{"add": "addition", "sub": "subtraction", "mul": "multiplication", "shl": "shift"}

// assert emits an assertion unless it always holds.
func (l *lowering) assert(cond ir.Expr, property ir.Property, text string) {
	if cond == ir.Number(1, 1) || property == ir.Overflow && !l.options.Overflow {
		return
	}
	l.build.Emit(code.Assert{Cond: cond, Property: property, Text: text})
}

// overflows returns whether a sum, difference, product or shift to the left overflows, or nil for other operators.
func overflows(op string, x, y ir.Expr, signed bool) ir.Expr {
	bits := x.Width()
	switch {
	case op == "shl":
		back := ir.Shr
		if signed {
			back = ir.Sar
		}
		return code.Not(ir.Eq.Of(back.Of(ir.Shl.Of(x, y), y), x))
	case bits < 64 && (op == "add" || op == "sub" || op == "mul" && bits <= 32):
		wide := min(64, 2*bits)
		if op != "mul" {
			wide = bits + 1
		}
		z := operators[op].Of(code.Widen(x, wide, signed), code.Widen(y, wide, signed))
		if !signed && op == "sub" {
			return ir.Ult.Of(x, y)
		}
		return code.Not(ir.Eq.Of(z, code.Widen(code.Widen(z, bits, false), wide, signed)))
	case op == "add" && !signed:
		return ir.Ult.Of(ir.Add.Of(x, y), x)
	case op == "sub" && !signed:
		return ir.Ult.Of(x, y)
	case op == "add":
		z := ir.Add.Of(x, y)
		return ir.Bit(ir.BitAnd.Of(ir.BitXor.Of(x, z), ir.BitXor.Of(y, z)), bits-1)
	case op == "sub":
		z := ir.Sub.Of(x, y)
		return ir.Bit(ir.BitAnd.Of(ir.BitXor.Of(x, y), ir.BitXor.Of(x, z)), bits-1)
	case op == "mul":
		div := ir.UDiv
		if signed {
			div = ir.SDiv
		}
		z := ir.Mul.Of(x, y)
		zero := ir.Eq.Of(y, ir.Number(0, bits))
		bad := code.Not(ir.Eq.Of(div.Of(z, y), x))
		if signed { // the smallest number times -1, which division wraps as well
			low := ir.Number(1<<(bits-1), bits)
			bad = ir.BitOr.Of(bad, ir.BitAnd.Of(ir.Eq.Of(x, low), ir.Eq.Of(y, ir.Number(^uint64(0), bits))))
		}
		return ir.BitAnd.Of(code.Not(zero), bad)
	}
	return nil
}

// predicate compares two scalars.
func predicate(kind string, x, y ir.Expr) ir.Expr {
	switch kind {
	case "eq":
		return code.Fold(ir.Eq, x, y)
	case "ne":
		return code.Not(code.Fold(ir.Eq, x, y))
	case "ult":
		return code.Fold(ir.Ult, x, y)
	case "ugt":
		return code.Fold(ir.Ult, y, x)
	case "ule":
		return code.Not(code.Fold(ir.Ult, y, x))
	case "uge":
		return code.Not(code.Fold(ir.Ult, x, y))
	case "slt":
		return code.Fold(ir.Slt, x, y)
	case "sgt":
		return code.Fold(ir.Slt, y, x)
	case "sle":
		return code.Not(code.Fold(ir.Slt, y, x))
	}
	return code.Not(code.Fold(ir.Slt, x, y))
}

// compare compares scalars.
func (l *lowering) compare(i *assembly.Instruction) {
	t := i.Operands[0].Type
	x, y := l.value(i.Operands[0]), l.value(i.Operands[1])
	i.Type = bit
	if t.Kind == assembly.Vector {
		i.Type = &assembly.Type{Kind: assembly.Vector, Len: t.Len, Elem: bit}
	}
	if wide(t) {
		if t.Kind == assembly.Vector {
			l.registers(i.Result, i.Type)
			l.unsupported("icmp %s of type %s is not supported", i.Kind, t)
			return
		}
		l.set(i, l.wideCompare(i.Kind, x, y))
		return
	}
	out := make([]ir.Expr, len(x))
	for k := range x {
		out[k] = predicate(i.Kind, x[k], y[k])
	}
	l.set(i, out...)
}

// bit is the type i1.
var bit = &assembly.Type{Kind: assembly.Integer, Bits: 1}

// selects translates a select. If its value may be undefined, a register says whether it is.
func (l *lowering) selects(i *assembly.Instruction) {
	if r, ok := l.undef[i.Result]; ok {
		cond := l.build.Keep(l.one(i.Operands[0]))
		x, undefinedX := l.passed(i.Operands[1])
		y, undefinedY := l.passed(i.Operands[2])
		l.set(i, l.build.Pick(cond, x, y))
		l.build.Emit(code.Assign{Dst: r, Value: choose(cond, undefinedX, undefinedY)})
		return
	}
	cond, x, y := l.value(i.Operands[0]), l.value(i.Operands[1]), l.value(i.Operands[2])
	out := make([]ir.Expr, len(x))
	for k := range x {
		which := cond[0]
		if len(cond) > 1 {
			which = cond[k]
		}
		out[k] = l.build.Pick(which, x[k], y[k])
	}
	l.set(i, out...)
}

// freeze makes an undefined value one number: the register of the result has one.
func (l *lowering) freeze(i *assembly.Instruction) { l.set(i, l.value(i.Operands[0])...) }

// scalarsBefore counts the scalars of an aggregate before a part.
func (l *lowering) scalarsBefore(t *assembly.Type, indices []int) (before int, part *assembly.Type) {
	for _, n := range indices {
		if t.Kind == assembly.Array {
			before += n * len(l.layout.scalars(t.Elem))
			t = t.Elem
			continue
		}
		for _, f := range t.Fields[:n] {
			before += len(l.layout.scalars(f))
		}
		t = t.Fields[n]
	}
	return before, t
}

func (l *lowering) part(i *assembly.Instruction) {
	whole := l.value(i.Operands[0])
	before, t := l.scalarsBefore(i.Operands[0].Type, i.Indices)
	n := len(l.layout.scalars(t))
	if i.Op == "extractvalue" {
		l.set(i, whole[before:before+n]...)
		return
	}
	out := append([]ir.Expr{}, whole...)
	copy(out[before:before+n], l.value(i.Operands[1]))
	l.set(i, out...)
}

// vector makes the code of instructions on elements of vectors, at constant indices.
func (l *lowering) vector(i *assembly.Instruction) {
	v := l.value(i.Operands[0])
	if i.Op == "shufflevector" {
		both := append(append([]ir.Expr{}, v...), l.value(i.Operands[1])...)
		if i.Operands[2].Type.Scalable || wide(i.Type) {
			l.registers(i.Result, i.Type)
			l.unsupported("shufflevector of type %s is not supported", i.Type)
			return
		}
		var out []ir.Expr
		for _, c := range l.unit.constant(i.Pos, i.Operands[2]) {
			if c.any || int(c.value) >= len(both) {
				out = append(out, l.materialise(constant{bits: both[0].Width(), any: true}))
				continue
			}
			out = append(out, both[c.value])
		}
		l.set(i, out...)
		return
	}
	at := i.Operands[len(i.Operands)-1]
	if at.Kind != assembly.Int || !at.Int.IsInt64() || at.Int.Int64() < 0 || int(at.Int.Int64()) >= len(v) ||
		wide(i.Operands[0].Type) {
		l.registers(i.Result, i.Type)
		l.unsupported("%s at an index that is not constant is not supported", i.Op)
		return
	}
	if i.Op == "extractelement" {
		l.set(i, v[at.Int.Int64()])
		return
	}
	out := append([]ir.Expr{}, v...)
	out[at.Int.Int64()] = l.one(i.Operands[1])
	l.set(i, out...)
}

// cast converts scalars to others of the same number, or a wide integer to a narrow one and back. Addresses and numbers
// of their width are the same.
func (l *lowering) cast(i *assembly.Instruction) {
	x := l.value(i.Operands[0])
	to := l.layout.scalars(i.Type)
	if to == nil {
		panic(refusal{l.refuse(i.Pos, "a value of type %s is not supported", i.Type)})
	}
	signed := i.Op == "sext"
	from := i.Operands[0].Type
	switch {
	case i.Op == "bitcast" && (len(x) != len(to) || wide(i.Type) || wide(from)):
		l.set(i, l.slice(x, to)...)
	case wide(i.Type) || wide(from):
		if from.Kind != assembly.Integer || i.Type.Kind != assembly.Integer {
			l.registers(i.Result, i.Type)
			l.unsupported("%s from %s to %s is not supported", i.Op, from, i.Type)
			return
		}
		l.set(i, l.limbs(x, i.Type.Bits, signed)...)
	default:
		out := make([]ir.Expr, len(x))
		for k := range x {
			out[k] = code.Widen(x[k], to[k].bits, signed)
		}
		l.set(i, out...)
	}
}

// slice cuts numbers that stand side by side, the lowest bits first, into scalars of other widths.
func (l *lowering) slice(x []ir.Expr, to []scalar) []ir.Expr {
	for k := range x {
		x[k] = l.build.Keep(x[k])
	}
	out := make([]ir.Expr, len(to))
	first, at := 0, 0 // the number with the next bit, and that bit's place in it
	for k, s := range to {
		var sum ir.Expr
		for have := 0; have < s.bits; {
			n := min(x[first].Width()-at, s.bits-have)
			part := code.Widen(ir.Extract{X: x[first], Lo: at, Bits: n}, s.bits, false)
			if sum == nil {
				sum = part
			} else {
				sum = ir.BitOr.Of(sum, ir.Shl.Of(part, ir.Number(uint64(have), s.bits)))
			}
			have += n
			if at += n; at == x[first].Width() {
				first, at = first+1, 0
			}
		}
		out[k] = sum
	}
	return out
}

// element computes the address of a part of an object.
func (l *lowering) element(i *assembly.Instruction) {
	r := l.registers(i.Result, pointerType)[0]
	l.build.Emit(code.Assign{Dst: r, Value: l.address(i.Type, i.Operands)})
}

// index returns the value of an index that is a constant: a signed number.
func index(v *assembly.Value) (n int64, known bool) {
	switch {
	case v.Kind == assembly.Zero:
		return 0, true
	case v.Kind == assembly.Splat:
		return index(v.Elements[0])
	case v.Kind != assembly.Int || v.Int.BitLen() > 64:
		return 0, false
	}
	x := v.Int.Uint64()
	if v.Int.Sign() < 0 {
		x = uint64(v.Int.Int64())
	}
	return int64(ir.SignExtend(x, min(v.Type.Bits, 64))), true
}

// address adds to an address what indices into a type say, as getelementptr does.
func (l *lowering) address(t *assembly.Type, operands []*assembly.Value) ir.Expr {
	if operands[0].Type.Kind == assembly.Vector {
		panic(refusal{l.refuse(l.at.Pos, "addresses in a vector are not supported")})
	}
	addr := l.one(operands[0])
	bits := l.layout.pointer * 8
	offset := 0
	for k, v := range operands[1:] {
		step := 0
		switch {
		case k == 0:
			step = l.layout.size(t)
		case t.Kind == assembly.Struct:
			n, known := index(v)
			if !known || n < 0 || n >= int64(len(t.Fields)) {
				panic(refusal{l.refuse(l.at.Pos, "the index of a field of %s is not constant, or too large", t)})
			}
			offset += l.layout.offset(t, int(n))
			t = t.Fields[n]
			continue
		case t.Kind == assembly.Array || t.Kind == assembly.Vector:
			t = t.Elem
			step = l.layout.size(t)
		default:
			panic(refusal{l.refuse(l.at.Pos, "the type %s has no elements", t)})
		}
		if n, known := index(v); known {
			offset += int(n) * step
			continue
		}
		n := code.Widen(l.one(v), bits, true)
		addr = ir.Add.Of(addr, code.Fold(ir.Mul, n, ir.Number(uint64(step), bits)))
	}
	return plus(addr, offset)
}
