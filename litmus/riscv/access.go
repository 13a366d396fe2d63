package riscv

import (
	"strings"

	"litmuscope/litmus"
)

// Tags of accesses that atomic instructions make.
const (
	tagAMO    = "AMO"    // both halves of an atomic read-modify-write
	tagLR     = "LR"     // a load-reserved
	tagStCond = "StCond" // the write of a store-conditional
)

func defineAccesses() {
	access := func(shape string, lower func(*instr), names ...string) {
		for _, name := range names {
			instructions[name] = instruction{shape: shape, ordered: true, lower: lower}
		}
	}
	for letter, bits := range map[string]int{"b": 8, "h": 16, "w": 32, "d": 64} {
		access("rm", load(bits, true), "l"+letter)
		if bits < xlen {
			access("rm", load(bits, false), "l"+letter+"u")
		}
		access("rm", store(bits), "s"+letter)
		if bits < wordBits {
			continue
		}
		access("rp", loadReserved(bits), "lr."+letter)
		access("rrp", storeConditional(bits), "sc."+letter)
		for name, f := range atomics {
			access("rrp", atomic(name, bits, f), name+"."+letter)
		}
	}
	define("ss", fence, "fence")
	define("", func(x *instr) {
		x.emit(litmus.Fence{Tags: litmus.Tags{"Fence.tso", litmus.TagRR, litmus.TagRW, litmus.TagWW}})
	}, "fence.tso")
	define("", func(x *instr) { x.emit(litmus.Fence{Tags: litmus.Tags{"Fence.i"}}) }, "fence.i")
}

// fence orders the accesses before it that its first set names with those behind it
// that its second set names.
func fence(x *instr) {
	before, after := strings.ToLower(x.ops[0].Text), strings.ToLower(x.ops[1].Text)
	tags := litmus.Tags{"Fence." + memory(before) + "." + memory(after)}
	for _, pair := range []struct{ from, to, tag string }{
		{"r", "r", litmus.TagRR}, {"r", "w", litmus.TagRW}, {"w", "r", litmus.TagWR}, {"w", "w", litmus.TagWW},
	} {
		if strings.Contains(before, pair.from) && strings.Contains(after, pair.to) {
			tags = append(tags, pair.tag)
		}
	}
	x.emit(litmus.Fence{Tags: tags})
}

// memory is the part of a fence's set that is about memory; a set of devices alone
// stays what it is.
func memory(set string) string {
	out := ""
	for _, c := range []string{"r", "w"} {
		if strings.Contains(set, c) {
			out += c
		}
	}
	if out == "" {
		return set
	}
	return out
}

// tags are the instruction's memory order and more.
func (x *instr) tags(more ...string) litmus.Tags {
	if x.order == "" {
		return more
	}
	return append(litmus.Tags{x.order}, more...)
}

// readTags and writeTags are for the halves of a read-modify-write: a release
// annotation is no matter of the read's, an acquire annotation none of the write's.
func (x *instr) readTags(more ...string) litmus.Tags {
	if x.order == "Rel" {
		return more
	}
	return x.tags(more...)
}

func (x *instr) writeTags(more ...string) litmus.Tags {
	if x.order == "Acq" {
		return more
	}
	return x.tags(more...)
}

// address is what operand i points to.
func (x *instr) address(i int) litmus.Expr {
	o := x.ops[i]
	base := x.reg(o.reg)
	if o.imm == 0 {
		return base
	}
	return binary(litmus.Add, base, litmus.Const{Value: o.imm, Bits: xlen})
}

// deliver emits a read, made by op for the register it is given, and puts what it
// reads into operand 0.
func (x *instr) deliver(bits int, widenSigned bool, op func(dst int) litmus.Op) {
	if bits == xlen {
		x.emit(op(x.dst(0)))
		return
	}
	dst := x.Temp(x.t, bits)
	x.emit(op(dst))
	if x.ops[0].reg != x0 {
		v := litmus.Extend{X: litmus.Reg{Index: dst, Bits: bits}, Bits: xlen, Signed: widenSigned}
		x.emit(litmus.Assign{Dst: x.dst(0), Value: v})
	}
}

func load(bits int, widenSigned bool) func(*instr) {
	return func(x *instr) {
		x.deliver(bits, widenSigned, func(dst int) litmus.Op {
			return litmus.Load{Dst: dst, Addr: x.address(1), Bits: bits, Tags: x.tags()}
		})
	}
}

func store(bits int) func(*instr) {
	return func(x *instr) {
		x.emit(litmus.Store{Addr: x.address(1), Value: low(x.get(0), bits), Tags: x.tags()})
	}
}

func loadReserved(bits int) func(*instr) {
	return func(x *instr) {
		x.deliver(bits, true, func(dst int) litmus.Op {
			return litmus.Load{Dst: dst, Addr: x.address(1), Bits: bits, Tags: x.tags(tagLR), Reserve: true}
		})
	}
}

// storeConditional: that it has succeeded is known from its write, so what uses the
// success depends on the write.
func storeConditional(bits int) func(*instr) {
	return func(x *instr) {
		x.emit(litmus.StoreCond{
			Status: x.dst(0), Ok: 0, Fail: 1, Addr: x.address(2), Value: low(x.get(1), bits),
			Tags: x.tags(tagStCond, litmus.TagLocked), Depend: true,
		})
	}
}

// atomics are the read-modify-writes: what they write, given what they read and
// their operand.
var atomics = map[string]func(old, v litmus.Expr) litmus.Expr{
	"amoswap": func(_, v litmus.Expr) litmus.Expr { return v },
	"amoadd":  operator(litmus.Add),
	"amoand":  operator(litmus.BitAnd),
	"amoor":   operator(litmus.BitOr),
	"amoxor":  operator(litmus.BitXor),
	"amomin":  lesser(litmus.Slt, false),
	"amomax":  lesser(litmus.Slt, true),
	"amominu": lesser(litmus.Ult, false),
	"amomaxu": lesser(litmus.Ult, true),
}

func operator(op litmus.BinaryOp) func(old, v litmus.Expr) litmus.Expr {
	return func(old, v litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: v} }
}

// lesser takes the lesser of two numbers, or, turned round, the greater.
func lesser(less litmus.BinaryOp, turned bool) func(old, v litmus.Expr) litmus.Expr {
	return func(old, v litmus.Expr) litmus.Expr {
		a, b := old, v
		if turned {
			a, b = v, old
		}
		return litmus.Cond{If: litmus.Binary{Op: less, X: a, Y: b}, Then: old, Else: v}
	}
}

func atomic(name string, bits int, f func(old, v litmus.Expr) litmus.Expr) func(*instr) {
	return func(x *instr) {
		v := low(x.get(1), bits)
		switch {
		case name == "amoswap" && x.ops[0].reg == x0:
			x.emit(litmus.Store{Addr: x.address(2), Value: v, Tags: x.writeTags()})
			return
		case (name == "amoor" || name == "amoadd") && x.ops[1].reg == x0:
			x.deliver(bits, true, func(dst int) litmus.Op {
				return litmus.Load{Dst: dst, Addr: x.address(2), Bits: bits, Tags: x.readTags()}
			})
			return
		}
		x.deliver(bits, true, func(dst int) litmus.Op {
			return litmus.RMW{
				Dst: dst, Addr: x.address(2), Bits: bits, New: f(litmus.Old{Bits: bits}, v),
				Tags: x.readTags(tagAMO, litmus.TagLocked), WriteTags: x.writeTags(tagAMO, litmus.TagLocked),
			}
		})
	}
}
