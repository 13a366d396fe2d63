// Package encode writes the formula of a program under a model. An [Encoding] has events, reads-from and coherence; its
// [Relations] evaluate the model's expressions on them and assert the axioms. Before the encoding, each expression gets
// the pairs that it may have and those that it must have, and only the rest takes variables.
//
// [Encoding.Decode] makes an execution of an assignment. The package asks no solver: [Prefix], [Relations.Races] and
// others give literals that are true where a program fails, and solver/axiomatic asks whether they can be.
package encode

// The way from a program to its formula, by files:
//
//	structure  the symbolic event structure: events with guard, address and value (section 4 of the paper)
//	encode     rf, co (the paper's ws); fr and fences (Alg. 3 and 5) are implications per address, without variables
//	relation   base relations as matrices of literals; axioms.go: the axioms; choose.go: orders that the model chooses
//	may        which pairs each expression may have, and which it must, before anything is encoded
//	evaluate   expressions, for the pairs that are asked for, in the polarity that matters: an axiom forbids no less
//	           of a larger relation
//	reach      closures, along their steps, in that polarity; recursion.go: likewise, each pair once
//	acyclic    an order of the events that a cycle can run through: one variable per pair, in clauses; if these are
//	           many, a graph that the solver keeps acyclic, or the paper's clocks; cutorder.go: one that can be cut
//	way        closures within an acyclic axiom: an automaton of the expression adds places to that graph, and the
//	           solver finds the way through them, so that no closure is encoded
//	symmetry   threads of the same code, in one order for the verdict; together.go: which of them begin and end alike
//	prefix     where threads stop; sections.go: atomic sections; fails.go: failures that are no assertions
//	decode     an execution, off an assignment
