package run

import (
	"cmp"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Private and shared memory. An access is an action only if other threads may observe it. While main has not started a
// thread, none is. Later, a block has one user until a second thread accesses it, or until an access with a memory
// order reaches it, which is always an action. From then on, the block is shared and the access returns Anew, because
// accesses of the first user were not actions. A block that nobody may write, as a constant or a vtable, has no users:
// nobody can observe when it is read.
//
// A private access takes effect at once, in the memory of the thread. A shared one asks the engine: a load for its
// value, a read-modify-write for the value read, and Read then computes what it writes. The value of a shared store
// must be one number, so that bits which are still open are decided before it (anything.go).

// target is the memory that an access reaches.
type target struct {
	block  *block
	offset int
	scalar int // number of the scalar; -1 if only this thread accesses it
	pieces []ir.Piece
}

// action returns an access that other threads can observe.
func (t *Thread) action(kind ir.ActionKind, at target, tags ir.Tags) *Action {
	t.width = max(1, len(at.pieces))
	return &Action{Kind: kind, Line: t.line(), Scalar: at.scalar, Pieces: at.pieces, Tags: tags}
}

// find returns the memory that an access reaches. If there is none, or it is not alive, the thread fails; if the state
// of its lifetime must be read first, that action is returned.
func (t *Thread) find(addr uint64, bits int, ordered bool) (at target, first *Action, err error) {
	b, first := t.reach(addr, bits)
	if first == nil {
		at, err = t.user(b, int(addr-b.base), bits, ordered)
	}
	if first == nil && err == nil {
		first, err = t.alive(b)
	}
	return at, first, err
}

// reach returns the block of an access; without one, the thread fails.
func (t *Thread) reach(addr uint64, bits int) (b *block, failed *Action) {
	b = t.p.blockAt(addr)
	if b != nil && addr+uint64(bits/8) <= b.base+uint64(b.size) {
		return b, nil
	}
	text := "the pointer points to no memory"
	switch {
	case addr == 0:
		text = "the pointer is null"
	case b != nil || t.p.blockAt(addr-1) != nil:
		text = "the access leaves its object"
	}
	a := t.stop(t.undefined(text))
	return nil, &a
}

// user returns the part of a block that the thread accesses, and records that it does.
func (t *Thread) user(b *block, offset, bits int, ordered bool) (at target, err error) {
	at = target{block: b, offset: offset, scalar: -1}
	if t.single || !ordered && b.constant() {
		return at, nil
	}
	if !b.shared {
		if t.number > 0 && slices.Contains(t.image.open, b) { // main must decide on its open bits first
			b.shared = true
			return at, Anew
		}
		if b.user < 0 {
			b.user = t.number
		}
		if !ordered && b.user == t.number {
			return at, nil
		}
		b.shared = true
		return at, Anew
	}
	at.scalar, at.pieces, err = t.p.scalar(b, offset, bits)
	return at, err
}

// undefined ends the thread because its behaviour is undefined.
func (t *Thread) undefined(text string) Action {
	p := ir.Undefined
	if slices.Contains(t.p.Properties, ir.Memory) {
		p = ir.Memory
	}
	return Action{Kind: ir.ActFailed, Property: p, Text: text}
}

// fails ends the thread because it writes to read-only memory.
func (t *Thread) fails(why code.ReadOnly) (*Action, error) {
	a := t.stop(t.undefined(string(why)))
	return &a, nil
}

// private returns the contents of private memory of the thread.
func (t *Thread) private(b *block, offset, bytes int) (v uint64, unset holes) {
	return lookUp(b, offset, bytes, &t.memory, t.imaged())
}

func (t *Thread) imaged() *memory {
	if t.image == nil {
		return nil
	}
	return &t.image.memory
}

func (t *Thread) write(at target, bytes int, v uint64, unset holes, open *number) {
	if len(t.cells) > 0 || open != nil {
		t.cover(at, bytes, open)
	}
	was, had := t.private(at.block, at.offset, bytes)
	if was == v && had == unset {
		return
	}
	t.note(change{at.block, at.offset, bytes, was, had})
	if _, ok := t.memory.find(at.block.base); !ok && t.image != nil {
		if i, ok := t.image.memory.find(at.block.base); ok { // a static variable that main has set
			j, _ := t.memory.find(at.block.base)
			t.memory.segments = slices.Insert(t.memory.segments, j, t.image.memory.segments[i])
		}
	}
	t.memory.open(at.block).write(at.offset, bytes, v, unset)
}

// tags returns the tags of the current step.
func (t *Thread) tags() *stepTags {
	f := t.top()
	if t.inside > 0 {
		return &f.fn.inside[f.pc]
	}
	return &f.fn.tags[f.pc]
}

// how returns an access as it is at this point, inside or outside an atomic section.
func (t *Thread) how(a code.Access, write bool) code.Access {
	if t.inside > 0 {
		return elaborate.Within(t.p.Options, a, write)
	}
	return a
}

// load executes a load. A load of shared memory returns an action, and Read sets the register later. A load of private
// memory happens at once.
func (t *Thread) load(o code.Load) (*Action, error) {
	bits := t.top().fn.Regs[o.Dst].Bits
	at, failed, err := t.find(t.eval(o.Addr, 0), bits, t.how(o.How, false).Orders())
	if err != nil || failed != nil {
		return failed, err
	}
	if at.scalar >= 0 {
		a := t.action(ir.ActLoad, at, t.tags().read)
		return a, cmp.Or(t.fits(at, bits, a.Tags), t.p.mixes(at.scalar))
	}
	open, asks, err := t.stored(at, bits/8)
	if asks != nil || err != nil {
		return asks, err
	}
	v, unset := t.private(at.block, at.offset, bits/8)
	if unset != 0 && !o.How.Copied {
		return t.uninitialised()
	}
	var taint sources
	if open != nil { // cut the loops that it ends
		taint = sources{}
	}
	t.set(o.Dst, v, taint)
	t.top().unset[o.Dst] = unset
	t.top().frees(o.Dst, open)
	t.advance()
	return nil, nil
}

// uninitialised is the result of reading a value that is not set.
func (t *Thread) uninitialised() (*Action, error) {
	if slices.Contains(t.p.Properties, ir.Memory) {
		a := t.stop(Action{Kind: ir.ActFailed, Property: ir.Memory, Text: "the value read is not initialised"})
		return &a, nil
	}
	return nil, t.refuse("this is read before it is written, so that it may have any value: this engine does not " +
		"support that (see --property memory)")
}

// holes returns the bytes of a copied value that are not set.
func (t *Thread) holes(x ir.Expr) holes {
	if r, ok := x.(ir.Reg); ok {
		return t.top().unset[r.Index]
	}
	return 0
}

// store executes a store. A store to shared memory returns an action, after all bits of its value are decided. A store
// to private memory happens at once and may write a number with open bits.
func (t *Thread) store(o code.Store) (*Action, error) {
	bits := o.Value.Width()
	at, failed, err := t.find(t.eval(o.Addr, 0), bits, t.how(o.How, true).Orders())
	if err != nil || failed != nil {
		return failed, err
	}
	if at.block.fixed != "" && !o.How.Initial {
		return t.fails(at.block.fixed)
	}
	open, err := t.numberOf(o.Value)
	if err != nil {
		return nil, err
	}
	var asks *Action
	if at.scalar >= 0 {
		asks, err = t.decideNumber(open)
	} else {
		_, asks, err = t.stored(at, bits/8)
	}
	if asks != nil || err != nil {
		return asks, err
	}
	v := t.eval(o.Value, 0)
	if at.scalar >= 0 {
		a := t.action(ir.ActStore, at, t.tags().write)
		a.Value = v
		if err := t.fits(at, bits, a.Tags); err != nil {
			return nil, err
		}
		if s := &t.p.Scalars[at.scalar]; s.locked && !s.mixed && o.How.Atomic && v == 0 {
			a.Unlocks = true
			return a, nil
		}
		return a, t.p.mixes(at.scalar)
	}
	t.write(at, bits/8, v, t.holes(o.Value), open)
	t.advance()
	return nil, nil
}

// pending is an update for which it is decided whether it fails spuriously.
type pending struct {
	fails bool // spuriously
	asked bool // the choice has been made
}

// update executes a read-modify-write, after the choice whether a weak one fails spuriously. On shared memory it
// returns an action; on private memory it happens at once.
func (t *Thread) update(o code.Update) (*Action, error) {
	bits := t.top().fn.Regs[o.Dst].Bits
	at, failed, err := t.find(t.eval(o.Addr, 0), bits, true)
	if err != nil || failed != nil {
		return failed, err
	}
	if at.block.fixed != "" {
		return t.fails(at.block.fixed)
	}
	if o.Weak != nil && !t.p.Strong && (t.pending == nil || !t.pending.asked) && t.eval(o.Weak, 0) == 1 {
		return &Action{Kind: ir.ActChoose, Line: t.line(), Scalar: -1, Weak: true}, nil
	}
	if at.scalar >= 0 {
		a := t.action(ir.ActRMW, at, t.tags().read)
		if err := t.fits(at, bits, a.Tags); err != nil {
			return nil, err
		}
		if s := &t.p.Scalars[at.scalar]; t.top().fn.locks[t.top().pc] && !s.mixed {
			s.locked, a.Locks = true, true
			return a, nil
		}
		return a, t.p.mixes(at.scalar)
	}
	open, asks, err := t.stored(at, bits/8)
	if err == nil && asks == nil {
		asks, err = t.decideNumber(open)
	}
	if asks != nil || err != nil {
		return asks, err
	}
	v, unset := t.private(at.block, at.offset, bits/8)
	if unset != 0 {
		return t.uninitialised()
	}
	next, writes := t.updated(o, v)
	if writes {
		t.write(at, bits/8, next, 0, nil)
	}
	t.endUpdate(o, v, writes, nil)
	return nil, nil
}

// updated returns the value that an update writes after it has read v, and whether it writes.
func (t *Thread) updated(o code.Update, v uint64) (next uint64, writes bool) {
	if t.pending != nil && t.pending.fails {
		return 0, false
	}
	if o.When != nil && t.eval(o.When, v) != 1 {
		return 0, false
	}
	return t.eval(o.Next, v), true
}

func (t *Thread) endUpdate(o code.Update, v uint64, writes bool, taint sources) {
	t.pending = nil
	t.set(o.Dst, v, taint)
	if o.Wrote >= 0 {
		t.set(o.Wrote, truth(writes), taint)
	}
	t.advance()
}

func truth(is bool) uint64 {
	if is {
		return 1
	}
	return 0
}

// Tags returns the tags of the current read if it returns v, and those of the write that follows.
func (t *Thread) Tags(v uint64) (reads, writes ir.Tags) {
	switch {
	case t.asked != nil:
		return t.lifeTags(false), nil
	case t.sweep.reads:
		return nil, nil
	}
	switch o := t.top().fn.Code[t.top().pc].Op.(type) {
	case code.Load:
		return t.tags().read, nil
	case code.Update:
		if _, does := t.updated(o, v); !does {
			return t.tags().failed, nil
		}
		return t.tags().read, t.tags().write
	case code.Free:
		return nil, t.lifeTags(true)
	}
	panic("BUG: no read")
}

// Read delivers the value of the current load or update, and returns the value that an update writes, and whether it
// writes.
func (t *Thread) Read(v uint64) (write uint64, writes bool) {
	t.passed += t.width
	defer func() {
		if writes {
			t.passed += t.width
		}
	}()
	if b := t.asked; b != nil {
		t.asked = nil
		t.checkAlive(b, v)
		return 0, false
	}
	if t.sweep.reads {
		t.sweep.reads = false
		t.look(v)
		return 0, false
	}
	switch o := t.top().fn.Code[t.top().pc].Op.(type) {
	case code.Load:
		t.set(o.Dst, v, t.source())
		t.advance()
	case code.Update:
		write, writes = t.updated(o, v)
		if writes && !(t.p.Waits.Locks && write == v) {
			t.effects++
		}
		t.endUpdate(o, v, writes, t.source())
	case code.Free:
		t.freed(v)
		return 0, true
	default:
		panic("BUG: Read where there is no read")
	}
	return write, writes
}
