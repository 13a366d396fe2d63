package c

import (
	mathbits "math/bits"
	"strings"

	"litmuscope/litmus/ir"
)

// value is the result of an expression: its 64 bits and its type.
type value struct {
	x   ir.Expr
	typ Type
}

func numeral(v uint64) ir.Expr { return ir.Number(v, bits) }

// poison returns a value for an expression whose error is already reported.
func poison() value { return value{numeral(0), intType} }

// place is an lvalue: a local variable, or memory at an address.
type place struct {
	local string
	addr  ir.Expr
	typ   Type
}

// truth returns one bit: whether an expression is not 0.
func (l *lowerer) truth(x Expr) ir.Expr { return truthOf(l.value(x).x) }

func truthOf(x ir.Expr) ir.Expr {
	if x.Width() == 1 {
		return x
	}
	if wide, ok := x.(ir.Extend); ok && wide.X.Width() == 1 && !wide.Signed {
		return wide.X
	}
	return ir.Not(ir.Eq.Of(x, numeral(0)))
}

func boolean(bit ir.Expr) value { return value{ir.Resize(bit, bits), intType} }

// convert converts a value to a type, as assignment does (C17, 6.3). If int cannot represent the value, C leaves the
// result to the implementation: convert keeps the value unchanged, unless locations are as wide as their types.
func (l *lowerer) convert(v value, to Type) value {
	l.mixed = l.mixed || v.typ.unlike(to)
	if _, constant := v.x.(ir.Const); to.stars > 0 &&
		(v.typ.stars == 0 && !constant || v.typ.stars == 1 && v.typ.name == "void") {
		l.lost = true
	}
	if l.sized && v.typ.stars > 0 && to.stars == 0 && to.width < bits {
		l.widths.address = true
		l.Failf(l.at, "C: an address does not fit in the %d bits of %s: use a pointer, as in int *p", to.width, to)
	}
	if to.keepsNumbers(l.sized) {
		return value{v.x, to}
	}
	if to.truth() {
		return value{ir.Resize(truthOf(v.x), bits), to}
	}
	if v.typ.stars == 0 && v.typ.width == to.width && v.typ.signed == to.signed {
		return value{v.x, to}
	}
	return value{ir.Widen(ir.Resize(v.x, to.width), bits, to.signed), to}
}

// truth reports whether t is bool, to which every number except 0 converts as 1.
func (t Type) truth() bool {
	return t.stars == 0 && (t.name == "bool" || t.name == "_Bool" || t.name == "atomic_bool")
}

// keepsNumbers reports whether assignment to the type leaves every number unchanged.
func (t Type) keepsNumbers(sized bool) bool {
	return t.stars > 0 || t.width >= bits || t.width == 32 && t.signed && !sized
}

// common returns the common type of two operands (C11, 6.3.1.8).
func common(a, b Type) Type {
	promote := func(t Type) Type {
		if t.width < 32 {
			return intType
		}
		t.atomic, t.volatile = false, false
		return t
	}
	if a.stars > 0 {
		return a
	}
	if b.stars > 0 {
		return b
	}
	a, b = promote(a), promote(b)
	if a.width == b.width && !b.signed || a.width < b.width {
		return b
	}
	return a
}

// value lowers an expression. It returns the recorded value of an action that is already evaluated (order.go).
func (l *lowerer) value(x Expr) value {
	l.At(x.Where().Cell)
	l.at = x.Where().Pos
	if v, ok := l.done[x]; ok {
		return v
	}
	switch x := x.(type) {
	case *Number:
		t := intType
		t.signed = !x.Unsigned
		if x.Value>>31 != 0 {
			t.width = bits
		}
		return value{numeral(x.Value), t}
	case *Name:
		return l.name(x)
	case *Unary:
		return l.unary(x)
	case *Postfix:
		_, old := l.step(x.X, x.Op)
		return old
	case *Binary:
		return l.binary(x)
	case *Assign:
		return l.assign(x)
	case *Cast:
		return l.cast(x)
	case *Call:
		return l.call(x)
	case *Index, *Member:
		p, ok := l.place(x)
		if !ok {
			return poison()
		}
		return l.read(p)
	case *Ternary:
		return l.ternary(x)
	}
	panic("BUG: unknown expression")
}

