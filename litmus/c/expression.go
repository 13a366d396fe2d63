package c

import (
	mathbits "math/bits"
	"strings"

	"litmuscope/litmus/ir"
)

// value is what an expression comes to: its 64 bits, and its type.
type value struct {
	x   ir.Expr
	typ Type
}

func numeral(v uint64) ir.Expr { return ir.Number(v, bits) }

// poison stands for the value of what is reported already.
func poison() value { return value{numeral(0), intType} }

// place is what can be assigned to: a local, or memory at an address.
type place struct {
	local string
	addr  ir.Expr
	typ   Type
}

// truth is one bit: whether an expression is not 0.
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

// convert cuts a value to a type, as assignment does. What int cannot hold has no meaning in
// C; it is kept here as it is, unless locations are as wide as their types.
func (l *lowerer) convert(v value, to Type) value {
	l.mixed = l.mixed || v.typ.unlike(to)
	if _, constant := v.x.(ir.Const); to.stars > 0 &&
		(v.typ.stars == 0 && !constant || v.typ.stars == 1 && v.typ.name == "void") {
		l.lost = true
	}
	if l.sized && v.typ.stars > 0 && to.stars == 0 && to.width < bits {
		l.widths.address = true
		l.Failf(l.at, "C: an address does not fit in the %d bits of %s: want a pointer, as in int *p", to.width, to)
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

// truth tells whether it is the type of truth values, as which any number but 0 is 1.
func (t Type) truth() bool {
	return t.stars == 0 && (t.name == "bool" || t.name == "_Bool" || t.name == "atomic_bool")
}

// keepsNumbers tells whether numbers stay as they are when they are assigned to the type.
func (t Type) keepsNumbers(sized bool) bool {
	return t.stars > 0 || t.width >= bits || t.width == 32 && t.signed && !sized
}

// common is the type in which two operands meet (C11, 6.3.1.8).
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

// name is the value of a name: a parameter's is an address.
func (l *lowerer) name(x *Name) value {
	if t, ok := l.params[x.Text]; ok && !l.moved[x.Text] {
		return value{l.address(x.Text), pointerType(t)}
	}
	if _, ok := Orders[x.Text]; ok {
		l.Failf(x.Pos, "C: %s is a memory order, and has no value", x.Text)
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

// cast converts a value. What goes by way of void * keeps the type that it had.
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

// pointerType is a parameter's type: one that is declared without a star is taken for the
// location all the same.
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

// place finds what an expression that can be assigned to stands for.
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
				"C: the types of a union's members are not said in a test: cast its address, as in *(uint8_t *)x")
		}
		if l.sized {
			typ.width = bits // nobody has said how wide it is, and there is room
		}
		return place{addr: ir.Add.Of(v.x, numeral(uint64(l.fields[x.Field]))), typ: typ}, true
	}
	at := x.Where()
	l.Failf(at.Pos, "C: this names no memory and no local: want *p, p[i] or a name")
	return p, false
}

// offset is a pointer moved on by a number of elements.
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

// read is a plain read. Tests mean that by *p even of an atomic object, which in C would be
// sequentially consistent.
func (l *lowerer) read(p place) value {
	if p.addr == nil {
		return value{l.Value(l.Reg(p.local)), p.typ}
	}
	return l.load(p.addr, p.typ, plain(p.typ))
}

func (l *lowerer) load(addr ir.Expr, typ Type, tags ir.Tags) value {
	return l.extended(l.Load(ir.Load{Addr: addr, Bits: l.access(typ), Tags: tags}), typ)
}

// write is a plain write, and gives the value as it is then.
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
			l.Failf(x.Pos, "C: the address of %s is not supported: locals are registers", name.Text)
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

// step carries out ++ or --, and gives the value after it, and before.
func (l *lowerer) step(x Expr, op string) (now, old value) {
	return l.update(x, op[:1], value{numeral(1), intType})
}

// update carries out x op= v: of an atomic object, as one sequentially consistent
// read-modify-write.
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

// logical is && or ||: what stands on the right is evaluated where the left leaves it open.
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
		return value{ir.Cond{If: cond, Then: l.convert(a, t).x, Else: l.convert(b, t).x}, t}
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

// operate applies an operator of two operands.
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
	switch { // pointer arithmetic goes by elements
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

// Operation is what an operator of C does with integers, signed or not.
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

// Comparison is what of the IR's an operator of C compares integers by, signed or not: of its operands the other way
// round, and whether that does not hold, perhaps. Ok is false of other operators.
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
