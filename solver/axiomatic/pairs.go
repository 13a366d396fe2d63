package axiomatic

import (
	"math/bits"

	"litmuscope/solver/sat"
)

// pairs are pairs of events, by bits: those that may be related, are asked for, or have been encoded. Of one row, they are events.
type pairs struct {
	n, rows, words int // words are a row's
	bits           bitset
}

// makePairs makes room for pairs of n events, of which there are so many rows.
func (r *room) makePairs(n, rows int) *pairs {
	words := (n + 63) / 64
	p := &r.pairs.take(1)[0]
	*p = pairs{n: n, rows: rows, words: words, bits: r.words.take(rows * words)}
	return p
}

func (p *pairs) row(a int) bitset { return p.bits[a*p.words : (a+1)*p.words] }

func (p *pairs) has(a, b int) bool { return p.row(a).has(b) }

func (p *pairs) empty() bool {
	for _, w := range p.bits {
		if w != 0 {
			return false
		}
	}
	return true
}

func (p *pairs) each(f func(a, b int)) {
	for a := range p.rows {
		p.row(a).each(func(b int) { f(a, b) })
	}
}

// used is in how many rows there is something.
func (p *pairs) used() (n int) {
	for a := range p.rows {
		if p.row(a).first() >= 0 {
			n++
		}
	}
	return n
}

// copied is p, to be changed.
func (r *room) copied(p *pairs) *pairs {
	out := r.makePairs(p.n, p.rows)
	copy(out.bits, p.bits)
	return out
}

func (r *room) common(p, q *pairs) *pairs {
	if p == q {
		return p
	}
	out := r.makePairs(p.n, p.rows)
	for i, w := range p.bits {
		out.bits[i] = w & q.bits[i]
	}
	return out
}

func (r *room) either(p, q *pairs) *pairs {
	out := r.makePairs(p.n, p.rows)
	for i, w := range p.bits {
		out.bits[i] = w | q.bits[i]
	}
	return out
}

func (r *room) without(p, q *pairs) *pairs {
	out := r.makePairs(p.n, p.rows)
	for i, w := range p.bits {
		out.bits[i] = w &^ q.bits[i]
	}
	return out
}

func (r *room) inverse(p *pairs) *pairs {
	out := r.makePairs(p.n, p.n)
	p.each(func(a, b int) { out.row(b).add(a) })
	return out
}

// thenPairs is p ; q.
func (r *room) thenPairs(p, q *pairs) *pairs {
	out := r.makePairs(p.n, p.n)
	for a := range p.n {
		to := out.row(a)
		p.row(a).each(func(b int) { to.or(q.row(b)) })
	}
	return out
}

// paths is p+.
func (r *room) paths(p *pairs) *pairs {
	out := r.copied(p)
	for k := range p.n {
		from := out.row(k)
		if from.first() < 0 {
			continue
		}
		for a := range p.n {
			if to := out.row(a); to.has(k) {
				to.or(from)
			}
		}
	}
	return out
}

// leadsTo are the pairs (a, b) of p from which q leads on to where want is asked for.
func (r *room) leadsTo(p, q, want *pairs) *pairs {
	out := r.makePairs(p.n, p.n)
	for a := range p.n {
		asked := want.row(a)
		if asked.first() < 0 {
			continue
		}
		to := out.row(a)
		p.row(a).each(func(b int) {
			if asked.meets(q.row(b)) {
				to.add(b)
			}
		})
	}
	return out
}

// pairsOf are the pairs that have a literal.
func (r *room) pairsOf(m *matrix) *pairs {
	out := r.makePairs(m.n, m.rows)
	for a := range m.rows {
		to := out.row(a)
		m.from(a, func(b int, _ sat.Lit) { to.add(b) })
	}
	return out
}

// over calls f for the pairs of p that have a literal.
func (m *matrix) over(p *pairs, f func(a, b int, l sat.Lit)) {
	for a := range p.rows {
		for i, w := range p.row(a) {
			if m.blocks != nil && m.blocks[a*m.across+i] == nil {
				continue
			}
			for ; w != 0; w &= w - 1 {
				b := i*64 + bits.TrailingZeros64(w)
				if l := m.at(a, b); l != 0 {
					f(a, b, l)
				}
			}
		}
	}
}

// only is a matrix of its own, of some pairs.
func (r *room) only(m *matrix, p *pairs) *matrix {
	out := r.newMatrix(m.n, m.rows)
	m.over(p, out.put)
	return out
}
