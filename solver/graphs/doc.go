// Package graphs is the engine that visits execution graphs one by one, by stateless model checking with optimal dynamic
// partial order reduction: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, “Truly Stateless, Optimal Dynamic Partial
// Order Reduction”, POPL 2022). Programs are run on numbers that are known, so that it is quick where there are
// few executions and many places that pointers may lead to; where there are many executions, engines on SAT are quicker.
//
//	explore    the exploration: which graphs are visited, each once; ahead, where threads run ahead of what their reads give
//	symmetry   the same where threads are alike: one of the graphs that differ in nothing but which of them does what
//	sections   atomic sections, which nobody sees the middle of
//	piece      accesses of several locations, where threads access memory at several widths
//	lock       locks that are only taken and left: who takes one next, rather than who waits in vain
//	graph      an execution graph as it grows; thread, where its threads are; place, where threads come to by what they are told, run once
//	litmus     tests as programs to explore, and cprogram, C programs
//	compile    a model's axioms as operations on bit matrices; admit, which models each method is made for
//	checker    the operations carried out on a graph; matrix, the bits; class, events that are the same by themselves; race, what races
//	columns    what leads to an event for good, as it comes; automaton, cycles that it closes, and order, where it comes in coherence
//	later      programs that are run in order although threads run ahead, where that makes no difference
//	engine     queries about tests; verify, about C programs, and lowered, about those whose threads run ahead
//	forever    loops that no thread leaves any more
//	estimate   how many executions there seem to be, and how far an exploration is; count, which are the same
//	execution  a graph as an execution of package models; trace, one of a C program
//
// In TruSt, a write is never read by what comes before it in program order and reads-from: so it is for the models that forbid such cycles,
// sc, tso, pso, mips and rc11 among those that are built in. Under others, threads run ahead of their reads; C is run in order
// under imm nevertheless, as long as it makes no difference.
//
// The package may import litmus, litmus/ir, litmus/c/cprog/run, models, models/cat and solver.
package graphs
