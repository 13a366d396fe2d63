package code

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"
)

// maxScalars bounds the scalars that one initialiser sets, or one assignment copies.
const maxScalars = 1 << 14

// integerBits are the widths of C's integers, but for long, whose width is a pointer's.
var integerBits = map[cc.Kind]int{
	cc.Bool: 8, cc.Char: 8, cc.SChar: 8, cc.UChar: 8, cc.Short: 16, cc.UShort: 16,
	cc.Int: 32, cc.UInt: 32, cc.LongLong: 64, cc.ULongLong: 64,
}

// bits is the width of a scalar type; 0 where it is none that there are values of.
func (u *Unit) bits(t cc.Type) int {
	switch k := t.Kind(); k {
	case cc.Long, cc.ULong, cc.Ptr:
		return u.Pointer
	case cc.Enum:
		return u.bits(t.(*cc.EnumType).UnderlyingType())
	case cc.Float, cc.Double:
		return floatBits[k]
	default:
		return integerBits[k]
	}
}

// bits refuses what is no scalar.
func (l *lowerer) bits(n cc.Node, t cc.Type) int {
	if w := l.Unit.bits(t); w > 0 {
		return w
	}
	switch {
	case cc.IsFloatingPointType(t) || cc.IsComplexType(t):
		l.failf(n, "floating point (%s) is not supported", t)
	case t.Kind() == cc.Void:
		l.failf(n, "this has no value")
	}
	l.failf(n, "values of type %s are not supported", t)
	return 0
}

// signed tells whether widening a value of type t copies its sign.
func signed(t cc.Type) bool {
	if e, ok := t.(*cc.EnumType); ok && e.Min() >= 0 {
		return false // as GCC and clang have it
	}
	return cc.IsSignedInteger(t)
}

// integer is the type that arithmetic takes values of type t as: for an enumeration, what is behind it.
func (l *lowerer) integer(t cc.Type) cc.Type {
	e, ok := t.(*cc.EnumType)
	if !ok {
		return t
	}
	if u := e.UnderlyingType(); u.Kind() != cc.Int || signed(e) {
		return u
	}
	return l.ast.UInt
}

// aggregate tells whether t is a struct or a union, whose values go by address.
func aggregate(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// size is the size of an object of type t in bytes, for arithmetic on pointers to it.
func (l *lowerer) size(n cc.Node, t cc.Type) int {
	if t.Kind() == cc.Void || t.Kind() == cc.Function {
		return 1 // as GCC has it
	}
	if _, long := ofVariableLength(t); long { // of which cc knows no size, and gives one
		l.failf(n, "arrays of a size that is not constant are not supported here")
	}
	if s := t.Size(); s >= 0 && !t.IsIncomplete() {
		return int(s)
	}
	l.failf(n, "the size of %s is not known here", t)
	return 0
}

// pointee is what a pointer of type t points to.
func (l *lowerer) pointeeType(n cc.Node, t cc.Type) cc.Type {
	p, ok := t.(*cc.PointerType)
	if !ok {
		l.failf(n, "got %s, want a pointer", t)
	}
	return p.Elem()
}

// scalar is a part of an object that is read and written as a whole.
type scalar struct {
	offset int
	t      cc.Type
}

// scalars are the scalars of an object of type t: of a union, its largest member's, and by bytes what that leaves out of others'.
func (l *lowerer) scalars(n cc.Node, t cc.Type) []scalar {
	var out []scalar
	add := func(s ...scalar) {
		if out = append(out, s...); len(out) > maxScalars {
			l.failf(n, "an object of more than %d scalars is set here: that is too much", maxScalars)
		}
	}
	var walk func(t cc.Type, offset int)
	walk = func(t cc.Type, offset int) {
		switch t := t.(type) {
		case *cc.ArrayType:
			size := l.size(n, t.Elem())
			for i := range int(max(t.Len(), 0)) {
				walk(t.Elem(), offset+i*size)
			}
		case *cc.StructType:
			for _, s := range l.slots(t) {
				walk(s.t, offset+s.offset)
			}
		case *cc.UnionType:
			members := l.slots(t)
			// Of several as large, the first comes first.
			slices.SortStableFunc(members, func(a, b slot) int { return cmp.Compare(b.t.Size(), a.t.Size()) })
			covered := map[int]bool{}
			for i, m := range members {
				for _, s := range l.scalars(n, m.t) {
					size := l.size(n, s.t)
					if i == 0 {
						add(scalar{offset + s.offset, s.t})
					}
					for b := s.offset; b < s.offset+size; b++ {
						if i > 0 && !covered[b] {
							add(scalar{offset + b, l.ast.UChar})
						}
						covered[b] = true
					}
				}
			}
		default:
			l.bits(n, t)
			add(scalar{offset, t})
		}
	}
	walk(t, 0)
	return out
}

// whole are the scalars of an object of type t, and by bytes what is between them: what is told to copy or set bytes does
// so to those that nobody has a name for, too.
func (l *lowerer) whole(n cc.Node, t cc.Type) []scalar {
	out := l.scalars(n, t)
	covered := map[int]bool{}
	for _, s := range out {
		for b := range l.size(n, s.t) {
			covered[s.offset+b] = true
		}
	}
	for b := range l.size(n, t) {
		if !covered[b] {
			out = append(out, scalar{b, l.ast.UChar})
		}
	}
	return out
}
