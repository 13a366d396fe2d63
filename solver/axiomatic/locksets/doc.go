// Package locksets proves that no two accesses of a program race, from the locks that its threads hold and from where
// they start and join, without a formula. [Of] analyses an unrolled program; [Analysis.Ordered] reports whether one of
// two accesses happens before the other in every execution, and [Analysis.RaceFree] whether that is so for all accesses
// that could race. False means that the analysis does not know.
//
// The analysis recognises a lock by its accesses, not by its name: a location that is 0 at first, that only acquiring
// updates from 0 to 1 and releasing stores of 0 write, and that no thread stores to unless it holds the lock. Other
// locks, such as those that count readers or owners, protect nothing.
//
// It imports litmus/ir and models.
package locksets

// The files:
//
//	locksets  the analysis, and why it is right
//	thread    what a thread knows at each step; value.go: about its registers
//	order     which accesses are in order because threads start and join
