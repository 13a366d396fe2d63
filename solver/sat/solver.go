package sat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/solver/proof"
)

// Status is the answer of a solver.
type Status int

// The answers.
const (
	Unknown Status = iota
	Sat
	Unsat
)

// Options choose how a [Solver] solves.
type Options struct {
	Backend string // one of Backends; "" is the first
	// Certify: the Solver checks the refutation before it answers Unsat.
	Certify bool
	// Conflicts is how many the answer to a question may take, of cdcl alone; 0 = no limit. Beyond, the answer is
	// Unknown with ErrConflicts.
	Conflicts int64
	Memory    int // what a solver in a process of its own may use, in MiB; 0 = no limit
	// Lists: the caller asks the same question again and again, with one more clause each time.
	Lists bool
}

// Refutation is what a certified Unsat rests on: nothing, where unit propagation was
// enough.
type Refutation struct {
	Lemmas int
	Bytes  int64 // of the solver's proof
	Check  time.Duration
}

// Solver decides the clauses of a circuit and those added later. Every backend is driven by it: it removes trivial
// clauses, and checks each assignment, and each refutation with Options.Certify, against the original clauses. Use it
// from one goroutine at a time.
type Solver struct {
	// Refutation is what the last answer rests on, an Unsat with Options.Certify; else nil.
	Refutation *Refutation

	options Options
	given   [][]Lit // the original clauses
	graphs  []*Graph

	// The part of it that a backend gets. A backend numbers its variables from 1, without gaps.
	clauses [][]Lit // of two literals or more, none repeated or fixed
	owned   bool    // clauses are no longer the circuit's
	fixed   []int8  // by variable: 1 true, -1 false at the top level
	nfixed  int
	unsat   bool
	index   []int32 // by variable: its number in the backend, 0 for none
	names   []int32 // the other way round, from 0

	backend  Backend
	appended bool    // backend has appended clauses
	last     Backend // the one that gave the last answer; nil if the answer needed none
	model    []bool  // by variable, that of True included; nil where there is none
	room     []bool  // for it
	checked          // assignments
	cycles   cycleCheck
	refuted  bool // a check has certified unsat
}

// Solver returns a new solver for all assertions so far.
func (c *Circuit) Solver(o Options) *Solver {
	s := &Solver{
		options: o, unsat: c.unsat, given: slices.Clip(c.clauses), clauses: slices.Clip(c.clauses),
		graphs: slices.Clip(c.graphs),
	}
	s.index, s.fixed = make([]int32, len(c.gates)), make([]int8, len(c.gates))
	for _, clause := range c.clauses {
		s.declare(clause)
	}
	s.declare(c.told)
	return s
}

func (s *Solver) declare(lits []Lit) {
	for _, l := range lits {
		if v := l.v(); s.index[v] == 0 && v != 1 {
			s.names = append(s.names, v)
			s.index[v] = int32(len(s.names))
		}
	}
}

// simplify propagates units until no clause contains one: by looking through all clauses a few times, or, where one
// unit follows from another in a long row, through those that it is false in.
func (s *Solver) simplify() {
	for round := 0; ; round++ {
		if round == fewRounds {
			if s.propagate(); s.unsat {
				return
			}
		}
		before := s.nfixed
		out := s.clauses[:0]
		if !s.owned {
			out = make([][]Lit, 0, len(s.clauses))
		}
		for _, c := range s.clauses {
			c, done := s.reduce(c)
			switch {
			case done:
			case len(c) == 0:
				s.unsat = true
				return
			case len(c) == 1:
				s.fix(c[0])
			default:
				out = append(out, c)
			}
		}
		s.clauses, s.owned = out, true
		if s.nfixed == before {
			return
		}
	}
}

// fewRounds are cheaper than to write down where each literal is.
const fewRounds = 3

// propagate fixes what units come to.
func (s *Solver) propagate() {
	place := func(l Lit) int {
		if l < 0 {
			return -2 * int(l)
		}
		return 2*int(l) + 1
	}
	// by literal, where those of its clauses end; before the loop below fills them, where they begin
	ends := make([]int32, 2*len(s.fixed)+1)
	for _, c := range s.clauses {
		for _, l := range c {
			ends[place(l)+1]++
		}
	}
	for i := range ends[1:] {
		ends[i+1] += ends[i]
	}
	in := make([]int32, ends[len(ends)-1])
	for i, c := range s.clauses {
		for _, l := range c {
			in[ends[place(l)]] = int32(i)
			ends[place(l)]++
		}
	}
	var units []Lit
	look := func(c []Lit) {
		unit := False
		for _, l := range c {
			switch value := s.fixedTo(l); {
			case value == 1, value == 0 && unit != False && unit != l:
				return
			case value == 0:
				unit = l
			}
		}
		if unit == False {
			s.unsat = true
			return
		}
		s.fix(unit)
		units = append(units, unit)
	}
	for _, c := range s.clauses {
		look(c)
	}
	for i := 0; i < len(units) && !s.unsat; i++ {
		l := place(-units[i])
		begin := int32(0)
		if l > 0 {
			begin = ends[l-1]
		}
		for _, k := range in[begin:ends[l]] {
			look(s.clauses[k])
		}
	}
}

