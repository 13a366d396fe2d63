// Package optimise relaxes the memory orders of C programs while their clients stay correct. [Find] answers a
// [Question]; [Repair] does the opposite and finds the cheapest stronger orders and additional fences that make
// everything hold.
//
// A weaker order allows whatever a stronger one does, so weakening more repairs no failure. The search weakens all
// places at once, and if that fails, half of them, and so on. It relies on that to save questions; the answer does not:
// in the end the search asks about the printed text, and once more about each order one step weaker. An order stays if
// the weaker one fails, with an execution, if the answer is unknown, or if no client reaches it ([Why]).
//
// A program in C++ or Rust is a module with its sources; the caller confirms an answer by compiling the changed
// sources.
//
// It imports litmus, litmus/c, litmus/c/cprog/orders, litmus/c/llvm/edits, litmus/change, litmus/ir, models, solver,
// solver/batch, solver/engines, solver/report, solver/synth and solver/synth/hitting.
package optimise

// The files:
//
//	question  what is asked, and the answer
//	check     one choice of orders, under every client, model and property
//	search    from the orders that are there to orders of which none can be weaker
//	repair    the opposite: the cheapest stronger orders and additional fences. A choice that fails is enlarged as
//	          long as it fails, by asking again; every sufficient choice contains something of the rest
//	module    programs in C++ and Rust: places in a module and its sources, and the compiler's confirmation
//	print     the answer as text, a table, a patch, or JSON
