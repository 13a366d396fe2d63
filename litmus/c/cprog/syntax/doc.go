// Package syntax answers questions about the syntax tree of a C program that need no types of a machine: which operands
// an expression has ([Halves]), what it stands for ([Plain], [Unwrap]), which variable or function it names ([Root],
// [VariableOf], [FunctionNamed]), and how it is written ([SourceOf], [StatementText]).
//
// [Failf] refuses a part of the tree at its place, by a panic with a [Failure], which package codegen recovers.
package syntax
