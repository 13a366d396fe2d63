package irtest

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// Model is a memory model of store buffers.
type Model string

// The machines.
const (
	SC  Model = "sc"
	TSO Model = "tso"
	PSO Model = "pso"
)

// Reached is what the runs of a program reach. The program has no loops and no locations with any initial value.
type Reached struct {
	Fails   bool // an assertion does
	Unwound bool // a thread comes to the unwinding bound
}

// Run executes a program in every interleaving, in the simplest way. Threads stop where an assumption or an assertion
// is false. It shares only the cursor with engines.
func Run(p *ir.Program, m Model) Reached {
	r := &runner{model: m, seen: map[string]bool{}}
	start := world{inside: -1}
	for _, l := range p.Locs {
		start.memory = append(start.memory, l.Init)
	}
	for t := range p.Threads {
		start.threads = append(start.threads, *ir.NewCursor(p, t, false))
	}
	start.buffers, start.epochs = make([][]pending, len(p.Threads)), make([]int, len(p.Threads))
	r.visit(start)
	return r.Reached
}

type runner struct {
	Reached
	model Model
	seen  map[string]bool
}

type world struct {
	memory  []uint64
	threads []ir.Cursor
	buffers [][]pending
	epochs  []int // by thread: number of ww fences it has passed
	inside  int
}

type pending struct {
	loc     int
	value   uint64
	epoch   int
	release bool // it leaves after all earlier stores
	awaited bool // loads wait for it
}

func (w world) clone() world {
	out := world{memory: append([]uint64(nil), w.memory...), epochs: append([]int(nil), w.epochs...), inside: w.inside}
	for t := range w.threads {
		c := w.threads[t]
		c.Regs = append([]uint64(nil), c.Regs...)
		out.threads = append(out.threads, c)
		out.buffers = append(out.buffers, append([]pending(nil), w.buffers[t]...))
	}
	return out
}

// visit explores all interleavings from a state that has not been visited yet.
func (r *runner) visit(w world) {
	actions := make([]ir.Action, len(w.threads))
	key := fmt.Sprint(w.memory, w.buffers, w.epochs, w.inside)
	for t := range w.threads {
		actions[t], _ = w.threads[t].Next()
		key += fmt.Sprint(w.threads[t].PC, w.threads[t].Regs)
	}
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	for t, a := range actions {
		r.Fails = r.Fails || a.Kind == ir.ActFailed
		if a.Kind == ir.ActUnwound && !w.threads[t].Thread.Code[a.Step].Op.(ir.Unwound).Spin {
			r.Unwound = true
		}
		if w.inside >= 0 && w.inside != t {
			continue
		}
		r.act(w, t, a)
		for i := range w.buffers[t] {
			if r.leaves(w.buffers[t], i) {
				n := w.clone()
				e := n.buffers[t][i]
				n.memory[e.loc] = e.value
				n.buffers[t] = append(n.buffers[t][:i], n.buffers[t][i+1:]...)
				r.visit(n)
			}
		}
	}
}

// leaves reports whether a pending store may go to memory.
func (r *runner) leaves(b []pending, i int) bool {
	for _, before := range b[:i] {
		if r.model == TSO || before.loc == b[i].loc || before.epoch < b[i].epoch || b[i].release {
			return false
		}
	}
	return true
}

// act executes a thread's next instruction unless it must wait.
func (r *runner) act(w world, t int, a ir.Action) {
	drained := len(w.buffers[t]) == 0
	n := w.clone()
	c := &n.threads[t]
	switch a.Kind {
	case ir.ActStore:
		c.Pass()
		if r.model == SC {
			n.memory[a.Loc] = a.Value
		} else {
			n.buffers[t] = append(n.buffers[t], pending{a.Loc, a.Value, n.epochs[t], a.Tags.Has(ir.TagRelease), false})
		}
	case ir.ActLoad:
		v := n.memory[a.Loc]
		for _, e := range n.buffers[t] {
			if e.awaited {
				return
			}
			if e.loc == a.Loc {
				v = e.value
			}
		}
		c.Read(v)
	case ir.ActRMW:
		if !drained {
			return
		}
		if v, writes := c.Read(n.memory[a.Loc]); writes {
			n.memory[a.Loc] = v
		}
	case ir.ActFence:
		wr, ww := a.Tags.Has(ir.TagWR), a.Tags.Has(ir.TagWW)
		switch {
		case wr && (ww || r.model == TSO):
			if !drained {
				return
			}
		case wr:
			for i := range n.buffers[t] {
				n.buffers[t][i].awaited = true
			}
		case ww:
			n.epochs[t]++
		}
		c.Pass()
	case ir.ActChoose:
		other := n.clone()
		other.threads[t].Choose(true)
		r.visit(other)
		c.Choose(false)
	case ir.ActSpawn:
		if !drained {
			return
		}
		n.threads[a.Other].Start(c.Arguments())
		c.Pass()
	case ir.ActJoin:
		other := &w.threads[a.Other]
		if !drained || other.PC < len(other.Thread.Code) || len(w.buffers[a.Other]) > 0 {
			return
		}
		c.Pass()
	case ir.ActEnter, ir.ActLeave:
		if !drained {
			return
		}
		if n.inside = t; a.Kind == ir.ActLeave {
			n.inside = -1
		}
		c.Pass()
	default:
		return
	}
	r.visit(n)
}
