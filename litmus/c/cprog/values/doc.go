// Package values computes values of C's types, and reads and writes objects. An [Operand] is a value with its type, and
// an [Object] is what an lvalue designates: a register, or memory at an address. [Arithmetic] converts, calculates and
// compares; it asserts what C leaves undefined, and what overflows if that is asked about. [Memory] accesses objects:
// bit-fields, structures that are accessed atomically as a whole, and accesses that a machine does in parts.
// [Literals] has the variables of string literals.
//
// Both add their steps to a code.Builder. They know types, and no syntax but the place that an error is reported at.
package values
