package pool

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// fence holds a child to its memory limit, which counts all that Go's runtime has of the system: heap, stacks, what is
// garbage, and its own. Near the limit the collector runs at any cost; over it the child ends; and what it asks for
// faster than anyone looks, the system refuses.
type fence struct {
	limit int64 // bytes; 0 = none
	lazy  bool  // the collector runs seldom
	ready bool  // limit is in force
	claim int64 // bytes that the child may have before it asks for more; 0 = there is nobody to ask
	peak  int64 // bytes: the most that the present work had, as far as anybody looked
}

// Below smallHeap, a child's collector runs when the heap has grown by lazyGC percent of the live objects, because most
// work is short and leaves little garbage. Above smallHeap, it runs at Go's usual 100 percent.
const (
	lazyGC    = 1600
	smallHeap = 128 << 20
)

// set makes the fence ready for another piece of work. It gives back the garbage of large work before that, which is no
// part of what the next work uses.
func (f *fence) set(limit, claim int64) {
	if f.peak > smallHeap {
		debug.FreeOSMemory()
	}
	f.claim, f.peak = claim, 0
	if !f.lazy {
		f.lazy = true
		debug.SetGCPercent(lazyGC)
	}
	if f.ready && f.limit == limit {
		return
	}
	f.ready, f.limit = true, limit
	if limit == 0 {
		debug.SetMemoryLimit(math.MaxInt64)
		refuseBeyond(0)
		return
	}
	debug.SetMemoryLimit(limit - limit/16)
	refuseBeyond(limit)
}

// over reports whether the process has more memory than the limit, and needs it; if not, when to look again: the less
// room is left, the sooner, because a child may fill some bytes of memory in a nanosecond.
func (f *fence) over() (over bool, again time.Duration) {
	const often, seldom, rate = time.Millisecond, 20 * time.Millisecond, 4
	used := f.look()
	if f.lazy && used > smallHeap {
		f.lazy = false
		debug.SetGCPercent(100)
	}
	if f.limit == 0 {
		return false, seldom
	}
	if used > f.limit {
		debug.FreeOSMemory()
		return residentBytes() > f.limit, seldom / 4 // this is not for every millisecond
	}
	return false, min(max(time.Duration((f.limit-used)/rate), often), seldom)
}

// look returns the memory that the process has now, in bytes, and remembers the most.
func (f *fence) look() int64 {
	used := residentBytes()
	f.peak = max(f.peak, used)
	return used
}

// grown reports, once for each such claim, that the process has more than its claim.
func (f *fence) grown() (used int64, is bool) {
	if used = residentBytes(); f.claim == 0 || used <= f.claim {
		return used, false
	}
	f.claim = claimFor(used)
	return used, true
}

var memory = []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}

// residentBytes returns the memory that the runtime has from the system, less what it has released. The caller holds
// the child's lock.
func residentBytes() int64 {
	metrics.Read(memory)
	return int64(memory[0].Value.Uint64() - memory[1].Value.Uint64())
}
