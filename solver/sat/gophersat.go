package sat

import (
	"bytes"
	"context"
	"sync"

	"github.com/crillab/gophersat/solver"

	"litmuscope/solver/proof"
)

// Every call into gophersat holds lock, because its learn.go keeps a buffer for the whole process: two solvers at a
// time corrupt one another.
var lock sync.Mutex

// gophersat drives gophersat v1.4.0 within its sound uses: clauses without units, duplicates and tautologies; every
// variable declared up front; it solves under assumptions only if nothing was appended since the solver was built or
// emptied by Assume(nil), because Assume forgets facts at the top level: appended units, and clauses that became units
// among them.
type gophersat struct {
	s       *solver.Solver
	assumed bool // the last Solve had assumptions
	certify bool
	lemmas  bytes.Buffer // all that was learnt, a clause a line
}

func openGophersat(p Problem) (Backend, error) {
	lock.Lock()
	defer lock.Unlock()
	return &gophersat{s: solver.New(solver.ParseSliceNb(p.Clauses, p.Vars)), certify: p.Options.Certify}, nil
}

func literals(lits []int) []solver.Lit {
	out := make([]solver.Lit, len(lits))
	for i, l := range lits {
		out[i] = solver.IntToLit(int32(l))
	}
	return out
}

// Append implements Backend.
func (g *gophersat) Append(clause []int) {
	lock.Lock()
	defer lock.Unlock()
	if g.assumed {
		g.s.Assume(nil)
		g.assumed = false
	}
	g.s.AppendClause(solver.NewClause(literals(clause)))
}

// Solve implements Backend.
func (g *gophersat) Solve(_ context.Context, assume []int) (Status, error) {
	lock.Lock()
	defer lock.Unlock()
	if g.certify {
		defer g.log()()
	}
	if len(assume) > 0 || g.assumed {
		g.assumed = len(assume) > 0
		if g.s.Assume(literals(assume)) == solver.Unsat {
			return Unsat, nil
		}
	}
	if g.s.Solve() != solver.Sat {
		return Unsat, nil
	}
	return Sat, nil
}

// log makes gophersat write learnt clauses, until the caller calls the returned function.
func (g *gophersat) log() (end func()) {
	lines, done := make(chan string, 256), make(chan struct{})
	g.s.Certified, g.s.CertChan = true, lines
	go func() {
		for l := range lines {
			g.lemmas.WriteString(l)
			g.lemmas.WriteByte('\n')
		}
		close(done)
	}()
	return func() {
		close(lines)
		<-done
	}
}

// Model implements Backend.
func (g *gophersat) Model() []bool { return g.s.Model() }

// Proof implements Backend.
func (g *gophersat) Proof() (proofSteps, int64, error) {
	return proof.ReadText(bytes.NewReader(g.lemmas.Bytes())), int64(g.lemmas.Len()), nil
}
