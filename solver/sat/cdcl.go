package sat

import (
	"context"

	"litmuscope/solver/cdcl"
	"litmuscope/solver/proof"
)

// ErrConflicts is the error for an answer that would take more than Options.Conflicts.
var ErrConflicts = cdcl.ErrMost

// own drives package cdcl.
type own struct{ s *cdcl.Solver }

func openCDCL(p Problem) (Backend, error) {
	s := cdcl.New(p.Vars, p.Options.Certify)
	s.Most = p.Options.Conflicts
	s.Expect(p.Clauses)
	for _, c := range p.Clauses {
		s.Add(c...)
	}
	for _, g := range p.Graphs {
		n := s.NewGraph(g.Nodes)
		for _, always := range []bool{true, false} {
			// an edge that could close a cycle with the unconditional edges is false at once
			for _, e := range g.Edges {
				if (e[2] == 0) == always {
					s.AddEdge(n, e[0], e[1], e[2])
				}
			}
		}
		for _, e := range g.Alone {
			s.AddAlone(n, e[0], e[1], e[2])
		}
	}
	return own{s}, nil
}

// Append implements Backend.
func (o own) Append(clause []int) { o.s.Add(clause...) }

// Solve implements Backend.
func (o own) Solve(ctx context.Context, assume []int) (Status, error) {
	status, err := o.s.Solve(ctx, assume...)
	return [...]Status{cdcl.Unknown: Unknown, cdcl.Satisfiable: Sat, cdcl.Unsatisfiable: Unsat}[status], err
}

// Model implements Backend.
func (o own) Model() []bool { return o.s.Model() }

// Proof implements Backend.
func (o own) Proof() (proofSteps, int64, error) {
	steps, bytes := o.s.Proof()
	return func(yield func(proof.Step, error) bool) {
		for clause, deleted := range steps {
			if !yield(proof.Step{Lits: clause, Delete: deleted}, nil) {
				return
			}
		}
	}, bytes, nil
}
