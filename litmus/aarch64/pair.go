package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// Exclusive pairs and compare-and-swap of pairs (DDI 0487, B2.2.1 and C6.2, "Load-exclusive pair", "Store-exclusive pair",
// "Compare and swap pair of words or doublewords"). Of words, each is a single access of 64 bits, whose lower half is
// the first register's. Of doublewords, a store-exclusive that succeeds, and a compare-and-swap, are single accesses of
// 128 bits; each half of what a load-exclusive reads is one by itself.

const (
	word       = 32
	doubleword = 64
)

// both is the value of two words in one access.
func both(low, high ir.Expr) ir.Expr {
	return ir.BitOr.Of(ir.Widen(low, 2*word, false), ir.Shl.Of(ir.Widen(high, 2*word, false), ir.Number(word, 2*word)))
}

func (x *instr) readBoth(p pair) ir.Expr { return both(x.read(p[0]), x.read(p[1])) }

func (x *instr) writeBoth(p pair, v ir.Expr) {
	for i, r := range p {
		x.write(r, ir.Extract{X: v, Lo: i * word, Bits: word})
	}
}

// pair are two registers of one access.
type pair [2]reg

// pair are the registers that operands i and i + 1 name.
func (x *instr) pair(i int) pair {
	first := x.reg(i)
	return pair{first, x.regOf(i+1, first.bits)}
}

// neighbours are the registers that operands i and i + 1 name, the first of which has an even number.
func (x *instr) neighbours(i int) pair {
	p := x.pair(i)
	n, err := strconv.Atoi(strings.TrimPrefix(p[0].whole, "X"))
	numbered := err == nil && !strings.Contains(x.Ops[i].Text, "%")
	if numbered && n%2 != 0 {
		x.Fail(i, "%s: the first of two registers must have an even number", x.Ops[i].Text)
	}
	if want := "X" + strconv.Itoa(n+1); numbered && n%2 == 0 && p[1].whole != want && (n != 30 || p[1].whole != zero) {
		x.Fail(i+1, "got %s, want the register behind %s", x.Ops[i+1].Text, x.Ops[i].Text)
	}
	return p
}

// loadWide loads 128 bits.
func (x *instr) loadWide(op ir.Load) (low, high ir.Expr) {
	op.Dst, op.Bits = x.Temp(doubleword), 2*doubleword
	behind := x.Temp(doubleword)
	x.Emit(op)
	x.Emit(ir.Take{Dst: behind})
	return x.Value(op.Dst), x.Value(behind)
}

func loadExclusivePair(tags ir.Tags) func(*instr) {
	return func(x *instr) {
		to := x.pair(0)
		if to[0].whole == to[1].whole && to[0].whole != zero {
			x.Fail(1, "%s: a pair that is loaded needs two registers", x.Ops[1].Text)
		}
		op := ir.Load{Addr: x.plainAddress(2), Tags: tags, Reserve: true}
		if to[0].bits == doubleword {
			op.Apart = true
			low, high := x.loadWide(op)
			x.write(to[0], low)
			x.write(to[1], high)
			return
		}
		op.Bits = 2 * word
		x.writeBoth(to, x.Load(op))
	}
}

func storeExclusivePair(tags ir.Tags) func(*instr) {
	return func(x *instr) {
		from := x.pair(1)
		op := ir.StoreCond{Addr: x.plainAddress(3), Tags: tags}
		if from[0].bits == doubleword {
			op.Value, op.Next = x.read(from[0]), x.read(from[1])
		} else {
			op.Value = x.readBoth(from)
		}
		x.storeConditional(op)
	}
}

// compareAndSwapPair lowers CASP Rs,R(s+1),Rt,R(t+1),[Xn].
func compareAndSwapPair(o order) func(*instr) {
	return func(x *instr) {
		expected, desired := x.neighbours(0), x.neighbours(2)
		if expected[0].bits != desired[0].bits {
			x.regOf(2, expected[0].bits)
			return
		}
		if expected[0].bits == doubleword {
			x.swapWideIfEqual(x.plainAddress(4), expected, desired, o)
			return
		}
		x.swapIfEqual(x.plainAddress(4), x.readBoth(expected), x.readBoth(desired), o, false, func(v ir.Expr) { x.writeBoth(expected, x.Keep(v)) })
	}
}

// swapWideIfEqual is [instr.swapIfEqual] of 128 bits: a load and a store that succeeds wherever there is one.
func (x *instr) swapWideIfEqual(addr ir.Expr, expected, desired pair, o order) {
	at := x.Keep(addr)
	var want, next, decided [2]ir.Expr
	for i := range want {
		want[i], next[i] = x.Keep(x.read(expected[i])), x.Keep(x.read(desired[i]))
	}
	free := x.Temp(1)
	x.Emit(ir.Choose{Dst: free})
	either := x.Value(free)
	for i := range want {
		decided[i] = x.pick(want[i])
	}
	read, write := o.tags(ir.Tags{tagAMO, tagCAS}, false)
	low, high := x.loadWide(ir.Load{Addr: at, Tags: read, Reserve: true})
	equals := func(to [2]ir.Expr) ir.Expr { return ir.BitAnd.Of(ir.Eq.Of(low, to[0]), ir.Eq.Of(high, to[1])) }
	success := equals(decided)
	status := x.Temp(1)
	x.Emit(ir.StoreCond{
		Status: status, Ok: 1, Fail: 0, Addr: at, Tags: write,
		Value: ir.Select{If: success, Then: next[0], Else: low}, Next: ir.Select{If: success, Then: next[1], Else: high},
	})
	x.Emit(ir.Assume{Cond: ir.Eq.Of(x.Value(status), ir.BitOr.Of(success, either))})
	equal := x.Keep(ir.BitAnd.Of(either, equals(want)))
	kept := x.pick(equal)
	for i, v := range []ir.Expr{low, high} {
		x.write(expected[i], ir.Select{If: equal, Then: picked(kept, want[i]), Else: v})
	}
}
