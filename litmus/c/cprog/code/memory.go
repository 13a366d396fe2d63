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
	Type cc.Type
	Reg  int // -1: it is in memory
	Addr ir.Expr
	How  Access
	Bits *read.BitField // of one: t is its type, and addr its structure's
	// called: a function accesses it, not an operator of C's.
	Called bool
	Odd    bool // it may not be aligned
}

// At is an object in memory, which is accessed in the plain way.
func At(t cc.Type, addr ir.Expr) object { return object{Type: t, Reg: -1, Addr: addr} }

// memory reads and writes objects.
type memory struct {
	Unit   *Unit
	Build  *builder
	Types  *types
	Values *values
	// converted is the expression, if it is one of a bit-field, whose value is converted at once.
	Converted cc.Node
}

// memory is an object of type t at an address, which e designates.
func (mem *memory) Designated(e cc.ExpressionNode, t cc.Type, addr ir.Expr) object {
	o := At(t, addr)
	if e != nil {
		o.How = mem.howOf(e)
	}
	return o
}

// howOf is how the object that e designates is accessed by C's operators.
func (mem *memory) howOf(e cc.ExpressionNode) Access {
	atomic, volatile := mem.Types.Qualifiers.Qualified(e)
	how := Access{Volatile: volatile}
	if atomic {
		how.Atomic, how.Order = true, c.SeqCst
	}
	return how
}

// locate is the address of a variable.
func (mem *memory) Locate(v *Variable) ir.Expr {
	r := mem.Build.Temp(mem.Types.Pointer)
	mem.Build.Emit(Locate{Dst: r, Of: v})
	return mem.Build.Reg(r)
}

// value is what an object is worth in an expression: an array is its address, a struct where it is.
func (mem *memory) Value(n cc.Node, o object) operand {
	switch o.Type.Kind() {
	case cc.Array, cc.Function:
		return operand{o.Addr, o.Type.Decay()}
	}
	if aggregate(o.Type) {
		if o.How.Atomic {
			mem.operated(n, o)
			return mem.LoadWhole(n, o)
		}
		return operand{o.Addr, o.Type}
	}
	return mem.Read(n, o)
}

// read reads a scalar.
func (mem *memory) Read(n cc.Node, o object) operand {
	if o.Bits != nil {
		return mem.readBits(n, o)
	}
	bits := mem.Types.Bits(n, o.Type)
	if o.Reg >= 0 {
		return operand{mem.Build.Reg(o.Reg), o.Type}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, bits); part < bits {
		return operand{mem.readParts(o, bits, part), o.Type}
	}
	r := mem.Build.Temp(bits)
	mem.Build.Emit(Load{Dst: r, Addr: o.Addr, How: o.How})
	return operand{mem.Build.Reg(r), o.Type}
}

// write sets an object to a value, and is that value as the object has it.
func (mem *memory) Write(n cc.Node, o object, v operand) operand {
	if aggregate(o.Type) {
		if o.How.Atomic {
			mem.operated(n, o)
			mem.StoreWhole(n, o, v.X)
			return operand{v.X, o.Type}
		}
		mem.Copy(n, o.Addr, v.X, o.Type, Access{Initial: o.How.Initial})
		return operand{o.Addr, o.Type}
	}
	if o.Bits != nil {
		return mem.writeBits(n, o, v)
	}
	v = mem.Values.Convert(n, v, o.Type)
	if o.Reg >= 0 {
		mem.Build.Emit(Assign{Dst: o.Reg, Value: v.X})
		return operand{mem.Build.Reg(o.Reg), o.Type}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, v.X.Width()); part < v.X.Width() {
		mem.writeParts(o, v.X, part)
		return v
	}
	mem.Build.Emit(Store{Addr: o.Addr, Value: v.X, How: o.How})
	return v
}

// operated notes where an operator accesses an atomic object.
func (mem *memory) operated(n cc.Node, o object) {
	if at := read.Place(n); o.How.Atomic && !o.Called && !slices.Contains(mem.Unit.Operated, at) {
		mem.Unit.Operated = append(mem.Unit.Operated, at)
	}
}

// copy copies a struct or a union, scalar by scalar.
func (mem *memory) Copy(n cc.Node, to, from ir.Expr, t cc.Type, how Access) {
	for _, s := range mem.Types.Scalars(n, t) {
		offset := ir.Number(uint64(s.Offset), mem.Types.Pointer)
		v := mem.Read(n, object{Type: s.Type, Reg: -1, Addr: fold(ir.Add, from, offset), How: Access{Copied: true}})
		mem.Write(n, object{Type: s.Type, Reg: -1, Addr: fold(ir.Add, to, offset), How: how}, v)
	}
}

// hidden is a new local of no name that is in memory.
func (mem *memory) Hidden(n cc.Node, t cc.Type) *Variable {
	v := &Variable{Pos: read.Place(n), Size: mem.Types.Size(n, t), Align: t.Align(), Layout: mem.Types.Layout("", t)}
	mem.Build.Function.Locals = append(mem.Build.Function.Locals, v)
	return v
}

// modify applies an operator to an object and a value, and gives what the object was before and is after.
func (mem *memory) Modify(n cc.Node, o object, op operator, v operand) (before, after operand) {
	if !o.How.Atomic {
		now := mem.Read(n, o)
		before = operand{mem.Build.Settle(now.X), now.Type}
		return before, mem.Write(n, o, mem.Values.Binary(n, op, now, v))
	}
	mem.operated(n, o)
	overflow := mem.Values.Overflow
	mem.Values.Overflow = false // atomic arithmetic wraps around
	defer func() { mem.Values.Overflow = overflow }()
	bits := mem.Types.Bits(n, o.Type)
	next := func(old ir.Expr) ir.Expr {
		return mem.Values.Convert(n, mem.Values.Binary(n, op, operand{old, o.Type}, v), o.Type).X
	}
	r := mem.Build.Temp(bits)
	mem.Build.Emit(Update{Dst: r, Wrote: -1, Addr: o.Addr, Next: next(ir.Old{Bits: bits}), Read: o.How, Write: o.How})
	return operand{mem.Build.Reg(r), o.Type}, operand{next(mem.Build.Reg(r)), o.Type}
}
