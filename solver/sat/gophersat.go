package sat

import (
	"bytes"
	"context"
	"sync"

	"github.com/crillab/gophersat/solver"

	"litmuscope/solver/proof"
)

// lock is held around every call into gophersat, whose learn.go keeps a buffer for
// the whole process: two solvers at a time corrupt one another.
var lock sync.Mutex

// gophersat drives gophersat v1.4.0 within what is known to be sound in it:
// clauses without units, duplicates and tautologies; every variable declared up
// front; solving under assumptions only on a solver that nothing was appended to
// since it was built or emptied by Assume(nil), for Assume forgets what holds at
// the top level, appended units and clauses reduced to units among them.
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

// log has what is learnt written down, until the function that it gives is called.
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
