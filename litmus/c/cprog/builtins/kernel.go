package builtins

import (
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addKernel enters the intrinsics of Dat3M's header. Its orders and operations are enumerators, whose
// names say what they are.
func (all byName) addKernel() {
	// The orders of accesses, and the primitives that the other enumerators name, in the enumeration's order.
	strengths := []c.Strength{c.Unordered, c.Acquiring, c.Releasing, c.Full}
	barriers := strings.Fields("smp_mb smp_wmb smp_rmb rcu_read_lock rcu_read_unlock synchronize_rcu " +
		"smp_mb__before_atomic smp_mb__after_atomic smp_mb__after_spinlock barrier")
	operations := []string{"+", "-", "&", "|"}
	constant := func(k *Call, i, below int, what string) int {
		n, ok := k.as(i, k.Types.AST.Int).(ir.Const)
		if !ok || n.Value >= uint64(below) {
			syntax.Failf(k.Node, "argument %d of %s is not a known %s", i+1, k.Name, what)
		}
		return int(n.Value)
	}
	lkmm := func(name, params, help string, f c.Callee) {
		f.Params, f.Of = params, c.GNU
		all.add(name, params, help, func(k *Call) values.Operand {
			f := f
			if i := f.At("strength"); i >= 0 {
				f.How = strengths[constant(k, i, len(strengths), "order")]
			}
			if i := f.At("operation"); i >= 0 {
				f.Op = operations[constant(k, i, len(operations), "operation")]
			}
			return doCallee(k, f)
		})
	}
	lkmm("__LKMM_load", "p, size, strength", "reads *p", c.Callee{Effect: c.Load})
	lkmm("__LKMM_store", "p, size, v, strength", "writes v to *p", c.Callee{Effect: c.Store})
	lkmm("__LKMM_xchg", "p, size, v, strength", "writes v to *p, returns the old value", c.Callee{Effect: c.Modify})
	lkmm("__LKMM_cmpxchg", "p, size, old, v, strength, strength_of_failure",
		"writes v to *p if *p equals old, returns the old value", c.Callee{Effect: c.CompareExchange})
	lkmm("__LKMM_atomic_op", "p, size, v, operation", "*p = *p operation v, returns nothing and orders nothing",
		c.Callee{Effect: c.Modify, How: c.NoReturn, Returns: c.Nothing})
	lkmm("__LKMM_atomic_fetch_op", "p, size, v, strength, operation", "*p = *p operation v, returns the old value",
		c.Callee{Effect: c.Modify})
	lkmm("__LKMM_atomic_op_return", "p, size, v, strength, operation", "*p = *p operation v, returns the new value",
		c.Callee{Effect: c.Modify, Returns: c.New})
	for name, spin := range map[string]string{"__LKMM_SPIN_LOCK": "spin_lock", "__LKMM_SPIN_UNLOCK": "spin_unlock"} {
		all.add(name, "l", c.Callees()[c.Kernel][spin].Help, func(k *Call) values.Operand {
			callKernel(k, spin)
			return k.success()
		})
	}
	all.add("__LKMM_fence", "barrier", "one of the kernel's barriers", func(k *Call) values.Operand {
		i := constant(k, 0, 3+len(barriers), "barrier") - 3
		if i < 0 {
			syntax.Failf(k.Node, "argument 1 of %s is not a barrier", k.Name)
		}
		return callKernel(k, barriers[i])
	})
}
