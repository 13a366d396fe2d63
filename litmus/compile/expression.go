package compile

import (
	"litmuscope/litmus/c"
)

// operand is the value of an expression.
type operand struct {
	value
	typ ctype
	loc string // the address of this location, which is in no register yet
}

// expr evaluates an expression. The result may be in any register; it is in into if that costs nothing more.
func (t *thread) expr(x c.Expr, into register) operand {
	t.at = x.Where().Pos
	switch x := x.(type) {
	case *c.Number:
		typ := numberType(x)
		t.check(x.Pos, "the number", typ)
		return operand{value: number(int64(x.Value)), typ: typ}
	case *c.Name:
		return t.name(x)
	case *c.Unary:
		return t.unary(x, into)
	case *c.Postfix:
		_, old := t.update(x.X, x.Op[:1], one, was)
		return old
	case *c.Binary:
		return t.binary(x, into)
	case *c.Assign:
		return t.assignment(x, is)
	case *c.Cast:
		typ := typeOf(x.Type)
		if typ.stars == 0 {
			t.check(x.Pos, x.Type.String(), ctype{width: max(typ.width, 32)})
		}
		return t.convert(t.expr(x.X, into), typ, into)
	case *c.Call:
		return t.call(x, into, true)
	case *c.Index:
		return t.read(x, into)
	case *c.Member:
		t.failf(x.Pos, "cannot compile structures")
	case *c.Ternary:
		return t.ternary(x, into)
	}
	panic("BUG: unknown expression")
}

func (t *thread) name(x *c.Name) operand {
	switch {
	case !t.isLocal(x):
		return operand{value: value{r: none}, typ: t.params[x.Text], loc: x.Text}
	case x.Text == "true":
		return operand{value: number(1), typ: intType}
	case x.Text == "false", x.Text == "NULL":
		return operand{value: number(0), typ: intType}
	}
	l := t.local(x.Text)
	return operand{value: in(l.r), typ: l.typ}
}

// flat returns v in a register or as a number. It loads an address into a register.
func (t *thread) flat(v operand) operand {
	if v.loc != "" {
		if t.to.absolute() {
			v.value = in(t.temp())
			t.to.point(t, v.r, v.loc)
		} else {
			v.value = in(t.addresses[v.loc])
		}
		v.loc = ""
	}
	return v
}

// memory returns the memory that a pointer points to.
func (t *thread) memory(v operand) (memory, ctype) {
	if v.typ.stars == 0 {
		t.failf(t.at, "this has the type of a number: declare it as a pointer, as in int *p")
	}
	if v.loc != "" {
		return memory{loc: v.loc}, v.typ.pointee()
	}
	return memory{at: t.reg(v.value, t.to.pointerBits())}, v.typ.pointee()
}

// object returns the memory that an expression names: *p or p[i].
func (t *thread) object(x c.Expr) (memory, ctype) {
	switch x := x.(type) {
	case *c.Unary:
		if x.Op == "*" {
			return t.memory(t.expr(x.X, none))
		}
	case *c.Index:
		p := t.expr(x.X, none)
		p = t.preserved(p, x.At)
		return t.memory(t.step(p, "+", t.expr(x.At, none), none))
	}
	t.failf(x.Where().Pos, "cannot compile this expression: want *p or p[i]")
	panic("unreachable")
}

// step returns a pointer moved by a number of elements.
func (t *thread) step(p operand, op string, n operand, into register) operand {
	size := int64(p.typ.pointee().access(t.m) / 8)
	wide := t.to.pointerBits()
	if n.number {
		if n.n == 0 {
			return p
		}
		n.value = number(n.n * size)
	} else {
		n = t.convert(n, ctype{width: wide, signed: true}, none)
		scaled := t.temp()
		t.to.compute(t, "<<", scaled, n.value, number(map[int64]int64{1: 0, 2: 1, 4: 2, 8: 3}[size]), wide)
		n.value = in(scaled)
	}
	p = t.flat(p)
	dst := t.into(into)
	t.to.compute(t, op, dst, p.value, n.value, wide)
	return operand{value: in(dst), typ: p.typ}
}

func (t *thread) into(r register) register {
	if r == none {
		return t.temp()
	}
	return r
}

