// Package consistency decides whether a model allows an execution graph. [Compile] makes a [Formula] of a model's
// axioms: operations on bit matrices, less all that no event of the program can be part of. A [Checker] evaluates the
// formula on graphs: on a whole graph ([Checker.Consistent]), or on the events that came last ([Checker.Allows]).
//
// Most axioms need no matrix: columns store what precedes an event for good, automata find cycles that the event
// closes, and some axioms only restrict its place in coherence order. Compile rejects models whose executions cannot be
// built event by event (admit.go). The package evaluates models with its own code, so that package models can check it.
package consistency

// The files:
//
//	compile    a model's axioms as operations on bit matrices; admit.go: which models each method supports
//	checker    these operations on a graph; matrix.go: the bits; class.go: events that are equal
//	columns    what leads to an event for good, computed when it is added; automaton.go: cycles that it closes;
//	           order.go: its place in coherence order
//	sections   atomic sections, whose middle no other thread sees; race.go: data races
//	later      programs that run in order although the model lets threads run ahead
