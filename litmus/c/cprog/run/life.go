package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Lifetimes of memory, if they are tracked. After each block there are companion bytes. An access to a block first
// reads whether the block is alive; the end of the lifetime writes that byte. So either may come first in an execution
// graph, and the two race if neither happens before the other (see [ir.Location]).
//
// A lifetime is tracked only if its end can matter: it ends (life.ends), and someone other than the call that declares
// the variable may access it (life.watched). Both are facts about the place that creates the blocks, and the one that
// is found last returns Anew, unless no access can have missed it. If the companion is shared, an access then takes two
// actions: alive returns the load of the companion, and when its value is delivered, checkAlive lets the access go on
// or fails.

// The companion bytes of a block, as offsets from its end.
const (
	alive      = iota // 1 until its life ends
	given             // 1 after its allocation, if the property is leak
	companions        // their number
)

// life contains the facts about the lifetimes of all blocks that one place creates.
type life struct {
	watched bool // they are not locals, or not only the declaring call accesses them
	ends    bool
}

// ending is the end or the beginning of a lifetime, or an allocation, that must be written before the thread continues.
type ending struct {
	block *block
	byte  int
	is    uint64
	line  int
}

// lifeOf returns the facts about a place.
func (p *Program) lifeOf(key blockKey) *life {
	if p.ends[key.of] == nil {
		p.ends[key.of] = &life{}
	}
	return p.ends[key.of]
}

// lifeTags returns the tags of accesses to the companion alive that may race.
func (t *Thread) lifeTags(write bool) ir.Tags {
	return elaborate.Tags(t.p.Options, t.how(elaborate.LifeAccess(true), write), write, false)
}

// stacked is an allocation that ends with a call, and the depth of the call.
type stacked struct {
	block *block
	depth int
}

// isOnStack reports whether a block ends with a call that the thread is in.
func (t *Thread) isOnStack(b *block) bool {
	return b.stack && slices.ContainsFunc(t.stack, func(s stacked) bool { return s.block == b })
}

// unstack ends the lifetimes of the selected allocations.
func (t *Thread) unstack(ends func(stacked) bool) error {
	for _, s := range t.stack {
		if ends(s) && t.p.FollowsLives() {
			if err := t.local(s.block, 0); err != nil {
				return err
			}
		}
	}
	t.stack = slices.DeleteFunc(t.stack, ends)
	return nil
}

// inScope reports whether a block is a local of a call and a scope that the thread is in, or a thread-local variable of
// this thread.
func (t *Thread) inScope(b *block) bool {
	return t.isOnStack(b) || b.threadLocal && b.thread == t.number || b.local != nil && b.thread == t.number &&
		b.depth <= t.depth && slices.Contains(t.frames[b.depth-1].fn.Locals, b.local) && !slices.Contains(t.dead, b)
}

// alive delays an access to a block until it is known whether the block is alive, and fails if it is not.
func (t *Thread) alive(b *block) (*Action, error) {
	if t.checked || b.local == nil && b.life == nil && !b.threadLocal && !b.stack || t.inScope(b) {
		return nil, nil
	}
	if b.life == nil {
		if b.stack || b.thread > 0 || b.depth > 1 || b.brief { // otherwise the program ends with it
			t.p.UncheckedLifetimes = true
		}
		return nil, nil
	}
	if !b.life.watched {
		if b.life.watched = true; b.life.ends {
			return nil, Anew
		}
	}
	if !b.life.ends {
		return nil, nil
	}
	at, err := t.user(b, b.size+alive, 8, false)
	if err != nil {
		return nil, err
	}
	if at.scalar >= 0 {
		t.asked = b
		return &Action{Kind: ir.ActLoad, Line: t.line(), Scalar: at.scalar, Tags: t.lifeTags(false)}, nil
	}
	is, _ := t.private(b, b.size+alive, 1)
	return t.checkAlive(b, is), nil
}

// checkAlive fails if a block is not alive.
func (t *Thread) checkAlive(b *block, is uint64) *Action {
	if is == 1 {
		t.checked = true
		return nil
	}
	text := "freed memory is accessed"
	if b.threadLocal {
		text = b.name + " is accessed after its thread has ended"
	}
	if b.local != nil || b.stack {
		text = b.name + " is accessed after the call that declares it has ended"
	}
	if slices.Contains(t.dead, b) && b.brief {
		text = b.name + " is accessed after the block that declares it has ended"
	}
	a := t.stop(t.undefined(text))
	return &a
}

// ends records that lifetimes of a place end.
func (t *Thread) ends(b *block) error {
	if b.life.ends {
		return nil
	}
	if b.life.ends = true; b.life.watched && !t.single {
		return Anew
	}
	return nil
}

