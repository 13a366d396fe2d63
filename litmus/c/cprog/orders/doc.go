// Package orders finds the memory orders that the text of a C program writes, and writes
// the text with others:
//
//	token   what a text consists of, as far as this needs to know: comments, strings, lines of the preprocessor
//	file    a file's macros and functions
//	callee  what the functions that order memory can be ordered like: the tables of litmus/c, and names that end in an order
//	place   where the text says an order, and what else it could say there
//	macro   macros that are one call, whose uses can be places
//	passed  functions and macros that hand orders on, and variables that have one: their calls and definitions are places
//	present which places a client has, and what they say there: by marks in what the preprocessor is shown
//	text    the text with other orders
//	fenced  the text with a fence wherever one could be
//
// It works on text as somebody has written it, before the preprocessor, so that what comes of it is the
// same text with a few words changed. What is part of a program and what is not, the
// preprocessor says (present).
//
// The package may import litmus and litmus/c.
package orders
