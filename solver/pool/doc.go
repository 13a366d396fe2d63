// Package pool has work done in child processes, which are this program started again
// and kept warm. That is where parallelism comes from (the SAT solver serves one
// goroutine a process), and the only way to a hard limit of time and memory: a child
// that overruns is killed, and one that crashes takes no one along. Whatever depends on
// the text of somebody who is not trusted belongs into a child.
//
//	var reading = pool.Kind[Question, *Inspection]{Title: "inspect", Answer: engines.Inspect, Limits: …}
//
//	func main() {
//		pool.MaybeChild(reading) // never returns in a child
//		p, err := pool.New(pool.Options{Workers: 2})
//		result, err := p.Run(ctx, task)               // every pool runs tasks
//		inspection, err := reading.Call(ctx, p, question)
//
// A child can compute, and nothing else, as far as the system can see to that: see [Unconfined].
//
// The package may import solver, solver/engines, solver/hugepages and solver/sat, and alone imports what the system is asked by to confine.
package pool