// preserved returns the current value of v, even if evaluating next changes the local that v is.
func (t *thread) preserved(v operand, next c.Expr) operand {
	acts := false
	c.Walk([]c.Stmt{&c.Do{X: next}}, func(x c.Expr) {
		switch x := x.(type) {
		case *c.Call, *c.Assign, *c.Postfix:
			acts = true
		case *c.Unary:
			acts = acts || x.Op == "++" || x.Op == "--"
		}
	})
	if acts && !v.number && v.loc == "" {
		r := t.temp()
		t.to.move(t, r, v.r, v.typ.bits(t.m))
		v.value = in(r)
	}
	return v
}

// unary evaluates a unary operator. * reads the object, & returns its address, ++ and -- update it, and the others
// compute with the value. The result is in into, unless into is none or the result costs nothing.
func (t *thread) unary(x *c.Unary, into register) operand {
	switch x.Op {
	case "*":
		return t.read(x, into)
	case "&":
		if name, ok := x.X.(*c.Name); ok {
			return t.name(name) // the location itself, as in tests
		}
		at, typ := t.object(x.X)
		if at.loc != "" {
			return operand{value: value{r: none}, typ: typ.pointer(), loc: at.loc}
		}
		return operand{value: in(at.at), typ: typ.pointer()}
	case "++", "--":
		now, _ := t.update(x.X, x.Op[:1], one, is)
		return now
	}
	free := t.next
	v := t.expr(x.X, none)
	into = t.over(free, into)
	defer t.drop(free, into)
	if x.Op == "!" {
		return t.tested(comparison{op: "=="}, v, operand{value: number(0), typ: v.typ}, into)
	}
	v = t.convert(v, common(v.typ, intType), none)
	switch {
	case x.Op == "-":
		return t.computed("-", operand{value: number(0), typ: v.typ}, v, v.typ, into)
	case x.Op == "~":
		return t.computed("^", v, operand{value: number(-1), typ: v.typ}, v.typ, into)
	}
	return v
}

// compared evaluates the two sides of a comparison, in their common type.
func (t *thread) compared(x *c.Binary) (a, b operand, is comparison, bits int) {
	a = t.preserved(t.expr(x.X, none), x.Y)
	b = t.expr(x.Y, none)
	typ := common(a.typ, b.typ)
	return t.convert(t.flat(a), typ, none), t.convert(t.flat(b), typ, none),
		comparison{x.Op, !typ.signed || typ.stars > 0}, typ.bits(t.m)
}

func (t *thread) binary(x *c.Binary, into register) operand {
	switch x.Op {
	case "&&", "||":
		return t.logical(x, into)
	}
	free := t.next
	switch x.Op {
	case "==", "!=", "<", "<=", ">", ">=":
		a, b, is, _ := t.compared(x)
		into = t.over(free, into)
		defer t.drop(free, into)
		return t.tested(is, a, b, into)
	}
	a := t.preserved(t.expr(x.X, none), x.Y)
	b := t.expr(x.Y, none)
	into = t.over(free, into)
	defer t.drop(free, into)
	t.at = x.Pos
	return t.operate(x.Op, a, b, into)
}

// over returns a register for the result of an operation: into if given, or else the first one that the operands use.
// drop frees the registers from free on, except kept.
func (t *thread) over(free, into register) register {
	switch {
	case into != none:
		return into
	case t.next == free:
		return t.temp()
	}
	return free
}

func (t *thread) drop(free, kept register) { t.next = max(free, kept+1) }

// operate returns a op b.
func (t *thread) operate(op string, a, b operand, into register) operand {
	switch {
	case op == "+" && b.typ.stars > 0 && a.typ.stars == 0:
		return t.step(b, op, a, into)
	case (op == "+" || op == "-") && a.typ.stars > 0 && b.typ.stars == 0:
		return t.step(a, op, b, into)
	case a.typ.stars > 0 || b.typ.stars > 0:
		t.failf(t.at, "cannot compile %s of addresses", op)
	}
	typ := common(a.typ, b.typ)
	if op == "<<" || op == ">>" {
		typ = common(a.typ, intType)
		if op == ">>" && typ.signed {
			op = ">>s"
		}
	}
	return t.computed(op, t.convert(a, typ, none), t.convert(b, typ, none), typ, into)
}

// computed returns a op b, for numbers of one type.
func (t *thread) computed(op string, a, b operand, typ ctype, into register) operand {
	if a.number && b.number {
		if n, ok := fold(op, a.n, b.n, typ); ok {
			return operand{value: number(n), typ: typ}
		}
	}
	if op == "/" || op == "%" {
		t.failf(t.at, "cannot compile %s: litmus tests have no instruction for it", op)
	}
	if a.number && (op == "+" || op == "*" || op == "&" || op == "|" || op == "^") {
		a, b = b, a
	}
	dst := t.into(into)
	t.to.compute(t, op, dst, a.value, b.value, typ.bits(t.m))
	return operand{value: in(dst), typ: typ}
}

