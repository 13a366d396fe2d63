package llvm

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus/c/llvm/assembly"
)

// layout knows sizes and alignments of types, by the module's data layout.
type layout struct {
	pointer int // bytes
	aligns  map[int]int
}

// newLayout reads a data layout such as e-m:e-i64:64-i128:128-n32:64-S128. It refuses a big-endian one.
func newLayout(text string) (layout, error) {
	l := layout{pointer: 8, aligns: map[int]int{1: 1, 8: 1, 16: 2, 32: 4, 64: 8, 128: 8}}
	for _, part := range strings.Split(text, "-") {
		fields := strings.Split(part, ":")
		switch {
		case part == "E":
			return l, fmt.Errorf("the module is for a big-endian machine, which is not supported")
		case fields[0] == "p" && len(fields) > 1:
			bits, err := strconv.Atoi(fields[1])
			if err != nil || bits != 32 && bits != 64 {
				return l, fmt.Errorf("the data layout has pointers of %s bits, which is not supported", fields[1])
			}
			l.pointer = bits / 8
		case strings.HasPrefix(fields[0], "i") && len(fields) > 1:
			bits, err := strconv.Atoi(fields[0][1:])
			abi, err2 := strconv.Atoi(fields[1])
			if err == nil && err2 == nil && abi >= 8 {
				l.aligns[bits] = abi / 8
			}
		}
	}
	return l, nil
}

// size is the number of bytes that a value occupies in memory, with padding at its end.
func (l layout) size(t *assembly.Type) int {
	n := l.stored(t)
	a := l.align(t)
	return (n + a - 1) / a * a
}

// stored is the number of bytes that a store of a value writes.
func (l layout) stored(t *assembly.Type) int {
	switch t.Kind {
	case assembly.Integer, assembly.Floating:
		if t.Name == "x86_fp80" {
			return 10
		}
		return (t.Bits + 7) / 8
	case assembly.Pointer:
		return l.pointer
	case assembly.Array:
		return t.Len * l.size(t.Elem)
	case assembly.Vector:
		if t.Elem.Kind == assembly.Integer {
			return (t.Len*t.Elem.Bits + 7) / 8
		}
		return t.Len * l.stored(t.Elem)
	case assembly.Struct:
		at := 0
		for i, f := range t.Fields {
			at = l.offset(t, i) + l.size(f)
		}
		return at
	}
	return 0
}

// align is the alignment of a type, in bytes.
func (l layout) align(t *assembly.Type) int {
	switch t.Kind {
	case assembly.Integer:
		if a, ok := l.aligns[t.Bits]; ok {
			return a
		}
		for bits := 8; bits <= 128; bits *= 2 { // the next wider type's
			if bits >= t.Bits {
				return l.aligns[bits]
			}
		}
		return l.aligns[128]
	case assembly.Floating:
		return min(16, max(1, (t.Bits+7)/8))
	case assembly.Pointer:
		return l.pointer
	case assembly.Array:
		return l.align(t.Elem)
	case assembly.Vector:
		n := 1
		for n < l.stored(t) {
			n *= 2
		}
		return n
	case assembly.Struct:
		a := 1
		if !t.Packed {
			for _, f := range t.Fields {
				a = max(a, l.align(f))
			}
		}
		return a
	}
	return 1
}

// offset is the offset of a field of a structure, in bytes.
func (l layout) offset(t *assembly.Type, field int) int {
	at := 0
	for i, f := range t.Fields {
		if a := l.align(f); !t.Packed {
			at = (at + a - 1) / a * a
		}
		if i == field {
			return at
		}
		at += l.size(f)
	}
	return at
}

// scalar is a part of a value that one register has, and one access reads or writes.
type scalar struct {
	offset int // bytes
	bits   int // of the register: 1 to 64
	stored int // bytes in memory
	float  bool
}

// mostScalars is the largest number of scalars of a value in registers.
const mostScalars = 4096

// scalars lists the scalars of a type; nil if it has some that registers cannot have.
func (l layout) scalars(t *assembly.Type) []scalar {
	switch t.Kind {
	case assembly.Integer:
		var out []scalar
		for at := 0; at < t.Bits; at += 64 {
			bits := min(64, t.Bits-at)
			out = append(out, scalar{at / 8, bits, (bits + 7) / 8, false})
		}
		return out
	case assembly.Pointer:
		return []scalar{{0, l.pointer * 8, l.pointer, false}}
	case assembly.Floating:
		if t.Bits > 64 {
			return nil
		}
		return []scalar{{0, t.Bits, t.Bits / 8, true}}
	case assembly.Array, assembly.Vector:
		if t.Scalable {
			return nil
		}
		of := l.scalars(t.Elem)
		if of == nil || len(of)*t.Len > mostScalars {
			return nil
		}
		step := l.size(t.Elem)
		if t.Kind == assembly.Vector {
			step = l.stored(t.Elem)
			if t.Elem.Kind == assembly.Integer && t.Elem.Bits%8 != 0 {
				step = 0 // packed bits: such vectors live in registers only
			}
		}
		out := []scalar{}
		for i := range t.Len {
			for _, s := range of {
				s.offset += i * step
				out = append(out, s)
			}
		}
		return out
	case assembly.Struct:
		out := []scalar{}
		for i, f := range t.Fields {
			of := l.scalars(f)
			if of == nil || len(out)+len(of) > mostScalars {
				return nil
			}
			for _, s := range of {
				s.offset += l.offset(t, i)
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// packed says whether a vector's elements are bits in memory.
func packed(t *assembly.Type) bool {
	return t.Kind == assembly.Vector && t.Elem.Kind == assembly.Integer && t.Elem.Bits%8 != 0
}
