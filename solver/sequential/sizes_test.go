package sequential

import (
	"maps"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/solver/sat"
)

// weighed is a memory that notes how many gates each of its operations makes.
type weighed struct {
	memory
	circuit *sat.Circuit
	most    map[string]int // by operation: of the largest formula
}

func (w *weighed) weigh(op string, f func()) {
	before := w.circuit.Vars()
	f()
	w.most[op] = max(w.most[op], w.circuit.Vars()-before)
}

func (w *weighed) before(g sat.Lit, s *statement) {
	w.weigh("before", func() { w.memory.before(g, s) })
}

func (w *weighed) read(g sat.Lit, s *statement, loc int) (v sat.Vec) {
	w.weigh("load", func() { v = w.memory.read(g, s, loc) })
	return v
}

func (w *weighed) write(g sat.Lit, s *statement, loc int, v sat.Vec) {
	w.weigh("store", func() { w.memory.write(g, s, loc, v) })
}

// weights gives, by operation, the gates of the largest formula that it has when an
// engine lays out storeBuffering within bounds.
func weights(t *testing.T, engine string, stores int, b bounds) map[string]int {
	t.Helper()
	parsed, err := dialect.Parse(engine, storeBuffering(stores))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Engines {
		if e.name != engine {
			continue
		}
		p, err := newProgram(parsed, e.visible)
		if err != nil {
			t.Fatal(err)
		}
		w := &weighed{e.memory(p, b), p.circuit, map[string]int{}}
		newSchedule(p, w, b[rounds], e.idle, false)
		return w.most
	}
	t.Fatalf("no engine %s", engine)
	return nil
}

// storeBuffering has each of two threads store n times before it loads what it has
// stored itself and what the other stores.
func storeBuffering(n int) string {
	rows := strings.Repeat(" MOV [x],$1 | MOV [y],$1 ;\n", n)
	return "X86 SB\n{ }\n P0 | P1 ;\n" + rows + " MOV EBX,[x] | MOV EBX,[y] ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
		"exists (0:EAX=0 /\\ 1:EAX=0)\n"
}

// mostStores is the largest number of stores before a load that is looked at.
const mostStores = 6

// Given N nodes and K timestamps, no operation's formula grows with the stores that a
// thread may have waiting (tomasco-2016, Sections III and IV).
func TestListOperationsHaveConstantSize(t *testing.T) {
	for _, engine := range []string{"etso", "epso"} {
		for size := 1; size <= 3; size++ {
			b := bounds{rounds: 4, stamps: size, nodes: size}
			want := weights(t, engine, mostStores, b)
			for n := max(1, size-1); n < mostStores; n++ { // with fewer stores, lists are shorter
				if got := weights(t, engine, n, b); !maps.Equal(got, want) {
					t.Errorf("%s, K=N=%d: gates %v with %d stores, %v with %d", engine, size, got, n, want, mostStores)
				}
			}
		}
	}
}

// Under TSO-SMA the formulas of a load, and of the moves before a statement, grow with
// the store buffers (Section III); so they grow with the stores where the buffers are to
// hold them all.
func TestBufferOperationsGrow(t *testing.T) {
	for what, size := range map[string]func(n int) (stores, buffer int){
		"buffers": func(n int) (int, int) { return mostStores, n },
		"stores":  func(n int) (int, int) { return n, n },
	} {
		last := map[string]int{}
		for n := 1; n <= mostStores; n++ {
			stores, room := size(n)
			got := weights(t, "tso-sma", stores, bounds{rounds: 4, buffer: room})
			t.Logf("%s %d: gates %v", what, n, got)
			for _, op := range []string{"before", "load"} {
				if got[op] <= last[op] {
					t.Errorf("%s %d: %d gates %s, no more than %d", what, n, got[op], op, last[op])
				}
			}
			last = got
		}
	}
}

