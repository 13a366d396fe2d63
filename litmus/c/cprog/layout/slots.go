package layout

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
)

// slot is a part of a structure or a union that is accessed as a whole: a member, or a piece of bit-fields.
type slot struct {
	name   string
	offset int
	t      cc.Type // for a piece: an unsigned type
	tail   bool    // a flexible array, which extends beyond the structure
	bits   bool
}

// fielded is a structure or a union.
type fielded interface{ FieldByIndex(int) *cc.Field }

// slots returns the parts of a structure or a union in declaration order.
func (ty *Types) slots(s fielded) []slot {
	if known, ok := ty.slotsOf.Load(s); ok {
		return known.([]slot)
	}
	var out []slot
	had := map[*read.Run]bool{}
	for i := 0; s.FieldByIndex(i) != nil; i++ {
		f := s.FieldByIndex(i)
		runs, bits := ty.Qualifiers.Wrapped(f)
		if !bits {
			out = append(out, slot{f.Name(), int(f.Offset()), f.Type(), f.IsFlexibleArrayMember(), false})
		}
		for _, r := range runs {
			if had[r] {
				continue
			}
			had[r] = true
			for _, at := range r.Pieces {
				out = append(out, slot{strings.Join(r.Names, "_"), at.Offset, ty.Unsigned(at.Size), false, true})
			}
		}
	}
	ty.slotsOf.Store(s, out)
	return out
}

// Unsigned returns the unsigned type with a size in bytes.
func (ty *Types) Unsigned(size int) cc.Type {
	ast := ty.first
	return map[int]cc.Type{1: ast.UChar, 2: ast.UShort, 4: ast.UInt, 8: ast.ULongLong}[size]
}
