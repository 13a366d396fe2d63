package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Free numbers. The bits of a number that can have any value are decided one by one, and only when the control flow or
// another thread depends on them. Until then, a register or private memory contains a number with open bits, together
// with one of its possible values, which is used if no choice is needed.
//
// Deciding 32 bits of each nondeterministic number at once would make 2^32 runs. Few of them differ: a program that
// tests one bit of n needs one decision, and one that only copies n needs none. So an open bit is a variable, and a
// number is a vector of exclusive ors of such variables (linear.go). A decision is an equation over them.
//
// The equations are kept solved, as in Gaussian elimination: each fact gives one variable in terms of variables that no
// earlier fact gives. Applying the facts in order replaces all variables that are given, so a bit is decided if and
// only if nothing remains of it (substitute). A question is never about a decided bit, so both of its answers are
// consistent with all earlier ones, and no run is explored in vain.

// maxChosen is the maximum number of bits that are decided for one number that is needed as a whole.
const maxChosen = 8

// number is an immutable number with bits that may be open: bits if it is linear in the open ones, else an expression
// over other numbers.
type number struct {
	bits []bit
	x    ir.Expr
	args []argument
	deep int // nesting depth of such expressions
}

const maxDeep = 10

// argument is the value of a register in a number's expression: another such number, or a known one.
type argument struct {
	reg int
	v   uint64
	n   *number
}

// fact is a decision on a bit: it equals the exclusive or of other bits that no earlier fact decides.
type fact struct {
	bit int32
	is  bit
}

// cell is a number with open bits in private memory.
type cell struct {
	block         *block
	offset, bytes int
	n             *number
}

// substitute returns a bit with all decided bits replaced.
func (t *Thread) substitute(b bit) bit {
	for _, f := range t.facts {
		if slices.Contains(b.of, f.bit) {
			b = b.xor(bit{of: []int32{f.bit}}).xor(f.is)
		}
	}
	return b
}

// open returns the number of a register of this call if it has open bits, or nil.
func (f *frame) open(r int) *number {
	if r < len(f.free) {
		return f.free[r]
	}
	return nil
}

// opens reports whether an expression contains such a register.
func (t *Thread) opens(x ir.Expr) (is bool) {
	if t.chosen == 0 || x == nil {
		return false
	}
	f := t.top()
	ir.Registers(x, func(r int) { is = is || f.open(r) != nil })
	return is
}

// numberOf returns an expression's number if it has open bits, or nil. It fails if expressions nest too deep.
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

// fit resizes an expression to a width.
func fit(x ir.Expr, bits int) ir.Expr {
	switch {
	case x.Width() > bits:
		return ir.Extract{X: x, Bits: bits}
	case x.Width() < bits:
		return ir.Extend{X: x, Bits: bits}
	}
	return x
}

// bitsOf returns the bits of a number, or a bit that must be decided first, perhaps one of too many.
func (t *Thread) bitsOf(n *number) (bits []bit, asks *bit, tooMany bool) {
	if n.bits != nil {
		out := make([]bit, len(n.bits))
		for i, b := range n.bits {
			out[i] = t.substitute(b)
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

// valueOf returns a possible value of a number, according to the decisions so far.
func (t *Thread) valueOf(n *number) uint64 {
	v := uint64(0)
	for i, b := range n.bits {
		if t.substitute(b).not {
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

// decideNumber asks for decisions on bits of a number until only one value is possible.
//
// One bit is asked for at a time: t.question holds it, and the thread returns to the same step after Choose, until
// nothing is open. A number with more than maxChosen open bits is refused, because it would have too many values to
// explore.
func (t *Thread) decideNumber(n *number) (*Action, error) {
	if n == nil {
		return nil, nil
	}
	bits, asks, tooMany := t.bitsOf(n)
	if asks == nil {
		left := slices.DeleteFunc(slices.Clone(bits), bit.constant)
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

// decideAll asks for decisions on the bits of expressions.
func (t *Thread) decideAll(all ...ir.Expr) (*Action, error) {
	for _, x := range all {
		n, err := t.numberOf(x)
		if err != nil {
			return nil, err
		}
		if a, err := t.decideNumber(n); a != nil || err != nil {
			return a, err
		}
	}
	return nil, nil
}

// needs asks for the decisions that a step requires.
//
// What decides control, an address or something that others see needs decisions. Assignments, arguments, results and
// private stores take open numbers as they are.
func (t *Thread) needs(op code.Op) (*Action, error) {
	switch o := op.(type) {
	case code.Assign:
		return nil, nil
	case code.Branch:
		if t.eitherWay(o) {
			return nil, nil
		}
	case code.Call:
		return t.decideAll(o.Target)
	case code.Assert:
		if o.Property == ir.Overflow && !slices.Contains(t.p.Properties, ir.Overflow) {
			return nil, nil
		}
	case code.Store:
		return t.decideAll(o.Addr)
	case code.Ret:
		if t.depth > 1 || t.number == 0 {
			return nil, nil
		}
	case code.Update: // the value read is a part of the value written
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
		return t.decideAll(all...)
	case code.Spawn:
		if t.image == nil {
			for _, c := range t.cells {
				if !c.block.shared {
					continue
				}
				if a, err := t.decideNumber(c.n); a != nil || err != nil {
					return a, err
				}
			}
		}
	}
	_, used := code.Effect(op)
	return t.decideAll(used...)
}

// eitherWay reports whether a branch with an open condition only skips an assignment to a register, so that it need not
// be decided.
func (t *Thread) eitherWay(b code.Branch) bool {
	f := t.top()
	if b.Target != f.pc+2 || !t.opens(b.Cond) {
		return false
	}
	a, is := f.fn.Code[f.pc+1].Op.(code.Assign)
	return is && t.holes(a.Value) == 0 && f.unset[a.Dst] == 0
}

// either sets the register of such an assignment to a number that depends on the open condition.
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

// decide records the decision on a bit, and updates the possible values of all numbers with open bits.
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

// frees sets the open number of a register, or removes it.
func (f *frame) frees(r int, n *number) {
	if n == nil {
		return
	}
	if len(f.free) < len(f.regs) {
		f.free = make([]*number, len(f.regs))
	}
	f.free[r] = n
}

// stored returns the open number in private memory, or nil. If the access covers a part of one, or more than one, their
// bits are decided first.
func (t *Thread) stored(at target, bytes int) (*number, *Action, error) {
	for _, c := range t.cells {
		switch {
		case c.block != at.block || c.offset >= at.offset+bytes || at.offset >= c.offset+c.bytes:
		case c.offset == at.offset && c.bytes == bytes:
			return c.n, nil, nil
		default:
			if a, err := t.decideNumber(c.n); a != nil || err != nil {
				return nil, a, err
			}
		}
	}
	return nil, nil, nil
}

// cover sets or removes the open number of a part of private memory.
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

// sameOpen reports whether open numbers have the same possible values as at the head of a loop.
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

// idle reports whether a register is used only in assumptions that 0 satisfies.
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

// holdsOfNought reports whether a condition depends on one register only, and holds if that is 0.
func holdsOfNought(x ir.Expr, r int) bool {
	alone := true
	ir.Registers(x, func(i int) { alone = alone && i == r })
	return alone && noProgram.Eval(x, make([]uint64, r+1), 0) == 1
}
