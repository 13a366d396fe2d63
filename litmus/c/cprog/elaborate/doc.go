// Package elaborate unrolls C code into threads without loops, as bounded model checkers do (Clarke, Kroening and
// Lerda, “A Tool for Checking ANSI-C Programs”, TACAS 2004). [Run] executes a code.Unit on values that are partly
// known. It inlines calls, follows branches whose condition is known, unrolls counting loops to their ends and other
// loops up to a bound, follows pointers to the objects that they may point to, and begins threads where they are
// spawned. The result is an ir.Program, whose accesses say which locations they may reach. Memory that only one thread
// accesses becomes registers, and what main does before its first spawn becomes the initial state.
//
// Run repeats the execution until what the threads find out about memory, its possible values and who accesses it, is
// what they ran on. It rejects unsupported operations only then, because an earlier round may have known too little.
// [Options] has the bound and the [Target], the machine for which atomics are compiled.
//
// It imports packages of litmus, among them litmus/compile and code: no model and no solver.
package elaborate

// The files:
//
//	thread     a thread while it runs, and its parts; control.go: its calls, and loops round by round
//	step       the effect of each step; spawn.go and heap.go: the steps that start threads and allocate objects
//	output     the generated thread without loops; registers.go and expr.go: facts about its registers
//	block      memory as pointers see it, and the scalars in it; access.go: which of them an access may reach
//	cells      scalars that only one thread accesses, in registers; unset.go: uninitialised ones
//	memory     reads and writes: which become events; bytes.go: with several widths; life.go: lifetimes
//	pieces     scalars that accesses overlap in part, cut into pieces
//	meet       where paths meet
//	wait       which rounds of loops only wait; again.go: which rounds leave all registers as they were
//	value      possible values of numbers; span.go: of addresses
//	target     the accesses and fences that atomics become; weak.go: updates that may fail spuriously
