package run

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Linear arithmetic on open bits: exclusive or, shifts and masks by constants, and additions where carries are known.
// Other operations report a bit that must be decided first.
//
// The exclusive or of two bits is again one, and so are the results of shifts and of masks. A conjunction of two open
// bits is not. It is computed if one of them is known, or if the two are equal or opposite; otherwise one of them is
// asked for. A carry is the majority of three bits, which is one of them as soon as two are equal or opposite. So a sum
// needs no decisions if one of the numbers is 0 wherever the other is open, as when a number is put together from its
// bytes.

// bit is the exclusive or of some open bits, by number, in order; it is negated if not is true.
type bit struct {
	of  []int32
	not bool
}

var zero, one = bit{}, bit{not: true}

func (b bit) constant() bool { return len(b.of) == 0 }

func (b bit) negated() bit { return bit{b.of, !b.not} }

func (b bit) equals(c bit) bool { return b.not == c.not && slices.Equal(b.of, c.of) }

func (b bit) xor(c bit) bit {
	out := bit{not: b.not != c.not}
	if b.constant() {
		out.of = c.of
		return out
	}
	x, y := b.of, c.of
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0] < y[0]:
			out.of, x = append(out.of, x[0]), x[1:]
		case len(x) == 0 || y[0] < x[0]:
			out.of, y = append(out.of, y[0]), y[1:]
		default:
			x, y = x[1:], y[1:]
		}
	}
	return out
}

// constant returns the bits of a known number.
func constant(v uint64, width int) []bit {
	out := make([]bit, width)
	for i := range out {
		out[i].not = v>>i&1 == 1
	}
	return out
}

// numeral returns the number if all bits are known.
func numeral(bits []bit) (v uint64, known bool) {
	for i, b := range bits {
		if !b.constant() {
			return 0, false
		}
		if b.not {
			v |= 1 << i
		}
	}
	return v, true
}

// linear evaluates an expression. If it cannot continue, asks is the bit that must be decided first, and tooMany says
// that more than maxChosen bits would have to be.
type linear struct {
	reg     func(ir.Reg) []bit // the bits of a register; nil if a bit must be decided
	asks    *bit
	tooMany bool
}

// undecided ends the evaluation because of an open bit.
func (l *linear) undecided(b bit) []bit {
	l.asks = &bit{b.of, false}
	return nil
}

// undecidedOf ends the evaluation if some of the bits are open.
func (l *linear) undecidedOf(bits []bit) []bit {
	bits = slices.DeleteFunc(slices.Clone(bits), bit.constant)
	l.tooMany = len(bits) > maxChosen
	return l.undecided(bits[len(bits)-1])
}

// bothOpen returns the bits that are open in both numbers.
func bothOpen(a, b []bit) (out []bit) {
	for i := range a {
		if !a[i].constant() && !b[i].constant() && !a[i].xor(b[i]).constant() {
			out = append(out, a[i])
		}
	}
	return out
}

// eval returns the bits of an expression, the lowest first, or nil if a bit must be decided.
func (l *linear) eval(x ir.Expr) []bit {
	switch x := x.(type) {
	case ir.Const:
		return constant(x.Value, x.Bits)
	case ir.Reg:
		return l.reg(x)
	case ir.Unary:
		bits := l.eval(x.X)
		if bits == nil {
			return nil
		}
		if x.Op == ir.Neg {
			return l.add(constant(0, len(bits)), negated(bits), one)
		}
		return negated(bits)
	case ir.Binary:
		b := l.eval(x.Y)
		if b == nil {
			return nil
		}
		if y, known := numeral(b); x.Op == ir.URem && known && y == 1 {
			return constant(0, len(b))
		}
		a := l.eval(x.X)
		if a == nil {
			return nil
		}
		return l.binary(x.Op, a, b)
	case ir.Select:
		return l.eval(x.Cond())
	case ir.Cond:
		is := l.eval(x.If)
		if is == nil {
			return nil
		}
		if is[0].constant() {
			if is[0].not {
				return l.eval(x.Then)
			}
			return l.eval(x.Else)
		}
		return l.undecided(is[0])
	case ir.Extract:
		bits := l.eval(x.X)
		if bits == nil {
			return nil
		}
		return bits[x.Lo : x.Lo+x.Bits]
	case ir.Extend:
		bits := l.eval(x.X)
		if bits == nil {
			return nil
		}
		out := append(make([]bit, 0, x.Bits), bits...)
		for len(out) < x.Bits {
			if x.Signed {
				out = append(out, bits[len(bits)-1])
			} else {
				out = append(out, zero)
			}
		}
		return out
	}
	panic("BUG: an unknown expression")
}

func negated(bits []bit) []bit {
	out := make([]bit, len(bits))
	for i, b := range bits {
		out[i] = b.negated()
	}
	return out
}

