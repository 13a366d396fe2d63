package values

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// Object is the object that an lvalue designates: a register, or memory at an address.
type Object struct {
	Type cc.Type
	Reg  int // register, or -1 for memory
	Addr ir.Expr
	How  code.Access
	Bits *read.BitField // set for a bit-field: Type is its type, and Addr the address of its structure
	// Called: a function accesses it, not a C operator.
	Called bool
	Odd    bool // it may be misaligned
}

// At returns an object in memory with plain accesses.
func At(t cc.Type, addr ir.Expr) Object { return Object{Type: t, Reg: -1, Addr: addr} }

// Memory reads and writes objects.
type Memory struct {
	Unit   *code.Unit
	Build  *code.Builder
	Types  *layout.Types
	Values *Arithmetic
	// Converted is the bit-field expression whose value is converted at once, if any.
	Converted cc.Node
}

// Designated returns the object of type t at an address, which e designates.
func (mem *Memory) Designated(e cc.ExpressionNode, t cc.Type, addr ir.Expr) Object {
	o := At(t, addr)
	if e != nil {
		o.How = mem.howOf(e)
	}
	return o
}

// howOf returns how C's operators access the object that e designates.
func (mem *Memory) howOf(e cc.ExpressionNode) code.Access {
	atomic, volatile := mem.Types.Qualifiers.Qualified(e)
	how := code.Access{Volatile: volatile}
	if atomic {
		how.Atomic, how.Order = true, c.SeqCst
	}
	how.Relaxed = !atomic && mem.Types.Qualifiers.Relaxed(e)
	return how
}

// Locate returns the address of a variable.
func (mem *Memory) Locate(v *code.Variable) ir.Expr {
	r := mem.Build.Temp(mem.Types.Pointer)
	mem.Build.Emit(code.Locate{Dst: r, Of: v})
	return mem.Build.Reg(r)
}

// Value returns the value of an object in an expression: for an array or a structure, its address.
func (mem *Memory) Value(n cc.Node, o Object) Operand {
	switch o.Type.Kind() {
	case cc.Array, cc.Function:
		return Operand{o.Addr, o.Type.Decay()}
	}
	if layout.IsAggregate(o.Type) {
		if o.How.Atomic {
			mem.operated(n, o)
			return mem.LoadWhole(n, o)
		}
		return Operand{o.Addr, o.Type}
	}
	return mem.Read(n, o)
}

// Read reads a scalar.
func (mem *Memory) Read(n cc.Node, o Object) Operand {
	if o.Bits != nil {
		return mem.readBits(n, o)
	}
	bits := mem.Types.Bits(n, o.Type)
	if o.Reg >= 0 {
		return Operand{mem.Build.Reg(o.Reg), o.Type}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, bits); part < bits {
		return Operand{mem.readParts(o, bits, part), o.Type}
	}
	r := mem.Build.Temp(bits)
	mem.Build.Emit(code.Load{Dst: r, Addr: o.Addr, How: o.How.Done()})
	return Operand{mem.Build.Reg(r), o.Type}
}

// Write sets an object to a value and returns the value after conversion.
func (mem *Memory) Write(n cc.Node, o Object, v Operand) Operand {
	if layout.IsAggregate(o.Type) {
		if o.How.Atomic {
			mem.operated(n, o)
			mem.StoreWhole(n, o, v.X)
			return Operand{v.X, o.Type}
		}
		mem.Copy(n, o.Addr, v.X, o.Type, code.Access{Initial: o.How.Initial})
		return Operand{o.Addr, o.Type}
	}
	if o.Bits != nil {
		return mem.writeBits(n, o, v)
	}
	v = mem.Values.Convert(n, v, o.Type)
	if o.Reg >= 0 {
		mem.Build.Emit(code.Assign{Dst: o.Reg, Value: v.X})
		return Operand{mem.Build.Reg(o.Reg), o.Type}
	}
	mem.operated(n, o)
	if part := mem.accessBits(n, o, v.X.Width()); part < v.X.Width() {
		mem.writeParts(o, v.X, part)
		return v
	}
	mem.Build.Emit(code.Store{Addr: o.Addr, Value: v.X, How: o.How.Done()})
	return v
}

// operated records that an operator accesses an atomic object.
func (mem *Memory) operated(n cc.Node, o Object) {
	if at := read.Place(n); o.How.Atomic && !o.Called && !slices.Contains(mem.Unit.Operated, at) {
		mem.Unit.Operated = append(mem.Unit.Operated, at)
	}
}

// Copy copies a struct or a union, scalar by scalar.
func (mem *Memory) Copy(n cc.Node, to, from ir.Expr, t cc.Type, how code.Access) {
	for _, s := range mem.Types.Scalars(n, t) {
		offset := ir.Number(uint64(s.Offset), mem.Types.Pointer)
		v := mem.Read(n,
			Object{Type: s.Type, Reg: -1, Addr: code.Fold(ir.Add, from, offset), How: code.Access{Copied: true}})
		mem.Write(n, Object{Type: s.Type, Reg: -1, Addr: code.Fold(ir.Add, to, offset), How: how}, v)
	}
}

// Hidden creates an unnamed local variable in memory.
func (mem *Memory) Hidden(n cc.Node, t cc.Type) *code.Variable {
	v := &code.Variable{
		Pos: read.Place(n), Size: mem.Types.Size(n, t), Align: t.Align(),
		Layout: mem.Types.Layout("", t),
	}
	mem.Build.Function.Locals = append(mem.Build.Function.Locals, v)
	return v
}

// Modify applies an operator to an object and a value, and returns the object's values before and after.
func (mem *Memory) Modify(n cc.Node, o Object, op Operator, v Operand) (before, after Operand) {
	if !o.How.Atomic {
		now := mem.Read(n, o)
		before = Operand{mem.Build.Snapshot(now.X), now.Type}
		return before, mem.Write(n, o, mem.Values.Binary(n, op, now, v))
	}
	mem.operated(n, o)
	overflow := mem.Values.Overflow
	mem.Values.Overflow = false // atomic arithmetic wraps around
	defer func() { mem.Values.Overflow = overflow }()
	bits := mem.Types.Bits(n, o.Type)
	next := func(old ir.Expr) ir.Expr {
		return mem.Values.Convert(n, mem.Values.Binary(n, op, Operand{old, o.Type}, v), o.Type).X
	}
	r := mem.Build.Temp(bits)
	mem.Build.Emit(
		code.Update{Dst: r, Wrote: -1, Addr: o.Addr, Next: next(ir.Old{Bits: bits}), Read: o.How, Write: o.How})
	return Operand{mem.Build.Reg(r), o.Type}, Operand{next(mem.Build.Reg(r)), o.Type}
}
