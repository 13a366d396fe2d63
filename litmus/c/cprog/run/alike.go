package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Alike reports whether two threads are interchangeable as long as their creator does not distinguish them: they run
// one function with one argument, and the function uses nothing specific to the thread except to access it.
//
// Engines use this for symmetry: of executions that differ only by an exchange of such threads, they explore one.
// Handles and addresses of locals are numbers that differ between the threads, so an execution with exchanged threads
// is the same one only if these numbers are never stored, compared or passed on.
func (p *Program) Alike(a, b *Call) bool {
	return a.fn == b.fn && a.image == b.image && slices.Equal(a.args, b.args) && p.threadIndependent(a.fn)
}

// threadIndependent reports whether no number specific to a thread, such as its handle or an address of a local,
// reaches anything in a function except addresses of accesses. The function must not start or join threads, and no join
// in the program may use a thread's result.
func (p *Program) threadIndependent(fn *code.Function) bool {
	if is, ok := p.threadSpecific[fn]; ok {
		return !is
	}
	s := specificRegisters{map[*code.Function][]bool{}}
	is := s.follow(fn, nil)
	for _, f := range p.Functions {
		for _, step := range f.Code {
			if j, ok := step.Op.(code.Join); ok && j.Dst >= 0 && uses(f, j.Dst) {
				is = false
			}
		}
	}
	p.threadSpecific[fn] = !is
	return is
}

// specificRegisters has, by function, the registers that may contain a number specific to the thread.
type specificRegisters struct{ specific map[*code.Function][]bool }

// follow examines a function whose parameters may contain such numbers.
func (s specificRegisters) follow(fn *code.Function, params []bool) bool {
	specific, known := s.specific[fn]
	if !known {
		specific = make([]bool, len(fn.Regs))
		s.specific[fn] = specific
	}
	again := !known
	mark := func(r int) {
		if !specific[r] {
			specific[r], again = true, true
		}
	}
	for i, r := range fn.Params {
		if i < len(params) && params[i] {
			mark(r)
		}
	}
	has := func(x ir.Expr) (is bool) {
		if x != nil {
			ir.Registers(x, func(r int) { is = is || specific[r] })
		}
		return is
	}
	for again {
		again = false
		for _, step := range fn.Code {
			var elsewhere []ir.Expr // expressions other than addresses
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

// uses reports whether a function reads a register.
func uses(fn *code.Function, r int) (is bool) {
	for _, step := range fn.Code {
		_, used := code.Effect(step.Op)
		for _, x := range used {
			ir.Registers(x, func(i int) { is = is || i == r })
		}
	}
	return is
}
