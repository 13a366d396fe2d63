// Package synth finds the cheapest changes of a test that forbid its outcome (repair), and the orders that it does not
// need (weaken). [Answer] answers a [Question] by a [Reply]; [Offer] lists the possible changes. costs.txt has their
// prices.
//
//	a := synth.Answer(ctx, synth.Question{Path: "SB.litmus", Source: text, Under: []solver.Task{{Model: "tso"}}})
//	a.Repairs[0].Source // with two fences
//
// The cheapest choice is a hitting set (package hitting). If an execution survives a choice, the search moves it into
// the test with more and more changes, as long as evaluation.Check accepts it there (witness.go); the remaining changes
// are a clause: every repair must contain one of them. So an answer proves two things: an engine shows that it is
// sufficient, and the executions show that nothing cheaper is. That relies on more order forbidding more. The search
// tests that wherever it relies on it, and does not call an answer minimal if it fails.
//
// It imports litmus and its packages, models, solver, solver/engines, solver/axiomatic, solver/testdiff and hitting.
package synth
