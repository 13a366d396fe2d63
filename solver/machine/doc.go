// Package machine runs a test on an operational store-buffer machine and visits every state that it can reach. [Engine]
// implements solver.Engine and solver.Verifier for SC, TSO and PSO ([Kind]). Tests compare the other engines with it.
// Every outcome has a run that a reader can step through.
//
// [Replay] repeats the run that another engine found, [Follow] finds a run with a given execution, and [NewWalk] takes
// the steps that a reader chooses. [Deadlock] finds the threads that wait for each other.
//
// A machine is a shared memory and, for each thread, the issued stores that are not yet in memory. A step is the next
// visible instruction of a thread or the flush of a pending store. Threads issue instructions in program order; nothing
// is speculated. Loops need no unwinding: if the states are finite in number, the exploration is exact. step.go has the
// rules of loads, stores and fences.
//
// It imports litmus, litmus/ir, models, models/play and solver: no SAT.
package machine
