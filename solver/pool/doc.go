// Package pool runs whole tests: text and model in, Result out.
//
// [Local] does so in this process. [Pool] hands tests to child processes, which are
// this program started again and kept warm. That is where parallelism comes from
// (the SAT solver serves one goroutine a process), and the only way to a hard limit
// of time and memory: a child that overruns is killed, and one that crashes takes
// no one along.
//
// It is the table of engines, and may import all of them, litmus and models.
package pool
