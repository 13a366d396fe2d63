// Package cat reads the cat language, in which memory models are written.
//
// A model goes through two forms: [Parse] gives the syntax tree of one file, and
// [Resolve] follows its includes, binds every name and inlines every function, so
// that what is left is a [Model]: definitions, axioms and things to show, over
// base sets and relations. Its two readers (the concrete checker in models, the
// SAT encoder in solver/axiomatic) evaluate a Model each in its own way.
//
// The language is that of Alglave, Cousot and Maranget, "Syntax and semantics of
// the weak consistency model specification language cat" (2016); grammar.txt says
// how much of it is read here. The package may import litmus, for positions and errors alone.
package cat
