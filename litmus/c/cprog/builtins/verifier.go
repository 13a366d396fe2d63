package builtins

import (
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addVerifier enters assertions, assumptions and other functions by which programs speak to verifiers: those of
// SV-COMP, CBMC, ESBMC, Goblint, GenMC and Nidhugg.
func (all byName) addVerifier() {
	fails := func(k *Call, text string) values.Operand {
		k.Build.Emit(code.Assert{Cond: ir.Number(0, 1), Property: ir.Assertion, Text: text})
		return k.nothing()
	}
	all.addCheck("__litmus_assert", "condition, text", "asserts a condition",
		emits(func(k *Call) code.Op {
			return code.Assert{Cond: k.Values.Truth(k.Node, k.Args[0]), Property: ir.Assertion, Text: k.text(1)}
		}))
	all.addCheck("assert __VERIFIER_assert __CPROVER_assert __ESBMC_assert __goblint_check __goblint_assert",
		"condition, ...",
		"asserts a condition: the program is unsafe if it is false",
		emits(func(k *Call) code.Op {
			return code.Assert{Cond: k.Values.Truth(k.Node, k.Args[0]), Property: ir.Assertion, Text: k.text(0)}
		}))
	all.addCheck("__assert_fail __VERIFIER_assert_fail", "text, ...",
		"the program is unsafe if it calls this",
		func(k *Call) values.Operand { return fails(k, k.text(0)) })
	all.addCheck("__assert_rtn __assert_func", "function, file, line, text",
		"the program is unsafe if it calls this",
		func(k *Call) values.Operand { return fails(k, k.text(3)) })
	all.addCheck("reach_error __VERIFIER_error", "", "the program is unsafe if it calls this",
		func(k *Call) values.Operand { return fails(k, k.Name+"() is not called") })

	// SV-COMP's programs define assume_abort_if_not, usually. Their definition counts, then: see IgnoresDefinition.
	all.addCheck("__VERIFIER_assume __CPROVER_assume __ESBMC_assume __goblint_assume assume_abort_if_not", "condition",
		"ignores executions in which the condition is false",
		emits(func(k *Call) code.Op { return code.Assume{Cond: k.Values.Truth(k.Node, k.Args[0])} }))
	// The program ends without an error. What other threads have done before that, they can also do in an execution
	// in which this thread has not reached its end.
	ends := emits(func(k *Call) code.Op { return code.Assume{Cond: ir.Number(0, 1)} })
	all.addCheck("abort __builtin_abort __builtin_trap", "...",
		"fails; with __VERIFIER_…, reach_error or assume_abort_if_not in the program, it ends without failure",
		func(k *Call) values.Operand {
			if k.Shared.ForVerifiers {
				if k.Build.Function.Name != "assume_abort_if_not" && !k.Build.Failed() {
					k.Unit.Remark(k.Node, k.Name+"() ends a run without failure here: programs with __VERIFIER_…, "+
						"reach_error() or assume_abort_if_not() mark failures with other functions")
				}
				return ends(k)
			}
			return fails(k, k.Name+"() is called")
		})
	all.addCheck("__builtin_unreachable", "...", "the behaviour is undefined if the program reaches this",
		func(k *Call) values.Operand {
			k.Build.Emit(code.Assert{
				Cond: ir.Number(0, 1), Property: ir.Undefined,
				Text: "__builtin_unreachable() is reached, which compilers assume is impossible",
			})
			return k.nothing()
		})
	all.add("_exit _Exit", "status?", "ends the program", func(k *Call) values.Operand {
		remarkStatus(k)
		return ends(k)
	})
	all.add("exit __builtin_exit", "status?", "ends the program", func(k *Call) values.Operand {
		remarkStatus(k)
		var status ir.Expr
		if len(k.Args) > 0 {
			status = k.as(0, k.Types.AST.Int)
		}
		k.Caller.RunLast(status)
		return ends(k)
	})
	all.add("quick_exit", "status", "ends the program", func(k *Call) values.Operand {
		remarkStatus(k)
		if k.Types.Qualifiers.Mentions["at_quick_exit"] && k.Caller.LibraryFunction(InLibrary+"quick_last") != nil {
			k.Caller.CallLibrary(InLibrary + "quick_last")
		}
		return ends(k)
	})
	all.addCheck("__VERIFIER_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin", "",
		"begins a section that is one atomic step",
		emits(func(k *Call) code.Op { return code.Section{} }))
	all.addCheck("__VERIFIER_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end", "",
		"ends a section that is one atomic step",
		emits(func(k *Call) code.Op { return code.Section{End: true} }))
	all.addCheck("__CPROVER_fence", "...", "a full fence",
		emits(func(k *Call) code.Op { return code.Fence{Order: c.SeqCst} }))

	for _, name := range []string{
		"int", "uint", "unsigned", "unsigned_int", "long", "ulong", "longlong", "ulonglong", "short", "ushort", "char",
		"uchar", "size_t", "loff_t",
		"sector_t", "u8", "u16", "u32", "u64", "S8", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
		"int64_t", "uint64_t",
		"pointer", "pchar",
	} {
		all.addCheck("__VERIFIER_nondet_"+name+" nondet_"+name, "", "returns any value of its type", (*Call).anything)
	}
	all.add("rand random", "", "returns any number that is not negative", (*Call).natural)
	all.addCheck("__VERIFIER_nondet_bool __VERIFIER_nondet__Bool nondet_bool nondet__Bool", "", "returns 0 or 1",
		func(k *Call) values.Operand {
			which := k.Build.Temp(1)
			k.Build.Emit(code.Choose{Dst: which})
			return k.answer(code.Widen(k.Build.Reg(which), 32, false), k.Types.AST.Int)
		})

	all.addCheck("__goblint_split_begin __goblint_split_end __goblint_globalize", "...", "has no effect here",
		(*Call).nothing)

	all.addCheck("__VERIFIER_loop_bound", "rounds", "runs the next loop at most rounds times",
		func(k *Call) values.Operand {
			n, ok := k.as(0, k.Types.AST.Int).(ir.Const)
			if !ok || int32(n.Value) <= 0 {
				syntax.Failf(k.Node, "got a number of rounds that is not constant or less than 1, want a constant "+
					"from 1")
			}
			k.Build.Emit(code.Bound{Rounds: int(n.Value)})
			return k.nothing()
		})
	// The engines find out themselves which loops only wait: a marked round could write to shared memory.
	all.addCheck("__VERIFIER_loop_begin __VERIFIER_spin_start", "",
		"has no effect here: loops that only wait are detected",
		(*Call).nothing)
	all.addCheck("__VERIFIER_spin_end", "condition", "has no effect here: loops that only wait are detected",
		(*Call).nothing)
	all.addCheck("__VERIFIER_tid", "", "returns the number of the thread; main is 0", func(k *Call) values.Operand {
		return k.answer(ir.Sub.Of(k.self(k.Types.AST.UInt), ir.Number(1, 32)), k.Types.AST.UInt)
	})
	all.genmc()
	all.nidhugg()
}

// NamesVerifiers reports whether a program that mentions some names follows SV-COMP's conventions. In such a program
// abort() is an assumption, and reach_error() and similar functions mark failures.
func NamesVerifiers(mentions map[string]bool) bool {
	for name := range mentions {
		switch {
		case name == "reach_error", name == "assume_abort_if_not", strings.HasPrefix(name, "__VERIFIER_"),
			strings.HasPrefix(name, "__CPROVER_"):
			return true
		}
	}
	return false
}

// remarkStatus remarks on an exit with a status that is not 0, or may not be.
func remarkStatus(k *Call) {
	if len(k.Args) == 0 || k.Args[0].X == nil {
		return
	}
	if n, ok := k.Args[0].X.(ir.Const); !ok || n.Value != 0 {
		k.Unit.Remark(k.Node,
			syntax.SourceOf(k.Node)+" ends a run without failure: to mark a failure, use abort() or assert(0)")
	}
}

// anything returns any value of the type that the function returns.
func (k *Call) anything() values.Operand {
	t := k.Node.Type()
	dst := k.Build.Temp(k.Types.Bits(k.Node, t))
	k.Build.Emit(code.Choose{Dst: dst})
	return values.Of(k.Build.Reg(dst), t)
}

// natural returns any value of the function's type that is not negative as an int.
func (k *Call) natural() values.Operand {
	v := k.anything()
	return values.Of(ir.BitAnd.Of(v.X, ir.Number(1<<31-1, v.X.Width())), v.Type)
}

// nonvalue is the mask with which GenMC's header annotates an update whose old value is not used.
const nonvalue = 0x10000

// genmc enters the intrinsics of GenMC's headers.
func (all byName) genmc() {
	all.addCheck("__VERIFIER_annotate_begin", "mask", "has no effect here", (*Call).nothing)
	all.addCheck("__VERIFIER_annotate_end", "mask",
		"with the right mask, says that the old value of the preceding update is not used",
		func(k *Call) values.Operand {
			if n, ok := k.as(0, k.Types.AST.Int).(ir.Const); ok && n.Value == nonvalue {
				markUnread(k)
			}
			return k.nothing()
		})
	// Optional code does not affect the checked properties and is left out.
	all.addCheck("__VERIFIER_opt_begin", "", "returns 0: optional code is left out",
		func(k *Call) values.Operand { return k.Values.Number(0, k.Types.AST.Int) })
	all.addCheck("__VERIFIER_method_begin __VERIFIER_method_end", "name, kind", "has no effect here", (*Call).nothing)

	// A hazard pointer needs no effect: retired objects are never freed.
	all.addCheck("__VERIFIER_hazptr_alloc", "", "allocates a hazard pointer", func(k *Call) values.Operand {
		dst := k.Build.Temp(k.Types.Pointer)
		k.Build.Emit(code.Allocate{
			Dst: dst, Size: ir.Number(uint64(k.Types.Pointer/8), k.Types.Pointer), Name: "hazard pointer",
		})
		return values.Of(k.Build.Reg(dst), k.Types.AST.PVoid)
	})
	all.addCheck("__VERIFIER_hazptr_protect __VERIFIER_hazptr_clear __VERIFIER_hazptr_retire", "pointer, ...",
		"has no effect here: retired objects are never freed", (*Call).nothing)
	all.addCheck("__VERIFIER_hazptr_free", "pointer", "frees a hazard pointer",
		emits(func(k *Call) code.Op { return code.Free{Addr: k.address(0)} }))

	for _, name := range []string{"rcu_read_lock", "rcu_read_unlock", "synchronize_rcu"} {
		all.addCheck("__VERIFIER_"+name, "", c.Callees()[c.Kernel][name].Help,
			func(k *Call) values.Operand { return callKernel(k, name) })
	}
	all.addCheck("__VERIFIER_lkmm_fence", "barrier", "one of the kernel's barriers: mb, rmb, wmb, ba, aa, as, aul",
		func(k *Call) values.Operand {
			name := map[string]string{
				"mb": "smp_mb", "rmb": "smp_rmb", "wmb": "smp_wmb", "ba": "smp_mb__before_atomic",
				"aa": "smp_mb__after_atomic",
				"as": "smp_mb__after_spinlock", "aul": "smp_mb__after_unlock_lock",
			}[k.text(0)]
			if name == "" {
				syntax.Failf(k.Node, "unknown barrier %q: want mb, rmb, wmb, ba, aa, as or aul", k.text(0))
			}
			return callKernel(k, name)
		})
}

// markUnread marks the last update as one whose old value is not used, if it is relaxed.
func markUnread(k *Call) {
	for i := len(k.Build.Function.Code) - 1; i >= 0; i-- {
		if u, ok := k.Build.Function.Code[i].Op.(code.Update); ok {
			if u.Read.Order == c.Relaxed && u.Write.Order == c.Relaxed {
				u.Read.Tags, u.Write.Tags = c.NoReturn.Read(c.Update()...), c.NoReturn.Write(c.Update()...)
				u.Read.Atomic, u.Write.Atomic = false, false
				k.Build.Function.Code[i].Op = u
			}
			return
		}
	}
}

// nidhugg enters the loads and exchanges of Nidhugg that wait for a condition on the value read: its
// bits stand for greater, equal, less, and a signed comparison.
func (all byName) nidhugg() {
	holds := func(k *Call, cond int, was ir.Expr, with int) ir.Expr {
		bits := k.as(cond, k.Types.AST.UInt)
		v := code.Widen(k.as(with, k.Types.AST.Long), was.Width(), true)
		less := ir.Cond{If: ir.Bit(bits, 3), Then: ir.Slt.Of(was, v), Else: ir.Ult.Of(was, v)}
		equal := ir.Eq.Of(was, v)
		greater := code.Not(ir.BitOr.Of(less, equal))
		return ir.BitOr.Of(ir.BitAnd.Of(ir.Bit(bits, 0), greater),
			ir.BitOr.Of(ir.BitAnd.Of(ir.Bit(bits, 1), equal), ir.BitAnd.Of(ir.Bit(bits, 2), less)))
	}
	how := atomically(c.SeqCst)
	for _, of := range []string{"aint", "auint", "along", "aulong", "aint8_t", "aint16_t", "aint32_t", "aint64_t"} {
		all.addCheck("__VERIFIER_load_await_"+of, "p, condition, v",
			"waits until *p compares with v as the condition says, returns *p",
			func(k *Call) values.Operand {
				var v values.Operand
				k.wait(func() ir.Expr {
					v = k.loadFrom(k.scalar(0), how)
					return holds(k, 1, v.X, 2)
				})
				return v
			})
		all.addCheck("__VERIFIER_xchg_await_"+of, "p, v, condition, u",
			"waits until *p compares with u as the condition says, writes v to *p, returns the old value",
			func(k *Call) values.Operand {
				at := k.scalar(0)
				v := k.as(1, at.Type)
				var old ir.Expr
				k.wait(func() (wrote ir.Expr) {
					old, wrote = k.try(at, func(ir.Expr) ir.Expr { return v },
						func(was ir.Expr) ir.Expr { return holds(k, 2, was, 3) },
						how, how, how)
					return wrote
				})
				return values.Of(old, at.Type)
			})
	}
}
