package museum

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"litmuscope/litmus/catalogue"
)

// The page reports the fixes that are correct for a machine or for the kernel, but wrong in C.
// static/docs/results/museum.md lists the same ones.
func TestPartly(t *testing.T) {
	got := map[string]string{}
	for _, e := range catalogue.Museum() {
		if p := partialFixes(&e); len(p) > 0 {
			got[e.Name] = fmt.Sprint(p)
		}
	}
	want := map[string]string{
		"dpdk-mcslock": "[Fixed in 2020, the program is correct for LKMM but wrong in C: it still fails under " +
			"RC11, " +
			"C11 and IMM.]",
		"parlay-deque": "[Fixed, the program is correct for AArch64 and RISC-V but wrong in C: it still fails " +
			"under " +
			"RC11, C11 and IMM.]",
		"ck-ring": "[Fixed, the program is correct for AArch64, ARM, RISC-V, Power and LKMM but wrong in C: it " +
			"still fails under C11.]",
		"linux-qspinlock": "[Fixed, the program is correct for AArch64 and LKMM but wrong in C: it still fails " +
			"under " +
			"RC11, C11 and IMM.]",
	}
	if !maps.Equal(got, want) {
		for _, name := range slices.Sorted(maps.Keys(got)) {
			t.Errorf("%s: got %q, want %q", name, got[name], want[name])
		}
	}
}
