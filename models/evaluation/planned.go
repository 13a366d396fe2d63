package evaluation

import (
	"math/bits"
	"slices"

	"litmuscope/models"
	"litmuscope/models/plan"
)

// This file evaluates a plan (package plan) on an execution: a value for each term, in rows of 64-bit words, computed
// on demand and kept until a relation that the term depends on changes. Relations of at most 64 events take one word a
// row and a faster path.

// planned has the values of a plan's terms for an execution.
//
// All values are in one array of words, in the order of terms. A term's place is given as the numbers of sets and of
// relations before it (plan.Places), so one plan serves executions of any size: a set takes one row, a relation as many
// as there are events. The array is reused for the next execution. Values are computed on demand, operands first: those
// that only flags use are computed only when flags are asked for.
//
// A valid value stays right as long as none of the relations in the term's Rests changes, because Rests includes those
// of the operands. forget relies on that.
type planned struct {
	*plan.Plan
	n, words int
	bits     []uint64
	valid    []bool
}

// begin allocates values for executions of n events and marks them all as unknown.
func (v *planned) begin(n int) {
	v.n, v.words = n, (n+63)/64
	size := (int(v.Size.Sets) + int(v.Size.Relations)*n) * v.words
	if cap(v.bits) < size {
		v.bits = make([]uint64, size)
	}
	v.bits = v.bits[:size]
	if v.valid == nil {
		v.valid = make([]bool, len(v.Terms))
	}
	clear(v.valid)
}

// forget drops the values that depend on some of the changed relations.
func (v *planned) forget(changed uint8) {
	for i := range v.Terms {
		if v.Terms[i].Rests&changed != 0 {
			v.valid[i] = false
		}
	}
}

// slot returns the words of a term's value.
func (v *planned) slot(i int32) []uint64 {
	at := (int(v.Place[i].Sets) + int(v.Place[i].Relations)*v.n) * v.words
	rows := v.n
	if v.Terms[i].Set {
		rows = 1
	}
	return v.bits[at : at+rows*v.words : at+rows*v.words]
}

// value returns a term's value, and computes it first if necessary.
func (v *planned) value(e *Evaluator, i int32) []uint64 {
	if !v.valid[i] {
		s := &v.Terms[i]
		if s.Op == plan.Member {
			v.solve(e, &v.Groups[s.Group])
		} else {
			v.compute(e, s, v.slot(i))
			v.valid[i] = true
		}
	}
	return v.slot(i)
}

// solve computes a recursive group from empty relations, round by round, until no member changes. That is the least
// fixed point if every member is monotone in the others.
//
// A body that does not mention the group is computed only once: Rest lists the terms between the members and their
// bodies, and only these are dropped when a member has changed. In a monotone group relations only grow, so there are
// at most as many rounds as pairs.
func (v *planned) solve(e *Evaluator, g *plan.Group) {
	anew := func() {
		for _, i := range g.Rest {
			v.valid[i] = false
		}
	}
	for _, i := range g.Members {
		clear(v.slot(i))
		v.valid[i] = true
	}
	anew()
	for changed := true; changed; {
		changed = false
		for k, i := range g.Members {
			if next, now := v.value(e, g.Bodies[k]), v.slot(i); !slices.Equal(next, now) {
				copy(now, next)
				anew()
				changed = true
			}
		}
	}
}

