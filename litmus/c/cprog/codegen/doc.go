// Package codegen translates the functions of a C program to code: steps over registers, with loops and calls still in
// them. [Make] starts at the program's entry and translates the functions that it reaches. It returns a code.Unit.
//
// One file translates one part of C: expression.go, statement.go, call.go, declaration.go, initial.go and so on.
// Evaluation order is found out (effects.go), tried (order.go) and checked (sequence.go). Package builtins has the
// functions that a program can call without defining them, values computes and accesses memory, layout reads types, and
// syntax answers questions about the tree.
//
// It imports only packages of litmus, none that runs code: no model and no solver.
package codegen
