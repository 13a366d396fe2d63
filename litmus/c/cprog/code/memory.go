package code

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// object is what an lvalue designates: a register, or memory at an address.
type object struct {
	t    cc.Type
	reg  int // -1: it is in memory
	addr ir.Expr
	how  Access
	bits *read.BitField // of one: t is its type, and addr its structure's
	// called: a function accesses it, not an operator of C's.
	called bool
	odd    bool // it may not be aligned
}

// memory reads and writes objects.
type memory struct {
	unit   *Unit
	build  *builder
	types  *types
	values *values
	// converted is the expression, if it is one of a bit-field, whose value is converted at once.
	converted cc.Node
}

// memory is an object of type t at an address, which e designates.
func (mem *memory) designated(e cc.ExpressionNode, t cc.Type, addr ir.Expr) object {
	o := object{t: t, reg: -1, addr: addr}
	if e != nil {
		o.how = mem.howOf(e)
	}
	return o
}

// howOf is how the object that e designates is accessed by C's operators.
func (mem *memory) howOf(e cc.ExpressionNode) Access {
	atomic, volatile := mem.types.qualifiers.Qualified(e)
	how := Access{Volatile: volatile}
	if atomic {
		how.Atomic, how.Order = true, c.SeqCst
	}
	return how
}

// locate is the address of a variable.
func (mem *memory) locate(v *Variable) ir.Expr {
	r := mem.build.temp(mem.types.pointer)
	mem.build.emit(Locate{Dst: r, Of: v})
	return mem.build.reg(r)
}

// value is what an object is worth in an expression: an array is its address, a struct where it is.
func (mem *memory) value(n cc.Node, o object) operand {
	switch o.t.Kind() {
	case cc.Array, cc.Function:
		return operand{o.addr, o.t.Decay()}
	}
	if aggregate(o.t) {
		if o.how.Atomic {
			mem.operated(n, o)
			return mem.loadWhole(n, o)
		}
		return operand{o.addr, o.t}
	}
	return mem.read(n, o)
}

// read reads a scalar.
func (mem *memory) read(n cc.Node, o object) operand {
	if o.bits != nil {
		return mem.readBits(n, o)
	}
	bits := mem.types.bits(n, o.t)
	if o.reg >= 0 {
		return operand{mem.build.reg(o.reg), o.t}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, bits); part < bits {
		return operand{mem.readParts(o, bits, part), o.t}
	}
	r := mem.build.temp(bits)
	mem.build.emit(Load{r, o.addr, o.how})
	return operand{mem.build.reg(r), o.t}
}

// write sets an object to a value, and is that value as the object has it.
func (mem *memory) write(n cc.Node, o object, v operand) operand {
	if aggregate(o.t) {
		if o.how.Atomic {
			mem.operated(n, o)
			mem.storeWhole(n, o, v.x)
			return operand{v.x, o.t}
		}
		mem.copy(n, o.addr, v.x, o.t, Access{Initial: o.how.Initial})
		return operand{o.addr, o.t}
	}
	if o.bits != nil {
		return mem.writeBits(n, o, v)
	}
	v = mem.values.convert(n, v, o.t)
	if o.reg >= 0 {
		mem.build.emit(Assign{o.reg, v.x})
		return operand{mem.build.reg(o.reg), o.t}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, v.x.Width()); part < v.x.Width() {
		mem.writeParts(o, v.x, part)
		return v
	}
	mem.build.emit(Store{o.addr, v.x, o.how})
	return v
}

// operated notes where an operator accesses an atomic object.
func (mem *memory) operated(n cc.Node, o object) {
	if at := read.Place(n); o.how.Atomic && !o.called && !slices.Contains(mem.unit.Operated, at) {
		mem.unit.Operated = append(mem.unit.Operated, at)
	}
}

// copy copies a struct or a union, scalar by scalar.
func (mem *memory) copy(n cc.Node, to, from ir.Expr, t cc.Type, how Access) {
	for _, s := range mem.types.scalars(n, t) {
		offset := ir.Number(uint64(s.offset), mem.types.pointer)
		v := mem.read(n, object{t: s.t, reg: -1, addr: fold(ir.Add, from, offset), how: Access{Copied: true}})
		mem.write(n, object{t: s.t, reg: -1, addr: fold(ir.Add, to, offset), how: how}, v)
	}
}

// hidden is a new local of no name that is in memory.
func (mem *memory) hidden(n cc.Node, t cc.Type) *Variable {
	v := &Variable{Pos: read.Place(n), Size: mem.types.size(n, t), Align: t.Align(), Layout: mem.types.layout("", t)}
	mem.build.function.Locals = append(mem.build.function.Locals, v)
	return v
}

// modify applies an operator to an object and a value, and gives what the object was before and is after.
func (mem *memory) modify(n cc.Node, o object, op operator, v operand) (before, after operand) {
	if !o.how.Atomic {
		now := mem.read(n, o)
		before = operand{mem.build.settle(now.x), now.t}
		return before, mem.write(n, o, mem.values.binary(n, op, now, v))
	}
	mem.operated(n, o)
	overflow := mem.values.overflow
	mem.values.overflow = false // atomic arithmetic wraps around
	defer func() { mem.values.overflow = overflow }()
	bits := mem.types.bits(n, o.t)
	next := func(old ir.Expr) ir.Expr {
		return mem.values.convert(n, mem.values.binary(n, op, operand{old, o.t}, v), o.t).x
	}
	r := mem.build.temp(bits)
	mem.build.emit(Update{Dst: r, Wrote: -1, Addr: o.addr, Next: next(ir.Old{Bits: bits}), Read: o.how, Write: o.how})
	return operand{mem.build.reg(r), o.t}, operand{next(mem.build.reg(r)), o.t}
}
