package hugepages

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The kernel's list of mappings says hg of what huge pages have been asked for.
func TestAsk(t *testing.T) {
	at := here()
	if !ask(at&^(chunk-1), chunk) {
		t.Skip("the kernel has no huge pages to ask for")
	}
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
			if !strings.Contains(flags, " hg") {
				t.Errorf("what is asked for at %#x has the flags%s", at, flags)
			}
			return
		}
	}
	t.Errorf("there is no mapping at %#x", at)
}
