package aarch64

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// conditionValue returns a condition on the thread's flags.
func (x *instr) conditionValue(c armasm.Condition) ir.Expr {
	return c.Holds(x.Value(x.flags))
}

// page is the part of an address that ADRP omits and :lo12: contains.
const page = 0xfff

// label returns the address of a label of the thread, in operand i.
func (x *instr) label(i int, name string) ir.Expr {
	if !x.IsTarget(name) {
		x.Fail(i, "got operand %q, want a label", x.Ops[i].Text)
		return ir.Number(0, 64)
	}
	if x.copy != nil {
		x.Fail(i, "%s: the address of a label in code that another thread runs is not supported", x.Ops[i].Text)
		return ir.Number(0, 64)
	}
	return x.LabelAddress(litmus.Word{Pos: x.Ops[i].Pos, Text: name})
}

// returnTo emits a return to an address.
func (x *instr) returnTo(to ir.Expr) {
	x.checkReturn(to)
	x.jumpTo(x.fetchable(to), true)
}

// branchTo emits a jump to an address.
func (x *instr) branchTo(to ir.Expr) { x.jumpTo(x.fetchable(to), false) }

// defineControl adds branches, jumps to addresses, addresses of labels, barriers and instructions without effect.
func defineControl() {
	define("NOP", 0, 0, func(*instr) {})
	define("YIELD", 0, 0, func(*instr) {})
	// A return address that no call of the thread has set is that of the thread's caller.
	define("RET", 0, 1, func(x *instr) {
		from := reg{link, 64}
		if len(x.Ops) == 1 {
			from = x.regOf(0, 64)
		}
		x.returnTo(x.read(from))
	})
	define("BR", 1, 1, func(x *instr) { x.branchTo(x.read(x.regOf(0, 64))) })
	define("BTI", 0, 1, func(*instr) {})
	define("ADR", 2, 2, func(x *instr) { x.write(x.regOf(0, 64), x.label(1, x.Ops[1].Text)) })
	define("ADRP", 2, 2, func(x *instr) {
		x.write(x.regOf(0, 64), ir.BitAnd.Of(x.label(1, x.Ops[1].Text), ir.Number(^uint64(page), 64)))
	})
	define("B", 1, 1, func(x *instr) { x.Branch(0, nil) })
	for name, code := range armasm.Conditions {
		branch := func(x *instr) {
			if code == armasm.Always {
				x.Branch(0, nil)
			} else {
				x.Branch(0, x.conditionValue(code))
			}
		}
		define("B."+name, 1, 1, branch)
		define("B"+name, 1, 1, branch)
	}
	delete(instructions, "BAL")
	for name, onZero := range map[string]bool{"CBZ": true, "CBNZ": false} {
		define(name, 2, 2, func(x *instr) {
			r := x.reg(0)
			cond := ir.Eq.Of(x.read(r), ir.Number(0, r.bits))
			if !onZero {
				cond = ir.Not(cond)
			}
			x.Branch(1, cond)
		})
	}
	for name, onZero := range map[string]bool{"TBZ": true, "TBNZ": false} {
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			cond := ir.Bit(x.read(r), x.numberBelow(1, r.bits))
			if onZero {
				cond = ir.Not(cond)
			}
			x.Branch(2, cond)
		})
	}
	define("DMB", 1, 1, barrier)
	define("DSB", 1, 1, barrier)
	define("ISB", 0, 1, func(x *instr) {
		x.Emit(ir.Fence{Tags: ir.Tags{tagISB, ir.TagBranch}})
		x.seeResult()
	})
}

// barriers are the generic tags of DMB, by option. A barrier of the non-shareable domain only affects its own thread.
var barriers = map[string]ir.Tags{
	"SY": ir.FullFence, "ISH": ir.FullFence, "OSH": ir.FullFence, "NSH": nil,
	"LD": loads, "ISHLD": loads, "OSHLD": loads, "NSHLD": nil,
	"ST": {ir.TagWW}, "ISHST": {ir.TagWW}, "OSHST": {ir.TagWW}, "NSHST": nil,
}

var loads = ir.Tags{ir.TagRR, ir.TagRW}

// barrier lowers DMB and DSB. DSB also delays all later instructions, which models do not see.
func barrier(x *instr) {
	name, option := strings.ToUpper(x.Name.Text), strings.ToUpper(x.Ops[0].Text)
	generic, ok := barriers[option]
	if !ok {
		x.Fail(0, "got option %q, want SY, LD, ST, or ISH, OSH or NSH with LD, ST or nothing behind", x.Ops[0].Text)
		return
	}
	if name == "DSB" && len(generic) == 1 {
		generic = ir.Tags{ir.TagWR, ir.TagWW}
	}
	x.Emit(ir.Fence{Tags: append(ir.Tags{ir.Tag(name + "." + option)}, generic...)})
}
