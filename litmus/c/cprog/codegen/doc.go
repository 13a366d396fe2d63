// Package codegen translates the functions of a C program to code: steps over registers, including loops and calls.
// [Make] starts at the program's entry and translates the functions that it reaches. It returns a code.Unit.
//
// Each file translates one part of C: expression.go, statement.go, call.go, declaration.go, initial.go and so on.
// For expressions of unspecified evaluation order, effects.go finds the accesses whose order matters, order.go
// makes code for every order, and sequence.go asserts that no accesses race. Package builtins has the functions that a
// program can call without defining them. Package values computes and accesses memory, layout reads types, and syntax
// answers questions about the tree.
//
// It imports only packages of litmus, none that runs code: no model and no solver.
package codegen
