package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Lives of memory, where they are followed: behind each block there are bytes that go with it. Who accesses a block
// reads before whether it is alive, and who ends its life writes that, so that one may come before the other in some
// graph, and the two race where neither happens before the other (see [ir.Location]).

// The bytes that go with a block, as offsets from its end.
const (
	alive      = iota // 1 until its life ends
	given             // 1 once it has been allocated, where it is asked whether it is freed
	companions        // how many there are
)

// life is what is known of the lives of all blocks that come to be at one place.
type life struct {
	watched bool // others access them than the call that they are locals of, or they are none
	ends    bool
}

// ending is a life that is to begin anew, or to end, before the thread goes on; or memory that is given.
type ending struct {
	block *block
	byte  int
	is    uint64
	line  int
}

// lifeOf is what is known of a place.
func (p *Program) lifeOf(key blockKey) *life {
	if p.ends[key.of] == nil {
		p.ends[key.of] = &life{}
	}
	return p.ends[key.of]
}

// lifeTags are those of accesses of the byte that is 1 until a life ends, where they may race.
func (t *Thread) lifeTags(write bool) ir.Tags {
	return elaborate.Tags(t.p.Options, t.how(elaborate.LifeAccess(true), write), write, false)
}

// stacked is what a call has allocated that ends with it, by the call's depth.
type stacked struct {
	block *block
	depth int
}

// holds tells whether a block ends with a call that the thread is in.
func (t *Thread) holds(b *block) bool {
	return b.stack && slices.ContainsFunc(t.stack, func(s stacked) bool { return s.block == b })
}

// unstack ends the lives of what has been allocated that are to end.
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

// own tells whether a block is a local of a call that the thread is in, and of a block of that which has not ended, or
// a variable of the thread's own.
func (t *Thread) own(b *block) bool {
	return t.holds(b) || b.own && b.thread == t.number || b.local != nil && b.thread == t.number &&
		b.depth <= t.depth && slices.Contains(t.frames[b.depth-1].fn.Locals, b.local) && !slices.Contains(t.dead, b)
}

// alive has an access of a block wait until it is known whether that is alive, and fail where it is not.
func (t *Thread) alive(b *block) (*Action, error) {
	if t.checked || b.local == nil && b.life == nil && !b.own && !b.stack || t.own(b) {
		return nil, nil
	}
	if b.life == nil {
		t.p.Mortal = t.p.Mortal || b.stack || b.thread > 0 || b.depth > 1 || b.brief // else the program ends with it
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
	return t.judge(b, is), nil
}

// judge fails where a block is not alive.
func (t *Thread) judge(b *block, is uint64) *Action {
	if is == 1 {
		t.checked = true
		return nil
	}
	text := "freed memory is accessed"
	if b.own {
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

// ends notes that lives of a place end.
func (t *Thread) ends(b *block) error {
	if b.life.ends {
		return nil
	}
	if b.life.ends = true; b.life.watched && !t.single {
		return Anew
	}
	return nil
}

// local ends the life of a local, or begins another one.
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

// locals ends the lives of a call's, or begins those of one that has been called before.
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

// ownLives ends the lives of the variables that the thread alone has.
func (t *Thread) ownLives() error {
	if !t.p.FollowsLives() {
		return nil
	}
	for _, b := range t.p.blocks {
		if b.own && b.thread == t.number {
			if err := t.local(b, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// live writes what is due of lives.
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

// free ends the life of what was allocated.
func (t *Thread) free(addr uint64) (*Action, error) {
	if addr == 0 {
		t.advance()
		return nil, nil
	}
	if !t.p.FollowsLives() {
		t.p.Mortal = true
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

// freed moves past a free of what was alive, or not.
func (t *Thread) freed(is uint64) *Action {
	t.effects++
	if is == 1 {
		t.advance()
		return nil
	}
	a := t.stop(t.undefined("the memory is already freed"))
	return &a
}

// sweep is how far main has come, where it returns, that looks whether what has been given has been freed.
type sweep struct {
	block int  // the one at hand, of the program's
	given bool // it has been
	reads bool // others may change what is read next
}

// unfreed has main fail, where it returns, as long as it may see memory that has been given and not been freed.
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

// look takes what main has read of the block at hand.
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
