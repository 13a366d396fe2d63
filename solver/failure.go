package solver

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// FailureAt is the failure of a property at a step of a thread.
func FailureAt(p *ir.Program, thread, step int, property ir.Property, text string) *Failure {
	th := &p.Threads[thread]
	at := th.Source[th.Code[step].Source].Pos
	return &Failure{
		File: at.File, Line: at.Line, Column: at.Col, Thread: ThreadName(th),
		Property: property, Text: text,
	}
}

// ForEver is the failure of a thread that loops forever, at an Unwound, or waits forever, at an Assume.
func ForEver(p *ir.Program, thread, step int) *Failure {
	what, why := "this loop repeats", "no thread changes the value that it reads"
	switch op := p.Threads[thread].Code[step].Op.(type) {
	case ir.Assume:
		what = "this waits"
	case ir.Unwound:
		if op.Again {
			why = "a round changes nothing that the loop depends on, and no other thread does"
		}
	}
	return FailureAt(p, thread, step, ir.Termination, what+" forever: "+why)
}

// ThreadName returns a thread's name, or P and its number.
func ThreadName(th *ir.Thread) string {
	if th.Name != "" {
		return th.Name
	}
	return fmt.Sprintf("P%d", th.ID)
}
