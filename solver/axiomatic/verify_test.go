package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// Programs for the tests below consist of operations on 8-bit locations x, y, z … and registers 0 to 3 of each thread.
// Step i of thread t is on line 100*t+i+1.

const bits = 8

func reg(i int) ir.Expr { return ir.Reg{Index: i, Bits: bits} }

func num(v uint64) ir.Expr { return ir.Number(v, bits) }

func at(loc int) ir.Expr { return ir.Addr{Loc: loc, Bits: 64} }

func is(x ir.Expr, v uint64) ir.Expr { return ir.Eq.Of(x, num(v)) }

func load(r, loc int, o c.Order) ir.Op {
	return ir.Load{Dst: r, Addr: at(loc), Bits: bits, Tags: o.Read(), At: ir.Locs{loc}}
}

func store(loc int, v ir.Expr, o c.Order) ir.Op {
	return ir.Store{Addr: at(loc), Value: v, Tags: o.Write(), At: ir.Locs{loc}}
}

func plainLoad(r, loc int) ir.Op {
	return ir.Load{Dst: r, Addr: at(loc), Bits: bits, Tags: ir.Tags{"NA"}}
}

func plainStore(loc int, v ir.Expr) ir.Op {
	return ir.Store{Addr: at(loc), Value: v, Tags: ir.Tags{"NA"}}
}

func assert(e ir.Expr) ir.Op { return ir.Assert{Cond: e, Property: ir.Assertion, Text: "it holds"} }

func spawn(t int, args ...ir.Arg) ir.Op { return ir.Spawn{Thread: t, Args: args} }

func join(t int) ir.Op { return ir.Join{Thread: t} }

func both(a, b ir.Expr) ir.Expr { return ir.BitAnd.Of(a, b) }

// cprogram makes a program; thread 0 spawns all others.
func cprogram(locs int, threads ...[]ir.Op) *ir.Program {
	p := &ir.Program{File: "t.c", Arch: "C", Name: "t"}
	for i := range locs {
		p.Locs = append(p.Locs, ir.Location{Name: string(rune('x' + i)), Bits: bits, Address: uint64(0x1000 + 16*i)})
	}
	for t, ops := range threads {
		th := ir.Thread{ID: t, Spawned: t > 0}
		for range 4 {
			th.Regs = append(th.Regs, ir.Register{Bits: bits})
		}
		for i, op := range ops {
			th.Code = append(th.Code, ir.Step{Op: op, Source: i})
			th.Source = append(th.Source,
				litmus.Cell{Text: fmt.Sprintf("%T", op), Pos: litmus.Pos{File: "t.c", Line: 100*t + i + 1, Col: 1}})
		}
		p.Threads = append(p.Threads, th)
	}
	return p
}

func verify(t *testing.T, p *ir.Program, model string, want solver.Verify) *solver.Verification {
	t.Helper()
	m, ok := models.Find(model)
	if !ok {
		t.Fatalf("no model %s", model)
	}
	options := solver.DefaultOptions()
	options.Timeout, options.Witnesses = time.Minute, true
	v, err := axiomatic.Engine{}.Verify(context.Background(),
		solver.Query{Program: p, Model: m, Options: options}, want)
	if err != nil {
		t.Fatalf("%s: %v", model, err)
	}
	return v
}

// expect holds verdicts: model → expected verdict, as in "safe", "safe within bounds", "unsafe 3".
func expect(t *testing.T, p *ir.Program, property ir.Property, want map[string]string) {
	t.Helper()
	for model, w := range want {
		v := verify(t, p, model, solver.Verify{Properties: []ir.Property{property}})
		got := string(v.Verdict)
		switch {
		case v.Failure != nil:
			got += fmt.Sprintf(" %d", v.Failure.Line)
			for _, o := range v.Failure.Others {
				got += fmt.Sprintf(" %d", o.Line)
			}
			if v.Failure.Graph == nil || v.Failure.Property != property {
				t.Errorf("%s: failure of %s with graph %v", model, v.Failure.Property, v.Failure.Graph)
			}
		case v.Verdict == solver.Safe && !v.Complete:
			got += " within bounds"
		}
		if got != w {
			t.Errorf("%s: %s, want %s (%s)", model, got, w, v.Reason)
		}
	}
}

func all(verdict string) map[string]string {
	out := map[string]string{}
	for _, m := range []string{"sc", "tso", "pso", "rmo", "power", "aarch64", "riscv", "rc11", "c11", "imm", "lkmm"} {
		out[m] = verdict
	}
	return out
}

