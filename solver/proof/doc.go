// Package proof checks refutations: proofs of solvers that a set of clauses has no satisfying assignment. It shares no
// code with any solver and does not know how the clauses came about, so that two independent programs agree on a
// refutation.
//
//	c := proof.NewChecker(2)
//	for _, clause := range [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} { c.Add(clause) }
//	lemmas, err := c.Refute(ctx, proof.ReadText(strings.NewReader("1 0\n")))
//
// Literals are those of DIMACS: a variable's number, from 1, or its negation. A proof is a list of steps in DRAT. The
// checker accepts a lemma if unit propagation contradicts its negation (RUP), or if that is true of each resolvent on
// its first literal (RAT). A deletion removes a clause. The proof is complete once unit propagation alone contradicts
// the remaining clauses. A [Checker] also knows graphs that have to be acyclic, whose edges depend on literals: a lemma
// also follows if its negation closes a cycle. RAT does not apply to these, because it could add edges.
//
// It imports nothing of litmuscope.
package proof
