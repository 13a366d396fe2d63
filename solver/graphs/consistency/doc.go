// Package consistency decides whether a model allows an execution graph. [Compile] makes a [Formula] of a model's
// axioms: operations on bit matrices, less all that no event of the program can be part of. A [Checker] evaluates the
// formula on graphs: on a whole graph ([Checker.Consistent]), or on the events that came last ([Checker.Allows]).
//
// Most axioms need no matrix: what leads to an event for good is stored in its columns, automata find cycles that it
// closes, and some axioms only say where in coherence order it may be. Models whose executions cannot be made event by
// event are refused (admit.go). The package evaluates models with its own code, so that package models can check it.
package consistency