// name returns the value of a name. A parameter's value is an address.
func (l *lowerer) name(x *Name) value {
	if t, ok := l.params[x.Text]; ok && !l.moved[x.Text] {
		return value{l.address(x.Text), pointerType(t)}
	}
	if _, ok := Orders[x.Text]; ok {
		l.Failf(x.Pos, "C: %s is a memory order, not a value", x.Text)
		return poison()
	}
	switch x.Text {
	case "true":
		return value{numeral(1), intType}
	case "false", "NULL":
		return value{numeral(0), intType}
	}
	return value{l.Value(l.Reg(x.Text)), l.typeOfLocal(x.Text)}
}

// cast converts a value. A pointer that is cast to void * keeps its type.
func (l *lowerer) cast(x *Cast) value {
	v := l.value(x.X)
	if x.Type.stars > 0 && x.Type.name == "void" && v.typ.stars > 0 && !l.sized {
		return v
	}
	if x.Type.stars == 0 && v.typ.stars > 0 {
		v.typ = Type{width: bits} // its address as a number
	}
	return l.convert(v, x.Type)
}

// pointerType returns a parameter's type. A parameter declared without a star also stands for the location.
func pointerType(t Type) Type {
	t.stars = max(t.stars, 1)
	return t
}

func (l *lowerer) typeOfLocal(name string) Type {
	if t, ok := l.params[name]; ok {
		return pointerType(t)
	}
	if t, ok := l.locals[name]; ok {
		return t
	}
	return intType
}

func (l *lowerer) address(name string) ir.Expr { return ir.Addr{Loc: l.Loc(name), Bits: bits} }

// place lowers an lvalue; ok is false, after an error, if x is not one.
func (l *lowerer) place(x Expr) (p place, ok bool) {
	switch x := x.(type) {
	case *Name:
		return place{local: x.Text, typ: l.typeOfLocal(x.Text)}, true
	case *Unary:
		if x.Op == "*" {
			v := l.value(x.X)
			return place{addr: v.x, typ: v.typ.pointee()}, true
		}
	case *Index:
		v := l.value(x.X)
		return place{addr: l.offset(v, l.value(x.At)), typ: v.typ.pointee()}, true
	case *Member:
		v := l.value(x.X)
		typ := intType
		if strings.HasPrefix(v.typ.name, "union ") {
			l.Failf(x.Pos,
				"C: a test does not declare the types of a union's members: cast its address, as in *(uint8_t *)x")
		}
		if l.sized {
			typ.width = bits // no declaration says how wide it is, and there is room
		}
		return place{addr: ir.Add.Of(v.x, numeral(uint64(l.fields[x.Field]))), typ: typ}, true
	}
	at := x.Where()
	l.Failf(at.Pos, "C: this is neither memory nor a local variable: want *p, p[i] or a name")
	return p, false
}

// offset returns the pointer p plus n elements.
func (l *lowerer) offset(p, n value) ir.Expr {
	size := l.stepOf(p.typ)
	if c, ok := n.x.(ir.Const); ok {
		if c.Value == 0 {
			return p.x
		}
		return ir.Add.Of(p.x, numeral(c.Value*size))
	}
	return ir.Add.Of(p.x, ir.Mul.Of(n.x, numeral(size)))
}

// read lowers a plain read. In tests, *p is plain even if the object is atomic, although C makes it sequentially
// consistent.
func (l *lowerer) read(p place) value {
	if p.addr == nil {
		return value{l.Value(l.Reg(p.local)), p.typ}
	}
	return l.load(p.addr, p.typ, plain(p.typ))
}

func (l *lowerer) load(addr ir.Expr, typ Type, tags ir.Tags) value {
	return l.extended(l.Load(ir.Load{Addr: addr, Bits: l.access(typ), Tags: tags}), typ)
}

