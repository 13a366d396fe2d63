package run

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// memory is what is in blocks, for one who sees them. A copy shares what neither has written since.
type memory struct {
	segments []segment // by base
	mine     *byte     // whose segments may be written to
}

// segment is what is in one block. Each byte comes with one that is 1 where it has been set.
type segment struct {
	base uint64
	data []byte
	set  []byte
	of   *byte
}

func (m *memory) copyFrom(from *memory) {
	m.segments = append(m.segments[:0], from.segments...)
	from.mine, m.mine = new(byte), new(byte)
}

func (m *memory) find(base uint64) (int, bool) {
	return slices.BinarySearchFunc(m.segments, base, func(s segment, b uint64) int { return cmp.Compare(s.base, b) })
}

// open is the segment of a block, to be written to.
func (m *memory) open(b *block) *segment {
	if m.mine == nil {
		m.mine = new(byte)
	}
	i, ok := m.find(b.base)
	if !ok {
		m.segments = slices.Insert(m.segments, i, b.begins())
	}
	s := &m.segments[i]
	if s.of != m.mine {
		s.data, s.set, s.of = slices.Clone(s.data), slices.Clone(s.set), m.mine
	}
	return s
}

// holes are bytes of a number that have no value, by bits.
type holes uint8

// lookUp gives so many bytes of a block, and which of them are not set. There is nothing where it is in none of the
// memories, which are looked at in turn, but what blocks begin with.
func lookUp(b *block, offset, bytes int, in ...*memory) (v uint64, unset holes) {
	var s segment
	found := false
	for _, m := range in {
		if m == nil {
			continue
		}
		if i, ok := m.find(b.base); ok {
			s, found = m.segments[i], true
			break
		}
	}
	if !found {
		s = b.begins()
	}
	var all [8]byte
	copy(all[:], s.data[offset:offset+bytes])
	for i, is := range s.set[offset : offset+bytes] {
		if is == 0 {
			unset |= 1 << i
		}
	}
	return binary.LittleEndian.Uint64(all[:]), unset
}

func (s *segment) write(offset, bytes int, v uint64, unset holes) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(s.data[offset:offset+bytes], all[:])
	for i := range bytes {
		s.set[offset+i] = 1 - byte(unset>>i&1)
	}
}
