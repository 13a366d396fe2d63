// Package llvm translates LLVM IR, which clang and rustc print, to the code that C programs become, so that every
// engine, model and property works on programs in C++ and Rust.
//
//	unit, err := llvm.Make(module, sources, llvm.Options{})
//
// A value of the IR becomes registers of at most 64 bits: an aggregate or a vector has one for each scalar, and an
// integer of more than 64 bits has several. Blocks are laid out so that only loops jump back, and so that the blocks of
// a loop follow one another. Functions that the module only declares come from the embedded C library of package
// cprog/builtins, through shims in C that [Make] writes as needed (shim.go); runtime.c has those of the C++ runtime.
//
// What the package does not support is refused when a run reaches it, with the line: an [Unsupported] step. Undefined
// and poisoned values may be any number, each use another one. Reaching unreachable is undefined behaviour.
//
// It imports packages of litmus: litmus/c/llvm/assembly, and of litmus/c/cprog code, codegen and read.
package llvm