func (s *Solver) fix(l Lit) {
	s.nfixed++
	s.fixed[l.v()] = 1
	if l < 0 {
		s.fixed[l.v()] = -1
	}
}

// fixedTo is 1 where l is true at the top level, -1 where false.
func (s *Solver) fixedTo(l Lit) int8 {
	if l < 0 {
		return -s.fixed[-l]
	}
	return s.fixed[l]
}

// reduce drops false and repeated literals; done says that the clause is true.
func (s *Solver) reduce(c []Lit) (out []Lit, done bool) {
	clean := true
	for i, l := range c {
		if l == True || s.fixedTo(l) == 1 || slices.Contains(c[:i], -l) {
			return nil, true
		}
		if l == False || s.fixedTo(l) == -1 || slices.Contains(c[:i], l) {
			clean = false
		}
	}
	if clean {
		return c, false
	}
	for i, l := range c {
		if l != False && s.fixedTo(l) != -1 && !slices.Contains(c[:i], l) {
			out = append(out, l)
		}
	}
	return out, false
}

// Add adds a clause. The empty clause makes everything unsatisfiable.
func (s *Solver) Add(clause ...Lit) {
	clause = slices.Clone(clause)
	s.given = append(s.given, clause)
	s.add(clause)
}

func (s *Solver) add(clause []Lit) {
	c, done := s.reduce(clause)
	if done || s.unsat {
		return
	}
	switch len(c) {
	case 0:
		s.unsat = true
		return
	case 1:
		s.fix(c[0])
	default:
		s.clauses = append(s.clauses, c)
	}
	if s.backend != nil {
		s.appended = true
		s.backend.Append(s.translate(nil, c))
	}
}

// translate appends literals in the backend's numbers.
func (s *Solver) translate(out []int, lits []Lit) []int {
	for _, l := range lits {
		n := int(s.index[l.v()])
		if n == 0 {
			panic("BUG: the solver does not know a variable: use Circuit.Define")
		}
		if l < 0 {
			n = -n
		}
		out = append(out, n)
	}
	return out
}

// open hands the clauses to a new backend.
func (s *Solver) open() error {
	s.simplify()
	if s.unsat || len(s.clauses) == 0 && s.graphs == nil {
		return nil
	}
	n := 0
	for _, c := range s.clauses {
		n += len(c)
	}
	cnf, flat := make([][]int, len(s.clauses)), make([]int, 0, n)
	for i, c := range s.clauses {
		start := len(flat)
		flat = s.translate(flat, c)
		cnf[i] = flat[start:len(flat):len(flat)]
	}
	var err error
	s.backend, err = open(Problem{Vars: len(s.names), Clauses: cnf, Graphs: s.edges(), Options: s.options})
	s.appended = false
	return err
}

// Conflicts is how many the answers have taken; 0 of a backend that does not count them.
func (s *Solver) Conflicts() int64 {
	if b, ok := s.backend.(own); ok {
		return b.s.Conflicts()
	}
	return 0
}

// Lists reports whether the solver is one for lists, too, as it has answered so far.
func (s *Solver) Lists() bool {
	switch s.backend.(type) {
	case *dimacs:
		return false
	case *gophersat:
		return s.options.Backend == "gophersat" || s.options.Certify
	}
	return true
}

// Solve decides the clauses under assumptions. Only Unknown comes with an error. It is the context's, which gophersat
// looks at before solving alone; ErrMemory; an unavailable backend; or a BUG, where an answer fails its check.
func (s *Solver) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	s.Refutation = nil
	status, err := s.decide(ctx, assume)
	switch {
	case err != nil:
	case status == Sat:
		err = s.checkAssignment(assume)
	case s.options.Certify:
		err = s.certify(ctx, assume)
	}
	if err != nil {
		return Unknown, err
	}
	return status, nil
}

