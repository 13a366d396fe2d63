package cdcl

import (
	"cmp"
	"slices"
)

// probing assigns single literals at level 0 and propagates (Bacchus and Winter, "Effective Preprocessing with
// Hyper-Resolution and Equality Reduction", SAT 2003). A literal that leads to a conflict is false. If a longer
// clause implies a literal, then one literal on the way there implies it alone (the dominator of the clause's other
// literals in the tree of implications); a new clause of two literals says so. More clauses of two literals make more
// literals equal.
type probing struct {
	nextProbe  int64 // number of conflicts at the next probing
	probed     int64 // the number of runs
	probeTicks int64
	binaryHead int     // the length of the trail that clauses of two literals have propagated
	parents    []lit   // by variable: the literal that implies its value
	places     []int32 // by variable: its position on the trail
	tried      []int32 // by literal: one more than the number of level 0 literals at its last probing
	unwatched  []ref   // new clauses without watches
}

const (
	probeFirst = 1000   // conflicts
	probeEach  = 2000   // conflicts, times the number of probings
	probeShare = 0.10   // share of all propagation
	probeLeast = 100000 // literals propagated
)

func newProbing(vars int) probing {
	return probing{
		nextProbe: probeFirst, parents: make([]lit, vars), places: make([]int32, vars),
		tried: make([]int32, 2*vars),
	}
}

func (s *Solver) probes() bool { return s.conflicts >= s.nextProbe }

// probe replaces equal literals, probes, and replaces again what has become equal. It spends at most probeShare of
// the propagation so far.
func (s *Solver) probe() {
	s.probed++
	s.nextProbe = s.conflicts + probeEach*(s.probed+1)
	s.keepPhases(s.trail)
	s.back(0)
	s.propagateRoot()
	began := s.ticks
	s.aside = true
	s.substitute()
	s.tryRoots(began + probeLeast + int64(probeShare*float64(s.ticks)) - s.probeTicks)
	s.substitute()
	s.aside = false
	s.probeTicks += s.ticks - began
	if s.modes > 0 {
		s.nextMode += s.ticks - began // the turn of a mode counts search only
	}
}

// propagateRoot propagates at level 0. A conflict there shows that the clauses are unsatisfiable.
func (s *Solver) propagateRoot() {
	if !s.unsat && s.propagate() != none {
		s.unsat = true
		s.log.add(nil)
	}
}

// tryRoots probes the roots until ticks exceeds until. It probes a literal again only once more literals are fixed at
// level 0, because otherwise it would find the same.
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

// roots returns the literals to probe: those that imply others by clauses of two literals and that none implies.
// Probing a root covers all literals below it. The longest waiting come first, then those with the most implications.
func (s *Solver) roots() (out []lit) {
	s.counts = slices.Grow(s.counts[:0], len(s.values))[:len(s.values)]
	count := s.counts // number of clauses of two literals, by literal
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

// tryOne probes a literal. In a conflict, the dominator of the conflict must be false, which is at least as strong as
// the literal's negation.
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
	s.propagateRoot()
}

func (s *Solver) implyBy(l lit, because ref, parent lit) {
	s.parents[l>>1], s.places[l>>1] = parent, int32(len(s.trail))
	s.assign(l, because)
}

// nowhere means no literal.
const nowhere = ^lit(0)

// dominating returns the last literal that alone implies the negations of all literals of a clause, except but.
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

// propagateTwice propagates a decision, clauses of two literals first. Literals that longer clauses imply get new
// clauses of two literals as reasons.
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

// resolve makes a new clause of two literals the reason of a literal that clause c implies. If it subsumes c, it
// replaces c.
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
		s.protect(at)
		s.learnt = append(s.learnt, at)
	} else {
		s.given = append(s.given, at)
	}
	if subsumes {
		s.remove(c)
	}
	s.implyBy(implied, at, by)
}
