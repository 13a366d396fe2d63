package cdcl

import (
	"cmp"
	"slices"
)

// probing tries what follows from single literals (Bacchus and Winter, "Effective Preprocessing with Hyper-Resolution
// and Equality Reduction", SAT 2003): one that leads to a conflict is false, and what a longer clause implies follows
// by itself from some literal on the way there, which a new clause of two literals says.
type probing struct {
	nextProbe  int64 // in conflicts
	probed     int64 // times
	probeTicks int64
	binaryHead int     // what is propagated of the trail by clauses of two literals
	parents    []lit   // by variable: the literal that implies its value
	places     []int32 // by variable: where it is on the trail
	tried      []int32 // by literal: one more than what was known at level 0 when it was tried last
	unwatched  []ref   // clauses that are new
}

const (
	probeFirst = 1000   // conflicts
	probeEach  = 2000   // conflicts, times how often it was done
	probeShare = 0.10   // of all propagation
	probeLeast = 100000 // literals propagated
)

func newProbing(vars int) probing {
	return probing{
		nextProbe: probeFirst, parents: make([]lit, vars), places: make([]int32, vars),
		tried: make([]int32, 2*vars),
	}
}

func (s *Solver) probes() bool { return s.conflicts >= s.nextProbe }

// probe substitutes equal literals, and tries literals, by which others may become equal.
func (s *Solver) probe() {
	s.probed++
	s.nextProbe = s.conflicts + probeEach*(s.probed+1)
	s.keepPhases(s.trail)
	s.back(0)
	s.settle()
	began := s.ticks
	s.aside = true
	s.substitute()
	s.tryRoots(began + probeLeast + int64(probeShare*float64(s.ticks)) - s.probeTicks)
	s.substitute()
	s.aside = false
	s.probeTicks += s.ticks - began
	if s.modes > 0 {
		s.nextMode += s.ticks - began // a turn is of the search
	}
}

// settle propagates what is known at level 0.
func (s *Solver) settle() {
	if !s.unsat && s.propagate() != none {
		s.unsat = true
		s.log.add(nil)
	}
}

// tryRoots tries the literals that imply others, and that none implies, until so many have been propagated. What has
// been tried is tried again once more is known: what follows by clauses of two is forgotten in the meantime, and more
// does.
func (s *Solver) tryRoots(until int64) {
	if s.unsat {
		return
	}
	for _, l := range s.roots() {
		if s.ticks > until || s.unsat || s.stop.Load() {
			return
		}
		s.tried[l] = int32(len(s.trail)) + 1
		if s.values[l] == 0 {
			s.tryOne(l)
		}
	}
}

// roots are the literals to be tried: those first that have waited longest, and of these, those that imply most.
func (s *Solver) roots() (out []lit) {
	s.counts = slices.Grow(s.counts[:0], len(s.values))[:len(s.values)]
	count := s.counts // of clauses of two literals, by literal
	for l, list := range s.watches {
		n := int32(0)
		for _, w := range list {
			if w.binary() && !s.has(w.clause(), isGarbage) {
				n++
			}
		}
		count[l] = n
	}
	for l := range s.watches {
		if count[l] == 0 && count[l^1] > 0 && s.values[l] == 0 && s.tried[l] != int32(len(s.trail))+1 {
			out = append(out, lit(l))
		}
	}
	slices.SortStableFunc(out, func(a, b lit) int {
		return cmp.Or(cmp.Compare(s.tried[a], s.tried[b]), cmp.Compare(count[b^1], count[a^1]))
	})
	return out
}

// tryOne makes a literal true, and sees what follows.
func (s *Solver) tryOne(l lit) {
	s.control = append(s.control, int32(len(s.trail)))
	s.binaryHead = len(s.trail)
	s.implyBy(l, none, l)
	conflict := s.propagateTwice()
	if conflict == none {
		s.back(0)
		return
	}
	wrong := s.dominating(conflict, nowhere)
	s.back(0)
	s.log.add([]lit{wrong.not()})
	s.assign(wrong.not(), none)
	s.settle()
}

func (s *Solver) implyBy(l lit, because ref, parent lit) {
	s.parents[l>>1], s.places[l>>1] = parent, int32(len(s.trail))
	s.assign(l, because)
}

