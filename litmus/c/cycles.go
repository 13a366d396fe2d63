package c

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// cycles11 contains the words for edges of cycles in C11, and the spelling of their tests.
var cycles11 = &lower.Cycles{
	Anywhere: true, Plain: "Na", Exchange: "Exch",
	Fences: []lower.Word{
		{
			Name: "FenceSc", Tag: tagSC,
			Text: "atomic_thread_fence(memory_order_seq_cst): the sequentially consistent fence",
			Code: "atomic_thread_fence(memory_order_seq_cst);", Like: "full",
		},
		{
			Name: "FenceAR", Tag: tagACQREL,
			Text: "atomic_thread_fence(memory_order_acq_rel): an acquire and a release fence",
			Code: "atomic_thread_fence(memory_order_acq_rel);",
		},
		{
			Name: "FenceAcq", Tag: tagACQ,
			Text: "atomic_thread_fence(memory_order_acquire): orders atomic reads before it before all accesses " +
				"after it",
			Code: "atomic_thread_fence(memory_order_acquire);",
		},
		{
			Name: "FenceRel", Tag: tagREL,
			Text: "atomic_thread_fence(memory_order_release): orders all accesses before it before atomic writes " +
				"after it",
			Code: "atomic_thread_fence(memory_order_release);",
		},
	},
	Atomics: atomics11([]lower.Word{
		{
			Name: "Cmp.Exch", Text: "the read and the write of a compare-and-exchange that succeeds",
			Code: "compare_exchange", Compares: true,
		},
		{Name: "Exch", Text: "the read and the write of an exchange", Code: "exchange", Like: "exchange"},
		{
			Name: "Fetch.Add", Text: "the read and the write of an addition", Code: "fetch_add", Makes: lower.Adds,
			Like: "addition",
		},
		{Name: "Fetch.Sub", Text: "the read and the write of a subtraction", Code: "fetch_sub", Makes: lower.Takes},
		{Name: "Fetch.Or", Text: "the read and the write of an or", Code: "fetch_or", Makes: lower.Sets},
		{Name: "Fetch.Xor", Text: "the read and the write of an exclusive or", Code: "fetch_xor", Makes: lower.Flips},
		{Name: "Fetch.And", Text: "the read and the write of an and", Code: "fetch_and", Makes: lower.Keeps},
	}),
	Marks: []lower.Mark{
		{
			Mark: "Rlx", Tags: ir.Tags{tagRLX}, Reads: true, Writes: true, Text: "atomic, with memory_order_relaxed",
			Like: lower.Relaxed, Load: load11 + "relaxed)", Store: store11 + "relaxed)",
		},
		{
			Mark: "Acq", Tags: ir.Tags{tagACQ, tagACQREL}, Reads: true,
			Text: "memory_order_acquire: if it reads from a release, accesses before the release happen before it",
			Like: "acquire",
			Load: load11 + "acquire)",
		},
		{
			Mark: "Rel", Tags: ir.Tags{tagREL, tagACQREL}, Writes: true,
			Text:  "memory_order_release: accesses before it happen before an acquire that reads from it",
			Like:  "release",
			Store: store11 + "release)",
		},
		{
			Mark: "Sc", Tags: ir.Tags{tagSC}, Reads: true, Writes: true,
			Text:  "memory_order_seq_cst: in one total order of all sequentially consistent accesses",
			Load:  load11 + "seq_cst)",
			Store: store11 + "seq_cst)",
		},
		{
			Mark: "Con", Tags: ir.Tags{tagCON}, Reads: true,
			Text: "memory_order_consume: an acquire for accesses that depend on the value", Load: load11 + "consume)",
		},
	},
	Standard: "Rfe Fre Wse Pod**RlxRlx Pod*WRlxRel PodR*AcqRlx PodRWAcqRel Pod**ScSc FenceScd**RlxRlx " +
		"FenceReld*WRlxRlx FenceAcqdR*RlxRlx DpAddrd*RlxRlx DpDatadWRlxRlx DpCtrldWRlxRlx",
	Finer: "Pos**RlxRlx RfiRlxRlx FriRlxRlx WsiRlxRlx ExchRlxRlx [DpAddrdWRlxRlx,RfiRlxRlx] " +
		"[DpDatadWRlxRlx,RfiRlxRlx]",
	Presets: []lower.Preset{
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**RlxRlx Pod*WRlxRel PodR*AcqRlx PodWRRelAcq"},
		{Name: "sequentially consistent", List: "Rfe Fre Wse Pod**RlxRlx Pod**ScSc FenceScd**RlxRlx"},
	},
	Language: &lower.Language{
		Atomic: "atomic_int *", Plain: "int *", Seen: "Rlx", Full: "FenceSc",
	},
}

const (
	load11  = "atomic_load_explicit(%s, memory_order_"
	store11 = "atomic_store_explicit(%s, %s, memory_order_"
)

