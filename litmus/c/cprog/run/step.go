package run

import (
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Bounds on the private steps of a thread.
const (
	localSteps = 10_000_000
	maxDepth   = 1000
)

// advance moves to the next step.
func (t *Thread) advance() { t.arrive(t.top().pc, t.top().pc+1) }

// Next runs the thread to its next observable action and returns the action without performing it. The engine performs
// it with Read, Pass, Spawn or Choose.
//
// Before each step, changes of lifetimes that are due are performed, each as an action of its own if other threads can
// see it. A thread that takes patience steps without an action may be in an endless loop. From then on, whenever the
// number of steps is a power of two, its state is remembered to compare later ones with (recur.go).
func (t *Thread) Next() (Action, error) {
	if !t.begun {
		return Action{Kind: ir.ActUnspawned, Scalar: -1}, nil
	}
	t.width, t.past, t.remembers, t.suspect = 1, nil, false, suspect{}
	for n := 0; ; n++ {
		if a, err := t.live(); err != nil {
			return Action{}, err
		} else if a != nil {
			return *a, nil
		}
		if t.stopped != nil && t.stopped.Kind == ir.ActFailed && t.sections > 0 { // see [code.Unit.HasRCU]
			return Action{Kind: ir.ActFence, Line: t.stopped.Line, Scalar: -1, Tags: c.RCUUnlock}, nil
		}
		if t.stopped != nil {
			return *t.stopped, nil
		}
		if n > localSteps {
			return Action{}, t.refuse("%s takes more than %d steps without an access to shared memory",
				t.p.Name(t.number), localSteps)
		}
		t.steps = n
		if n >= patience && n&(n-1) == 0 {
			t.remembers = true
		}
		a, err := t.step()
		if err != nil {
			return Action{}, err
		}
		if a != nil {
			return *a, nil
		}
	}
}

// step executes one step, or returns the observable action that it would perform.
//
// A step that returns an action for the engine to perform has not taken effect yet: Next returns the same action again
// until the engine performs it.
func (t *Thread) step() (*Action, error) {
	f := t.top()
	pc := f.pc
	if t.chosen > 0 {
		if a, err := t.needs(f.fn.Code[pc].Op); a != nil || err != nil {
			return a, err
		}
	}
	visible := func(a Action) (*Action, error) {
		a.Line = f.fn.Code[pc].Line
		if a.Kind != ir.ActFence {
			a.Scalar = -1
		}
		return &a, nil
	}
	failing := func(a Action) (*Action, error) {
		a = t.stop(a)
		return &a, nil
	}
	switch o := f.fn.Code[pc].Op.(type) {
	case code.Assign:
		unset := t.holes(o.Value)
		n, err := t.numberOf(o.Value)
		if err != nil {
			return nil, err
		}
		t.set(o.Dst, t.eval(o.Value, 0), t.tainted())
		f.unset[o.Dst] = unset
		f.frees(o.Dst, n)
	case code.Locate:
		if o.Fn != nil {
			t.set(o.Dst, t.p.addressOf(o.Fn), nil)
		} else {
			t.set(o.Dst, t.p.variable(o.Of, t.number, t.depth).base, nil)
		}
	case code.Choose:
		t.anything(o.Dst)
	case code.Begin:
		t.renew(o.Of)
	case code.Load:
		return t.load(o)
	case code.Store:
		return t.store(o)
	case code.Update:
		return t.update(o)
	case code.Fence:
		if t.single {
			break
		}
		if o.Addr != nil {
			addr := t.eval(o.Addr, 0)
			b, failed := t.reach(addr, 32)
			if failed != nil {
				return failed, nil
			}
			at, err := t.user(b, int(addr-b.base), 32, true)
			if err != nil {
				return nil, err
			}
			return visible(Action{Kind: ir.ActFence, Scalar: at.scalar, Tags: t.tags().read})
		}
		return visible(Action{Kind: ir.ActFence, Scalar: -1, Tags: t.tags().read})
	case code.Branch:
		if t.chosen > 0 && t.eitherWay(o) {
			return nil, t.either(o)
		}
		t.tested(f.fn.exits[pc])
		if o.Cond == nil || t.eval(o.Cond, 0) == 1 {
			t.arrive(pc, o.Target)
			return nil, nil
		}
	case code.Call:
		fn := o.Fn
		if fn == nil {
			if fn = t.p.functionAt(t.eval(o.Target, 0)); fn == nil || len(fn.Params) < len(o.Args) {
				return failing(t.undefined("the pointer points to no function"))
			}
		}
		if t.depth >= maxDepth {
			return failing(Action{Kind: ir.ActUnwound})
		}
		args, tainted, open := make([]uint64, len(o.Args)), make([]sources, len(o.Args)), make([]*number, len(o.Args))
		for i, x := range o.Args {
			args[i], tainted[i] = t.eval(x, 0), t.taints(x)
			if i < len(fn.Params) {
				var err error
				if open[i], err = t.numberOf(fit(x, fn.Regs[fn.Params[i]].Bits)); err != nil {
					return nil, err
				}
			}
		}
		t.enter(t.p.function(fn), args, tainted, o.Dst)
		for i, n := range open {
			if n != nil {
				t.top().frees(fn.Params[i], n)
			}
		}
		return nil, t.locals(t.depth, 1)
	case code.Ret:
		if o.Value == nil && f.fn.Result > 0 && f.dst >= 0 && t.depth > 1 {
			return failing(Action{Kind: ir.ActFailed, Property: ir.Undefined, Text: code.NoValue(f.fn.Function)})
		}
		v := uint64(0)
		if o.Value != nil {
			v = t.eval(o.Value, 0)
		}
		n, err := t.numberOf(o.Value)
		if err != nil {
			return nil, err
		}
		return t.leave(v, n)
	case code.Exit:
		if t.number == 0 && slices.Contains(t.p.Properties, ir.Leak) {
			return nil, t.refuse(elaborate.LeavesMain)
		}
		if t.p.Last && t.number == 0 {
			return nil, t.refuse("main ends here without returning, so functions with attribute destructor would " +
				"run when the last thread ends, which is not supported: let main return")
		}
		v := uint64(0)
		if o.Value != nil {
			v = t.eval(o.Value, 0)
		}
		for depth := range t.depth {
			if err := t.locals(depth+1, 0); err != nil {
				return nil, err
			}
		}
		return nil, t.end(v)
	case code.Allocate:
		if err := t.allocate(o); err != nil {
			return nil, err
		}
	case code.Extent:
		addr := t.eval(o.Addr, 0)
		b := t.p.blockAt(addr)
		if b == nil || !b.heap || b.stack || b.base != addr {
			return failing(t.undefined(elaborate.NotAllocated))
		}
		t.set(o.Dst, uint64(b.size), nil)
	case code.Free:
		return t.free(t.eval(o.Addr, 0))
	case code.Spawn:
		if t.inside > 0 {
			return nil, t.refuse("this starts a thread in an atomic section: this engine does not support that")
		}
		fn := o.Fn
		if fn == nil {
			if fn = t.p.functionAt(t.eval(o.Target, 0)); fn == nil {
				return failing(t.undefined("the pointer points to no function"))
			}
		}
		return visible(Action{Kind: ir.ActSpawn, Other: t.p.threadOf(t.number, t.spawned, fn)})
	case code.Join:
		n := int(t.eval(o.Handle, 0)) - 1
		if n < 0 || n >= t.p.Threads() {
			break // no such thread exists
		}
		if t.inside > 0 {
			return nil, t.refuse("this waits for a thread in an atomic section: this engine does not support that")
		}
		return visible(Action{Kind: ir.ActJoin, Other: n})
	case code.Self:
		if o.Most > 0 && t.number >= o.Most {
			return nil, t.refuse(code.TooManyWait, o.Most)
		}
		t.set(o.Dst, uint64(t.number+1), nil)
	case code.Assume:
		if t.eval(o.Cond, 0) != 1 {
			return failing(
				Action{
					Kind: ir.ActBlocked, Waits: o.Wait, Since: t.attempt.passed,
					Weak: t.spurious > t.attempt.spurious,
				})
		}
	case code.Life:
		if o.Of == nil {
			at := t.eval(o.Array, 0)
			if err := t.unstack(func(s stacked) bool {
				s.block.brief = s.block.brief || s.block.base == at
				return s.block.base == at
			}); err != nil {
				return nil, err
			}
			break
		}
		b := t.p.variable(o.Of, t.number, t.depth)
		b.brief = b.brief || o.Ends
		if err := t.local(b, 1-truth(o.Ends)); err != nil {
			return nil, err
		}
	case code.Attempt:
		t.attempt = attempt{t.passed, t.spurious}
	case code.Unsupported:
		return nil, t.refuse("%s", o.Text)
	case code.Assert:
		if t.eval(o.Cond, 0) != 1 {
			a := Action{Kind: ir.ActFailed, Property: o.Property, Text: o.Text}
			if !slices.Contains(t.p.Properties, o.Property) {
				switch o.Property {
				case ir.Overflow:
					t.advance()
					return nil, nil
				case ir.Assertion:
					a = Action{Kind: ir.ActBlocked} // like abort
				default:
					a.Property = ir.Undefined
				}
			}
			return failing(a)
		}
	case code.Section:
		if o.End && t.inside == 0 {
			return nil, t.refuse("this ends an atomic section that has not begun")
		}
		if kind := enterOrLeave(o); !t.single && (t.inside == 0 || o.End && t.inside == 1) {
			return visible(Action{Kind: kind})
		}
		t.section(o)
	case code.Bound:
		t.bound = max(o.Rounds, 1)
	}
	t.advance()
	return nil, nil
}

func enterOrLeave(o code.Section) ir.ActionKind {
	if o.End {
		return ir.ActLeave
	}
	return ir.ActEnter
}

// section enters or leaves an atomic section.
func (t *Thread) section(o code.Section) {
	t.effects++
	if o.End {
		t.inside--
	} else {
		t.inside++
	}
}

// Choose makes the current choice.
func (t *Thread) Choose(yes bool) {
	t.passed++
	if t.question != nil {
		t.decide(yes)
		return
	}
	t.pending = &pending{asked: true, fails: yes}
	if yes {
		t.spurious++
	}
}

// Pass moves past the current store, fence, spawn or join. result is the result of the joined thread.
func (t *Thread) Pass(result uint64) {
	t.passed += t.width
	if len(t.due) > 0 {
		t.due = t.due[1:]
		t.effects++
		return
	}
	if t.stopped != nil {
		t.sections--
		return
	}
	f := t.top()
	switch o := f.fn.Code[f.pc].Op.(type) {
	case code.Fence:
		switch {
		case slices.Equal(o.Tags, c.RCULock):
			t.sections++
		case slices.Equal(o.Tags, c.RCUUnlock) && t.sections > 0:
			t.sections--
		}
	case code.Store:
		t.effects++
	case code.Section:
		t.section(o)
	case code.Join:
		t.effects++
		if o.Dst >= 0 {
			t.set(o.Dst, result&ir.Mask(f.fn.Regs[o.Dst].Bits), sources{})
		}
	}
	t.advance()
}

// Spawn moves past the current spawn and returns the call with which the new thread begins.
func (t *Thread) Spawn(other int) *Call {
	f := t.top()
	o := f.fn.Code[f.pc].Op.(code.Spawn)
	fn := o.Fn
	if fn == nil {
		fn = t.p.functionAt(t.eval(o.Target, 0))
	}
	c := &Call{fn: fn}
	for _, x := range o.Args {
		c.args = append(c.args, t.eval(x, 0))
	}
	if t.image == nil {
		t.image = &Image{}
		t.image.memory.copyFrom(&t.memory)
		for _, c := range t.cells {
			t.image.open = append(t.image.open, c.block)
		}
	}
	t.single = false
	c.image = t.image
	t.spawned++
	t.passed++
	t.effects++
	if o.Handle >= 0 {
		t.set(o.Handle, uint64(other+1), nil)
	}
	t.advance()
	return c
}

// leave returns from a call.
func (t *Thread) leave(v uint64, open *number) (*Action, error) {
	dst, taint := t.top().dst, t.tainted()
	if t.number > 0 || t.depth > 1 { // otherwise the program ends
		if err := t.locals(t.depth, 0); err != nil {
			return nil, err
		}
	}
	if t.depth == 1 {
		if t.number == 0 && slices.Contains(t.p.Properties, ir.Leak) {
			if a, err := t.unfreed(); a != nil || err != nil {
				return a, err
			}
		}
		return nil, t.end(v)
	}
	t.depth--
	if dst >= 0 {
		t.set(dst, v, taint)
		t.top().frees(dst, open)
	}
	t.advance()
	return nil, nil
}

func (t *Thread) end(v uint64) error {
	if err := t.endThreadLocals(); err != nil {
		return err
	}
	t.result, t.ended = v, true
	t.stop(Action{Kind: ir.ActEnd})
	return nil
}

// allocate executes an allocation. The block depends on the thread, the place, the number of the allocation there, and
// the size, so that it has the same address in every run.
func (t *Thread) allocate(o code.Allocate) error {
	f := t.top()
	size := t.eval(o.Size, 0)
	if size > maxBlock {
		return t.refuse("this allocates %d bytes; at most %d are supported", size, maxBlock)
	}
	at := place{f.fn.Function, f.pc}
	i := slices.IndexFunc(t.made, func(m made) bool { return m.at == at })
	if i < 0 {
		i = len(t.made)
		t.made = append(t.made, made{at, 0})
	}
	t.made[i].n++
	known := len(t.p.blocks)
	b := t.p.allocation(blockKey{t.number, at, t.made[i].n, int(size)}, o, t.line())
	t.set(o.Dst, b.base, nil)
	if b.stack {
		t.stack = append(t.stack, stacked{b, t.depth})
	}
	if !b.owed {
		return nil
	}
	if t.p.looked && len(t.p.blocks) > known && t.number > 0 {
		return Anew // main has returned without checking this block
	}
	t.due = append(t.due, ending{b, given, 1, t.line()})
	return nil
}
