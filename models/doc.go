// Package models represents memory models and executions. A [Model] is text in the cat language (Alglave, Cousot,
// Maranget: "Syntax and semantics of the weak consistency model specification language cat", 2016). [Find] returns a
// built-in one, [Parse] reads another. The table of built-in models is in table.go; their texts are in package
// library.
//
// An [Execution] is one execution of a program, allowed or not: events, program order (po), reads-from (rf), coherence
// order (co) and dependencies. A [Graph] is an execution prepared for display: plain data.
//
// The packages in this folder say what follows. analysis and plan read a model's axioms, and a [Model] keeps what
// they find. replay makes executions of programs, evaluation checks them under a model, relaxed explains what a weak
// model allows, and display makes graphs. This package imports litmus, litmus/ir, litmus/dialect, models/cat,
// models/library, models/analysis and models/plan.
package models
