package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// littleHeap is what the heap grows to before garbage is collected, in bytes: most commands are over by then, and collecting
// all the time what little there is would take a fifth of theirs.
const littleHeap = 32 << 20

// collectSeldom has garbage collected when the heap has doubled, as is usual, but not below littleHeap; GOGC in the
// environment has it otherwise.
func collectSeldom() {
	runtime.MemProfileRate = 0 // nobody looks at it
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(littleHeap / leastLive * 100)
	runtime.SetFinalizer(&collected{}, (*collected).again)
}

// leastLive is what the runtime takes for the least that can be live.
const leastLive = 4 << 20

// collected is garbage, which is noticed when it is collected.
type collected struct{ _ *byte }

// again sets when garbage is to be collected next, by what has been found to be live.
func (c *collected) again() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(int(sample[0].Value.Uint64()), leastLive)
	debug.SetGCPercent(max(100, 100*(littleHeap-live)/live))
	runtime.SetFinalizer(c, (*collected).again)
}