// write lowers a plain write and returns the value after conversion.
func (l *lowerer) write(p place, v value) value {
	v = l.convert(v, p.typ)
	if p.addr == nil {
		l.setLocal(p.local, v)
	} else {
		l.store(p.addr, v.x, p.typ, plain(p.typ))
	}
	return v
}

func (l *lowerer) setLocal(name string, v value) {
	if t, ok := l.locals[name]; ok {
		v = l.convert(v, t)
	}
	l.Assign(l.Reg(name), v.x)
}

// unary lowers an operator with one operand. &x of a parameter x is the location itself, as tests write it.
func (l *lowerer) unary(x *Unary) value {
	switch x.Op {
	case "*":
		if p, ok := l.place(x); ok {
			return l.read(p)
		}
		return poison()
	case "&":
		if name, ok := x.X.(*Name); ok {
			if t, param := l.params[name.Text]; param && !l.moved[name.Text] { // the location itself, as tests write it
				return value{l.address(name.Text), pointerType(t)}
			}
			l.Failf(x.Pos, "C: cannot take the address of %s: local variables are registers", name.Text)
			return poison()
		}
		p, ok := l.place(x.X)
		if !ok {
			return poison()
		}
		return value{p.addr, p.typ.pointer()}
	case "++", "--":
		now, _ := l.step(x.X, x.Op)
		return now
	}
	v := l.value(x.X)
	t := common(v.typ, intType)
	switch x.Op {
	case "-":
		return l.convert(value{ir.Neg.Of(v.x), Type{width: bits, signed: true}}, t)
	case "~":
		return l.convert(value{ir.Not(v.x), Type{width: bits, signed: true}}, t)
	case "!":
		return boolean(ir.Not(truthOf(v.x)))
	}
	return value{v.x, t}
}

// step lowers ++ or -- and returns the values after and before it.
func (l *lowerer) step(x Expr, op string) (now, old value) {
	return l.update(x, op[:1], value{numeral(1), intType})
}

// update lowers x op= v and returns the new and the old value. For an atomic object, it is one sequentially consistent
// read-modify-write (C17, 6.5.16.2p3).
func (l *lowerer) update(x Expr, op string, v value) (now, old value) {
	p, ok := l.place(x)
	if !ok {
		return poison(), poison()
	}
	if p.addr != nil && p.typ.atomic && p.typ.stars == 0 {
		next := func(old value) value { return l.operate(op, old, v) }
		old = l.rmw(p.addr, p.typ, next, nil, SeqCst.Read(Update()...), SeqCst.Write(Update()...))
		return l.convert(next(old), p.typ), old
	}
	old = l.read(p)
	old.x = l.Keep(old.x)
	return l.write(p, l.operate(op, old, v)), old
}

func (l *lowerer) assign(x *Assign) value {
	if x.Op != "" {
		v := l.value(x.X)
		now, _ := l.update(x.To, x.Op, v)
		return now
	}
	v := l.value(x.X)
	p, ok := l.place(x.To)
	if !ok {
		return poison()
	}
	return l.write(p, v)
}

func (l *lowerer) binary(x *Binary) value {
	a := l.value(x.X)
	if x.Op == "&&" || x.Op == "||" {
		return l.logical(x, truthOf(a.x))
	}
	if Acts(x.Y) {
		a.x = l.Keep(a.x)
	}
	return l.operate(x.Op, a, l.value(x.Y))
}

// logical lowers && or ||: the right operand is evaluated only if the left one does not decide the result.
func (l *lowerer) logical(x *Binary, left ir.Expr) value {
	of := ir.BitAnd
	if x.Op == "||" {
		of = ir.BitOr
	}
	if !Acts(x.Y) {
		return boolean(of.Of(left, l.truth(x.Y)))
	}
	tmp := l.Temp(1)
	l.Assign(tmp, left)
	l.controlled(x.Cell, func() {
		decided := l.Value(tmp)
		if x.Op == "&&" {
			decided = ir.Not(decided)
		}
		over := l.jump(decided)
		l.Assign(tmp, of.Of(l.Value(tmp), l.unorderedTruth(x.Y)))
		l.land(over)
	})
	return boolean(l.Value(tmp))
}

