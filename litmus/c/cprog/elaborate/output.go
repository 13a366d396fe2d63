package elaborate

import (
	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// output is the generated thread without loops.
type output struct {
	elab    *elaboration
	info    *threadInfo
	fn      *code.Function
	th      ir.Thread
	sources map[int]int // indices into th.Source by line
	line    int         // line of the current step
}

// failf fails at the current step. The error counts only if no later pass has more facts.
func (out *output) failf(format string, args ...any) {
	panic(failure{litmus.Errorf(out.pos(), format, args...)})
}

func (out *output) pos() litmus.Pos {
	if out.line < len(out.elab.unit.Lines) {
		return out.elab.unit.Lines[out.line].Pos
	}
	return out.fn.Pos
}

// emit adds a step to the thread and returns its index.
func (out *output) emit(op ir.Op) int {
	out.elab.steps++
	if out.elab.steps++; out.elab.steps > maxSteps {
		out.failf("the program has more than %d steps when its loops are unrolled: lower --unroll or the program's "+
			"own bounds",
			maxSteps)
	}
	if out.elab.steps%4096 == 0 && out.elab.ctx.Err() != nil {
		panic(failure{out.elab.ctx.Err()})
	}
	source, ok := out.sources[out.line]
	if !ok {
		source = len(out.th.Source)
		out.sources[out.line] = source
		cell := litmus.Cell{Pos: out.fn.Pos, Text: out.fn.Name}
		if out.line < len(out.elab.unit.Lines) {
			cell = out.elab.unit.Lines[out.line]
		}
		out.th.Source = append(out.th.Source, cell)
	}
	out.th.Code = append(out.th.Code, ir.Step{Op: op, Source: source})
	return len(out.th.Code) - 1
}

// register allocates a register of the thread.
func (out *output) register(bits int) int {
	out.th.Regs = append(out.th.Regs, ir.Register{Bits: bits})
	return len(out.th.Regs) - 1
}

func (out *output) reg(r int) ir.Expr { return ir.Reg{Index: r, Bits: out.th.Regs[r].Bits} }

func (out *output) patch(from, to int) {
	b := out.th.Code[from].Op.(ir.Branch)
	b.Target = to
	out.th.Code[from].Op = b
}
