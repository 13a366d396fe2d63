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
func (l *lowerer) memory(e cc.ExpressionNode, t cc.Type, addr ir.Expr) object {
	o := object{t: t, reg: -1, addr: addr}
	if e != nil {
		o.how = l.howOf(e)
	}
	return o
}

// howOf is how the object that e designates is accessed by C's operators.
func (l *lowerer) howOf(e cc.ExpressionNode) Access {
	atomic, volatile := l.Qualified(e)
	how := Access{Volatile: volatile}
	if atomic {
		how.Atomic, how.Order = true, c.SeqCst
	}
	return how
}

// object finds what an lvalue designates. Of a struct that is no lvalue, as a call gives, it is where it
// is kept for the while.
func (l *lowerer) object(e cc.ExpressionNode) object {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			return l.named(n)
		case cc.PrimaryExpressionExpr:
			if _, comma := n.ExpressionList.(*cc.ExpressionList); !comma {
				return l.object(n.ExpressionList)
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			v := l.text(n)
			return l.memory(nil, n.Type().Undecay(), l.locate(v))
		case cc.PrimaryExpressionGeneric:
			l.typed(n.GenericSelection.AssignmentExpression)
			return l.object(n.GenericSelection.Associated().AssignmentExpression)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			array, index := l.expr(n.PostfixExpression), l.expr(n.ExpressionList)
			l.assertInArray(n.PostfixExpression, index, l.pointsTo == n)
			p := l.pointer(n, "+", array, index)
			return l.memory(n, l.pointeeType(n, p.t), p.x)
		case cc.PostfixExpressionSelect:
			if atomic, _ := l.Qualified(n.PostfixExpression); atomic {
				l.failf(n, "a member of an atomic structure has no meaning in C (C17, 6.5.2.3): copy the structure first, or want atomic members")
			}
			return l.member(n, l.expr(n.PostfixExpression).x)
		case cc.PostfixExpressionPSelect:
			return l.member(n, l.expr(n.PostfixExpression).x)
		case cc.PostfixExpressionComplit:
			return l.compound(n)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			p := l.dereferenced(n)
			return l.memory(n, l.pointeeType(n, p.t), p.x)
		}
	}
	if t := e.Type(); aggregate(t) {
		return l.memory(nil, t, l.expr(e).x)
	}
	l.failf(e, "got a value, want an object")
	return object{}
}

// dereferenced is the address that * is applied to; it is that of an element, and not the one behind the last, unless only the
// address of the object is taken.
func (l *lowerer) dereferenced(n *cc.UnaryExpression) operand {
	if l.pointsTo != n {
		l.pointsAt = plain(n.CastExpression)
	}
	return l.expr(n.CastExpression)
}

