package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Guarded control stacks (DDI 0487, chapter D11): BL and BLR push the address to return to, and RET faults if the top
// differs from the address that it jumps to. Accesses of the stack are implicit and have a tag of their own; nothing
// orders them with other accesses, nor with each other, except that none reads from a later write of its thread. Tests
// declare a stack as SS(x,2), of two numbers of 64 bits, and a token on it as SSCap(x,1).

// tagShadow marks accesses of guarded control stacks.
const tagShadow ir.Tag = "SHADOW"

// stackPointer is the register that points to the top of the stack.
const stackPointer = "GCSPR_EL1"

var shadowTags = ir.Tags{tagImplicit, tagShadow}

// The kinds of tokens: of a stack that is not in use, and of one that is being left.
const (
	tokenValid    = 1
	tokenProgress = 5
)

// guards reports whether the test has guarded control stacks.
func (x *instr) guards() bool {
	if x.sys == nil || !x.sys.guards {
		x.Fail(len(x.Ops), "the test does not use guarded control stacks: add the line Variant=shadowstack")
		return false
	}
	if x.handling != nil {
		x.Fail(len(x.Ops), "guarded control stacks are not supported in a handler")
		return false
	}
	return true
}

// top returns the register with the address of the top.
func (x *instr) top() int { return x.Reg(stackPointer) }

// moveTop adds to the address of the top.
func (x *instr) moveTop(bytes uint64) {
	x.Assign(x.top(), ir.Add.Of(x.Value(x.top()), ir.Number(bytes, 64)))
}

// emitShadow emits an access of a stack. It has no tag check.
func (x *instr) emitShadow(op ir.Op) {
	addr, _ := ir.Access(op)
	if !x.sys.translates {
		x.EmitHidden(op)
		return
	}
	x.translated(op, x.Keep(addr), func(op ir.Op, to place) { x.EmitHidden(withAddress(op, to.physical)) })
}

// push pushes a number.
func (x *instr) push(v ir.Expr) {
	v = x.Keep(v)
	x.moveTop(^uint64(7))
	x.emitShadow(ir.Store{Addr: x.Value(x.top()), Value: v, Tags: shadowTags})
}

// topValue loads the number at the top.
func (x *instr) topValue() ir.Expr {
	tmp := x.Temp(64)
	x.emitShadow(ir.Load{Dst: tmp, Addr: x.Value(x.top()), Bits: 64, Tags: shadowTags})
	return x.Value(tmp)
}

// faultUnless faults if a number that has been read from the stack is not what the instruction needs.
func (x *instr) faultUnless(right ir.Expr, kind string) {
	x.unless(right, func() { x.fault(kind, nil, nil) })
}

// pushReturn pushes the address that a call returns to, if there is a stack.
func (x *instr) pushReturn() {
	if x.sys != nil && x.sys.guards {
		x.push(x.read(reg{link, 64}))
	}
}

// checkReturn pops the address to return to, if there is a stack, and faults if it is not v.
func (x *instr) checkReturn(v ir.Expr) {
	if x.sys != nil && x.sys.guards {
		x.faultUnless(ir.Eq.Of(x.topValue(), v), "GCS:PRET")
		x.moveTop(8)
	}
}

