// Package assembly reads LLVM IR in its text form, as clang and rustc print it: with typed pointers (LLVM 14) and with
// opaque ones. [Parse] returns a [Module], which has types, global variables, functions and metadata. A [Function] has
// [Block]s of [Instruction]s, and their operands are [Value]s.
//
// The package knows the grammar, not the meaning. It accepts every instruction of the language reference of LLVM 14 to
// 19, and refuses words that it does not know, at their place, because a dropped word could change the meaning of a
// program. [Parse] bounds the size of a module and the depth of its types and constants.
//
// It imports litmus only.
package assembly
