// Package litmus holds a litmus test and what it means for one thread at a time.
//
// A test goes through three forms:
//
//	text ─Parse→ Test ─dialect→ Program ─Unroll→ Program without loops
//
// A [Test] is the text taken apart: header, init block, thread columns, condition.
// It knows no instruction. A dialect (the packages below this one) lowers the
// columns to a [Program]: threads of a small instruction set over registers and
// memory locations, the same for every architecture. Engines see Programs only.
//
// The package may import the standard library alone. It knows no memory model and
// no solver: what a load returns is told to it, through a [Cursor], by its caller.
package litmus
