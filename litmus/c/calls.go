package c

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/ir"
)

// Callee describes a function or function-like macro that tests or programs can call: its parameters and its effect on
// memory. Parameters have the names of the function's manual, and a parameter's name says what its argument is:
//
//	p, flag, l, m, s      a pointer to the accessed object: an object, a flag, a lock, a mutex, an SRCU structure
//	*p                    the accessed object itself
//	v, &v                 the value to write or the operand; a pointer to it. Without this parameter, the value is 1
//	index                 the value to write, for SRCU
//	old, &old, &expected  the value to compare with; a pointer to it, through which the value found is stored
//	u                     the value at which an update leaves the object as it is
//	&result               a pointer through which the value read is stored
//	order, order_of_failure, weak
//
// The two readers of C (this package and cprog/builtins) implement each [Effect] once and need no list of names.
type Callee struct {
	Name, Params string
	Help         string // one line
	Of           Vocabulary
	Effect       Effect
	Op           string // of updates: they write "old Op v", or v if Op is ""
	// Unless is the old value for which an update writes nothing: "u" (an argument), "0", "<0", ">0", "<=0".
	Unless  string
	Returns Result   // of updates, comparisons and locks
	How     Ordering // the order, if no argument says it
	Weak    bool     // the compare-and-exchange may fail spuriously
}

// Vocabulary says which standard or tool defines a callee.
type Vocabulary int

// The vocabularies. Programs can use all except Herd.
const (
	C11    Vocabulary = iota // <stdatomic.h> (C11, 7.17), and mutexes (7.26.4)
	Kernel                   // the Linux kernel's, as its memory model covers them
	GNU                      // builtins of GCC and of verifiers: for programs only
	Herd                     // words for tests only
)

// Effect is the effect of a callee.
type Effect int

// The deeds.
const (
	Load Effect = iota + 1
	Store
	Initialise      // a store that is not atomic
	Modify          // a read-modify-write
	CompareExchange // a read-modify-write that writes only if it reads the expected value
	StoreMb         // a store and a full fence
	Fence
	SignalFence // a compiler-only fence
	IsLockFree
	SyncSrcu
	TakeSpin
	TrySpin
	SpinIsLocked
	TakeMutex
	TryMutex
	LeaveMutex
)

// Result says what a callee returns.
type Result int

// The results.
const (
	Old      Result = iota // the old value
	New                    // the new value
	Nothing                // nothing
	Whether                // whether it wrote, or acquired the lock; for a flag, whether it was already set
	IsZero                 // whether the new value is 0
	Negative               // whether the new value is negative
)

// Ordering returns the tags that order the read and the write of a callee. The extra tags come after the first tag.
type Ordering interface {
	Read(extra ...ir.Tag) ir.Tags
	Write(extra ...ir.Tag) ir.Tags
}

// Tagged is an Ordering with fixed tags, for locks and kernel fences. Busy tags the read of a failed attempt to lock.
type Tagged struct{ Reads, Writes, Busy ir.Tags }

// Read implements Ordering.
func (t Tagged) Read(...ir.Tag) ir.Tags { return t.Reads }

// Write implements Ordering.
func (t Tagged) Write(...ir.Tag) ir.Tags { return t.Writes }

// At returns the index of the first parameter that has one of the names, or -1.
func (f Callee) At(names ...string) int {
	for i, p := range f.params() {
		if slices.Contains(names, p) {
			return i
		}
	}
	return -1
}

// params returns the names of the parameters.
func (f Callee) params() []string {
	if f.Params == "" {
		return nil
	}
	return strings.Split(f.Params, ", ")
}

// Arity returns the number of parameters.
func (f Callee) Arity() int { return len(f.params()) }

// Object returns the index of the parameter that is the accessed object or a pointer to it.
func (f Callee) Object() int { return f.At("p", "*p", "flag", "l", "m", "s") }

