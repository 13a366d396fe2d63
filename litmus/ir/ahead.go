package ir

import "slices"

// Guess is an assumption about the value of a branch's condition, or of an address, before it is known. The code has no
// loops, so its step identifies it.
type Guess struct {
	Step  int
	Value uint64
}

// Ahead makes the cursor continue past reads without a value yet, until it needs a value: to branch, or to find the
// location of an access.
func (c *Cursor) Ahead() { c.wants = make([][]int, len(c.Regs)) }

// Take makes the cursor follow guesses, until one turns out to be wrong.
func (c *Cursor) Take(guesses []Guess) { c.guesses = guesses }

// Writes reports whether the update at the cursor writes if it reads v, or an unknown value. decided says whether that
// is known.
func (c *Cursor) Writes(v uint64, known bool) (writes, decided bool) {
	op := c.Thread.Code[c.PC].Op.(RMW)
	if op.If == nil {
		return true, true
	}
	return c.Program.Eval(op.If, c.Regs, v) == 1, c.waits(op.If, v, c.unread(known)) == nil
}

// ReadAhead is Read for a value that may be unknown. writes says whether an update writes. It returns the reads on
// which the value to write depends.
func (c *Cursor) ReadAhead(v uint64, known, writes bool) (write uint64, waits []int) {
	return c.deliver(v, c.unread(known), writes)
}

// unread returns the reads on which the value of the current read depends: itself if it is not known.
func (c *Cursor) unread(known bool) []int {
	if known {
		return nil
	}
	return []int{c.reads}
}

func (c *Cursor) setWants(reg int, reads []int) {
	if c.wants != nil {
		c.wants[reg] = reads
	}
}

// waits returns the reads that must be known before e is. old is the value that the RMW around e has read, which
// depends on the reads in unknown.
func (c *Cursor) waits(e Expr, old uint64, unknown []int) []int {
	if c.wants == nil {
		return nil
	}
	switch e := e.(type) {
	case Reg:
		return c.wants[e.Index]
	case Old:
		return unknown
	case Unary:
		return c.waits(e.X, old, unknown)
	case Extract:
		return c.waits(e.X, old, unknown)
	case Extend:
		return c.waits(e.X, old, unknown)
	case Binary:
		x, y := c.waits(e.X, old, unknown), c.waits(e.Y, old, unknown)
		if len(x)+len(y) > 0 && c.independent(e, old, x == nil, y == nil) {
			return nil
		}
		return union(x, y)
	case Cond:
		if which := c.waits(e.If, old, unknown); which != nil {
			return union(which, union(c.waits(e.Then, old, unknown), c.waits(e.Else, old, unknown)))
		}
		if c.Program.Eval(e.If, c.Regs, old) == 1 {
			return c.waits(e.Then, old, unknown)
		}
		return c.waits(e.Else, old, unknown)
	case Select:
		return c.waits(e.Cond(), old, unknown)
	}
	return nil
}

// independent reports whether e has the same value for all values of its unknown operands. x and y say which operands
// are unknown.
func (c *Cursor) independent(e Binary, old uint64, x, y bool) bool {
	by := func(v uint64) bool {
		return x && c.Program.Eval(e.X, c.Regs, old) == v || y && c.Program.Eval(e.Y, c.Regs, old) == v
	}
	switch e.Op {
	case BitXor, Sub, Eq, Ult, Slt:
		return e.X == e.Y
	case BitAnd, Mul:
		return by(0)
	case BitOr:
		return by(Mask(e.X.Width()))
	}
	return false
}

func truths() []uint64 { return []uint64{0, 1} }

// decide returns the value of e, or its guess. If there is neither, or they contradict each other, it returns the
// action to report.
func (c *Cursor) decide(e Expr, guesses func() []uint64) (uint64, *Action) {
	v, wants := c.eval(e), c.waits(e, 0, nil)
	for _, g := range c.guesses {
		switch {
		case g.Step != c.PC:
		case wants == nil && v != g.Value:
			return 0, &Action{Kind: ActRefuted, Step: c.PC, Loc: -1}
		default:
			return g.Value, nil
		}
	}
	if wants != nil {
		return 0, &Action{Kind: ActWants, Step: c.PC, Loc: -1, Wants: wants, Guesses: guesses()}
	}
	return v, nil
}

// addresses returns the addresses that an access of some bits may have.
func (p *Program) addresses(at Locs, bits int) (out []uint64) {
	for i, l := range p.Locs {
		fits := bits == 0 || l.Bits == bits
		if !fits && p.Split {
			_, fits = p.Pieces(i, bits)
		}
		if fits && (at == nil || slices.Contains(at, i)) {
			out = append(out, l.Address)
		}
	}
	return out
}

// MayWrite returns, by thread and step, whether a thread may still write each location from there on.
func (p *Program) MayWrite() [][][]bool {
	h := p.analyseValues()
	out := make([][][]bool, len(p.Threads))
	for t, th := range p.Threads {
		out[t] = make([][]bool, len(th.Code)+1)
		for pc := len(th.Code); pc >= 0; pc-- { // jumps go forward
			may := make([]bool, len(p.Locs))
			from := func(target int) {
				for l, is := range out[t][target] {
					may[l] = may[l] || is
				}
			}
			out[t][pc] = may
			if pc == len(th.Code) {
				continue
			}
			from(pc + 1)
			switch op := th.Code[pc].Op.(type) {
			case Branch:
				from(op.Target)
			case Store, RMW, StoreCond:
				for _, pieces := range h.accessed(t, op) {
					for _, q := range pieces {
						may[q.Loc] = true
					}
				}
			}
		}
	}
	return out
}
