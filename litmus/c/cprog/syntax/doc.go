// Package syntax answers questions about the syntax tree of a C program that do not depend on a target: which operands
// an expression has ([Halves]), which expression it wraps ([Plain], [Unwrap]), which variable or function it names
// ([Root], [VariableOf], [FunctionNamed]), and how it is written ([SourceOf], [StatementText]).
//
// [Failf] rejects a node at its position, by a panic with a [Failure], which package codegen recovers.
package syntax
