// Package batch runs many tests: it asks each test of a collection under each model, on several workers, and returns
// the results in the order of the tests. [Jobs] makes the questions, [Run] answers them and counts them in a [Tally].
// [Cached] puts a [Cache] of results in front of any runner.
//
//	jobs := batch.Jobs(suite.Collect(ctx, paths, stdin), under)
//	tally, err := batch.Run(ctx, runner, workers, jobs, func(r *solver.Result) error { … })
//
// Only a few questions for each worker are in memory ([InOrder]), so that a slow test costs no memory.
//
// It imports litmus/suite, solver and solver/engines.
package batch
