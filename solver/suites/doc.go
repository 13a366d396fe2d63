// Package suites runs suites of tests as a service: it stores a submission, cuts it into jobs, has workers run them,
// and records each answer once. A [Coordinator] accepts a [Submission] and dispatches jobs; a [Worker] runs them:
//
//	c := suites.NewCoordinator(suites.Config{Ledger: store, Queue: queue, …})
//	s, _, err := c.Submit(ctx, suites.Submission{Request: request, Tests: tests})
//	err := (&suites.Worker{Feed: feed, Runner: pool, Slots: 8}).Run(ctx)
//
// The [Ledger] is the truth; everything else can be rebuilt from it. A [Row] is the answer for one test under one
// model, and the first recorded row stays. A [Job] is about a second of tests of one suite. The [Queue] holds only
// enough jobs to keep the workers busy, taken from the suites in turn, so that a suite of a million tests needs no more
// memory than one of a thousand. Any process may die at any moment: the queue gives an unreported job to another worker
// after [AckWait], and the coordinator sets aside a test that kills several workers. Jobs carry the fingerprint of the
// engines, and the coordinator drops rows of another fingerprint.
//
// It imports litmus, litmus/suite, models, solver and solver/engines; package cmd supplies the ledger and the queue.
package suites