func (l *lowerer) ternary(x *Ternary) value {
	cond := l.truth(x.If)
	if !Acts(x.Then) && !Acts(x.Else) {
		a, b := l.value(x.Then), l.value(x.Else)
		t := common(a.typ, b.typ)
		return value{ir.Select{If: cond, Then: l.convert(a, t).x, Else: l.convert(b, t).x, Open: true}, t}
	}
	tmp := l.Temp(bits)
	var t Type
	l.controlled(x.Cell, func() {
		otherwise := l.jump(ir.Not(cond))
		a := l.unordered(x.Then)
		l.Assign(tmp, a.x)
		over := l.jump(nil)
		l.land(otherwise)
		b := l.unordered(x.Else)
		l.Assign(tmp, b.x)
		l.land(over)
		t = common(a.typ, b.typ)
	})
	return value{l.Value(tmp), t}
}

// operate applies a binary operator.
func (l *lowerer) operate(op string, a, b value) value {
	t := common(a.typ, b.typ)
	if is, swap, not, ok := Comparison(op, t.signed && t.stars == 0); ok {
		x, y := l.convert(a, t).x, l.convert(b, t).x
		if swap {
			x, y = y, x
		}
		bit := ir.Expr(is.Of(x, y))
		if not {
			bit = ir.Not(bit)
		}
		return boolean(bit)
	}
	switch { // pointer arithmetic counts elements
	case t.stars > 0 && op == "+" && a.typ.stars > 0 && b.typ.stars == 0:
		return value{l.offset(a, b), a.typ}
	case t.stars > 0 && op == "+" && b.typ.stars > 0 && a.typ.stars == 0:
		return value{l.offset(b, a), b.typ}
	case t.stars > 0 && op == "-" && b.typ.stars == 0:
		return value{ir.Sub.Of(a.x, ir.Mul.Of(b.x, numeral(l.stepOf(a.typ)))), a.typ}
	case t.stars > 0 && op == "-" && a.typ.stars > 0:
		return value{
			ir.Sar.Of(ir.Sub.Of(a.x, b.x), numeral(uint64(mathbits.TrailingZeros64(l.stepOf(a.typ))))),
			intType,
		}
	}
	if op == "<<" || op == ">>" {
		t = common(a.typ, intType)
	}
	a, b = l.convert(a, t), l.convert(b, t)
	return l.convert(value{Operation(op, t.signed || t.stars > 0).Of(a.x, b.x), Type{width: bits, signed: true}}, t)
}

// Operation returns the IR operator of one of C's arithmetic operators, for signed or unsigned integers.
func Operation(op string, signed bool) ir.BinaryOp {
	if is, differs := ofSigned[op]; differs && signed {
		return is
	}
	return arithmetic[op]
}

var (
	arithmetic = map[string]ir.BinaryOp{
		"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "/": ir.UDiv, "%": ir.URem, "&": ir.BitAnd, "|": ir.BitOr,
		"^": ir.BitXor, "<<": ir.Shl, ">>": ir.Shr,
	}
	ofSigned = map[string]ir.BinaryOp{"/": ir.SDiv, "%": ir.SRem, ">>": ir.Sar}
)

// Comparison returns the IR operator of one of C's comparison operators, for signed or unsigned integers. swap says
// that the operands are exchanged, and not that the result is negated. ok is false for other operators.
func Comparison(op string, signed bool) (is ir.BinaryOp, swap, not, ok bool) {
	is = ir.Ult
	if signed {
		is = ir.Slt
	}
	switch op {
	case "==", "!=":
		is = ir.Eq
	case "<", ">", "<=", ">=":
	default:
		return is, false, false, false
	}
	return is, op == ">" || op == "<=", op == "!=" || op == "<=" || op == ">=", true
}
