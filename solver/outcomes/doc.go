// Package outcomes asks a formula for the outcomes of a program: the verdict first, by two questions (can the
// condition's proposition hold, can it fail), then every outcome, by clauses that exclude the states found.
//
// An engine makes a [Search] by [New], gives it the formula, a sat.Circuit with the final value of each observable, and
// a function that reads executions from assignments. So limits, statistics, partial results and what an answer within a
// bound is worth are the same for all engines on SAT. A [Flag] of a model is a question of its own: whether some
// execution raises it.
//
// It imports litmus, litmus/ir, solver and solver/sat: no engine.
package outcomes
