// Litmuscope explores litmus tests for weak memory models.
package main

import (
	"litmuscope/cmd"
	"litmuscope/solver/pool"
	"litmuscope/web/parts/childwork"
)

// main is a child process if a pool of this program started it, else the command line.
func main() {
	pool.MaybeChild(childwork.Work...)
	cmd.Main()
}
