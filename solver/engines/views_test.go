package engines

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// view is an access of a union of eight bytes as a program has it, of some bytes from one on.
type view struct {
	kind     string // load, store, swap, add, cas
	at, size int
	value    uint64 // stored, put there or added
	want     uint64 // of cas
}

func (v view) mask() uint64 { return ir.Mask(8 * v.size) }

func (v view) in(memory uint64) uint64 { return memory >> (8 * v.at) & v.mask() }

func (v view) put(memory, value uint64) uint64 {
	return memory&^(v.mask()<<(8*v.at)) | value&v.mask()<<(8*v.at)
}

// updated is what an update leaves of what it has read.
func (v view) updated(old uint64) uint64 {
	switch {
	case v.kind == "add":
		return (old + v.value) & v.mask()
	case v.kind == "cas" && old != v.want:
		return old
	}
	return v.value
}

// c is the access in C, its result in variable r: plain, by members of the union; atomic, by functions on one, or
// through a pointer to characters.
func (v view) c(r string, plain, cast bool) string {
	object := fmt.Sprintf("x.%s[%d]", map[int]string{1: "b", 2: "h", 4: "w", 8: "q"}[v.size], v.at/v.size)
	where := "&" + object
	if cast {
		where = fmt.Sprintf("(uint%d_t *)((char *)&x + %d)", 8*v.size, v.at)
		object = "*" + where
	}
	switch {
	case v.kind == "load" && plain:
		return fmt.Sprintf("%s = %s;", r, object)
	case v.kind == "store" && plain:
		return fmt.Sprintf("%s = %#x;", object, v.value)
	case v.kind == "load":
		return fmt.Sprintf("%s = __atomic_load_n(%s, __ATOMIC_RELAXED);", r, where)
	case v.kind == "store":
		return fmt.Sprintf("__atomic_store_n(%s, %#x, __ATOMIC_RELAXED);", where, v.value)
	case v.kind == "swap":
		return fmt.Sprintf("%s = __atomic_exchange_n(%s, %#x, __ATOMIC_RELAXED);", r, where, v.value)
	case v.kind == "add":
		return fmt.Sprintf("%s = __atomic_fetch_add(%s, %#x, __ATOMIC_RELAXED);", r, where, v.value)
	}
	return fmt.Sprintf("{ uint%d_t e = %#x; __atomic_compare_exchange_n(%s, &e, %#x, 0, __ATOMIC_RELAXED, "+
		"__ATOMIC_RELAXED); %s = e; }", 8*v.size, v.want, where, v.value, r)
}

// drawViews draws what threads do to the union.
func drawViews(t *rapid.T, kinds []string) [][]view {
	threads := make([][]view, 2)
	for i := range threads {
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			size := rapid.SampledFrom([]int{1, 1, 2, 2, 4, 4, 8}).Draw(t, "size")
			v := view{
				kind: rapid.SampledFrom(kinds).Draw(t, "kind"), size: size,
				at: size * rapid.IntRange(0, min(8/size, 4)-1).Draw(t, "at"),
			}
			v.value = uint64(rapid.IntRange(1, 3).Draw(t, "value")) * 0x0101_0101_0101_0101 & v.mask()
			v.want = uint64(rapid.IntRange(0, 1).Draw(t, "want")) * 0x0101_0101_0101_0101 & v.mask()
			threads[i] = append(threads[i], v)
		}
	}
	return threads
}

// end is what a run comes to: what each access has read, thread by thread, 0 for a store, and what memory has.
type end [7]uint64

// storeBuffers runs threads on memory of bytes in every way; where stores wait in buffers, as TSO's do. Its code is
// simple enough to check by reading.
func storeBuffers(threads [][]view, waits bool) map[end]bool {
	type state struct {
		pc      [2]int
		buffers [2][3]int // indices of stores, from 1
		end     end
	}
	slot := func(t, pc int) int { return 3*t + pc }
	ends, seen := map[end]bool{}, map[state]bool{}
	var visit func(s state)
	visit = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		moved := false
		memory := s.end[6]
		for t, th := range threads {
			if first := s.buffers[t][0]; first > 0 {
				next := s
				next.buffers[t] = [3]int{s.buffers[t][1], s.buffers[t][2]}
				v := th[first-1]
				next.end[6] = v.put(memory, v.value)
				visit(next)
				moved = true
			}
			if s.pc[t] == len(th) {
				continue
			}
			v, next := th[s.pc[t]], s
			next.pc[t]++
			switch v.kind {
			case "store":
				if !waits {
					next.end[6] = v.put(memory, v.value)
					break
				}
				next.buffers[t][slices.Index(s.buffers[t][:], 0)] = s.pc[t] + 1
			case "load": // each byte is the buffer's last, or memory's
				seen := memory
				for _, b := range s.buffers[t] {
					if b > 0 {
						seen = th[b-1].put(seen, th[b-1].value)
					}
				}
				next.end[slot(t, s.pc[t])] = v.in(seen)
			default:
				if s.buffers[t][0] > 0 {
					continue
				}
				old := v.in(memory)
				next.end[slot(t, s.pc[t])] = old
				next.end[6] = v.put(memory, v.updated(old))
			}
			visit(next)
			moved = true
		}
		if !moved {
			ends[s.end] = true
		}
	}
	visit(state{})
	return ends
}

