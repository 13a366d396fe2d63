package engines

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

const (
	locX = iota
	locY
	locLock
)

// locked are the tags of both halves of an atomic instruction.
var locked = ir.Tags{ir.TagLocked, ir.TagFull}

// inIR makes a program of threads over x, y and a lock, each with registers that are all observed. The code between if
// and end executes if a register is 1.
func inIR(threads ...[]string) *ir.Program {
	p := &ir.Program{Name: "locks", Condition: litmus.Condition{Quantifier: litmus.Exists, Prop: litmus.And{}}}
	for i, name := range []string{"x", "y", "lock"} {
		p.Locs = append(p.Locs, ir.Location{Name: name, Bits: 32, Address: uint64(0x1000 + 8*i)})
	}
	for t, body := range threads {
		th := ir.Thread{ID: t, Source: []litmus.Cell{{Text: "body"}}}
		register := func() int {
			n := len(th.Regs)
			th.Regs = append(th.Regs, ir.Register{Name: fmt.Sprint("r", n), Bits: 32})
			p.Observed = append(p.Observed,
				ir.Observable{Name: fmt.Sprintf("%d:r%d", t, n), Thread: t, Index: n, Bits: 32})
			return n
		}
		add := func(op ir.Op) { th.Code = append(th.Code, ir.Step{Op: op}) }
		at := func(loc int) ir.Expr { return ir.Addr{Loc: loc, Bits: 64} }
		is := func(r int, v uint64) ir.Expr { return ir.Eq.Of(ir.Reg{Index: r, Bits: 32}, ir.Number(v, 32)) }
		last, head, opened := register(), 0, 0
		for _, what := range body {
			switch what {
			case "x=1", "x=2", "y=1", "y=2":
				add(ir.Store{Addr: at(int(what[0] - 'x')), Value: ir.Number(uint64(what[2]-'0'), 32)})
			case "r=x", "r=y":
				last = register()
				add(ir.Load{Dst: last, Addr: at(int(what[2] - 'x')), Bits: 32})
			case "lock":
				last = register()
				add(
					ir.RMW{
						Dst: last, Addr: at(locLock), Bits: 32, New: ir.Number(1, 32), Tags: locked,
						WriteTags: locked,
					})
				add(ir.Assume{Cond: is(last, 0)})
			case "unlock":
				add(ir.Store{Addr: at(locLock), Value: ir.Number(0, 32)})
			case "assume":
				add(ir.Assume{Cond: is(last, 1)})
			case "fence":
				add(ir.Fence{Tags: ir.FullFence, Addr: at(locLock)})
			case "if":
				add(ir.Scope{})
				opened = len(th.Code)
				add(ir.Branch{Cond: ir.Not(is(last, 1))})
			case "end":
				th.Code[opened].Op = ir.Branch{Cond: th.Code[opened].Op.(ir.Branch).Cond, Target: len(th.Code)}
				add(ir.Scope{End: true})
			case "do":
				head = len(th.Code)
			case "while not 2":
				add(ir.Branch{Cond: ir.Not(is(last, 2)), Target: head})
			case "count":
				counter := register()
				add(ir.Assign{Dst: counter, Value: ir.Number(0, 32)})
				head = len(th.Code)
				add(ir.Store{Addr: at(locY), Value: ir.Reg{Index: counter, Bits: 32}})
				add(ir.Load{Dst: counter, Addr: at(locY), Bits: 32}) // in memory: its value is unknown
				add(ir.Assign{Dst: counter, Value: ir.Add.Of(ir.Reg{Index: counter, Bits: 32}, ir.Number(1, 32))})
				add(ir.Branch{Cond: ir.Not(is(counter, 6)), Target: head})
			default:
				panic(what)
			}
		}
		p.Threads = append(p.Threads, th)
	}
	for i, l := range p.Locs {
		p.Observed = append(p.Observed, ir.Observable{Name: l.Name, Thread: -1, Index: i, Bits: 32})
	}
	p.Shown = len(p.Observed)
	return p
}

// Random threads that lock, assume and branch have the same states on every engine.
func TestEnginesAgreeOnLocks(t *testing.T) {
	for _, c := range []struct {
		threads [][]string
		states  int
	}{
		{[][]string{{"lock", "x=1", "unlock"}, {"lock", "x=2", "unlock"}}, 2},
		{[][]string{{"lock", "x=1"}, {"lock", "x=2"}}, 0}, // one waits for ever
	} {
		enginesAgree(t, c.threads, func(model string, states int) {
			if states != c.states {
				t.Errorf("%v under %s: %d states, want %d", c.threads, model, states, c.states)
			}
		})
	}
	words := []string{"x=1", "y=1", "x=2", "r=x", "r=y", "lock", "unlock", "assume", "fence", "if"}
	rapid.Check(t, func(t *rapid.T) {
		threads := make([][]string, rapid.IntRange(2, 3).Draw(t, "threads"))
		for i := range threads {
			open := false
			for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 10/len(threads)+1).Draw(t, "body") {
				if w == "if" && open {
					w = "end"
				}
				open = w == "if" || open && w != "end"
				threads[i] = append(threads[i], w)
			}
			if open {
				threads[i] = append(threads[i], "end")
			}
		}
		enginesAgree(t, threads, func(string, int) {})
	})
}

// enginesAgree fails where two engines find different states, and tells how many there are under each model.
func enginesAgree(t failing, threads [][]string, reached func(model string, states int)) {
	p := inIR(threads...)
	for _, model := range []string{"sc", "tso", "pso"} {
		states := ""
		for _, e := range table {
			if e.Models != nil && e.Models[0] != model && e.Name != "machine" {
				continue
			}
			if e.Name == "k-round" || e.Name == "k-store-age" {
				continue // slow, and like etso except for the memory
			}
			r := answer(t, e, p, model)
			got := fmt.Sprint(r.States)
			if !r.Complete {
				t.Fatalf("%v: %s is not complete", threads, e.Name)
			}
			if states == "" {
				states = got
				reached(model, len(r.States))
			}
			if got != states {
				t.Fatalf("%v under %s:\n%s finds %s\nbut others %s", threads, model, e.Name, got, states)
			}
		}
	}
}

// failing is a test, of whatever library.
type failing interface{ Fatalf(string, ...any) }

func answer(t failing, e Engine, p *ir.Program, model string) *solver.Result {
	m, _ := models.Find(model)
	r, err := e.engine.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	return r
}

// What waits for something that would only come beyond the unwinding bound does not make
// an answer complete.
func TestWaitingForWhatTheBoundHides(t *testing.T) {
	for name, waits := range map[string][]string{
		"an assumption": {"r=x", "assume"},
		"a spin loop":   {"do", "r=x", "while not 2"},
	} {
		p := inIR(waits, []string{"count", "x=1", "x=2"})
		for _, e := range table {
			if e.Name != "axiomatic" && e.Name != "lazy-cseq" {
				continue
			}
			if r := answer(t, e, p, "sc"); r.Complete {
				t.Errorf("%s: %s says that it is complete, with %v", name, e.Name, r.States)
			}
		}
	}
}
