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
	tagRMW      ir.Tag = "RMW" // the read and write of a read-modify-write, and the read of a failed one

	tagRLX    ir.Tag = "RLX"
	tagCON    ir.Tag = "CON"
	tagACQ    ir.Tag = "ACQ"
	tagREL    ir.Tag = "REL"
	tagACQREL ir.Tag = "ACQ_REL"
	tagSC     ir.Tag = "SC"

	tagLocked  ir.Tag = "LS" // a mutex is locked
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

// Unread lists the tags of events that read nothing: fences and writes.
var Unread = []ir.Tag{
	tagUnlock, tagLKW, tagUL, tagRmb, tagWmb, tagBarrier, tagRcuLock, tagRcuUnlock, tagSyncRcu,
	tagBeforeAtomic, tagAfterAtomic, tagAfterSpinlock, tagAfterUnlockLock, tagAfterSrcuReadUnlock,
	tagSrcuUnlock, tagSyncSrcu,
}

// The generic tags of an access are those of the instruction that compilers make of it for x86. A sequentially
// consistent store is an exchange, which later accesses cannot overtake. Other loads and stores are plain moves; their
// tags describe them to other models. An atomic update is a locked instruction; on other architectures it is a full
// fence only if its order says so.

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

// Orders maps the constants of <stdatomic.h> to the orders.
var Orders = map[string]Order{
	"memory_order_relaxed": Relaxed, "memory_order_consume": Consume, "memory_order_acquire": Acquire,
	"memory_order_release": Release, "memory_order_acq_rel": AcqRel, "memory_order_seq_cst": SeqCst,
}

func (o Order) tag() ir.Tag {
	return [...]ir.Tag{tagRLX, tagCON, tagACQ, tagREL, tagACQREL, tagSC}[o]
}

// Source returns the tag by which C11's happens-before identifies accesses and fences of the order.
func (o Order) Source() ir.Tag { return o.tag() }

// Acquires reports whether later accesses are ordered after a read or fence of the order.
func (o Order) Acquires() bool { return o != Relaxed && o != Release }

// Releases reports whether earlier accesses are ordered before a write or fence of the order.
func (o Order) Releases() bool { return o == Release || o == AcqRel || o == SeqCst }

// String returns the constant of <stdatomic.h> that names the order.
func (o Order) String() string {
	for name, p := range Orders {
		if o == p {
			return name
		}
	}
	return fmt.Sprint(int(o))
}

// OfLoads reports whether a load can have the order (C17, 7.17.7.2).
func (o Order) OfLoads() bool { return o != Release && o != AcqRel }

// OfStores reports whether a store can have the order (C17, 7.17.7.1).
func (o Order) OfStores() bool { return o == Relaxed || o == Release || o == SeqCst }

// OfFailure returns the order of the read of a failed compare-exchange whose order for failure is o. C forbids release
// there (C17, 7.17.7.4); OfFailure then drops it, and [NoFailure] is the remark.
func (o Order) OfFailure() Order {
	switch o {
	case Release:
		return Relaxed
	case AcqRel:
		return Acquire
	}
	return o
}

// NoFailure is the remark on an order that C forbids for failure, and on the order that is used instead.
const NoFailure = "a failed compare-exchange cannot have %s (C17, 7.17.7.4): it reads with %s"

// Join returns the weakest order that is as strong as both.
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

// Read returns the tags of a read of the order.
func (o Order) Read(extra ...ir.Tag) ir.Tags { return o.half(o.Acquires(), ir.TagAcquire, extra) }

// Write returns the tags of a write of the order.
func (o Order) Write(extra ...ir.Tag) ir.Tags {
	tags := o.half(o.Releases(), ir.TagRelease, extra)
	if o == SeqCst && !tags.Has(tagRMW) {
		tags = append(tags, ir.TagAcquire) // later accesses wait for it, as for an exchange
	}
	return tags
}

// half returns the tags of a read or of a write. keeps says that the access is an acquire or a release, with the
// generic tag by.
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

// Fence returns the tags of a fence of the order.
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

// Update returns the extra tags of the read and the write of a read-modify-write.
func Update() []ir.Tag { return []ir.Tag{tagRMW, ir.TagLocked} }

// plain returns the tags of a plain access through a type.
func plain(t Type) ir.Tags {
	if t.volatile {
		return ir.Tags{tagNA, tagVolatile}
	}
	return ir.Tags{tagNA}
}

// Strength is the order of a kernel atomic, which the suffix of its name gives.
type Strength int

// The strengths.
const (
	Full      Strength = iota // xchg
	Unordered                 // xchg_relaxed
	Acquiring                 // xchg_acquire
	Releasing                 // xchg_release
	NoReturn                  // atomic_add
)

// Strengths maps the suffixes of names to strengths.
var Strengths = map[string]Strength{"": Full, "_relaxed": Unordered, "_acquire": Acquiring, "_release": Releasing}

// Read returns the tags of the read of a kernel read-modify-write, or of a marked read.
func (s Strength) Read(extra ...ir.Tag) ir.Tags {
	return s.half(map[Strength]ir.Tag{Acquiring: ir.TagAcquire, NoReturn: tagNoreturn}, extra)
}

// Write returns the tags of the write of a kernel read-modify-write, or of a marked write.
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

// The tags of the events of the kernel's locks and of RCU's critical sections.
var (
	SpinRead     = ir.Tags{tagLKR, ir.TagAcquire, ir.TagLocked} // rf and co show which thread held it before
	SpinWrite    = ir.Tags{tagLKW, ir.TagLocked}
	SpinUnlock   = ir.Tags{tagUL, ir.TagRelease}
	SpinBusy     = ir.Tags{tagNotFree}
	SpinHeld     = ir.Tags{tagRL} // spin_is_locked finds it held; SpinNotHeld: finds it free
	SpinNotHeld  = ir.Tags{tagRU}
	RCULock      = ir.Tags{tagRcuLock}
	RCUUnlock    = ir.Tags{tagRcuUnlock}
	MutexLocked  = ir.Tags{tagLocked} // in addition to the order's tags, in C11's models
	MutexUnlock  = ir.Tags{tagUnlock}
	MutexNotFree = ir.Tags{tagNotFree}
)
