package layout

import (
	"cmp"
	"slices"
	"sync"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
)

// MaxScalars is the maximum number of scalars that one initialiser sets, or one assignment copies.
const MaxScalars = 1 << 14

// Types describes C's types, as in a translation unit.
type Types struct {
	Pointer    int // width of a pointer in bits
	AST        *cc.AST
	first      *cc.AST // first translation unit of the program
	Qualifiers *read.Qualifiers
	slotsOf    *sync.Map // of each fielded, its []slot: layouts of variables are used by several questions at a time
}

// NewTypes returns the types of the first translation unit of a program. pointer is the width of a pointer in bits.
func NewTypes(asts []*cc.AST, pointer int, qualifiers *read.Qualifiers) *Types {
	ty := &Types{Pointer: pointer, Qualifiers: qualifiers, slotsOf: &sync.Map{}}
	if len(asts) > 0 {
		ty.AST, ty.first = asts[0], asts[0]
	}
	return ty
}

// Of returns the types of another translation unit.
func (ty *Types) Of(ast *cc.AST) *Types {
	out := *ty
	out.AST = ast
	return &out
}

// integerBits are the widths of C's integer types, except long, which is as wide as a pointer.
var integerBits = map[cc.Kind]int{
	cc.Bool: 8, cc.Char: 8, cc.SChar: 8, cc.UChar: 8, cc.Short: 16, cc.UShort: 16,
	cc.Int: 32, cc.UInt: 32, cc.LongLong: 64, cc.ULongLong: 64,
}

// Width returns the width of a scalar type in bits, or 0 for other types.
func (ty *Types) Width(t cc.Type) int {
	switch k := t.Kind(); k {
	case cc.Long, cc.ULong, cc.Ptr:
		return ty.Pointer
	case cc.Enum:
		return ty.Width(t.(*cc.EnumType).UnderlyingType())
	case cc.Float, cc.Double:
		return floatBits[k]
	default:
		return integerBits[k]
	}
}

// Bits is Width, but rejects a type that is not scalar.
func (ty *Types) Bits(n cc.Node, t cc.Type) int {
	if w := ty.Width(t); w > 0 {
		return w
	}
	switch {
	case cc.IsFloatingPointType(t) || cc.IsComplexType(t):
		syntax.Failf(n, "floating point (%s) is not supported", t)
	case t.Kind() == cc.Void:
		syntax.Failf(n, "this has no value")
	}
	syntax.Failf(n, "values of type %s are not supported", t)
	return 0
}

// IsSigned reports whether widening a value of type t copies its sign.
func IsSigned(t cc.Type) bool {
	if e, ok := t.(*cc.EnumType); ok && e.Min() >= 0 {
		return false // as in GCC and clang
	}
	return cc.IsSignedInteger(t)
}

// Integer returns the type in which arithmetic uses values of type t: for an enumeration, its underlying type.
func (ty *Types) Integer(t cc.Type) cc.Type {
	e, ok := t.(*cc.EnumType)
	if !ok {
		return t
	}
	if u := e.UnderlyingType(); u.Kind() != cc.Int || IsSigned(e) {
		return u
	}
	return ty.AST.UInt
}

