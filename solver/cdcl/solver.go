package cdcl

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
)

// Status is an answer.
type Status int

// The answers.
const (
	Unknown Status = iota
	Satisfiable
	Unsatisfiable
)

// ErrMost is given where an answer would take more conflicts than it may.
var ErrMost = errors.New("the SAT solver reached its limit of conflicts")

// Conflicts is how many there have been.
func (s *Solver) Conflicts() int64 { return s.conflicts }

// lit is a literal: twice its variable, from 0, and one more where it is negated.
type lit uint32

func (l lit) not() lit      { return l ^ 1 }
func (l lit) variable() int { return int(l >> 1) }

// literal takes one as DIMACS writes it.
func literal(n int) lit {
	if n < 0 {
		return lit(2*(-n-1) + 1)
	}
	return lit(2 * (n - 1))
}

// number is how DIMACS writes it.
func (l lit) number() int32 {
	n := int32(l>>1) + 1
	if l&1 == 1 {
		return -n
	}
	return n
}

// Solver decides clauses. It is used from one goroutine at a time.
type Solver struct {
	arena  []uint32 // clauses, see clause.go
	wasted int      // of the arena, by clauses that are garbage
	given  []ref
	learnt []ref

	watches [][]watch // by literal: of clauses that watch it
	values  []int8    // by literal: 1 true, -1 false, 0 open
	level   []int32   // by variable, while it has a value
	reason  []ref     // by variable: the clause that implies it
	trail   []lit
	control []int32 // the trail's length at each decision
	head    int     // what is propagated of the trail
	unsat   bool    // whatever is assumed

	assume []lit
	stop   atomic.Bool
	// Most is how many conflicts an answer may take; 0 = no limit.
	Most  int64
	until int64 // where that is reached
	model []bool
	log   *log // nil where no proof is asked for

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

// New is a solver for variables 1 to vars. With proof, it logs what it learns.
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

// Expect makes room for clauses that are to be added to a new solver.
func (s *Solver) Expect(clauses [][]int) {
	words, watches := len(s.arena), 0
	counts := make([]int32, len(s.watches))
	for _, c := range clauses {
		words += headWords + len(c)
		for _, n := range c[:min(2, len(c))] { // it will mostly be these that are watched
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

// Add adds a clause, of literals as DIMACS writes them. Of the last assignment it takes back only what the clause does
// not allow, for what excludes it and little else is followed by one that is like it.
func (s *Solver) Add(clause ...int) {
	lits := make([]lit, len(clause))
	for i, n := range clause {
		lits[i] = s.wanted(literal(n))
	}
	s.join(lits)
}

// join adds a clause whose variables may have been eliminated or be equal to others.
func (s *Solver) join(clause []lit) {
	for _, l := range clause {
		s.restore(s.standing(l))
	}
	if s.unsat {
		return
	}
	out := make([]lit, 0, len(clause))
	short := false
	for _, given := range clause {
		l := s.standing(given)
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
		s.given = append(s.given, s.meet(out))
	}
}

// meet makes a clause. It watches what is not false or was the last to become so, and where all is false but one
// literal, that is implied from where the others are.
func (s *Solver) meet(out []lit) ref {
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
		if falseAt(out[0]) == at { // both are open then
			s.back(int(at) - 1)
		} else if s.values[out[0]] <= 0 || s.level[out[0].variable()] > at {
			s.back(int(at))
			s.assign(out[0], c)
		}
	}
	return c
}

// Solve decides the clauses under assumptions. The error is the context's, with Unknown.
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
		l := s.standing(s.wanted(literal(n)))
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
	if len(assume) > 0 || status != Satisfiable || s.log != nil { // proofs are short where each answer begins anew
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

// Model is the assignment after Satisfiable, by variable from 0.
func (s *Solver) Model() []bool { return s.model }

// search goes on until there is an answer, or it is stopped.
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

// decide makes a decision, and tells the answer where there is none to be made.
func (s *Solver) decide() Status {
	for len(s.control) < len(s.assume) {
		switch l := s.assume[len(s.control)]; {
		case s.values[l] < 0:
			return Unsatisfiable
		case s.values[l] > 0:
			s.control = append(s.control, int32(len(s.trail))) // a level of its own, of nothing
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

// back takes all back that was assigned above a level.
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
	s.takeOut()
}
