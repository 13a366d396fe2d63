package garbage

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// What is reserved is free again at once, and garbage is collected when it was before.
func TestExpectMore(t *testing.T) {
	const usual = 150
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	ExpectMore()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	if now.HeapAlloc > littleHeap {
		t.Errorf("%d bytes are taken", now.HeapAlloc)
	}
	if percent := debug.SetGCPercent(usual); percent != usual {
		t.Errorf("garbage is collected at %d %%, not %d", percent, usual)
	}
}
