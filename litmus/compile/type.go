package compile

import (
	"fmt"
	"math"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// ctype is a C type: a number or a pointer.
type ctype struct {
	width  int // of the scalar, in bits
	signed bool
	bool   bool
	stars  int
	atomic bool
}

// truth is the type of truth values, 1 or 0.
var (
	intType = ctype{width: 32, signed: true}
	truth   = ctype{width: 32, signed: true, bool: true}
)

func typeOf(t c.Type) ctype {
	width, signed := t.Width()
	if strings.Contains(t.String(), "int128") { // tests in C support it
		width = 128
	}
	return ctype{width, signed, strings.HasSuffix(strings.ToLower(t.String()), "bool"), t.Stars(), t.IsAtomic()}
}

// typed returns the type of a location or a local, as written.
func (k *compiler) typed(pos litmus.Pos, text string) ctype {
	t, ok := c.TypeOf(text)
	if !ok {
		panic(litmus.Errorf(pos, "cannot compile the type %q: want a number or a pointer", text))
	}
	typ := typeOf(t)
	k.check(pos, text, typ)
	return typ
}

// plain returns the type of a parameter, which is always a pointer, even if written without a star.
func (k *compiler) plain(pos litmus.Pos, text string) ctype {
	t, _ := c.TypeOf(text)
	typ := typeOf(t)
	typ.stars = max(typ.stars, 1)
	k.check(pos, text, typ)
	return typ
}

// check rejects a type that is wider than registers and accesses.
func (k *compiler) check(pos litmus.Pos, text string, t ctype) {
	switch {
	case t.stars > 1:
	case t.width > k.m.to.pointerBits():
		panic(
			litmus.Errorf(pos, "%s has %d bits, and %s has registers of %d", text, t.width, k.arch,
				k.m.to.pointerBits()))
	}
}

// bits returns the width of a value of the type in a register.
func (t ctype) bits(m *mapping) int {
	if t.stars > 0 {
		return m.to.pointerBits()
	}
	return max(t.width, 32)
}

// access returns the width of the type in memory.
func (t ctype) access(m *mapping) int {
	if t.stars > 0 {
		return m.to.pointerBits()
	}
	return t.width
}

func (t ctype) pointee() ctype {
	t.stars = max(t.stars-1, 0)
	return t
}

func (t ctype) pointer() ctype {
	t.stars++
	return t
}

// declared returns the type in an architecture's init block.
func (t ctype) declared(m *mapping) string {
	switch bits := t.access(m); {
	case t.stars > 0:
		return "int *"
	case !t.signed:
		return fmt.Sprintf("uint%d_t", bits)
	case bits == 32:
		return "int"
	default:
		return fmt.Sprintf("int%d_t", bits)
	}
}

// common returns the common type of two operands (C11, 6.3.1.8).
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

// typeOf returns the type of an expression.
func (t *thread) typeOf(x c.Expr) ctype {
	switch x := x.(type) {
	case *c.Number:
		return numberType(x)
	case *c.Name:
		if !t.isLocal(x) {
			return t.params[x.Text]
		}
		if !constant(x.Text) {
			return t.local(x.Text).typ
		}
	case *c.Unary:
		switch typ := t.typeOf(x.X); x.Op {
		case "*":
			return typ.pointee()
		case "&":
			if _, isName := x.X.(*c.Name); isName {
				return typ
			}
			return typ.pointer()
		case "++", "--":
			return typ
		case "-", "~", "+":
			return common(typ, intType)
		}
	case *c.Postfix:
		return t.typeOf(x.X)
	case *c.Binary:
		a, b := t.typeOf(x.X), t.typeOf(x.Y)
		switch x.Op {
		case "&&", "||", "==", "!=", "<", "<=", ">", ">=":
		case "<<", ">>":
			return common(a, intType)
		default:
			return common(a, b)
		}
	case *c.Assign:
		return t.typeOf(x.To)
	case *c.Cast:
		return typeOf(x.Type)
	case *c.Index:
		return t.typeOf(x.X).pointee()
	case *c.Ternary:
		return common(t.typeOf(x.Then), t.typeOf(x.Else))
	case *c.Call:
		if f := c.Callees()[c.C11][x.Func]; f.Effect == c.Load || f.Effect == c.Modify {
			return t.typeOf(x.Args[0]).pointee()
		}
	}
	return intType
}

// numberType returns the type of a constant as written.
func numberType(x *c.Number) ctype {
	typ := ctype{width: 32, signed: !x.Unsigned}
	if x.Value > math.MaxUint32 || !x.Unsigned && x.Value > math.MaxInt32 {
		typ.width = 64
	}
	return typ
}
