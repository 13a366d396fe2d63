package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// Exclusive pairs and compare-and-swap of pairs, of two words: single accesses of 64 bits, whose lower half is the first
// register's (DDI 0487, B2.2.1 and C6.2, "Load-exclusive pair", "Store-exclusive pair", "Compare and swap pair of words").

const word = 32

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

// wordPair are the registers that operands i and i + 1 name.
func (x *instr) wordPair(i int) pair {
	first := x.reg(i)
	if first.bits != word {
		x.Fail(i, "%s has 64 bits: accesses of 128 bits are not supported", x.Ops[i].Text)
	}
	return pair{first, x.regOf(i+1, first.bits)}
}

// neighbours are the registers that operands i and i + 1 name, the first of which has an even number.
func (x *instr) neighbours(i int) pair {
	p := x.wordPair(i)
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

func loadExclusivePair(tags ir.Tags) func(*instr) {
	return func(x *instr) {
		to := x.wordPair(0)
		if to[0].whole == to[1].whole && to[0].whole != zero {
			x.Fail(1, "%s: a pair that is loaded needs two registers", x.Ops[1].Text)
		}
		x.writeBoth(to, x.Load(ir.Load{Addr: x.plainAddress(2), Bits: 2 * word, Tags: tags, Reserve: true}))
	}
}

func storeExclusivePair(tags ir.Tags) func(*instr) {
	return func(x *instr) {
		x.storeConditional(ir.StoreCond{Addr: x.plainAddress(3), Value: x.readBoth(x.wordPair(1)), Tags: tags})
	}
}

// compareAndSwapPair lowers CASP Ws,W(s+1),Wt,W(t+1),[Xn].
func compareAndSwapPair(o order) func(*instr) {
	return func(x *instr) {
		expected, desired := x.neighbours(0), x.neighbours(2)
		x.swapIfEqual(x.plainAddress(4), x.readBoth(expected), x.readBoth(desired), o, false, func(v ir.Expr) { x.writeBoth(expected, x.Keep(v)) })
	}
}
