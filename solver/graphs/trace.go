package graphs

import (
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/graphs/graph"
)

// traced returns the execution of a C program's graph: an execution of a program that does what the threads have done,
// step by step, and nothing else. So loops, calls and pointers are gone, and package models can check it like any other
// execution. A thread that stopped ends with the operation that stopped it.
func (p *cprogram) traced(g *graph.Graph, file string) (*models.Execution, error) {
	out := &ir.Program{File: file, Arch: "C", Name: p.Name(0), Addresses: p.Names()}
	out.Split = p.Mixed()
	out.Condition = litmus.Condition{Quantifier: litmus.Forall, Prop: litmus.And{}}
	for i := range p.Scalars {
		s := &p.Scalars[i]
		v, set := p.InitialValue(g, int32(i))
		out.Locs = append(out.Locs,
			ir.Location{
				Name: s.Name, Bits: s.Bits, Address: s.Address, Init: v, Signed: true, Any: !set, Next: s.Next,
				Life: s.Life,
			})
	}
	reads := make([][]uint64, p.Threads()) // the graph may have room for more
	for t := range reads {
		th := ir.Thread{ID: t, Name: p.threadName(t), Spawned: t > 0}
		sources := map[int]int{}
		add := func(line int, op ir.Op) {
			n, ok := sources[line]
			if !ok {
				n = len(th.Source)
				sources[line] = n
				th.Source = append(th.Source, p.Lines[line])
			}
			th.Code = append(th.Code, ir.Step{Op: op, Source: n})
		}
		th.Regs, reads[t] = retrace(g, t, out.Locs, func(at int32, op ir.Op) { add(int(at), op) })
		never := ir.Number(0, 1)
		switch th2 := &g.Threads[t]; {
		case !th2.Looked || th2.Half >= 0: // it can continue, if it has started
			if n := len(g.Order[t]); n > 0 {
				add(int(g.Events[g.Order[t][n-1]].Step), ir.Assume{Cond: never})
			} else if th2.Spawner >= 0 {
				add(int(g.Events[th2.Spawner].Step), ir.Assume{Cond: never})
			}
		default:
			switch a := th2.Run.(*interpreter).act; a.Kind {
			case ir.ActFailed:
				add(a.Line, ir.Assert{Cond: never, Property: a.Property, Text: a.Text})
			case ir.ActBlocked:
				if p.ends && a.Spins {
					add(a.Line, ir.Unwound{Spin: !a.Endless, Again: a.Endless})
				} else {
					add(a.Line, ir.Assume{Cond: never, Wait: a.Waits})
				}
			case ir.ActUnwound:
				add(a.Line, ir.Unwound{Again: p.ends})
			case ir.ActJoin:
				if other := &g.Threads[a.Other]; other.Looked && other.Next.Kind == ir.ActEnd { // it can continue
					add(a.Line, ir.Assume{Cond: never})
				} else {
					add(a.Line, ir.Join{Thread: a.Other})
				}
			case ir.ActEnd, ir.ActUnspawned:
			default:
				add(a.Line, ir.Assume{Cond: never}) // it can continue
			}
		}
		out.Threads = append(out.Threads, th)
	}
	x, err := replay.Run{Reads: reads}.Replay(out)
	if err != nil {
		return nil, fmt.Errorf("BUG: a trace does not replay: %w", err)
	}
	return x, fill(x, g)
}

// Replaying the trace checks the exploration: the replayed program must have the same events with the same values,
// and relate reports a BUG if their number differs. The trace is also what answers show, with the source line of each
// step.

// retrace calls add for each operation that a thread has executed in a graph. It returns the thread's registers and
// the values of its reads.
func retrace(
	g *graph.Graph, t int, locs []ir.Location, add func(at int32, op ir.Op),
) (regs []ir.Register, reads []uint64) {
	list := g.Order[t]
	for k, id := range list {
		e := &g.Events[id]
		if e.Piece > 0 {
			continue
		}
		behind := k + max(len(e.Whole), 1)
		var addr ir.Expr
		bits := 0
		if e.Loc >= 0 {
			addr, bits = ir.Number(locs[e.Loc].Address, 64), locs[e.Loc].Bits
		}
		for _, q := range e.Whole[min(1, len(e.Whole)):] {
			bits += q.Bits
		}
		value := g.Whole(id)
		switch e.Kind {
		case graph.Read:
			dst := len(regs)
			regs = append(regs, ir.Register{Bits: bits})
			reads = append(reads, value)
			if behind < len(list) {
				if w := &g.Events[list[behind]]; w.Half == id {
					add(e.Step,
						ir.RMW{
							Dst: dst, Addr: addr, Bits: bits, New: ir.Number(g.Whole(list[behind]), bits),
							Tags: e.Tags, WriteTags: w.Tags,
						})
					continue
				}
			}
			add(e.Step, ir.Load{Dst: dst, Addr: addr, Bits: bits, Tags: e.Tags})
		case graph.Write:
			if half := e.Half; half < 0 || int(g.Events[half].Pos)+max(len(e.Whole), 1) != k {
				add(e.Step, ir.Store{Addr: addr, Value: ir.Number(value, bits), Tags: e.Tags})
			}
		case graph.Fence:
			add(e.Step, ir.Fence{Tags: e.Tags, Addr: addr})
		case graph.Spawn:
			add(e.Step, ir.Spawn{Thread: int(e.Other)})
		case graph.Join:
			add(e.Step, ir.Join{Thread: int(e.Other)})
		case graph.Enter, graph.Leave:
			add(e.Step, ir.Atomic{End: e.Kind == graph.Leave})
		}
	}
	return regs, reads
}

// threadName numbers the threads that run the same function.
func (p *cprogram) threadName(t int) string {
	if t >= p.Threads() {
		return ""
	}
	same, before := 0, 0
	for i := range p.Threads() {
		if p.Name(i) == p.Name(t) {
			if same++; i < t {
				before++
			}
		}
	}
	if same == 1 {
		return p.Name(t)
	}
	return fmt.Sprintf("%s %d", p.Name(t), before+1)
}
