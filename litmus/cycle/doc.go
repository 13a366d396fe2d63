// Package cycle goes from cycles of relaxations to litmus tests, and from tests to
// their cycles, in the vocabulary of diyone7.
//
//	edge        an edge, and how it is written
//	vocabulary  the edges that each dialect has, with a sentence on each
//	parse       words → cycle
//	check       what makes a round of edges a cycle that a test can have
//	event       a cycle laid out: threads, locations, values, and what has to be asked
//	generate    … and written as a test; assemble_c in C
//	canonical   the rotation that a cycle is known by
//	name        its name, by the field's convention
//	family      all critical cycles over a list of relaxations
//	of          from a test to its cycle: of_walk has the ways through threads,
//	            of_execution puts them together, and of_cycle finds what goes round
//	same        whether a test is the very one of its cycle
//
// A Cycle goes round by program order (Po, Dp, Fence, Rmw, and communications within a
// thread) and by communications between threads. Every edge starts at the access that the
// edge before it ends in. ParseCycle gives only cycles that Check finds nothing wrong
// with; whoever puts one together from Edges calls Check.
//
// What a dialect gives to cycles, its words and its instructions, is in its own package
// (lower.Cycles).
//
// The package may import litmus, its rooms ir, lower and dialect.
package cycle
