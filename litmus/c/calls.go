package c

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/ir"
)

// Callee is a function, or a macro like one, that tests or programs can call, by what it does to memory. Its
// parameters are as its manual names them, and these names say what an argument is:
//
//	p, flag, l, m, s      a pointer to what is accessed: an object, a flag, a lock, a mutex, a structure of SRCU's
//	*p                    the object itself
//	v, &v                 what is written, or what an operator is applied to; a pointer to it. 1 where there is none
//	index                 the same, of SRCU
//	old, &old, &expected  what is compared; a pointer to it, which what was found is written to
//	u                     what the object is not to be
//	&result               where what was read is written to
//	order, order_of_failure, weak
//
// Readers of C have a way to do each deed, and no list of names.
type Callee struct {
	Name, Params string
	Help         string // a line
	Of           Vocabulary
	Does         Deed
	Op           string   // of updates: what is written is what was there, Op, v; where it is "", v
	Unless       string   // of updates: not where that is there: "u", an argument, "0", or what is "<0", ">0" or "<=0"
	Gives        Result   // of updates, comparisons and locks
	How          Ordering // what is not said by arguments
	Weak         bool     // a comparison that may fail for no reason
}

// Vocabulary is who knows a callee.
type Vocabulary int

// The vocabularies. Programs know all but herd's own.
const (
	C11    Vocabulary = iota // <stdatomic.h> (C11, 7.17), and mutexes (7.26.4)
	Kernel                   // the Linux kernel's, as its model has them
	GNU                      // GCC's builtins, and verifiers': programs alone know them
	Herd                     // words that tests alone know
)

// Deed is what a callee does.
type Deed int

// The deeds.
const (
	Load Deed = iota + 1
	Store
	Initialise      // a store that is not atomic
	Modify          // a read-modify-write
	CompareExchange // one that writes where what it expects is there
	StoreMb         // a store and a full fence
	Fence
	SignalFence // for the compiler alone
	IsLockFree
	SyncSrcu
	TakeSpin
	TrySpin
	SpinIsLocked
	TakeMutex
	TryMutex
	LeaveMutex
)

// Result is what a callee gives.
type Result int

// The results.
const (
	Old      Result = iota // what was there
	New                    // what is there then
	Nothing                // nothing
	Whether                // whether it wrote, or took a lock; of a flag, whether it was set
	IsZero                 // whether what is there then is 0
	Negative               // whether that is below 0
)

// Ordering says how a callee's read and its write are ordered, by their tags; extra ones come behind the first.
type Ordering interface {
	Read(extra ...ir.Tag) ir.Tags
	Write(extra ...ir.Tag) ir.Tags
}

// Tagged are the tags of locks and the like, and of fences, as they are.
type Tagged struct{ Reads, Writes, Busy ir.Tags }

// Read implements Ordering.
func (t Tagged) Read(...ir.Tag) ir.Tags { return t.Reads }

// Write implements Ordering.
func (t Tagged) Write(...ir.Tag) ir.Tags { return t.Writes }

// At is the place of a parameter; -1 where there is none of the names.
func (f Callee) At(names ...string) int {
	for i, p := range f.params() {
		if slices.Contains(names, p) {
			return i
		}
	}
	return -1
}

func (f Callee) params() []string {
	if f.Params == "" {
		return nil
	}
	return strings.Split(f.Params, ", ")
}

// Takes is how many arguments it takes.
func (f Callee) Takes() int { return len(f.params()) }

// Object is the place of the pointer to what is accessed, or of *p.
func (f Callee) Object() int { return f.At("p", "*p", "flag", "l", "m", "s") }

// Next is what an update writes where old was.
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

