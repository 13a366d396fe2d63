package llvm

import (
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// Integers of more than 64 bits: clang makes them for __int128 and for structures with bit-fields. Such a value is a
// list of limbs, the lowest first. Each limb has 64 bits, and the last one what remains of the width. Arithmetic works
// on whole limbs: it widens the last one first, and cuts it to its width at the end.

// wide reports whether a type is an integer, or has integers, of more than 64 bits.
func wide(t *assembly.Type) bool {
	if t.Kind == assembly.Vector || t.Kind == assembly.Array {
		return wide(t.Elem)
	}
	return t.Kind == assembly.Integer && t.Bits > 64
}

// limbs returns a value's limbs in another width.
func (l *lowering) limbs(x []ir.Expr, bits int, signed bool) []ir.Expr {
	var fill ir.Expr = ir.Number(0, 64)
	if signed {
		fill = l.build.Keep(ir.Sar.Of(code.Widen(x[len(x)-1], 64, true), ir.Number(63, 64)))
	}
	var out []ir.Expr
	for k := 0; k*64 < bits; k++ {
		part := fill
		if k < len(x) {
			part = code.Widen(x[k], 64, signed && k == len(x)-1)
		}
		out = append(out, l.build.Keep(code.Widen(part, min(64, bits-k*64), false)))
	}
	return out
}

// wideOperator computes an operator on wide integers.
func (l *lowering) wideOperator(i *assembly.Instruction, x, y []ir.Expr) {
	bits := i.Type.Bits
	if i.Type.Kind == assembly.Integer {
		for _, signed := range []bool{true, false} {
			flag, kind := "nsw", "signed"
			if !signed {
				flag, kind = "nuw", "unsigned"
			}
			if i.Flags[flag] && l.options.Overflow {
				if over := l.wideOverflows(i.Op, x, y, bits, signed); over != nil {
					l.assert(code.Not(over), ir.Overflow, fmt.Sprintf("the %s %s overflows", kind, sums[i.Op]))
				}
			}
		}
		switch i.Op {
		case "shl", "lshr", "ashr":
			small := l.wideCompare("ult", y, l.limbs([]ir.Expr{ir.Number(uint64(bits), 64)}, bits, false))
			l.assert(small, ir.Overflow, "the shift count is as large as the width")
		}
		if out := l.wideCompute(i.Op, x, y, bits); out != nil {
			l.set(i, out...)
			return
		}
	}
	l.registers(i.Result, i.Type)
	l.unsupported("%s of type %s is not supported", i.Op, i.Type)
}

// wideCompute returns the limbs of a result, or nil if the operator is not supported: a division.
func (l *lowering) wideCompute(op string, x, y []ir.Expr, bits int) []ir.Expr {
	var out []ir.Expr
	switch op {
	case "and", "or", "xor":
		for k := range x {
			out = append(out, code.Fold(operators[op], x[k], y[k]))
		}
		return out
	case "udiv", "sdiv", "urem", "srem":
		return nil
	}
	whole := len(x) * 64
	a, b := l.limbs(x, whole, op == "ashr"), l.limbs(y, whole, false)
	switch op {
	case "add", "sub":
		out, _ = l.sum(op, a, b)
	case "mul":
		out = l.product(a, b)
	default:
		out = l.shift(op, a, b[0])
	}
	return l.limbs(out, bits, false)
}

// sum adds or subtracts limbs, and returns the carry or the borrow, too, as a number of 64 bits.
func (l *lowering) sum(op string, x, y []ir.Expr) (out []ir.Expr, carry ir.Expr) {
	carry = ir.Number(0, 64)
	for k := range x {
		part := l.build.Keep(operators[op].Of(x[k], y[k]))
		all := l.build.Keep(operators[op].Of(part, carry))
		over := ir.BitOr.Of(ir.Ult.Of(part, x[k]), ir.Ult.Of(all, part))
		if op == "sub" {
			over = ir.BitOr.Of(ir.Ult.Of(x[k], y[k]), ir.Ult.Of(part, carry))
		}
		out, carry = append(out, all), l.build.Keep(code.Widen(over, 64, false))
	}
	return out, carry
}

// product multiplies limbs, and returns as many as each factor has.
func (l *lowering) product(x, y []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(x))
	for k := range out {
		out[k] = ir.Number(0, 64)
	}
	isZero := func(x ir.Expr) bool { return x == ir.Number(0, 64) }
	for i := range x {
		for k := range y {
			if i+k >= len(out) || isZero(x[i]) || isZero(y[k]) {
				continue
			}
			part := make([]ir.Expr, len(out)-i-k)
			for n := range part {
				part[n] = ir.Number(0, 64)
			}
			part[0] = l.build.Keep(ir.Mul.Of(x[i], y[k]))
			if len(part) > 1 {
				part[1] = l.highProduct(x[i], y[k])
			}
			sum, _ := l.sum("add", out[i+k:], part)
			copy(out[i+k:], sum)
		}
	}
	return out
}

