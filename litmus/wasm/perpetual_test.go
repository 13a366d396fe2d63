package wasm_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/wasm"
)

// The memory of perpetual tests: as above, but each thread's rows have more room, and the counts come first.
const (
	countsAt   = 2048
	tablesAt   = 4096
	tableBytes = 1 << 14
	sharedCell = tablesAt + 8*tableBytes
	iterations = 200
)

// parse reads a test and assembles it.
func parse(t testing.TB, source string) (*ir.Program, *wasm.Test) {
	t.Helper()
	p, err := dialect.Parse("test", source)
	if err != nil {
		t.Fatal(err)
	}
	test, err := wasm.Assemble(p)
	if err != nil {
		t.Fatal(err)
	}
	return p, test
}

// clear prepares the memory for a perpetual run.
func (r *runtime) clear(test *wasm.Test) {
	for at := uint32(0); at < uint32(sharedCell+2*test.Cell); at += 8 {
		r.memory.WriteUint64Le(at, 0)
	}
	r.memory.WriteUint32Le(barrierAt, 1<<30) // nobody waits
	r.memory.WriteUint32Le(orderAt, uint32((sharedCell+test.Cell-1)/test.Cell*test.Cell))
}

// counted counts the outcomes of the rows that the memory has, printed.
func (r *runtime) counted(t testing.TB, p *ir.Program, test *wasm.Test) map[string]int {
	t.Helper()
	counter, err := r.InstantiateWithConfig(
		t.Context(), test.Perpetual.Counter, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	defer counter.Close(t.Context())
	args := []uint64{countsAt, iterations}
	for i := range test.Threads {
		args = append(args, uint64(tablesAt+i*tableBytes))
	}
	if _, err := counter.ExportedFunction("run").Call(t.Context(), args...); err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for i, values := range test.Perpetual.Outcomes {
		n, _ := r.memory.ReadUint32Le(uint32(countsAt + 4*i))
		if n == 0 {
			continue
		}
		numbers := make([]uint64, len(values))
		for k, v := range values {
			if _, err := fmt.Sscan(v, &numbers[k]); err != nil {
				panic(err)
			}
		}
		out[p.FormatState(test.State(numbers))] += int(n)
	}
	return out
}

// slices runs the threads in portions of some iterations, in a random order.
func (r *runtime) slices(t testing.TB, test *wasm.Test, random *rand.Rand) {
	t.Helper()
	r.clear(test)
	next := make([]uint64, len(test.Threads))
	var runs []func(from, to uint64)
	for i, thread := range test.Perpetual.Threads {
		module, err := r.InstantiateWithConfig(t.Context(), thread.Module, wazero.NewModuleConfig().WithName(""))
		if err != nil {
			t.Fatalf("%v\n%s", err, thread.Listing)
		}
		defer module.Close(t.Context())
		run := module.ExportedFunction("run")
		runs = append(runs, func(from, to uint64) {
			rows := uint64(tablesAt + i*tableBytes)
			if _, err := run.Call(t.Context(), orderAt, rows, barrierAt, from, to, 0, 7); err != nil {
				t.Fatalf("%v\n%s", err, thread.Listing)
			}
		})
	}
	for open := len(runs); open > 0; {
		i := random.IntN(len(runs))
		if next[i] == iterations {
			continue
		}
		to := min(iterations, next[i]+1+random.Uint64N(3))
		runs[i](next[i], to)
		if next[i] = to; to == iterations {
			open--
		}
	}
}

// simulate runs the accesses of the threads one by one in a random order, with store buffers or without, and writes the
// rows. A fence, and the end of a thread, empty the buffer.
func (r *runtime) simulate(p *ir.Program, test *wasm.Test, buffers bool, random *rand.Rand) {
	r.clear(test)
	type pending struct {
		loc   int
		value uint32
	}
	memory := make([]uint32, len(p.Locs))
	steps := wasm.PerpetualSteps(p)
	at, iteration, buffer := make([]int, len(steps)), make([]uint32, len(steps)), make([][]pending, len(steps))
	flush := func(t int) {
		memory[buffer[t][0].loc] = buffer[t][0].value
		buffer[t] = buffer[t][1:]
	}
	for open := len(steps); open > 0; {
		t := random.IntN(len(steps))
		if len(buffer[t]) > 0 && (random.IntN(3) == 0 || len(buffer[t]) > 8) {
			flush(t)
			continue
		}
		if iteration[t] == iterations {
			continue
		}
		if at[t] < len(steps[t]) {
			switch s := steps[t][at[t]]; {
			case s.Fence && len(buffer[t]) > 0:
				flush(t)
				continue
			case s.Fence:
			case s.Load >= 0:
				v := memory[s.Loc]
				for _, b := range buffer[t] {
					if b.loc == s.Loc {
						v = b.value
					}
				}
				row := int(iteration[t]) * 8 * test.Perpetual.Threads[t].Row
				r.memory.WriteUint32Le(uint32(tablesAt+t*tableBytes+row+8*s.Load), v)
			default:
				buffer[t] = append(buffer[t], pending{s.Loc, s.Period*iteration[t] + s.Store})
				if !buffers {
					flush(t)
				}
			}
			at[t]++
		}
		if at[t] == len(steps[t]) {
			at[t] = 0
			if iteration[t]++; iteration[t] == iterations {
				open--
			}
		}
	}
}

// outcomesOf are the printed outcomes of a test under SC or, with buffers, TSO, by all interleavings.
func outcomesOf(t testing.TB, p *ir.Program, buffers bool) map[string]bool {
	t.Helper()
	type pending struct {
		loc   int
		value uint64
	}
	type state struct {
		memory  []uint64
		threads []*ir.Cursor
		buffer  [][]pending
	}
	out, seen := map[string]bool{}, map[string]bool{}
	var visit func(s state)
	visit = func(s state) {
		key := fmt.Sprint(s.memory, s.buffer)
		for _, c := range s.threads {
			key += fmt.Sprint(c.PC, c.Regs)
		}
		if seen[key] {
			return
		}
		seen[key] = true
		var ended [][]uint64 // the registers of threads
		for i := range s.threads {
			with := func(change func(n state, c *ir.Cursor)) {
				n := state{append([]uint64(nil), s.memory...), append([]*ir.Cursor(nil), s.threads...), nil}
				for _, b := range s.buffer {
					n.buffer = append(n.buffer, append([]pending(nil), b...))
				}
				n.threads[i] = &ir.Cursor{}
				n.threads[i].Set(s.threads[i])
				change(n, n.threads[i])
				visit(n)
			}
			if len(s.buffer[i]) > 0 {
				with(func(n state, _ *ir.Cursor) {
					n.memory[n.buffer[i][0].loc] = n.buffer[i][0].value
					n.buffer[i] = n.buffer[i][1:]
				})
			}
			c := &ir.Cursor{}
			c.Set(s.threads[i])
			a, err := c.Next()
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case a.Kind == ir.ActEnd && len(s.buffer[i]) == 0:
				ended = append(ended, c.Regs)
			case a.Kind == ir.ActFence && len(s.buffer[i]) == 0:
				with(func(_ state, c *ir.Cursor) { _, _ = c.Next(); c.Pass() })
			case a.Kind == ir.ActStore && buffers:
				with(func(n state, c *ir.Cursor) {
					_, _ = c.Next()
					n.buffer[i] = append(n.buffer[i], pending{a.Loc, a.Value})
					c.Pass()
				})
			case a.Kind == ir.ActStore:
				with(func(n state, c *ir.Cursor) { _, _ = c.Next(); n.memory[a.Loc] = a.Value; c.Pass() })
			case a.Kind == ir.ActLoad:
				with(func(n state, c *ir.Cursor) {
					_, _ = c.Next()
					v := n.memory[a.Loc]
					for _, b := range n.buffer[i] {
						if b.loc == a.Loc {
							v = b.value
						}
					}
					c.Read(v)
				})
			}
		}
		if len(ended) < len(s.threads) {
			return
		}
		var values ir.State
		for _, o := range p.Observed {
			if o.Thread >= 0 {
				values = append(values, ended[o.Thread][o.Index]&ir.Mask(o.Bits))
			} else {
				values = append(values, s.memory[o.Index])
			}
		}
		out[p.FormatState(values)] = true
	}
	begin := state{buffer: make([][]pending, len(p.Threads))}
	for _, l := range p.Locs {
		begin.memory = append(begin.memory, l.Init)
	}
	for i := range p.Threads {
		begin.threads = append(begin.threads, ir.NewCursor(p, i, false))
	}
	visit(begin)
	return out
}

