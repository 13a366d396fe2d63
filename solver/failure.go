package solver

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// FailureAt is the failure of a property at a step of a thread.
func FailureAt(p *ir.Program, thread, step int, property ir.Property, text string) *Failure {
	th := &p.Threads[thread]
	at := th.Source[th.Code[step].Source].Pos
	return &Failure{File: at.File, Line: at.Line, Column: at.Col, Thread: ThreadName(th), Property: property, Text: text}
}

// ThreadName is what a thread is called.
func ThreadName(th *ir.Thread) string {
	if th.Name != "" {
		return th.Name
	}
	return fmt.Sprintf("P%d", th.ID)
}
