// Package suites runs suites of tests as a service: what is submitted is kept, cut into
// jobs, run by workers anywhere, and recorded once.
//
//	c := suites.NewCoordinator(suites.Config{Ledger: store, Queue: queue, …})
//	go c.Run(ctx)
//	s, _, err := c.Submit(ctx, suites.Submission{Request: request, Tests: tests})
//
//	w := suites.Worker{Feed: feed, Runner: pool, Slots: 8}
//	err := w.Run(ctx)
//
// The [Ledger] is the truth. A [Suite] is tests and models; a [Row] is the answer for one
// of the tests under one of the models, and a suite is done when it has all its rows. A
// [Job] is some tests of a suite, as many as take about a second. The [Queue] holds no more
// jobs than keep the workers busy, taken from the running suites in turn, so that a suite
// of a million tests neither fills it nor holds up a small one.
//
// Any process may die at any moment. A job whose worker died is handed to another by the
// queue; a coordinator that starts, or finds that the queue has lost a job, puts what has
// no row into new jobs. So a test may be run more than once, and is recorded once: rows are
// known by suite, test and model, and the first stays. Jobs carry the fingerprint of the
// engines (engines.Fingerprint), which workers of another never see.
//
// The package may import litmus/suite, models, solver and solver/engines; the ledger and
// the queue are brought by main.
package suites
