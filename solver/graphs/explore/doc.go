// Package explore visits every consistent execution graph of a program once. [Exploration] does so as TruSt does, by
// adding events and revisiting reads; if threads run ahead of their reads ([Ahead]), or some are alike ([Symmetry]), it
// decides reads one by one and takes nothing back.
//
// The caller says what to do with each graph (Leaf), with threads that fail, and with reads of what has no value. Which
// graphs follow from a graph depends on the graph alone: a [Path] names a part of an exploration, which another process
// can explore by itself, and random walks give an [Estimate] of the number of executions.
package explore

// The files:
//
//	explore    the exploration; ahead.go: threads that run ahead of their reads
//	symmetry   one graph for all that differ only in which of several equal threads does what
//	pieces     accesses of several locations, for threads that access memory at several widths
//	lock       locks that are only taken and released: who takes one next, rather than who waits in vain
//	settled    what of a graph does not depend on atomic sections that have not ended
//	path       parts of an exploration; estimate.go: how many executions there are
