// Package layout gives the widths, sizes and parts of C's types. [Types] reads them as one translation unit has them:
// how many bits a scalar has, how many bytes an object, and of which scalars a structure, union or array consists,
// bit-fields among them. It also names the scalar at an offset of an object, as in "q.next" or "a[3]".
//
// [Types.Bits] and [Types.Size] reject a type without a width or size, at the position of the given node.
package layout
