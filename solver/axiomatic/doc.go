// Package axiomatic decides outcomes by encoding all executions of a program at once into SAT, after Alglave, Kroening
// and Tautschnig, "Partial Orders for Efficient Bounded Model Checking of Concurrent Software" (CAV 2013). [Engine]
// implements solver.Engine and solver.Verifier for every model in cat. [Find] searches for one execution only.
//
// Threads run symbolically (solver/symbolic), first on partly known values, then as circuits. Events, guards, addresses
// and values become a symbolic event structure; rf (Alg. 1), co (Alg. 2) and the axioms of the model become clauses.
// The encoder spends a variable only on open questions: a read with two possible writes is one variable, and a bit on
// which they agree is a constant. It first computes which pairs each relation may and must have.
//
// Package models replays and judges every execution that the engine finds. The encoder shares no code with that
// checker. Values are well-founded under every model (thinair.go).
//
// It imports litmus, litmus/ir, models, models/cat, solver, solver/sat, solver/outcomes, solver/symbolic and its own
// packages: no other engine.
package axiomatic

// The packages, each of which imports only those before it:
//
//	relation   relations over events: matrices of literals, and pairs by bits
//	plan       a model's expressions, each once, for all programs
//	encode     the formula of a program under a model, and executions off its assignments
//
// The files:
//
//	explore    the verdict by two solver calls, then every execution or state by blocking clauses; flags.go: flags
//	list       executions with the condition's outcome; find.go: one such execution
//	waits      flags of executions with one failing round of each waiting loop
//	thinair    values that feed on themselves
//	verify     programs with properties: what fails in which prefix; count.go: the number of executions; minimise.go:
//	           a failure that is as near to SC as can be
//	explain    the same for a weaker model, to find the closest execution of a forbidden outcome, with axiom and cycle