// atomics11 completes the words of C11's atomic updates with their texts, calls and orders.
func atomics11(words []lower.Word) []lower.Word {
	for i := range words {
		w := &words[i]
		w.Text, w.Call = "atomic_"+w.Code+": "+w.Text, "atomic_"+w.Code+"_explicit(%[2]s, %[3]d, memory_order_%[1]s)"
		w.Orders = lower.OrdersOf("seq_cst Sc Sc", "acq_rel Acq Rel", "acquire Acq Rlx", "release Rlx Rel",
			"relaxed Rlx Rlx")
		if w.Compares { // if it fails, its read has the order that C derives from the one order of the short form
			w.Call = "atomic_" + w.Code + "_strong_explicit(%[2]s, &%[4]s, %[3]d, memory_order_%[1]s)"
			for o, failed := range []string{"seq_cst", "acquire", "acquire", "relaxed", "relaxed"} {
				w.Orders[o].Text += ", memory_order_" + failed
			}
		}
	}
	return words
}

// atomicsKernel adds to words the atomic_fetch_add family and the atomic_add family, which returns nothing and orders
// nothing.
func atomicsKernel(words []lower.Word) []lower.Word {
	for i := range words {
		words[i].Text, words[i].Orders = words[i].Code+": "+words[i].Text,
			lower.OrdersOf(" Mb Mb", "_acquire Acquire Once", "_release Once Release", "_relaxed Once Once")
	}
	for _, op := range []struct {
		name, text string
		makes      lower.Makes
	}{
		{"add", "addition", lower.Adds},
		{"sub", "subtraction", lower.Takes},
		{"or", "or", lower.Sets},
		{"xor", "exclusive or", lower.Flips},
		{"andnot", "and with the complement", lower.Takes},
		{"and", "and", lower.Keeps},
	} {
		fetch := lower.Word{
			Name: "Atomic.Fetch-" + op.name,
			Text: "atomic_fetch_" + op.name + ": the read and the write of an atomic " + op.text,
			Code: "atomic_fetch_" + op.name,
			Call: "atomic_fetch_" + op.name + "%[1]s(%[3]d, %[2]s)", Orders: words[0].Orders, Makes: op.makes,
		}
		switch op.name {
		case "add":
			fetch.Like, fetch.Also = "addition", "add_return"
		case "sub":
			fetch.Also = "sub_return"
		}
		words = append(words, fetch, lower.Word{
			Name: "Atomic." + strings.ToUpper(op.name[:1]) + op.name[1:],
			Text: "atomic_" + op.name + ": an atomic " + op.text + " that returns nothing and orders nothing",
			Code: "atomic_" + op.name + "(", Call: "atomic_" + op.name + "(%[3]d, %[2]s)",
			Orders: lower.OrdersOf(" Once Once"), Makes: op.makes, Unseen: true,
		})
	}
	return words
}

// srcu is the parameter of threads that use SRCU.
const srcu = "struct srcu_struct *ss"