// nowhere is no literal.
const nowhere = ^lit(0)

// dominating is the last literal that implies by itself the negations of all literals of a clause, but one.
func (s *Solver) dominating(c ref, but lit) lit {
	a := nowhere
	for _, x := range s.literals(c) {
		b := lit(x).not()
		if lit(x) == but || s.level[x>>1] == 0 {
			continue
		}
		if a == nowhere {
			a = b
		}
		for a != b {
			if s.places[a>>1] > s.places[b>>1] {
				a = s.parents[a>>1]
			} else {
				b = s.parents[b>>1]
			}
		}
	}
	return a
}

// propagateTwice assigns what a decision implies, all that clauses of two literals imply before others are looked at.
// What others imply, they do by new clauses of two.
func (s *Solver) propagateTwice() ref {
	began := s.head
	defer func() { s.ticks += int64(s.head - began) }()
	for {
		for s.binaryHead < len(s.trail) {
			l := s.trail[s.binaryHead]
			s.binaryHead++
			for _, w := range s.watches[l.not()] {
				if !w.binary() || s.values[w.blocker] > 0 {
					continue
				}
				if s.values[w.blocker] < 0 {
					return w.clause()
				}
				s.implyBy(w.blocker, w.clause(), l)
			}
		}
		if s.head == len(s.trail) {
			return none
		}
		wrong := s.trail[s.head].not()
		s.head++
		conflict := s.propagateLong(wrong)
		for _, c := range s.unwatched {
			lits := s.literals(c)
			s.watches[lits[0]] = append(s.watches[lits[0]], watchOf(c, lit(lits[1]), 2))
			s.watches[lits[1]] = append(s.watches[lits[1]], watchOf(c, lit(lits[0]), 2))
		}
		s.unwatched = s.unwatched[:0]
		if conflict != none {
			return conflict
		}
	}
}

// propagateLong visits the watches of a literal that became false, for clauses of more than two literals. It returns
// the clause that is false under the assignment, or none. Forced literals go through resolve, so that binary reasons
// replace long ones.
func (s *Solver) propagateLong(wrong lit) (conflict ref) {
	list := s.watches[wrong]
	kept := 0
	for i := 0; i < len(list); i++ {
		w := list[i]
		c := w.clause()
		if w.binary() || s.values[w.blocker] > 0 || s.has(c, isGarbage) {
			list[kept] = w
			kept++
			continue
		}
		lits := s.literals(c)
		other := lit(lits[0] ^ lits[1] ^ uint32(wrong))
		at := -1
		if s.values[other] <= 0 {
			at = slices.IndexFunc(lits[2:], func(x uint32) bool { return s.values[x] >= 0 })
		}
		if at >= 0 {
			open := lit(lits[at+2])
			lits[0], lits[1], lits[at+2] = uint32(other), uint32(open), uint32(wrong)
			s.watches[open] = append(s.watches[open], watch{other, w.at})
			continue
		}
		list[kept] = watch{other, w.at}
		kept++
		switch {
		case s.values[other] < 0:
			conflict = c
			kept += copy(list[kept:], list[i+1:])
			s.watches[wrong] = list[:kept]
			return conflict
		case s.values[other] == 0:
			s.resolve(c, other)
		}
	}
	s.watches[wrong] = list[:kept]
	return none
}

// resolve has a literal that a clause implies be implied by one other.
func (s *Solver) resolve(c ref, implied lit) {
	by := s.dominating(c, implied)
	flags := uint32(isLearnt | isHyper | 1)
	subsumes := slices.Contains(s.literals(c), uint32(by.not()))
	if subsumes {
		flags = s.arena[c+1]&isLearnt | 1
	}
	out := []lit{implied, by.not()}
	s.log.add(out)
	at := s.store(out, flags)
	s.unwatched = append(s.unwatched, at)
	if s.has(at, isLearnt) {
		s.keepAWhile(at)
		s.learnt = append(s.learnt, at)
	} else {
		s.given = append(s.given, at)
	}
	if subsumes {
		s.remove(c)
	}
	s.implyBy(implied, at, by)
}