// highProduct returns the upper 64 bits of the product of two limbs, from products of their halves.
func (l *lowering) highProduct(x, y ir.Expr) ir.Expr {
	low := func(x ir.Expr) ir.Expr { return l.build.Keep(ir.BitAnd.Of(x, ir.Number(1<<32-1, 64))) }
	high := func(x ir.Expr) ir.Expr { return l.build.Keep(ir.Shr.Of(x, ir.Number(32, 64))) }
	a, b, c, d := low(x), high(x), low(y), high(y)
	middle := l.build.Keep(ir.Add.Of(ir.Mul.Of(b, c), high(l.build.Keep(ir.Mul.Of(a, c)))))
	other := l.build.Keep(ir.Add.Of(ir.Mul.Of(a, d), low(middle)))
	return l.build.Keep(ir.Add.Of(ir.Mul.Of(b, d), ir.Add.Of(high(middle), high(other))))
}

// shift shifts limbs by a count below their width: by whole limbs, and by what remains.
func (l *lowering) shift(op string, x []ir.Expr, count ir.Expr) []ir.Expr {
	var fill ir.Expr = ir.Number(0, 64)
	if op == "ashr" {
		fill = l.build.Keep(ir.Sar.Of(x[len(x)-1], ir.Number(63, 64)))
	}
	limb := func(k int) ir.Expr {
		switch {
		case k < 0:
			return ir.Number(0, 64)
		case k >= len(x):
			return fill
		}
		return x[k]
	}
	bits := l.build.Keep(code.Fold(ir.BitAnd, count, ir.Number(63, 64)))
	rest := l.build.Keep(code.Fold(ir.Sub, ir.Number(64, 64), bits))
	skip := l.build.Keep(code.Fold(ir.Shr, count, ir.Number(6, 64)))
	out := make([]ir.Expr, len(x))
	for k := range x {
		for s := range x { // by s limbs; a shift of a limb by 64 is 0
			var v ir.Expr
			if op == "shl" {
				v = ir.BitOr.Of(ir.Shl.Of(limb(k-s), bits), ir.Shr.Of(limb(k-s-1), rest))
			} else {
				v = ir.BitOr.Of(ir.Shr.Of(limb(k+s), bits), ir.Shl.Of(limb(k+s+1), rest))
			}
			switch is := code.Fold(ir.Eq, skip, ir.Number(uint64(s), 64)); {
			case out[k] == nil || is == ir.Number(1, 1):
				out[k] = v
			case is != ir.Number(0, 1):
				out[k] = ir.Cond{If: is, Then: v, Else: out[k]}
			}
		}
	}
	return out
}

// wideCompare compares wide integers.
func (l *lowering) wideCompare(kind string, x, y []ir.Expr) ir.Expr {
	same := func() ir.Expr {
		all := code.Fold(ir.Eq, x[0], y[0])
		for k := 1; k < len(x); k++ {
			all = code.Fold(ir.BitAnd, all, code.Fold(ir.Eq, x[k], y[k]))
		}
		return all
	}
	less := func(x, y []ir.Expr) ir.Expr {
		out := code.Fold(ir.Ult, x[0], y[0])
		for k := 1; k < len(x); k++ {
			op := ir.Ult
			if k == len(x)-1 && kind[0] == 's' {
				op = ir.Slt
			}
			equal := code.Fold(ir.BitAnd, code.Fold(ir.Eq, x[k], y[k]), out)
			out = l.build.Keep(code.Fold(ir.BitOr, code.Fold(op, x[k], y[k]), equal))
		}
		return out
	}
	switch kind {
	case "eq":
		return same()
	case "ne":
		return code.Not(same())
	case "ult", "slt":
		return less(x, y)
	case "ugt", "sgt":
		return less(y, x)
	case "ule", "sle":
		return code.Not(less(y, x))
	}
	return code.Not(less(x, y))
}

// wideOverflows returns whether a sum, difference, product or shift to the left does not fit in bits, or nil for other
// operators. It computes the result in a width that has room for it.
func (l *lowering) wideOverflows(op string, x, y []ir.Expr, bits int, signed bool) ir.Expr {
	room := bits + 1
	switch op {
	case "add":
	case "sub":
		if !signed {
			return l.wideCompare("ult", x, y)
		}
	case "mul":
		room = 2 * bits
	case "shl":
		back := "lshr"
		if signed {
			back = "ashr"
		}
		return code.Not(l.wideCompare("eq", l.wideCompute(back, l.wideCompute(op, x, y, bits), y, bits), x))
	default:
		return nil
	}
	exact := l.wideCompute(op, l.limbs(x, room, signed), l.limbs(y, room, signed), room)
	return code.Not(l.wideCompare("eq", exact, l.limbs(l.limbs(exact, bits, false), room, signed)))
}
