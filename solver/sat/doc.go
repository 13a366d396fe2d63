// Package sat builds formulas and decides them. A [Circuit] is a graph of gates over variables; it folds constants and
// shares equal gates. A [Vec] is a bit-vector of its literals. Assertions put the gates that they mention into clause
// form, each only in the polarity that they need (Plaisted and Greenbaum). A [Solver] decides the clauses:
//
//	c := sat.NewCircuit()
//	x, y := c.Var(), c.Var()
//	c.Assert(c.And(x, y).Not(), x)
//	s := c.Solver(sat.Options{})
//	status, err := s.Solve(ctx)
//
// A [Backend] does the solving: gophersat or package cdcl in this process, or a program that reads DIMACS. A [Graph] is
// a graph that has to be acyclic, which only some backends know ([KnowsOrders]). The Solver checks every assignment
// against the clauses and, on request, every refutation by package proof; a failure is an error that begins with BUG.
//
// It imports solver/cdcl and solver/proof, alone imports gophersat, and knows nothing of litmus tests.
package sat
