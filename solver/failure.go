package solver

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// FailureAt is the failure of a property at a step of a thread.
func FailureAt(p *ir.Program, thread, step int, property ir.Property, text string) *Failure {
	th := &p.Threads[thread]
	at := th.Source[th.Code[step].Source].Pos
	return &Failure{File: at.File, Line: at.Line, Column: at.Col, Thread: ThreadName(th), Property: property, Text: text}
}

// ForEver is the failure of a thread that stands at an Unwound that it comes back to for ever.
func ForEver(p *ir.Program, thread, step int) *Failure {
	why := "no thread changes what it reads any more"
	if p.Threads[thread].Code[step].Op.(ir.Unwound).Again {
		why = "a round leaves memory as it was, and no thread changes it any more"
	}
	return FailureAt(p, thread, step, ir.Termination, "this loop goes round for ever: "+why)
}

// RaceAt is the failure of two accesses that race.
func RaceAt(x *models.Execution, accesses models.Pair) *Failure {
	at := func(e int) *Failure {
		ev := &x.Events[e]
		what := "this read of "
		if ev.Kind == models.Write {
			what = "this write of "
		}
		return FailureAt(x.Program, ev.Thread, ev.Step, ir.DataRace, what+x.Program.Locs[ev.Loc].Name+" is in a data race")
	}
	out := at(accesses[0])
	out.Others = []Failure{*at(accesses[1])}
	return out
}

// RaceNotKnown is the remark that it is not known whether a program has a data race that would leave all of it undefined.
func RaceNotKnown(why string) Remark {
	return Remark{Line: 1, Column: 1, Message: "whether the program has a data race, which would leave all of it undefined, is not known: " + why}
}

// ThreadName is what a thread is called.
func ThreadName(th *ir.Thread) string {
	if th.Name != "" {
		return th.Name
	}
	return fmt.Sprintf("P%d", th.ID)
}
