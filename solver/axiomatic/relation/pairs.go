package relation

import (
	"math/bits"

	"litmuscope/solver/sat"
)

// Pairs are pairs of events, by bits: those that are possible, wanted, or encoded. Of one row, they are events.
type Pairs struct {
	N, Rows, words int // words are a row's
	Bits           Bitset
}

// MakePairs makes room for pairs of n events, of which there are so many rows.
func (r *Arena) MakePairs(n, rows int) *Pairs {
	words := (n + 63) / 64
	p := &r.pairs.take(1)[0]
	*p = Pairs{N: n, Rows: rows, words: words, Bits: r.words.take(rows * words)}
	return p
}

// Row is the set of the events that an event is paired with.
func (p *Pairs) Row(a int) Bitset { return p.Bits[a*p.words : (a+1)*p.words] }

// Has reports whether it contains a pair.
func (p *Pairs) Has(a, b int) bool { return p.Row(a).Has(b) }

// Empty reports whether there is no pair.
func (p *Pairs) Empty() bool {
	for _, w := range p.Bits {
		if w != 0 {
			return false
		}
	}
	return true
}

// Each calls f on each pair.
func (p *Pairs) Each(f func(a, b int)) {
	for a := range p.Rows {
		p.Row(a).Each(func(b int) { f(a, b) })
	}
}

// Used is in how many rows there is something.
func (p *Pairs) Used() (n int) {
	for a := range p.Rows {
		if p.Row(a).First() >= 0 {
			n++
		}
	}
	return n
}

// copied returns a copy of p that the caller may change.
func (r *Arena) copied(p *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.Rows)
	copy(out.Bits, p.Bits)
	return out
}

// Common are the pairs that both have; of one and the same, that itself.
func (r *Arena) Common(p, q *Pairs) *Pairs {
	if p == q {
		return p
	}
	out := r.MakePairs(p.N, p.Rows)
	for i, w := range p.Bits {
		out.Bits[i] = w & q.Bits[i]
	}
	return out
}

// Union returns the pairs of either.
func (r *Arena) Union(p, q *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.Rows)
	for i, w := range p.Bits {
		out.Bits[i] = w | q.Bits[i]
	}
	return out
}

// Without are the pairs that p has and q has not.
func (r *Arena) Without(p, q *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.Rows)
	for i, w := range p.Bits {
		out.Bits[i] = w &^ q.Bits[i]
	}
	return out
}

// Inverse has each pair the other way round.
func (r *Arena) Inverse(p *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.N)
	p.Each(func(a, b int) { out.Row(b).Add(a) })
	return out
}

// ThenPairs is p ; q.
func (r *Arena) ThenPairs(p, q *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.N)
	for a := range p.N {
		to := out.Row(a)
		p.Row(a).Each(func(b int) { to.Or(q.Row(b)) })
	}
	return out
}

// Paths is p+.
func (r *Arena) Paths(p *Pairs) *Pairs {
	out := r.copied(p)
	for k := range p.N {
		from := out.Row(k)
		if from.First() < 0 {
			continue
		}
		for a := range p.N {
			if to := out.Row(a); to.Has(k) {
				to.Or(from)
			}
		}
	}
	return out
}

// LeadsTo returns the pairs (a, b) of p such that q leads from b to an event that want asks for.
func (r *Arena) LeadsTo(p, q, want *Pairs) *Pairs {
	out := r.MakePairs(p.N, p.N)
	for a := range p.N {
		asked := want.Row(a)
		if asked.First() < 0 {
			continue
		}
		to := out.Row(a)
		p.Row(a).Each(func(b int) {
			if asked.Meets(q.Row(b)) {
				to.Add(b)
			}
		})
	}
	return out
}

// PairsOf are the pairs that have a literal.
func (r *Arena) PairsOf(m *Matrix) *Pairs {
	out := r.MakePairs(m.N, m.Rows)
	for a := range m.Rows {
		to := out.Row(a)
		m.From(a, func(b int, _ sat.Lit) { to.Add(b) })
	}
	return out
}

// EachIn calls f for the pairs of p that have a literal.
func (m *Matrix) EachIn(p *Pairs, f func(a, b int, l sat.Lit)) {
	for a := range p.Rows {
		for i, w := range p.Row(a) {
			if m.blocks != nil && m.blocks[a*m.across+i] == nil {
				continue
			}
			for ; w != 0; w &= w - 1 {
				b := i*64 + bits.TrailingZeros64(w)
				if l := m.At(a, b); l != 0 {
					f(a, b, l)
				}
			}
		}
	}
}

// Only is a matrix of its own, of some pairs.
func (r *Arena) Only(m *Matrix, p *Pairs) *Matrix {
	out := r.NewMatrix(m.N, m.Rows)
	m.EachIn(p, out.Put)
	return out
}