// IsAggregate reports whether t is a structure or a union, whose values are represented by addresses.
func IsAggregate(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// Size returns the size of an object of type t in bytes, for pointer arithmetic.
func (ty *Types) Size(n cc.Node, t cc.Type) int {
	if t.Kind() == cc.Void || t.Kind() == cc.Function {
		return 1 // as in GCC
	}
	if _, long := OfVariableLength(t); long { // the C parser returns a wrong size
		syntax.Failf(n, "arrays of variable length are not supported here")
	}
	if s := t.Size(); s >= 0 && !t.IsIncomplete() {
		return int(s)
	}
	syntax.Failf(n, "the size of %s is unknown here", t)
	return 0
}

// PointeeType returns the type that a pointer of type t points to.
func (ty *Types) PointeeType(n cc.Node, t cc.Type) cc.Type {
	p, ok := t.(*cc.PointerType)
	if !ok {
		syntax.Failf(n, "got %s, want a pointer", t)
	}
	return p.Elem()
}

// Scalar is a part of an object that is read and written as a whole.
type Scalar struct {
	Offset int
	Type   cc.Type
}

// Scalars returns the scalars of an object of type t. For a union, they are those of its largest member, and bytes for
// the rest of other members.
func (ty *Types) Scalars(n cc.Node, t cc.Type) []Scalar {
	var out []Scalar
	add := func(s ...Scalar) {
		if out = append(out, s...); len(out) > MaxScalars {
			syntax.Failf(n, "this sets an object of more than %d scalars, which is not supported", MaxScalars)
		}
	}
	var walk func(t cc.Type, offset int)
	walk = func(t cc.Type, offset int) {
		switch t := t.(type) {
		case *cc.ArrayType:
			size := ty.Size(n, t.Elem())
			for i := range int(max(t.Len(), 0)) {
				walk(t.Elem(), offset+i*size)
			}
		case *cc.StructType:
			for _, s := range ty.slots(t) {
				walk(s.t, offset+s.offset)
			}
		case *cc.UnionType:
			members := ty.slots(t)
			// Members of the same size keep their order.
			slices.SortStableFunc(members, func(a, b slot) int { return cmp.Compare(b.t.Size(), a.t.Size()) })
			covered := map[int]bool{}
			for i, m := range members {
				for _, s := range ty.Scalars(n, m.t) {
					size := ty.Size(n, s.Type)
					if i == 0 {
						add(Scalar{offset + s.Offset, s.Type})
					}
					for b := s.Offset; b < s.Offset+size; b++ {
						if i > 0 && !covered[b] {
							add(Scalar{offset + b, ty.AST.UChar})
						}
						covered[b] = true
					}
				}
			}
		default:
			ty.Bits(n, t)
			add(Scalar{offset, t})
		}
	}
	walk(t, 0)
	return out
}

// Whole returns the scalars of an object of type t, and bytes for its padding, because functions that copy or set bytes
// include padding.
func (ty *Types) Whole(n cc.Node, t cc.Type) []Scalar {
	out := ty.Scalars(n, t)
	covered := map[int]bool{}
	for _, s := range out {
		for b := range ty.Size(n, s.Type) {
			covered[s.Offset+b] = true
		}
	}
	for b := range ty.Size(n, t) {
		if !covered[b] {
			out = append(out, Scalar{b, ty.AST.UChar})
		}
	}
	return out
}

// OfVariableLength returns t as an array whose length is not constant.
func OfVariableLength(t cc.Type) (*cc.ArrayType, bool) {
	a, ok := t.(*cc.ArrayType)
	return a, ok && a.IsVLA()
}

// IsConst reports whether an object of type t is const as a whole.
func IsConst(t cc.Type) bool {
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	return t.Attributes() != nil && t.Attributes().IsConst()
}

// WholeType returns the integer type as which a structure or a union is accessed atomically.
func (ty *Types) WholeType(n cc.Node, t cc.Type) cc.Type {
	switch ty.Size(n, t) {
	case 1:
		return ty.AST.UChar
	case 2:
		return ty.AST.UShort
	case 4:
		return ty.AST.UInt
	case 8:
		return ty.AST.ULongLong
	}
	syntax.Failf(n, "an atomic access of %d bytes, to all of %s, is not supported: use 1, 2, 4 or 8 bytes, such as "+
		"a 32-bit index and a 32-bit tag", ty.Size(n, t), t)
	return nil
}

// floatBits are the widths of floating-point types.
var floatBits = map[cc.Kind]int{cc.Float: 32, cc.Double: 64}

// IsFloat reports whether t is float or double.
func IsFloat(t cc.Type) bool { return floatBits[t.Kind()] > 0 }
