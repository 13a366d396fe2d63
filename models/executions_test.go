package models

import (
	"testing"

	"litmuscope/litmus/dialect"
)

// someExecutions are all candidate executions of two threads that write one location
// and read another: every rf and co, consistent or not.
func someExecutions(t *testing.T) []*Execution {
	t.Helper()
	p, err := dialect.Parse("test.litmus", "X86 R\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$2 ;\n MOV [y],$1 | MOV EAX,[x] ;\nexists (y=2)")
	if err != nil {
		t.Fatal(err)
	}
	// 0 and 1 are the initial writes; 2 Wx1, 3 Wy1, 4 Wy2, 5 Rx.
	var out []*Execution
	for value, from := range []int{0, 2} {
		for _, order := range [][]int{{1, 3, 4}, {1, 4, 3}} {
			x, err := Replay(p, [][]uint64{nil, {uint64(value)}})
			if err != nil {
				t.Fatal(err)
			}
			x.RF[5] = from
			x.CO[0], x.CO[1] = []int{0, 2}, order
			if err := x.WellFormed(); err != nil {
				t.Fatal(err)
			}
			out = append(out, x)
		}
	}
	return out
}