// Next returns the value that an update writes after reading old; v is its operand.
func (f Callee) Next(old, v ir.Expr) ir.Expr {
	switch f.Op {
	case "":
		return v
	case "&~":
		return ir.BitAnd.Of(old, ir.Not(v))
	case "~&":
		return ir.Not(ir.BitAnd.Of(old, v))
	case "max", "umax":
		return ir.Cond{If: below[f.Op].Of(old, v), Then: v, Else: old}
	case "min", "umin":
		return ir.Cond{If: below[f.Op].Of(v, old), Then: v, Else: old}
	}
	return arithmetic[f.Op].Of(old, v)
}

// LeavesUnchanged says whether an update with an Unless leaves the object as it is after reading old. It is an
// expression of one bit; u is the argument u if the callee has one.
func (f Callee) LeavesUnchanged(old, u ir.Expr) ir.Expr {
	zero := ir.Number(0, old.Width())
	switch f.Unless {
	case "0":
		return ir.Eq.Of(old, zero)
	case "<0":
		return ir.Slt.Of(old, zero)
	case ">0":
		return ir.Slt.Of(zero, old)
	case "<=0":
		return ir.Not(ir.Slt.Of(zero, old))
	}
	return ir.Eq.Of(old, u)
}

// below maps the operators for maximum and minimum to the comparison they use, signed or unsigned.
var below = map[string]ir.BinaryOp{"max": ir.Slt, "min": ir.Slt, "umax": ir.Ult, "umin": ir.Ult}

// Misfit returns an error text if the callee cannot have the order, and "" if it can (C17, 7.17.7.1 and 7.17.7.2).
func (f Callee) Misfit(o Order) string {
	switch {
	case f.Effect == Load && !o.OfLoads():
		return "a load cannot have " + o.String()
	case f.Effect == Store && !o.OfStores():
		return "a store cannot have " + o.String()
	}
	return ""
}

// Find returns the callee with a name. Some names are in both C11 and the kernel, with their arguments in the opposite
// order: the kernel's have the pointer last. So Find also takes the number of arguments, and a function that reports
// whether an argument is written as an address.
func Find(name string, args int, pointer func(int) bool) (Callee, bool) {
	all := Callees()
	f, ok := all[C11][name]
	if k, both := all[Kernel][name]; both && (!ok || args == k.Arity() && pointer(args-1) && !pointer(0)) {
		return k, true
	}
	for _, of := range []Vocabulary{GNU, Herd} {
		if !ok {
			f, ok = all[of][name]
		}
	}
	return f, ok
}

// Callees returns all callees by vocabulary and name.
var Callees = sync.OnceValue(func() [4]map[string]Callee {
	t := table{{}, {}, {}, {}}
	t.c11()
	t.gnu()
	t.kernel()
	t.kernelAtomics()
	return t
})

// table collects the callees by vocabulary and name.
type table [4]map[string]Callee

// add enters a callee under each of its names, which spaces separate.
func (t *table) add(of Vocabulary, names, params, help string, f Callee) {
	for name := range strings.FieldsSeq(names) {
		f.Name, f.Params, f.Help, f.Of = name, params, help, of
		t[of][name] = f
	}
}

// fetches maps the names of C11's atomic_fetch_ functions to their operators.
var fetches = map[string]string{"add": "+", "sub": "-", "or": "|", "xor": "^", "and": "&"}

const compares = "writes v to *p if *p equals *expected, otherwise copies *p to *expected; returns whether it wrote"

