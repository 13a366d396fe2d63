// Package relation computes with relations between the events of an execution, and with sets of events, as rows of
// bits: the operators of the cat language, transitive closure, and a shortest cycle. A [Slab] allocates many small
// ones at once, and is reused from one execution to the next.
//
// It imports models alone, for pairs of events.
package relation

import (
	"math/bits"

	"litmuscope/models"
)

// Relation is a set of pairs of events, one row of bits for each first event; a set
// of events is the same with one row.
type Relation struct {
	N, Words int // events; words in a row
	Bits     []uint64
	slab     *Slab
}

// Slab hands out words for relations, of which there are many small ones.
type Slab struct {
	chunk []uint64
	free  []uint64 // the rest of it, which is zero
}

func (s *Slab) words(n int) []uint64 {
	if len(s.free) < n {
		s.chunk = make([]uint64, max(n, 1<<11))
		s.free = s.chunk
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// Reset makes all handed-out words available again. Relations made before must no longer be used.
func (s *Slab) Reset() {
	clear(s.chunk[:len(s.chunk)-len(s.free)])
	s.free = s.chunk
}

// Relation returns an empty relation of n events.
func (s *Slab) Relation(n int) Relation {
	w := (n + 63) / 64
	return Relation{n, w, s.words(n * w), s}
}

// Set returns an empty set of n events.
func (s *Slab) Set(n int) Relation {
	w := (n + 63) / 64
	return Relation{n, w, s.words(w), s}
}

// Wrap returns a relation, or a set, of n events with the given bits.
func (s *Slab) Wrap(n int, bits []uint64) Relation { return Relation{n, (n + 63) / 64, bits, s} }

// Size returns how many words the slab holds before it grows again.
func (s *Slab) Size() int { return len(s.chunk) }

// Row returns the bits of the events that a is related to.
func (r Relation) Row(a int) []uint64 { return r.Bits[a*r.Words : (a+1)*r.Words] }

// Add relates a to b; for a set, a is 0.
func (r Relation) Add(a, b int) { r.Bits[a*r.Words+b/64] |= 1 << (b % 64) }

// Has reports whether a is related to b; for a set, a is 0.
func (r Relation) Has(a, b int) bool { return r.Bits[a*r.Words+b/64]>>(b%64)&1 == 1 }

// Equal reports whether two relations have the same pairs.
func (r Relation) Equal(s Relation) bool {
	for i, w := range r.Bits {
		if w != s.Bits[i] {
			return false
		}
	}
	return true
}

// Like returns an empty relation or set of r's shape.
func (r Relation) Like() Relation { return Relation{r.N, r.Words, r.slab.words(len(r.Bits)), r.slab} }

// Union returns r | s.
func (r Relation) Union(s Relation) Relation {
	out := r.Like()
	for i, w := range r.Bits {
		out.Bits[i] = w | s.Bits[i]
	}
	return out
}

// Inter returns r & s.
func (r Relation) Inter(s Relation) Relation {
	out := r.Like()
	for i, w := range r.Bits {
		out.Bits[i] = w & s.Bits[i]
	}
	return out
}

// Minus returns r \ s.
func (r Relation) Minus(s Relation) Relation {
	out := r.Like()
	for i, w := range r.Bits {
		out.Bits[i] = w &^ s.Bits[i]
	}
	return out
}

// Each calls f on every event of row a.
func (r Relation) Each(a int, f func(b int)) {
	for i, w := range r.Row(a) {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// Then returns the composition r ; s.
func (r Relation) Then(s Relation) Relation {
	out := r.Like()
	for a := range r.N {
		to := out.Row(a)
		for k, w := range r.Row(a) {
			for ; w != 0; w &= w - 1 {
				for i, v := range s.Row(k*64 + bits.TrailingZeros64(w)) {
					to[i] |= v
				}
			}
		}
	}
	return out
}

// Inverse returns r^-1.
func (r Relation) Inverse() Relation {
	out := r.Like()
	for a := range r.N {
		r.Each(a, func(b int) { out.Add(b, a) })
	}
	return out
}

// Closure returns the transitive closure (Warshall's algorithm).
func (r Relation) Closure() Relation {
	out := r.Union(r)
	for k := range r.N {
		from := out.Row(k)
		for a := range r.N {
			if out.Has(a, k) {
				for i, w := range from {
					out.Row(a)[i] |= w
				}
			}
		}
	}
	return out
}

// Acyclic reports whether r has no cycle. It removes events without successors, round by round, until none is left.
func (r Relation) Acyclic() bool {
	left := r.slab.Set(r.N)
	for i := range r.N {
		left.Add(0, i)
	}
	for n := r.N; n > 0; {
		before := n
		for a := range r.N {
			if !left.Has(0, a) {
				continue
			}
			stays := false
			for i, w := range r.Row(a) {
				stays = stays || w&left.Bits[i] != 0
			}
			if !stays {
				left.Bits[a/64] &^= 1 << (a % 64)
				n--
			}
		}
		if n == before {
			return false
		}
	}
	return true
}

// Cycle returns the events along a shortest cycle, or nil if there is none.
func (r Relation) Cycle() []int {
	var best []int
	for start := range r.N {
		if c := r.cycleFrom(start, len(best)); c != nil {
			best = c
		}
	}
	return best
}

// cycleFrom returns a shortest cycle through start that is shorter than limit (0: any).
func (r Relation) cycleFrom(start, limit int) []int {
	if r.Has(start, start) {
		return []int{start}
	}
	before := make([]int, r.N)
	for i := range before {
		before[i] = -1
	}
	depth := make([]int, r.N)
	queue := []int{start}
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		if limit > 0 && depth[a]+1 >= limit {
			return nil
		}
		closed := false
		r.Each(a, func(b int) {
			if b == start {
				closed = true
			} else if before[b] < 0 {
				before[b], depth[b] = a, depth[a]+1
				queue = append(queue, b)
			}
		})
		if closed {
			var path []int
			for b := a; b != start; b = before[b] {
				path = append(path, b)
			}
			path = append(path, start)
			for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
				path[i], path[j] = path[j], path[i]
			}
			return path
		}
	}
	return nil
}

// Members returns a relation's pairs, or a set's events, each as a pair with itself.
func (r Relation) Members() []models.Pair {
	if len(r.Bits) != r.Words || r.N == 1 {
		return r.List()
	}
	var out []models.Pair
	r.Each(0, func(a int) { out = append(out, models.Pair{a, a}) })
	return out
}

// List returns the pairs, in order.
func (r Relation) List() []models.Pair {
	out := []models.Pair{}
	for a := range r.N {
		r.Each(a, func(b int) { out = append(out, models.Pair{a, b}) })
	}
	return out
}