// assertInArray asserts that an index into an array that is a part of an object, as in s.a[i], m[j][i] or s.a + i, is within
// that array: beyond it may lie another part (C17, 6.5.6p8 and J.2). An array of at most one element at the end of a structure
// has any length, as programs wrote it before C99. An address may also be the one behind the last element.
func (l *lowerer) assertInArray(array cc.ExpressionNode, index operand, address bool) {
	of := plain(array)
	t := of.Type()
	if t == nil || l.static || !cc.IsIntegerType(index.t) {
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
			if length <= 1 && l.isLast(part) {
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
	i := widen(index.x, l.Unit.Pointer, signed(index.t))
	if c, ok := i.(ir.Const); ok && c.Value < length {
		return
	}
	l.emit(Assert{
		ir.Ult.Of(i, ir.Number(length, l.Unit.Pointer)), ir.Memory,
		fmt.Sprintf("the index is not within %s, which has %d elements", shorten(squeeze(cc.NodeSource(of))), a.Len()),
	})
}

// isLast tells whether a member is the last of its structure.
func (l *lowerer) isLast(n *cc.PostfixExpression) bool {
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
func (l *lowerer) member(n *cc.PostfixExpression, addr ir.Expr) object {
	f, at := read.Member(n)
	// Integers cc may confuse, for their types are found out here.
	if f == nil || f.Declarator() != n.Field().Declarator() && !(cc.IsIntegerType(f.Type()) && cc.IsIntegerType(n.Type())) {
		l.failf(n, "which member %s is meant is not clear to the C parser: want another name for it, or for that in a structure beside it", n.Field().Name())
	}
	if f.IsBitfield() {
		return l.bitField(n, f, at, addr)
	}
	o := l.memory(n, f.Type(), fold(ir.Add, addr, ir.Number(uint64(at), l.Unit.Pointer)))
	o.odd = isOdd(n, f)
	return o
}

// named is the object, or the function, of a name.
func (l *lowerer) named(n *cc.PrimaryExpression) object {
	d, ok := n.ResolvedTo().(*cc.Declarator)
	if !ok {
		l.failf(n, "got %s, want an object", n.Token.SrcStr())
	}
	if b, ok := l.locals[d]; ok {
		switch {
		case b.by != nil:
			return l.memory(n, d.Type(), b.by)
		case b.of == nil:
			return object{t: d.Type(), reg: b.reg}
		}
		return l.memory(n, d.Type(), l.locate(b.of))
	}
	if d.IsParam() {
		l.failf(n, "%s is not known: the program begins here", d.Name())
	}
	v, t := l.global(n, d)
	return l.memory(n, t, l.locate(v))
}

// locate is the address of a variable.
func (l *lowerer) locate(v *Variable) ir.Expr {
	r := l.temp(l.Unit.Pointer)
	l.emit(Locate{Dst: r, Of: v})
	return l.reg(r)
}

// value is what an object is worth in an expression: an array is its address, a struct where it is.
func (l *lowerer) value(n cc.Node, o object) operand {
	switch o.t.Kind() {
	case cc.Array, cc.Function:
		return operand{o.addr, o.t.Decay()}
	}
	if aggregate(o.t) {
		if o.how.Atomic {
			l.operated(n, o)
			return l.loadWhole(n, o)
		}
		return operand{o.addr, o.t}
	}
	return l.read(n, o)
}

// read reads a scalar.
func (l *lowerer) read(n cc.Node, o object) operand {
	if o.bits != nil {
		return l.readBits(n, o)
	}
	bits := l.bits(n, o.t)
	if o.reg >= 0 {
		return operand{l.reg(o.reg), o.t}
	}
	l.operated(n, o)
	if part := l.accessBits(n, o, bits); part < bits {
		return operand{l.readParts(o, bits, part), o.t}
	}
	r := l.temp(bits)
	l.emit(Load{r, o.addr, o.how})
	return operand{l.reg(r), o.t}
}

// write sets an object to a value, and is that value as the object has it.
func (l *lowerer) write(n cc.Node, o object, v operand) operand {
	if aggregate(o.t) {
		if o.how.Atomic {
			l.operated(n, o)
			l.storeWhole(n, o, v.x)
			return operand{v.x, o.t}
		}
		l.copy(n, o.addr, v.x, o.t, Access{Initial: o.how.Initial})
		return operand{o.addr, o.t}
	}
	if o.bits != nil {
		return l.writeBits(n, o, v)
	}
	v = l.convert(n, v, o.t)
	if o.reg >= 0 {
		l.emit(Assign{o.reg, v.x})
		return operand{l.reg(o.reg), o.t}
	}
	l.operated(n, o)
	if part := l.accessBits(n, o, v.x.Width()); part < v.x.Width() {
		l.writeParts(o, v.x, part)
		return v
	}
	l.emit(Store{o.addr, v.x, o.how})
	return v
}

// operated notes where an operator accesses an atomic object.
func (l *lowerer) operated(n cc.Node, o object) {
	if at := read.Place(n); o.how.Atomic && !o.called && !slices.Contains(l.Operated, at) {
		l.Operated = append(l.Operated, at)
	}
}

// copy copies a struct or a union, scalar by scalar.
func (l *lowerer) copy(n cc.Node, to, from ir.Expr, t cc.Type, how Access) {
	for _, s := range l.scalars(n, t) {
		offset := ir.Number(uint64(s.offset), l.Unit.Pointer)
		v := l.read(n, object{t: s.t, reg: -1, addr: fold(ir.Add, from, offset), how: Access{Copied: true}})
		l.write(n, object{t: s.t, reg: -1, addr: fold(ir.Add, to, offset), how: how}, v)
	}
}

// hidden is a new local of no name that is in memory.
func (l *lowerer) hidden(n cc.Node, t cc.Type) *Variable {
	v := &Variable{Pos: read.Place(n), Size: l.size(n, t), Align: t.Align(), Layout: l.layout("", t)}
	l.f.Locals = append(l.f.Locals, v)
	return v
}