// fold computes with constants. It leaves what is undefined in C to the machine.
func fold(op string, a, b int64, typ ctype) (n int64, ok bool) {
	switch op {
	case "+":
		n = a + b
	case "-":
		n = a - b
	case "*":
		n = a * b
	case "&":
		n = a & b
	case "|":
		n = a | b
	case "^":
		n = a ^ b
	case "/", "%":
		if b == 0 || a < 0 || b < 0 {
			return 0, false
		}
		n = map[string]func() int64{"/": func() int64 { return a / b }, "%": func() int64 { return a % b }}[op]()
	case "<<":
		if b < 0 || b >= int64(typ.width) {
			return 0, false
		}
		n = a << b
	case ">>", ">>s":
		if b < 0 || b >= int64(typ.width) {
			return 0, false
		}
		n = a >> b
	}
	return typ.cut(n), true
}

// cut returns a number converted to the type.
func (t ctype) cut(n int64) int64 {
	switch {
	case t.bool:
		return map[bool]int64{true: 1}[n != 0]
	case t.stars > 0 || t.width >= 64:
		return n
	case t.signed:
		return n << (64 - t.width) >> (64 - t.width)
	}
	return n & (1<<t.width - 1)
}

func (c comparison) eval(a, b int64) bool {
	less := a < b
	if c.unsigned {
		less = uint64(a) < uint64(b)
	}
	return map[string]bool{
		"==": a == b, "!=": a != b, "<": less, "<=": less || a == b, ">": !less && a != b,
		">=": !less,
	}[c.op]
}

// tested returns 1 if the comparison holds, else 0.
func (t *thread) tested(is comparison, a, b operand, into register) operand {
	a, b = t.flat(a), t.flat(b)
	bits := common(a.typ, b.typ).bits(t.m)
	if a.number && b.number {
		return operand{value: number(map[bool]int64{true: 1}[is.eval(a.n, b.n)]), typ: intType}
	}
	if a.number {
		a, b, is = b, a, is.swapped()
	}
	dst := t.into(into)
	t.to.test(t, is, dst, a.value, b.value, bits)
	return operand{value: in(dst), typ: truth}
}

// logical returns the value of && or ||. If evaluating the right side has no effects, it is computed always, as
// compilers do; otherwise a branch skips it.
func (t *thread) logical(x *c.Binary, into register) operand {
	decided := func(x c.Expr) operand {
		v := t.expr(x, none)
		if v.typ.bool {
			return v
		}
		return t.tested(comparison{op: "!="}, v, operand{value: number(0), typ: v.typ}, none)
	}
	if !c.Acts(x.Y) {
		a := decided(x.X)
		b := decided(x.Y)
		return t.computed(map[string]string{"&&": "&", "||": "|"}[x.Op], a, b, intType, into)
	}
	dst, no, over := t.temp(), t.label(), t.label()
	t.unless(x, no)
	t.to.set(t, dst, 1, 32)
	t.to.jump(t, over)
	t.mark(no)
	t.to.set(t, dst, 0, 32)
	t.mark(over)
	return operand{value: in(dst), typ: intType}
}

func (t *thread) ternary(x *c.Ternary, into register) operand {
	typ := common(t.typeOf(x.Then), t.typeOf(x.Else))
	dst, otherwise, over := t.temp(), t.label(), t.label()
	side := func(x c.Expr) {
		free := t.next
		t.copy(dst, t.convert(t.flat(t.expr(x, none)), typ, none).value, typ.bits(t.m))
		t.next = free
	}
	t.unless(x.If, otherwise)
	side(x.Then)
	t.to.jump(t, over)
	t.mark(otherwise)
	side(x.Else)
	t.mark(over)
	return operand{value: in(dst), typ: typ}
}

