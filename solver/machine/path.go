package machine

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models/play"
)

// The text of a path is its steps, separated by commas: 0 is the next instruction of P0, 0+ the same where it is a
// store-conditional that succeeds or a choice that goes to 1, and 0:x the flush of its oldest pending store to x.

// Format writes a step as part of a path.
func (st Step) Format(p *ir.Program) string {
	out := strconv.Itoa(p.Threads[st.Thread].ID)
	switch {
	case st.Flush:
		return out + ":" + p.Locs[st.Loc].Name
	case st.Succeeds:
		return out + "+"
	}
	return out
}

// ParsePath reads a path.
func ParsePath(p *ir.Program, text string) ([]Step, error) {
	return play.ParsePath(text, func(part string) (Step, error) { return parseStep(p, part) })
}

// parseStep reads a step: a thread's number ("1"), with + if its store-conditional succeeds, or a flush ("1:x").
func parseStep(p *ir.Program, text string) (Step, error) {
	var st Step
	thread, loc, flush := strings.Cut(text, ":")
	if !flush {
		thread, st.Succeeds = strings.CutSuffix(thread, "+")
	}
	st.Thread, st.Loc, st.Flush = -1, -1, flush
	for t := range p.Threads {
		if strconv.Itoa(p.Threads[t].ID) == thread {
			st.Thread = t
		}
	}
	if st.Thread < 0 {
		return st, fmt.Errorf("the test has no thread %q", text)
	}
	if !flush {
		st.Loc = 0
		return st, nil
	}
	for i := range p.Locs {
		if p.Locs[i].Name == loc {
			st.Loc = i
		}
	}
	if st.Loc < 0 {
		return st, fmt.Errorf("the test has no location %q", text)
	}
	return st, nil
}
