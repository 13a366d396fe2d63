package run

import (
	"math/bits"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
)

// value is the possible numbers of a register or of memory: a few numbers, or all numbers with some known properties.
// Some bytes may be unset.
//
// The properties are those of package known: bits that are known, and a signed range. The list of numbers makes
// operations exact while there are at most maxFew, which is what flags and small state machines need; ranges are what
// counters need; known bits are what alignment and parity need. Operations are sound: the result includes the results
// for all numbers of the operands.
type value struct {
	known.Number
	few   []uint64 // ascending; nil if there is only one, or too many
	unset holes
}

// maxFew is the maximum number of numbers in a value's list, and maxChoices that of choices.
const (
	maxFew     = 8
	maxChoices = 64
)

var numbers known.Domain

func exactly(v uint64, bits int) value { return value{Number: known.Of(v, bits)} }

func anyOf(bits int) value { return value{Number: known.Unknown(bits)} }

// oneOf returns the value that is one of some numbers, of which there is at least one.
func oneOf(all []uint64, bits int) value {
	slices.Sort(all)
	all = slices.Compact(all)
	out := exactly(all[0], bits)
	for _, v := range all[1:] {
		out.Number = out.Join(known.Of(v, bits))
	}
	if len(all) > 1 && len(all) <= maxFew {
		out.few = all
	}
	return out
}

// list returns the possible numbers, or nil if there are too many.
func (v value) list() []uint64 {
	if v.Constant() {
		return []uint64{v.Value}
	}
	return v.few
}

// choices returns the possible numbers; ok is false if there are more than maxChoices.
func (v value) choices() (all []uint64, ok bool) {
	if all = v.list(); all != nil {
		return all, true
	}
	if uint64(v.Most-v.Least) > 1<<12 {
		return nil, false
	}
	for i := range v.Most - v.Least + 1 {
		if n := uint64(v.Least+i) & ir.Mask(v.Bits); v.May(n) {
			all = append(all, n)
		}
	}
	return all, len(all) <= maxChoices
}

// may reports whether a number is possible.
func (v value) may(n uint64) bool { return v.May(n) && (v.few == nil || slices.Contains(v.few, n)) }

// join returns the union of two values.
func (v value) join(w value) value {
	unset := v.unset | w.unset
	a, b := v.list(), w.list()
	var out value
	switch {
	case v.Constant() && v.Number == w.Number:
		out = v
	case a != nil && b != nil:
		out = oneOf(slices.Concat(a, b), v.Bits)
	default:
		out = value{Number: v.Join(w.Number)}
	}
	out.unset = unset
	return out
}

// covers reports whether v includes all numbers of w.
func (v value) covers(w value) bool {
	if w.unset&^v.unset != 0 {
		return false
	}
	if v.list() != nil {
		in := w.list()
		return in != nil && !slices.ContainsFunc(in, func(n uint64) bool { return !v.may(n) })
	}
	return v.Mask&^w.Mask == 0 && (v.Value^w.Value)&v.Mask == 0 && v.Least <= w.Least && w.Most <= v.Most
}

// widening says by how much a growing value is extended.
type widening int

// The widenings.
const (
	asItIs  widening = iota
	byBits           // to the next number that differs from the old one in higher bits
	byTypes          // to the ends of the ranges of C's types
)

// rangeEnds are the bit widths of those ranges.
var rangeEnds = []int{0, 7, 8, 15, 16, 31, 32, 63}

// widen extends v, which was before and has grown, so that growth ends after a few steps.
//
// A value can be widened only a few times: an end of the range moves so far that the next move changes a higher bit, or
// to the end of a type; and if a known bit is lost, all bits above it are given up as well.
func (v value) widen(before value, by widening) value {
	if by == asItIs || v.list() != nil || before.covers(v) {
		return v
	}
	least, most := v.Least, v.Most
	if least < before.Least {
		least = ^above(^before.Least, ^least, by)
	}
	if most > before.Most {
		most = above(before.Most, most, by)
	}
	lo, hi := known.SignedRange(v.Bits)
	least, most = max(least, lo), min(most, hi)
	mask := v.Mask
	if lost := before.Mask &^ v.Mask; lost != 0 {
		mask &= lost&-lost - 1
	}
	return value{Number: known.Tight(v.Value&mask, mask, least, most, v.Bits), unset: v.unset}
}

