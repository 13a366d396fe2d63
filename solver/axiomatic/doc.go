// Package axiomatic decides outcomes by encoding all executions of a program at
// once into SAT, after Alglave, Kroening and Tautschnig, "Partial Orders for
// Efficient Bounded Model Checking of Concurrent Software" (CAV 2013).
//
// The way from a program to its outcomes:
//
//	unroll     loops are cut at a bound; pure spin loops lose nothing by it
//	walk       each thread runs symbolically (package symbolic), guards on paths, values
//	           as bit-vectors: once over known bits, to learn what each access may touch
//	           and be, and once over circuits, to build ssa            (section 4)
//	structure  the symbolic event structure: events with guard, address, value
//	encode     rf (Alg. 1), co (Alg. 2, as ws), and the axioms of the cat model, whose
//	           relations are matrices of literals; fr and fences (Alg. 3 and 5) come
//	           out as implications per address, without a variable of their own
//	plan       a model's expressions, each once, for all programs
//	may        which pairs each may have, and which it must, before anything is encoded
//	evaluate   expressions, by the pairs that are asked for, and from the side that
//	           matters: an axiom forbids no less of a larger relation
//	reach      closures, along their steps, from that side; recursion likewise, each pair once
//	acyclic    an order over the events that a cycle could run through: one variable
//	           per pair, in clauses, or, where these are many, as a graph that the solver
//	           keeps from having cycles; or the paper's clocks
//	way        closures in what may not go round, of what does not go round by itself: an
//	           automaton of the expression adds places to that graph, the solver finds the
//	           way through them, and no closure is written down
//	symmetry   threads of the same code, taken in one order for the verdict's sake;
//	           together, which of those are begun and waited for alike
//	explore    the verdict by two solver calls, then every execution or every state
//	           by blocking clauses; each one replayed and judged by package models
//	verify     a program held to properties: what fails, in which prefix of an execution;
//	           prefix says where threads stop, sections is for atomic sections, fails
//	           for what is not said by assertions, count for the number of executions
//	explain    the same for a weaker model, to find the nearest miss of what is
//	           forbidden, and the axiom and the cycle that forbid it
//
// A variable is spent only where something is undecided: a read of two possible
// writes is one variable, and a bit that all of them agree on is a constant.
//
// The package may import litmus, litmus/ir, models, solver, solver/sat and solver/symbolic.
package axiomatic
