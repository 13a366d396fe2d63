// Package symbolic runs programs on unknown values, for the engines that build formulas. [Walk] runs unrolled threads
// over a [Domain] of values, with guards on paths, and merges values where paths meet; a [Memory] receives each visible
// action. The domains are partly known numbers and [Circuits], bit-vectors of literals.
//
// [Observe] runs the threads on partly known numbers until nothing more becomes known, and returns the events with the
// known parts of their values, before any formula: a [Structure]. [Narrow] removes the locations that no access
// reaches. [Order] is program order across threads, from a spawn into the thread and from its end to its joins; the
// checker in models has its own code for that.
//
// It imports litmus, litmus/ir with the packages below it, models and solver/sat: no engine.
package symbolic

// The files:
//
//	walk      unrolled threads, each after the one that spawns it
//	twofold   partly known numbers, beside what is known whatever reads return
//	circuits  the domain of bit-vectors of literals
//	observe   which events there are, and what is known of them
//	narrow    a program without the locations that no access reaches
//	order     program order over all threads: which events are before which, and which are certainly there
