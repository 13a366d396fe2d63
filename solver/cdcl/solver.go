package cdcl

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
)

// Status is the answer of Solve.
type Status int

// The answers.
const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
)

// ErrMost reports that Solve reached [Solver.Most].
var ErrMost = errors.New("the SAT solver reached its limit of conflicts")

// Conflicts returns the number of conflicts so far.
func (s *Solver) Conflicts() int64 { return s.conflicts }

// lit is a literal: twice its variable, which counts from 0, plus one if negated.
type lit uint32

func (l lit) not() lit      { return l ^ 1 }
func (l lit) variable() int { return int(l >> 1) }

// literal converts a literal from DIMACS.
func literal(n int) lit {
	if n < 0 {
		return lit(2*(-n-1) + 1)
	}
	return lit(2 * (n - 1))
}

// number converts a literal to DIMACS.
func (l lit) number() int32 {
	n := int32(l>>1) + 1
	if l&1 == 1 {
		return -n
	}
	return n
}

// Solver decides clauses. Only one goroutine may use it at a time.
//
// Invariants: the trail has the assigned literals in order; control has its length at each decision; level and reason
// say when and why a variable got its value. Propagation has covered the literals before head. Inprocessing (probe,
// prune, vivify) runs at level 0.
type Solver struct {
	arena  []uint32 // clauses, see clause.go
	wasted int      // words of the arena in garbage clauses
	given  []ref
	learnt []ref

	watches [][]watch // by literal: clauses that watch it
	values  []int8    // by literal: 1 true, -1 false, 0 unassigned
	level   []int32   // by variable, while assigned
	reason  []ref     // by variable: the clause that implies it
	trail   []lit
	control []int32 // length of the trail at each decision
	head    int     // number of propagated literals on the trail
	unsat   bool    // unsatisfiable under all assumptions

	assume []lit
	stop   atomic.Bool
	// Most limits the conflicts of one call of Solve; 0 = no limit.
	Most  int64
	until int64 // number of conflicts at that limit
	model []bool
	log   *log // nil without a proof

	analysis
	deciding
	restarting
	reducing
	vivifying
	probing
	equating
	pruning
	ordering
}

// New returns a solver for variables 1 to vars. If proof is true, it logs a proof.
func New(vars int, proof bool) *Solver {
	s := &Solver{
		arena: make([]uint32, 1), watches: make([][]watch, 2*vars), values: make([]int8, 2*vars),
		level: make([]int32, vars), reason: make([]ref, vars), trail: make([]lit, 0, vars),
	}
	if proof {
		s.log = new(log)
	}
	s.analysis = newAnalysis(vars)
	s.deciding = newDeciding(vars)
	s.restarting = newRestarting()
	s.reducing = newReducing()
	s.nextVivify = vivifyEach
	s.probing = newProbing(vars)
	s.equating = newEquating(vars)
	s.pruning = newPruning(vars)
	return s
}

// Expect reserves memory for clauses to be added to a new solver.
func (s *Solver) Expect(clauses [][]int) {
	words, watches := len(s.arena), 0
	counts := make([]int32, len(s.watches))
	for _, c := range clauses {
		words += headWords + len(c)
		for _, n := range c[:min(2, len(c))] { // propagation usually watches these
			counts[literal(n)]++
			watches++
		}
	}
	s.arena = slices.Grow(s.arena, words)
	s.given = slices.Grow(s.given, len(clauses))
	all := make([]watch, watches)
	for l, n := range counts {
		s.watches[l], all = all[:0:n], all[n:]
	}
}

// Add adds a clause of literals in DIMACS notation. It keeps as much of the last assignment as the clause permits: a
// caller who excludes one solution often gets a similar one next.
func (s *Solver) Add(clause ...int) {
	lits := make([]lit, len(clause))
	for i, n := range clause {
		lits[i] = s.keepVariable(literal(n))
	}
	s.join(lits)
}

// join adds a clause with variables that the solver may have eliminated or replaced.
func (s *Solver) join(clause []lit) {
	for _, l := range clause {
		s.restore(s.representative(l))
	}
	if s.unsat {
		return
	}
	out := make([]lit, 0, len(clause))
	short := false
	for _, given := range clause {
		l := s.representative(given)
		short = short || l != given
		fixed := s.values[l]
		if fixed != 0 && s.level[l.variable()] > 0 {
			fixed = 0
		}
		switch {
		case fixed > 0 || slices.Contains(out, l.not()):
			return
		case fixed < 0 || slices.Contains(out, l):
			short = true
		default:
			out = append(out, l)
		}
	}
	if short {
		s.log.add(out)
	}
	switch len(out) {
	case 0:
		s.unsat = true
	case 1:
		s.back(0)
		s.assign(out[0], none)
	default:
		s.given = append(s.given, s.attachHere(out))
	}
}

