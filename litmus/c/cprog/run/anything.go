package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Numbers that may be anything are decided on bit by bit, and no bit before something depends on it that others see, or
// where control goes: a register, or memory that the thread alone sees, may have a number some bits of which are open.
// It also holds one possible value, which a caller gets when no choice is open there.

// maxChosen bounds the bits that are decided on for one number that is to be known as a whole.
const maxChosen = 8

// number is one some bits of which may be open, never changed: bits where it is linear in these, else an expression
// over others.
type number struct {
	bits []bit
	x    ir.Expr
	args []argument
	deep int // how many such expressions are in each other
}

const maxDeep = 10

// argument is what a register had in a number's expression: another such number, or a known one.
type argument struct {
	reg int
	v   uint64
	n   *number
}

// fact is what has been decided on a bit: it is the exclusive or of others that no fact before is about.
type fact struct {
	bit int32
	is  bit
}

// cell is a number in memory that the thread alone sees.
type cell struct {
	block         *block
	offset, bytes int
	n             *number
}

// settled is a bit less what has been decided on.
func (t *Thread) settled(b bit) bit {
	for _, f := range t.facts {
		if slices.Contains(b.of, f.bit) {
			b = b.xor(bit{of: []int32{f.bit}}).xor(f.is)
		}
	}
	return b
}

// open tells whether a register of the call at hand has a number that may be several.
func (f *frame) open(r int) *number {
	if r < len(f.free) {
		return f.free[r]
	}
	return nil
}

// opens tells whether an expression has such a register.
func (t *Thread) opens(x ir.Expr) (is bool) {
	if t.chosen == 0 || x == nil {
		return false
	}
	f := t.top()
	ir.Registers(x, func(r int) { is = is || f.open(r) != nil })
	return is
}

// numberOf is the number of an expression that is open; nil where it is not. The error is that it is too deep.
func (t *Thread) numberOf(x ir.Expr) (*number, error) {
	if !t.opens(x) {
		return nil, nil
	}
	f := t.top()
	if r, ok := x.(ir.Reg); ok {
		return f.free[r.Index], nil
	}
	n := &number{x: x}
	ir.Registers(x, func(r int) {
		a := argument{r, f.regs[r], f.open(r)}
		if n.args = append(n.args, a); a.n != nil {
			n.deep = max(n.deep, a.n.deep+1)
		}
	})
	if bits, _, _ := t.bitsOf(n); bits != nil {
		if _, known := numeral(bits); known {
			return nil, nil
		}
		return &number{bits: bits}, nil
	}
	if n.deep > maxDeep {
		return nil,
			t.refuse("this computes too much from a number that can have any value: this engine does not support that")
	}
	return n, nil
}

// fit is an expression as what has so many bits takes it.
func fit(x ir.Expr, bits int) ir.Expr {
	switch {
	case x.Width() > bits:
		return ir.Extract{X: x, Bits: bits}
	case x.Width() < bits:
		return ir.Extend{X: x, Bits: bits}
	}
	return x
}

// bitsOf are the bits of a number, or one that has to be known first, perhaps one of too many.
func (t *Thread) bitsOf(n *number) (bits []bit, asks *bit, tooMany bool) {
	if n.bits != nil {
		out := make([]bit, len(n.bits))
		for i, b := range n.bits {
			out[i] = t.settled(b)
		}
		return out, nil, false
	}
	l := &linear{}
	l.reg = func(r ir.Reg) []bit {
		a := n.args[slices.IndexFunc(n.args, func(a argument) bool { return a.reg == r.Index })]
		if a.n == nil {
			return constant(a.v, r.Bits)
		}
		bits, asks, tooMany := t.bitsOf(a.n)
		if asks != nil {
			l.asks, l.tooMany = asks, tooMany
		}
		return bits
	}
	return l.eval(n.x), l.asks, l.tooMany
}

