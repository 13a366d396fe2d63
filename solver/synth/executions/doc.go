// Package executions looks for an execution that one model has and another has not, whatever program it may be of: all executions of
// so many events are encoded at once, and SAT tells (as MemSynth and Memalloy do).
//
//	vocabulary  what events are: the accesses and fences of programs, by what models can see of them
//	space       all executions of some events, as literals
//	relations   what a model's expressions come to there
//	search      the question, and the execution that answers it, which the models' own checker is asked about as well
//
// Of an execution no more is asked than that each read takes its value from a write, that writes of a location have an order, and that
// dependencies come from reads: values are free, so that not every execution is one of a program. That there is none is so of
// all programs in the vocabulary, in which no access is in parts, no thread begins another and no section is atomic.
//
// The package may import litmus/ir, models, models/cat and solver/sat.
package executions
