package code

import (
	"fmt"
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

// object finds what an lvalue designates. Of a struct that is no lvalue, as a call gives, it is where it
// is kept for the while.
func (ex *expressions) object(e cc.ExpressionNode) object {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			return ex.named(n)
		case cc.PrimaryExpressionExpr:
			if _, comma := n.ExpressionList.(*cc.ExpressionList); !comma {
				return ex.object(n.ExpressionList)
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			v := ex.literals.of(n)
			return ex.memory.designated(nil, n.Type().Undecay(), ex.memory.locate(v))
		case cc.PrimaryExpressionGeneric:
			typed(n.GenericSelection.AssignmentExpression)
			return ex.object(n.GenericSelection.Associated().AssignmentExpression)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			array, index := ex.evaluate(n.PostfixExpression), ex.evaluate(n.ExpressionList)
			ex.assertInArray(n.PostfixExpression, index, ex.pointsTo == n)
			p := ex.values.pointer(n, "+", array, index)
			return ex.memory.designated(n, ex.types.pointeeType(n, p.t), p.x)
		case cc.PostfixExpressionSelect:
			if atomic, _ := ex.types.qualifiers.Qualified(n.PostfixExpression); atomic {
				failf(n, "a member of an atomic structure has no meaning in C (C17, 6.5.2.3): copy the structure first, or want atomic members")
			}
			return ex.member(n, ex.evaluate(n.PostfixExpression).x)
		case cc.PostfixExpressionPSelect:
			return ex.member(n, ex.evaluate(n.PostfixExpression).x)
		case cc.PostfixExpressionComplit:
			return ex.declarations.compound(n)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			p := ex.dereferenced(n)
			return ex.memory.designated(n, ex.types.pointeeType(n, p.t), p.x)
		}
	}
	if t := e.Type(); aggregate(t) {
		return ex.memory.designated(nil, t, ex.evaluate(e).x)
	}
	failf(e, "got a value, want an object")
	return object{}
}

// dereferenced is the address that * is applied to; it is that of an element, and not the one behind the last, unless only the
// address of the object is taken.
func (ex *expressions) dereferenced(n *cc.UnaryExpression) operand {
	if ex.pointsTo != n {
		ex.pointsAt = plain(n.CastExpression)
	}
	return ex.evaluate(n.CastExpression)
}

// assertInArray asserts that an index into an array that is a part of an object, as in s.a[i], m[j][i] or s.a + i, is within
// that array: beyond it may lie another part (C17, 6.5.6p8 and J.2). An array of at most one element at the end of a structure
// has any length, as programs wrote it before C99. An address may also be the one behind the last element.
func (ex *expressions) assertInArray(array cc.ExpressionNode, index operand, address bool) {
	of := plain(array)
	t := of.Type()
	if t == nil || ex.values.static || !cc.IsIntegerType(index.t) {
		return
	}
	a, ok := t.Undecay().(*cc.ArrayType)
	if !ok || a.IsVLA() || a.Len() < 0 {
		return
	}
	length := uint64(a.Len())
	switch part := of.(type) {
	case *cc.PostfixExpression:
		switch part.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			if length <= 1 && isLast(part) {
				return
			}
		case cc.PostfixExpressionIndex:
		default:
			return
		}
	case *cc.UnaryExpression:
		if part.Case != cc.UnaryExpressionDeref {
			return
		}
	default:
		return
	}
	if address {
		length++
	}
	i := widen(index.x, ex.types.pointer, signed(index.t))
	if c, ok := i.(ir.Const); ok && c.Value < length {
		return
	}
	ex.build.emit(Assert{
		ir.Ult.Of(i, ir.Number(length, ex.types.pointer)), ir.Memory,
		fmt.Sprintf("the index is not within %s, which has %d elements", shorten(squeeze(cc.NodeSource(of))), a.Len()),
	})
}

// isLast tells whether a member is the last of its structure.
func isLast(n *cc.PostfixExpression) bool {
	t := n.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	s, ok := t.(*cc.StructType)
	if !ok {
		return true // all members of a union are
	}
	f, _ := read.Member(n)
	return f == nil || s.NumFields() > 0 && s.FieldByIndex(s.NumFields()-1).Name() == f.Name()
}

// member is a field of a struct or a union at an address.
func (ex *expressions) member(n *cc.PostfixExpression, addr ir.Expr) object {
	f, at := read.Member(n)
	// Integers cc may confuse, for their types are found out here.
	if f == nil || f.Declarator() != n.Field().Declarator() && !(cc.IsIntegerType(f.Type()) && cc.IsIntegerType(n.Type())) {
		failf(n, "which member %s is meant is not clear to the C parser: want another name for it, or for that in a structure beside it", n.Field().Name())
	}
	if f.IsBitfield() {
		return ex.memory.bitField(n, f, at, addr)
	}
	o := ex.memory.designated(n, f.Type(), fold(ir.Add, addr, ir.Number(uint64(at), ex.types.pointer)))
	o.odd = isOdd(n, f)
	return o
}

// named is the object, or the function, of a name.
func (ex *expressions) named(n *cc.PrimaryExpression) object {
	d, ok := n.ResolvedTo().(*cc.Declarator)
	if !ok {
		failf(n, "got %s, want an object", n.Token.SrcStr())
	}
	if b, ok := ex.locals.bindings[d]; ok {
		switch {
		case b.by != nil:
			return ex.memory.designated(n, d.Type(), b.by)
		case b.of == nil:
			return object{t: d.Type(), reg: b.reg}
		}
		return ex.memory.designated(n, d.Type(), ex.memory.locate(b.of))
	}
	if d.IsParam() {
		failf(n, "%s is not known: the program begins here", d.Name())
	}
	v, t := ex.symbols.global(n, d)
	return ex.memory.designated(n, t, ex.memory.locate(v))
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
