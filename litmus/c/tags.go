package c

import "litmuscope/litmus/ir"

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
		tagAtomic, tagNA, tagVolatile, tagRMW, tagRLX, tagCON, tagACQ, tagREL, tagACQREL, tagSC, tagLocked, tagUnlock, tagNotFree,
		tagOnce, tagMB, tagNoreturn, tagLKR, tagLKW, tagUL, tagRL, tagRU, tagRmb, tagWmb, tagBarrier, tagRcuLock, tagRcuUnlock, tagSyncRcu,
		tagBeforeAtomic, tagAfterAtomic, tagAfterSpinlock, tagAfterUnlockLock, tagAfterSrcuReadUnlock, tagSrcuLock, tagSrcuUnlock, tagSyncSrcu,
	}
}

// Unread are the tags of fences and writes alone.
var Unread = []ir.Tag{
	tagUnlock, tagLKW, tagUL, tagRmb, tagWmb, tagBarrier, tagRcuLock, tagRcuUnlock, tagSyncRcu,
	tagBeforeAtomic, tagAfterAtomic, tagAfterSpinlock, tagAfterUnlockLock, tagAfterSrcuReadUnlock, tagSrcuUnlock, tagSyncSrcu,
}

// The generic tags beside them are those of what a compiler makes of a test for x86: a
// sequentially consistent store is an exchange, which nothing later overtakes. Other accesses are plain
// moves there, and tell other models what they are. An atomic update is a locked instruction,
// and a full fence on other machines only where its order says so.

// order is one of C11's memory orders.
type order int

const (
	relaxed order = iota
	consume
	acquire
	release
	acqRel
	seqCst
)

// orders are the constants that name them.
var orders = map[string]order{
	"memory_order_relaxed": relaxed, "memory_order_consume": consume, "memory_order_acquire": acquire,
	"memory_order_release": release, "memory_order_acq_rel": acqRel, "memory_order_seq_cst": seqCst,
}

func (o order) tag() ir.Tag {
	return [...]ir.Tag{tagRLX, tagCON, tagACQ, tagREL, tagACQREL, tagSC}[o]
}

func (o order) acquires() bool { return o != relaxed && o != release }
func (o order) releases() bool { return o == release || o == acqRel || o == seqCst }

// read are the tags of a read of an order.
func (o order) read(extra ...ir.Tag) ir.Tags {
	tags := append(ir.Tags{o.tag(), tagAtomic}, extra...)
	if o.acquires() {
		tags = append(tags, ir.TagAcquire)
	}
	if o == seqCst {
		tags = append(tags, ir.TagRCsc)
		if tags.Has(tagRMW) {
			tags = append(tags, ir.TagFull)
		}
	}
	return tags
}

// write are the tags of a write of an order.
func (o order) write(extra ...ir.Tag) ir.Tags {
	tags := append(ir.Tags{o.tag(), tagAtomic}, extra...)
	if o.releases() {
		tags = append(tags, ir.TagRelease)
	}
	if o == seqCst {
		tags = append(tags, ir.TagRCsc)
		if tags.Has(tagRMW) {
			tags = append(tags, ir.TagFull)
		} else {
			tags = append(tags, ir.TagAcquire) // later accesses wait for it, as for an exchange
		}
	}
	return tags
}

// fence are the tags of a fence of an order.
func (o order) fence() ir.Tags {
	tags := ir.Tags{o.tag()}
	switch o {
	case seqCst:
		return append(tags, ir.FullFence...)
	case consume, acquire:
		return append(tags, ir.TagRR, ir.TagRW)
	case release:
		return append(tags, ir.TagRW, ir.TagWW)
	case acqRel:
		return append(tags, ir.TagRR, ir.TagRW, ir.TagWW)
	}
	return tags
}

// rmw are the extra tags of both halves of a read-modify-write.
func rmw() []ir.Tag { return []ir.Tag{tagRMW, ir.TagLocked} }

// plain are the tags of a plain access through a type.
func plain(t Type) ir.Tags {
	if t.volatile {
		return ir.Tags{tagNA, tagVolatile}
	}
	return ir.Tags{tagNA}
}

// strength is how a kernel primitive is ordered, by the end of its name.
type strength int

const (
	full      strength = iota // xchg
	unordered                 // xchg_relaxed
	acquiring                 // xchg_acquire
	releasing                 // xchg_release
	noReturn                  // atomic_add
)

// kernelRead and kernelWrite are the tags of the halves of a kernel read-modify-write, or of
// a marked read or write.
func (s strength) kernelRead(extra ...ir.Tag) ir.Tags {
	first := tagOnce
	switch s {
	case full:
		return append(append(ir.Tags{tagMB}, extra...), ir.TagFull)
	case acquiring:
		first = ir.TagAcquire
	case noReturn:
		first = tagNoreturn
	}
	return append(ir.Tags{first}, extra...)
}

func (s strength) kernelWrite(extra ...ir.Tag) ir.Tags {
	first := tagOnce
	switch s {
	case full:
		return append(append(ir.Tags{tagMB}, extra...), ir.TagFull)
	case releasing:
		first = ir.TagRelease
	}
	return append(ir.Tags{first}, extra...)
}
