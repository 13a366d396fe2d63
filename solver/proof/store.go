package proof

import (
	"errors"
	"iter"
	"math"
)

// store keeps clauses in one slice: of each its header, then its literals. The index of its first literal identifies a
// clause.
type store struct {
	ints []int32
	lost int // ints that deleted clauses take up
	// byHash chains the clauses of equal hash, for deletions to find them; nil before
	// the first deletion, for some solvers never delete.
	byHash map[uint32]int32
}

// A header has the number of literals, negative for a deleted clause, and the next clause in the chain, 0 at its end.
const (
	header = 2
	size   = -2
	next   = -1
)

// keep stores a clause.
func (s *store) keep(lits []int32) (ref int32, err error) {
	if len(s.ints)+len(lits)+header > math.MaxInt32 {
		return 0, errors.New("the proof is too large to check: it has more than 2^31 literals at a time")
	}
	s.ints = append(s.ints, int32(len(lits)), 0)
	ref = int32(len(s.ints))
	s.ints = append(s.ints, lits...)
	if s.byHash != nil {
		s.chain(ref)
	}
	return ref, nil
}

// clause returns a clause's literals, nil for a deleted clause.
func (s *store) clause(ref int32) []int32 {
	n := s.ints[ref+size]
	if n < 0 {
		return nil
	}
	return s.ints[ref : ref+n : ref+n]
}

// refs are the clauses that the proof has not deleted.
func (s *store) refs() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for ref := int32(header); int(ref) < len(s.ints); {
			n := s.ints[ref+size]
			if n >= 0 && !yield(ref) {
				return
			}
			ref += max(n, -n) + header
		}
	}
}

// all are the literals of the clauses that the proof has not deleted.
func (s *store) all() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for ref := range s.refs() {
			if !yield(s.clause(ref)) {
				return
			}
		}
	}
}

func (s *store) chain(ref int32) {
	h := hash(s.clause(ref))
	s.ints[ref+next] = s.byHash[h]
	s.byHash[h] = ref
}

// hash is the same in whichever order the literals are.
func hash(lits []int32) uint32 {
	var sum, product uint32 = 0, 1
	for _, l := range lits {
		sum += uint32(l)
		product *= uint32(l)*2 + 1
	}
	return sum*31 + product
}

// remove deletes a clause of these literals, if there is one. mark is all false, and is
// so afterwards.
func (s *store) remove(lits []int32, mark []bool) {
	if s.byHash == nil {
		s.byHash = map[uint32]int32{}
		for ref := range s.refs() {
			s.chain(ref)
		}
	}
	for _, l := range lits {
		mark[l] = true
	}
	defer func() {
		for _, l := range lits {
			mark[l] = false
		}
	}()
	h := hash(lits)
	for before, ref := int32(0), s.byHash[h]; ref != 0; before, ref = ref, s.ints[ref+next] {
		if !same(s.clause(ref), lits, mark) {
			continue
		}
		after := s.ints[ref+next]
		switch {
		case before != 0:
			s.ints[before+next] = after
		case after != 0:
			s.byHash[h] = after
		default:
			delete(s.byHash, h)
		}
		s.ints[ref+size] = -s.ints[ref+size]
		s.lost += len(lits) + header
		return
	}
}

// same reports whether a clause has just the marked literals.
func same(clause, lits []int32, mark []bool) bool {
	if len(clause) != len(lits) {
		return false
	}
	for _, l := range clause {
		if !mark[l] {
			return false
		}
	}
	return true
}

// tidy gives the room of deleted clauses back once it is half of all.
func (c *Checker) tidy() {
	if c.lost < 1<<16 || c.lost < len(c.ints)/2 {
		return
	}
	old := c.store
	c.store = store{ints: make([]int32, 0, len(old.ints)-old.lost), byHash: map[uint32]int32{}}
	for ref := range old.refs() {
		moved, _ := c.keep(old.clause(ref)) // there was room for it before
		old.ints[ref+next] = moved
	}
	for i, watches := range c.watches {
		kept := watches[:0]
		for _, w := range watches {
			if old.clause(w.clause) != nil {
				kept = append(kept, watch{old.ints[w.clause+next], w.other})
			}
		}
		c.watches[i] = kept
	}
}