// defineGuards adds the instructions of guarded control stacks.
func defineGuards() {
	define("GCSB", 1, 1, func(x *instr) {
		if !strings.EqualFold(x.Ops[0].Text, "DSYNC") {
			x.Fail(0, "got operand %q, want DSYNC", x.Ops[0].Text)
		}
		if x.guards() {
			x.Builder.Emit(ir.Fence{Tags: ir.Tags{"GCSB"}})
		}
	})
	define("GCSPUSHM", 1, 1, func(x *instr) {
		if x.guards() {
			x.push(x.read(x.regOf(0, 64)))
		}
	})
	define("GCSPOPM", 0, 1, func(x *instr) {
		if !x.guards() {
			return
		}
		v := x.topValue()
		low := ir.BitAnd.Of(v, ir.Number(3, 64))
		x.faultUnless(ir.Eq.Of(low, ir.Number(0, 64)), "GCS:POPM")
		x.moveTop(8)
		if len(x.Ops) == 1 {
			x.write(x.regOf(0, 64), v)
		}
	})
	define("GCSSTR", 2, 2, func(x *instr) {
		if x.guards() {
			v, at := x.read(x.regOf(0, 64)), x.Keep(x.plainAddress(1))
			x.emitShadow(ir.Store{Addr: at, Value: v, Tags: shadowTags})
		}
	})
	define("GCSSS1", 1, 1, func(x *instr) {
		if !x.guards() {
			return
		}
		to := x.Keep(x.read(x.regOf(0, 64)))
		want := x.Keep(ir.BitOr.Of(ir.BitAnd.Of(to, ir.Number(^uint64(pageBytes-1), 64)), ir.Number(tokenValid, 64)))
		left := ir.BitAnd.Of(x.Value(x.top()), ir.Number(^uint64(7), 64))
		found := x.Temp(64)
		x.emitShadow(ir.RMW{
			Dst: found, Addr: to, Bits: 64, New: ir.BitOr.Of(left, ir.Number(tokenProgress, 64)),
			If: ir.Eq.Of(ir.Old{Bits: 64}, want), Tags: shadowTags, WriteTags: shadowTags,
		})
		x.faultUnless(ir.Eq.Of(x.Value(found), want), "GCS:SS1")
		x.Assign(x.top(), ir.BitAnd.Of(to, ir.Number(^uint64(7), 64)))
	})
	define("GCSSS2", 1, 1, func(x *instr) {
		if !x.guards() {
			return
		}
		token := x.topValue()
		kind := ir.BitAnd.Of(token, ir.Number(7, 64))
		x.faultUnless(ir.Eq.Of(kind, ir.Number(tokenProgress, 64)), "GCS:SS2")
		left := x.Keep(ir.Sub.Of(ir.BitAnd.Of(token, ir.Number(^uint64(7), 64)), ir.Number(8, 64)))
		valid := ir.BitOr.Of(ir.BitAnd.Of(left, ir.Number(^uint64(pageBytes-1), 64)), ir.Number(tokenValid, 64))
		x.emitShadow(ir.Store{Addr: left, Value: valid, Tags: shadowTags})
		x.moveTop(8)
		x.write(x.regOf(0, 64), left)
	})
}

// outsideStacks rejects, in an execution, a write to a guarded control stack by another instruction.
func (x *instr) outsideStacks(at ir.Expr) {
	inside := ir.Expr(ir.Number(0, 1))
	for _, i := range x.Test.Init {
		if !i.Shadow {
			continue
		}
		start := x.Program.Locs[x.LocationOf(i.Target.Name, i.Pos)].Address
		offset := ir.Sub.Of(at, ir.Number(start, 64))
		inside = ir.BitOr.Of(inside, ir.Ult.Of(offset, ir.Number(uint64(i.Count)*8, 64)))
	}
	x.unless(ir.Not(inside), func() {
		x.lost("writes to a guarded control stack with another instruction than GCSSTR, which is not supported")
	})
}

// behindStack returns the address of an element of a stack, or of the place behind the last one: &x[1].
func behindStack(b *lower.Builder, l litmus.Literal) (uint64, bool) {
	name, index, ok := strings.Cut(strings.TrimSuffix(l.Name, "]"), "[")
	n, err := strconv.Atoi(index)
	if !ok || err != nil {
		return 0, false
	}
	for _, i := range b.Test.Init {
		if i.Shadow && i.Target.Name == name && n <= i.Count {
			return b.Program.Locs[b.LocationOf(name, l.Pos)].Address + uint64(n)*8, true
		}
	}
	return 0, false
}
