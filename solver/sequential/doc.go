// Package sequential decides outcomes operationally, on SAT: the threads become one sequential program that runs them
// in rounds, over a shared memory abstraction that implements the memory model. The scheduler is that of lazy
// sequentialization (Inverso, Tomasco, Fischer, La Torre and Parlato, CAV 2014): in each round the threads run in a
// fixed order, and each guesses the label at which its turn ends. [Engines] lists the engines, one for each memory:
//
//	lazy-cseq            sc.go       the locations as they are (SC)
//	tso-sma, pso-sma     buffers.go  store buffers, flushed at any time (Tomasco et al., FMCAD 2016)
//	etso, epso           lists.go    a list of timestamped writes for each location (the same paper)
//	k-round, k-store-age views.go    the writes of a thread, by the round they reach memory (Atig et al., CAV 2011)
//
// The engine computes bounds on rounds, buffers and timestamps before encoding, so that no outcome gets lost
// (bounds.go). Package machine replays each witness, and package models judges its execution.
//
// It imports litmus/ir, models, solver, solver/sat, solver/outcomes, solver/symbolic and, for replay, solver/machine.
package sequential

// The way from a program to its outcomes, by files:
//
//	statements  each thread runs symbolically once, for all rounds: a statement runs at most once, so its guard,
//	            address and value are the same in every round
//	bounds      how many rounds, timestamps and nodes lose no outcome; low bounds (2, then 3) are tried first where
//	            the sufficient ones make a large formula; the smallest bounds that still show the condition
//	schedule    the statements once per round over the memory
//	engine      the verdict, then every state; witness.go: the replay of each witness
//	verify      programs with assertions; prefix.go: threads may stop after any turn. A thread has no turn before its
//	            spawn, a join passes when the other thread is past its last statement and nothing of it is
//	            pending, and an atomic section is within one turn