// c11 enters the functions of <stdatomic.h> (C11, 7.17) and the mutexes of <threads.h> (7.26.4) and pthreads.
func (t *table) c11() {
	// Most functions have two forms: with an explicit order, and sequentially consistent.
	both := func(name, params, help string, f Callee) {
		t.add(C11, name+"_explicit", params+", order", help, f)
		f.How = SeqCst
		t.add(C11, name, params, help+", sequentially consistent", f)
	}
	both("atomic_load", "p", "reads *p", Callee{Effect: Load})
	both("atomic_store", "p, v", "writes v to *p", Callee{Effect: Store})
	both("atomic_exchange", "p, v", "writes v to *p, returns the old value", Callee{Effect: Modify})
	for name, op := range fetches {
		both("atomic_fetch_"+name, "p, v", "*p = *p "+op+" v, returns the old value", Callee{Effect: Modify, Op: op})
	}
	both("atomic_flag_test_and_set", "flag", "sets the flag, returns whether it was already set",
		Callee{Effect: Modify, Returns: Whether})
	both("atomic_flag_clear", "flag", "clears the flag", Callee{Effect: Store})
	for name, help := range map[string]string{
		"strong": compares,
		"weak":   compares + "; may fail spuriously",
	} {
		f := Callee{Effect: CompareExchange, Returns: Whether, Weak: name == "weak"}
		t.add(C11, "atomic_compare_exchange_"+name+"_explicit", "p, &expected, v, order, order_of_failure", help, f)
		f.How = SeqCst
		t.add(C11, "atomic_compare_exchange_"+name, "p, &expected, v", help+", sequentially consistent", f)
	}
	t.add(C11, "atomic_thread_fence", "order", "a fence", Callee{Effect: Fence})
	t.add(C11, "atomic_signal_fence", "order", "a compiler-only fence, without effect on other threads",
		Callee{Effect: SignalFence})
	t.add(C11, "atomic_init", "p, v", "writes v to *p, not atomically", Callee{Effect: Initialise})
	t.add(C11, "atomic_is_lock_free", "p", "returns true", Callee{Effect: IsLockFree})

	// A mutex is locked by an acquire exchange and unlocked by a release store.
	taken := Tagged{
		Acquire.Read(append(Update(), tagLocked)...), Acquire.Write(append(Update(), tagLocked)...),
		ir.Tags{tagNotFree, tagAtomic, tagRLX},
	}
	for of, prefixes := range map[Vocabulary][]string{
		C11: {"mtx_", "pthread_mutex_"}, GNU: {"__VERIFIER_mutex_"},
		Herd: {""},
	} {
		for _, mutex := range prefixes {
			t.add(of, mutex+"lock", "m", "locks the mutex *m", Callee{Effect: TakeMutex, How: taken})
			t.add(of, mutex+"unlock", "m", "unlocks the mutex *m",
				Callee{Effect: LeaveMutex, How: Tagged{Writes: Release.Write(tagUnlock)}})
			if mutex != "" {
				t.add(of, mutex+"trylock", "m", "locks the mutex *m if it is free; returns 0 if it did",
					Callee{Effect: TryMutex, How: taken})
			}
		}
	}
}

