package cycle

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// The dialects of C. Tests of both have C as their architecture.
const (
	ofC    = "C"            // C11's atomics
	kernel = dialect.Kernel // the Linux kernel's primitives
)

// fetchAdd is the atomic addition of C11, mb the mark of an exchange that orders all, and
// section the edge between accesses of one read-side critical section.
const (
	fetchAdd = "Fetch.Add"
	mb       = "Mb"
	section  = "Rscs"
)

var c11 = vocabulary{
	arch: ofC, Cycles: &lower.Cycles{
		Anywhere: true,
		Fences: []lower.Word{
			{Name: "FenceSc", Text: "atomic_thread_fence(memory_order_seq_cst): the sequentially consistent fence", Like: "full"},
			{Name: "FenceAR", Text: "atomic_thread_fence(memory_order_acq_rel): as an acquire and a release fence"},
			{Name: "FenceAcq", Text: "atomic_thread_fence(memory_order_acquire): atomic reads before it, before all after it"},
			{Name: "FenceRel", Text: "atomic_thread_fence(memory_order_release): all before it, before atomic writes after it"},
		},
		Atomics: []lower.Word{
			{Name: "Exch", Text: "atomic_exchange: the read and the write of an exchange", Code: "exchange", Like: "exchange"},
			{Name: fetchAdd, Text: "atomic_fetch_add: the read and the write of an addition", Code: "fetch_add", Makes: lower.Adds, Like: "addition"},
		},
		Exchange: "Exch",
		Marks: []Mark{
			{Mark: "Rlx", Reads: true, Writes: true, Text: "atomic, with memory_order_relaxed", Like: lower.Relaxed},
			{Mark: "Acq", Reads: true, Text: "memory_order_acquire: what the writer of a release did before it has been done", Like: "acquire"},
			{Mark: "Rel", Writes: true, Text: "memory_order_release: after all that is earlier, for who acquires it", Like: "release"},
			{Mark: "Sc", Reads: true, Writes: true, Text: "memory_order_seq_cst: in one order of all accesses that are"},
			{Mark: "Con", Reads: true, Text: "memory_order_consume: an acquire for what depends on the value"},
		},
		Standard: "Rfe Fre Wse Pod**RlxRlx Pod*WRlxRel PodR*AcqRlx PodRWAcqRel Pod**ScSc FenceScd**RlxRlx FenceReld*WRlxRlx FenceAcqdR*RlxRlx DpAddrd*RlxRlx DpDatadWRlxRlx DpCtrldWRlxRlx",
		Presets: []lower.Preset{
			{Name: "release and acquire", List: "Rfe Fre Wse Pod**RlxRlx Pod*WRlxRel PodR*AcqRlx PodWRRelAcq"},
			{Name: "sequentially consistent", List: "Rfe Fre Wse Pod**RlxRlx Pod**ScSc FenceScd**RlxRlx"},
		},
	}, spelled: map[ir.Tag]string{"RLX": "Rlx", "ACQ": "Acq", "REL": "Rel", "ACQ_REL": "AR", "SC": "Sc", "CON": "Con"},
}

