// Package run executes the code of a C program on concrete numbers. Each [Thread] of a [Program] runs up to its next
// [Action] that other threads can see, so that an engine decides what its reads return. Addresses are numbers and
// memory is bytes, so that unions, casts and pointers to functions work as on a machine. A Thread can be copied, so
// that an engine can go back to any point of a run.
//
// [New] makes a Program of a code.Unit. [Known] holds what runs find out about a program: its blocks by address, and
// each [Scalar] that several threads access. Another process can continue with it. [Anew] is the error of a run that
// finds out more: the exploration then has to start again.
//
// It imports packages of litmus, among them elaborate for what C's atomics become: no model and no solver.
package run

// The files:
//
//	program   what all threads share: addresses of functions and blocks, the scalars that several threads access
//	memory    bytes, and which of them have been set; copies are cheap
//	thread    one thread: its calls and its next action; step.go: what each step does
//	life      where lifetimes of memory end, and what the threads that access it see of that
//	access    accesses of memory: those that only one thread sees run at once, the engine decides all others
//	piece     memory that threads share at several widths, cut into scalars
//	lock      what takes a lock, and locks that are only taken and released
//	depend    which reads of its thread an event depends on, if the engine asks
//	loop      rounds of loops, which only wait or reach a bound; recur.go: threads that return to an earlier state
//	endless   loops that no value leaves; paths.go: possible states of threads in them; value.go: possible numbers
//	anything  numbers that may be anything, decided bit by bit; linear.go: their arithmetic
