package graphs

import (
	"slices"

	"litmuscope/litmus/ir"
)

// program is what is explored.
type program struct {
	*ir.Program
	track bool        // dependencies count, or there are events for their sake
	sets  [][]classes // by thread and step, what its events are to the model
}

// classes are the tagged sets that the events of a step are in; of an update's write, second.
type classes struct{ first, second uint64 }

func newProgram(p *ir.Program, f *formula) *program {
	of := func(tags ir.Tags) (sets uint64) {
		for i, t := range f.tags {
			if tags.Has(t) {
				sets |= 1 << i
			}
		}
		return sets
	}
	out := &program{Program: p, track: f.deps || present(p)(ir.TagPick)}
	for _, th := range p.Threads {
		all := make([]classes, len(th.Code))
		for i, s := range th.Code {
			first, second := tagsOf(s.Op)
			all[i] = classes{of(first), of(second)}
		}
		out.sets = append(out.sets, all)
	}
	return out
}

func (p *program) size() int { return len(p.Threads) }

// tagsOf are those of the events of an operation.
func tagsOf(op ir.Op) (first, second ir.Tags) {
	switch op := op.(type) {
	case ir.Load:
		return op.Tags, nil
	case ir.Store:
		return op.Tags, nil
	case ir.StoreCond:
		return op.Tags, nil
	case ir.RMW:
		return op.Tags, op.WriteTags
	case ir.Fence:
		return op.Tags, nil
	case ir.Pick:
		return ir.Tags{ir.TagPick}, nil
	}
	return ir.BarrierTags(op), nil
}

// present tells which tags events of a program may have.
func present(p *ir.Program) func(ir.Tag) bool {
	has := map[ir.Tag]bool{}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			first, second := tagsOf(s.Op)
			for _, t := range slices.Concat(first, second) {
				has[t] = true
			}
		}
	}
	return func(t ir.Tag) bool { return has[t] }
}

// thread is a thread where a graph has it.
type thread struct {
	cursor  ir.Cursor
	next    ir.Action // what it comes to, once it has looked
	looked  bool
	spawner int32    // the event; -1 for none
	args    []uint64 // what its registers begin with, of one that is spawned; never changed
	// An update that has read, and is to write: its read, -1 for none, and what it writes.
	half    int32
	written uint64
	// read are, by number, the places in the thread of what dependencies come from.
	read []int32
	deps ir.Deps // of the write of an update
}

func (th *thread) begin(p *program, t int) {
	fresh := ir.NewCursor(p.Program, t, p.track)
	th.cursor.Set(fresh)
	th.looked, th.spawner, th.args, th.half, th.read = false, -1, nil, -1, th.read[:0]
}

func (th *thread) set(from *thread) {
	th.cursor.Set(&from.cursor)
	th.next, th.looked, th.spawner, th.args = from.next, from.looked, from.spawner, from.args
	th.half, th.written, th.deps = from.half, from.written, from.deps
	th.read = append(th.read[:0], from.read...)
}

// start begins a thread that is spawned.
func (th *thread) start(by int32, args []uint64) {
	th.spawner, th.args, th.looked = by, args, false
	th.cursor.Start(args)
}

// look runs the thread to what it does next.
func (th *thread) look() error {
	if th.looked || th.half >= 0 {
		return nil
	}
	var err error
	th.next, err = th.cursor.Next()
	th.looked = err == nil
	return err
}

// take moves the thread past an event, which is what it has come to.
func (th *thread) take(g *graph, id int32) {
	e := &g.events[id]
	a := &th.next
	place := e.pos
	switch {
	case th.half >= 0:
		th.half = -1
		return
	case a.Kind == ir.ActLoad, a.Kind == ir.ActRMW:
		written, writes := th.cursor.Read(e.value)
		if writes {
			th.half, th.written = id, written
			th.deps = ir.Deps{Addr: a.Deps.Addr, Ctrl: a.Deps.Ctrl, Data: th.cursor.Data}
		}
		th.read = append(th.read, place)
	case a.Kind == ir.ActStoreCond:
		if e.kind == choice {
			place = -1
		}
		th.cursor.Conditional(e.kind != choice)
		th.read = append(th.read, place)
	case a.Kind == ir.ActChoose:
		th.cursor.Choose(e.value == 1)
	case a.Kind == ir.ActPick:
		th.cursor.Pass()
		th.read = append(th.read, place)
	case a.Kind == ir.ActSpawn:
		if other := &g.threads[a.Other]; other.spawner < 0 {
			other.start(id, th.cursor.Arguments())
		}
		th.cursor.Pass()
	default:
		th.cursor.Pass()
	}
	th.looked = false
}

// places are the events that dependencies come from, by place in the thread.
func (th *thread) places(d ir.Deps) *deps {
	of := func(numbers []int) (out []int32) {
		for _, n := range numbers {
			if th.read[n] >= 0 {
				out = append(out, th.read[n])
			}
		}
		return out
	}
	if len(d.Addr)+len(d.Data)+len(d.Ctrl) == 0 {
		return nil
	}
	return &deps{of(d.Addr), of(d.Data), of(d.Ctrl)}
}

// conditional tells a store-conditional's write from that of an update.
func (p *program) conditional(e *event) bool {
	_, is := p.Threads[e.thread].Code[e.step].Op.(ir.StoreCond)
	return is
}
