package arm

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// defineControl adds branches, returns, addresses of labels, barriers and instructions without effect.
func defineControl() {
	define("NOP", 0, 0, true, func(*instr) {})
	define("B", 1, 1, true, func(x *instr) { x.Branch(0, x.condition()) })
	define("BX", 1, 1, true, func(x *instr) {
		jump := func() {
			v, _ := register(x.Ops[0].Text)
			x.JumpTo(x.read(0), x.Name, v.Whole == "R14")
		}
		if cond := x.condition(); cond != nil {
			x.When(x.Keep(cond), jump)
		} else {
			jump()
		}
	})
	define("ADR", 2, 2, true, func(x *instr) {
		if !x.IsTarget(x.Ops[1].Text) {
			x.Fail(1, "got operand %q, want a label", x.Ops[1].Text)
			return
		}
		x.set(x.reg(0), x.LabelAddress(x.Ops[1]))
	})
	for name, zero := range map[string]bool{"CBZ": true, "CBNZ": false} {
		define(name, 2, 2, false, func(x *instr) {
			cond := ir.Eq.Of(x.read(0), constant(0))
			if !zero {
				cond = ir.Not(cond)
			}
			x.Branch(1, cond)
		})
	}
	define("DMB", 0, 1, false, barrier)
	define("DSB", 0, 1, false, barrier)
	define("ISB", 0, 1, false, func(x *instr) { x.Emit(ir.Fence{Tags: ir.Tags{tagISB, ir.TagBranch}}) })
}

// condition returns the instruction's condition, or nil if it has none.
func (x *instr) condition() ir.Expr {
	if x.when == armasm.Always {
		return nil
	}
	return x.when.Holds(x.flagsNow())
}

// barriers are the generic tags of DMB and DSB, which Armv7's model does not distinguish, by option. A barrier of the
// non-shareable domain only affects its own thread.
var barriers = map[string]ir.Tags{
	"SY": ir.FullFence, "ISH": ir.FullFence, "OSH": ir.FullFence, "NSH": nil,
	"ST": {ir.TagWW}, "ISHST": {ir.TagWW}, "OSHST": {ir.TagWW}, "NSHST": nil,
}

func barrier(x *instr) {
	option := "SY"
	if len(x.Ops) == 1 {
		option = strings.ToUpper(x.Ops[0].Text)
	}
	generic, ok := barriers[option]
	if !ok {
		x.Fail(0, "got option %q, want SY, ISH, OSH, NSH, or one of ST, ISHST, OSHST, NSHST", x.Ops[0].Text)
		return
	}
	x.Emit(ir.Fence{Tags: append(ir.Tags{ir.Tag(strings.ToUpper(x.Name.Text) + "." + option)}, generic...)})
}
