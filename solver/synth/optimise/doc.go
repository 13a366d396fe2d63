// Package optimise relaxes the memory orders of C programs as far as all that is asked of their clients goes on to hold:
//
//	question  what is asked, and the answer
//	check     one choice of orders, under every client, model and property
//	search    from the orders that are there to such that none can be any weaker
//	repair    the other way: the cheapest stronger orders and further fences after which all holds
//	print     the answer as text, a table, a patch, or JSON
//
// A weaker order allows whatever a stronger one does, so that what fails goes on to fail when more is
// weakened. The search relies on that where it saves a question, and the answer does not: in the end all of it is
// asked as it is printed, and so is each order one step weaker. An order stays where the weaker one fails, by an
// execution; where it is not decided whether it does; and where no client ever comes to it.
//
// The package may import litmus/c, litmus/change, litmus/ir, litmus/c/cprog/orders, models, solver, solver/batch, solver/engines, solver/report,
// solver/synth and solver/synth/hitting.
package optimise
