// Package sat builds formulas and decides them.
//
// A [Circuit] is a graph of gates over variables, with constants folded and equal
// gates shared; [Vec] are bit-vectors of its literals. Clauses asserted over it
// bring the gates they mention into clause form, each in the polarity that is
// needed and no other (Plaisted and Greenbaum). A [Solver] decides the clauses:
//
//	c := sat.NewCircuit()
//	x, y := c.Var(), c.Var()
//	c.Assert(c.And(x, y).Not(), x)
//	s := c.Solver(sat.Options{})
//	status, err := s.Solve(ctx)
//	c.Assignment(s).True(x)
//
// What solves is a [Backend]: in this process gophersat, for the verdict of small formulas, or package cdcl; or a program that reads DIMACS.
// Package cdcl can be given graphs that are to have no cycle ([Graph]), too; whoever builds a formula asks first ([KnowsOrders]).
// Solver is what all of them are driven by, and checked by: assignments always,
// refutations where it is asked to (by package proof).
//
// It is the only package that imports gophersat, and knows nothing of litmus tests.
package sat
