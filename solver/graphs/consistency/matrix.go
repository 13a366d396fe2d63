package consistency

import "math/bits"

// matrix is a relation over n events as n rows of bits: bit j of row i means that i is related to j. A set is a matrix
// with one row. Unions, intersections and differences work on whole words; composition and closure combine rows, which
// divides their cubic cost by 64.
type matrix struct {
	words int
	bits  []uint64
}

func (m matrix) row(i int) []uint64 { return m.bits[i*m.words : (i+1)*m.words] }

func (m matrix) add(i, j int) { m.bits[i*m.words+j>>6] |= 1 << (j & 63) }

func (m matrix) has(i, j int) bool { return m.bits[i*m.words+j>>6]>>(j&63)&1 == 1 }

func (m matrix) rows() int { return len(m.bits) / m.words }

func (m matrix) empty() bool { return !some(m.bits) }

func (m matrix) irreflexive() bool {
	for i := range m.rows() {
		if m.has(i, i) {
			return false
		}
	}
	return true
}

// some reports whether a row has any member.
func some(row []uint64) bool {
	for _, w := range row {
		if w != 0 {
			return true
		}
	}
	return false
}

func or(to, from []uint64) {
	for i, w := range from {
		to[i] |= w
	}
}

// each calls f on the members of a row.
func each(row []uint64, f func(int)) {
	for i, w := range row {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// seq is x ; y.
func (m matrix) seq(x, y matrix) {
	clear(m.bits)
	for i := range m.rows() {
		to := m.row(i)
		for k, w := range x.row(i) {
			for ; w != 0; w &= w - 1 {
				or(to, y.row(k<<6+bits.TrailingZeros64(w)))
			}
		}
	}
}

// room has the buffers of graph searches.
type room struct {
	stack            []int
	done, open, left []uint64
}

// close makes m transitive. If m is acyclic, a depth-first search completes the rows of all successors first; a row
// then only merges those direct successors that no other one reaches. If m has a cycle, it falls back to Warshall's
// algorithm.
func (m matrix) close(r *room) {
	if m.search(r, func(at int) {
		row := m.row(at)
		copy(r.left, row)
		for k := range r.left {
			for r.left[k] != 0 {
				to := m.row(k<<6 + bits.TrailingZeros64(r.left[k]))
				r.left[k] &= r.left[k] - 1
				for i, w := range to {
					row[i] |= w
					r.left[i] &^= w
				}
			}
		}
	}) {
		return
	}
	n := m.rows()
	for k := range n {
		through := m.row(k)
		for i := range n {
			if m.has(i, k) {
				or(m.row(i), through)
			}
		}
	}
}

// inverse sets m to the inverse of x. The two must not share bits.
func (m matrix) inverse(x matrix) {
	clear(m.bits)
	for i := range m.rows() {
		for k, w := range x.row(i) {
			for ; w != 0; w &= w - 1 {
				m.add(k<<6+bits.TrailingZeros64(w), i)
			}
		}
	}
}

// acyclic reports whether m has no cycle.
func (m matrix) acyclic(r *room) bool { return m.search(r, func(int) {}) }

// search visits the events in depth-first order and calls come for each after all its successors. It stops at the
// first cycle, and reports whether there is none.
func (m matrix) search(r *room, come func(int)) bool {
	done, open := r.done, r.open
	clear(done)
	clear(open)
	stack := r.stack[:0]
	defer func() { r.stack = stack }()
	for start := range m.rows() {
		if done[start>>6]>>(start&63)&1 == 1 {
			continue
		}
		stack = append(stack, start)
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			open[at>>6] |= 1 << (at & 63)
			next := -1
			for k, w := range m.row(at) {
				if w&open[k] != 0 {
					return false
				}
				if w &^= done[k]; w != 0 {
					next = k<<6 + bits.TrailingZeros64(w)
					break
				}
			}
			if next >= 0 {
				stack = append(stack, next)
				continue
			}
			come(at)
			done[at>>6] |= 1 << (at & 63)
			open[at>>6] &^= 1 << (at & 63)
			stack = stack[:len(stack)-1]
		}
	}
	return true
}
