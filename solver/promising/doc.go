// Package promising explores the promising machines of Armv8-A and RISC-V: Pulte, Pichon-Pharabod, Kang, Lee and Hur,
// "Promising-ARM/RISC-V: a simpler and faster operational concurrency model", PLDI 2019. [Explore] returns the outcomes
// of a test, each with an execution. Tests compare them with those of the axioms.
//
// Memory is a list of messages, one for each write. The position of a message is its timestamp; 0 stands for the
// initial values. A thread executes in program order, but it may promise a write before it executes it: the message is
// then in memory, and the thread fulfils it later. A [view] is a timestamp that bounds from below what an access may
// read or write. It takes the place of the reordering: a read may return an old message unless its view excludes that.
//
// The search promises first (PLDI 2019, section 7): it adds each message as a promise, and lets threads execute only in
// a complete memory, each by itself. view.go has the rules of views, thread.go those of instructions.
//
// It imports litmus, litmus/ir, models, models/replay, solver and solver/operational: no SAT.
package promising
