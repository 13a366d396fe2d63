// Package builtins implements the functions that a C program can call without defining them: those of C11, POSIX, the
// Linux kernel's memory model, GCC, and other verifiers' headers. [All] returns their table, and [Words] lists them.
//
// Each file has the functions of one subject: atomic.go, mutex.go, condition.go, memory.go, system.go, verifier.go and
// so on. It enters each function with its parameters, a line of help, and a handler that makes code for a [Call] with
// evaluated arguments. Functions that are easier to write in C are in library/library.c, which [ReadLibrary] adds to a
// program that mentions them.
//
// A handler uses the parts of the lowering that Call contains, and the calling function through [Caller].
package builtins
