// Package ir is a litmus test as engines see it: a [Program] of threads over registers
// and memory locations, the same for every dialect, and what can be said of it before
// any memory model.
//
//	program  locations, threads, operations (assign, load, store, read-modify-write,
//	         store-conditional, fence, branch, scope, assumption) and their tags
//	expr     bit-vector expressions over a thread's registers, made and walked
//	effect   what an operation sets, evaluates and accesses
//	cursor   one thread at run time; what a load returns is told to it
//	unroll   loops cut at a bound; spin says which of them lose nothing by it
//	held     the values that locations may hold
//	prune    assignments that nothing reads
//	state    final states, how they print and compare
//
// It knows no text, no memory model and no solver. The package may import litmus, for
// positions, errors and propositions.
package ir
