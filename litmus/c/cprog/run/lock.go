package run

import (
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Locks are numbers that threads lock if they are 0, wait for if they are not, and unlock by storing 0.
//
// An engine can explore locks with much less work if it knows them: a thread that finds a lock taken cannot continue,
// and critical sections are in one order. This is right only as long as all accesses of the scalar are of that kind. A
// scalar counts as a lock from its first locking on. If it is also accessed in another way, it is mixed for good, and
// runs in which it was taken for a lock are discarded.

// locks reports whether an operation takes a lock, or together with the next one blocks the thread until the lock is
// free.
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

// mixes records that a scalar is not only used as a lock. It returns Anew if other threads have relied on that.
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

// Mixes records that a thread unlocks a lock that it does not hold. Its error is [Anew].
func (p *Program) Mixes(scalar int) error {
	p.Scalars[scalar].mixed = true
	return Anew
}