func TestMessagePassing(t *testing.T) {
	program := func(write, read c.Order) *ir.Program {
		return cprogram(2,
			[]ir.Op{spawn(1), spawn(2), join(1), join(2)},
			[]ir.Op{store(0, num(1), c.Relaxed), store(1, num(1), write)},
			[]ir.Op{load(0, 1, read), load(1, 0, c.Relaxed), assert(ir.Not(both(is(reg(0), 1), is(reg(1), 0))))},
		)
	}
	expect(t, program(c.Relaxed, c.Relaxed), ir.Assertion, map[string]string{
		"sc": "safe", "tso": "safe", "pso": "unsafe 203", "rmo": "unsafe 203", "power": "unsafe 203",
		"aarch64": "unsafe 203", "rc11": "unsafe 203", "imm": "unsafe 203", "lkmm": "unsafe 203",
	})
	expect(t, program(c.Release, c.Acquire), ir.Assertion, all("safe"))
}

// What main asserts behind its joins is about complete executions.
func TestStoreBuffering(t *testing.T) {
	program := func(o c.Order) *ir.Program {
		return cprogram(4,
			[]ir.Op{
				spawn(1), spawn(2), join(1), join(2), load(0, 2, c.Relaxed), load(1, 3, c.Relaxed),
				assert(ir.Not(both(is(reg(0), 0), is(reg(1), 0)))),
			},
			[]ir.Op{store(0, num(1), o), load(0, 1, o), store(2, reg(0), c.Relaxed)},
			[]ir.Op{store(1, num(1), o), load(0, 0, o), store(3, reg(0), c.Relaxed)},
		)
	}
	relaxed := all("unsafe 7")
	relaxed["sc"] = "safe"
	expect(t, program(c.Relaxed), ir.Assertion, relaxed)
	strong := all("safe")
	for _, m := range []string{"lkmm"} { // knows no orders of C11
		delete(strong, m)
	}
	expect(t, program(c.SeqCst), ir.Assertion, strong)
}

// What main writes before it spawns a thread is what that thread reads, and what the
// thread writes is what main reads when it has joined it.
func TestOrderAcrossThreads(t *testing.T) {
	expect(t, cprogram(2,
		[]ir.Op{store(0, num(1), c.Relaxed), spawn(1), join(1), load(0, 1, c.Relaxed), assert(is(reg(0), 2))},
		[]ir.Op{load(0, 0, c.Relaxed), assert(is(reg(0), 1)), store(1, num(2), c.Relaxed)},
	), ir.Assertion, all("safe"))
	// By way of a third thread, which was there before.
	expect(t, cprogram(2,
		[]ir.Op{spawn(1), store(0, num(1), c.Relaxed), spawn(2), join(1), join(2)},
		[]ir.Op{load(0, 1, c.Acquire), load(1, 0, c.Relaxed), assert(ir.Not(both(is(reg(0), 1), is(reg(1), 0))))},
		[]ir.Op{store(1, num(1), c.Release)},
	), ir.Assertion, all("safe"))
	// A thread without a join may still be running.
	expect(t, cprogram(2,
		[]ir.Op{spawn(1), load(0, 1, c.Relaxed), assert(is(reg(0), 2))},
		[]ir.Op{store(1, num(2), c.Relaxed)},
	), ir.Assertion, all("unsafe 3"))
}

// A join orders what follows it only in executions that pass it.
func TestJoinInABranch(t *testing.T) {
	p := cprogram(2,
		[]ir.Op{
			spawn(1),
			ir.Choose{Dst: 0},
			ir.Branch{Cond: ir.Reg{Index: 0, Bits: 1}, Target: 4},
			join(1),
			load(1, 0, c.Relaxed), assert(ir.BitOr.Of(ir.Reg{Index: 0, Bits: 1}, is(reg(1), 1))),
		},
		[]ir.Op{store(0, num(1), c.Relaxed)},
	)
	p.Threads[0].Regs[0].Bits = 1
	expect(t, p, ir.Assertion, all("safe"))
	p.Threads[0].Code[5].Op = assert(is(reg(1), 1))
	expect(t, p, ir.Assertion, all("unsafe 6"))
}

func TestSpawns(t *testing.T) {
	give := func(v ir.Expr) ir.Arg { return ir.Arg{Reg: 0, Value: v} }
	// A spawned thread spawns another, and passes its argument on.
	p := cprogram(1,
		[]ir.Op{spawn(1, give(num(3))), join(1), load(0, 0, c.Relaxed), assert(is(reg(0), 5))},
		[]ir.Op{spawn(2, give(ir.Add.Of(reg(0), num(2)))), join(2)},
		[]ir.Op{store(0, reg(0), c.Relaxed), assert(is(reg(0), 5))},
	)
	expect(t, p, ir.Assertion, all("safe"))
	p.Threads[2].Code[1].Op = assert(is(reg(0), 4))
	expect(t, p, ir.Assertion, all("unsafe 202"))
	// In a branch that executes only if y is not 0.
	p = cprogram(3,
		[]ir.Op{
			load(0, 1, c.Relaxed),
			ir.Branch{Cond: is(reg(0), 0), Target: 4},
			spawn(1), join(1),
			load(1, 0, c.Relaxed), assert(is(reg(1), 1)),
		},
		[]ir.Op{store(0, num(1), c.Relaxed)},
	)
	expect(t, p, ir.Assertion, all("unsafe 6"))
	p.Locs[1].Init = 1
	expect(t, p, ir.Assertion, all("safe"))
}

