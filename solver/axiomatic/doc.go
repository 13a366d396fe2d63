// Package axiomatic decides outcomes by encoding all executions of a program at once into SAT, after Alglave, Kroening
// and Tautschnig, "Partial Orders for Efficient Bounded Model Checking of Concurrent Software" (CAV 2013). [Engine]
// implements solver.Engine and solver.Verifier for every model in cat. [Find] searches for one execution only.
//
// Threads run symbolically (solver/symbolic), first on partly known values, then as circuits. Events, guards, addresses
// and values become a symbolic event structure; rf (Alg. 1), co (Alg. 2) and the axioms of the model become clauses.
// The encoder spends a variable only where something is undecided: a read with two possible writes is one variable, and
// a bit on which they agree is a constant. It first computes which pairs each relation may and must have.
//
// Package models replays and judges every execution that the engine finds. The encoder shares no code with that
// checker. Values are well-founded under every model (thinair.go).
//
// It imports litmus, litmus/ir, models, models/cat, solver, solver/sat, solver/outcomes and solver/symbolic: no other
// engine.
package axiomatic

// The way from a program to its outcomes, by files:
//
//	structure  the symbolic event structure: events with guard, address and value (section 4 of the paper)
//	encode     rf, co (the paper's ws) and the axioms, whose relations are matrices of literals; fr and fences (Alg. 3
//	           and 5) are implications per address, without own variables
//	plan       a model's expressions, each once, for all programs; axioms.go: the axioms, and thinair.go: values
//	may        which pairs each expression may have, and which it must, before anything is encoded
//	evaluate   expressions, for the pairs that are asked for, in the polarity that matters: an axiom forbids no less of
//	           a larger relation
//	reach      closures, along their steps, in that polarity; recursion.go: likewise, each pair once
//	acyclic    an order of the events that a cycle can run through: one variable per pair, in clauses; if these are
//	           many, a graph that the solver keeps acyclic, or the paper's clocks
//	way        closures within an acyclic axiom: an automaton of the expression adds places to that graph, and the
//	           solver finds the way through them, so that no closure is encoded
//	symmetry   threads of the same code, in one order for the verdict; together.go: which of them begin and end alike
//	explore    the verdict by two solver calls, then every execution or state by blocking clauses; flags.go: flags
//	waits      flags of executions with one failing round of each waiting loop
//	pieces     axioms whose expressions order accesses rather than their pieces
//	verify     programs with properties: what fails in which prefix; prefix.go: where threads stop; sections.go: atomic
//	           sections; fails.go: failures that are no assertions; count.go: the number of executions
//	explain    the same for a weaker model, to find the closest execution of a forbidden outcome, with axiom and cycle