// cyclesKernel contains the words for the Linux kernel's primitives.
var cyclesKernel = &lower.Cycles{
	Anywhere: true, Exchange: "Xchg",
	Fences: []lower.Word{
		{
			Name: "FenceMb", Tag: tagMB,
			Text: "smp_mb(): orders all accesses before it before all after it, for every thread",
			Code: "smp_mb();", Like: "full",
		},
		{
			Name: "FenceWmb", Tag: tagWmb, Text: "smp_wmb(): orders writes before it before writes after it",
			Code: "smp_wmb();",
			Like: "writes",
		},
		{
			Name: "FenceRmb", Tag: tagRmb, Text: "smp_rmb(): orders reads before it before reads after it",
			Code: "smp_rmb();",
		},
		{
			Name: "FenceBefore-atomic", Tag: tagBeforeAtomic,
			Text: "smp_mb__before_atomic(): orders all before it before the next atomic update and all after that",
			Code: "smp_mb__before_atomic();",
		},
		{
			Name: "FenceAfter-atomic", Tag: tagAfterAtomic,
			Text: "smp_mb__after_atomic(): orders the preceding atomic update and all before that before all after it",
			Code: "smp_mb__after_atomic();",
		},
		{
			Name: "FenceAfter-spinlock", Tag: tagAfterSpinlock,
			Text: "smp_mb__after_spinlock(): after spin_lock, orders all before the lock before all after it",
			Code: "smp_mb__after_spinlock();",
		},
		{
			Name: "FenceAfter-unlock-lock", Tag: tagAfterUnlockLock,
			Text: "smp_mb__after_unlock_lock(): after a lock, orders the previous critical section before all after it",
			Code: "smp_mb__after_unlock_lock();",
		},
		{
			Name: "FenceSync-rcu", Tag: tagSyncRcu,
			Text: "synchronize_rcu(): a grace period, which waits for all read-side critical sections that began " +
				"before it",
			Code: "synchronize_rcu();",
		},
		{
			Name: "FenceSync-srcu", Tag: tagSyncSrcu,
			Text:  "synchronize_srcu(s): a grace period for the critical sections of one srcu_struct",
			Code:  "synchronize_srcu(ss);",
			Param: srcu,
		},
		{
			Name: "FenceAfter-srcu-read-unlock", Tag: tagAfterSrcuReadUnlock,
			Text: "smp_mb__after_srcu_read_unlock(): after srcu_read_unlock, orders all before that before all " +
				"after it",
			Code: "smp_mb__after_srcu_read_unlock();",
		},
		{
			Name: "Rscs", Text: "both are in one read-side critical section, from rcu_read_lock() to rcu_read_unlock()",
			Section: &lower.Section{
				Enter: "rcu_read_lock();", Leave: "rcu_read_unlock();", Entered: tagRcuLock, Left: tagRcuUnlock,
			},
		},
		{
			Name:  "Srscs",
			Text:  "both are in one SRCU critical section, from srcu_read_lock(s) to srcu_read_unlock(s, index)",
			Param: srcu, Section: &lower.Section{
				Enter: "int INDEX = srcu_read_lock(ss);", Leave: "srcu_read_unlock(ss, INDEX);", Entered: tagSrcuLock,
				Left: tagSrcuUnlock,
			},
		},
	},
	Atomics: atomicsKernel([]lower.Word{
		{
			Name: "Cmpxchg", Text: "the read and the write of a compare-and-exchange that succeeds", Code: "cmpxchg",
			Call: "cmpxchg%[1]s(%[2]s, %[4]s, %[3]d)",
		},
		{
			Name: "Xchg", Text: "the read and the write of an exchange", Code: "xchg", Call: "xchg%[1]s(%[2]s, %[3]d)",
			Like: "exchange",
		},
	}),
	Marks: []lower.Mark{
		{
			Mark: "Once", Tags: ir.Tags{tagOnce}, Reads: true, Writes: true,
			Text: "READ_ONCE or WRITE_ONCE: exactly one access, without order", Like: lower.Relaxed,
			Load:  "READ_ONCE(*%s)",
			Store: "WRITE_ONCE(*%s, %s)",
		},
		{
			Mark: "Acquire", Tags: ir.Tags{ir.TagAcquire}, Reads: true,
			Text: "smp_load_acquire: before all later accesses",
			Like: "acquire", Load: "smp_load_acquire(%s)",
		},
		{
			Mark: "Release", Tags: ir.Tags{ir.TagRelease}, Writes: true,
			Text: "smp_store_release: after all earlier accesses", Like: "release", Store: "smp_store_release(%s, %s)",
		},
		{
			Mark: "Deref", Tags: ir.Tags{tagOnce}, Code: "rcu_dereference", Reads: true,
			Text: "rcu_dereference: READ_ONCE of a pointer that RCU protects", Load: "rcu_dereference(*%s)",
		},
		{
			Mark: "Assign", Tags: ir.Tags{ir.TagRelease}, Code: "rcu_assign_pointer", Writes: true,
			Text:  "rcu_assign_pointer: publishes a pointer, with the order of smp_store_release",
			Store: "rcu_assign_pointer(*%s, %s)",
		},
		{
			Mark: "Mb", Tags: ir.Tags{tagMB}, Reads: true, Writes: true,
			Text: "an atomic update that orders all before it before all after it", Atomic: true,
		},
	},
	Standard: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce PodRWAcquireRelease FenceMbd**OnceOnce " +
		"FenceWmbdWWOnceOnce FenceRmbdRROnceOnce " +
		"FenceSync-rcud**OnceOnce Rscsd**OnceOnce DpAddrd*OnceOnce DpDatadWOnceOnce DpCtrldWOnceOnce",
	Finer: "Pos**OnceOnce RfiOnceOnce FriOnceOnce WsiOnceOnce XchgOnceOnce [DpAddrdWOnceOnce,RfiOnceOnce] " +
		"[DpDatadWOnceOnce,RfiOnceOnce]",
	Presets: []lower.Preset{
		{
			Name: "with smp_mb, smp_wmb and smp_rmb",
			List: "Rfe Fre Wse Pod**OnceOnce FenceMbd**OnceOnce FenceWmbdWWOnceOnce FenceRmbdRROnceOnce",
		},
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce"},
		{Name: "RCU", List: "Rfe Fre Wse FenceMbd**OnceOnce FenceSync-rcud**OnceOnce Rscsd**OnceOnce"},
	},
	Language: &lower.Language{
		Atomic: "int *", Plain: "int *", Seen: "Once", Full: "FenceMb",
	},
}
