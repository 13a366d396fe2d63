package llvm

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus/c/llvm/assembly"
)

// layout knows sizes and alignments of types, by the module's data layout.
type layout struct {
	pointer int         // bytes
	aligns  map[int]int // of integers, in bytes, by width
	floats  map[int]int // of floating-point numbers
	structs map[*assembly.Type]*structure
	parts   map[*assembly.Type][]scalar
}

// structure has the offsets of a structure's fields, the bytes that it stores, and its alignment.
type structure struct {
	offsets       []int
	stored, align int
}

// mostSize is the largest size, in bytes, of a type: larger ones have this size, so that no size overflows.
const mostSize = 1 << 40

func times(n, size int) int {
	if size > 0 && n > mostSize/size {
		return mostSize
	}
	return n * size
}

// newLayout reads a data layout such as e-m:e-i64:64-i128:128-n32:64-S128. It refuses a big-endian one.
func newLayout(text string) (layout, error) {
	l := layout{
		structs: map[*assembly.Type]*structure{}, parts: map[*assembly.Type][]scalar{}, pointer: 8,
		aligns: map[int]int{8: 1, 16: 2, 32: 4, 64: 8},
		floats: map[int]int{16: 2, 32: 4, 64: 8, 80: 16, 128: 16},
	}
	if text != "" {
		l.aligns[64] = 4 // unless it says another
	}
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
		case len(fields) > 1 && (strings.HasPrefix(fields[0], "i") || strings.HasPrefix(fields[0], "f")):
			of := map[byte]map[int]int{'i': l.aligns, 'f': l.floats}[fields[0][0]]
			bits, err := strconv.Atoi(fields[0][1:])
			abi, err2 := strconv.Atoi(fields[1])
			if err == nil && err2 == nil && bits > 1 && abi >= 8 && abi <= 1<<16 && abi&(abi-1) == 0 {
				of[bits] = abi / 8
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
		return times(t.Len, l.size(t.Elem))
	case assembly.Vector:
		if t.Elem.Kind == assembly.Integer {
			return (times(t.Len, t.Elem.Bits) + 7) / 8
		}
		return times(t.Len, l.stored(t.Elem))
	case assembly.Struct:
		return l.structure(t).stored
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
		next, widest := 0, 0 // the next wider type's, or that of the widest one
		for bits := range l.aligns {
			if bits >= t.Bits && (next == 0 || bits < next) {
				next = bits
			}
			widest = max(widest, bits)
		}
		return l.aligns[cmp.Or(next, widest)]
	case assembly.Floating:
		return cmp.Or(l.floats[t.Bits], 1)
	case assembly.Pointer:
		return l.pointer
	case assembly.Array:
		return l.align(t.Elem)
	case assembly.Vector:
		n := 1
		for n < min(l.stored(t), 1<<16) {
			n *= 2
		}
		return n
	case assembly.Struct:
		return l.structure(t).align
	}
	return 1
}

// offset is the offset of a field of a structure, in bytes.
func (l layout) offset(t *assembly.Type, field int) int { return l.structure(t).offsets[field] }

func (l layout) structure(t *assembly.Type) *structure {
	if s := l.structs[t]; s != nil {
		return s
	}
	s := &structure{align: 1}
	for _, f := range t.Fields {
		if a := l.align(f); !t.Packed {
			s.stored, s.align = (s.stored+a-1)/a*a, max(s.align, a)
		}
		s.offsets = append(s.offsets, s.stored)
		s.stored = min(mostSize, s.stored+l.size(f))
	}
	l.structs[t] = s
	return s
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

// scalars lists the scalars of a type; nil if it has some that registers cannot have. Callers must not change it.
func (l layout) scalars(t *assembly.Type) []scalar {
	if out, ok := l.parts[t]; ok {
		return out
	}
	out := l.split(t)
	l.parts[t] = out
	return out
}

// split lists the scalars of a type anew.
func (l layout) split(t *assembly.Type) []scalar {
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
		if of == nil || times(t.Len, len(of)) > mostScalars {
			return nil
		}
		if len(of) == 0 {
			return of
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
