package axiomatic

import "litmuscope/solver/sat"

// matrix is a symbolic relation: for each pair of events, the literal that says
// that they are related, which implies that both are executed. 0 stands for never.
// A set is a matrix of one row.
type matrix struct {
	n, rows int
	lits    []sat.Lit // row after row, where there are few
	// Where there are many, most pairs are never related: blocks are made when they are written to. Each row has as many as across says.
	blocks []*block
	across int
	room   *room
}

// block is 64 neighbours of a row, as a word of pairs is.
type block [64]sat.Lit

// fewLits are had at once.
const fewLits = 1 << 14

func (r *room) newMatrix(n, rows int) *matrix {
	m := &r.matrices.take(1)[0]
	*m = matrix{n: n, rows: rows}
	if n*rows <= fewLits {
		m.lits = r.lits.take(n * rows)
	} else {
		m.across, m.room = (n+63)/64, r
		m.blocks = r.rows.take(m.across * rows)
	}
	return m
}

// at is the literal of a pair, or 0.
func (m *matrix) at(a, b int) sat.Lit {
	if m.blocks == nil {
		return m.lits[a*m.n+b]
	}
	if k := m.blocks[a*m.across+b/64]; k != nil {
		return k[b%64]
	}
	return 0
}

// put has a literal, or 0, be there.
func (m *matrix) put(a, b int, l sat.Lit) {
	if m.blocks == nil {
		m.lits[a*m.n+b] = l
		return
	}
	k := &m.blocks[a*m.across+b/64]
	if *k == nil {
		if l == 0 {
			return
		}
		*k = &m.room.blocks.take(1)[0]
	}
	(*k)[b%64] = l
}

func (m *matrix) get(a, b int) sat.Lit {
	if l := m.at(a, b); l != 0 {
		return l
	}
	return sat.False
}

func (m *matrix) set(a, b int, l sat.Lit) {
	if l == sat.False {
		l = 0
	}
	m.put(a, b, l)
}

// each calls f on every pair that may be related.
func (m *matrix) each(f func(a, b int, l sat.Lit)) {
	for a := range m.rows {
		m.from(a, func(b int, l sat.Lit) { f(a, b, l) })
	}
}

// from calls f on all that one may be related to.
func (m *matrix) from(a int, f func(b int, l sat.Lit)) {
	if m.blocks == nil {
		for b, l := range m.lits[a*m.n : (a+1)*m.n] {
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

// same tells whether another has the same literals.
func (m *matrix) same(other *matrix) bool {
	for a := range m.rows {
		for b := range m.n {
			if m.at(a, b) != other.at(a, b) {
				return false
			}
		}
	}
	return true
}

// copy is a matrix of its own.
func (r *room) copy(m *matrix) *matrix {
	out := r.newMatrix(m.n, m.rows)
	m.each(out.put)
	return out
}
