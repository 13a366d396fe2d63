package machine

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// table is the set of visited states. Each has an encoding, a number from 0 in the order of discovery, and its
// predecessor. The numbers are also the breadth-first queue. Keys lie in large blocks that never move: with millions of
// states a Go map of strings would take several times the memory.
type table struct {
	blocks  [][]byte
	entries []entry
	slots   []uint32 // open addressing: number+1 of a state, or 0
	seed    maphash.Seed
	bytes   int // memory in use, roughly
}

type entry struct {
	block, offset uint32
	hash          uint32
	parent        int32 // -1 for the initial state
}

const (
	// Blocks double in size from the first, so that a small test costs little.
	firstBlock, lastBlock = 1 << 10, 1 << 20
	// entryBytes is what a state costs beside its key: its entry and its slots.
	entryBytes = 28
)

func newTable() *table {
	return &table{slots: make([]uint32, 1<<6), seed: maphash.MakeSeed()}
}

func (t *table) len() int { return len(t.entries) }

// add inserts a copy of a key, unless the table has it.
func (t *table) add(key []byte, parent int) (number int, added bool) {
	h := uint32(maphash.Bytes(t.seed, key))
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		n := int(t.slots[i] - 1)
		if t.entries[n].hash == h && bytes.Equal(t.key(n), key) {
			return n, false
		}
	}
	number = len(t.entries)
	e := t.keep(key)
	e.hash, e.parent = h, int32(parent)
	t.entries = append(t.entries, e)
	t.slots[i] = uint32(number + 1)
	t.bytes += len(key) + entryBytes
	if 2*len(t.entries) > len(t.slots) {
		t.grow()
	}
	return number, true
}

// key is the encoding of a state. The caller must not change it.
func (t *table) key(number int) []byte {
	e := t.entries[number]
	b := t.blocks[e.block][e.offset:]
	size, n := binary.Uvarint(b)
	return b[n : n+int(size)]
}

func (t *table) parent(number int) int { return int(t.entries[number].parent) }

// keep copies a key, its length in front, into the last block with room.
func (t *table) keep(key []byte) entry {
	need := len(key) + binary.MaxVarintLen64
	end := len(t.blocks) - 1
	if end < 0 || cap(t.blocks[end])-len(t.blocks[end]) < need {
		size := min(firstBlock<<min(len(t.blocks), 10), lastBlock)
		t.blocks = append(t.blocks, make([]byte, 0, max(size, need)))
		end++
	}
	b := t.blocks[end]
	e := entry{block: uint32(end), offset: uint32(len(b))}
	t.blocks[end] = append(binary.AppendUvarint(b, uint64(len(key))), key...)
	return e
}

func (t *table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for n, e := range t.entries {
		i := e.hash & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(n + 1)
	}
}
