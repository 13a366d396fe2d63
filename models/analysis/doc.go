// Package analysis finds what a model implies from the text of its axioms alone, before any execution: whether it has
// coherence ([Coherent]) and forbids values out of thin air ([ForbidsThinAir]), which reads and fences an execution
// can lose ([Forgets]), which instructions its axioms take no notice of ([IgnoredBy]), and whether it allows all that
// another model allows ([Includes]). What it does not find may hold all the same.
//
// It imports litmus/ir and models/cat. Package models keeps the answers with each model.
package analysis