// compute writes the value of a term to out, which has room for n rows of v.words words (one row for a set). Operands
// are computed first. out may contain old values.
func (v *planned) compute(e *Evaluator, s *plan.Term, out []uint64) {
	n, words := v.n, v.words
	switch s.Op {
	case plan.Base:
		copy(out, e.compute(s.Name).Bits)
		return
	case plan.Empty:
		clear(out)
		return
	case plan.Chosen:
		copy(out, e.chosen(s.Order).Bits)
		return
	}
	x := v.value(e, s.X)
	if words == 1 && v.narrow(s, x, out, e) {
		return
	}
	row := func(a int) []uint64 { return out[a*words : (a+1)*words] }
	var y []uint64
	if s.Op >= plan.Union {
		y = v.value(e, s.Y)
	}
	switch s.Op {
	case plan.Inverse:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					out[(i*64+bits.TrailingZeros64(w))*words+a/64] |= 1 << (a % 64)
				}
			}
		}
	case plan.Closure: // Warshall
		copy(out, x)
		for k := range n {
			from, word, bit := row(k), k/64, uint64(1)<<(k%64)
			for a := range n {
				if to := row(a); to[word]&bit != 0 {
					for i, w := range from {
						to[i] |= w
					}
				}
			}
		}
	case plan.Complement:
		for i, w := range x {
			out[i] = ^w
		}
		if last := n % 64; last != 0 { // there are no more events
			for i := words - 1; i < len(out); i += words {
				out[i] &= 1<<last - 1
			}
		}
	case plan.Identity:
		clear(out)
		for i, w := range x {
			for ; w != 0; w &= w - 1 {
				a := i*64 + bits.TrailingZeros64(w)
				out[a*words+i] |= w & -w
			}
		}
	case plan.Differing:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					if p, q := &e.x.Events[a], &e.x.Events[i*64+bits.TrailingZeros64(w)]; p.Kind != models.Fence &&
						q.Kind != models.Fence && p.Value != q.Value {
						out[a*words+i] |= w & -w
					}
				}
			}
		}
	case plan.Domain:
		clear(out)
		for a := range n {
			for _, w := range x[a*words : (a+1)*words] {
				if w != 0 {
					out[a/64] |= 1 << (a % 64)
				}
			}
		}
	case plan.Range:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				out[i] |= w
			}
		}
	case plan.Union:
		for i, w := range x {
			out[i] = w | y[i]
		}
	case plan.Inter:
		for i, w := range x {
			out[i] = w & y[i]
		}
	case plan.Diff:
		for i, w := range x {
			out[i] = w &^ y[i]
		}
	case plan.Seq:
		clear(out)
		for a := range n {
			to := row(a)
			for k, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					b := k*64 + bits.TrailingZeros64(w)
					for i, l := range y[b*words : (b+1)*words] {
						to[i] |= l
					}
				}
			}
		}
	case plan.Cartesian, plan.From:
		for a := range n {
			switch to := row(a); {
			case x[a/64]>>(a%64)&1 == 0:
				clear(to)
			case s.Op == plan.Cartesian:
				copy(to, y)
			default:
				copy(to, y[a*words:(a+1)*words])
			}
		}
	case plan.To:
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				out[a*words+i] = w & y[i]
			}
		}
	}
}

// narrow is compute for relations of at most 64 events, one word a row. It returns false for the operators for which
// this is no faster.
//
// A row is then one word, so the operations have no inner loop. Litmus tests seldom have more events, initial writes
// included.
func (v *planned) narrow(s *plan.Term, x, out []uint64, e *Evaluator) bool {
	switch s.Op {
	case plan.Inverse:
		clear(out)
		for a, w := range x {
			for ; w != 0; w &= w - 1 {
				out[bits.TrailingZeros64(w)] |= 1 << a
			}
		}
	case plan.Closure:
		copy(out, x)
		for k := range out {
			if out[k] == 0 {
				continue
			}
			for a, w := range out {
				if w>>k&1 != 0 {
					out[a] = w | out[k]
				}
			}
		}
	case plan.Domain:
		out[0] = 0
		for a, w := range x {
			if w != 0 {
				out[0] |= 1 << a
			}
		}
	case plan.Range:
		out[0] = 0
		for _, w := range x {
			out[0] |= w
		}
	case plan.Seq:
		y := v.value(e, s.Y)
		for a, w := range x {
			to := uint64(0)
			for ; w != 0; w &= w - 1 {
				to |= y[bits.TrailingZeros64(w)]
			}
			out[a] = to
		}
	case plan.From:
		for a, w := range v.value(e, s.Y) {
			out[a] = w & -(x[0] >> a & 1)
		}
	case plan.To:
		y := v.value(e, s.Y)[0]
		for a, w := range x {
			out[a] = w & y
		}
	default:
		return false
	}
	return true
}
