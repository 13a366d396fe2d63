// Package graphs explores execution graphs one by one, each once, by stateless model checking with optimal dynamic
// partial order reduction: TruSt (Kokologiannakis, Marmanis, Gladstein and Vafeiadis, “Truly Stateless, Optimal Dynamic
// Partial Order Reduction”, POPL 2022). [Engine] implements solver.Engine and solver.Verifier. It runs tests and C
// programs on concrete numbers. It is fast if there are few executions and many places that pointers may lead to;
// engines on SAT are faster if there are many executions.
//
// In TruSt, no read takes its value from a write that comes after it in program order and reads-from. That suits the
// models that forbid such cycles: of the built-in ones sc, tso, pso, mips and rc11. Under others, threads run ahead of
// their reads, and C programs run as they are lowered. Under imm, C programs run in order as long as that makes no
// difference.
//
// Engine.TourOf records the exploration as a solver.Tour. Which graphs follow from a graph depends on the graph alone,
// so that a path names a part of the exploration (part.go).
//
// It imports litmus, litmus/ir, litmus/c/cprog/run, models, models/cat and solver: no other engine.
package graphs

// The files:
//
//	explore    the exploration: which graphs are visited, each once; ahead.go: threads that run ahead of their reads
//	symmetry   one graph for all that differ only in which of several equal threads does what
//	sections   atomic sections, whose middle no other thread sees
//	piece      accesses of several locations, for threads that access memory at several widths
//	lock       locks that are only taken and released: who takes one next, rather than who waits in vain
//	graph      an execution graph as it grows; thread.go: where its threads are; place.go: thread states, run once each
//	litmus     tests as programs to explore; cprogram.go: C programs
//	compile    a model's axioms as operations on bit matrices; admit.go: which models each method supports
//	checker    these operations on a graph; matrix.go: the bits; class.go: events that are equal; race.go: races
//	columns    what leads to an event for good, computed when it is added; automaton.go: cycles that it closes;
//	           order.go: its place in coherence order
//	later      programs that run in order although the model lets threads run ahead
//	engine     queries about tests; verify.go: about C programs; lowered.go: about those whose threads run ahead
//	forever    loops that no thread leaves
//	estimate   an estimate of the number of executions and of the progress; count.go: executions that are equal
//	part       parts of an exploration, named by paths; tour.go: the record of an exploration
//	execution  a graph as an execution of package models; trace.go: one of a C program
