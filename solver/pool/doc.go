// Package pool answers tasks in child processes, which are this program started again
// and kept warm. That is where parallelism comes from (the SAT solver serves one
// goroutine a process), and the only way to a hard limit of time and memory: a child
// that overruns is killed, and one that crashes takes no one along.
//
// The package may import solver and solver/engines.
package pool
