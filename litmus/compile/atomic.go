package compile

import (
	"cmp"
	"strings"

	"litmuscope/litmus/c"
)

// call compiles a call. The caller has checked that the function exists.
func (t *thread) call(x *c.Call, into register, used bool) operand {
	outer, around := t.scope, t.operation
	t.operation = x.Pos
	defer func() { t.scope, t.operation = outer, around }()
	if t.source.Arch == "OPENCL" {
		if t.ofOpenCL(x) {
			return operand{value: number(0), typ: intType}
		}
		bare := *x
		args, scope := c.SplitScope(x)
		bare.Args, t.scope = args, t.m.scopes["DV"]
		if scope != nil {
			t.scope = t.m.scopes[c.ScopeOf(scope)]
		}
		x = &bare
	}
	f := c.Callees()[c.C11][x.Func]
	order := func(name string) order {
		if i := f.At(name); i >= 0 {
			return c.Orders[x.Args[i].(*c.Name).Text]
		}
		return seqCst
	}
	o := order("order")
	void := operand{value: number(0), typ: intType}
	switch f.Effect {
	case c.Fence:
		if o != relaxed {
			t.words(t.line(t.m.fence, o, t.everywhere()).before, none, 0, false)
		}
		return void
	case c.SignalFence:
		return void
	case c.IsLockFree:
		return operand{value: number(1), typ: intType}
	case c.CompareExchange:
		return t.compareExchange(x, o, order("order_of_failure").OfFailure(), f.Weak, into, used)
	case c.Load, c.Store, c.Initialise, c.Modify:
	default:
		t.failf(x.Pos, "cannot compile %s: the mappings cover C11's atomic operations and fences", x.Func)
	}
	p, v := t.expr(x.Args[0], none), f.At("v")
	if v >= 0 {
		p = t.preserved(p, x.Args[v])
	}
	at, typ := t.memory(p)
	t.checkWidth(typ)
	if f.Op != "" && typ.stars > 0 {
		t.failf(x.Pos, "cannot compile %s of a pointer", x.Func)
	}
	given := operand{value: number(0), typ: typ}
	switch {
	case v >= 0:
		given = t.convert(t.flat(t.expr(x.Args[v], none)), typ, none)
	case f.Effect == c.Modify: // a test-and-set
		given.value = number(1)
	}
	switch f.Effect {
	case c.Load:
		return t.load(at, typ, o, into)
	case c.Store:
		t.store(at, typ, given, o)
		return void
	case c.Initialise:
		t.to.store(t, given.value, at, typ.access(t.m), "")
		return void
	}
	return t.modify(cmp.Or(f.Op, "="), at, typ, given, o, into, used)
}

// words emits the instructions around an access. If the access has read into r, a branch on r is among them, unless the
// operation has one.
func (t *thread) words(words []string, r register, bits int, branches bool) {
	for _, w := range words {
		switch {
		case w == "branch" || w == "branch!" && !branches:
			label := t.label()
			t.to.depend(t, r, bits, label)
			t.mark(label)
		case w != "branch!":
			t.emit("%s", w)
		}
	}
}

// afterRead returns the instructions after a read with an order.
func (m *mapping) afterRead(l line, o order) []string {
	if m.ctrl && (m.pairwise || !o.Acquires()) {
		return append(l.after[:len(l.after):len(l.after)], "branch!")
	}
	return l.after
}

func (t *thread) load(at memory, typ ctype, o order, into register) operand {
	l, dst := t.line(t.m.load, o, t.region(at)), t.into(into)
	t.words(l.before, none, 0, false)
	t.to.load(t, dst, at, typ.access(t.m), typ.signed, l.mark)
	t.words(t.m.afterRead(l, o), dst, typ.bits(t.m), false)
	return operand{value: in(dst), typ: typ}
}

func (t *thread) store(at memory, typ ctype, v operand, o order) {
	if t.m.strict && o == relaxed && (t.released[at.loc] || t.released[""]) {
		o = release
	}
	l := t.line(t.m.store, o, t.region(at))
	t.words(l.before, none, 0, false)
	t.to.store(t, v.value, at, typ.access(t.m), l.mark)
	t.words(l.after, none, 0, false)
}

// joined returns the mark of an instruction that both reads and writes.
func (l line) joined() string {
	if strings.HasSuffix(l.mark, l.second) {
		return l.mark
	}
	return l.mark + l.second
}

