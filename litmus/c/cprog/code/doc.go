// Package code translates the functions of a C program to steps over registers, with loops and calls still in them.
// [Make] starts at the program's entry and translates the functions that it reaches. It returns a [Unit]: a [Function]
// has a list of [Step], and each step an [Op], such as [Load], [Store], [Update], [Branch], [Call] or [Spawn]. Packages
// elaborate and run execute a Unit.
//
// One file translates one part of C: expression.go, statement.go, call.go, initial.go and so on. The files
// builtins_*.go give the functions that a program can call without defining them: C11's, those of pthreads and of the
// kernel, and the ones of other verifiers' headers. [Words] lists them.
//
// It imports only packages of litmus, none that runs code: no model and no solver.
package code
