package compile

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// ctype is a C type: what is compiled knows numbers and pointers.
type ctype struct {
	width  int // of the scalar, in bits
	signed bool
	bool   bool
	stars  int
	atomic bool
}

var intType = ctype{width: 32, signed: true}

func typeOf(t c.Type) ctype {
	width, signed := t.Width()
	return ctype{width, signed, strings.HasSuffix(strings.ToLower(t.String()), "bool"), t.Stars(), t.IsAtomic()}
}

// typed is the type of a location or of a local, as written.
func (k *compiler) typed(pos litmus.Pos, text string) ctype {
	t, ok := c.TypeOf(text)
	if !ok {
		panic(litmus.Errorf(pos, "type %q is not compiled: want a number or a pointer", text))
	}
	typ := typeOf(t)
	k.check(pos, text, typ)
	return typ
}

// plain is the type of a parameter, which is a pointer, written as one or not.
func (k *compiler) plain(pos litmus.Pos, text string) ctype {
	t, _ := c.TypeOf(text)
	typ := typeOf(t)
	typ.stars = max(typ.stars, 1)
	k.check(pos, text, typ)
	return typ
}

// check refuses what no register or access has the width for.
func (k *compiler) check(pos litmus.Pos, text string, t ctype) {
	switch {
	case t.stars > 1:
	case t.width < 32:
		panic(litmus.Errorf(pos, "%s has %d bits: only accesses of 32 and 64 bits are compiled", text, t.width))
	case t.width > k.m.to.pointerBits():
		panic(litmus.Errorf(pos, "%s has %d bits, and %s has registers of %d", text, t.width, k.arch, k.m.to.pointerBits()))
	}
}

// bits is how wide a value of the type is in a register.
func (t ctype) bits(m *mapping) int {
	if t.stars > 0 {
		return m.to.pointerBits()
	}
	return max(t.width, 32)
}

func (t ctype) pointee() ctype {
	t.stars = max(t.stars-1, 0)
	return t
}

func (t ctype) pointer() ctype {
	t.stars++
	return t
}

// declared is the type in an architecture's init block.
func (t ctype) declared(m *mapping) string {
	switch bits := t.bits(m); {
	case t.stars > 0:
		return "int *"
	case bits == 64 && t.signed:
		return "int64_t"
	case bits == 64:
		return "uint64_t"
	case !t.signed:
		return "uint32_t"
	}
	return "int"
}

// common is the type in which two operands meet (C11, 6.3.1.8).
func common(a, b ctype) ctype {
	promote := func(t ctype) ctype {
		if t.stars > 0 {
			return t
		}
		if t.width < 32 {
			return intType
		}
		return ctype{width: t.width, signed: t.signed}
	}
	a, b = promote(a), promote(b)
	switch {
	case a.stars > 0:
		return a
	case b.stars > 0:
		return b
	case a.width == b.width && !b.signed || a.width < b.width:
		return b
	}
	return a
}
