package riscv

import (
	"strings"

	"litmuscope/litmus/ir"
)

const (
	tagAMO    ir.Tag = "AMO"    // both halves of an atomic read-modify-write
	tagLR     ir.Tag = "LR"     // a load-reserved
	tagStCond ir.Tag = "StCond" // the write of a store-conditional

	tagAcq    ir.Tag = "Acq"
	tagRel    ir.Tag = "Rel"
	tagAcqRel ir.Tag = "AcqRel"

	tagFenceTSO ir.Tag = "Fence.tso"
	tagFenceI   ir.Tag = "Fence.i"
)

// accessSets are the sets of accesses on either side of a fence: of memory, or only of devices.
var accessSets = []string{"r", "w", "rw", "i", "o", "io"}

func fenceTag(before, after string) ir.Tag { return ir.Tag("Fence." + before + "." + after) }

// defineAccesses adds loads, stores, fences, load-reserved, store-conditional and the atomic instructions.
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
		// The forms for bytes and halfwords are those of Zabha.
		for name, f := range atomics {
			access("rrp", atomic(bits, f), name+"."+letter)
		}
		access("rrp", compareAndSwap(bits), "amocas."+letter)
		if bits < wordBits {
			continue
		}
		access("rp", loadReserved(bits), "lr."+letter)
		access("rrp", storeConditional(bits), "sc."+letter)
	}
	access("rrp", compareAndSwap(2*xlen), "amocas.q")
	define("ss", fence, "fence")
	define("", func(x *instr) {
		x.Emit(ir.Fence{Tags: ir.Tags{tagFenceTSO, ir.TagRR, ir.TagRW, ir.TagWW}})
	}, "fence.tso")
	define("", func(x *instr) { x.Emit(ir.Fence{Tags: ir.Tags{tagFenceI}}) }, "fence.i")
}

// fence orders earlier accesses of its first set before later accesses of its second set.
func fence(x *instr) {
	before, after := strings.ToLower(x.ops[0].Text), strings.ToLower(x.ops[1].Text)
	tags := ir.Tags{fenceTag(memory(before), memory(after))}
	for _, pair := range []struct {
		from, to string
		tag      ir.Tag
	}{
		{"r", "r", ir.TagRR}, {"r", "w", ir.TagRW}, {"w", "r", ir.TagWR}, {"w", "w", ir.TagWW},
	} {
		if strings.Contains(before, pair.from) && strings.Contains(after, pair.to) {
			tags = append(tags, pair.tag)
		}
	}
	x.Emit(ir.Fence{Tags: tags})
}

// memory returns the memory accesses of a fence's set. A set with only device accesses stays as it is.
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

// tags returns the tags of an access with an annotation, with more for an access of an atomic instruction. All
// annotations of existing instructions are RCsc: those of atomics, and of Zalasr's load-acquires and store-releases
// (version 1.0). Reserved ones, such as lw.rl, are not.
func tags(order ir.Tag, rcsc bool, more ...ir.Tag) ir.Tags {
	if order == "" {
		return more
	}
	tags := append(ir.Tags{order}, more...)
	if order != tagRel {
		tags = append(tags, ir.TagAcquire)
	}
	if order != tagAcq {
		tags = append(tags, ir.TagRelease)
	}
	if rcsc {
		tags = append(tags, ir.TagRCsc)
	}
	return tags
}

// readTags and writeTags return the tags of the halves of a read-modify-write: a release annotation does not apply to
// the read, nor an acquire annotation to the write.
func (x *instr) readTags(more ...ir.Tag) ir.Tags {
	if x.order == tagRel {
		return more
	}
	return tags(x.order, true, more...)
}

func (x *instr) writeTags(more ...ir.Tag) ir.Tags {
	if x.order == tagAcq {
		return more
	}
	return tags(x.order, true, more...)
}

// address returns the address in operand i.
func (x *instr) address(i int) ir.Expr {
	o := x.ops[i]
	base := x.reg(o.Reg)
	if o.Imm == 0 {
		return base
	}
	return ir.Add.Of(base, ir.Const{Value: o.Imm, Bits: xlen})
}

// deliver emits a read, made by op for a given register, and copies its value to operand 0.
func (x *instr) deliver(bits int, widenSigned bool, op func(dst int) ir.Op) {
	if bits == xlen {
		x.Emit(op(x.dst(0)))
		return
	}
	dst := x.Temp(bits)
	x.Emit(op(dst))
	if x.ops[0].Reg != x0 {
		x.Assign(x.dst(0), ir.Widen(x.Value(dst), xlen, widenSigned))
	}
}

// isRCsc reports whether the annotation of a plain load or store is RCsc: acquire and release together always are; own,
// the one that Zalasr defines for the access, is unless the processor says RCpc.
func (x *instr) isRCsc(own ir.Tag) bool {
	return x.order == tagAcqRel || x.order == own && !x.Test.RCpc
}

func load(bits int, widenSigned bool) func(*instr) {
	return func(x *instr) {
		x.deliver(bits, widenSigned, func(dst int) ir.Op {
			return ir.Load{Dst: dst, Addr: x.address(1), Bits: bits, Tags: tags(x.order, x.isRCsc(tagAcq))}
		})
	}
}

