package c

import (
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect. The forms are statements and callees; those of the architecture, or of tongue if the
// test is in one of two vocabularies, come first.
func (Dialect) Words(tongue string) lower.Words {
	barriers, cycles := []string{
		"atomic_thread_fence(memory_order_seq_cst);",
		"atomic_thread_fence(memory_order_acq_rel);",
	}, cycles11
	if tongue != "C" {
		barriers, cycles = []string{"smp_mb();", "smp_wmb();", "smp_rmb();"}, cyclesKernel
	}
	return lower.Words{
		Forms:     sync.OnceValue(func() []lower.Form { return forms(tongue) }),
		Registers: []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"},
		Modifiers: lower.Names(Orders), Bodies: true, Controls: Controls, Types: Types(), Barriers: barriers,
		Cycles: cycles, Alternatives: alternatives,
	}
}

// forms returns a tongue's calls and statements, the usual ones first.
func forms(tongue string) (forms []lower.Form) {
	add := func(calls map[string]Callee, names ...string) {
		for _, name := range names {
			f := lower.Form{Mnemonic: name, Operands: AsWritten(calls[name].Params), Help: calls[name].Help}
			if !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
	}
	all := Callees()
	vocabularies := []map[string]Callee{all[C11], all[Kernel]}
	first := usual[0]
	if tongue != "C" {
		slices.Reverse(vocabularies)
		first = usual[1]
	}
	add(vocabularies[0], strings.Fields(first)...)
	forms = append(forms, statements...)
	for _, v := range append(vocabularies, all[Herd]) {
		add(v, lower.Names(v)...)
	}
	return forms
}

// usual lists the calls that most tests make: C11's and the kernel's.
var usual = [2]string{
	"atomic_load_explicit atomic_store_explicit atomic_load atomic_store atomic_thread_fence " +
		"atomic_exchange_explicit " +
		"atomic_fetch_add_explicit atomic_compare_exchange_strong_explicit mtx_lock mtx_unlock",
	"READ_ONCE WRITE_ONCE smp_load_acquire smp_store_release smp_mb smp_rmb smp_wmb rcu_dereference " +
		"rcu_assign_pointer " +
		"rcu_read_lock rcu_read_unlock synchronize_rcu spin_lock spin_unlock xchg cmpxchg",
}

// statements are the statements that C has besides calls.
var statements = []lower.Form{
	{Mnemonic: "int", Operands: " r0 = 0", Help: "declares a local variable; outcomes show it as 0:r0"},
	{
		Mnemonic: "if", Operands: " (v) { }",
		Help: "runs the block if the condition is not 0; an else block after it runs if the condition is 0",
	},
	{
		Mnemonic: "while", Operands: " (v == 0) { }",
		Help: "repeats the block while the condition is not 0",
	},
	{Mnemonic: "do", Operands: " { } while (v == 0)", Help: "repeats the block while the condition is not 0"},
	{Mnemonic: "return", Help: "ends the thread"},
}

// AsWritten returns the argument list that stands for a list of parameters in completions: orders become
// memory_order_relaxed.
func AsWritten(params string) string { return "(" + orders.Replace(params) + ")" }

var orders = strings.NewReplacer("order_of_failure", "memory_order_relaxed", "order", "memory_order_relaxed")