// modify compiles a read-modify-write and returns the old value.
func (t *thread) modify(op string, at memory, typ ctype, v operand, o order, into register, used bool) operand {
	l, bits, access := t.line(t.m.rmw, o, t.region(at)), typ.bits(t.m), typ.access(t.m)
	old := into
	if old == none || at.loc == "" && at.at == old || v.is(old) { // a loop needs the operand again
		old = t.temp()
	}
	t.words(l.before, none, 0, false)
	dst := old
	if !used && t.to.absolute() && !t.m.ctrl { // a branch on the old value needs it
		dst = none
	}
	if !t.to.atomic(t, op, dst, v.value, at, access, l.joined()) {
		if op == "=" {
			v.value = in(t.reg(v.value, bits))
		}
		again, next := t.label(), v.value
		t.mark(again)
		t.to.reserve(t, old, at, access, l.mark)
		if op == "=" && t.m.bound {
			bound := t.temp()
			t.to.compute(t, "^", bound, in(old), in(old), bits)
			t.to.compute(t, "+", bound, in(bound), v.value, bits)
			next = in(bound)
		}
		if op != "=" {
			next = in(t.temp())
			t.to.compute(t, op, next.r, in(old), v.value, bits)
		}
		t.to.commit(t, next, at, access, l.second, again)
	}
	t.words(t.m.afterRead(l, o), old, bits, false)
	if used {
		t.sign(old, typ)
	}
	return operand{value: in(old), typ: typ}
}

// sign converts the result of a read-modify-write, which is unsigned, to its type.
func (t *thread) sign(r register, typ ctype) {
	if typ.access(t.m) < 32 && typ.signed {
		t.to.widen(t, r, r, typ.access(t.m), true)
	}
}

// unsigned returns v as a read-modify-write returns it in a register.
func (t *thread) unsigned(v value, typ ctype) value {
	access := typ.access(t.m)
	switch {
	case access >= 32 || !typ.signed:
		return v
	case v.number:
		return number(v.n & (1<<access - 1))
	}
	r := t.temp()
	t.to.widen(t, r, v.r, access, false)
	return in(r)
}

// compareExchange returns whether it has written. If the value was another one, it is stored to the expected object.
func (t *thread) compareExchange(x *c.Call, success, failure order, weak bool, into register, used bool) operand {
	at, typ := t.memory(t.preserved(t.expr(x.Args[0], none), x.Args[2]))
	t.checkWidth(typ)
	bits, access := typ.bits(t.m), typ.access(t.m)
	var local *local
	var place memory
	var want operand
	if u, ok := x.Args[1].(*c.Unary); ok && u.Op == "&" {
		if name, ok := u.X.(*c.Name); ok && t.isLocal(name) {
			local = t.local(name.Text)
			want = operand{value: in(local.r), typ: local.typ}
		}
	}
	if local == nil {
		var of ctype
		place, of = t.memory(t.preserved(t.expr(x.Args[1], none), x.Args[2]))
		want = t.plainLoad(place, of, none)
	}
	given := want
	want = t.convert(t.preserved(want, x.Args[2]), typ, none)
	want.value = t.unsigned(want.value, typ)
	next := t.convert(t.flat(t.expr(x.Args[2], none)), typ, none)
	t.at = x.Pos

	o := success.Join(failure)
	l, old, done := t.line(t.m.rmw, o, t.region(at)), t.temp(), into
	if done == none || local != nil && local.r == into || next.is(into) || at.loc == "" && at.at == into {
		done = t.temp()
	}
	after := t.m.afterRead(l, o)
	t.words(l.before, none, 0, false)
	if t.to.swap(t, old, want.value, next.value, at, access, l.joined()) {
		weak = false // it never fails spuriously
		t.words(after, old, bits, false)
	} else {
		next.value = in(t.reg(next.value, bits))
		again, exit := t.label(), t.label()
		failed := again
		if weak {
			failed = exit
			t.to.set(t, done, 0, 32)
		}
		t.mark(again)
		t.to.reserve(t, old, at, access, l.mark)
		t.to.branch(t, comparison{op: "!="}, in(old), want.value, bits, exit)
		t.to.commit(t, next.value, at, access, l.second, failed)
		if weak {
			t.to.set(t, done, 1, 32)
		}
		if failure.Acquires() {
			t.mark(exit)
			t.words(after, old, bits, true)
		} else {
			t.words(after, old, bits, true)
			t.mark(exit)
		}
	}
	if !weak && (used || local == nil) {
		t.to.test(t, comparison{op: "=="}, done, in(old), want.value, bits)
	}
	t.sign(old, typ)
	found := t.convert(operand{value: in(old), typ: typ}, given.typ, none)
	if local != nil {
		t.setLocal(local, found)
	} else {
		over := t.label()
		t.to.branch(t, comparison{op: "!="}, in(done), number(0), 32, over)
		t.to.store(t, found.value, place, given.typ.access(t.m), "")
		t.mark(over)
	}
	return operand{value: in(done), typ: intType}
}

// negated returns the negated operand, for architectures whose instructions have no subtraction.
func (t *thread) negated(v value, bits int) value {
	if v.number {
		return number(-v.n)
	}
	r := t.temp()
	t.to.compute(t, "-", r, number(0), v, max(bits, 32))
	return in(r)
}

// inverted returns the inverted operand, for architectures whose instructions have no bitwise and.
func (t *thread) inverted(v value, bits int) value {
	if v.number {
		return number(^v.n)
	}
	r := t.temp()
	t.to.compute(t, "^", r, v, number(-1), max(bits, 32))
	return in(r)
}
