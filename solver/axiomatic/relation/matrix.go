package relation

import "litmuscope/solver/sat"

// Matrix is a symbolic relation: for each pair of events, the literal that says that the relation has it, which implies
// that both execute. 0 means never. A set is a matrix of one row.
type Matrix struct {
	N, Rows int
	lits    []sat.Lit // row after row, where there are few
	// If there are many events, most pairs are impossible: a write makes its block. Each row has across blocks.
	blocks []*block
	across int
	arena  *Arena
}

// block is 64 neighbours of a row, as a word of pairs is.
type block [64]sat.Lit

// fewLits are allocated at once.
const fewLits = 1 << 14

// NewMatrix makes an empty matrix of n events, or with one row a set.
func (r *Arena) NewMatrix(n, rows int) *Matrix {
	m := &r.matrices.take(1)[0]
	*m = Matrix{N: n, Rows: rows}
	if n*rows <= fewLits {
		m.lits = r.lits.take(n * rows)
	} else {
		m.across, m.arena = (n+63)/64, r
		m.blocks = r.rows.take(m.across * rows)
	}
	return m
}

// At is the literal of a pair, or 0.
func (m *Matrix) At(a, b int) sat.Lit {
	if m.blocks == nil {
		return m.lits[a*m.N+b]
	}
	if k := m.blocks[a*m.across+b/64]; k != nil {
		return k[b%64]
	}
	return 0
}

// Put has a literal, or 0, be there.
func (m *Matrix) Put(a, b int, l sat.Lit) {
	if m.blocks == nil {
		m.lits[a*m.N+b] = l
		return
	}
	k := &m.blocks[a*m.across+b/64]
	if *k == nil {
		if l == 0 {
			return
		}
		*k = &m.arena.blocks.take(1)[0]
	}
	(*k)[b%64] = l
}

// Get is the literal of a pair, sat.False for never.
func (m *Matrix) Get(a, b int) sat.Lit {
	if l := m.At(a, b); l != 0 {
		return l
	}
	return sat.False
}

// Set has a literal, which may be sat.False, be that of a pair.
func (m *Matrix) Set(a, b int, l sat.Lit) {
	if l == sat.False {
		l = 0
	}
	m.Put(a, b, l)
}

// Each calls f on every possible pair.
func (m *Matrix) Each(f func(a, b int, l sat.Lit)) {
	for a := range m.Rows {
		m.From(a, func(b int, l sat.Lit) { f(a, b, l) })
	}
}

// From calls f on all events that one may lead to.
func (m *Matrix) From(a int, f func(b int, l sat.Lit)) {
	if m.blocks == nil {
		for b, l := range m.lits[a*m.N : (a+1)*m.N] {
			if l != 0 {
				f(b, l)
			}
		}
		return
	}
	for i, k := range m.blocks[a*m.across : (a+1)*m.across] {
		if k == nil {
			continue
		}
		for b, l := range k {
			if l != 0 {
				f(i*64+b, l)
			}
		}
	}
}

// Same reports whether another has the same literals.
func (m *Matrix) Same(other *Matrix) bool {
	for a := range m.Rows {
		for b := range m.N {
			if m.At(a, b) != other.At(a, b) {
				return false
			}
		}
	}
	return true
}

// Copy is a matrix of its own.
func (r *Arena) Copy(m *Matrix) *Matrix {
	out := r.NewMatrix(m.N, m.Rows)
	m.Each(out.Put)
	return out
}
