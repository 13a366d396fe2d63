// Package cycle makes litmus tests of cycles of relaxations, and finds the cycles of tests, in the vocabulary of
// diyone7. [ParseCycle] reads a [Cycle], [Generate] writes its test, and [Of] finds the cycle of a test. [Cycle.Name]
// names a cycle by the field's convention. [Family] enumerates all critical cycles over a list of relaxations.
//
// The edges of a cycle are program order (Po, Dp, Fence, Rmw, and communication within a thread) and communication
// between threads. Each [Edge] starts at the access where the previous edge ends. ParseCycle returns only cycles that
// [Cycle.Check] accepts; callers that build one from edges call Check themselves. Each dialect declares the words and
// instructions of its cycles (lower.Cycles).
//
// It imports litmus, litmus/ir, litmus/lower and litmus/dialect: no model and no solver.
package cycle

// The files:
//
//	edge        an edge, and how it is written
//	vocabulary  the edges that each dialect has, with a sentence on each
//	parse       words to a cycle
//	check       when edges are a cycle that a test can have
//	event       a cycle laid out: threads, locations, values, and the condition
//	system      what locations have beside their values: tags, entries of page tables, instructions
//	generate    a laid-out cycle as a test; assemble_c.go: in C; assemble_system.go: with a system's side
//	canonical   the rotation that stands for a cycle
//	name        its name, by the field's convention
//	family      all critical cycles over a list of relaxations
//	of          the cycle of a test: of_walk.go runs the threads, of_execution.go joins them, of_cycle.go finds cycles
//	            and of_system.go says which implicit accesses belong together
//	same        whether a test is exactly the test of its cycle
