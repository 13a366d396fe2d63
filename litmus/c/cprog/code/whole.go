package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// Structures and unions that are accessed atomically as a whole: as an integer of as many bytes. What is between the members,
// their padding, is 0 in it. Larger ones are refused: an atomic section would order more than the access does, so that
// programs would be safe that are not.

// wholeType is the integer that a structure or a union is accessed as.
func (l *lowerer) wholeType(n cc.Node, t cc.Type) cc.Type {
	switch l.size(n, t) {
	case 1:
		return l.ast.UChar
	case 2:
		return l.ast.UShort
	case 4:
		return l.ast.UInt
	case 8:
		return l.ast.ULongLong
	}
	l.failf(n, "an atomic access of %d bytes, to all of %s, is not supported: want 1, 2, 4 or 8 bytes, as of an index and a tag of 32 bits each", l.size(n, t), t)
	return nil
}

// packed is the integer that a structure at an address is, and the bits of it that are of members.
func (l *lowerer) packed(n cc.Node, t cc.Type, addr ir.Expr) (x ir.Expr, members uint64) {
	bits := l.bits(n, l.wholeType(n, t))
	for _, s := range l.scalars(n, t) {
		v := l.read(n, object{t: s.t, reg: -1, addr: l.plus(addr, s.offset), how: Access{Copied: true}}).x
		members |= ir.Mask(v.Width()) << (8 * s.offset)
		part := widen(v, bits, false)
		if s.offset > 0 {
			part = fold(ir.Shl, part, ir.Number(uint64(8*s.offset), bits))
		}
		if x == nil {
			x = part
		} else {
			x = fold(ir.BitOr, x, part)
		}
	}
	if x == nil { // it has no members
		x = ir.Number(0, bits)
	}
	return l.keep(x), members
}

// unpack writes an integer to where a structure is.
func (l *lowerer) unpack(n cc.Node, t cc.Type, addr, x ir.Expr) {
	for _, s := range l.scalars(n, t) {
		v := x
		if bits := l.bits(n, s.t); bits < x.Width() {
			v = ir.Extract{X: x, Lo: 8 * s.offset, Bits: bits}
		}
		l.emit(Store{Addr: l.plus(addr, s.offset), Value: v})
	}
}

// plus is the address so many bytes further on.
func (l *lowerer) plus(addr ir.Expr, bytes int) ir.Expr {
	return fold(ir.Add, addr, ir.Number(uint64(bytes), l.Unit.Pointer))
}

// loadWhole reads a structure atomically, and gives where a copy of it is.
func (l *lowerer) loadWhole(n cc.Node, o object) operand {
	into := l.locate(l.hidden(n, o.t))
	r := l.temp(l.bits(n, l.wholeType(n, o.t)))
	l.emit(Load{r, o.addr, o.how})
	l.unpack(n, o.t, into, l.reg(r))
	return operand{into, o.t}
}

// storeWhole writes the structure at an address to an object atomically.
func (l *lowerer) storeWhole(n cc.Node, o object, from ir.Expr) {
	x, _ := l.packed(n, o.t, from)
	l.emit(Store{o.addr, x, o.how})
}

// exchangeWhole writes the structure at an address to an object, and gives where a copy is of what was there, in one atomic step.
func (l *lowerer) exchangeWhole(n cc.Node, o object, from ir.Expr, read, write Access) operand {
	into := l.locate(l.hidden(n, o.t))
	x, _ := l.packed(n, o.t, from)
	r := l.temp(x.Width())
	l.emit(Update{Dst: r, Wrote: -1, Addr: o.addr, Next: x, Read: read, Write: write})
	l.unpack(n, o.t, into, l.reg(r))
	return operand{into, o.t}
}

// padded says what a comparison of structures does about padding.
const padded = "the structure has padding, which a compare-and-exchange compares, too, and which need not be equal where members are: it is taken to fail at any time"

// compareWhole writes the structure at an address to an object if that is equal to what is expected, else what was there to where
// that is: a bit that tells whether it did. C compares bytes. As those between members are anything, a structure that has
// such may be found unequal for no reason.
func (l *lowerer) compareWhole(n cc.Node, o object, expected, from ir.Expr, read, write, failed Access, weak ir.Expr) ir.Expr {
	want, members := l.packed(n, o.t, expected)
	next, _ := l.packed(n, o.t, from)
	bits := next.Width()
	var was ir.Expr = ir.Old{Bits: bits}
	if members != ir.Mask(bits) {
		l.remark(n, padded)
		was, weak = ir.BitAnd.Of(was, ir.Number(members, bits)), ir.Number(1, 1)
	}
	r, wrote := l.temp(bits), l.temp(1)
	l.emit(Update{r, wrote, o.addr, next, ir.Eq.Of(was, want), read, write, failed, weak})
	done := l.jump(l.reg(wrote))
	l.unpack(n, o.t, expected, l.reg(r))
	l.land(done)
	return l.reg(wrote)
}

// performWhole is what a callee does to a structure or a union.
func (k *calling) performWhole(f c.Callee, o object, how, failure c.Ordering) operand {
	read, write := access(how, c.Ordering.Read, c.Update()...), access(how, c.Ordering.Write, c.Update()...)
	given := func() ir.Expr {
		i := f.At("&v")
		if i >= 0 {
			return k.pointee(i).addr
		}
		if i = f.At("v"); i < 0 || k.args[i].x == nil || !aggregate(k.args[i].t) {
			k.failf(k.node, "got %s, want a value of type %s", k.raw[max(i, 0)].t, o.t)
		}
		return k.args[i].x
	}
	switch {
	case f.Does == c.Load:
		o.how = access(how, c.Ordering.Read)
		return k.result(f, k.loadWhole(k.node, o))
	case f.Does == c.Initialise:
		k.copy(k.node, o.addr, given(), o.t, Access{})
		return k.nothing()
	case f.Does == c.Store:
		o.how = access(how, c.Ordering.Write)
		k.storeWhole(k.node, o, given())
		return k.nothing()
	case f.Does == c.Modify && f.Op == "":
		return k.result(f, k.exchangeWhole(k.node, o, given(), read, write))
	case f.Does == c.CompareExchange && f.At("&expected", "&old") >= 0:
		var weak ir.Expr
		if i := f.At("weak"); i >= 0 {
			weak = k.keep(k.truth(k.node, k.args[i]))
		} else if f.Weak {
			weak = ir.Number(1, 1)
		}
		expected := k.keep(k.pointee(f.At("&expected", "&old")).addr)
		return k.boolean(k.compareWhole(k.node, o, expected, given(), read, write, access(failure, c.Ordering.Read, c.Update()...), weak))
	}
	k.failf(k.node, "%s of a structure is not supported: want an object of an integer type", k.name)
	return k.nothing()
}