// convert returns v converted to another type, as in an assignment.
func (t *thread) convert(v operand, to ctype, into register) operand {
	from, have := v.typ.bits(t.m), to.bits(t.m)
	switch {
	case v.loc != "" || v.typ.stars > 0:
		if to.stars == 0 && have < from {
			t.failf(t.at, "an address does not fit in 32 bits: declare the variable as a pointer, as in int *p")
		}
		v.typ = to
		if to.stars == 0 {
			v = t.flat(v)
		}
		return v
	case v.number:
		return operand{value: number(to.cut(v.n)), typ: to}
	case to.bool && !v.typ.bool:
		v = t.tested(comparison{op: "!="}, v, operand{value: number(0), typ: v.typ}, into)
		return operand{value: v.value, typ: to}
	case have > from:
		dst := t.into(into)
		t.to.widen(t, dst, v.r, 32, v.typ.signed)
		return operand{value: in(dst), typ: to}
	case to.stars == 0 && to.width < 32 && (v.typ.width > to.width || v.typ.signed != to.signed):
		dst := t.into(into)
		t.to.widen(t, dst, v.r, to.width, to.signed)
		return operand{value: in(dst), typ: to}
	case have < from:
		dst := t.into(into)
		t.to.narrow(t, dst, v.r)
		return operand{value: in(dst), typ: to}
	}
	v.typ = to
	return v
}

// copy sets a register to a value.
func (t *thread) copy(dst register, v value, bits int) {
	switch {
	case v.number:
		t.to.set(t, dst, v.n, bits)
	case v.r != dst:
		t.to.move(t, dst, v.r, bits)
	}
}

// assign sets a local.
func (t *thread) assign(l *local, x c.Expr) operand {
	into := l.r
	if t.typeOf(x).bits(t.m) != l.typ.bits(t.m) { // states show the whole register
		into, l.cut = none, true
	}
	return t.setLocal(l, t.convert(t.expr(x, into), l.typ, l.r))
}

func (t *thread) setLocal(l *local, v operand) operand {
	if v.loc != "" {
		t.point(l.r, v.loc)
	} else {
		t.copy(l.r, v.value, l.typ.bits(t.m))
	}
	return operand{value: in(l.r), typ: l.typ}
}

func (t *thread) assignment(x *c.Assign, wanted wanted) operand {
	if x.Op != "" {
		v := t.flat(t.expr(x.X, none))
		now, _ := t.update(x.To, x.Op, v, wanted)
		return now
	}
	if name, ok := x.To.(*c.Name); ok {
		return t.assign(t.local(name.Text), x.X)
	}
	v := t.preserved(t.flat(t.expr(x.X, none)), x.To)
	at, typ := t.object(x.To)
	v = t.convert(v, typ, none)
	t.to.store(t, v.value, at, typ.access(t.m), "")
	return v
}

// read loads plainly from the object that an expression names.
func (t *thread) read(x c.Expr, into register) operand {
	free := t.next
	at, typ := t.object(x)
	into = t.over(free, into)
	defer t.drop(free, into)
	return t.plainLoad(at, typ, into)
}

// plainLoad is a load that is not atomic.
func (t *thread) plainLoad(at memory, typ ctype, into register) operand {
	t.checkWidth(typ)
	dst := t.into(into)
	t.to.load(t, dst, at, typ.access(t.m), typ.signed, "")
	return operand{value: in(dst), typ: typ}
}

// checkWidth rejects accesses that are wider than registers.
func (t *thread) checkWidth(typ ctype) {
	if typ.stars == 0 {
		t.check(t.at, "what is accessed here", typ)
	}
}

// wanted says which values of an updated object the context uses.
type wanted int

const (
	nothing wanted = iota
	is
	was
)

var one = operand{value: number(1), typ: intType}

// update compiles x op= v, and returns the values after and before, if the caller wants them. On an atomic object, it
// is one read-modify-write.
func (t *thread) update(to c.Expr, op string, v operand, wanted wanted) (now, old operand) {
	if name, ok := to.(*c.Name); ok {
		l := t.local(name.Text)
		old = operand{value: in(l.r), typ: l.typ}
		if wanted == was {
			old.value = in(t.temp())
			t.to.move(t, old.r, l.r, l.typ.bits(t.m))
		}
		return t.setLocal(l, t.convert(t.operate(op, old, v, none), l.typ, none)), old
	}
	at, typ := t.object(to)
	if typ.atomic && typ.stars == 0 {
		if op == "*" || len(op) > 1 || op == "/" || op == "%" {
			t.failf(t.at, "cannot compile %s= of an atomic object", op)
		}
		v = t.convert(v, typ, none)
		old = t.modify(op, at, typ, v, seqCst, none, wanted != nothing)
		if wanted == is {
			now = t.convert(t.operate(op, old, v, none), typ, none)
		}
		return now, old
	}
	old = t.plainLoad(at, typ, none)
	now = t.convert(t.operate(op, old, v, none), typ, none)
	t.to.store(t, now.value, at, typ.access(t.m), "")
	return now, old
}