// valueOf is what a number may be as well as anything else that is left.
func (t *Thread) valueOf(n *number) uint64 {
	v := uint64(0)
	for i, b := range n.bits {
		if t.settled(b).not {
			v |= 1 << i
		}
	}
	if n.bits != nil {
		return v
	}
	regs := []uint64{}
	for _, a := range n.args {
		if a.n != nil {
			a.v = t.valueOf(a.n)
		}
		regs = append(regs, make([]uint64, max(0, a.reg+1-len(regs)))...)
		regs[a.reg] = a.v
	}
	return noProgram.Eval(n.x, regs, 0)
}

// know decides on a bit of a number, until there is one it can be.
func (t *Thread) know(n *number) (*Action, error) {
	if n == nil {
		return nil, nil
	}
	bits, asks, tooMany := t.bitsOf(n)
	if asks == nil {
		left := slices.DeleteFunc(slices.Clone(bits), bit.known)
		if len(left) == 0 {
			return nil, nil
		}
		asks, tooMany = &left[0], len(left) > maxChosen
	}
	if tooMany {
		return nil, t.refuse("this can be one of too many numbers: this engine does not support that")
	}
	t.question = &bit{asks.of, false}
	return &Action{Kind: ir.ActChoose, Line: t.line(), Scalar: -1}, nil
}

// knows decides on the bits of expressions.
func (t *Thread) knows(all ...ir.Expr) (*Action, error) {
	for _, x := range all {
		n, err := t.numberOf(x)
		if err != nil {
			return nil, err
		}
		if a, err := t.know(n); a != nil || err != nil {
			return a, err
		}
	}
	return nil, nil
}

// needs decides on what has to be known before a step.
func (t *Thread) needs(op code.Op) (*Action, error) {
	switch o := op.(type) {
	case code.Assign:
		return nil, nil
	case code.Branch:
		if t.eitherWay(o) {
			return nil, nil
		}
	case code.Call:
		return t.knows(o.Target)
	case code.Assert:
		if o.Property == ir.Overflow && !slices.Contains(t.p.Properties, ir.Overflow) {
			return nil, nil
		}
	case code.Store:
		return t.knows(o.Addr)
	case code.Ret:
		if t.depth > 1 || t.number == 0 {
			return nil, nil
		}
	case code.Update: // of what it writes, what it reads is a part
		all := []ir.Expr{o.Addr}
		for _, x := range []ir.Expr{o.Next, o.When, o.Weak} {
			if x != nil {
				ir.WalkExpr(x, func(x ir.Expr) bool {
					if r, ok := x.(ir.Reg); ok {
						all = append(all, r)
					}
					return true
				})
			}
		}
		return t.knows(all...)
	case code.Spawn:
		if t.image == nil {
			for _, c := range t.cells {
				if !c.block.shared {
					continue
				}
				if a, err := t.know(c.n); a != nil || err != nil {
					return a, err
				}
			}
		}
	}
	_, used := code.Effect(op)
	return t.knows(used...)
}

// eitherWay tells whether a branch that is open only passes over setting a register, so that nobody need know which way
// it goes.
func (t *Thread) eitherWay(b code.Branch) bool {
	f := t.top()
	if b.Target != f.pc+2 || !t.opens(b.Cond) {
		return false
	}
	a, is := f.fn.Code[f.pc+1].Op.(code.Assign)
	return is && t.holes(a.Value) == 0 && f.unset[a.Dst] == 0
}

// either sets the register to whichever it is.
func (t *Thread) either(b code.Branch) error {
	f := t.top()
	a := f.fn.Code[f.pc+1].Op.(code.Assign)
	x := ir.Cond{If: b.Cond, Then: ir.Reg{Index: a.Dst, Bits: f.fn.Regs[a.Dst].Bits}, Else: a.Value}
	n, err := t.numberOf(x)
	if err == nil {
		t.set(a.Dst, t.eval(x, 0), t.taints(x))
		f.frees(a.Dst, n)
		t.arrive(f.pc, b.Target)
	}
	return err
}

