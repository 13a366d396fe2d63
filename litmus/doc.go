// Package litmus is the text of a litmus test: parsed, printed, and its propositions.
//
// A test goes through three forms, each in a room of its own:
//
//	text ─Parse→ Test ─dialect, with litmus/lower→ ir.Program ─ir.Unroll→ without loops
//
// A [Test] is the text taken apart: header, init block, threads, condition. It knows no
// instruction: a thread is a list of [Cell], one per statement, in the order of the text,
// and what they say is a dialect's to know. Here is also how everything that reads text
// tells what is wrong with it and where ([Pos], [Error], [ErrorList]).
//
// The package may import the standard library alone.
package litmus
