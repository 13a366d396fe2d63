package classic_test

import (
	"strings"
	"testing"

	"litmuscope/web/parts/classic"
)

// What a search for tests finds first, and the parts that it finds, in order.
func TestSearch(t *testing.T) {
	for _, c := range []struct{ query, here, only, first, parts string }{
		{"c mp", "X86", "", "C/MP+porlxrlxs", "C PPC AArch64 ARM RISCV"},
		{"arm", "X86", "", "AArch64/SB", "AArch64 ARM"},
		{"arm", "ARM", "", "AArch64/SB", "AArch64 ARM"},
		{"arm mp", "X86", "", "AArch64/MP", "AArch64 ARM"},
		{"arm32", "X86", "", "ARM/SB", "ARM"},
		{"arm64 iriw", "X86", "", "AArch64/IRIW", "AArch64"},
		{"lkmm", "X86", "", "C/MP+poonceonces", "C"},
		{"linux kernel", "X86", "", "C/MP+poonceonces", "C"},
		{"memory_order_relaxed", "X86", "", "C/MP+porlxrlxs", "C"},
		{"double checked locking", "X86", "", "MP", "X86 X86_64 PPC AArch64"},
		{"double-checked", "AArch64", "", "AArch64/MP", "AArch64 X86"},
		{"power iriw", "X86", "", "PPC/IRIW", "PPC"},
		{"risc-v fence.i", "X86", "", "RISCV/MP+fence.w.w+ctrlfencei", "RISCV"},
		{"wrc", "X86", "", "WRC", "X86"},
		{"wrc", "PPC", "", "PPC/WRC", "PPC X86"},
		{"sb", "", "PPC", "PPC/SB", "PPC"},
		{"message passing", "X86", "", "MP", "X86"},
		{"iriw lw", "X86", "", "PPC/IRIW+lwsyncs", "PPC"},
		{"MP+lwsync+addr", "X86", "", "PPC/MP+lwsync+addr", "PPC"},
		{"DpAddrdR", "X86", "", "", "PPC"},
		{"frobnicate", "X86", "", "", ""},
		{"", "X86", "", "SB", "X86 X86_64 PPC AArch64 ARM RISCV MIPS BPF C"},
	} {
		found := classic.Search(c.query, c.here, c.only)
		var parts []string
		for _, f := range found {
			parts = append(parts, f.Part)
		}
		if got := strings.Join(parts, " ") + " "; c.parts == "" && len(found) > 0 || !strings.HasPrefix(got, c.parts) {
			t.Errorf("%q at %s finds tests for %s, want %s first", c.query, c.here, got, c.parts)
		}
		if c.first != "" && (len(found) == 0 || found[0].IDs[0] != c.first) {
			t.Errorf("%q at %s finds %v, want %s first", c.query, c.here, found[:min(len(found), 1)], c.first)
		}
	}
}

// The name of a shape finds only its tests, and a single letter no piece of a word.
func TestSearchIsExact(t *testing.T) {
	for _, f := range classic.Search("s", "", "") {
		for _, id := range f.IDs {
			if name := id[strings.Index(id, "/")+1:]; !strings.HasPrefix(name, "S") || strings.HasPrefix(name, "SB") {
				t.Errorf("s finds %s", id)
			}
		}
	}
}

// Programs are found by what they call and by their memory orders.
func TestSearchIndexesAnyList(t *testing.T) {
	x := classic.NewIndex([]classic.Part{{Name: "Locks", Families: []classic.Family{{Tests: []classic.Item{
		{
			ID:   "a",
			Name: "ticket-lock",
			Note: "A lock that serves in order.",
			Code: "atomic_fetch_add memory_order_acquire",
		},
		{ID: "b", Name: "seqlock", Note: "Readers retry.", Text: "Its ticket is a counter."},
	}}}}})
	for query, want := range map[string]string{
		"ticket": "a b", "lock": "a b", "acquire": "a", "counter": "b", "count": "", "locks retry": "b",
	} {
		var got []string
		for _, it := range x.Items(query, 2) {
			got = append(got, it.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}
