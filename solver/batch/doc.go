// Package batch runs many tests: it puts each test of a collection under each model,
// has the tasks run on several workers, and hands results on in the order of the
// tests, whatever order they come to an end in.
//
//	jobs := batch.Jobs(suite.Collect(ctx, paths, stdin), under)
//	tally, err := batch.Run(ctx, runner, workers, jobs, func(r *solver.Result) error { … })
//
// [Cached] puts a result cache in front of any runner. The package may import
// litmus/suite, solver and solver/engines.
package batch