// Spares tells where an update with an Unless leaves what was there as it is; u is the argument of that name, if there
// is one.
func (f Callee) Spares(old, u ir.Expr) ir.Expr {
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

// below is what the greater and the lesser of two numbers are found by, signed or not.
var below = map[string]ir.BinaryOp{"max": ir.Slt, "min": ir.Slt, "umax": ir.Ult, "umin": ir.Ult}

// Misfit says that the callee may not have an order; "" where it may.
func (f Callee) Misfit(o Order) string {
	switch {
	case f.Does == Load && !o.OfLoads():
		return o.String() + " is no order of a load"
	case f.Does == Store && !o.OfStores():
		return o.String() + " is no order of a store"
	}
	return ""
}

// Find is the callee of a name. C11 and the kernel have some in common, with their arguments the other way round:
// the kernel's have the pointer last. Pointer tells which of so many arguments are written as addresses.
func Find(name string, args int, pointer func(int) bool) (Callee, bool) {
	all := Callees()
	f, ok := all[C11][name]
	if k, both := all[Kernel][name]; both && (!ok || args == k.Takes() && pointer(args-1) && !pointer(0)) {
		return k, true
	}
	for _, of := range []Vocabulary{GNU, Herd} {
		if !ok {
			f, ok = all[of][name]
		}
	}
	return f, ok
}

// Callees are all that are known, by vocabulary and name.
var Callees = sync.OnceValue(func() [4]map[string]Callee {
	t := table{{}, {}, {}, {}}
	t.c11()
	t.gnu()
	t.kernel()
	t.kernelAtomics()
	return t
})

// table is where they are entered.
type table [4]map[string]Callee

func (t *table) add(of Vocabulary, names, params, help string, f Callee) {
	for name := range strings.FieldsSeq(names) {
		f.Name, f.Params, f.Help, f.Of = name, params, help, of
		t[of][name] = f
	}
}

// fetches are the operators that C11 has functions for.
var fetches = map[string]string{"add": "+", "sub": "-", "or": "|", "xor": "^", "and": "&"}

const compares = "writes v to *p if *p is *expected, else *p to *expected; gives whether it did"

func (t *table) c11() {
	// Of most functions there are two: with an order, and sequentially consistent.
	both := func(name, params, help string, f Callee) {
		t.add(C11, name+"_explicit", params+", order", help, f)
		f.How = SeqCst
		t.add(C11, name, params, help+", sequentially consistent", f)
	}
	both("atomic_load", "p", "reads *p", Callee{Does: Load})
	both("atomic_store", "p, v", "writes v to *p", Callee{Does: Store})
	both("atomic_exchange", "p, v", "writes v to *p, gives what was there", Callee{Does: Modify})
	for name, op := range fetches {
		both("atomic_fetch_"+name, "p, v", "*p = *p "+op+" v, gives what was there", Callee{Does: Modify, Op: op})
	}
	both("atomic_flag_test_and_set", "flag", "sets the flag, gives whether it was set",
		Callee{Does: Modify, Gives: Whether})
	both("atomic_flag_clear", "flag", "clears the flag", Callee{Does: Store})
	for name, help := range map[string]string{
		"strong": compares,
		"weak":   compares + "; may fail though they are equal",
	} {
		f := Callee{Does: CompareExchange, Gives: Whether, Weak: name == "weak"}
		t.add(C11, "atomic_compare_exchange_"+name+"_explicit", "p, &expected, v, order, order_of_failure", help, f)
		f.How = SeqCst
		t.add(C11, "atomic_compare_exchange_"+name, "p, &expected, v", help+", sequentially consistent", f)
	}
	t.add(C11, "atomic_thread_fence", "order", "a fence", Callee{Does: Fence})
	t.add(C11, "atomic_signal_fence", "order", "a fence for the compiler alone, which no other thread sees",
		Callee{Does: SignalFence})
	t.add(C11, "atomic_init", "p, v", "writes v to *p, not atomically", Callee{Does: Initialise})
	t.add(C11, "atomic_is_lock_free", "p", "true here", Callee{Does: IsLockFree})

	// A mutex is locked as by an acquiring exchange, and unlocked as by a releasing store.
	taken := Tagged{
		Acquire.Read(append(Update(), tagLocked)...), Acquire.Write(append(Update(), tagLocked)...),
		ir.Tags{tagNotFree, tagAtomic, tagRLX},
	}
	for of, prefixes := range map[Vocabulary][]string{
		C11: {"mtx_", "pthread_mutex_"}, GNU: {"__VERIFIER_mutex_"},
		Herd: {""},
	} {
		for _, mutex := range prefixes {
			t.add(of, mutex+"lock", "m", "locks the mutex *m", Callee{Does: TakeMutex, How: taken})
			t.add(of, mutex+"unlock", "m", "unlocks the mutex *m",
				Callee{Does: LeaveMutex, How: Tagged{Writes: Release.Write(tagUnlock)}})
			if mutex != "" {
				t.add(of, mutex+"trylock", "m", "locks the mutex *m if it is free: 0, or else not",
					Callee{Does: TryMutex, How: taken})
			}
		}
	}
}

// gnu are GCC's builtins: those that C11's functions are made of, which add bytes to pointers, and older ones, which
// are full barriers.
func (t *table) gnu() {
	add := func(names, params, help string, f Callee) { t.add(GNU, names, params, help, f) }
	add("__atomic_load_n", "p, order", "reads *p", Callee{Does: Load})
	add("__atomic_load", "p, &result, order", "reads *p into *result", Callee{Does: Load})
	add("__atomic_store_n", "p, v, order", "writes v to *p", Callee{Does: Store})
	add("__atomic_store", "p, &v, order", "writes *v to *p", Callee{Does: Store})
	add("__atomic_exchange_n", "p, v, order", "writes v to *p, gives what was there", Callee{Does: Modify})
	add("__atomic_exchange", "p, &v, &result, order", "writes *v to *p, and what was there to *result",
		Callee{Does: Modify})
	for _, name := range append(slices.Collect(maps.Keys(fetches)), "nand") {
		op, help := fetches[name], "*p = *p "+fetches[name]+" v, gives what "
		if name == "nand" {
			op, help = "~&", "*p = ~(*p & v), gives what "
		}
		add("__atomic_fetch_"+name, "p, v, order", help+"was there", Callee{Does: Modify, Op: op})
		add("__atomic_"+name+"_fetch", "p, v, order", help+"is there then", Callee{Does: Modify, Op: op, Gives: New})
		add("__sync_fetch_and_"+name, "p, v", help+"was there", Callee{Does: Modify, Op: op, How: SeqCst})
		add("__sync_"+name+"_and_fetch", "p, v", help+"is there then",
			Callee{Does: Modify, Op: op, How: SeqCst, Gives: New})
	}
	for name, what := range map[string]string{"max": "greater", "min": "lesser"} {
		help := "*p = the " + what + " of *p and v, gives what "
		add("__atomic_fetch_"+name, "p, v, order", help+"was there", Callee{Does: Modify, Op: name})
		add("__atomic_"+name+"_fetch", "p, v, order", help+"is there then", Callee{Does: Modify, Op: name, Gives: New})
		for _, op := range []string{name, "u" + name} {
			add("__sync_fetch_and_"+op, "p, v", help+"was there", Callee{Does: Modify, Op: op, How: SeqCst})
		}
	}
	add("__atomic_compare_exchange_n", "p, &expected, v, weak, order, order_of_failure", compares,
		Callee{Does: CompareExchange, Gives: Whether})
	add("__atomic_compare_exchange", "p, &expected, &v, weak, order, order_of_failure", compares,
		Callee{Does: CompareExchange, Gives: Whether})
	add("__VERIFIER_CAS_helping_explicit __VERIFIER_CAS_helped_explicit", "p, &expected, v, order, order_of_failure",
		compares, Callee{Does: CompareExchange, Gives: Whether})
	add("__atomic_test_and_set", "flag, order", "sets the flag, gives whether it was set",
		Callee{Does: Modify, Gives: Whether})
	add("__atomic_clear", "flag, order", "clears the flag", Callee{Does: Store})
	add("__atomic_thread_fence", "order", "a fence", Callee{Does: Fence})
	add("__atomic_signal_fence", "order", "a fence for the compiler alone, which no other thread sees",
		Callee{Does: SignalFence})
	add("__atomic_is_lock_free __atomic_always_lock_free", "size, p", "true here", Callee{Does: IsLockFree})
	add("__sync_bool_compare_and_swap", "p, old, v", "writes v to *p if *p is old, gives whether it did",
		Callee{Does: CompareExchange, How: SeqCst, Gives: Whether})
	add("__sync_val_compare_and_swap", "p, old, v", "writes v to *p if *p is old, gives what was there",
		Callee{Does: CompareExchange, How: SeqCst})
	add("__sync_lock_test_and_set", "p, v", "writes v to *p, an acquire; gives what was there",
		Callee{Does: Modify, How: Acquire})
	add("__sync_lock_release", "p", "writes 0 to *p, a release", Callee{Does: Store, How: Release})
	add("__sync_synchronize", "", "a full fence", Callee{Does: Fence, How: SeqCst})
}

// kernel are the primitives that the kernel's model knows (its tools/memory-model/Documentation). Interrupts and
// preemption are none of the model's.
func (t *table) kernel() {
	add := func(names, params, help string, f Callee) { t.add(Kernel, names, params, help, f) }
	add("READ_ONCE", "*p", "reads *p once", Callee{Does: Load, How: Unordered})
	const dereferences = "reads the pointer *p once, for what it points to"
	add("rcu_dereference rcu_dereference_raw lockless_dereference", "*p", dereferences,
		Callee{Does: Load, How: Unordered})
	add("rcu_dereference_check", "*p, held", dereferences, Callee{Does: Load, How: Unordered})
	add("srcu_dereference", "*p, s", dereferences, Callee{Does: Load, How: Unordered})
	add("WRITE_ONCE", "*p, v", "writes v to *p once", Callee{Does: Store, How: Unordered})
	add("rcu_assign_pointer", "*p, v", "writes the pointer v to *p, a release", Callee{Does: Store, How: Releasing})
	add("smp_store_mb", "*p, v", "writes v to *p, and then is a full fence", Callee{Does: StoreMb, How: Unordered})
	add("smp_load_acquire", "p", "reads *p, an acquire", Callee{Does: Load, How: Acquiring})
	add("smp_store_release", "p, v", "writes v to *p, a release", Callee{Does: Store, How: Releasing})

	fence := func(names, help string, tags ir.Tags) {
		add(names, "", help, Callee{Does: Fence, How: Tagged{Reads: tags}})
	}
	fence("smp_mb", "a full fence", fully(tagMB))
	fence("smp_rmb", "orders reads", ir.Tags{tagRmb, ir.TagRR})
	fence("smp_wmb", "orders writes", ir.Tags{tagWmb, ir.TagWW})
	fence("barrier", "a fence for the compiler alone", ir.Tags{tagBarrier})
	fence("smp_mb__before_atomic", "a full fence before an atomic update", fully(tagBeforeAtomic))
	fence("smp_mb__after_atomic", "a full fence after an atomic update", fully(tagAfterAtomic))
	fence("smp_mb__after_spinlock", "makes the spin_lock before it a full fence", fully(tagAfterSpinlock))
	fence("smp_mb__after_unlock_lock", "makes the unlock and the lock before it a full fence",
		fully(tagAfterUnlockLock))
	fence("smp_mb__after_srcu_read_unlock", "makes the srcu_read_unlock before it a full fence",
		fully(tagAfterSrcuReadUnlock))
	fence("rcu_read_lock", "enters an RCU read-side section", ir.Tags{tagRcuLock})
	fence("rcu_read_unlock", "leaves it", ir.Tags{tagRcuUnlock})
	fence("synchronize_rcu synchronize_rcu_expedited", "waits for the RCU read-side sections that have begun",
		fully(tagSyncRcu))

	// SRCU: a section's lock reads the index that its unlock is to be given.
	add("srcu_read_lock srcu_down_read", "s", "enters a read-side section of *s, gives its index",
		Callee{Does: Load, How: Tagged{Reads: ir.Tags{tagSrcuLock}}})
	add("srcu_read_unlock srcu_up_read", "s, index", "leaves the read-side section of *s that has the index",
		Callee{Does: Store, How: Tagged{Writes: ir.Tags{tagSrcuUnlock}}})
	add("synchronize_srcu synchronize_srcu_expedited", "s", "waits for the read-side sections of *s that have begun",
		Callee{Does: SyncSrcu, How: Tagged{Reads: fully(tagSyncSrcu)}})

	spin := func(names, params, help string, f Callee) {
		for name := range strings.FieldsSeq(names) {
			add("spin_"+name+" raw_spin_"+name, params, help, f)
		}
	}
	take := Callee{Does: TakeSpin, How: Tagged{SpinRead, SpinWrite, SpinBusy}, Gives: Nothing}
	leave := Callee{Does: Store, How: Tagged{Writes: SpinUnlock}}
	spin("lock lock_irq lock_bh", "l", "takes the spinlock *l", take)
	spin("lock_irqsave", "l, flags", "takes the spinlock *l; flags are for its unlock", take)
	spin("unlock unlock_irq unlock_bh", "l", "leaves the spinlock *l", leave)
	spin("unlock_irqrestore", "l, flags", "leaves the spinlock *l", leave)
	spin("trylock", "l", "takes the spinlock *l if it is free, gives whether it did",
		Callee{Does: TrySpin, How: take.How, Gives: Whether})
	spin("lock_init", "l", "makes the spinlock *l free, not atomically", Callee{Does: Initialise})
	spin("is_locked", "l", "whether somebody holds the spinlock *l", Callee{Does: SpinIsLocked, Gives: Whether})
}

// kernelAtomics are the atomic updates: atomic_t's, the long ones', and xchg and cmpxchg of any word (the kernel's
// Documentation/atomic_t.txt on what the variants are ordered by).
func (t *table) kernelAtomics() {
	add := func(name, params, help string, f Callee) {
		t.add(Kernel, "atomic_"+name+" atomic_long_"+name+" atomic64_"+name, params, help, f)
	}
	add("read", "p", "reads *p once", Callee{Does: Load, How: Unordered})
	add("read_acquire", "p", "reads *p, an acquire", Callee{Does: Load, How: Acquiring})
	add("set", "p, v", "writes v to *p", Callee{Does: Store, How: Unordered})
	add("set_release", "p, v", "writes v to *p", Callee{Does: Store, How: Releasing})
	update := func(name, params, op, v string, returns bool) {
		is := "*p = *p " + op + " " + v + ", gives "
		add(name, params, is+"nothing and orders nothing", Callee{Does: Modify, Op: op, How: NoReturn, Gives: Nothing})
		for suffix, s := range Strengths {
			add("fetch_"+name+suffix, params, is+"what was there", Callee{Does: Modify, Op: op, How: s})
			if returns {
				add(name+"_return"+suffix, params, is+"what is there then",
					Callee{Does: Modify, Op: op, How: s, Gives: New})
			}
		}
		if returns && name != "add" {
			add(name+"_and_test", params, is+"whether it is 0 then",
				Callee{Does: Modify, Op: op, How: Full, Gives: IsZero})
		}
	}
	for name, op := range fetches {
		update(name, "v, p", op, "v", name == "add" || name == "sub")
	}
	update("andnot", "v, p", "&~", "v", false)
	update("inc", "p", "+", "1", true)
	update("dec", "p", "-", "1", true)
	for suffix, s := range Strengths {
		add("add_negative"+suffix, "v, p", "*p = *p + v, gives whether it is negative then",
			Callee{Does: Modify, Op: "+", How: s, Gives: Negative})
	}
	sum := Callee{Does: Modify, Op: "+", How: Full, Gives: Whether, Unless: "u"}
	add("add_unless", "p, v, u", "*p = *p + v unless *p is u, gives whether it did", sum)
	sum.Unless = "0"
	add("inc_not_zero", "p", "*p = *p + 1 unless *p is 0, gives whether it did", sum)
	sum.Unless = "<0"
	add("inc_unless_negative", "p", "*p = *p + 1 unless *p is negative, gives whether it did", sum)
	less := Callee{Does: Modify, Op: "-", How: Full, Gives: Whether, Unless: ">0"}
	add("dec_unless_positive", "p", "*p = *p - 1 unless *p is positive, gives whether it did", less)
	less.Gives, less.Unless = New, "<=0"
	add("dec_if_positive", "p", "*p = *p - 1 if *p is positive, gives *p - 1 in any case", less)
	sum.Gives, sum.Unless = Old, "u"
	add("fetch_add_unless", "p, v, u", "*p = *p + v unless *p is u, gives what was there", sum)
	for suffix, s := range Strengths {
		word := func(name, params, help string, f Callee) { // those of 64 bits go by a name of their own, too
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
			add("xchg"+suffix, "p, v", "writes v to *p, gives what was there", Callee{Does: Modify, How: s})
			add("cmpxchg"+suffix, "p, old, v", "writes v to *p if *p is old, gives what was there",
				Callee{Does: CompareExchange, How: s})
			add("try_cmpxchg"+suffix, "p, &old, v",
				"writes v to *p if *p is old, else what is there to old; gives whether it did",
				Callee{Does: CompareExchange, How: s, Gives: Whether})
		}
	}
}
