package graphs

import (
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
)

// traced is a graph of a C program as an execution of a program that does what its threads have done, step by step, and nothing else.
func (p *cprogram) traced(g *graph, file string) (*models.Execution, error) {
	out := &ir.Program{File: file, Arch: "C", Name: p.Name(0), Addresses: p.Names()}
	out.Split = p.Mixed()
	out.Condition = litmus.Condition{Quantifier: litmus.Forall, Prop: litmus.And{}}
	for i := range p.Scalars {
		s := &p.Scalars[i]
		v, set := p.begins(g, int32(i))
		out.Locs = append(out.Locs, ir.Location{Name: s.Name, Bits: s.Bits, Address: s.Address, Init: v, Signed: true, Any: !set, Next: s.Next, Life: s.Life})
	}
	reads := make([][]uint64, p.Threads()) // there is room in the graph for more
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
		th.Regs, reads[t] = g.retrace(t, out.Locs, func(at int32, op ir.Op) { add(int(at), op) })
		never := ir.Number(0, 1)
		switch th2 := &g.threads[t]; {
		case !th2.looked || th2.half >= 0: // it goes on, if it is there
			if n := len(g.order[t]); n > 0 {
				add(int(g.events[g.order[t][n-1]].step), ir.Assume{Cond: never})
			} else if th2.spawner >= 0 {
				add(int(g.events[th2.spawner].step), ir.Assume{Cond: never})
			}
		default:
			switch a := th2.run.(*interpreter).act; a.Kind {
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
				if other := &g.threads[a.Other]; other.looked && other.next.kind == ir.ActEnd { // it could go on
					add(a.Line, ir.Assume{Cond: never})
				} else {
					add(a.Line, ir.Join{Thread: a.Other})
				}
			case ir.ActEnd, ir.ActUnspawned:
			default:
				add(a.Line, ir.Assume{Cond: never}) // it could go on
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

// retrace hands on, operation by operation, what a thread has done in a graph. It gives the registers of that, and what is read.
func (g *graph) retrace(t int, locs []ir.Location, add func(at int32, op ir.Op)) (regs []ir.Register, reads []uint64) {
	list := g.order[t]
	for k, id := range list {
		e := &g.events[id]
		if e.piece > 0 {
			continue
		}
		behind := k + max(len(e.whole), 1)
		var addr ir.Expr
		bits := 0
		if e.loc >= 0 {
			addr, bits = ir.Number(locs[e.loc].Address, 64), locs[e.loc].Bits
		}
		for _, q := range e.whole[min(1, len(e.whole)):] {
			bits += q.Bits
		}
		value := g.whole(id)
		switch e.kind {
		case read:
			dst := len(regs)
			regs = append(regs, ir.Register{Bits: bits})
			reads = append(reads, value)
			if behind < len(list) {
				if w := &g.events[list[behind]]; w.half == id {
					add(e.step, ir.RMW{Dst: dst, Addr: addr, Bits: bits, New: ir.Number(g.whole(list[behind]), bits), Tags: e.tags, WriteTags: w.tags})
					continue
				}
			}
			add(e.step, ir.Load{Dst: dst, Addr: addr, Bits: bits, Tags: e.tags})
		case write:
			if half := e.half; half < 0 || int(g.events[half].pos)+max(len(e.whole), 1) != k {
				add(e.step, ir.Store{Addr: addr, Value: ir.Number(value, bits), Tags: e.tags})
			}
		case fence:
			add(e.step, ir.Fence{Tags: e.tags, Addr: addr})
		case spawn:
			add(e.step, ir.Spawn{Thread: int(e.other)})
		case join:
			add(e.step, ir.Join{Thread: int(e.other)})
		case enter, leave:
			add(e.step, ir.Atomic{End: e.kind == leave})
		}
	}
	return regs, reads
}

// threadName tells threads of one function apart.
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
