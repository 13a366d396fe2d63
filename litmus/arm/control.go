package arm

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/nzcv"
)

func defineControl() {
	define("NOP", 0, 0, true, func(*instr) {})
	define("B", 1, 1, true, func(x *instr) { x.jump(0, x.condition()) })
	define("BX", 1, 1, true, func(x *instr) {
		if v, ok := register(x.ops[0].Text); !ok || v.Whole != "R14" {
			x.fail(0, "got %q, want LR: other jumps to computed addresses are out of scope", x.ops[0].Text)
		}
		x.Jump(x.t, x.source, x.condition(), "", x.name.Pos)
	})
	for name, zero := range map[string]bool{"CBZ": true, "CBNZ": false} {
		define(name, 2, 2, false, func(x *instr) {
			cond := binary(ir.Eq, x.read(0), constant(0))
			if !zero {
				cond = ir.Unary{Op: ir.BitNot, X: cond}
			}
			x.jump(1, cond)
		})
	}
	define("DMB", 0, 1, false, barrier)
	define("DSB", 0, 1, false, barrier)
	define("ISB", 0, 1, false, func(x *instr) { x.emit(ir.Fence{Tags: ir.Tags{tagISB, ir.TagBranch}}) })
}

// condition is the instruction's, or nil when there is none.
func (x *instr) condition() ir.Expr {
	if x.when == nzcv.Always {
		return nil
	}
	return x.when.Holds(x.flagsNow())
}

func (x *instr) jump(i int, cond ir.Expr) {
	label := x.ops[i].Text
	if !litmus.IsLabel(label) {
		x.fail(i, "got operand %q, want a label", label)
		return
	}
	x.Jump(x.t, x.source, cond, label, x.ops[i].Pos)
}

// barriers are what DMB and DSB, which Armv7's model does not tell apart, keep in order,
// by option. One of the non-shareable domain is for the thread's own eyes.
var barriers = map[string]ir.Tags{
	"SY": ir.FullFence, "ISH": ir.FullFence, "OSH": ir.FullFence, "NSH": nil,
	"ST": {ir.TagWW}, "ISHST": {ir.TagWW}, "OSHST": {ir.TagWW}, "NSHST": nil,
}

func barrier(x *instr) {
	option := "SY"
	if len(x.ops) == 1 {
		option = strings.ToUpper(x.ops[0].Text)
	}
	generic, ok := barriers[option]
	if !ok {
		x.fail(0, "got option %q, want SY, ISH, OSH, NSH, or one of ST, ISHST, OSHST, NSHST", x.ops[0].Text)
		return
	}
	x.emit(ir.Fence{Tags: append(ir.Tags{ir.Tag(strings.ToUpper(x.name.Text) + "." + option)}, generic...)})
}
