// Package run runs the code of a C program on numbers that are known: thread by thread, each up to the next thing
// that others can see, so that whoever explores a program decides what its reads give. Addresses are numbers as well, and memory
// is bytes, so that unions, casts, tables and pointers to functions are what they are.
//
//	program  what all threads share: addresses of functions and blocks, the scalars that several threads access
//	memory   bytes, and which of them have been set; copies are cheap
//	thread   one thread: its calls, and what it comes to next; step, what each step does
//	life     where lives of memory end, and what that is worth to those who access it
//	access   accesses of memory: what one thread alone sees is done at once, all else is for others to say
//	piece    memory that threads share at several widths, cut into scalars
//	lock     what takes a lock, and where that is all that is done with it
//	depend   which reads of its thread an event depends on, where that is asked
//	loop     rounds of loops, which only wait, or come to a bound; recur, threads that are again as they were
//	endless  loops that are never left, whatever they count; paths, what threads may be like in them; value, what numbers may be
//	anything numbers that may be anything, decided on bit by bit; linear, their arithmetic
//
// A thread can be copied, so that a run can be taken up again from anywhere.
//
// The package may import litmus, litmus/ir, litmus/ir/known, litmus/c, litmus/c/cprog/code and litmus/c/cprog/elaborate, for what C's atomics become.
package run
