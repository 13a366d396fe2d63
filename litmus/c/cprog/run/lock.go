package run

import (
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Locks: numbers that threads take while they are 0, wait for while they are not, and leave by storing 0.

// locks tells whether an operation takes a lock, or the one behind it blocks the thread.
func locks(op, next code.Op) bool {
	u, _ := op.(code.Update)
	wait, _ := next.(code.Assume)
	if u.When == nil || u.Weak != nil || !wait.Wait || wait.Cond != (ir.Reg{Index: u.Wrote, Bits: 1}) {
		return false
	}
	to, known := u.Next.(ir.Const)
	bits := to.Bits
	return known && to.Value != 0 && u.When == ir.Expr(ir.Binary{
		Op: ir.Eq, X: ir.Old{Bits: bits},
		Y: ir.Number(0, bits),
	})
}

// mixes notes that a scalar is not only taken and left as locks are. The error is that others believe so.
func (p *Program) mixes(scalar int) error {
	s := &p.Scalars[scalar]
	if s.mixed {
		return nil
	}
	if s.mixed = true; s.locked {
		return Anew
	}
	return nil
}

// Mixes notes that a lock is left by a thread that does not hold it. Its error is [Anew].
func (p *Program) Mixes(scalar int) error {
	p.Scalars[scalar].mixed = true
	return Anew
}
