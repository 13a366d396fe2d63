package cdcl

import (
	"cmp"
	"slices"
)

// reducing is when what was learnt is forgotten.
type reducing struct {
	nextReduce int64 // in conflicts
	reductions int64
	units      int // literals at level 0 when clauses that they make true were last removed
}

// Clauses of so few levels are kept for good, and for a while after their last use.
const (
	tier1 = 2
	tier2 = 6

	reduceEach = 300 // conflicts, times how often it was done
	forgotten  = 0.75
)

func newReducing() reducing { return reducing{nextReduce: reduceEach} }

func (s *Solver) reduces() bool { return s.conflicts >= s.nextReduce }

// reduce forgets three in four of the clauses that are of many levels and were of no use lately.
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

// keepAWhile has a clause outlive the next reduction, or the next two where it is of few levels.
func (s *Solver) keepAWhile(c ref) {
	if s.glue(c) <= tier2 {
		s.setUsed(c, 2)
	} else {
		s.setUsed(c, 1)
	}
}

// isReason reports whether a clause implies something now.
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
	for i := s.units; i < fixed; i++ { // what follows from clauses that are about to go
		s.log.add(s.trail[i : i+1])
	}
	s.units = fixed
	for _, list := range [][]ref{s.given, s.learnt} {
		for _, c := range list {
			if !s.has(c, isGarbage) && slices.ContainsFunc(s.literals(c), s.isFixed) {
				s.remove(c) // which may be the reason of what is true in it: nobody asks at level 0
			}
		}
	}
}

// isFixed reports whether a literal is true at level 0.
func (s *Solver) isFixed(x uint32) bool { return s.values[x] > 0 && s.level[x>>1] == 0 }
