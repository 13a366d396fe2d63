// Package ir represents litmus tests for engines: a [Program] of threads over registers and locations, the same for
// every dialect. Each [Step] of a thread has an [Op], such as [Assign], [Load], [Store], [RMW], [StoreCond], [Fence] or
// [Branch]. C adds [Scope], at whose end control dependencies end, and [Assume], which discards executions;
// programs that spawn threads add [Spawn], [Join], [Assert] and [Atomic]. Loads, stores and fences carry [Tags]: those
// of their architecture, and generic ones that give every model a meaning for every test.
//
// [Unroll] cuts loops at a bound and returns a program without backward jumps. A [Cursor] runs one thread on given
// values. A [State] is an outcome, with the values that filters use.
//
// An access that only partly overlaps others stays one operation, with an event for each [Piece] of it. Where an access
// has no location, a jump leads to no label, or a value is not supported ([Lost]), an execution that reaches it is an
// error.
//
// It imports litmus, for positions, errors and propositions: no model and no solver.
package ir

// The files:
//
//	program  locations, threads, operations and their tags
//	tag      the generic tags, and the tags that a model may name
//	expr     bit-vector expressions over a thread's registers
//	effect   the registers that an operation sets and reads, and the memory it accesses
//	cursor   one thread at run time; the caller supplies the values of loads
//	unroll   cuts loops at a bound; spin.go: finds loops that only wait; trips.go: finds loops that count
//	peel     keeps one failing round of waiting loops, for the flags of models; again.go: rounds that change nothing
//	ahead    cursors that run past reads whose values are not known yet
//	piece    accesses that are cut into pieces
//	place    scopes of threads, names of locations, and control barriers
//	possible the possible values of locations
//	prune    assignments that nothing reads
//	state    outcomes: how they print and compare; fixed.go: the values that a condition fixes
