package sat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crillab/gophersat/solver"
)

// Status is the answer of a solver.
type Status int

// The answers.
const (
	Unknown Status = iota
	Sat
	Unsat
)

// Solver decides clauses. It is used from one goroutine at a time.
type Solver interface {
	// Add adds a clause. The empty clause makes everything unsatisfiable.
	Add(clause ...Lit)
	// Solve decides the clauses under assumptions. The error is set only with
	// Unknown: the context's, which is looked at before solving, not during.
	Solve(ctx context.Context, assume ...Lit) (Status, error)
	// Value is variable v's in the last model. A variable that no clause
	// constrains is false.
	Value(v int) bool
}

// ErrModel is returned when an assignment fails its check: a bug in the solver.
var ErrModel = errors.New("BUG: the SAT solver's assignment does not satisfy the clauses")

// lock is held around every call into gophersat, whose learn.go keeps a buffer for
// the whole process: two solvers at a time corrupt one another.
var lock sync.Mutex

// gophersat drives gophersat v1.4.0 within what is known to be sound in it:
// clauses without units, duplicates and tautologies; every variable declared up
// front; solving under assumptions only on a solver that nothing was appended to
// since it was built or emptied by Assume(nil), for Assume forgets what holds at
// the top level, appended units and clauses reduced to units among them.
type gophersat struct {
	index   []int32 // by variable: its number in gophersat, 0 for none
	vars    int     // how many have one
	clauses [][]Lit // all of them, simplified
	fixed   []int8  // by variable: 1 true, -1 false at the top level
	nfixed  int
	unsat   bool

	s        *solver.Solver
	assumed  bool   // the last Solve had assumptions
	appended bool   // clauses were added behind the solver's back of Assume
	model    []bool // by gophersat's numbers, from 0
}

// newGophersat takes the variables up to vars that a clause mentions, or declared
// tells of.
func newGophersat(vars int, clauses [][]Lit, unsat bool, declared []Lit) *gophersat {
	g := &gophersat{unsat: unsat, index: make([]int32, vars+1), fixed: make([]int8, vars+1)}
	declare := func(l Lit) {
		if v := l.v(); g.index[v] == 0 && v != 1 {
			g.vars++
			g.index[v] = int32(g.vars)
		}
	}
	for _, c := range clauses {
		for _, l := range c {
			declare(l)
		}
	}
	for _, l := range declared {
		declare(l)
	}
	g.clauses = clauses
	return g
}

// simplify propagates units until none is left in a clause.
func (g *gophersat) simplify() {
	for {
		before := g.nfixed
		out := make([][]Lit, 0, len(g.clauses))
		for _, c := range g.clauses {
			c, done := g.reduce(c)
			switch {
			case done:
			case len(c) == 0:
				g.unsat = true
				return
			case len(c) == 1:
				g.fix(c[0])
			default:
				out = append(out, c)
			}
		}
		g.clauses = out
		if g.nfixed == before {
			return
		}
	}
}

func (g *gophersat) fix(l Lit) {
	g.nfixed++
	g.fixed[l.v()] = 1
	if l < 0 {
		g.fixed[l.v()] = -1
	}
}

// fixedTo is 1 where l is true at the top level, -1 where false.
func (g *gophersat) fixedTo(l Lit) int8 {
	if l < 0 {
		return -g.fixed[-l]
	}
	return g.fixed[l]
}

// reduce drops false and repeated literals; done says that the clause is true.
func (g *gophersat) reduce(c []Lit) (out []Lit, done bool) {
	clean := true
	for i, l := range c {
		if l == True || g.fixedTo(l) == 1 || slices.Contains(c[:i], -l) {
			return nil, true
		}
		if l == False || g.fixedTo(l) == -1 || slices.Contains(c[:i], l) {
			clean = false
		}
	}
	if clean {
		return c, false
	}
	for i, l := range c {
		if l != False && g.fixedTo(l) != -1 && !slices.Contains(c[:i], l) {
			out = append(out, l)
		}
	}
	return out, false
}

// Add implements Solver.
func (g *gophersat) Add(clause ...Lit) {
	c, done := g.reduce(slices.Clone(clause))
	if done || g.unsat {
		return
	}
	switch len(c) {
	case 0:
		g.unsat = true
		return
	case 1:
		g.fix(c[0])
	default:
		g.clauses = append(g.clauses, c)
	}
	if g.s == nil {
		return
	}
	lock.Lock()
	defer lock.Unlock()
	if g.assumed {
		g.s.Assume(nil)
		g.assumed = false
	}
	g.appended = true
	g.s.AppendClause(solver.NewClause(g.translate(c)))
}

func (g *gophersat) translate(lits []Lit) []solver.Lit {
	out := make([]solver.Lit, len(lits))
	for i, l := range lits {
		n := g.index[l.v()]
		if n == 0 {
			panic("BUG: the solver was not told of a variable: use Circuit.Define")
		}
		if l < 0 {
			n = -n
		}
		out[i] = solver.IntToLit(n)
	}
	return out
}

// build hands the clauses over.
func (g *gophersat) build() {
	if g.simplify(); g.unsat {
		return
	}
	n := 0
	for _, c := range g.clauses {
		n += len(c)
	}
	cnf, flat := make([][]int, len(g.clauses)), make([]int, 0, n)
	for i, c := range g.clauses {
		start := len(flat)
		for _, l := range c {
			n := int(g.index[l.v()])
			if l < 0 {
				n = -n
			}
			flat = append(flat, n)
		}
		cnf[i] = flat[start:len(flat):len(flat)]
	}
	g.s = solver.New(solver.ParseSliceNb(cnf, g.vars))
	g.assumed, g.appended = false, false
}

// Solve implements Solver.
func (g *gophersat) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	g.model = nil
	lock.Lock()
	defer lock.Unlock()
	if g.s == nil || len(assume) > 0 && g.appended {
		g.build()
	}
	if g.unsat {
		return Unsat, nil
	}
	var extra []Lit
	for i, l := range assume {
		switch {
		case l == False || g.fixedTo(l) == -1 || slices.Contains(assume[:i], -l):
			return Unsat, nil
		case l == True || g.fixedTo(l) == 1 || slices.Contains(assume[:i], l):
		default:
			extra = append(extra, l)
		}
	}
	if len(g.clauses) == 0 { // there is nothing to search, and gophersat gives no model
		g.read(nil, extra)
		return Sat, nil
	}
	if len(extra) > 0 || g.assumed {
		g.assumed = len(extra) > 0
		if g.s.Assume(g.translate(extra)) == solver.Unsat {
			return Unsat, nil
		}
	}
	if g.s.Solve() != solver.Sat {
		g.unsat = len(extra) == 0
		return Unsat, nil
	}
	g.read(g.s.Model(), extra)
	for _, c := range g.clauses {
		if !slices.ContainsFunc(c, g.holds) {
			return Unknown, fmt.Errorf("%w: %v", ErrModel, c)
		}
	}
	return Sat, nil
}

// read takes a model, with what clauses do not mention: fixed variables and
// assumptions.
func (g *gophersat) read(model []bool, assume []Lit) {
	g.model = make([]bool, g.vars)
	copy(g.model, model)
	for v, f := range g.fixed {
		if f != 0 {
			g.model[g.index[v]-1] = f > 0
		}
	}
	for _, l := range assume {
		g.model[g.index[l.v()]-1] = l > 0
	}
}

func (g *gophersat) holds(l Lit) bool { return g.Value(int(l.v())) == (l > 0) }

// Value implements Solver.
func (g *gophersat) Value(v int) bool {
	n := g.index[v]
	return n > 0 && g.model[n-1]
}
