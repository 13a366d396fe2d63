// Package plan compiles a model's expressions, once for all programs. Equal expressions become one [Term]; a [Plan] has
// for each axiom, flag and order a [Check]: the terms of its possible cycles, and the members of its union.
//
// If a closure is part of an axiom that excludes cycles, an [Automaton] replaces it: it reads the expression as a
// regular expression over steps. [ToAll] finds the axioms that order whole accesses rather than pieces.
package plan
