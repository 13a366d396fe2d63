// Package views explores a view machine of C11: the promising semantics of Kang, Hur, Lahav, Vafeiadis and Dreyer, "A
// promising semantics for relaxed-memory concurrency", POPL 2017, without promises. It equals RC11, whose axiom
// no-thin-air forbids what promises would add. [Explore] returns the outcomes of a test, each with an execution.
//
// Memory has a list of messages for each location, in coherence order. A write may go between older messages. A [view]
// says, for each location, the earliest message that may still be read, and which events happened before. A thread has
// a current view and those of its fences and releases; a message carries the view that an acquire of it gets. A data
// race makes behaviour undefined, but the run goes on, so that all outcomes of the model are listed.
//
// No rule for views is known that equals RC11's order of sequentially consistent events. The machine therefore keeps
// the events of a run, if some are sequentially consistent, and refuses a step that closes a cycle in that order
// (psc.go). Views alone decide everything else. step.go has the rules of the machine, search.go the order of steps.
//
// It imports litmus, litmus/ir, models, models/replay, solver and solver/operational: no SAT.
package views