// decide has a backend answer.
func (s *Solver) decide(ctx context.Context, assume []Lit) (Status, error) {
	s.model, s.last = nil, nil
	if s.options.Certify && len(assume) > 0 {
		// A proof covers clauses only: assumptions go in as such, for this once.
		aside := s.under(assume)
		status, err := aside.decide(ctx, nil)
		s.model, s.last = aside.model, aside.last
		return status, err
	}
	if !s.unsat && (s.backend == nil || len(assume) > 0 && s.appended) {
		if err := s.open(); err != nil {
			return Unknown, err
		}
	}
	if s.unsat {
		s.last = s.backend
		return Unsat, nil
	}
	var extra []Lit
	for i, l := range assume {
		switch {
		case l == False || s.fixedTo(l) == -1 || slices.Contains(assume[:i], -l):
			return Unsat, nil
		case l == True || s.fixedTo(l) == 1 || slices.Contains(assume[:i], l):
		default:
			extra = append(extra, l)
		}
	}
	if s.backend == nil { // nothing is left to search
		s.read(nil, extra)
		return Sat, nil
	}
	s.last = s.backend
	status, err := s.backend.Solve(ctx, s.translate(nil, extra))
	switch status {
	case Unsat:
		s.unsat = len(extra) == 0
	case Sat:
		s.read(s.backend.Model(), extra)
	}
	return status, err
}

// under is a solver of its own, that has the assumptions for clauses.
func (s *Solver) under(assume []Lit) *Solver {
	aside := *s
	aside.backend, aside.clauses, aside.owned, aside.fixed = nil, slices.Clip(s.clauses), false, slices.Clone(s.fixed)
	for _, l := range assume {
		aside.add([]Lit{l})
	}
	return &aside
}

// read takes an assignment, with what clauses do not mention: fixed variables and
// assumptions.
func (s *Solver) read(model []bool, assume []Lit) {
	if s.room == nil {
		s.room = make([]bool, len(s.index))
		s.room[True] = true
	}
	s.model = s.room
	for i, v := range s.names {
		f := s.fixed[v]
		s.model[v] = f > 0 || f == 0 && i < len(model) && model[i]
	}
	for _, l := range assume {
		s.model[l.v()] = l > 0
	}
}

// Value is variable v's in the last assignment. A variable that no clause constrains is
// false.
func (s *Solver) Value(v int) bool { return s.model[v] }

func (s *Solver) holds(l Lit) bool {
	if l < 0 {
		return !s.model[-l]
	}
	return s.model[l]
}

// ErrAssignment is the error for an assignment that fails its check: a bug in the solver.
var ErrAssignment = errors.New("BUG: the SAT solver's assignment does not satisfy the clauses")

func (s *Solver) checkAssignment(assume []Lit) error {
	if c := s.broken(s.given, s.model); c != nil {
		return fmt.Errorf("%w: %v", ErrAssignment, c)
	}
	for i, g := range s.graphs {
		if s.cycles.cyclic(g, s.holds) {
			return fmt.Errorf("%w: graph %d has a cycle", ErrAssignment, i)
		}
	}
	for _, l := range assume {
		if !s.holds(l) {
			return fmt.Errorf("%w: assumed %v", ErrAssignment, l)
		}
	}
	return nil
}

// certify checks the refutation of the original clauses, under assumptions.
func (s *Solver) certify(ctx context.Context, assume []Lit) (err error) {
	r := &Refutation{}
	if s.refuted {
		s.Refutation = r
		return nil
	}
	var steps proofSteps
	if s.last != nil {
		if steps, r.Bytes, err = s.last.Proof(); err != nil {
			return err
		}
	}
	began := time.Now()
	c := proof.NewChecker(len(s.index) - 1)
	c.Add([]int32{int32(True)})
	var clause []int32
	for _, g := range s.given {
		clause = clause[:0]
		for _, l := range g {
			clause = append(clause, int32(l))
		}
		c.Add(clause)
	}
	for _, g := range s.graphs {
		n := c.AddGraph(g.nodes)
		for _, e := range g.edges {
			c.AddEdge(n, e.from, e.to, int32(e.lit))
		}
		for _, e := range g.alone {
			c.AddAlone(n, e.from, e.to, int32(e.lit))
		}
	}
	for _, l := range assume {
		c.Add([]int32{int32(l)})
	}
	r.Lemmas, err = c.Refute(ctx, s.named(steps))
	r.Check = time.Since(began)
	if errors.Is(err, proof.ErrRejected) {
		return fmt.Errorf("BUG: the SAT solver says that there is no solution, but %w", err)
	}
	if err != nil {
		return err
	}
	s.refuted = len(assume) == 0
	s.Refutation = r
	return nil
}

// named gives a proof in the circuit's literals.
func (s *Solver) named(steps proofSteps) proofSteps {
	return func(yield func(proof.Step, error) bool) {
		if steps == nil {
			return
		}
		for step, err := range steps {
			for i, l := range step.Lits {
				switch n := max(l, -l); {
				case int(n) > len(s.names):
					err = fmt.Errorf("literal %d belongs to no variable", l)
				case l < 0:
					step.Lits[i] = -s.names[n-1]
				default:
					step.Lits[i] = s.names[n-1]
				}
			}
			if !yield(step, err) {
				return
			}
		}
	}
}