// gnu enters GCC's builtins: the __atomic_ functions behind C11's, whose additions to pointers count bytes, and the
// older __sync_ functions, which are full barriers.
func (t *table) gnu() {
	add := func(names, params, help string, f Callee) { t.add(GNU, names, params, help, f) }
	add("__atomic_load_n", "p, order", "reads *p", Callee{Effect: Load})
	add("__atomic_load", "p, &result, order", "reads *p into *result", Callee{Effect: Load})
	add("__atomic_store_n", "p, v, order", "writes v to *p", Callee{Effect: Store})
	add("__atomic_store", "p, &v, order", "writes *v to *p", Callee{Effect: Store})
	add("__atomic_exchange_n", "p, v, order", "writes v to *p, returns the old value", Callee{Effect: Modify})
	add("__atomic_exchange", "p, &v, &result, order", "writes *v to *p, and the old value to *result",
		Callee{Effect: Modify})
	for _, name := range append(slices.Collect(maps.Keys(fetches)), "nand") {
		op, help := fetches[name], "*p = *p "+fetches[name]+" v, returns the "
		if name == "nand" {
			op, help = "~&", "*p = ~(*p & v), returns the "
		}
		add("__atomic_fetch_"+name, "p, v, order", help+"old value", Callee{Effect: Modify, Op: op})
		add("__atomic_"+name+"_fetch", "p, v, order", help+"new value", Callee{Effect: Modify, Op: op, Returns: New})
		add("__sync_fetch_and_"+name, "p, v", help+"old value", Callee{Effect: Modify, Op: op, How: SeqCst})
		add("__sync_"+name+"_and_fetch", "p, v", help+"new value",
			Callee{Effect: Modify, Op: op, How: SeqCst, Returns: New})
	}
	for name, what := range map[string]string{"max": "greater", "min": "lesser"} {
		help := "*p = the " + what + " of *p and v, returns the "
		add("__atomic_fetch_"+name, "p, v, order", help+"old value", Callee{Effect: Modify, Op: name})
		add("__atomic_"+name+"_fetch", "p, v, order", help+"new value", Callee{Effect: Modify, Op: name, Returns: New})
		for _, op := range []string{name, "u" + name} {
			add("__sync_fetch_and_"+op, "p, v", help+"old value", Callee{Effect: Modify, Op: op, How: SeqCst})
		}
	}
	add("__atomic_compare_exchange_n", "p, &expected, v, weak, order, order_of_failure", compares,
		Callee{Effect: CompareExchange, Returns: Whether})
	add("__atomic_compare_exchange", "p, &expected, &v, weak, order, order_of_failure", compares,
		Callee{Effect: CompareExchange, Returns: Whether})
	add("__VERIFIER_CAS_helping_explicit __VERIFIER_CAS_helped_explicit", "p, &expected, v, order, order_of_failure",
		compares, Callee{Effect: CompareExchange, Returns: Whether})
	add("__atomic_test_and_set", "flag, order", "sets the flag, returns whether it was already set",
		Callee{Effect: Modify, Returns: Whether})
	add("__atomic_clear", "flag, order", "clears the flag", Callee{Effect: Store})
	add("__atomic_thread_fence", "order", "a fence", Callee{Effect: Fence})
	add("__atomic_signal_fence", "order", "a compiler-only fence, without effect on other threads",
		Callee{Effect: SignalFence})
	add("__atomic_is_lock_free __atomic_always_lock_free", "size, p", "returns true", Callee{Effect: IsLockFree})
	add("__sync_bool_compare_and_swap", "p, old, v", "writes v to *p if *p equals old, returns whether it wrote",
		Callee{Effect: CompareExchange, How: SeqCst, Returns: Whether})
	add("__sync_val_compare_and_swap", "p, old, v", "writes v to *p if *p equals old, returns the old value",
		Callee{Effect: CompareExchange, How: SeqCst})
	add("__sync_lock_test_and_set", "p, v", "writes v to *p with acquire order, returns the old value",
		Callee{Effect: Modify, How: Acquire})
	add("__sync_lock_release", "p", "writes 0 to *p with release order", Callee{Effect: Store, How: Release})
	add("__sync_synchronize", "", "a full fence", Callee{Effect: Fence, How: SeqCst})
}

