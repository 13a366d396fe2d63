package code

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// Nop is a step that is not needed; Tidy removes it.
type Nop struct{}

// Builder adds steps to a function.
type Builder struct {
	Function *Function
	Line     int // line of the current statement
	Landed   int // last step that is the target of a jump
}

// Emit adds a step and returns its index.
func (b *Builder) Emit(o Op) int {
	b.Function.Code = append(b.Function.Code, Step{o, b.Line})
	return len(b.Function.Code) - 1
}

// Temp allocates a register.
func (b *Builder) Temp(bits int) int {
	b.Function.Regs = append(b.Function.Regs, Register{Bits: bits})
	return len(b.Function.Regs) - 1
}

// Reg reads a register.
func (b *Builder) Reg(i int) ir.Expr { return ir.Reg{Index: i, Bits: b.Function.Regs[i].Bits} }

// Keep evaluates x at this point and returns the result.
func (b *Builder) Keep(x ir.Expr) ir.Expr {
	switch x.(type) {
	case ir.Const:
		return x
	}
	r := b.Temp(x.Width())
	b.Emit(Assign{r, x})
	return b.Reg(r)
}

// Pick is [Pick] of operands in registers, so that a chain of conditions stays small.
func (b *Builder) Pick(bit, then, otherwise ir.Expr) ir.Expr {
	short := func(x ir.Expr) ir.Expr {
		if _, is := x.(ir.Reg); is {
			return x
		}
		return b.Keep(x)
	}
	return Pick(short(bit), short(then), short(otherwise))
}

// Snapshot copies x if it depends on local variables, so that later assignments do not change it. Temporaries do not
// change.
func (b *Builder) Snapshot(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	stable := true
	ir.Registers(x, func(i int) { stable = stable && b.Function.Regs[i].Name == "" })
	if stable {
		return x
	}
	return b.Keep(x)
}

// Jump emits a jump that is taken if cond (nil: always) is 1. Land sets its target.
func (b *Builder) Jump(cond ir.Expr) (from int) { return b.Emit(Branch{cond, -1}) }

// Land makes jumps lead to the next step.
func (b *Builder) Land(from ...int) {
	for _, i := range from {
		branch, ok := b.Function.Code[i].Op.(Branch)
		if !ok {
			panic(fmt.Sprintf("BUG: step %d is no jump", i))
		}
		branch.Target = len(b.Function.Code)
		b.Function.Code[i].Op = branch
		b.Landed = branch.Target
	}
}

// Always reports whether the next step cannot be reached except by the given jumps.
func (b *Builder) Always(jumps []int) bool {
	here := len(b.Function.Code)
	if len(jumps) != 1 || jumps[0] != here-1 || b.Landed == here {
		return false
	}
	branch, ok := b.Function.Code[jumps[0]].Op.(Branch)
	return ok && branch.Cond == nil
}

// Back emits the jump to the head of a loop. If everything before it is the jump that leaves the loop, the two become
// one. It returns the jumps that still leave the loop.
func (b *Builder) Back(head int, exits []int) []int {
	last := len(b.Function.Code) - 1
	if len(exits) == 1 && exits[0] == last && last >= head && b.Landed <= last {
		leave, _ := b.Function.Code[last].Op.(Branch)
		if leave.Cond == nil {
			return exits // a loop of one round
		}
		b.Function.Code[last].Op = Branch{Not(leave.Cond), head}
		return nil
	}
	b.Emit(Branch{nil, head})
	return exits
}

// Drop removes steps.
func (b *Builder) Drop(steps ...int) {
	for _, i := range steps {
		b.Function.Code[i].Op = Nop{}
	}
}

// Pure reports whether the steps from one on, except some jumps among them, only set registers that are newer than
// regs, so that they can run whether or not their results are needed.
func (b *Builder) Pure(from, regs int, aside ...int) bool {
	for i := from; i < len(b.Function.Code); i++ {
		switch o := b.Function.Code[i].Op.(type) {
		case Nop, Locate:
		case Assign:
			if o.Dst < regs {
				return false
			}
		case Branch:
			known := false
			for _, j := range aside {
				known = known || i == j
			}
			if !known {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Failed reports whether the previous step always fails.
func (b *Builder) Failed() bool {
	if len(b.Function.Code) == 0 {
		return false
	}
	a, ok := b.Function.Code[len(b.Function.Code)-1].Op.(Assert)
	return ok && a.Cond == ir.Number(0, 1)
}
