// Package cprogtest generates random C programs for the tests of engines. [Draw] makes programs that assert something,
// of a [Shape]. The other functions draw programs around one feature each: [DrawLocks], [DrawHeap], [DrawSections],
// [DrawSync], [DrawSequential], [DrawAlike] and [DrawViews]. [DrawTwins] makes a litmus test and a C program that do
// the same. [Headers] has the header files that they include.
//
// Only tests import it, and it imports nothing of litmuscope.
package cprogtest