// Threads that do not come to their ends: an assertion fails all the same, and nothing behind a join of such a thread
// executes.
func TestPrefixes(t *testing.T) {
	for _, stop := range []ir.Op{ir.Unwound{}, ir.Unwound{Spin: true}, ir.Assume{Cond: ir.Number(0, 1)}} {
		p := cprogram(1,
			[]ir.Op{spawn(1), load(0, 0, c.Relaxed), assert(is(reg(0), 0)), join(1), assert(ir.Number(0, 1))},
			[]ir.Op{store(0, num(1), c.Relaxed), stop},
		)
		expect(t, p, ir.Assertion, all("unsafe 3"))
		safe := "safe"
		if u, ok := stop.(ir.Unwound); ok && !u.Spin {
			safe = "safe within bounds"
		}
		p.Threads[0].Code[2].Op = ir.Assume{Cond: ir.Number(1, 1)}
		expect(t, p, ir.Assertion, all(safe))
	}
}

func TestTermination(t *testing.T) {
	// while (y == 0) ;
	wait := []ir.Op{
		load(0, 1, c.Relaxed),
		ir.Branch{Cond: ir.Not(is(reg(0), 0)), Target: 3},
		ir.Unwound{Spin: true},
		store(2, num(1), c.Relaxed),
	}
	p := cprogram(3, []ir.Op{spawn(1), store(1, num(1), c.Relaxed), join(1)}, wait)
	expect(t, p, ir.Termination, all("safe"))
	p.Threads[0].Code[1].Op = store(1, num(0), c.Relaxed)
	expect(t, p, ir.Termination, all("unsafe 103"))
	// Behind a bound nobody knows.
	p.Threads[0].Code[2].Op = ir.Unwound{}
	expect(t, p, ir.Termination, all("safe within bounds"))
	// Two threads that each wait for what the other writes later.
	p = cprogram(3, []ir.Op{spawn(1), spawn(2), join(1), join(2)}, wait, slices.Clone(wait))
	p.Threads[1].Code[3].Op = store(0, num(1), c.Relaxed)
	p.Threads[2].Code[0].Op = load(0, 0, c.Relaxed)
	p.Threads[2].Code[3].Op = store(1, num(1), c.Relaxed)
	expect(t, p, ir.Termination, map[string]string{"sc": "unsafe 103", "power": "unsafe 103", "rc11": "unsafe 103"})
}

func TestMemoryOfAnyValue(t *testing.T) {
	p := cprogram(2,
		[]ir.Op{spawn(1), load(0, 0, c.Relaxed), assert(ir.Not(is(reg(0), 77)))},
		[]ir.Op{store(0, num(1), c.Relaxed)},
	)
	p.Locs[0].Any = true
	expect(t, p, ir.Assertion, all("unsafe 3"))
	expect(t, p, ir.Memory, all("unsafe 2"))
	p.Threads[0].Code[0].Op, p.Threads[0].Code[1].Op = store(0, num(3), c.Relaxed), load(0, 0, c.Relaxed)
	expect(t, p, ir.Memory, all("safe"))
	expect(t, p, ir.Assertion, all("safe"))
}

func TestDataRaces(t *testing.T) {
	program := func(write, read c.Order) *ir.Program {
		return cprogram(2,
			[]ir.Op{plainStore(0, num(5)), spawn(1), spawn(2), join(1), join(2), plainLoad(0, 0)},
			[]ir.Op{plainStore(0, num(1)), store(1, num(1), write)},
			[]ir.Op{load(0, 1, read), ir.Branch{Cond: is(reg(0), 0), Target: 3}, plainLoad(1, 0)},
		)
	}
	models := []string{"sc", "tso", "pso", "power", "aarch64", "rc11", "c11", "imm"}
	all := func(verdict string) map[string]string {
		out := map[string]string{}
		for _, m := range models {
			out[m] = verdict
		}
		return out
	}
	expect(t, program(c.Relaxed, c.Relaxed), ir.DataRace, all("unsafe 101 203"))
	expect(t, program(c.Release, c.Acquire), ir.DataRace, all("safe"))
	// Threads do not race after their joins.
	p := program(c.Relaxed, c.Relaxed)
	p.Threads[0].Code = []ir.Step{{Op: spawn(1)}, {Op: join(1)}, {Op: spawn(2)}, {Op: join(2)}}
	expect(t, p, ir.DataRace, all("safe"))
}

