package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Exclusive pairs and compare-and-swap of pairs (DDI 0487, B2.2.1 and C6.2, "Load-exclusive pair", "Store-exclusive
// pair", "Compare and swap pair of words or doublewords"). Of words, each is a single access of 64 bits, whose lower
// half is the first register's. Of doublewords, a store-exclusive that succeeds, and a compare-and-swap, are single
// accesses of 128 bits; each half of what a load-exclusive reads is one by itself.

const (
	word       = 32
	doubleword = 64
)

// both returns two words as the value of one access.
func both(low, high ir.Expr) ir.Expr {
	return ir.BitOr.Of(ir.Widen(low, 2*word, false), ir.Shl.Of(ir.Widen(high, 2*word, false), ir.Number(word, 2*word)))
}

func (x *instr) readBoth(p pair) ir.Expr { return both(x.read(p[0]), x.read(p[1])) }

func (x *instr) writeBoth(p pair, v ir.Expr) {
	for i, r := range p {
		x.write(r, ir.Extract{X: v, Lo: i * word, Bits: word})
	}
}

// readEach and writeEach are for two registers of 64 bits.
func (x *instr) readEach(p pair) lower.Double { return lower.Double{x.read(p[0]), x.read(p[1])} }

func (x *instr) writeEach(p pair, v lower.Double) {
	for i, r := range p {
		x.write(r, v[i])
	}
}

// pair is the two registers of one access.
type pair [2]reg

// pair returns the registers of operands i and i + 1.
func (x *instr) pair(i int) pair {
	first := x.reg(i)
	return pair{first, x.regOf(i+1, first.bits)}
}

// neighbours returns the registers of operands i and i + 1. The first must have an even number, and the second must be
// the next one.
func (x *instr) neighbours(i int) pair {
	p := x.pair(i)
	n, err := strconv.Atoi(strings.TrimPrefix(p[0].whole, "X"))
	numbered := err == nil && !strings.Contains(x.Ops[i].Text, "%")
	if numbered && n%2 != 0 {
		x.Fail(i, "%s: the first of two registers must have an even number", x.Ops[i].Text)
	}
	if want := "X" + strconv.Itoa(n+1); numbered && n%2 == 0 && p[1].whole != want && (n != 30 || p[1].whole != zero) {
		x.Fail(i+1, "got %s, want the register after %s", x.Ops[i+1].Text, x.Ops[i].Text)
	}
	return p
}

func loadExclusivePair(tags ir.Tags) func(*instr) {
	return func(x *instr) {
		to := x.pair(0)
		if to[0].whole == to[1].whole && to[0].whole != zero {
			x.Fail(1, "%s: a load of a pair needs two different registers", x.Ops[1].Text)
		}
		op := ir.Load{Addr: x.plainAddress(2), Tags: tags, Reserve: true}
		if to[0].bits == doubleword {
			op.Apart = true
			x.writeEach(to, x.LoadDouble(op))
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
		x.swapIfEqual(x.plainAddress(4), x.readBoth(expected), x.readBoth(desired), o, false,
			func(v ir.Expr) { x.writeBoth(expected, x.Keep(v)) })
	}
}

// swapWideIfEqual is [instr.swapIfEqual] with 128 bits.
func (x *instr) swapWideIfEqual(addr ir.Expr, expected, desired pair, o order) {
	at := x.Keep(addr)
	want, next := x.KeepDouble(x.readEach(expected)), x.KeepDouble(x.readEach(desired))
	free := x.Temp(1)
	x.Emit(ir.Choose{Dst: free})
	either := x.Value(free)
	decided := lower.Double{x.pick(want[0]), x.pick(want[1])}
	read, write := o.tags(ir.Tags{tagAMO, tagCAS}, false)
	was := x.UpdateDouble(at, read, write, func(old lower.Double) (lower.Double, ir.Expr) {
		success := old.Equals(decided)
		return lower.Double{
			ir.Select{If: success, Then: next[0], Else: old[0]}, ir.Select{If: success, Then: next[1], Else: old[1]},
		}, ir.BitOr.Of(success, either)
	})
	equal := x.Keep(ir.BitAnd.Of(either, was.Equals(want)))
	kept := x.pick(equal)
	for i, v := range was {
		x.write(expected[i], ir.Select{If: equal, Then: throughPick(kept, want[i]), Else: v})
	}
}

// fetchPair lowers SWPP (if f is nil), LDCLRP and LDSETP (C6.2, "Swap quadword in memory", "Atomic bit clear on
// quadword in memory"). The old value goes to the registers of the operand.
func fetchPair(o order, f func(old, v ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		regs := pair{x.regOf(0, doubleword), x.regOf(1, doubleword)}
		for i, r := range regs {
			if r.whole == zero {
				x.Fail(i, "%s: want a register other than XZR", x.Ops[i].Text)
			}
		}
		if regs[0] == regs[1] {
			x.Fail(1, "%s: want two registers", x.Ops[1].Text)
		}
		v := x.KeepDouble(x.readEach(regs))
		read, write := o.tags(ir.Tags{tagAMO}, false)
		x.writeEach(regs,
			x.UpdateDouble(x.plainAddress(2), read, write, func(old lower.Double) (lower.Double, ir.Expr) {
				if f == nil {
					return v, nil
				}
				return lower.Double{f(old[0], v[0]), f(old[1], v[1])}, nil
			}))
	}
}
