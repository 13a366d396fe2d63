// Package models holds memory models and what they say of one execution.
//
// A [Model] is text in the cat language (Alglave, Cousot, Maranget: "Syntax and
// semantics of the weak consistency model specification language cat", 2016),
// parsed to a syntax tree. An [Execution] is one candidate run of a program: its
// events, program order (po), reads-from (rf), coherence order (co) and
// dependencies. It may be a prefix, in which threads have stopped on the way ([Run]). [Check] evaluates the model on the execution, relation by
// relation, on bitsets, and names the axioms it violates.
//
// The checker is the independent judge of every witness that an engine finds: the
// SAT encoder reads the same syntax tree with code of its own, and shares none of
// this package's evaluation. The package may import litmus and litmus/ir.
package models
