package aarch64

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/nzcv"
)

// holds is a condition on the thread's flags.
func (x *instr) holds(c nzcv.Condition) ir.Expr {
	return c.Holds(ir.Reg{Index: x.flags[x.t], Bits: nzcv.Bits})
}

func defineControl() {
	define("NOP", 0, 0, func(*instr) {})
	define("RET", 0, 1, func(x *instr) { x.Jump(x.t, x.source, nil, "", x.name.Pos) })
	define("B", 1, 1, func(x *instr) { x.jump(0, nil) })
	for name, code := range nzcv.Conditions {
		branch := func(x *instr) {
			if code == nzcv.Always {
				x.jump(0, nil)
			} else {
				x.jump(0, x.holds(code))
			}
		}
		define("B."+name, 1, 1, branch)
		define("B"+name, 1, 1, branch)
	}
	delete(instructions, "BAL")
	for name, zero := range map[string]bool{"CBZ": true, "CBNZ": false} {
		define(name, 2, 2, func(x *instr) {
			r := x.reg(0)
			cond := binary(ir.Eq, x.read(r), constant(0, r.bits))
			if !zero {
				cond = not(cond)
			}
			x.jump(1, cond)
		})
	}
	for name, zero := range map[string]bool{"TBZ": true, "TBNZ": false} {
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			cond := bit(x.read(r), x.numberBelow(1, r.bits))
			if zero {
				cond = not(cond)
			}
			x.jump(2, cond)
		})
	}
	define("DMB", 1, 1, barrier)
	define("DSB", 1, 1, barrier)
	define("ISB", 0, 1, func(x *instr) { x.emit(ir.Fence{Tags: ir.Tags{tagISB, ir.TagBranch}}) })
}

func (x *instr) jump(i int, cond ir.Expr) {
	label := x.ops[i].Text
	if !litmus.IsLabel(label) {
		x.fail(i, "got operand %q, want a label", label)
		return
	}
	x.Jump(x.t, x.source, cond, label, x.ops[i].Pos)
}

// barriers are what DMB keeps in order, by option. A barrier of the non-shareable domain
// is for the thread's own eyes.
var barriers = map[string]ir.Tags{
	"SY": ir.FullFence, "ISH": ir.FullFence, "OSH": ir.FullFence, "NSH": nil,
	"LD": loads, "ISHLD": loads, "OSHLD": loads, "NSHLD": nil,
	"ST": {ir.TagWW}, "ISHST": {ir.TagWW}, "OSHST": {ir.TagWW}, "NSHST": nil,
}

var loads = ir.Tags{ir.TagRR, ir.TagRW}

// barrier lowers DMB, and DSB, which holds up whatever comes later.
func barrier(x *instr) {
	name, option := strings.ToUpper(x.name.Text), strings.ToUpper(x.ops[0].Text)
	generic, ok := barriers[option]
	if !ok {
		x.fail(0, "got option %q, want SY, LD, ST, or ISH, OSH or NSH with LD, ST or nothing behind", x.ops[0].Text)
		return
	}
	if name == "DSB" && len(generic) == 1 {
		generic = ir.Tags{ir.TagWR, ir.TagWW}
	}
	x.emit(ir.Fence{Tags: append(ir.Tags{ir.Tag(name + "." + option)}, generic...)})
}
