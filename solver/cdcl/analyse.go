package cdcl

import "slices"

// analysis is the state of learning from conflicts. A conflict is a clause whose literals are all false. Resolving it
// with the reasons of its literals, latest assignment first, gives clauses that follow from the formula and are false
// too. The first of these with one literal of the current level is learnt: that literal is the first unique
// implication point (Eén and Sorensson, “An Extensible SAT-solver”, SAT 2003). After backtracking to the second
// highest level in the clause, the clause implies it, so that the search never repeats the conflict.
type analysis struct {
	seen   []mark  // by variable
	marked []int   // the variables with marks, to clear them
	bumped []int   // variables in the conflict, to raise their priority
	clause []lit   // the clause to learn
	stamps []int64 // by level: the stamp of the last count
	stamp  int64
}

type mark uint8

const (
	inConflict mark = 1 << iota
	isImplied       // implied by other literals of the clause
	isNeeded        // not implied by the others, as an earlier attempt found
)

func newAnalysis(vars int) analysis {
	return analysis{seen: make([]mark, vars), stamps: make([]int64, vars+1)}
}

// analyse learns a clause from a conflict, backtracks to the level where this clause implies a literal, and assigns
// the literal. At level 0 a conflict shows that the clauses are unsatisfiable.
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
		s.recordUse(because)
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

// imply adds the learnt clause, whose literals are all false, backtracks, and assigns its first literal. A clause of
// one literal becomes an assignment at level 0.
func (s *Solver) imply(glue int) {
	c := s.clause
	s.log.add(c)
	s.uncite()
	if len(c) == 1 {
		s.back(0)
		s.assign(c[0], none)
		return
	}
	for i := 2; i < len(c); i++ { // the second literal gets the highest level of the rest, the level to backtrack to
		if s.level[c[i]>>1] > s.level[c[1]>>1] {
			c[1], c[i] = c[i], c[1]
		}
	}
	s.back(int(s.level[c[1]>>1]))
	at := s.attach(c, isLearnt|uint32(min(glue, glueMask)))
	s.protect(at)
	s.learnt = append(s.learnt, at)
	s.assign(c[0], at)
}

// glueOf returns the number of different levels among a clause's literals, its LBD (Audemard and Simon, “Predicting
// Learnt Clauses Quality in Modern SAT Solvers”, IJCAI 2009). Clauses of few levels are likely to become unit again.
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

// recordUse records that a learnt clause took part in a conflict, and lowers its glue if its literals have fewer levels
// now.
func (s *Solver) recordUse(c ref) {
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
	s.protect(c)
}

// minimise removes literals that the others imply (Sorensson and Biere, “Minimizing Learned Clauses”, SAT 2009). stamps
// mark the levels in the clause: a literal of another level is not implied.
func (s *Solver) minimise() {
	s.stamp++
	for _, l := range s.clause {
		s.stamps[s.level[l>>1]] = s.stamp
	}
	rest := slices.DeleteFunc(s.clause[1:], func(l lit) bool { return s.implied(l, 0) })
	s.clause = s.clause[:1+len(rest)]
}

// deepest limits the recursion of implied.
const deepest = 500

// implied reports whether other literals of the clause imply a literal of the clause, or one in their reasons. It
// follows reasons until all ends are in the clause. Marks cache both answers, so that the search visits each variable
// once per conflict.
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
			continue // in the clause, and below the current level
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