// viewsInC is the program, which fails where it comes to an end. With locks, accesses are plain, and each is in a
// section.
func viewsInC(threads [][]view, at end, locks, cast bool) string {
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n" +
		"union { uint8_t b[8]; uint16_t h[4]; uint32_t w[2]; uint64_t q[1]; } x;\nuint64_t r[6];\npthread_mutex_t m;\n")
	for t, th := range threads {
		fmt.Fprintf(&b, "void *t%d(void *p) {\n", t)
		for i, v := range th {
			access := v.c(fmt.Sprintf("r[%d]", 3*t+i), locks, cast)
			if locks {
				access = "pthread_mutex_lock(&m); " + access + " pthread_mutex_unlock(&m);"
			}
			fmt.Fprintf(&b, "  %s\n", access)
		}
		b.WriteString("  return 0;\n}\n")
	}
	b.WriteString("int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, t0, 0);\n" +
		"  pthread_create(&b, 0, t1, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(!(")
	for i, v := range at[:6] {
		fmt.Fprintf(&b, "r[%d] == %#x && ", i, v)
	}
	fmt.Fprintf(&b, "x.q[0] == %#x));\n}\n", at[6])
	return b.String()
}

// verdictOf is what both families of engines say of a program under a model.
func verdictOf(t *rapid.T, text, model string) solver.Verdict {
	is := verdictBy(t, text, model, "axiomatic")
	if slices.Contains([]string{"sc", "tso", "rc11"}, model) { // others take long over it
		if other := verdictBy(t, text, model, "graphs"); other != is {
			t.Fatalf("%s: axiomatic says %s, graphs %s\n%s", model, is, other, text)
		}
	}
	return is
}

func verdictBy(t *rapid.T, text, model, engine string) solver.Verdict {
	task := solver.VerifyTask{
		Path: "views.c", Files: []solver.SourceFile{{Name: "views.c", Text: text}},
		Model: model, Engine: engine, Options: solver.DefaultOptions(),
		Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
	}
	task.Options.Timeout = time.Minute
	v, err := Run(t.Context(), task)
	switch {
	case err != nil:
		t.Fatalf("%s: %v\n%s", model, err, text)
	case v.Status != solver.OK || v.Race != nil:
		t.Fatalf("%s: %s, %s%s, race %v\n%s", model, v.Status, v.Error, v.Reason, v.Race, text)
	}
	return v.Verdict
}

// oneOf is an end, and another that no run comes to though each part of it is some run's; where there is none, the last
// part is a number that none has.
func oneOf(t *rapid.T, ends map[end]bool) (is, isNot end) {
	all := slices.SortedFunc(maps.Keys(ends), func(a, b end) int { return slices.Compare(a[:], b[:]) })
	is = rapid.SampledFrom(all).Draw(t, "end")
	for range 30 {
		for i := range isNot {
			isNot[i] = rapid.SampledFrom(all).Draw(t, "part")[i]
		}
		if !ends[isNot] {
			return is, isNot
		}
	}
	isNot[6] = 0xff
	return is, isNot
}

// What threads do to one union through views of it is what stores of bytes do, under models that are machines:
// whichever way the program accesses it, the engines find exactly the ends that the machine reaches. All that SC's
// comes to, the weaker ones do.
func TestVerifyOfViewsIsTheMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads, cast := drawViews(t, []string{"load", "store", "load", "store", "swap", "add", "cas"}),
			rapid.Bool().Draw(t, "cast")
		model := rapid.SampledFrom([]string{"sc", "tso"}).Draw(t, "model")
		is, isNot := oneOf(t, storeBuffers(threads, model == "tso"))
		if text := viewsInC(threads, is, false, cast); verdictOf(t, text, model) != solver.Unsafe {
			t.Fatalf("%s: does not fail, and the machine does\n%s", model, text)
		}
		if text := viewsInC(threads, isNot, false, cast); verdictOf(t, text, model) != solver.Safe {
			t.Fatalf("%s: fails, and the machine does not\n%s", model, text)
		}
		is, _ = oneOf(t, storeBuffers(threads, false))
		for _, weaker := range []string{"aarch64", "riscv"} {
			if text := viewsInC(threads, is, false, cast); verdictOf(t, text, weaker) != solver.Unsafe {
				t.Fatalf("%s: does not fail, and SC does\n%s", weaker, text)
			}
		}
	})
}

// Plain accesses in sections of a lock do what a machine does that is SC, under every model of C, and do not race.
func TestVerifyOfLockedViewsIsSC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads, cast := drawViews(t, []string{"load", "store"}), rapid.Bool().Draw(t, "cast")
		model := rapid.SampledFrom([]string{"rc11", "c11", "c11-psc", "aarch64", "riscv"}).Draw(t, "model")
		is, isNot := oneOf(t, storeBuffers(threads, false))
		if text := viewsInC(threads, is, true, cast); verdictOf(t, text, model) != solver.Unsafe {
			t.Fatalf("%s: does not fail, and SC does\n%s", model, text)
		}
		if text := viewsInC(threads, isNot, true, cast); verdictOf(t, text, model) != solver.Safe {
			t.Fatalf("%s: fails, and SC does not\n%s", model, text)
		}
	})
}
