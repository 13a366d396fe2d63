// Package propagation explores the machine of IBM Power and Armv7: Sarkar, Sewell, Alglave, Maranget and Williams,
// "Understanding POWER Multiprocessors", PLDI 2011, with the coherence points and the store-conditionals of Sarkar,
// Memarian, Owens, Batty, Sewell, Maranget, Alglave and Williams, "Synchronising C/C++ and POWER", PLDI 2012. [Explore]
// returns the outcomes of a test, each with an execution.
//
// A thread executes instructions out of order, also behind branches that are open (thread.go). It commits writes and
// barriers to the storage subsystem (storage.go), which propagates them to each other thread one by one. A read takes
// the last write that has reached its thread. A barrier reaches a thread after the writes before it, and before the
// writes after it; sync also waits until it has reached all threads. [State] is the state of both.
//
// search.go has the order of steps, which leaves out runs that reach nothing new; walk.go takes steps for readers.
//
// It imports litmus, litmus/ir, models, models/replay, solver and solver/operational: no SAT.
package propagation
