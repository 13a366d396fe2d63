package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Alike tells whether two threads do the same, and cannot be told from each other by anybody, as long as who has
// spawned them does not tell them apart: they run one function with one argument, and it uses nothing that is a
// thread's own but to access it.
func (p *Program) Alike(a, b *Call) bool {
	return a.fn == b.fn && a.image == b.image && slices.Equal(a.args, b.args) && p.selfless(a.fn)
}

// selfless tells whether no number of a thread's own, its name or an address, gets anywhere in what a function does,
// but where memory is accessed; nor may it start or join threads. Of joins, none in the program may ask what a thread
// has returned.
func (p *Program) selfless(fn *code.Function) bool {
	if is, ok := p.selfish[fn]; ok {
		return !is
	}
	s := selfless{map[*code.Function][]bool{}}
	is := s.follow(fn, nil)
	for _, f := range p.Functions {
		for _, step := range f.Code {
			if j, ok := step.Op.(code.Join); ok && j.Dst >= 0 && uses(f, j.Dst) {
				is = false
			}
		}
	}
	p.selfish[fn] = !is
	return is
}

// selfless has, by function, the registers that may have a number of the thread's own.
type selfless struct{ own map[*code.Function][]bool }

// follow looks at a function whose parameters may have such numbers.
func (s selfless) follow(fn *code.Function, params []bool) bool {
	own, known := s.own[fn]
	if !known {
		own = make([]bool, len(fn.Regs))
		s.own[fn] = own
	}
	again := !known
	mark := func(r int) {
		if !own[r] {
			own[r], again = true, true
		}
	}
	for i, r := range fn.Params {
		if i < len(params) && params[i] {
			mark(r)
		}
	}
	has := func(x ir.Expr) (is bool) {
		if x != nil {
			ir.Registers(x, func(r int) { is = is || own[r] })
		}
		return is
	}
	for again {
		again = false
		for _, step := range fn.Code {
			var elsewhere []ir.Expr // than in an address
			switch o := step.Op.(type) {
			case code.Self, code.Allocate, code.Spawn, code.Join:
				return false
			case code.Locate:
				if o.Of != nil && !o.Of.Static {
					mark(o.Dst)
				}
			case code.Assign:
				if has(o.Value) {
					mark(o.Dst)
				}
			case code.Load:
			case code.Store:
				elsewhere = []ir.Expr{o.Value}
			case code.Update:
				elsewhere = []ir.Expr{o.Next, o.When, o.Weak}
			case code.Call:
				if o.Fn == nil {
					return false
				}
				args := make([]bool, len(o.Args))
				for i, x := range o.Args {
					args[i] = has(x)
				}
				if !s.follow(o.Fn, args) {
					return false
				}
			default:
				_, elsewhere = code.Effect(o)
			}
			if slices.ContainsFunc(elsewhere, has) {
				return false
			}
		}
	}
	return true
}

// uses tells whether anything in a function asks for a register.
func uses(fn *code.Function, r int) (is bool) {
	for _, step := range fn.Code {
		_, used := code.Effect(step.Op)
		for _, x := range used {
			ir.Registers(x, func(i int) { is = is || i == r })
		}
	}
	return is
}
