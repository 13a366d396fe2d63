package sequential

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/family"
	"litmuscope/models"
	"litmuscope/solver"
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
// engine answers for storeBuffering within bounds.
func weights(t *testing.T, engine string, stores int, b solver.Options) map[string]int {
	t.Helper()
	var last *weighed
	e := find(t, engine)
	inner := e.memory
	e.memory = func(p *program, b bounds) memory {
		last = &weighed{inner(p, b), p.circuit, map[string]int{}}
		return last
	}
	explore(t, e, storeBuffering(stores), b)
	return last.most
}

// within are options with few rounds, for operations have their largest formula in the
// second.
func within(change func(*solver.Options)) solver.Options {
	o := solver.DefaultOptions()
	o.Rounds, o.States = 2, 1
	change(&o)
	return o
}

// storeBuffering has each of two threads store n times before it loads what it has
// stored itself and what the other stores.
func storeBuffering(n int) string {
	rows := strings.Repeat(" MOV [x],$1 | MOV [y],$1 ;\n", n)
	return "X86 SB\n{ }\n P0 | P1 ;\n" + rows + " MOV EBX,[x] | MOV EBX,[y] ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
		"exists (0:EAX=0 /\\ 1:EAX=0)\n"
}

// mostStores is the largest number of stores before a load that the test covers.
const mostStores = 6

// Given N nodes and K timestamps, no operation's formula grows with the stores that a
// thread may have waiting (tomasco-2016, Sections III and IV).
func TestListOperationsHaveConstantSize(t *testing.T) {
	for _, engine := range []string{"etso", "epso"} {
		for size := 1; size <= 3; size++ {
			b := within(func(o *solver.Options) { o.Timestamps, o.Nodes = size, size })
			want := weights(t, engine, mostStores, b)
			for n := 2; n < mostStores; n++ { // with one store, less can have happened
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
			got := weights(t, "tso-sma", stores, within(func(o *solver.Options) { o.Buffer = room }))
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

// With one timestamp every write reaches memory at once, and the outcomes are those of
// SC (Section VI). What etso costs there beside lazy-cseq is the price of its memory.
func TestOneTimestampIsSC(t *testing.T) {
	for _, e := range catalogue.Core() {
		if e.Arch != "X86" || e.Large {
			continue
		}
		o := solver.DefaultOptions()
		sc := explore(t, find(t, "lazy-cseq"), e.Source, o)
		o.Timestamps = 1
		got := explore(t, find(t, "etso"), e.Source, o)
		if !reflect.DeepEqual(got.States, sc.States) {
			t.Errorf("%s: etso has %v, lazy-cseq %v", e.ID(), got.States, sc.States)
		}
	}
}

// BenchmarkOverhead has etso refute Fibonacci tests within few timestamps, and reports
// the size of its formula, and its time, as multiples of lazy-cseq's. The paper measures
// three to four times the time with one timestamp (Table II).
func BenchmarkOverhead(b *testing.B) {
	never, _ := family.Find("fib-never")
	for n := 1; n <= 3; n++ {
		o := solver.DefaultOptions()
		o.States, o.Timeout = 0, 0
		var sc *solver.Result
		var scTime float64 // in seconds
		measure := func(name, engine string) {
			b.Run(fmt.Sprintf("%s/%d/%s", never.Name, n, name), func(b *testing.B) {
				var r *solver.Result
				for b.Loop() {
					r = explore(b, find(b, engine), never.Test(n), o)
				}
				took := b.Elapsed().Seconds() / float64(b.N)
				if engine == "lazy-cseq" {
					sc, scTime = r, took
				}
				b.ReportMetric(float64(r.Stats.Vars), "vars")
				b.ReportMetric(float64(r.Stats.Clauses), "clauses")
				if sc != nil {
					b.ReportMetric(float64(r.Stats.Vars)/float64(sc.Stats.Vars), "SC-vars×")
					b.ReportMetric(float64(r.Stats.Clauses)/float64(sc.Stats.Clauses), "SC-clauses×")
					b.ReportMetric(took/scTime, "SC-time×")
				}
			})
		}
		measure("lazy-cseq", "lazy-cseq")
		for o.Nodes, o.Timestamps = 2, 1; o.Timestamps <= 3; o.Timestamps++ {
			measure(fmt.Sprintf("etso,K=%d,N=%d", o.Timestamps, o.Nodes), "etso")
		}
	}
}

// explore has an engine answer for a test under its model.
func explore(t testing.TB, e Engine, source string, o solver.Options) *solver.Result {
	t.Helper()
	p, err := dialect.Parse("sizes_test", source)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find(e.Models()[0])
	r, err := e.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// find finds an engine by name.
func find(t testing.TB, engine string) Engine {
	t.Helper()
	for _, e := range Engines {
		if e.name == engine {
			return e
		}
	}
	t.Fatalf("no engine %s", engine)
	return Engine{}
}
