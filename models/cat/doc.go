// Package cat parses the cat language, in which memory models are written. [Parse] returns the syntax tree of one file,
// a [File]. [Resolve] follows its includes, binds every name and inlines every function. What is left is a [Model]:
// definitions, axioms and relations to show, over base sets and relations, and total orders that an execution chooses
// ([Order]). [Marks] and [Terms] describe a text for editors.
//
// The readers of a Model share no evaluation: the checker in package models evaluates it on one execution, the encoder
// in solver/axiomatic on literals, and solver/graphs compiles it to operations on growing graphs.
//
// The language is that of Alglave, Cousot and Maranget, "Syntax and semantics of the weak consistency model
// specification language cat" (2016); grammar.txt says which part of it this package reads.
//
// It imports litmus, for positions and errors: no model and no solver.
package cat
