package cycle

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
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
	archs: []string{ofC},
	fences: []named{
		{"FenceSc", "atomic_thread_fence(memory_order_seq_cst): the sequentially consistent fence"},
		{"FenceAR", "atomic_thread_fence(memory_order_acq_rel): as an acquire and a release fence"},
		{"FenceAcq", "atomic_thread_fence(memory_order_acquire): atomic reads before it, before all after it"},
		{"FenceRel", "atomic_thread_fence(memory_order_release): all before it, before atomic writes after it"},
	},
	rmws: []named{
		{"Exch", "atomic_exchange: the read and the write of an exchange"},
		{fetchAdd, "atomic_fetch_add: the read and the write of an addition"},
	},
	exchange: "Exch",
	marks: []Mark{
		{"Rlx", true, true, "atomic, with memory_order_relaxed"},
		{"Acq", true, false, "memory_order_acquire: what the writer of a release did before it has been done"},
		{"Rel", false, true, "memory_order_release: after all that is earlier, for who acquires it"},
		{"Sc", true, true, "memory_order_seq_cst: in one order of all accesses that are"},
		{"Con", true, false, "memory_order_consume: an acquire for what depends on the value"},
	},
	spelled: map[ir.Tag]string{"RLX": "Rlx", "ACQ": "Acq", "REL": "Rel", "ACQ_REL": "AR", "SC": "Sc", "CON": "Con"},
}

var lkmm = vocabulary{
	archs: []string{kernel},
	fences: []named{
		{"FenceMb", "smp_mb(): all before it, before all after it, in the eyes of every thread"},
		{"FenceWmb", "smp_wmb(): writes before it, before writes after it"},
		{"FenceRmb", "smp_rmb(): reads before it, before reads after it"},
		{"FenceSync-rcu", "synchronize_rcu(): a grace period, after which no read-side critical section from before it is left"},
		{section, "both are in one read-side critical section, from rcu_read_lock() to rcu_read_unlock()"},
	},
	rmws:     []named{{"Xchg", "xchg: the read and the write of an exchange"}},
	exchange: "Xchg",
	marks: []Mark{
		{"Once", true, true, "READ_ONCE or WRITE_ONCE: done once, and as it stands"},
		{"Acquire", true, false, "smp_load_acquire: before all that is later"},
		{"Release", false, true, "smp_store_release: after all that is earlier"},
		{"Deref", true, false, "rcu_dereference: READ_ONCE of a pointer that RCU guards"},
		{"Assign", false, true, "rcu_assign_pointer: publishes what it points to, as smp_store_release does"},
		{mb, true, true, "of an xchg: all before it, before all after it"},
	},
	spelled: map[ir.Tag]string{
		"ONCE": "Once", "NORETURN": "Once", "ACQUIRE": "Acquire", "RELEASE": "Release",
		"MB": mb, "Wmb": "Wmb", "Rmb": "Rmb", "Sync-rcu": "Sync-rcu",
	},
}

// plain is how a cycle of the dialect says that an end has no mark.
func (v *vocabulary) plain() string {
	if v.archs[0] == ofC {
		return nonAtomic
	}
	return plain
}

// has tells a mark of the dialect.
func (v *vocabulary) has(mark string) bool {
	return slices.ContainsFunc(v.marks, func(m Mark) bool { return m.Mark == mark })
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
