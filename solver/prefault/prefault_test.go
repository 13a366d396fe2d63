package prefault

import (
	"runtime"
	"testing"
)

// What the heap grows by is backed, a chunk after the other, and nothing beyond.
func TestAhead(t *testing.T) {
	if !populate(backed.Load()-pageSize, pageSize) {
		t.Skip("the kernel backs no memory ahead")
	}
	from := backed.Load()
	grown := make([]byte, 4*chunk)
	for range 8 {
		Ahead()
	}
	if end := backed.Load(); end < from+3*chunk || end > from+6*chunk || end%chunk != 0 {
		t.Errorf("of a heap that has grown by %d bytes at %#x, what lies before %#x has been backed", len(grown), from, end)
	}
	runtime.KeepAlive(grown)
}