// above returns a number that is at least n, which was less before.
func above(before, n int64, by widening) int64 {
	if by == byTypes {
		i := slices.IndexFunc(rangeEnds, func(bits int) bool { return int64(ir.Mask(bits)) >= n })
		return int64(ir.Mask(rangeEnds[i]))
	}
	differs := n ^ before
	if differs < 0 { // it was negative
		differs = n
	}
	return n | int64(ir.Mask(bits.Len64(uint64(differs))))
}

// each computes an operation on each pair of possible numbers; ok is false if there are too many.
func each(x, y value, bits int, do func(x, y uint64) uint64) (out value, ok bool) {
	a, b := x.list(), y.list()
	if a == nil || b == nil {
		return value{}, false
	}
	var all []uint64
	for _, n := range a {
		for _, m := range b {
			all = append(all, do(n, m))
		}
	}
	return oneOf(all, bits), true
}

// evaluate computes an expression over values.
func evaluate(e ir.Expr, regs []value, old value) value {
	eval := func(e ir.Expr) value { return evaluate(e, regs, old) }
	unit := exactly(0, 1)
	switch e := e.(type) {
	case ir.Const:
		return exactly(e.Value, e.Bits)
	case ir.Reg:
		return regs[e.Index].fit(e.Bits)
	case ir.Old:
		return old.fit(e.Bits)
	case ir.Unary:
		x := eval(e.X)
		if out, ok := each(x, unit, x.Bits, func(n, _ uint64) uint64 { return ir.EvalUnary(e.Op, n, x.Bits) }); ok {
			return out
		}
		return value{Number: numbers.Unary(e.Op, x.Number)}
	case ir.Binary:
		x, y := eval(e.X), eval(e.Y)
		if out, ok := each(x, y, e.Width(), func(n, m uint64) uint64 { return ir.EvalBinary(e.Op, n, m, x.Bits) }); ok {
			return out
		}
		if out := (value{Number: numbers.Binary(e.Op, x.Number, y.Number)}); e.Op < ir.Eq || out.Constant() {
			return out
		}
		return compare(e.Op, x, y)
	case ir.Cond:
		return either(eval(e.If), e.Then, e.Else, eval)
	case ir.Select:
		return either(eval(e.If), e.Then, e.Else, eval)
	case ir.Extract:
		x := eval(e.X)
		if out, ok := each(x, unit, e.Bits, func(n, _ uint64) uint64 { return n >> e.Lo & ir.Mask(e.Bits) }); ok {
			return out
		}
		return value{Number: numbers.Extract(x.Number, e.Lo, e.Bits)}
	case ir.Extend:
		return eval(e.X).extend(e.Bits, e.Signed)
	}
	return anyOf(e.Width())
}

// compare compares two values, one of which has only a few numbers.
func compare(op ir.BinaryOp, x, y value) value {
	var all []value
	for _, n := range x.few {
		all = append(all, value{Number: numbers.Binary(op, known.Of(n, x.Bits), y.Number)})
	}
	for _, n := range y.few {
		all = append(all, value{Number: numbers.Binary(op, x.Number, known.Of(n, y.Bits))})
	}
	if len(all) == 0 {
		return anyOf(1)
	}
	out := all[0]
	for _, v := range all[1:] {
		out = out.join(v)
	}
	return out
}

func either(cond value, then, other ir.Expr, eval func(ir.Expr) value) value {
	switch {
	case !cond.Constant():
		return eval(then).join(eval(other))
	case cond.Value == 1:
		return eval(then)
	}
	return eval(other)
}

func (v value) extend(bits int, signed bool) value {
	out, ok := each(v, exactly(0, 1), bits, func(n, _ uint64) uint64 {
		if signed {
			return ir.SignExtend(n, v.Bits) & ir.Mask(bits)
		}
		return n
	})
	if !ok {
		out = value{Number: numbers.Extend(v.Number, bits, signed)}
	}
	return out
}

// fit resizes a value: higher bits are cut, new bits are 0.
func (v value) fit(bits int) value {
	switch {
	case bits == v.Bits:
		return v
	case bits > v.Bits:
		return v.extend(bits, false)
	}
	return evaluate(ir.Extract{X: ir.Reg{Bits: v.Bits}, Bits: bits}, []value{v}, v)
}
