package cdcl

import "slices"

// analysis is what it takes to learn from conflicts.
type analysis struct {
	seen   []mark  // by variable
	marked []int   // the variables that have marks
	bumped []int   // those that the conflict is about
	clause []lit   // that is learnt
	stamps []int64 // by level: the last time that it was counted
	stamp  int64
}

type mark uint8

const (
	inConflict mark = 1 << iota
	isImplied       // by others of the clause
	isNeeded        // it has been tried, and is not
)

func newAnalysis(vars int) analysis {
	return analysis{seen: make([]mark, vars), stamps: make([]int64, vars+1)}
}

// analyse learns from a conflict, goes back to where what is learnt implies something, and has it so.
func (s *Solver) analyse(conflict ref) {
	if len(s.control) == 0 {
		s.unsat = true
		s.log.add(nil)
		return
	}
	s.conflicts++
	s.keepPhases(s.trail[:s.control[len(s.control)-1]])
	here := int32(len(s.control))
	s.clause = append(s.clause[:0], 0)
	open, at, implied := 0, len(s.trail)-1, ^lit(0)
	for because := conflict; ; because = s.reason[implied>>1] {
		s.isOfUse(because)
		for _, x := range s.literals(because) {
			l := lit(x)
			v := l.variable()
			if l == implied || s.seen[v] != 0 || s.level[v] == 0 {
				continue
			}
			s.mark(v, inConflict)
			s.bumped = append(s.bumped, v)
			if s.level[v] == here {
				open++
			} else {
				s.clause = append(s.clause, l)
			}
		}
		for s.seen[s.trail[at]>>1]&inConflict == 0 {
			at--
		}
		implied = s.trail[at]
		at--
		if open--; open == 0 {
			break
		}
	}
	s.clause[0] = implied.not()
	s.minimise()
	glue := s.glueOf(s.clause)
	s.bump(s.bumped)
	for _, v := range s.marked {
		s.seen[v] = 0
	}
	s.marked, s.bumped = s.marked[:0], s.bumped[:0]
	s.learns(glue)
	s.imply(glue)
}

func (s *Solver) mark(v int, m mark) {
	if s.seen[v] == 0 {
		s.marked = append(s.marked, v)
	}
	s.seen[v] |= m
}

// imply adds the clause that was learnt, all of whose literals are false, and has the first be implied.
func (s *Solver) imply(glue int) {
	c := s.clause
	s.log.add(c)
	s.uncite()
	if len(c) == 1 {
		s.back(0)
		s.assign(c[0], none)
		return
	}
	for i := 2; i < len(c); i++ { // the second is of the level to go back to
		if s.level[c[i]>>1] > s.level[c[1]>>1] {
			c[1], c[i] = c[i], c[1]
		}
	}
	s.back(int(s.level[c[1]>>1]))
	at := s.attach(c, isLearnt|uint32(min(glue, glueMask)))
	s.keepAWhile(at)
	s.learnt = append(s.learnt, at)
	s.assign(c[0], at)
}

// glueOf is how many levels a clause's literals are of.
func (s *Solver) glueOf(c []lit) (n int) {
	s.stamp++
	for _, l := range c {
		if k := s.level[l>>1]; s.stamps[k] != s.stamp {
			s.stamps[k] = s.stamp
			n++
		}
	}
	return n
}

// isOfUse notes that a learnt clause was of use, and whether it is of fewer levels now.
func (s *Solver) isOfUse(c ref) {
	if c&isNote != 0 {
		s.cite(c)
		return
	}
	if !s.has(c, isLearnt) {
		return
	}
	if old := s.glue(c); old > tier1 {
		s.stamp++
		n := 0
		for _, x := range s.literals(c) {
			if k := s.level[x>>1]; s.stamps[k] != s.stamp {
				s.stamps[k] = s.stamp
				if n++; n >= old {
					break
				}
			}
		}
		if n < old {
			s.setGlue(c, n)
		}
	}
	s.keepAWhile(c)
}

// minimise drops literals that the others imply (“Minimizing learned clauses”, SAT 2009).
func (s *Solver) minimise() {
	s.stamp++
	for _, l := range s.clause {
		s.stamps[s.level[l>>1]] = s.stamp
	}
	rest := slices.DeleteFunc(s.clause[1:], func(l lit) bool { return s.implied(l, 0) })
	s.clause = s.clause[:1+len(rest)]
}

// deepest bounds the recursion of implied.
const deepest = 500

// implied reports whether the literals of the clause imply another, or one of them.
func (s *Solver) implied(l lit, depth int) bool {
	v := l.variable()
	because := s.reason[v]
	if because == none || depth > deepest {
		return false
	}
	s.cite(because)
	for _, x := range s.literals(because) {
		o := int(x >> 1)
		switch {
		case o == v || s.level[o] == 0 || s.seen[o]&isImplied != 0:
			continue
		case s.seen[o]&inConflict != 0:
			continue // it is of the clause: what is of this level implies nothing below
		case s.seen[o]&isNeeded != 0 || s.stamps[s.level[o]] != s.stamp || !s.implied(lit(x), depth+1):
			s.mark(o, isNeeded)
			return false
		}
	}
	if s.seen[v]&inConflict == 0 {
		s.mark(v, isImplied)
	}
	return true
}
