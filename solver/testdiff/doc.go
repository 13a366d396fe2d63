// Package testdiff finds out how somebody has changed a litmus test: which fences, dependencies and annotations are
// new, and, in words, what else is different. [Of] compares two programs and returns an [Edit]; [Adds] only asks
// whether one adds order.
//
//	e, err := testdiff.Of(ctx, before, after)
//	// e.Threads[0].Fences == 1, e.Faults() == ["P0 writes 2 to x where it should be: P0 writes 1 to x."]
//
// Both programs run side by side, thread by thread, along every path, whatever values their reads return: values are
// circuits, and a SAT solver decides which way a branch may go and whether two values can differ. Names of registers
// and the spelling of statements make no difference. Conditions are equal if the same outcomes satisfy them. Steps,
// paths and solver effort limit the work, not time, so that a busy machine gives the same answer.
//
// It imports litmus, litmus/ir, models, solver/symbolic and solver/sat: no engine.
package testdiff

// The files:
//
//	edit      what has been changed
//	values    the values that locations may contain
//	thread    a thread on its way along a path
//	pair      both threads on their ways, and their differences
//	loop      threads that are equal except for fences and tags, however long they run
//	question  which outcomes two conditions distinguish
