// Package proof checks refutations: that a set of clauses has no satisfying
// assignment, by a solver's proof of it. It shares no code with any solver, knows
// nothing of how the clauses came about, and imports nothing of litmuscope, so that
// its word and a solver's are two.
//
//	c := proof.NewChecker(2)
//	for _, clause := range [][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}} {
//		c.Add(clause)
//	}
//	lemmas, err := c.Refute(ctx, proof.ReadText(strings.NewReader("1 0\n")))
//
// Literals are those of DIMACS: a variable's number, from 1, or its negation.
//
// A proof is a list of steps, in DRAT. Each lemma has to follow from what is there
// before it: assuming it false, unit propagation comes upon a contradiction (RUP); or
// that is so of each of its resolvents on its first literal, the pivot (RAT), so that a
// solution remains if there was one. A deletion takes a clause away again. The proof
// holds once unit propagation alone contradicts what has been gathered.
//
// There may be graphs besides, with edges that are there where a literal is true, and without cycles. A
// lemma then also follows where assuming it false, and what unit propagation makes of that, has
// the edges of a graph make a cycle. RAT, which might bring edges in, is not for these.
package proof
