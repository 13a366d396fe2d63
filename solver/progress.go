package solver

import (
	"context"
	"fmt"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Progress is an assumption about which threads the scheduler runs again and again until they end. "" and
// [NoProgress]: the question is not about progress.
type Progress string

// The assumptions (Sorensen, Evrard, Donaldson, CONCUR 2018; Sorensen and others, OOPSLA 2021, section 2). Each names
// the threads that are certain to run again, as long as they have not ended.
const (
	NoProgress Progress = "none"
	Fair       Progress = "fair"    // every thread
	HSA        Progress = "hsa"     // the thread with the lowest number among those that have not ended
	OBE        Progress = "obe"     // threads that have taken a step (occupancy-bound execution)
	LOBE       Progress = "lobe"    // threads with a number at most that of one which has taken a step (linear OBE)
	HSAOBE     Progress = "hsa+obe" // threads that either of the two names
	Unfair     Progress = "unfair"  // none: some thread runs as long as one can
)

// Asked reports whether the question is about progress. Options that were written before there was one have "".
func (p Progress) Asked() bool { return p != "" && p != NoProgress }

// ProgressNames lists the values of the option.
var ProgressNames = []string{
	string(NoProgress), string(Fair), string(HSA), string(OBE), string(LOBE), string(HSAOBE), string(Unfair),
}

// Runs reports whether the scheduler is certain to run a thread again, from a point on after which no thread ends or
// takes its first step. Threads are numbered from 0; ended and stepped are by thread.
func (p Progress) Runs(thread int, ended, stepped []bool) bool {
	lowest, occupied := true, false
	for t := range ended {
		lowest = lowest && (t >= thread || ended[t])
		occupied = occupied || t >= thread && stepped[t]
	}
	switch p {
	case Fair:
		return true
	case HSA:
		return lowest
	case OBE:
		return stepped[thread]
	case LOBE:
		return occupied
	case HSAOBE:
		return lowest || stepped[thread]
	}
	return false
}

// Terminator is an engine that answers whether all executions of a test end.
type Terminator interface {
	Engine
	// Terminates answers under the assumption in the query's options. Limits and errors are as for Explore.
	Terminates(ctx context.Context, q Query) (*Termination, error)
}

// Termination says whether all executions of a test end under an assumption about progress.
type Termination struct {
	Progress Progress `json:"progress"`
	// Holds: all executions end. It is absent if that is unknown.
	Holds *bool `json:"holds,omitempty" doc:"all executions end under the assumption; absent if unknown"`
	// Complete: no loop bound can hide an execution that does not end.
	Complete bool `json:"complete" doc:"whether the answer holds whatever the loop bound"`
	// Bound is how many times a backward jump was taken at most.
	Bound  int    `json:"bound"`
	Reason string `json:"reason,omitempty" doc:"why the answer is unknown"`
	// Stuck are the threads that do not end, in an execution that does not.
	Stuck []Stuck `json:"stuck,omitempty" doc:"the threads that never end, in an execution that does not"`
	// Graph is that execution until every thread has ended, waits, or is left, or has repeated its round once; with
	// Options.Witnesses.
	Graph *models.Graph `json:"graph,omitempty"`
}

// Stuck is a thread that never ends.
type Stuck struct {
	Thread int    `json:"thread"` // its number in the test
	Line   int    `json:"line"`
	Column int    `json:"column"`
	How    string `json:"how" enum:"loops,waits,left" doc:"loops: it repeats a loop for ever; waits: at a control barrier; left: the scheduler never runs it again"`
	Text   string `json:"text"` // the instruction
}

// How threads are stuck.
const (
	Loops = "loops"
	Stays = "waits"
	Left  = "left"
)

// StuckAt describes a thread of an unrolled program that has stopped at an Unwound step.
func StuckAt(p *ir.Program, thread, step int) Stuck {
	th := &p.Threads[thread]
	op := th.Code[step].Op.(ir.Unwound)
	s := Stuck{Thread: th.ID, How: Left}
	switch op.Ending {
	case ir.Repeats:
		s.How = Loops
	case ir.AtBarrier:
		s.How = Stays
	}
	cell := th.Source[th.Code[step].Source]
	s.Line, s.Column, s.Text = cell.Pos.Line, cell.Pos.Col, cell.Text
	return s
}

// String says what the thread does.
func (s Stuck) String() string {
	what := map[string]string{
		Loops: "repeats its loop from", Stays: "waits at", Left: "does not run again, although it could continue at",
	}[s.How]
	return fmt.Sprintf("P%d %s %s (line %d)", s.Thread, what, s.Text, s.Line)
}

// Sentence is the answer in words.
func (t *Termination) Sentence() string {
	under := "progress " + string(t.Progress) + ": "
	switch {
	case t.Holds == nil:
		return under + "unknown whether all executions end: " + t.Reason
	case *t.Holds && t.Complete:
		return under + "all executions end"
	case *t.Holds:
		return under + fmt.Sprintf("all executions end, unless one takes more than %s of a loop",
			Count(t.Bound, "backward jump"))
	}
	var stuck []string
	for _, s := range t.Stuck {
		stuck = append(stuck, s.String())
	}
	return under + "some execution never ends: " + strings.Join(stuck, "; ")
}
