// Package symbolic is how the engines that build formulas run a program: threads over
// values that are known in part or not at all.
//
//	walk      unrolled threads, each behind who spawns it, their values in some domain: guards
//	          on paths, values merged where paths meet; a Memory is told of each visible
//	          action, and says where a thread stops
//	known     the domain of values of which some bits, and a range, are known
//	twofold   the same, beside what is known regardless of what reads return
//	circuits  the domain of bit-vectors of literals
//	observe   which events there are, and what is known of them before any formula:
//	          the threads over known bits, until nothing more comes to be known
//	narrow    a program without the locations that nothing comes to
//	order     program order over all threads: which events are before which, and surely there
//
// It may import litmus, litmus/ir and what is below it, models and solver/sat.
package symbolic
