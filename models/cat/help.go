package cat

import (
	"fmt"
	"strings"
)

// helps describe in a sentence each set and relation that executions provide. Those of sets say what the events are,
// those of relations how the first event is related to the second.
var helps = map[string]string{
	"_":  "All events.",
	"R":  "Reads: the accesses of loads, and the read halves of atomic updates.",
	"W":  "Writes: the accesses of stores, the write halves of atomic updates, and the initial writes.",
	"M":  "Accesses of memory: reads and writes.",
	"F":  "Fences.",
	"IW": "Initial writes, which give each location the value that it has at the start.",
	"FW": "Final writes: the last one to each location that the test asks about.",

	"po":   "Program order: the first comes before the second in its thread.",
	"rf":   "Reads-from: the second reads the value that the first writes.",
	"co":   "Coherence order: the second overwrites the first, directly or through other writes.",
	"fr":   "From-reads: the second overwrites the write that the first reads, directly or through other writes.",
	"rmw":  "Atomic update: the read and the write of one read-modify-write.",
	"addr": "Address dependency: the address that the second accesses depends on what the first reads.",
	"data": "Data dependency: the value that the second writes depends on what the first reads.",
	"ctrl": "Control dependency: a branch before the second depends on what the first reads.",
	"loc":  "Same location: both access it.",
	"int":  "Internal: both are of one thread.",
	"ext":  "External: the two are of different threads, or one is an initial write.",
	"id":   "Identity: an event and itself.",
	"sm":   "Same memory access: both are pieces of an access that another access overlaps in part, or the same event.",

	"scta":       "Same CTA: both are of threads in one block of PTX.",
	"sgpu":       "Same GPU: both are of threads on one GPU of PTX.",
	"ssg":        "Same subgroup: both are of threads in one subgroup of Vulkan.",
	"swg":        "Same work group: both are of threads in one work group of Vulkan or OpenCL.",
	"sqf":        "Same queue family: both are of threads in one queue family of Vulkan.",
	"sdv":        "Same device: both are of threads on one device of OpenCL.",
	"vloc":       "Same name: both access a location by the same one of its names.",
	"ssw":        "Synchronizes outside: the test says that the first's thread does so with the second's.",
	"syncbar":    "Control barriers that meet: the second waits for the first.",
	"LIVE":       "Writes of entries of page tables that a TLB may keep.",
	"remaps":     "Two such writes of one entry that map it to different memory.",
	"sr":         "Same scope: the scope of each contains the thread of the other.",
	"sync_fence": "Order of morally strong fence.sc, which an execution chooses.",

	// Generic tags.
	"FRR":     "Fences that order earlier reads before later reads.",
	"FRW":     "Fences that order earlier reads before later writes.",
	"FWR":     "Fences that order earlier writes before later reads.",
	"FWW":     "Fences that order earlier writes before later writes.",
	"FCTRL":   "Fences that order the reads that an earlier branch depends on before all later accesses.",
	"ACQUIRE": "Accesses that come before all later ones.",
	"RELEASE": "Accesses that come after all earlier ones.",
	"RCSC":    "Acquires and releases that are sequentially consistent among themselves.",
	"FULL":    "Accesses of instructions that are full fences on both sides.",
	"LOCKED":  "Accesses of atomic instructions, and writes of store-conditionals.",
	"PICK":    "Choices: not accesses, but the decisions of conditional moves and the like.",

	// Tags of dialects.
	"A": "Acquires of AArch64, such as LDAR.", "Q": "Weaker acquires of AArch64, such as LDAPR.",
	"L": "Releases of AArch64, such as STLR.", "X": "Exclusive accesses, such as those of LDXR and STXR.",
	"AMO": "Accesses of single atomic instructions.", "CAS": "Accesses of compare-and-swap instructions.",
	"NoRet": "Reads whose value goes to no register, such as STADD's.",
	"Acq":   "Accesses annotated as acquires (.aq).", "Rel": "Accesses annotated as releases (.rl).",
	"AcqRel": "Accesses annotated as acquires and releases (.aqrl).",
	"LR":     "Loads of lr.", "StCond": "Stores of sc, the store-conditional.",

	// Tags of C.
	"ATOMIC": "Accesses by C11's atomic operations.", "NA": "Plain accesses of C, which are not atomic.",
	"VOLATILE": "Accesses through volatile.",
	"RMW":      "Accesses of atomic updates, and the reads of those that fail.",
	"RLX":      "Accesses and fences of memory_order_relaxed.", "CON": "Accesses and fences of memory_order_consume.",
	"ACQ": "Accesses and fences of memory_order_acquire.", "REL": "Accesses and fences of memory_order_release.",
	"ACQ_REL": "Accesses and fences of memory_order_acq_rel.", "SC": "Accesses and fences of memory_order_seq_cst.",
	"LS": "Accesses that take a mutex.", "U": "Writes that unlock a mutex.",
	"LF":       "Reads of failed trylocks, which find the lock taken.",
	"ONCE":     "Accesses by READ_ONCE, WRITE_ONCE and the like.",
	"MB":       "Full barriers of the kernel: smp_mb, and updates such as xchg.",
	"NORETURN": "Updates of the kernel that return nothing, such as atomic_inc.",
	"LKR":      "Reads that take a spinlock.", "LKW": "Writes that take a spinlock.",
	"UL": "Writes that unlock a spinlock.",
	"RL": "Reads of spin_is_locked that find a lock taken.", "RU": "Reads of spin_is_locked that find a lock free.",
	"Rcu-lock":    "Beginnings of RCU's critical sections: rcu_read_lock.",
	"Rcu-unlock":  "Ends of RCU's critical sections: rcu_read_unlock.",
	"Sync-rcu":    "Grace periods of RCU: synchronize_rcu.",
	"Srcu-lock":   "Beginnings of SRCU's critical sections: srcu_read_lock.",
	"Srcu-unlock": "Ends of SRCU's critical sections: srcu_read_unlock.",
	"Sync-srcu":   "Grace periods of SRCU: synchronize_srcu.",
	"Barrier":     "Compiler barriers: barrier().", "Rmb": "Barriers for reads: smp_rmb.",
	"Wmb":           "Barriers for writes: smp_wmb.",
	"Before-atomic": "smp_mb__before_atomic.", "After-atomic": "smp_mb__after_atomic.",
	"After-spinlock":    "smp_mb__after_spinlock.",
	"After-unlock-lock": "smp_mb__after_unlock_lock.", "After-srcu-read-unlock": "smp_mb__after_srcu_read_unlock.",
}

// Help describes in a sentence a set or relation that executions provide, a tag of an instruction, or the relation of a
// fence, named by the tag in lower case. It returns "" for other names.
func Help(name string, tags []string) string {
	if h := helps[name]; h != "" {
		return h
	}
	for _, t := range tags {
		if _, known := helps[t]; known {
			continue
		}
		switch fence := strings.ReplaceAll(strings.ToUpper(t), ".", " "); name {
		case t:
			return fmt.Sprintf("Fences: %s.", fence)
		case strings.ToLower(t):
			return fmt.Sprintf("Fence: %s stands between the two in program order.", article(fence))
		}
	}
	return ""
}

// article puts a or an before a barrier's name, according to its pronunciation.
func article(name string) string {
	if strings.ContainsRune("AEFHILMNORSX", rune(name[0])) && !strings.HasPrefix(name, "FENCE") &&
		!strings.HasPrefix(name, "SYNC") && !strings.HasPrefix(name, "LW") {
		return "an " + name
	}
	return "a " + name
}