// within reports counted outcomes that a model forbids.
func within(t *testing.T, name string, counted map[string]int, allowed map[string]bool) {
	t.Helper()
	for state, n := range counted {
		if !allowed[state] {
			t.Errorf("%s: counted %d times, but forbidden: %s", name, n, state)
		}
	}
}

// Threads that run one after another, access by access or in portions of iterations, show SC outcomes alone; with store
// buffers, they show those of TSO.
func TestPerpetual(t *testing.T) {
	r := newRuntime(t)
	all := catalogue.All()
	if testing.Short() {
		all = catalogue.Core()
	}
	random := rand.New(rand.NewPCG(1, 2))
	ran, found, possible := 0, 0, 0
	for _, e := range all {
		p, err := dialect.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		test, err := wasm.Assemble(p)
		if err != nil || test.Perpetual == nil {
			continue
		}
		ran++
		sc := outcomesOf(t, p, false)
		r.slices(t, test, random)
		within(t, e.Arch+"/"+e.Name, r.counted(t, p, test), sc)
		for _, buffers := range []bool{false, true} {
			allowed := sc
			if buffers {
				allowed = outcomesOf(t, p, true)
			}
			r.simulate(p, test, buffers, random)
			counted := r.counted(t, p, test)
			within(t, e.Arch+"/"+e.Name, counted, allowed)
			found, possible = found+len(counted), possible+len(allowed)
		}
	}
	t.Logf("%d of %d tests have a perpetual form; %d of %d outcomes found", ran, len(all), found, possible)
	if ran < len(all)/3 || found < possible/2 {
		t.Error("too few")
	}
}

