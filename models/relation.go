package models

import "math/bits"

// relation is a set of pairs of events, one row of bits for each first event; a set
// of events is the same with one row.
type relation struct {
	n, words int // events; words in a row
	bits     []uint64
	slab     *slab
}

// slab hands out words for relations, of which there are many small ones.
type slab struct {
	chunk []uint64
	free  []uint64 // the rest of it, which is zero
}

func (s *slab) words(n int) []uint64 {
	if len(s.free) < n {
		s.chunk = make([]uint64, max(n, 1<<11))
		s.free = s.chunk
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// again has what was handed out be handed out again.
func (s *slab) again() {
	clear(s.chunk[:len(s.chunk)-len(s.free)])
	s.free = s.chunk
}

func (s *slab) relation(n int) relation {
	w := (n + 63) / 64
	return relation{n, w, s.words(n * w), s}
}

func (s *slab) set(n int) relation {
	w := (n + 63) / 64
	return relation{n, w, s.words(w), s}
}

func (r relation) row(a int) []uint64 { return r.bits[a*r.words : (a+1)*r.words] }

func (r relation) add(a, b int) { r.bits[a*r.words+b/64] |= 1 << (b % 64) }

func (r relation) has(a, b int) bool { return r.bits[a*r.words+b/64]>>(b%64)&1 == 1 }

func (r relation) equal(s relation) bool {
	for i, w := range r.bits {
		if w != s.bits[i] {
			return false
		}
	}
	return true
}

// like is an empty relation or set of r's shape.
func (r relation) like() relation { return relation{r.n, r.words, r.slab.words(len(r.bits)), r.slab} }

func (r relation) union(s relation) relation {
	out := r.like()
	for i, w := range r.bits {
		out.bits[i] = w | s.bits[i]
	}
	return out
}

func (r relation) inter(s relation) relation {
	out := r.like()
	for i, w := range r.bits {
		out.bits[i] = w & s.bits[i]
	}
	return out
}

func (r relation) minus(s relation) relation {
	out := r.like()
	for i, w := range r.bits {
		out.bits[i] = w &^ s.bits[i]
	}
	return out
}

// each calls f on every event of row a.
func (r relation) each(a int, f func(b int)) {
	for i, w := range r.row(a) {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// then is the composition r ; s.
func (r relation) then(s relation) relation {
	out := r.like()
	for a := range r.n {
		to := out.row(a)
		for k, w := range r.row(a) {
			for ; w != 0; w &= w - 1 {
				for i, v := range s.row(k*64 + bits.TrailingZeros64(w)) {
					to[i] |= v
				}
			}
		}
	}
	return out
}

func (r relation) inverse() relation {
	out := r.like()
	for a := range r.n {
		r.each(a, func(b int) { out.add(b, a) })
	}
	return out
}

// closure is the transitive closure (Warshall).
func (r relation) closure() relation {
	out := r.union(r)
	for k := range r.n {
		from := out.row(k)
		for a := range r.n {
			if out.has(a, k) {
				for i, w := range from {
					out.row(a)[i] |= w
				}
			}
		}
	}
	return out
}

// acyclic takes away events without successors, round by round, until none is left.
func (r relation) acyclic() bool {
	left := r.slab.set(r.n)
	for i := range r.n {
		left.add(0, i)
	}
	for n := r.n; n > 0; {
		before := n
		for a := range r.n {
			if !left.has(0, a) {
				continue
			}
			stays := false
			for i, w := range r.row(a) {
				stays = stays || w&left.bits[i] != 0
			}
			if !stays {
				left.bits[a/64] &^= 1 << (a % 64)
				n--
			}
		}
		if n == before {
			return false
		}
	}
	return true
}

// cycle gives a shortest cycle, as the events along it, or nil when there is none.
func (r relation) cycle() []int {
	var best []int
	for start := range r.n {
		if c := r.cycleFrom(start, len(best)); c != nil {
			best = c
		}
	}
	return best
}

// cycleFrom gives a shortest cycle through start that is shorter than limit (0: any).
func (r relation) cycleFrom(start, limit int) []int {
	if r.has(start, start) {
		return []int{start}
	}
	before := make([]int, r.n)
	for i := range before {
		before[i] = -1
	}
	depth := make([]int, r.n)
	queue := []int{start}
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		if limit > 0 && depth[a]+1 >= limit {
			return nil
		}
		closed := false
		r.each(a, func(b int) {
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

// list gives the pairs, in order.
// members are a relation's pairs, or a set's events, each as a pair with itself.
func (r relation) members() []Pair {
	if len(r.bits) != r.words || r.n == 1 {
		return r.list()
	}
	var out []Pair
	r.each(0, func(a int) { out = append(out, Pair{a, a}) })
	return out
}

func (r relation) list() []Pair {
	out := []Pair{}
	for a := range r.n {
		r.each(a, func(b int) { out = append(out, Pair{a, b}) })
	}
	return out
}
