package syntax

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
)

// Failure is an error on its way out of the lowering, which recover turns round.
type Failure struct{ Err error }

// Failf refuses what is at a place of the source.
func Failf(n cc.Node, format string, args ...any) {
	panic(Failure{litmus.Errorf(read.Place(n), format, args...)})
}