// decide has a bit be what has been chosen, and all that may be several things one that it still may be.
func (t *Thread) decide(yes bool) {
	q := t.question
	t.question, t.doubted = nil, true
	last := len(q.of) - 1
	t.facts = append(slices.Clip(t.facts), fact{q.of[last], bit{slices.Clone(q.of[:last]), yes}})
	for i := range t.depth {
		f := &t.frames[i]
		for r, n := range f.free {
			if n != nil {
				f.regs[r] = t.valueOf(n)
			}
		}
	}
	for _, c := range t.cells {
		t.memory.open(c.block).write(c.offset, c.bytes, t.valueOf(c.n), 0)
	}
}

// anything sets a register to any number.
func (t *Thread) anything(r int) {
	f := t.top()
	bits := f.fn.Regs[r].Bits
	var taint sources
	if bits > maxChosen { // loops that it ends are cut
		taint = sources{}
	}
	t.set(r, 0, taint)
	if f.fn.idle(r) {
		return
	}
	n := &number{bits: make([]bit, bits)}
	for i := range n.bits {
		n.bits[i].of = []int32{t.chosen}
		t.chosen++
	}
	f.frees(r, n)
}

// frees sets a register to a number that may be open.
func (f *frame) frees(r int, n *number) {
	if n == nil {
		return
	}
	if len(f.free) < len(f.regs) {
		f.free = make([]*number, len(f.regs))
	}
	f.free[r] = n
}

// stored is the open number that a part of memory has which the thread alone sees; nil for none. Where it is a part of
// that, or has such a part, the latter is decided on.
func (t *Thread) stored(at target, bytes int) (*number, *Action, error) {
	for _, c := range t.cells {
		switch {
		case c.block != at.block || c.offset >= at.offset+bytes || at.offset >= c.offset+c.bytes:
		case c.offset == at.offset && c.bytes == bytes:
			return c.n, nil, nil
		default:
			if a, err := t.know(c.n); a != nil || err != nil {
				return nil, a, err
			}
		}
	}
	return nil, nil, nil
}

// cover has a part of memory, of which there is no open part, have an open number, or none.
func (t *Thread) cover(at target, bytes int, n *number) {
	cells := slices.DeleteFunc(slices.Clone(t.cells), func(c cell) bool {
		return c.block == at.block && c.offset < at.offset+bytes && at.offset < c.offset+c.bytes
	})
	if n != nil {
		cells = append(cells, cell{at.block, at.offset, bytes, n})
	}
	if n != nil || len(cells) < len(t.cells) {
		t.spread++
	}
	t.cells = cells
}

// sameOpen tells whether numbers that are open may still be what they could be at the head of a loop.
func (t *Thread) sameOpen(f *frame, r *round) bool {
	if t.chosen == 0 {
		return true
	}
	if t.spread != r.spread {
		return false
	}
	open := len(t.cells) > 0
	for i := range t.depth - 1 {
		open = open || slices.ContainsFunc(t.frames[i].free, func(n *number) bool { return n != nil })
	}
	for i, live := range f.fn.live[r.loop] {
		if !live {
			continue
		}
		n, was := f.open(i), (*number)(nil)
		if i < len(r.free) {
			was = r.free[i]
		}
		if n != was {
			return false
		}
		open = open || n != nil
	}
	return !open || len(t.facts) == r.facts
}

// idle tells whether nobody looks at a register but assumptions about it alone, which 0 fulfils.
func (f *function) idle(r int) bool {
	for _, s := range f.Code {
		_, used := code.Effect(s.Op)
		for _, x := range used {
			if _, assumed := s.Op.(code.Assume); assumed && holdsOfNought(x, r) {
				continue
			}
			is := false
			ir.Registers(x, func(i int) { is = is || i == r })
			if is {
				return false
			}
		}
	}
	return true
}

// holdsOfNought tells whether a condition is of one register alone, and holds where that is 0.
func holdsOfNought(x ir.Expr, r int) bool {
	alone := true
	ir.Registers(x, func(i int) { alone = alone && i == r })
	return alone && noProgram.Eval(x, make([]uint64, r+1), 0) == 1
}