// kernel enters the primitives that the kernel's memory model covers (tools/memory-model/Documentation in its source).
// The model does not cover interrupts and preemption, so the variants of a lock that disable them are the lock itself.
func (t *table) kernel() {
	add := func(names, params, help string, f Callee) { t.add(Kernel, names, params, help, f) }
	add("READ_ONCE", "*p", "reads *p once", Callee{Effect: Load, How: Unordered})
	const dereferences = "reads the pointer *p once, to follow it"
	add("rcu_dereference rcu_dereference_raw lockless_dereference", "*p", dereferences,
		Callee{Effect: Load, How: Unordered})
	add("rcu_dereference_check", "*p, held", dereferences, Callee{Effect: Load, How: Unordered})
	add("srcu_dereference", "*p, s", dereferences, Callee{Effect: Load, How: Unordered})
	add("WRITE_ONCE", "*p, v", "writes v to *p once", Callee{Effect: Store, How: Unordered})
	add("rcu_assign_pointer", "*p, v", "writes the pointer v to *p with release order", Callee{
		Effect: Store,
		How:    Releasing,
	})
	add("smp_store_mb", "*p, v", "writes v to *p, then is a full fence", Callee{Effect: StoreMb, How: Unordered})
	add("smp_load_acquire", "p", "reads *p with acquire order", Callee{Effect: Load, How: Acquiring})
	add("smp_store_release", "p, v", "writes v to *p with release order", Callee{Effect: Store, How: Releasing})

	fence := func(names, help string, tags ir.Tags) {
		add(names, "", help, Callee{Effect: Fence, How: Tagged{Reads: tags}})
	}
	fence("smp_mb", "a full fence", fully(tagMB))
	fence("smp_rmb", "orders earlier reads before later reads", ir.Tags{tagRmb, ir.TagRR})
	fence("smp_wmb", "orders earlier writes before later writes", ir.Tags{tagWmb, ir.TagWW})
	fence("barrier", "a compiler-only fence", ir.Tags{tagBarrier})
	fence("smp_mb__before_atomic", "a full fence before an atomic update", fully(tagBeforeAtomic))
	fence("smp_mb__after_atomic", "a full fence after an atomic update", fully(tagAfterAtomic))
	fence("smp_mb__after_spinlock", "makes the preceding spin_lock a full fence", fully(tagAfterSpinlock))
	fence("smp_mb__after_unlock_lock", "makes the preceding unlock and lock a full fence",
		fully(tagAfterUnlockLock))
	fence("smp_mb__after_srcu_read_unlock", "makes the preceding srcu_read_unlock a full fence",
		fully(tagAfterSrcuReadUnlock))
	fence("rcu_read_lock", "enters an RCU read-side critical section", ir.Tags{tagRcuLock})
	fence("rcu_read_unlock", "leaves an RCU read-side critical section", ir.Tags{tagRcuUnlock})
	fence("synchronize_rcu synchronize_rcu_expedited",
		"waits until all RCU read-side critical sections that have begun end",
		fully(tagSyncRcu))

	// SRCU: srcu_read_lock reads an index, which the matching srcu_read_unlock takes as its argument.
	add("srcu_read_lock srcu_down_read", "s", "enters an SRCU read-side critical section of *s, returns its index",
		Callee{Effect: Load, How: Tagged{Reads: ir.Tags{tagSrcuLock}}})
	add(
		"srcu_read_unlock srcu_up_read",
		"s, index",
		"leaves the SRCU read-side critical section of *s with this index",
		Callee{Effect: Store, How: Tagged{Writes: ir.Tags{tagSrcuUnlock}}},
	)
	add("synchronize_srcu synchronize_srcu_expedited", "s",
		"waits until all read-side critical sections of *s that have begun end",
		Callee{Effect: SyncSrcu, How: Tagged{Reads: fully(tagSyncSrcu)}})

	spin := func(names, params, help string, f Callee) {
		for name := range strings.FieldsSeq(names) {
			add("spin_"+name+" raw_spin_"+name, params, help, f)
		}
	}
	take := Callee{Effect: TakeSpin, How: Tagged{SpinRead, SpinWrite, SpinBusy}, Returns: Nothing}
	leave := Callee{Effect: Store, How: Tagged{Writes: SpinUnlock}}
	spin("lock lock_irq lock_bh", "l", "locks the spinlock *l", take)
	spin("lock_irqsave", "l, flags", "locks the spinlock *l; its unlock takes the same flags", take)
	spin("unlock unlock_irq unlock_bh", "l", "unlocks the spinlock *l", leave)
	spin("unlock_irqrestore", "l, flags", "unlocks the spinlock *l", leave)
	spin("trylock", "l", "locks the spinlock *l if it is free, returns whether it did",
		Callee{Effect: TrySpin, How: take.How, Returns: Whether})
	spin("lock_init", "l", "initialises the spinlock *l as free, not atomically", Callee{Effect: Initialise})
	spin("is_locked", "l", "returns whether the spinlock *l is locked", Callee{Effect: SpinIsLocked, Returns: Whether})
}