var lkmm = vocabulary{
	arch: kernel, Cycles: &lower.Cycles{
		Anywhere: true,
		Fences: []lower.Word{
			{Name: "FenceMb", Text: "smp_mb(): all before it, before all after it, in the eyes of every thread", Like: "full"},
			{Name: "FenceWmb", Text: "smp_wmb(): writes before it, before writes after it", Like: "writes"},
			{Name: "FenceRmb", Text: "smp_rmb(): reads before it, before reads after it"},
			{Name: "FenceBefore-atomic", Text: "smp_mb__before_atomic(): all before it, before the atomic update after it and all behind that"},
			{Name: "FenceAfter-atomic", Text: "smp_mb__after_atomic(): the atomic update before it and all before that, before all after it"},
			{Name: "FenceAfter-spinlock", Text: "smp_mb__after_spinlock(): behind spin_lock, all before the lock is taken, before all after it"},
			{Name: "FenceAfter-unlock-lock", Text: "smp_mb__after_unlock_lock(): behind a lock, a section that has ended, before all after it"},
			{Name: "FenceSync-rcu", Text: "synchronize_rcu(): a grace period, after which no read-side critical section from before it is left"},
			{Name: section, Text: "both are in one read-side critical section, from rcu_read_lock() to rcu_read_unlock()"},
		},
		Atomics:  []lower.Word{{Name: "Xchg", Text: "xchg: the read and the write of an exchange", Code: "xchg", Like: "exchange"}},
		Exchange: "Xchg",
		Marks: []Mark{
			{Mark: "Once", Reads: true, Writes: true, Text: "READ_ONCE or WRITE_ONCE: done once, and as it stands", Like: lower.Relaxed},
			{Mark: "Acquire", Reads: true, Text: "smp_load_acquire: before all that is later", Like: "acquire"},
			{Mark: "Release", Writes: true, Text: "smp_store_release: after all that is earlier", Like: "release"},
			{Mark: "Deref", Reads: true, Text: "rcu_dereference: READ_ONCE of a pointer that RCU guards"},
			{Mark: "Assign", Writes: true, Text: "rcu_assign_pointer: publishes what it points to, as smp_store_release does"},
			{Mark: mb, Reads: true, Writes: true, Text: "of an xchg: all before it, before all after it"},
		},
		Standard: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce PodRWAcquireRelease FenceMbd**OnceOnce FenceWmbdWWOnceOnce FenceRmbdRROnceOnce " +
			"FenceSync-rcud**OnceOnce Rscsd**OnceOnce DpAddrd*OnceOnce DpDatadWOnceOnce DpCtrldWOnceOnce",
		Presets: []lower.Preset{
			{Name: "with smp_mb, smp_wmb and smp_rmb", List: "Rfe Fre Wse Pod**OnceOnce FenceMbd**OnceOnce FenceWmbdWWOnceOnce FenceRmbdRROnceOnce"},
			{Name: "release and acquire", List: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce"},
			{Name: "RCU", List: "Rfe Fre Wse FenceMbd**OnceOnce FenceSync-rcud**OnceOnce Rscsd**OnceOnce"},
		},
	}, spelled: map[ir.Tag]string{
		"ONCE": "Once", "NORETURN": "Once", "ACQUIRE": "Acquire", "RELEASE": "Release",
		"MB": mb, "Wmb": "Wmb", "Rmb": "Rmb", "Sync-rcu": "Sync-rcu",
		"Before-atomic": "Before-atomic", "After-atomic": "After-atomic", "After-spinlock": "After-spinlock", "After-unlock-lock": "After-unlock-lock",
	},
}

// plain is how a cycle of the dialect says that an end has no mark.
func (v *vocabulary) plain() string {
	if v.arch == ofC {
		return nonAtomic
	}
	return plain
}

// has tells a mark of the dialect.
func (v *vocabulary) has(mark string) bool {
	return slices.ContainsFunc(v.Marks, func(m Mark) bool { return m.Mark == mark })
}

// rmwOrder is one that an atomic operation of C can be given: how it is written, and which
// marks the read and the write have by it.
type rmwOrder struct{ text, read, write string }

// ordersOf are those of an operation, the strongest first; nil where marks of each half are
// all there is.
func ordersOf(rmw string) []rmwOrder {
	switch rmw {
	case "Exch", fetchAdd:
		return []rmwOrder{{"seq_cst", "Sc", "Sc"}, {"acq_rel", "Acq", "Rel"}, {"acquire", "Acq", "Rlx"}, {"release", "Rlx", "Rel"}, {"relaxed", "Rlx", "Rlx"}}
	case "Xchg":
		return []rmwOrder{{"", mb, mb}, {"_acquire", "Acquire", "Once"}, {"_release", "Once", "Release"}, {"_relaxed", "Once", "Once"}}
	}
	return nil
}

// orderOf is the order that gives the halves of an atomic operation their marks; ok is false
// where none does.
func orderOf(e Edge) (o rmwOrder, ok bool) {
	for _, o := range ordersOf(e.Name) {
		if o.read == e.From.Mark && o.write == e.To.Mark {
			return o, true
		}
	}
	return rmwOrder{}, false
}

// Arch is the dialect that has the words of a cycle: of tests of C, the kernel's where they
// are its.
func (c Cycle) Arch(arch string) string {
	if arch == ofC && slices.ContainsFunc(c, func(e Edge) bool { return find(ofC).misfit(ofC, e) != "" }) {
		return kernel
	}
	return arch
}