// Nobody sees the middle of a section.
func TestAtomicSections(t *testing.T) {
	begin, end := ir.Atomic{}, ir.Atomic{End: true}
	writes := []ir.Op{begin, store(0, num(1), c.Relaxed), store(1, num(1), c.Relaxed), end}
	p := cprogram(2,
		[]ir.Op{spawn(1), load(0, 1, c.Acquire), load(1, 0, c.Acquire), assert(ir.Eq.Of(reg(0), reg(1)))},
		writes,
	)
	expect(t, p, ir.Assertion, all("unsafe 4")) // the two reads are not one
	p = cprogram(2,
		[]ir.Op{spawn(1), begin, load(0, 1, c.Relaxed), load(1, 0, c.Relaxed), end, assert(ir.Eq.Of(reg(0), reg(1)))},
		writes,
	)
	expect(t, p, ir.Assertion, all("safe"))
	p.Threads[1].Code[0].Op, p.Threads[1].Code[3].Op = ir.Fence{}, ir.Fence{}
	expect(t, p, ir.Assertion, all("unsafe 6"))
	// A thread that cannot continue within a section has not entered it.
	p = cprogram(2,
		[]ir.Op{spawn(1), load(0, 0, c.Relaxed), assert(is(reg(0), 0))},
		[]ir.Op{begin, store(0, num(1), c.Relaxed), load(0, 1, c.Relaxed), ir.Assume{Cond: is(reg(0), 1)}, end},
	)
	expect(t, p, ir.Assertion, all("safe"))
	p.Locs[1].Init = 1
	expect(t, p, ir.Assertion, all("unsafe 3"))
	// One who fails in it has, whatever others do next.
	p = cprogram(2,
		[]ir.Op{spawn(1), store(1, num(1), c.Relaxed), begin, load(0, 0, c.Relaxed), assert(is(reg(0), 1)), end},
		[]ir.Op{load(0, 1, c.Relaxed), store(0, num(1), c.Relaxed)},
	)
	expect(t, p, ir.Assertion, all("unsafe 5"))
	// Who comes to the bound in it has shown nothing of it.
	p = cprogram(2,
		[]ir.Op{spawn(1), begin, store(0, num(1), c.Relaxed), load(1, 1, c.Relaxed), ir.Unwound{}, end},
		[]ir.Op{load(0, 0, c.Relaxed), assert(is(reg(0), 0)), store(1, num(1), c.Relaxed)},
	)
	expect(t, p, ir.Assertion, all("safe within bounds"))
	// Two updates by hand: none is lost.
	add := []ir.Op{begin, load(0, 0, c.Relaxed), store(0, ir.Add.Of(reg(0), num(1)), c.Relaxed), end}
	p = cprogram(1, []ir.Op{spawn(1), spawn(2), join(1), join(2), load(0, 0, c.Relaxed), assert(is(reg(0), 2))}, add,
		slices.Clone(add))
	expect(t, p, ir.Assertion, all("safe"))
}

// Where threads wait for each other, the order of the program is none.
func TestJoinsInARing(t *testing.T) {
	m, _ := models.Find("sc")
	p := cprogram(1, []ir.Op{spawn(1), spawn(2), join(1)}, []ir.Op{join(2)}, []ir.Op{join(1)})
	_, err := axiomatic.Engine{}.Verify(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}, solver.Verify{})
	if err == nil || !strings.Contains(err.Error(), "wait for each other") {
		t.Errorf("got %v", err)
	}
}

func TestCounts(t *testing.T) {
	mp := cprogram(2,
		[]ir.Op{spawn(1), spawn(2), join(1), join(2)},
		[]ir.Op{store(0, num(1), c.Relaxed), store(1, num(1), c.Relaxed)},
		[]ir.Op{load(0, 1, c.Relaxed), load(1, 0, c.Relaxed)},
	)
	writers := func(n int) *ir.Program {
		threads := [][]ir.Op{nil}
		for i := range n {
			threads[0] = append(threads[0], spawn(i+1))
			threads = append(threads, []ir.Op{store(0, num(uint64(i+1)), c.Relaxed)})
		}
		return cprogram(1, threads...)
	}
	for _, test := range []struct {
		name, model string
		p           *ir.Program
		byReads     bool
		want        int
	}{
		{"message passing", "sc", mp, false, 3},
		{"message passing", "rc11", mp, false, 4},
		{"five writers", "sc", writers(5), false, 120},
		{"five writers by reads", "sc", writers(5), true, 1},
	} {
		v := verify(t, test.p, test.model, solver.Verify{Count: true, ByReads: test.byReads})
		if v.Executions == nil || *v.Executions != test.want {
			t.Errorf("%s under %s: %v executions, want %d (%s)", test.name, test.model, v.Executions,
				test.want, v.Reason)
		}
	}
}
