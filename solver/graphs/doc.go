// Package graphs explores execution graphs one by one, each once, by stateless model checking with optimal dynamic
// partial order reduction: TruSt (Kokologiannakis, Marmanis, Gladstein and Vafeiadis, “Truly Stateless, Optimal Dynamic
// Partial Order Reduction”, POPL 2022). [Engine] implements solver.Engine and solver.Verifier. It runs tests and C
// programs on concrete numbers. It is fast if there are few executions and many places that pointers may lead to;
// engines on SAT are faster if there are many executions.
//
// In TruSt, no read takes its value from a write that comes after it in program order and reads-from. That suits the
// models that forbid such cycles: of the built-in ones sc, tso, pso, mips and rc11. Under others, threads run ahead,
// and C programs run in their lowered form. Under imm, C programs run in order as long as that makes no difference.
//
// Engine.TourOf records the exploration as a solver.Tour. A path names a part of an exploration, which another process
// can explore by itself (part.go).
//
// It imports litmus, litmus/ir, litmus/c/cprog/run, models, models/cat, solver and its own packages: no other engine.
package graphs

// The packages, each of which imports only those before it:
//
//	graph        an execution graph as it grows, and where its threads are
//	consistency  a model's axioms, compiled, and what they say of a graph
//	explore      which graphs are visited, each once
//
// The files:
//
//	engine     queries about tests; verify.go: about C programs; lowered.go: about those whose threads run ahead
//	litmus     tests as programs to explore; cprogram.go: C programs
//	execution  a graph as an execution of package models; trace.go: one of a C program
//	forever    loops that no thread leaves
//	count      executions that are equal; progress.go: how far an exploration is
//	part       parts of an exploration; tour.go: the record of an exploration
