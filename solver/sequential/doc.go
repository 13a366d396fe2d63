// Package sequential decides outcomes the operational way, on SAT: the threads become
// one sequential program that runs them in rounds, and all shared memory is behind an
// abstraction that brings the memory model with it.
//
// The sequential program is that of lazy sequentialization (Inverso, Tomasco, Fischer,
// La Torre and Parlato, "Bounded Model Checking of Multi-threaded C Programs via Lazy
// Sequentialization", CAV 2014). In each of a number of rounds the threads get a turn in
// a fixed order; a turn guesses the label at which it will end. The memory is one of
//
//	lazy-cseq            sc.go      the locations as they are
//	tso-sma, pso-sma     buffers.go store buffers, emptied at any time
//	etso, epso           lists.go   a list of timestamped writes for each location
//	k-round, k-store-age views.go   what a thread sees, and what it will write in which
//	                                of its rounds
//
// The first three rows are the shared memory abstractions of Tomasco, Nguyen, Inverso,
// Fischer, La Torre and Parlato, "Lazy Sequentialization for TSO and PSO via Shared
// Memory Abstractions" (FMCAD 2016); the last is Atig, Bouajjani and Parlato, "Getting
// Rid of Store-Buffers in TSO Analysis" (CAV 2011).
//
// The way from a program to its outcomes:
//
//	unroll      loops are cut at a bound; pure spin loops lose nothing by it
//	statements  each thread runs symbolically once, for all rounds: a statement is
//	            executed at most once, so its guard, address and value are the same in
//	            whatever round that happens
//	bounds      how many rounds, timestamps, nodes … are enough to lose no outcome
//	schedule    the statements once a round over the memory
//	explore     the verdict, then every state; each witness is replayed on the machine
//	            and its execution judged by package models
//	least       the smallest bounds that still show the condition
//
// Verify holds a program whose threads start and await each other to assertions. Its runs are
// prefixes: a thread may stop after any turn. A thread has no turn before its spawn has been passed, a
// join is passed where the other thread is past its last statement and nothing of it waits, and an
// atomic section is within one turn. Behind an assumption or an assertion, statements have its
// condition in their guards.
//
// The package may import litmus, litmus/ir, models, solver, solver/sat, solver/symbolic and, to
// replay witnesses, solver/machine.
package sequential
