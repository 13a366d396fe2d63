package cdcl

import (
	"cmp"
	"slices"
)

// vivifying shortens clauses (Li, Xiao, Luo, Manya, Lue and Li, “Clause vivification by unit propagation in CDCL SAT
// solvers”, Artificial Intelligence, 2020). It assumes the negations of a clause's literals one by one and propagates
// all other clauses. If a conflict follows, or a literal of the clause becomes true, the assumptions so far suffice;
// a literal that becomes false is superfluous.
type vivifying struct {
	nextVivify  int64 // number of conflicts at the next vivification
	vivified    int64 // the number of runs
	vivifyTicks int64
	without     ref // the clause that propagation skips
	counts      []int32
}

const (
	vivifyEach  = 2000 // conflicts, times the number of vivifications
	vivifyShare = 0.15 // share of all propagation
)

func (s *Solver) vivifies() bool { return s.conflicts >= s.nextVivify }

// vivify shortens learnt clauses, then given ones, for vivifyShare of the propagation so far. It works at level 0 and
// saves the phases first, so that the search continues from the same assignment.
func (s *Solver) vivify() {
	s.vivified++
	s.nextVivify = s.conflicts + vivifyEach*(s.vivified+1)
	s.keepPhases(s.trail)
	s.back(0)
	if s.propagate() != none {
		s.unsat = true
		s.log.add(nil)
		return
	}
	s.dropTrue()
	s.sweep()
	began := s.ticks
	budget := int64(vivifyShare*float64(s.ticks)) - s.vivifyTicks
	s.aside = true
	s.shorten(s.vivifiable(s.learnt, true), s.ticks+budget*3/4)
	s.shorten(s.vivifiable(s.given, false), began+budget)
	s.aside = false
	s.vivifyTicks += s.ticks - began
	if s.modes > 0 {
		s.nextMode += s.ticks - began // the turn of a mode counts search only
	}
	if !s.unsat {
		s.sweep()
	}
}

// vivifiable returns the clauses of a list that vivification has not tried yet, most promising first: learnt ones with
// low glue and few literals, given ones with many literals.
func (s *Solver) vivifiable(list []ref, learnt bool) (out []ref) {
	s.counts = slices.Grow(s.counts[:0], len(s.values))[:len(s.values)]
	clear(s.counts)
	untried := 0
	for _, c := range list {
		if s.arena[c] < 3 || s.has(c, isGarbage) || learnt && s.glue(c) > tier2 {
			continue
		}
		out = append(out, c)
		if !s.has(c, isTried) {
			untried++
		}
		for _, x := range s.literals(c) {
			s.counts[x]++
		}
	}
	if untried == 0 { // all were tried: start again
		for _, c := range out {
			s.arena[c+1] &^= isTried
		}
	}
	out = slices.DeleteFunc(out, func(c ref) bool { return s.has(c, isTried) })
	slices.SortStableFunc(out, func(a, b ref) int {
		if learnt {
			return cmp.Or(cmp.Compare(s.glue(a), s.glue(b)), cmp.Compare(s.arena[a], s.arena[b]))
		}
		return cmp.Compare(s.arena[b], s.arena[a])
	})
	return out
}

// shorten vivifies clauses until ticks exceeds until.
func (s *Solver) shorten(list []ref, until int64) {
	for _, c := range list {
		if s.ticks > until || s.unsat || s.stop.Load() {
			return
		}
		s.arena[c+1] |= isTried
		s.shortenOne(c)
	}
}

// shortenOne vivifies a clause: it assumes the negations of its literals one by one, most frequent first, without the
// clause itself. A conflict, or a literal that becomes true, shows that a part of the clause suffices; literals that
// become false go. The solver is at level 0 before and after.
func (s *Solver) shortenOne(c ref) {
	var lits []lit
	for _, x := range s.literals(c) {
		switch l := lit(x); {
		case s.values[l] > 0:
			s.log.add([]lit{l})
			s.remove(c)
			return
		case s.values[l] == 0:
			lits = append(lits, l)
		}
	}
	slices.SortStableFunc(lits, func(a, b lit) int { return cmp.Compare(s.counts[b], s.counts[a]) })
	s.without = c
	var out []lit
decisions:
	for _, l := range lits {
		switch {
		case s.values[l] < 0: // superfluous: its falsity follows from that of the others
		case s.values[l] > 0:
			out = append(s.decisionsOf(s.reason[l>>1], l), l)
			break decisions
		default:
			s.control = append(s.control, int32(len(s.trail)))
			s.assign(l.not(), none)
			if conflict := s.propagate(); conflict != none {
				out = s.decisionsOf(conflict, ^lit(0))
				break decisions
			}
		}
	}
	if out == nil {
		for _, l := range s.trail[s.control[0]:] { // these assignments may have made omitted literals false
			s.cite(s.reason[l>>1])
		}
		for _, at := range s.control {
			out = append(out, s.trail[at].not())
		}
	}
	s.without = none
	s.back(0)
	if len(out) == int(s.arena[c]) {
		s.uncite()
		return
	}
	s.log.add(out)
	s.uncite()
	flags, glue := s.arena[c+1]&^(glueMask|hasPruned), min(s.glue(c), len(out)-1)
	learnt := s.has(c, isLearnt)
	s.remove(c)
	if len(out) == 1 {
		s.assign(out[0], none)
		if s.propagate() != none {
			s.unsat = true
			s.log.add(nil)
		}
		return
	}
	at := s.attach(out, flags|uint32(glue))
	if learnt {
		s.learnt = append(s.learnt, at)
	} else {
		s.given = append(s.given, at)
	}
}

// decisionsOf returns the negations of the decisions that made clause c false, or that made it imply a literal.
func (s *Solver) decisionsOf(c ref, implied lit) (out []lit) {
	look := func(c ref, but lit) {
		s.cite(c)
		for _, x := range s.literals(c) {
			if v := int(x >> 1); lit(x) != but && s.level[v] > 0 {
				s.mark(v, inConflict)
			}
		}
	}
	look(c, implied)
	for i := len(s.trail) - 1; i >= int(s.control[0]); i-- {
		l := s.trail[i]
		if s.seen[l>>1]&inConflict == 0 {
			continue
		}
		if because := s.reason[l>>1]; because != none {
			look(because, l)
		} else {
			out = append(out, l.not())
		}
	}
	for _, v := range s.marked {
		s.seen[v] = 0
	}
	s.marked = s.marked[:0]
	return out
}
