// Package code makes code of a C program's functions: steps over registers (code), with loops
// and calls still in it, whatever they are run on. Parse goes from a program's entry to all that it leads to, by the
// names at file scope (symbol) and their functions (function). Expression, statement, call, initial and so on
// are each for its part of C, and builtins for what C11, pthreads, the kernel and other verifiers'
// headers offer.
//
// The package may import litmus, litmus/ir, litmus/lower, litmus/c, litmus/dialect and
// litmus/c/cprog/read.
package code
