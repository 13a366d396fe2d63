// Package play shows an execution as a run: a list of frames, one for each step.
//
// A model that is given by axioms has no steps. Play puts the events of one of its
// executions in an order that the execution's own relations allow, and says of each step
// what every thread sees after it:
//
//   - A read is carried out when the write that it reads from has reached its thread and
//     no write that overwrites that one has (rf, fr).
//   - Writes to one location reach each thread in coherence order (co). A thread sees its
//     own write from when it is carried out.
//   - What an address, a value or, for a write, a branch depends on comes first. Where there
//     is no other way, a thread guesses a branch: it sees a write behind it at once, but
//     nobody else does before the branch is settled.
//
// That is all that must hold. Where several orders are left, the one that is shown keeps,
// in this turn: what the events' generic tags say of fences, acquires and releases; what
// the model lists as kept in order within a thread; program order. So what cannot be in
// program order stands out, and its step says so.
//
// One memory that all threads share is shown wherever the above can be had with it: at
// best each write reaches everyone at once; failing that, its own thread first and then
// the others together; failing that, thread by thread, each with a view of its own; and
// where coherence is settled only later, a write never shows where a later one came first.
//
// An execution without such an order, as one with values out of thin air or one that breaks
// coherence in earnest, cannot be played, and Play says so.
package play
