// Package executions finds an execution that one model allows and another forbids, of any program: it encodes all
// executions of a number of events at once and asks SAT, as MemSynth and Memalloy do. [Distinguish] searches, over a
// [Vocabulary] of accesses and fences, and returns what it [Found]; the models' own checker judges the execution as
// well.
//
// An execution only has to give each read a write and each location an order of its writes, and dependencies have to
// come from reads. Values are free, so that not every execution belongs to a program. If there is none, no program in
// the vocabulary distinguishes the models; no access in it consists of pieces, no thread spawns another and no section
// is atomic.
//
// It imports litmus/ir, models, models/cat and solver/sat: no engine.
package executions

// The files:
//
//	vocabulary  what events are: the accesses and fences of programs, as models see them
//	space       all executions of some events, as literals
//	relations   a model's expressions as literals
//	search      the question, and the execution that answers it
