// Package models represents memory models and executions, and checks one execution under one model. A [Model] is text
// in the cat language (Alglave, Cousot, Maranget: "Syntax and semantics of the weak consistency model specification
// language cat", 2016). [Find] returns a built-in one, [Parse] reads another. The table of built-in models is in
// table.go; their texts are in package library.
//
// An [Execution] is one candidate run of a program: events, program order (po), reads-from (rf), coherence order (co)
// and dependencies. It may be a prefix, in which threads have stopped ([Run]). [Check] evaluates the model on the
// execution, relation by relation, on bitsets, and names the violated axioms. [Checker.Derive] also derives a cycle's
// edges from base relations. A [Graph] is an execution prepared for display.
//
// The checker is the independent judge of every witness that an engine finds. The SAT encoder reads the same syntax
// tree with its own code; neither may use the other's evaluation. It imports litmus, litmus/ir, litmus/dialect,
// models/cat, models/library, models/analysis and models/plan: no solver.
package models
