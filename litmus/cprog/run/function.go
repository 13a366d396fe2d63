package run

import (
	"slices"

	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/ir"
)

// function is a function with what is known of its steps and its loops.
type function struct {
	*code.Function
	used  [][]int  // by step: the registers whose numbers decide what it sets, or where control goes
	heads []int    // by step: the number of the loop that begins there; -1 for none
	loops []loop   // by number
	exits [][]int  // by step: the loops that a branch there may leave
	live  [][]bool // by loop and register: its value at the head may matter
}

// loop is a range of a function's code: its first step, and the last from which a branch leads back.
type loop struct{ head, tail int }

func (p *Program) function(fn *code.Function) *function {
	if f := p.functions[fn]; f != nil {
		return f
	}
	n := len(fn.Code)
	f := &function{Function: fn, used: make([][]int, n), heads: slices.Repeat([]int{-1}, n+1), exits: make([][]int, n)}
	p.functions[fn] = f
	for pc, s := range fn.Code {
		var x ir.Expr
		switch o := s.Op.(type) {
		case code.Assign:
			x = o.Value
		case code.Ret:
			x = o.Value
		case code.Branch:
			x = o.Cond
			if o.Target <= pc {
				f.goesBack(pc, o.Target)
			}
		}
		if x != nil {
			ir.Registers(x, func(r int) { f.used[pc] = append(f.used[pc], r) })
		}
	}
	for n, l := range f.loops {
		for pc := l.head; pc <= l.tail; pc++ {
			if b, ok := fn.Code[pc].Op.(code.Branch); ok && b.Cond != nil && (b.Target < l.head || b.Target > l.tail || pc == l.tail) {
				f.exits[pc] = append(f.exits[pc], n)
			}
		}
	}
	if len(f.loops) > 0 {
		live := code.Live(fn)
		for _, l := range f.loops {
			f.live = append(f.live, live[l.head])
		}
	}
	return f
}

func (f *function) goesBack(pc, target int) {
	n := f.heads[target]
	if n < 0 {
		n = len(f.loops)
		f.heads[target] = n
		f.loops = append(f.loops, loop{target, pc})
	}
	f.loops[n].tail = max(f.loops[n].tail, pc)
}
