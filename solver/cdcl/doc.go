// Package cdcl implements a SAT solver by conflict-driven clause learning. [New] makes a [Solver]; [Solver.Solve]
// decides the clauses under assumptions. It is incremental and interruptible, keeps no state outside of itself, and
// logs a proof on request ([Solver.Proof]). It also knows graphs whose edges depend on literals, and keeps them acyclic
// ([Solver.NewGraph]).
//
// It has the common techniques of competition solvers, as Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt describe
// them (CaDiCaL 2.0, CAV 2024). Two modes alternate: one restarts often and decides variables of recent conflicts
// (VMTF), the other stays and decides by activity (EVSIDS) towards the largest assignment so far. It learns clauses at
// the first unique implication point, minimises them, keeps them by glue, and shortens them by vivification. It probes
// literals, replaces equal ones, and removes subsumed clauses and variables; these come back when clauses use them
// again.
//
// It imports nothing of litmuscope.
package cdcl
