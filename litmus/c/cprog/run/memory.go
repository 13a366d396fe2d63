package run

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// memory has the contents of blocks from one thread's view. Copies share segments until one of them writes.
//
// A copy takes a new owner mark on both sides (copyFrom), so that no segment belongs to either of them any more. The
// first write to a block after that clones its segment and marks the clone as owned. Copying memory therefore costs one
// slice of segments, whatever the size of the blocks.
type memory struct {
	segments []segment // by base
	mine     *byte     // identifies the segments that this copy owns
}

// segment has the contents of one block. Each byte has a second one, which is 1 if it is set.
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

// open returns a writable segment of a block.
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

// holes is a bit set of the bytes of a number that are not set.
type holes uint8

// lookUp returns some bytes of a block, and which of them are not set. It searches the memories in order, and then uses
// the block's initial contents.
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
