package cprog

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// A failed compare-exchange only reads. In programs and in tests, an order that releases loses its release there, with
// a remark.
func TestOrderOfFailure(t *testing.T) {
	for order, want := range map[string]string{
		"memory_order_release": "a failed compare-exchange cannot have memory_order_release (C17, 7.17.7.4): it " +
			"reads " +
			"with memory_order_relaxed",
		"memory_order_acq_rel": "a failed compare-exchange cannot have memory_order_acq_rel (C17, 7.17.7.4): it " +
			"reads " +
			"with memory_order_acquire",
		"memory_order_acquire": "",
	} {
		call := "int e = 0; atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_seq_cst, " + order + ");"
		program, err := Lower(t.Context(),
			read.Source{
				Files: []read.File{
					{Name: "t.c", Text: "#include <stdatomic.h>\natomic_int x;\nint main(void) { " + call + " }\n"},
				},
			},
			elaborate.Options{Target: elaborate.Language})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := litmus.Parse("t",
			"C t\n{}\nP0 (atomic_int* x) { "+strings.ReplaceAll(call, "&x", "x")+" }\nexists (0:e=0)\n")
		if err != nil {
			t.Fatal(err)
		}
		test, err := c.Dialect{}.Lower(parsed)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*ir.Program{program, test} {
			got := ""
			for _, r := range p.Remarks {
				got += r.Msg
			}
			if got != want {
				t.Errorf("%s: remarked %q, want %q", order, got, want)
			}
		}
	}
}

// A compiler-only fence gets a remark, in programs as in tests.
func TestSignalFence(t *testing.T) {
	p, err := Lower(t.Context(), read.Source{Files: []read.File{{Name: "t.c", Text: `#include <stdatomic.h>
int main(void) { atomic_signal_fence(memory_order_seq_cst); }
`}}}, elaborate.Options{Target: elaborate.Language})
	if err != nil || len(p.Remarks) != 1 || p.Remarks[0].String() != "t.c:2:18: "+c.NoSignal {
		t.Errorf("%v %v", err, p.Remarks)
	}
}