const sb = "X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n"

// The counter finds the weak outcome of SB with store buffers, in many frames.
func TestPerpetualFindsStoreBuffering(t *testing.T) {
	r := newRuntime(t)
	p, test := parse(t, sb)
	if test.Perpetual == nil {
		t.Fatal(test.BarrierOnly)
	}
	r.simulate(p, test, true, rand.New(rand.NewPCG(3, 4)))
	counted := r.counted(t, p, test)
	if n := counted["0:EAX=0; 1:EAX=0;"]; n < iterations/10 {
		t.Errorf("the weak outcome is in %d frames; all: %v", n, counted)
	}
}

// A load that has read a later store than the frame's does not have the frame's outcome. On Arm, iterations of LB+datas
// can read stores of later iterations in a circle.
func TestPerpetualWantsTheFramesStore(t *testing.T) {
	r := newRuntime(t)
	p, test := parse(t, `AArch64 LB+datas
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0           | P1           ;
 LDR W0,[X1]  | LDR W0,[X1]  ;
 EOR W2,W0,W0 | EOR W2,W0,W0 ;
 ADD W2,W2,#1 | ADD W2,W2,#1 ;
 STR W2,[X3]  | STR W2,[X3]  ;
exists (0:X0=1 /\ 1:X0=1)
`)
	if test.Perpetual == nil {
		t.Fatal(test.BarrierOnly)
	}
	write := func(thread, iteration int, v uint32) {
		r.memory.WriteUint32Le(uint32(tablesAt+thread*tableBytes+8*iteration), v)
	}
	r.clear(test)
	for n := range iterations {
		later := uint32(min(n+2, iterations)) // what iteration n+1 stores
		write(0, n, later)
		write(1, n, later)
	}
	if counted := r.counted(t, p, test); counted["0:X0=1; 1:X0=1;"] > 1 { // the last iterations read each other
		t.Errorf("counted: %v", counted)
	}
}

// Tests that have no perpetual form are refused with the reason.
func TestPerpetualRefuses(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"memory": {strings.Replace(sb, "exists (", "exists (x=1 /\\ ", 1), "the final value of x"},
		"two writers": {
			"X86 W\n{}\n P0         | P1          ;\n MOV [x],$1 | MOV [x],$2  ;\n" +
				"            | MOV EAX,[x] ;\nexists (1:EAX=1)\n",
			"P0 and P1 both store to x",
		},
		"update": {
			"X86 U\n{}\n P0             | P1          ;\n XCHG [x],EAX   | MOV EAX,[x] ;\nexists (1:EAX=0)\n",
			"P0, XCHG [x],EAX: an update",
		},
		"data": {
			"X86 D\n{}\n P0          | P1          ;\n MOV EAX,[x] | MOV [x],$1  ;\n" +
				" MOV [y],EAX | MOV EAX,[y] ;\nexists (1:EAX=1)\n",
			"P0, MOV [y],EAX: the stored value depends",
		},
		"branch": {
			"X86 B\n{}\n P0          | P1          ;\n MOV EAX,[x] | MOV [x],$1  ;\n" +
				" CMP EAX,$0  | MOV EAX,[y] ;\n JE L        | ;\n MOV [y],$1  | ;\n L:          | ;\n" +
				"exists (1:EAX=1)\n",
			"P0, JE L: a branch skips code",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, test := parse(t, c.source); test.Perpetual != nil || !strings.Contains(test.BarrierOnly, c.want) {
				t.Errorf("got %q, want %q", test.BarrierOnly, c.want)
			}
		})
	}
}
