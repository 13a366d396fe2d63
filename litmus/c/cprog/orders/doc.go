// Package orders finds the memory orders in the text of a C program, and writes the text with other orders. [Read]
// returns a [Text]. Each [Place] of it is a point where the text gives an order, with the other orders that it could
// give there. [Fenced] adds a relaxed fence at every possible place, so that repair treats fences like other orders.
//
// It works on the source before the preprocessor, so that the changed text differs in a few words only. To find out
// which places a [Client] includes, and what a macro gives there, it runs the preprocessor on the text with marks in
// it. Places are calls of functions that litmus/c knows, of functions whose names end in an order (callee.go), and
// calls and definitions that pass an order on.
//
// It imports litmus and litmus/c: no model and no solver.
package orders

// The files:
//
//	token    the tokens of a text, as far as this package needs them: comments, strings, preprocessor lines
//	file     a file's macros and functions
//	callee   which functions order memory, and the orders that each accepts
//	place    where the text gives an order, and which it could give instead
//	macro    macros that consist of one call, whose uses can be places
//	passed   functions and macros that pass orders on, and variables that contain one
//	present  which places a client includes, and what they say there
//	text     the text with other orders
//	fenced   the text with a fence wherever one can stand
