package code

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Effect returns the registers that an operation sets, -1 for none, and the expressions it evaluates.
func Effect(o Op) (sets []int, used []ir.Expr) {
	dst, second := -1, -1
	switch o := o.(type) {
	case Nop, Section, Bound, Attempt, Begin, Unsupported:
	case Life:
		used = []ir.Expr{o.Array}
	case Assign:
		dst, used = o.Dst, []ir.Expr{o.Value}
	case Locate:
		dst = o.Dst
	case Choose:
		dst = o.Dst
	case Load:
		dst, used = o.Dst, []ir.Expr{o.Addr}
	case Store:
		used = []ir.Expr{o.Addr, o.Value}
	case Update:
		dst, second = o.Dst, o.Wrote
		used = []ir.Expr{o.Addr, o.Next, o.When, o.Weak}
	case Fence:
		used = []ir.Expr{o.Addr}
	case Branch:
		used = []ir.Expr{o.Cond}
	case Call:
		dst, used = o.Dst, append([]ir.Expr{o.Target}, o.Args...)
	case Ret:
		used = []ir.Expr{o.Value}
	case Allocate:
		dst, used = o.Dst, []ir.Expr{o.Size}
	case Extent:
		dst, used = o.Dst, []ir.Expr{o.Addr}
	case Free:
		used = []ir.Expr{o.Addr}
	case Spawn:
		dst, used = o.Handle, append([]ir.Expr{o.Target}, o.Args...)
	case Join:
		dst, used = o.Dst, []ir.Expr{o.Handle}
	case Exit:
		used = []ir.Expr{o.Value}
	case Self:
		dst = o.Dst
	case Assume:
		used = []ir.Expr{o.Cond}
	case Assert:
		used = []ir.Expr{o.Cond}
	default:
		panic("BUG: an unknown operation")
	}
	given := used[:0]
	for _, x := range used {
		if x != nil {
			given = append(given, x)
		}
	}
	return []int{dst, second}, given
}

// Next returns the steps that can follow an operation at step pc.
func Next(o Op, pc int) []int {
	switch o := o.(type) {
	case Ret, Exit, Unsupported:
		return nil
	case Branch:
		if o.Cond == nil {
			return []int{o.Target}
		}
		return []int{pc + 1, o.Target}
	}
	return []int{pc + 1}
}

// Live returns, by step and register, whether a register's value before the step may matter.
func Live(fn *Function) [][]bool {
	live := make([][]bool, len(fn.Code)+1)
	for i := range live {
		live[i] = make([]bool, len(fn.Regs))
	}
	for again := true; again; {
		again = false
		for pc := len(fn.Code) - 1; pc >= 0; pc-- {
			sets, used := Effect(fn.Code[pc].Op)
			mine := live[pc]
			add := func(r int) {
				if !mine[r] {
					mine[r], again = true, true
				}
			}
			for _, n := range Next(fn.Code[pc].Op, pc) {
				for r, is := range live[n] {
					if is && !slices.Contains(sets, r) {
						add(r)
					}
				}
			}
			for _, x := range used {
				ir.Registers(x, add)
			}
		}
	}
	return live
}
