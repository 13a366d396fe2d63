// Package plan compiles a model's expressions, once for all programs. Equal expressions become one [Term]; a [Plan] has
// for each axiom, flag and order a [Check]: the terms that its circles are made of, and the members of its union.
//
// Where a closure stands in an axiom that lets no cycle be, an [Automaton] takes the place of the closure: it reads the
// expression as a regular expression over steps. [ToAll] finds the axioms that order whole accesses rather than pieces.
package plan
