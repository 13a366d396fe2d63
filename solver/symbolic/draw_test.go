package symbolic

import (
	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// drawing makes random expressions and threads, straight in the IR, so that it covers all of the IR and not only what
// the dialects use.
type drawing struct {
	*rapid.T
	regs []int // widths
	locs int
	old  int // the width of what an RMW has read; 0 outside of one
}

// n draws one of the numbers up to most, each as often, where rapid prefers small ones.
func (d *drawing) n(label string, most int) int {
	v := 0
	for limit := 1; limit <= 4*most; limit *= 2 {
		v *= 2
		if rapid.Bool().Draw(d.T, label) {
			v++
		}
	}
	return v % (most + 1)
}

// number draws a number of some bits.
func number(t *rapid.T, label string, bits int) uint64 {
	return rapid.Uint64().Draw(t, label) * 0x9e3779b97f4a7c15 >> 7 & ir.Mask(bits)
}

// expr draws an expression of a width.
func (d *drawing) expr(bits, depth int) ir.Expr {
	sub := func(bits int) ir.Expr { return d.expr(bits, depth-1) }
	if depth == 0 {
		return d.leaf(bits)
	}
	switch d.n("expression", 9) {
	case 0, 1:
		return d.leaf(bits)
	case 2:
		return ir.Unary{Op: ir.UnaryOp(d.n("operator", int(ir.Neg))), X: sub(bits)}
	case 3, 4:
		return ir.Binary{Op: ir.BinaryOp(d.n("operator", int(ir.SRem))), X: sub(bits), Y: sub(bits)}
	case 5:
		x := sub(bits)
		return ir.Binary{Op: []ir.BinaryOp{ir.Add, ir.Sub, ir.BitXor, ir.BitAnd}[d.n("operator", 3)], X: x, Y: x}
	case 6:
		if bits == 1 {
			n := []int{1, 5, 8, 64}[d.n("compared", 3)]
			return ir.Binary{Op: ir.Eq + ir.BinaryOp(d.n("comparison", int(ir.Slt-ir.Eq))), X: sub(n), Y: sub(n)}
		}
		n := 1 + d.n("from", bits-2)
		return ir.Extend{X: sub(n), Bits: bits, Signed: d.n("signed", 1) == 1}
	case 7:
		n := bits + d.n("whole", 64-bits)
		return ir.Extract{X: sub(n), Lo: d.n("lo", n-bits), Bits: bits}
	case 8:
		return ir.Cond{If: sub(1), Then: sub(bits), Else: sub(bits)}
	default:
		return ir.Select{If: sub(1), Then: sub(bits), Else: sub(bits), Open: d.n("open", 1) == 1}
	}
}

func (d *drawing) leaf(bits int) ir.Expr {
	switch k := d.n("leaf", len(d.regs)+2); {
	case k == 0:
		return ir.Const{Value: number(d.T, "number", bits), Bits: bits}
	case k == 1:
		return ir.Const{Value: uint64(d.n("small", 3)), Bits: bits}
	case k == 2 && d.old > 0:
		return ir.Resize(ir.Old{Bits: d.old}, bits)
	case k == 2:
		return ir.Addr{Loc: d.n("location", max(d.locs-1, 0)), Bits: bits}
	default:
		return ir.Resize(ir.Reg{Index: k - 3, Bits: d.regs[k-3]}, bits)
	}
}

// The registers of random threads, by what they are good for, and the width of memory.
const (
	memoryBits = 4
	flag0      = 3 // a register of one bit
	status0    = 5 // a register for store-conditionals
)

var threadRegs = []int{memoryBits, memoryBits, memoryBits, 1, 1, 8}

// spacing is between the addresses of locations.
const spacing = 8

// address draws an expression that is always some location's address.
func (d *drawing) address() ir.Expr {
	a := ir.Addr{Loc: d.n("location", d.locs-1), Bits: 64}
	b := ir.Addr{Loc: d.n("location", d.locs-1), Bits: 64}
	switch d.n("address", 6) {
	case 0:
		return ir.Cond{If: d.expr(1, 1), Then: a, Else: b}
	case 1:
		return ir.Select{If: d.expr(1, 1), Then: a, Else: b, Open: d.n("open", 1) == 1}
	case 2: // from the first location on
		index := ir.Extend{X: d.expr(1, 1), Bits: 64}
		return ir.Binary{
			Op: ir.Add, X: ir.Addr{Bits: 64},
			Y: ir.Binary{Op: ir.Mul, X: index, Y: ir.Const{Value: spacing, Bits: 64}},
		}
	}
	return a
}

// program draws one thread, whose jumps all go forward.
func (d *drawing) program() *ir.Program {
	p := &ir.Program{Threads: make([]ir.Thread, 1)}
	d.locs = 2
	for i := range d.locs {
		p.Locs = append(p.Locs,
			ir.Location{Name: string(rune('x' + i)), Bits: memoryBits, Address: 0x1000 + uint64(i)*spacing})
	}
	th := &p.Threads[0]
	th.Source = make([]litmus.Cell, 1)
	d.regs = threadRegs
	for _, bits := range threadRegs {
		th.Regs = append(th.Regs, ir.Register{Bits: bits, Init: uint64(d.n("init", 1))})
	}
	n := 2 + d.n("length", 14)
	for pc := range n {
		th.Code = append(th.Code, ir.Step{Op: d.op(pc, n)})
	}
	return p
}

func (d *drawing) op(pc, n int) ir.Op {
	dst := d.n("register", flag0-1) // as wide as memory
	tags := ir.Tags{"T"}
	switch d.n("operation", 18) {
	case 0, 1:
		r := d.n("register", len(d.regs)-1)
		return ir.Assign{Dst: r, Value: d.expr(d.regs[r], 2)}
	case 2:
		return ir.Pick{Dst: dst, Value: d.expr(memoryBits, 2)}
	case 3:
		return ir.Choose{Dst: flag0 + d.n("flag", 1)}
	case 4, 5:
		return ir.Load{Dst: dst, Addr: d.address(), Bits: memoryBits, Tags: tags}
	case 6, 7:
		return ir.Load{Dst: dst, Addr: d.address(), Bits: memoryBits, Tags: tags, Reserve: true}
	case 8:
		return ir.Store{Addr: d.address(), Value: d.expr(memoryBits, 2), Tags: tags}
	case 9:
		op := ir.RMW{Dst: dst, Addr: d.address(), Bits: memoryBits, Carry: d.n("carry", 1) == 1}
		d.old = memoryBits
		op.New = d.expr(memoryBits, 2)
		if d.n("conditional", 1) == 1 {
			op.If = d.expr(1, 2)
		}
		d.old = 0
		return op
	case 10, 11:
		return ir.StoreCond{
			Status: status0, Ok: 7, Fail: 200, Addr: d.address(), Value: d.expr(memoryBits, 1),
			Depend: d.n("depend", 1) == 1,
		}
	case 12:
		if d.n("of a location", 1) == 1 {
			return ir.Fence{Tags: tags, Addr: d.address()}
		}
		return ir.Fence{Tags: tags}
	case 13, 14:
		return ir.Scope{Slot: d.n("slot", 1), End: d.n("end", 1) == 1}
	case 15: // often true
		cond := ir.Not(ir.Binary{Op: ir.BitAnd, X: d.expr(1, 1), Y: d.expr(1, 1)})
		if d.n("assert", 1) == 1 {
			return ir.Assert{Cond: cond}
		}
		return ir.Assume{Cond: cond}
	default:
		b := ir.Branch{Target: pc + 1 + d.n("target", n-pc-1)}
		if d.n("always", 5) > 0 {
			b.Cond = d.expr(1, 2)
		} else if d.n("unwound", 2) == 0 {
			return ir.Unwound{Spin: d.n("spin", 1) == 1}
		}
		return b
	}
}
