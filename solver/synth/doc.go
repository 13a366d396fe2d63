// Package synth asks engines the question in reverse: which changes of a test forbid its outcome, and which of what it
// keeps in order can go.
//
//	a := synth.Answer(ctx, synth.Question{Path: "SB.litmus", Source: text, Under: []solver.Task{{Model: "tso"}}})
//	a.Repairs[0].Source // with two fences
//
// What can be changed is listed by litmus/change, each with its price (costs.txt). The cheapest choice is found as a hitting
// set (package hitting): an execution that has the outcome though some changes are made has it with all those, too, that do not disturb it.
// These are added as long as the execution is one (witness.go), so that any choice that forbids the outcome has to have one of
// the rest. The cheapest choice that has one for each execution found so far is asked next. It is enough, or gives the next execution.
// So what is proved of an answer is both: that it is enough, by the engine, on its text as it is shown; and that nothing
// cheaper is, by executions, each of which package models has accepted under all that was added.
//
// That rests on more order forbidding more, which not every model has to keep to: it is tried wherever it is relied on, by a few choices
// between the two, and an answer of which that does not hold is not called minimal.
//
// The package may import litmus and the rooms below it, models, solver, solver/engines, solver/axiomatic and solver/synth/hitting.
package synth
