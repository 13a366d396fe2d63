package cdcl

import (
	"cmp"
	"slices"
)

// reducing forgets learnt clauses, which otherwise slow propagation more than they prune. Glue predicts which are
// worth keeping (Audemard and Simon, IJCAI 2009): clauses up to tier1 stay for ever, those up to tier2 survive two
// reductions after their last use, all others one.
type reducing struct {
	nextReduce int64 // number of conflicts at the next reduction
	reductions int64
	units      int // number of level 0 literals when clauses that they make true were last removed
}

// Limits of glue.
const (
	tier1 = 2
	tier2 = 6

	reduceEach = 300 // conflicts, times the number of reductions
	forgotten  = 0.75
)

func newReducing() reducing { return reducing{nextReduce: reduceEach} }

func (s *Solver) reduces() bool { return s.conflicts >= s.nextReduce }

// reduce removes three quarters of the learnt clauses that had no use lately and that are no reasons, the highest glue
// and the longest first.
func (s *Solver) reduce() {
	s.reductions++
	s.nextReduce = s.conflicts + reduceEach*(s.reductions+1)
	s.dropTrue()
	var out []ref
	for _, c := range s.learnt {
		hyper := s.has(c, isHyper)
		if s.has(c, isGarbage) || s.isReason(c) || s.glue(c) <= tier1 && !hyper {
			continue
		}
		if n := s.used(c); n > 0 {
			s.setUsed(c, n-1)
			continue
		}
		if hyper {
			s.remove(c)
			continue
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b ref) int {
		return cmp.Or(cmp.Compare(s.glue(b), s.glue(a)), cmp.Compare(s.arena[b], s.arena[a]))
	})
	for _, c := range out[:int(float64(len(out))*forgotten)] {
		s.remove(c)
	}
	s.sweep()
}

// protect protects a clause from the next reduction, or from the next two if its glue is low.
func (s *Solver) protect(c ref) {
	if s.glue(c) <= tier2 {
		s.setUsed(c, 2)
	} else {
		s.setUsed(c, 1)
	}
}

// isReason reports whether a clause is the reason of an assigned literal.
func (s *Solver) isReason(c ref) bool {
	lits := s.literals(c)
	for _, x := range lits[:2] {
		if s.values[x] > 0 && s.reason[x>>1] == c {
			return true
		}
	}
	return false
}

// dropTrue removes clauses that are true at level 0.
func (s *Solver) dropTrue() {
	fixed := len(s.trail)
	if len(s.control) > 0 {
		fixed = int(s.control[0])
	}
	if fixed == s.units {
		return
	}
	for i := s.units; i < fixed; i++ { // log the fixed literals before the clauses that imply them disappear
		s.log.add(s.trail[i : i+1])
	}
	s.units = fixed
	for _, list := range [][]ref{s.given, s.learnt} {
		for _, c := range list {
			if !s.has(c, isGarbage) && slices.ContainsFunc(s.literals(c), s.isFixed) {
				s.remove(c) // it may be a reason, but nobody reads reasons at level 0
			}
		}
	}
}

// isFixed reports whether a literal is true at level 0.
func (s *Solver) isFixed(x uint32) bool { return s.values[x] > 0 && s.level[x>>1] == 0 }
