// Package values computes values of C's types, and reads and writes objects. An [Operand] is a value with its type, and
// an [Object] is what an lvalue designates: a register, or memory at an address. [Arithmetic] converts, calculates and
// compares; it asserts that behaviour is defined and, if overflow is checked, that results fit. [Memory] accesses
// objects: bit-fields, structures that are accessed atomically as a whole, and accesses that hardware splits.
// [Literals] has the variables of string literals.
//
// Both add their steps to a code.Builder. They know types, and use syntax only as the position of errors.
package values
