package syntax

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
)

// Failure is an error that is panicked, until codegen recovers it.
type Failure struct{ Err error }

// Failf rejects a node of the source by a panic with a Failure.
func Failf(n cc.Node, format string, args ...any) {
	panic(Failure{litmus.Errorf(read.Place(n), format, args...)})
}