// local ends or begins the lifetime of a local.
func (t *Thread) local(b *block, is uint64) error {
	if i := slices.Index(t.dead, b); is == 1 && i >= 0 {
		t.dead = slices.Delete(t.dead, i, i+1)
	} else if is == 0 && i < 0 {
		t.dead = append(t.dead, b)
	}
	if b.life == nil {
		return nil
	}
	if is == 0 {
		if err := t.ends(b); err != nil {
			return err
		}
	}
	if b.life.watched && b.life.ends {
		t.due = append(t.due, ending{b, alive, is, t.line()})
	}
	return nil
}

// locals ends the lifetimes of a call's locals, or begins those of a call at a depth that was used before.
func (t *Thread) locals(depth int, is uint64) error {
	if is == 0 {
		if err := t.unstack(func(s stacked) bool { return s.depth == depth }); err != nil {
			return err
		}
	}
	if !t.p.FollowsLives() {
		return nil
	}
	for _, v := range t.frames[depth-1].fn.Locals {
		if v.Static || v.PerThread {
			continue
		}
		b := t.p.variable(v, t.number, depth)
		if is == 1 && !slices.Contains(t.dead, b) {
			continue
		}
		if err := t.local(b, is); err != nil {
			return err
		}
	}
	return nil
}

// endThreadLocals ends the lifetimes of the thread's thread-local variables.
func (t *Thread) endThreadLocals() error {
	if !t.p.FollowsLives() {
		return nil
	}
	for _, b := range t.p.blocks {
		if b.threadLocal && b.thread == t.number {
			if err := t.local(b, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// live writes the pending changes of lifetimes.
func (t *Thread) live() (*Action, error) {
	for len(t.due) > 0 {
		d := t.due[0]
		at, err := t.user(d.block, d.block.size+d.byte, 8, false)
		if err != nil {
			return nil, err
		}
		if at.scalar >= 0 {
			a := &Action{Kind: ir.ActStore, Line: d.line, Scalar: at.scalar, Value: d.is}
			if d.byte == alive && d.is == 0 {
				a.Tags = t.lifeTags(true)
			}
			return a, nil
		}
		t.write(at, 1, d.is, 0, nil)
		t.due = t.due[1:]
	}
	return nil, nil
}

// free ends the lifetime of an allocation.
func (t *Thread) free(addr uint64) (*Action, error) {
	if addr == 0 {
		t.advance()
		return nil, nil
	}
	if !t.p.FollowsLives() {
		t.p.UncheckedLifetimes = true
		t.advance()
		return nil, nil
	}
	b := t.p.blockAt(addr)
	if b == nil || !b.heap || b.stack || b.base != addr {
		a := t.stop(t.undefined("the freed memory was not allocated"))
		return &a, nil
	}
	if err := t.ends(b); err != nil {
		return nil, err
	}
	at, err := t.user(b, b.size+alive, 8, false)
	if err != nil {
		return nil, err
	}
	if at.scalar >= 0 {
		return &Action{Kind: ir.ActRMW, Line: t.line(), Scalar: at.scalar}, nil
	}
	is, _ := t.private(b, b.size+alive, 1)
	t.write(at, 1, 0, 0, nil)
	return t.freed(is), nil
}

// freed continues after a free; is says whether the block was alive.
func (t *Thread) freed(is uint64) *Action {
	t.effects++
	if is == 1 {
		t.advance()
		return nil
	}
	a := t.stop(t.undefined("the memory is already freed"))
	return &a
}

// sweep is the progress of main when it returns and checks that all allocations are freed.
type sweep struct {
	block int  // index of the current block
	given bool // it has been
	reads bool // other threads may change the byte read next
}

// unfreed fails, when main returns, if it may read that an allocated block is not freed.
func (t *Thread) unfreed() (*Action, error) {
	t.p.looked = true
	for t.sweep.block < len(t.p.blocks) {
		b := t.p.blocks[t.sweep.block]
		if !b.owed {
			t.sweep.block++
			continue
		}
		offset := b.size + given
		if t.sweep.given {
			offset = b.size + alive
		}
		at, err := t.user(b, offset, 8, false)
		if err != nil {
			return nil, err
		}
		if at.scalar >= 0 {
			t.sweep.reads = true
			return &Action{Kind: ir.ActLoad, Line: b.line, Scalar: at.scalar}, nil
		}
		is, _ := t.private(b, offset, 1)
		if failed := t.look(is); failed != nil {
			return failed, nil
		}
	}
	return nil, nil
}

// look uses the value that main has read for the current block.
func (t *Thread) look(is uint64) (failed *Action) {
	switch b := t.p.blocks[t.sweep.block]; {
	case is == 0:
		t.sweep = sweep{block: t.sweep.block + 1}
	case !t.sweep.given:
		t.sweep.given = true
	default:
		a := t.stop(Action{Kind: ir.ActFailed, Property: ir.Leak, Text: elaborate.Unfreed(b.name)})
		a.Line = b.line
		t.stopped = &a
		return &a
	}
	return nil
}
