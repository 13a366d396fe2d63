package relation

import (
	"sync"
	"unsafe"

	"litmuscope/solver/sat"
)

// Arena owns the formula, the matrices and the pairs of an encoding. There are hundreds of small ones, and when an
// encoding ends, the next reuses its memory.
type Arena struct {
	*sat.Circuit
	lits     slab[sat.Lit]
	blocks   slab[block]
	rows     slab[*block]
	matrices slab[Matrix]
	words    slab[uint64]
	pairs    slab[Pairs]
}

var arenas = sync.Pool{New: func() any { return &Arena{Circuit: sat.NewCircuit()} }}

// NewArena returns an empty arena, perhaps with the memory of an earlier encoding.
func NewArena() *Arena { return arenas.Get().(*Arena) }

// Release returns the arena's memory for other encodings. The caller must no longer use anything in it.
func (r *Arena) Release() {
	if len(r.lits.chunks) > manyChunks || r.Vars() > manyGates || r.rows.chunks != nil {
		// so much is rarely necessary
		return
	}
	r.Reset()
	r.lits.again()
	r.matrices.again()
	r.words.again()
	r.pairs.again()
	arenas.Put(r)
}

// The size of a chunk in bytes (a larger single request gets a larger chunk), and the number of chunks of literals, and
// gates, that a kept arena has at most.
const (
	chunk      = 1 << 14
	manyChunks = 1 << 8
	manyGates  = 1 << 16
)

// slab hands out slices of zeros.
type slab[T any] struct {
	chunks [][]T
	at     int // the chunk in use
	used   int // of it
}

func (s *slab[T]) take(n int) []T {
	for ; s.at < len(s.chunks); s.at, s.used = s.at+1, 0 {
		if c := s.chunks[s.at]; s.used+n <= len(c) {
			out := c[s.used : s.used+n : s.used+n]
			s.used += n
			clear(out)
			return out
		}
	}
	s.chunks = append(s.chunks, make([]T, max(n, chunk/int(unsafe.Sizeof(*new(T))))))
	s.used = n
	return s.chunks[s.at][:n:n]
}

// again begins anew.
func (s *slab[T]) again() { s.at, s.used = 0, 0 }