// attachHere stores a clause under the current assignment. It watches literals that have no value or became false last.
// If all literals but one are false, it backtracks to where the clause implies that one.
func (s *Solver) attachHere(out []lit) ref {
	falseAt := func(l lit) int32 {
		if s.values[l] < 0 {
			return s.level[l.variable()]
		}
		return math.MaxInt32
	}
	for i := range 2 {
		for k := i + 1; k < len(out); k++ {
			if falseAt(out[k]) > falseAt(out[i]) {
				out[i], out[k] = out[k], out[i]
			}
		}
	}
	c := s.attach(out, 0)
	if at := falseAt(out[1]); at < math.MaxInt32 {
		if falseAt(out[0]) == at { // both become unassigned
			s.back(int(at) - 1)
		} else if s.values[out[0]] <= 0 || s.level[out[0].variable()] > at {
			s.back(int(at))
			s.assign(out[0], c)
		}
	}
	return c
}

// Solve decides the clauses under assumptions. With Unknown it returns the context's error, or ErrMost.
func (s *Solver) Solve(ctx context.Context, assume ...int) (Status, error) {
	s.model = nil
	if s.unsat {
		return Unsatisfiable, nil
	}
	s.stop.Store(false)
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	if len(assume)+len(s.assume) > 0 {
		s.back(0)
	}
	s.until = math.MaxInt64
	if s.Most > 0 {
		s.until = s.conflicts + s.Most
	}
	s.removed.asked = true
	s.assume = s.assume[:0]
	for _, n := range assume {
		l := s.representative(s.keepVariable(literal(n)))
		s.restore(l)
		s.assume = append(s.assume, l)
	}
	if s.unsat {
		return Unsatisfiable, nil
	}
	status := s.search()
	if status == Satisfiable {
		s.model = make([]bool, len(s.level))
		for v := range s.model {
			s.model[v] = s.values[2*v] > 0
		}
		s.complete(s.model)
	}
	if len(assume) > 0 || status != Satisfiable || s.log != nil { // shorter proofs from level 0
		s.back(0)
	}
	switch {
	case status == Unknown && ctx.Err() != nil:
		return status, ctx.Err()
	case status == Unknown:
		return status, ErrMost
	}
	return status, nil
}

// Model returns the assignment after Satisfiable, by variable from 0.
func (s *Solver) Model() []bool { return s.model }

// search runs until there is an answer or a stop: it propagates, learns from conflicts, and otherwise does whichever
// of restart, reduction and inprocessing is due, or decides.
func (s *Solver) search() Status {
	for {
		if conflict := s.propagate(); conflict != none {
			if s.analyse(conflict); s.unsat {
				return Unsatisfiable
			}
			continue
		}
		switch {
		case s.stop.Load(), s.conflicts >= s.until:
			return Unknown
		case len(s.control) > len(s.assume) && s.restarts():
			s.restart()
		case s.reduces():
			s.reduce()
		case s.probes():
			if s.probe(); s.unsat {
				return Unsatisfiable
			}
		case s.prunes():
			if s.prune(); s.unsat {
				return Unsatisfiable
			}
		case s.vivifies():
			if s.vivify(); s.unsat {
				return Unsatisfiable
			}
		default:
			if status := s.decide(); status != Unknown {
				return status
			}
		}
	}
}

// decide makes the next decision, assumptions first. It returns Satisfiable if all variables have values, Unsatisfiable
// if an assumption is false, and Unknown after a decision.
func (s *Solver) decide() Status {
	for len(s.control) < len(s.assume) {
		switch l := s.assume[len(s.control)]; {
		case s.values[l] < 0:
			return Unsatisfiable
		case s.values[l] > 0:
			s.control = append(s.control, int32(len(s.trail))) // an empty level, so that levels match assumptions
		default:
			s.control = append(s.control, int32(len(s.trail)))
			s.assign(l, none)
			return Unknown
		}
	}
	v, ok := s.next(s.values)
	if !ok {
		return Satisfiable
	}
	s.control = append(s.control, int32(len(s.trail)))
	s.assign(s.phase(v), none)
	return Unknown
}

func (s *Solver) assign(l lit, because ref) {
	s.values[l], s.values[l^1] = 1, -1
	v := l >> 1
	s.level[v], s.reason[v] = int32(len(s.control)), because
	s.trail = append(s.trail, l)
}

// back undoes all assignments above a level.
func (s *Solver) back(level int) {
	if len(s.control) <= level {
		return
	}
	to := int(s.control[level])
	for i := len(s.trail) - 1; i >= to; i-- {
		l := s.trail[i]
		s.values[l], s.values[l^1] = 0, 0
		s.released(l)
		if c := s.reason[l>>1]; c&isNote != 0 {
			s.notes = s.notes[:c&^isNote]
		}
	}
	s.trail, s.control = s.trail[:to], s.control[:level]
	s.head = min(s.head, to)
	s.removeEdges()
}
