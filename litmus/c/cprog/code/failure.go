package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
)

// failure is an error on its way out of the lowering, which recover turns round.
type failure struct{ Err error }

// failf refuses what is at a place of the source.
func failf(n cc.Node, format string, args ...any) {
	panic(failure{litmus.Errorf(read.Place(n), format, args...)})
}