func store(bits int) func(*instr) {
	return func(x *instr) {
		x.Emit(ir.Store{Addr: x.address(1), Value: ir.Resize(x.get(0), bits), Tags: tags(x.order, x.isRCsc(tagRel))})
	}
}

func loadReserved(bits int) func(*instr) {
	return func(x *instr) {
		x.deliver(bits, true, func(dst int) ir.Op {
			return ir.Load{Dst: dst, Addr: x.address(1), Bits: bits, Tags: tags(x.order, true, tagLR), Reserve: true}
		})
	}
}

// storeConditional makes the status depend on the write, because success is only known from the write.
func storeConditional(bits int) func(*instr) {
	return func(x *instr) {
		x.Emit(ir.StoreCond{
			Status: x.dst(0), Ok: 0, Fail: 1, Addr: x.address(2), Value: ir.Resize(x.get(1), bits),
			Tags: tags(x.order, true, tagStCond, ir.TagLocked), Depend: true,
		})
	}
}

// atomics are the read-modify-writes: the value that they write, given the read value and the operand.
var atomics = map[string]func(old, v ir.Expr) ir.Expr{
	"amoswap": func(_, v ir.Expr) ir.Expr { return v },
	"amoadd":  ir.Add.Of,
	"amoand":  ir.BitAnd.Of,
	"amoor":   ir.BitOr.Of,
	"amoxor":  ir.BitXor.Of,
	"amomin":  lesser(ir.Slt, false),
	"amomax":  lesser(ir.Slt, true),
	"amominu": lesser(ir.Ult, false),
	"amomaxu": lesser(ir.Ult, true),
}

// lesser returns the lesser of two numbers or, with turned, the greater.
func lesser(less ir.BinaryOp, turned bool) func(old, v ir.Expr) ir.Expr {
	return func(old, v ir.Expr) ir.Expr {
		a, b := old, v
		if turned {
			a, b = v, old
		}
		return ir.Cond{If: less.Of(a, b), Then: old, Else: v}
	}
}

// updateTags returns the tags of the two halves of an atomic read-modify-write.
func (x *instr) updateTags() (read, write ir.Tags) {
	read, write = x.readTags(tagAMO, ir.TagLocked), x.writeTags(tagAMO, ir.TagLocked)
	if x.order == tagAcq { // accesses after the load also come after the store
		write = append(write, ir.TagAcquire, ir.TagRCsc)
	}
	return read, write
}

// atomic always reads and writes, even if it discards one of the values: the manual has no exception for x0.
func atomic(bits int, f func(old, v ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		read, write := x.updateTags()
		x.deliver(bits, true, func(dst int) ir.Op {
			return ir.RMW{
				Dst: dst, Addr: x.address(2), Bits: bits, New: f(ir.Old{Bits: bits}, ir.Resize(x.get(1), bits)),
				Tags: read, WriteTags: write,
			}
		})
	}
}

// compareAndSwap lowers the amocas of Zacas (version 1.0, as in the manual): if memory equals rd, it writes rs2; rd
// gets the read value. One that fails may write that value back or not write, and is never a release. The manual lists
// no dependencies for it. Here rs2 and rd, which determine what is written, are sources of the value.
func compareAndSwap(bits int) func(*instr) {
	return func(x *instr) {
		want, next, at := x.value(0, bits), x.value(1, bits), x.Keep(x.address(2))
		either := func() ir.Expr {
			free := x.Temp(1)
			x.Emit(ir.Choose{Dst: free})
			return x.Value(free)
		}
		// update makes the write depend on the decision, and returns whether the read value is the wanted one.
		update := func(f func(old value) (next value, only ir.Expr)) (equal ir.Expr) {
			was := x.update(bits, at, func(old value) (value, ir.Expr) {
				next, only := f(old)
				return next.withZero(want), only
			})
			x.setValue(0, was)
			return was.equals(want)
		}
		if x.order == "" || x.order == tagAcq {
			free := either()
			update(func(old value) (value, ir.Expr) {
				equal := old.equals(want)
				return old.unless(equal, next), ir.BitOr.Of(equal, free)
			})
			return
		}
		// An instruction that is a release if it succeeds becomes two alternatives, one for success and one for
		// failure.
		x.otherwise(either(), func() {
			x.Emit(ir.Assume{Cond: update(func(value) (value, ir.Expr) { return next, nil })})
		}, func() {
			order := x.order
			if x.order = ""; order == tagAcqRel {
				x.order = tagAcq
			}
			free := either()
			x.Emit(
				ir.Assume{Cond: ir.Not(update(func(old value) (value, ir.Expr) { return old.withZero(next), free }))})
		})
	}
}

// otherwise emits yes for the case that cond is 1, and no for the other case.
func (x *instr) otherwise(cond ir.Expr, yes, no func()) {
	code := func() []ir.Step { return x.Program.Threads[x.Thread].Code }
	jump := func(cond ir.Expr) (land func()) {
		at := len(code())
		x.Emit(ir.Branch{Cond: cond})
		return func() { code()[at].Op = ir.Branch{Cond: cond, Target: len(code())} }
	}
	landNo := jump(ir.Not(cond))
	yes()
	landOver := jump(nil)
	landNo()
	no()
	landOver()
}
