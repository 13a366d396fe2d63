// Package pool runs work in child processes: this program started again and kept warm. Children give parallelism (the
// SAT solver gophersat serves one goroutine per process) and hard limits: the pool kills a child that exceeds its time
// or memory, and a child that crashes affects no other. Work on a text from somebody untrusted belongs in a child.
//
//	var reading = pool.Kind[Question, *Inspection]{Title: "inspect", Answer: engines.Inspect, Limits: …}
//
//	pool.MaybeChild(reading) // first in main; never returns in a child
//	p, err := pool.New(pool.Options{Workers: 2})
//	result, err := p.Run(ctx, task)               // every pool runs tasks
//	inspection, err := reading.Call(ctx, p, question)
//
// A child can only compute: it opens no file and reaches no network, if the system can enforce that ([Unconfined]).
// [AtOnce] answers small questions in this process. In a browser, children are workers.
//
// It imports solver, solver/engines, solver/hugepages and solver/sat, and alone the modules that confine processes.
package pool
