package hugepages

import (
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// The kernel's list of mappings has the flag hg for memory with a request for huge pages.
func TestAsk(t *testing.T) {
	at := here()
	if !ask(at&^(chunk-1), chunk) {
		t.Skip("the kernel has no huge pages to ask for")
	}
	if !huge(t, at) {
		t.Errorf("what is asked for at %#x is not to be backed by huge pages", at)
	}
}

// However far a heap grows in small steps, it continues in huge pages.
func TestFollow(t *testing.T) {
	if at := here(); !ask(at&^(chunk-1), chunk) {
		t.Skip("the kernel has no huge pages to ask for")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var kept [][]byte
	for range 5 * chunk / (100 << 10) {
		Follow()
		kept = append(kept, make([]byte, 100<<10))
	}
	if followed == 0 {
		t.Fatalf("after %d MiB no chunk has been left", len(kept)*100>>10)
	}
	if at := followed + chunk; !huge(t, at) {
		t.Errorf("what follows the chunk at %#x is not to be backed by huge pages", followed)
	}
}

// huge reports whether the memory at an address has a request for huge pages.
func huge(t *testing.T, at uintptr) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	head := regexp.MustCompile(`^([0-9a-f]+)-([0-9a-f]+) `)
	inside := false
	for line := range strings.Lines(string(maps)) {
		if m := head.FindStringSubmatch(line); m != nil {
			from, _ := strconv.ParseUint(m[1], 16, 64)
			to, _ := strconv.ParseUint(m[2], 16, 64)
			inside = from <= uint64(at) && uint64(at) < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return strings.Contains(flags, " hg")
		}
	}
	t.Errorf("there is no mapping at %#x", at)
	return false
}
