// Litmuscope explores litmus tests for weak memory models. It runs the command line in package cmd; if a pool of this
// program has started it, it runs as a child process instead (solver/pool). It contains no other code.
//
// It imports cmd, solver/pool and web/parts/childwork.
package main

import (
	"litmuscope/cmd"
	"litmuscope/solver/pool"
	"litmuscope/web/parts/childwork"
)

// main runs as a child process if a pool of this program started it, otherwise it runs the command line.
func main() {
	pool.MaybeChild(childwork.Work...)
	cmd.Main()
}
