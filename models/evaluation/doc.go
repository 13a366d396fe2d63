// Package evaluation evaluates one model on one execution. [Check] computes the sets and relations of the model's
// plan and names the violated axioms. [Checker.Derive] also derives a cycle's edges from base relations, and
// [Violation.Sentence] says what the axiom asks for. An [Evaluator] computes single expressions, in the order of
// their syntax tree, and a [Deriver] says why a pair is in one.
//
// The checker is the independent judge of every witness that an engine finds. The SAT encoder reads the same syntax
// tree with its own code; neither may use the other's evaluation. This package imports litmus/ir, models, models/cat,
// models/plan and models/relation: no solver.
package evaluation
