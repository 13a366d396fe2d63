package c

import (
	"cmp"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// Tags of C11's events: the order of an access or a fence, and what kind of access it is.
const (
	tagAtomic   ir.Tag = "ATOMIC"
	tagNA       ir.Tag = "NA" // a plain access, in either vocabulary
	tagVolatile ir.Tag = "VOLATILE"
	tagRMW      ir.Tag = "RMW" // both halves of a read-modify-write, and the read of a failed one

	tagRLX    ir.Tag = "RLX"
	tagCON    ir.Tag = "CON"
	tagACQ    ir.Tag = "ACQ"
	tagREL    ir.Tag = "REL"
	tagACQREL ir.Tag = "ACQ_REL"
	tagSC     ir.Tag = "SC"

	tagLocked  ir.Tag = "LS" // a mutex is taken
	tagUnlock  ir.Tag = "U"
	tagNotFree ir.Tag = "LF" // a lock was tried, and was not free
)

// Tags of the kernel's events, by the names of its model's sets.
const (
	tagOnce     ir.Tag = "ONCE"
	tagMB       ir.Tag = "MB"
	tagNoreturn ir.Tag = "NORETURN"
	tagLKR      ir.Tag = "LKR"
	tagLKW      ir.Tag = "LKW"
	tagUL       ir.Tag = "UL"
	tagRL       ir.Tag = "RL"
	tagRU       ir.Tag = "RU"

	tagRmb                 ir.Tag = "Rmb"
	tagWmb                 ir.Tag = "Wmb"
	tagBarrier             ir.Tag = "Barrier"
	tagRcuLock             ir.Tag = "Rcu-lock"
	tagRcuUnlock           ir.Tag = "Rcu-unlock"
	tagSyncRcu             ir.Tag = "Sync-rcu"
	tagBeforeAtomic        ir.Tag = "Before-atomic"
	tagAfterAtomic         ir.Tag = "After-atomic"
	tagAfterSpinlock       ir.Tag = "After-spinlock"
	tagAfterUnlockLock     ir.Tag = "After-unlock-lock"
	tagAfterSrcuReadUnlock ir.Tag = "After-srcu-read-unlock"
	tagSrcuLock            ir.Tag = "Srcu-lock"
	tagSrcuUnlock          ir.Tag = "Srcu-unlock"
	tagSyncSrcu            ir.Tag = "Sync-srcu"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	return []ir.Tag{
		tagAtomic, tagNA, tagVolatile, tagRMW, tagRLX, tagCON, tagACQ, tagREL, tagACQREL, tagSC, tagLocked,
		tagUnlock, tagNotFree,
		tagOnce, tagMB, tagNoreturn, tagLKR, tagLKW, tagUL, tagRL, tagRU, tagRmb, tagWmb, tagBarrier, tagRcuLock,
		tagRcuUnlock, tagSyncRcu,
		tagBeforeAtomic, tagAfterAtomic, tagAfterSpinlock, tagAfterUnlockLock, tagAfterSrcuReadUnlock, tagSrcuLock,
		tagSrcuUnlock, tagSyncSrcu,
	}
}

// Unread are the tags of fences and writes alone.
var Unread = []ir.Tag{
	tagUnlock, tagLKW, tagUL, tagRmb, tagWmb, tagBarrier, tagRcuLock, tagRcuUnlock, tagSyncRcu,
	tagBeforeAtomic, tagAfterAtomic, tagAfterSpinlock, tagAfterUnlockLock, tagAfterSrcuReadUnlock,
	tagSrcuUnlock, tagSyncSrcu,
}

// The generic tags beside them are those of what a compiler makes of a test for x86: a
// sequentially consistent store is an exchange, which nothing later overtakes. Other accesses are plain
// moves there, and tell other models what they are. An atomic update is a locked instruction,
// and a full fence on other machines only where its order says so.

// Order is one of C11's memory orders.
type Order int

// The orders.
const (
	Relaxed Order = iota
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

// Orders are the constants that name them.
var Orders = map[string]Order{
	"memory_order_relaxed": Relaxed, "memory_order_consume": Consume, "memory_order_acquire": Acquire,
	"memory_order_release": Release, "memory_order_acq_rel": AcqRel, "memory_order_seq_cst": SeqCst,
}

func (o Order) tag() ir.Tag {
	return [...]ir.Tag{tagRLX, tagCON, tagACQ, tagREL, tagACQREL, tagSC}[o]
}

// Source is the tag by which C11's happens-before knows an access or a fence of the order.
func (o Order) Source() ir.Tag { return o.tag() }

// Acquires tells whether later accesses come after a read or fence of the order.
func (o Order) Acquires() bool { return o != Relaxed && o != Release }

// Releases tells whether earlier accesses come before a write or fence of the order.
func (o Order) Releases() bool { return o == Release || o == AcqRel || o == SeqCst }

func (o Order) String() string {
	for name, p := range Orders {
		if o == p {
			return name
		}
	}
	return fmt.Sprint(int(o))
}

// OfLoads and OfStores tell whether loads and stores may have an order.
func (o Order) OfLoads() bool { return o != Release && o != AcqRel }

// OfStores tells it of stores.
func (o Order) OfStores() bool { return o == Relaxed || o == Release || o == SeqCst }

// OfFailure is an order as that of a compare-exchange that fails, and so only reads. C has none that
// releases there (C17, 7.17.7.4); where one is written, it is taken without that, and [NoFailure] says so.
func (o Order) OfFailure() Order {
	switch o {
	case Release:
		return Relaxed
	case AcqRel:
		return Acquire
	}
	return o
}

// NoFailure is the remark on such an order, and on what it is taken as.
const NoFailure = "%s is no order of a failure in C: it is taken without its release, as %s"

// Misfit says that something may not have the order.
func (o Order) Misfit(what string) string { return fmt.Sprintf("%s is no order of %s", o, what) }

// Join is the weakest order that is as strong as both.
func (o Order) Join(p Order) Order {
	switch {
	case o == p || p == Relaxed:
		return o
	case o == Relaxed:
		return p
	case !o.Releases() && !p.Releases():
		return Acquire
	}
	return max(o, p, AcqRel)
}

// Read are the tags of a read of an order.
func (o Order) Read(extra ...ir.Tag) ir.Tags { return o.half(o.Acquires(), ir.TagAcquire, extra) }

// Write are the tags of a write of an order.
func (o Order) Write(extra ...ir.Tag) ir.Tags {
	tags := o.half(o.Releases(), ir.TagRelease, extra)
	if o == SeqCst && !tags.Has(tagRMW) {
		tags = append(tags, ir.TagAcquire) // later accesses wait for it, as for an exchange
	}
	return tags
}

// half are the tags of a read, or of a write, which keeps others in order or does not.
func (o Order) half(keeps bool, by ir.Tag, extra []ir.Tag) ir.Tags {
	tags := append(ir.Tags{o.tag(), tagAtomic}, extra...)
	if keeps {
		tags = append(tags, by)
	}
	if o == SeqCst {
		tags = append(tags, ir.TagRCsc)
		if tags.Has(tagRMW) {
			tags = append(tags, ir.TagFull)
		}
	}
	return tags
}

// Fence are the tags of a fence of an order.
func (o Order) Fence() ir.Tags {
	tags := ir.Tags{o.tag()}
	switch o {
	case SeqCst:
		return append(tags, ir.FullFence...)
	case Consume, Acquire:
		return append(tags, ir.TagRR, ir.TagRW)
	case Release:
		return append(tags, ir.TagRW, ir.TagWW)
	case AcqRel:
		return append(tags, ir.TagRR, ir.TagRW, ir.TagWW)
	}
	return tags
}

// Update are the extra tags of both halves of a read-modify-write.
func Update() []ir.Tag { return []ir.Tag{tagRMW, ir.TagLocked} }

// plain are the tags of a plain access through a type.
func plain(t Type) ir.Tags {
	if t.volatile {
		return ir.Tags{tagNA, tagVolatile}
	}
	return ir.Tags{tagNA}
}

// Strength is how a kernel primitive is ordered, by the end of its name.
type Strength int

// The strengths.
const (
	Full      Strength = iota // xchg
	Unordered                 // xchg_relaxed
	Acquiring                 // xchg_acquire
	Releasing                 // xchg_release
	NoReturn                  // atomic_add
)

// Strengths are the ends of names by which an atomic says how it is ordered.
var Strengths = map[string]Strength{"": Full, "_relaxed": Unordered, "_acquire": Acquiring, "_release": Releasing}

// Read are the tags of the read of a kernel read-modify-write, or of a marked read.
func (s Strength) Read(extra ...ir.Tag) ir.Tags {
	return s.half(map[Strength]ir.Tag{Acquiring: ir.TagAcquire, NoReturn: tagNoreturn}, extra)
}

// Write are the tags of the write.
func (s Strength) Write(extra ...ir.Tag) ir.Tags {
	return s.half(map[Strength]ir.Tag{Releasing: ir.TagRelease}, extra)
}

func (s Strength) half(first map[Strength]ir.Tag, extra []ir.Tag) ir.Tags {
	if s == Full {
		return append(append(ir.Tags{tagMB}, extra...), ir.TagFull)
	}
	return append(ir.Tags{cmp.Or(first[s], tagOnce)}, extra...)
}

func fully(name ir.Tag) ir.Tags { return slices.Concat(ir.Tags{name}, ir.FullFence) }

// The tags of the events of the kernel's locks, and of RCU's sections.
var (
	SpinRead     = ir.Tags{tagLKR, ir.TagAcquire, ir.TagLocked} // rf and co tell who had it before
	SpinWrite    = ir.Tags{tagLKW, ir.TagLocked}
	SpinUnlock   = ir.Tags{tagUL, ir.TagRelease}
	SpinBusy     = ir.Tags{tagNotFree}
	SpinHeld     = ir.Tags{tagRL} // spin_is_locked finds it held, or not
	SpinNotHeld  = ir.Tags{tagRU}
	RCULock      = ir.Tags{tagRcuLock}
	RCUUnlock    = ir.Tags{tagRcuUnlock}
	MutexLocked  = ir.Tags{tagLocked} // beside the order's, in C11's models
	MutexUnlock  = ir.Tags{tagUnlock}
	MutexNotFree = ir.Tags{tagNotFree}
)