// binary applies an operator to two numbers. If both are known, it computes the result; otherwise it uses the
// operator's linear cases.
func (l *linear) binary(op ir.BinaryOp, a, b []bit) []bit {
	x, knownA := numeral(a)
	y, known := numeral(b)
	if known && knownA {
		width := len(a)
		if op >= ir.Eq {
			return constant(ir.EvalBinary(op, x, y, width), 1)
		}
		return constant(ir.EvalBinary(op, x, y, width), width)
	}
	switch op {
	case ir.Add:
		return l.add(a, b, zero)
	case ir.Sub:
		return l.add(a, negated(b), one)
	case ir.Mul:
		if knownA {
			return l.times(b, x)
		}
		if known {
			return l.times(a, y)
		}
	case ir.BitXor:
		out := make([]bit, len(a))
		for i := range a {
			out[i] = a[i].xor(b[i])
		}
		return out
	case ir.BitAnd:
		return l.and(a, b)
	case ir.BitOr:
		if out := l.and(negated(a), negated(b)); out != nil {
			return negated(out)
		}
		return nil
	case ir.Shl, ir.Shr, ir.Sar:
		if known {
			return shifted(op, a, y)
		}
	case ir.UDiv, ir.URem:
		if known && y != 0 && y&(y-1) == 0 {
			if op == ir.URem {
				return l.and(a, constant(y-1, len(a)))
			}
			for ; y > 1; y /= 2 {
				a = shifted(ir.Shr, a, 1)
			}
			return a
		}
	case ir.Eq:
		return l.equal(a, b)
	case ir.Ult:
		return l.less(a, b)
	case ir.Slt:
		top := len(a) - 1
		turn := func(bits []bit) []bit {
			bits = slices.Clone(bits)
			bits[top] = bits[top].negated()
			return bits
		}
		return l.less(turn(a), turn(b))
	}
	if op == ir.Shl || op == ir.Shr || op == ir.Sar {
		return l.undecidedOf(b)
	}
	return l.undecidedOf(slices.Concat(a, b))
}

// add adds two numbers and a carry.
func (l *linear) add(a, b []bit, carry bit) []bit {
	if both := bothOpen(a, b); len(both) > maxChosen {
		return l.undecidedOf(both)
	}
	out := make([]bit, len(a))
	for i := range a {
		out[i] = a[i].xor(b[i]).xor(carry)
		if i == len(a)-1 {
			break
		}
		switch d := a[i].xor(b[i]); { // the carry is the majority of the three
		case d.constant() && !d.not:
			carry = a[i]
		case d.constant() || a[i].equals(carry) || b[i].equals(carry): // the two differ
		case a[i].xor(carry).constant():
			carry = b[i]
		case b[i].xor(carry).constant():
			carry = a[i]
		default:
			return l.undecided(d)
		}
	}
	return out
}

func (l *linear) times(a []bit, y uint64) []bit {
	if y == ir.Mask(len(a)) {
		return l.add(constant(0, len(a)), negated(a), one)
	}
	out := constant(0, len(a))
	for i := range a {
		if y>>i&1 == 1 && out != nil {
			out = l.add(out, shifted(ir.Shl, a, uint64(i)), zero)
		}
	}
	return out
}

func (l *linear) and(a, b []bit) []bit {
	if both := bothOpen(a, b); len(both) > maxChosen {
		return l.undecidedOf(both)
	}
	out := make([]bit, len(a))
	for i := range a {
		switch x, y := a[i], b[i]; {
		case x.constant() && !x.not || y.constant() && !y.not || x.equals(y.negated()):
		case x.constant():
			out[i] = y
		case y.constant() || x.equals(y):
			out[i] = x
		default:
			return l.undecided(x)
		}
	}
	return out
}

func shifted(op ir.BinaryOp, a []bit, by uint64) []bit {
	out := make([]bit, len(a))
	for i := range out {
		switch {
		case op == ir.Shl && uint64(i) >= by:
			out[i] = a[i-int(by)]
		case op == ir.Shl:
		case by < uint64(len(a)-i):
			out[i] = a[i+int(by)]
		case op == ir.Sar:
			out[i] = a[len(a)-1]
		}
	}
	return out
}

func (l *linear) equal(a, b []bit) []bit {
	var differ *bit
	more := false
	for i := range a {
		d := a[i].xor(b[i])
		switch {
		case d.constant() && d.not:
			return []bit{zero}
		case d.constant() || differ != nil && d.equals(*differ):
		case differ == nil:
			differ = &d
		default:
			more = true
		}
	}
	if more {
		return l.undecided(*differ)
	}
	if differ == nil {
		return []bit{one}
	}
	return []bit{differ.negated()}
}

// less reports whether a is less than b, which the highest differing bit decides.
func (l *linear) less(a, b []bit) []bit {
	for i := len(a) - 1; i >= 0; i-- {
		switch d := a[i].xor(b[i]); {
		case !d.constant():
			return l.undecided(d)
		case d.not:
			return []bit{b[i]}
		}
	}
	return []bit{zero}
}