// kernelAtomics enters the atomic updates: those of atomic_t, atomic_long_t and atomic64_t, and xchg and cmpxchg of any
// word. The kernel's Documentation/atomic_t.txt says how the variants are ordered.
func (t *table) kernelAtomics() {
	add := func(name, params, help string, f Callee) {
		t.add(Kernel, "atomic_"+name+" atomic_long_"+name+" atomic64_"+name, params, help, f)
	}
	add("read", "p", "reads *p once", Callee{Effect: Load, How: Unordered})
	add("read_acquire", "p", "reads *p with acquire order", Callee{Effect: Load, How: Acquiring})
	add("set", "p, v", "writes v to *p", Callee{Effect: Store, How: Unordered})
	add("set_release", "p, v", "writes v to *p with release order", Callee{Effect: Store, How: Releasing})
	update := func(name, params, op, v string, returns bool) {
		is := "*p = *p " + op + " " + v + ", returns "
		add(
			name,
			params,
			is+"nothing and orders nothing",
			Callee{Effect: Modify, Op: op, How: NoReturn, Returns: Nothing},
		)
		for suffix, s := range Strengths {
			add("fetch_"+name+suffix, params, is+"the old value", Callee{Effect: Modify, Op: op, How: s})
			if returns {
				add(name+"_return"+suffix, params, is+"the new value",
					Callee{Effect: Modify, Op: op, How: s, Returns: New})
			}
		}
		if returns && name != "add" {
			add(name+"_and_test", params, is+"whether the new value is 0",
				Callee{Effect: Modify, Op: op, How: Full, Returns: IsZero})
		}
	}
	for name, op := range fetches {
		update(name, "v, p", op, "v", name == "add" || name == "sub")
	}
	update("andnot", "v, p", "&~", "v", false)
	update("inc", "p", "+", "1", true)
	update("dec", "p", "-", "1", true)
	for suffix, s := range Strengths {
		add("add_negative"+suffix, "v, p", "*p = *p + v, returns whether the new value is negative",
			Callee{Effect: Modify, Op: "+", How: s, Returns: Negative})
	}
	sum := Callee{Effect: Modify, Op: "+", How: Full, Returns: Whether, Unless: "u"}
	add("add_unless", "p, v, u", "*p = *p + v unless *p equals u, returns whether it wrote", sum)
	sum.Unless = "0"
	add("inc_not_zero", "p", "*p = *p + 1 unless *p is 0, returns whether it wrote", sum)
	sum.Unless = "<0"
	add("inc_unless_negative", "p", "*p = *p + 1 unless *p is negative, returns whether it wrote", sum)
	less := Callee{Effect: Modify, Op: "-", How: Full, Returns: Whether, Unless: ">0"}
	add("dec_unless_positive", "p", "*p = *p - 1 unless *p is positive, returns whether it wrote", less)
	less.Returns, less.Unless = New, "<=0"
	add("dec_if_positive", "p", "*p = *p - 1 if *p is positive, returns *p - 1 in either case", less)
	sum.Returns, sum.Unless = Old, "u"
	add("fetch_add_unless", "p, v, u", "*p = *p + v unless *p equals u, returns the old value", sum)
	for suffix, s := range Strengths {
		word := func(name, params, help string, f Callee) { // the 64-bit variants have names of their own, too
			of, suffix, _ := strings.Cut(name, "_")
			if of == "try" {
				of, suffix, _ = strings.Cut(suffix, "_")
				of = "try_" + of
			}
			if of += "64"; suffix != "" {
				of += "_" + suffix
			}
			t.add(Kernel, name+" "+of, params, help, f)
		}
		for _, add := range []func(name, params, help string, f Callee){add, word} {
			add("xchg"+suffix, "p, v", "writes v to *p, returns the old value", Callee{Effect: Modify, How: s})
			add("cmpxchg"+suffix, "p, old, v", "writes v to *p if *p equals old, returns the old value",
				Callee{Effect: CompareExchange, How: s})
			add("try_cmpxchg"+suffix, "p, &old, v",
				"writes v to *p if *p equals old, otherwise copies *p to old; returns whether it wrote",
				Callee{Effect: CompareExchange, How: s, Returns: Whether})
		}
	}
}
