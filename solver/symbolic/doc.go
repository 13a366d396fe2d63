// Package symbolic is what the engines that build formulas have in common: threads
// run over values that are known in part or not at all, and the questions that a
// formula is asked.
//
//	walk      one unrolled thread, its values in some domain: guards on paths, values
//	          merged where paths meet; a Memory is told of each visible action
//	known     the domain of values of which some bits are known
//	circuits  the domain of bit-vectors of literals
//	observe   which events there are, and what is known of them before any formula:
//	          the threads over known bits, until nothing more comes to be known
//	search    the verdict by two solver calls, then every final state
//
// It may import litmus, litmus/ir, models, solver and solver/sat.
package symbolic
