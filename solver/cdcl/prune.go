package cdcl

import (
	"math"
	"slices"
)

// pruning removes unnecessary clauses and variables, at level 0 (Een and Biere, "Effective Preprocessing in SAT Through
// Variable and Clause Elimination", SAT 2005), every few thousand conflicts. Subsumption and elimination alternate:
// each gives the other new candidates. Only given clauses take part; learnt ones follow from them.
type pruning struct {
	nextPrune  int64  // number of conflicts at the next pruning
	pruned     int64  // the number of runs
	pruneTicks int64  // literals propagated at the last pruning
	again      []bool // by variable: one of its clauses has gone since the last attempt at its elimination
	bound      int    // number of clauses by which an elimination may grow the formula
	removed    removed
}

const (
	pruneFirst = 2000 // conflicts
	pruneEach  = 4000 // conflicts, times the number of prunings
	pruneSteps = 3    // literals visited for each propagated one
	pruneLeast = 1000000
	pruneMost  = 1 << 24 // literals of all clauses: for more, the lists take more memory than they save
)

func newPruning(vars int) pruning {
	p := pruning{nextPrune: pruneFirst, again: make([]bool, vars), removed: newRemoved(vars)}
	for v := range p.again {
		p.again[v] = true
	}
	return p
}

func (s *Solver) prunes() bool { return s.conflicts >= s.nextPrune }

// prune removes subsumed clauses, superfluous literals, and variables.
func (s *Solver) prune() {
	s.pruned++
	s.nextPrune = s.conflicts + pruneEach*(s.pruned+1)
	s.keepPhases(s.trail)
	s.back(0)
	s.propagateRoot()
	if s.unsat {
		return
	}
	s.dropTrue()
	s.sweep()
	total := 0
	for _, c := range s.given {
		total += int(s.arena[c])
	}
	if total > pruneMost {
		s.nextPrune = math.MaxInt64
		return
	}
	p := s.newPruner(total, pruneLeast+pruneSteps*(s.ticks-s.pruneTicks))
	s.pruneTicks = s.ticks
	p.subsume()
	for !s.unsat && p.eliminate() {
		p.subsume()
	}
	s.forgetRemoved()
	s.sweep()
	s.propagateRoot()
}

// pruner is a solver at level 0 with lists of the given clauses by literal. It is valid until clauses move (sweep).
type pruner struct {
	*Solver
	clauses []ref
	signs   []uint64  // by clause: a bit for each variable modulo 64; a subset where it subsumes
	occurs  [][]int32 // by literal: its clauses, some of which may be garbage
	queue   []int32   // clauses that may subsume others
	marks   []int32   // by literal
	mark    int32
	until   int64 // limit of literals visited
	looked  int64
}

// newPruner lists the given clauses, which have total literals together, for a work limit of most literals.
func (s *Solver) newPruner(total int, most int64) *pruner {
	p := &pruner{Solver: s, occurs: make([][]int32, len(s.values)), marks: make([]int32, len(s.values)), until: most}
	counts := make([]int32, len(s.values))
	for _, c := range s.given {
		for _, x := range s.literals(c) {
			counts[x]++
		}
	}
	all := make([]int32, total)
	for l, n := range counts {
		p.occurs[l], all = all[:0:n], all[n:]
	}
	for _, c := range slices.Clone(s.given) {
		if lits := s.literals(c); slices.ContainsFunc(lits, func(x uint32) bool { return s.values[x] != 0 }) {
			p.shorten(c, nowhere)
		} else {
			p.enter(c)
		}
	}
	return p
}

// enter adds a clause to the lists.
func (p *pruner) enter(c ref) {
	i := int32(len(p.clauses))
	p.clauses = append(p.clauses, c)
	sign := uint64(0)
	for _, x := range p.literals(c) {
		p.occurs[x] = append(p.occurs[x], i)
		sign |= 1 << (x >> 1 % 64)
	}
	p.signs = append(p.signs, sign)
	if !p.has(c, hasPruned) {
		p.queue = append(p.queue, i)
	}
}

// addDerived adds a derived clause without its false literals, unless it is true already.
func (p *pruner) addDerived(out []lit) {
	if p.unsat || slices.ContainsFunc(out, func(l lit) bool { return p.values[l] > 0 }) {
		return
	}
	out = slices.DeleteFunc(out, func(l lit) bool { return p.values[l] < 0 })
	p.log.add(out)
	switch len(out) {
	case 0:
		p.unsat = true
	case 1:
		p.assign(out[0], none)
	default:
		c := p.attach(out, 0)
		p.given = append(p.given, c)
		p.enter(c)
	}
}

// shorten replaces a clause by one without literal but and without false literals.
func (p *pruner) shorten(c ref, but lit) {
	var out []lit
	for _, x := range p.literals(c) {
		if l := lit(x); l != but {
			out = append(out, l)
		}
	}
	p.addDerived(out)
	p.remove(c)
}

// over reports whether pruning must stop: the clauses are unsatisfiable, or it reached the limit.
func (p *pruner) over() bool { return p.unsat || p.looked > p.until || p.stop.Load() }

// gone reports whether a clause is garbage. It removes a clause that is true.
func (p *pruner) gone(c ref) bool {
	if p.has(c, isGarbage) {
		return true
	}
	if slices.ContainsFunc(p.literals(c), func(x uint32) bool { return p.values[x] > 0 }) {
		p.remove(c)
		return true
	}
	return false
}

// subsume empties the queue: each clause removes those that it subsumes, and shortens those that it would subsume
// with one literal negated.
func (p *pruner) subsume() {
	for len(p.queue) > 0 && !p.over() {
		i := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		if c := p.clauses[i]; !p.gone(c) {
			p.arena[c+1] |= hasPruned
			p.subsumeBy(i)
		}
	}
}

// subsumeBy removes the clauses that contain clause i, and shortens those that contain all of its literals but one and
// the negation of that one (self-subsuming resolution). It only visits clauses with the literal of clause i, or its
// negation, that occurs least.
func (p *pruner) subsumeBy(i int32) {
	c := p.clauses[i]
	size := int(p.arena[c])
	best := nowhere
	p.mark++
	for _, x := range p.literals(c) {
		p.marks[x] = p.mark
		if l := lit(x); best == nowhere ||
			len(p.occurs[l])+len(p.occurs[l^1]) < len(p.occurs[best])+len(p.occurs[best^1]) {
			best = l
		}
	}
	for _, l := range [2]lit{best, best ^ 1} {
		list := p.occurs[l]
		p.looked += int64(len(list)) / 4
		for _, k := range list {
			d := p.clauses[k]
			if k == i || p.signs[i]&^p.signs[k] != 0 || int(p.arena[d]) < size || p.has(d, isGarbage) {
				continue
			}
			p.looked += int64(p.arena[d])
			same, negated := 0, nowhere
			for _, x := range p.literals(d) {
				if p.marks[x] == p.mark {
					same++
				} else if p.marks[x^1] == p.mark {
					negated = lit(x)
				}
			}
			switch {
			case same == size:
				p.remove(d)
			case same == size-1 && negated != nowhere:
				if p.shorten(d, negated); p.over() {
					return
				}
			}
		}
	}
}
