package layout

import (
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"modernc.org/cc/v4"
)

// Layout returns the layout of an object of a type with a name.
func (ty *Types) Layout(name string, t cc.Type) code.LayoutOf {
	return func(offset int) (string, int) { return name + ty.Inside(t, offset), ty.WidthAt(t, offset) }
}

const offScalar = -1

// WidthAt returns the width of the scalar at an offset of an object of type t.
func (ty *Types) WidthAt(t cc.Type, offset int) int {
	switch t := t.(type) {
	case *cc.ArrayType:
		if size := int(t.Elem().Size()); size > 0 {
			return ty.WidthAt(t.Elem(), offset%size)
		}
	case *cc.StructType:
		if s, at, ok := ty.slotAt(t, offset); ok {
			return ty.WidthAt(s.t, at)
		}
		return offScalar
	case *cc.UnionType:
	default:
		if offset > 0 {
			return offScalar
		}
		return int(t.Size()) * 8
	}
	return 0
}

// Inside returns the C notation of a part of an object of type t, after the object's name; it is "" for the whole
// object and for a part without a name.
func (ty *Types) Inside(t cc.Type, offset int) string {
	switch t := t.(type) {
	case *cc.ArrayType:
		if size := int(t.Elem().Size()); size > 0 {
			return fmt.Sprintf("[%d]%s", offset/size, ty.Inside(t.Elem(), offset%size))
		}
	case *cc.StructType:
		return ty.memberName(t, offset)
	case *cc.UnionType:
		return ty.memberName(t, offset)
	}
	return ""
}

// slotAt returns the first part of a structure or a union that contains a byte, and the byte's offset in it.
func (ty *Types) slotAt(t fielded, offset int) (s slot, at int, ok bool) {
	for _, s := range ty.slots(t) {
		if at := offset - s.offset; at >= 0 && (at < int(s.t.Size()) || s.tail) {
			return s, at, true
		}
	}
	return slot{}, 0, false
}

func (ty *Types) memberName(t fielded, offset int) string {
	s, at, ok := ty.slotAt(t, offset)
	switch {
	case !ok:
		return ""
	case s.name == "":
		return ty.Inside(s.t, at)
	}
	return "." + s.name + ty.Inside(s.t, at)
}

// TypeName returns the usual name of a type, or "" if it is not informative.
func TypeName(t cc.Type) string {
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	switch t := t.(type) {
	case *cc.StructType:
		tag := t.Tag()
		return tag.SrcStr()
	case *cc.UnionType:
		tag := t.Tag()
		return tag.SrcStr()
	}
	return ""
}
