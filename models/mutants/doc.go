// Package mutants makes weaker models of a built-in one: without each of its axioms, and without each operand of a
// union. Tests that tell a model from its mutants show what each part of its text is for ([Of]).
//
// It imports litmus, litmus/dialect, models, models/cat and models/library.
package mutants
