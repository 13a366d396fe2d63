// Package garbage makes the Go runtime collect garbage rarely while the heap is small, because most commands end before
// there is much garbage. It sets this at its initialisation; [CollectSeldom], which main calls, keeps it for the whole
// run. If GOGC has a value, the package changes nothing.
//
// It imports nothing of litmuscope and little else, so that Go initialises it before the packages whose tables would
// otherwise trigger a collection.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// littleHeap is the size to which the heap grows before a collection, in bytes: collecting all the time what little
// there is would take a fifth of what a command takes.
const littleHeap = 32 << 20

// leastLive is what the runtime takes for the least that can be live.
const leastLive = 4 << 20

// asUsual reports whether GOGC in the environment controls collections.
var asUsual = os.Getenv("GOGC") != ""

var _ = untilMain()

func untilMain() struct{} {
	runtime.MemProfileRate = 0 // nobody looks at it
	if !asUsual {
		debug.SetGCPercent(littleHeap / leastLive * 100)
	}
	return struct{}{}
}

// CollectSeldom has garbage collected when the heap has doubled, as is usual, but not below littleHeap.
func CollectSeldom() {
	if !asUsual {
		runtime.SetFinalizer(&collected{}, (*collected).again)
	}
}

// collected is garbage whose finalizer notices a collection.
type collected struct{ _ *byte }

// again sets the time of the next collection, according to the size of the live heap.
func (c *collected) again() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(int(sample[0].Value.Uint64()), leastLive)
	debug.SetGCPercent(max(100, 100*(littleHeap-live)/live))
	runtime.SetFinalizer(c, (*collected).again)
}
