// Package cdcl is a SAT solver: conflict-driven clause learning over watched literals.
//
// It is what the solvers of the competitions have in common, as Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt describe them (CaDiCaL 2.0, CAV 2024):
// two modes that take turns, one that restarts often and decides what was in conflicts lately (VMTF), one that stays and decides by activity
// (EVSIDS) towards the largest assignment so far; clauses are learnt at the first unique implication point, minimised, kept by their glue, and
// shortened by vivification. Literals are tried by themselves now and then, for what follows from them,
// and one literal stands for all that turn out to be equal. Clauses that others subsume are removed, and variables
// without which there are not many more clauses; they come back when they are asked for.
//
// There may be graphs besides, with edges that are there while a literal is true, and without cycles.
//
// A [Solver] is incremental: clauses may be added between calls of Solve, which may have assumptions. It can be interrupted, keeps
// nothing outside of itself, and logs what it learns for a checker of proofs. It imports nothing of litmuscope.
package cdcl
