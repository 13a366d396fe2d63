// Package modelstest makes executions for the tests of packages on models: of an X86 test whose reads, reads-from and
// coherence the caller chooses, or all candidates of one small test.
//
// It imports models, models/replay and litmus: no checker, which it is to test.
package modelstest

import (
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/replay"
)

// Tests of two threads: store buffering and message passing.
const (
	SB = `X86 SB
{ x=0; y=0; }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)`
	MP = `X86 MP
{ x=0; y=0; }
 P0 | P1 ;
 MOV [x],$1 | MOV EAX,[y] ;
 MOV [y],$1 | MOV EBX,[x] ;
exists (1:EAX=1 /\ 1:EBX=0)`
)

// Execution replays an X86 test on given read values, with rf given as the event
// each read takes its value from and co as the order of all writes.
func Execution(
	t *testing.T, source string, reads [][]uint64, rf map[int]int, co []int,
) *models.Execution {
	t.Helper()
	p, err := dialect.Parse("test.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	x, err := replay.Replay(p, reads)
	if err != nil {
		t.Fatal(err)
	}
	for r, w := range rf {
		x.RF[r] = w
	}
	for _, w := range co {
		loc := x.Events[w].Loc
		x.CO[loc] = append(x.CO[loc], w)
	}
	return x
}

// Candidates are all executions of two threads that write one location and read another: every rf and co, consistent or
// not.
func Candidates(t *testing.T) []*models.Execution {
	t.Helper()
	p, err := dialect.Parse("test.litmus",
		"X86 R\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$2 ;\n MOV [y],$1 | MOV EAX,[x] ;\nexists (y=2)")
	if err != nil {
		t.Fatal(err)
	}
	// 0 and 1 are the initial writes; 2 Wx1, 3 Wy1, 4 Wy2, 5 Rx.
	var out []*models.Execution
	for value, from := range []int{0, 2} {
		for _, order := range [][]int{{1, 3, 4}, {1, 4, 3}} {
			x, err := replay.Replay(p, [][]uint64{nil, {uint64(value)}})
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
