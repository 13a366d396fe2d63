// Package builtins has the functions that a C program can call without defining them: C11's, those of pthreads and of
// the kernel, and the ones of other verifiers' headers. [All] returns their table, and [Words] lists them.
//
// A file has the functions of one subject: atomic.go, mutex.go, condition.go, memory.go, system.go, verifier.go and so
// on. It enters each with its parameters, a line of help, and what makes code of a [Call], whose arguments are
// evaluated. Functions that are easier to write in C are in library/library.c, which [ReadLibrary] adds to a program
// that mentions them.
//
// A call is lowered with the parts that it needs, and asks the function around it by the interface [Caller].
package builtins
