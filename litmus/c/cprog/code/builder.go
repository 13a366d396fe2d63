package code

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// nop is a step that turned out not to be needed; tidy takes it away.
type nop struct{}

// builder adds steps to a function.
type builder struct {
	function *Function
	line     int // of the statement at hand
	landed   int // the last step that a jump goes to
}

// emit adds a step, and gives its number.
func (b *builder) emit(o Op) int {
	b.function.Code = append(b.function.Code, Step{o, b.line})
	return len(b.function.Code) - 1
}

// temp is a new register.
func (b *builder) temp(bits int) int {
	b.function.Regs = append(b.function.Regs, Register{Bits: bits})
	return len(b.function.Regs) - 1
}

// reg reads a register.
func (b *builder) reg(i int) ir.Expr { return ir.Reg{Index: i, Bits: b.function.Regs[i].Bits} }

// keep evaluates x here and now.
func (b *builder) keep(x ir.Expr) ir.Expr {
	switch x.(type) {
	case ir.Const:
		return x
	}
	r := b.temp(x.Width())
	b.emit(Assign{r, x})
	return b.reg(r)
}

// settle has x be what it is now, whatever is assigned to locals later. Temporaries do not change.
func (b *builder) settle(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	stable := true
	ir.Registers(x, func(i int) { stable = stable && b.function.Regs[i].Name == "" })
	if stable {
		return x
	}
	return b.keep(x)
}

// jump goes somewhere, where cond (nil: always) is 1; land says where.
func (b *builder) jump(cond ir.Expr) (from int) { return b.emit(Branch{cond, -1}) }

// land has jumps lead to the step that comes next.
func (b *builder) land(from ...int) {
	for _, i := range from {
		branch, ok := b.function.Code[i].Op.(Branch)
		if !ok {
			panic(fmt.Sprintf("BUG: step %d is no jump", i))
		}
		branch.Target = len(b.function.Code)
		b.function.Code[i].Op = branch
		b.landed = branch.Target
	}
}

// always tells whether what comes next cannot be reached past jumps that go away.
func (b *builder) always(jumps []int) bool {
	here := len(b.function.Code)
	if len(jumps) != 1 || jumps[0] != here-1 || b.landed == here {
		return false
	}
	branch, ok := b.function.Code[jumps[0]].Op.(Branch)
	return ok && branch.Cond == nil
}

// back jumps to the head of a loop. Where all that comes before is the jump that leaves the loop, the two are
// one; those that still leave it are given back.
func (b *builder) back(head int, exits []int) []int {
	last := len(b.function.Code) - 1
	if len(exits) == 1 && exits[0] == last && last >= head && b.landed <= last {
		leave, _ := b.function.Code[last].Op.(Branch)
		if leave.Cond == nil {
			return exits // a loop of one round
		}
		b.function.Code[last].Op = Branch{not(leave.Cond), head}
		return nil
	}
	b.emit(Branch{nil, head})
	return exits
}

// drop takes steps back.
func (b *builder) drop(steps ...int) {
	for _, i := range steps {
		b.function.Code[i].Op = nop{}
	}
}

// pure tells whether the steps from one on do nothing but to set registers that are newer than regs, some
// jumps among them aside: they may then run whether or not they are wanted.
func (b *builder) pure(from, regs int, aside ...int) bool {
	for i := from; i < len(b.function.Code); i++ {
		switch o := b.function.Code[i].Op.(type) {
		case nop, Locate:
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

// failed tells whether the step before has failed in any case.
func (b *builder) failed() bool {
	if len(b.function.Code) == 0 {
		return false
	}
	a, ok := b.function.Code[len(b.function.Code)-1].Op.(Assert)
	return ok && a.Cond == ir.Number(0, 1)
}
