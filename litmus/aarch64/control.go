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
	define("DMB", 1, 1, barrier(false))
	define("DSB", 1, 1, barrier(true))
	define("ISB", 0, 1, func(x *instr) { x.emit(ir.Fence{Tags: ir.Tags{"ISB"}}) })
}

func (x *instr) jump(i int, cond ir.Expr) {
	label := x.ops[i].Text
	if !litmus.IsLabel(label) {
		x.fail(i, "got operand %q, want a label", label)
		return
	}
	x.Jump(x.t, x.source, cond, label, x.ops[i].Pos)
}

// barrier lowers DMB, and DSB, which holds up whatever comes later. A barrier of the
// non-shareable domain is for the thread's own eyes.
func barrier(complete bool) func(*instr) {
	return func(x *instr) {
		option := strings.ToUpper(x.ops[0].Text)
		domain, kind := option, ""
		switch {
		case option == "LD" || option == "ST":
			domain, kind = "SY", option
		case strings.HasSuffix(option, "LD") || strings.HasSuffix(option, "ST"):
			domain, kind = option[:len(option)-2], option[len(option)-2:]
		}
		switch domain {
		case "SY", "ISH", "OSH", "NSH":
		default:
			x.fail(0, "got option %q, want SY, LD, ST, or ISH, OSH or NSH with LD, ST or nothing behind", x.ops[0].Text)
			return
		}
		tags := ir.Tags{strings.ToUpper(x.name.Text) + "." + option}
		switch {
		case domain == "NSH":
		case kind == "LD":
			tags = append(tags, ir.TagRR, ir.TagRW)
		case kind == "ST" && complete:
			tags = append(tags, ir.TagWR, ir.TagWW)
		case kind == "ST":
			tags = append(tags, ir.TagWW)
		default:
			tags = append(tags, ir.FullFence...)
		}
		x.emit(ir.Fence{Tags: tags})
	}
}
