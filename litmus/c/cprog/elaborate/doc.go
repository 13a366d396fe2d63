// Package elaborate runs code, as bounded model checkers do (Clarke, Kroening and Lerda, “A Tool
// for Checking ANSI-C Programs”, TACAS 2004), on values of which something is known: calls are
// inlined, known branches go one way, loops that count are unrolled to their ends and others as
// often as asked, threads begin where they are spawned. It is run again until what the threads
// find out about memory, what it may hold and who accesses it, is what they were run on; what
// cannot be done is refused only then, for it may have been for want of what others say. What is
// left is a program of package ir: threads without loops, over memory that they share.
//
//	control  where control goes: calls, and loops round by round; meet, where ways meet
//	step     what each step does; spawn and heap, those that begin threads and objects
//	block    memory as pointers see it, and the scalars in it; access, which of them one may be to
//	memory   reads and writes: what one thread alone accesses becomes registers, and what main
//	         has written before its first spawn is what memory begins with; bytes, at several widths
//	wait     which rounds of loops only wait; again, which leave all registers as they were
//	value    what is known of numbers, and span, of addresses; registers, of all those of a thread at a place
//	target   the accesses and fences that atomics become; weak, updates that may fail for no reason
//
// The package may import litmus, litmus/ir, litmus/ir/paged, litmus/c, litmus/compile and litmus/c/cprog/code.
package elaborate
