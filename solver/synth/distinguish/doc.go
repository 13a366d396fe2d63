// Package distinguish finds the smallest tests that one model allows and another forbids, and reports up to which size
// there are none. [Survey.Two] compares two sides, [Survey.Mutate] a model with itself without each of its parts, and
// [Survey.Lattice] orders models by strength; [LatticeOf] returns the stored order of an architecture. [Evidence]
// explains why a side forbids a test.
//
// A side is a model, or a model and an engine: two engines that differ under one model have a bug. The tests are those
// of all critical cycles over a list of relaxations, so that an answer holds for these tests and proves nothing for all
// programs.
//
// It imports litmus, litmus/cycle, models, solver, solver/batch, solver/engines and solver/synth/executions.
package distinguish

// The files:
//
//	survey      tests, the smallest first, and what every side says of each
//	pairs       which tests distinguish which two sides
//	two         two sides, and the answer about them
//	mutants     a model, and itself without each of its parts
//	every       all straight programs of loads and stores
//	executions  all executions, by SAT, of which no test shows a difference
//	lattice     the order of models by strength
//	evidence    why one side forbids a test, and how it comes about under the other
