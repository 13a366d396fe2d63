package change

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Gap is a place in a program where a fence can make a difference: between two statements of a thread, with memory
// accesses on both sides.
type Gap struct {
	Thread int    `json:"thread"` // by index
	Name   string `json:"name"`   // "P0"
	After  int    `json:"after"`  // the statement before it, from 0
	Before string `json:"before"` // the text of that statement
	Behind string `json:"behind"` // … and of the next one
}

// Gaps returns the first gaps of a program, at most most, in the order of its threads: one between each two consecutive
// accesses. The gap is directly before the second access if every path to it passes there and a loop that waits for the
// first does not. It is after the first access if a jump may lead to the second.
func Gaps(p *ir.Program, most int) []Gap {
	var out []Gap
	for i := range p.Threads {
		th := &p.Threads[i]
		all := accesses(th)
		for n := 1; n < len(all) && len(out) < most; n++ {
			first, second := all[n-1], all[n]
			g := Gap{
				Thread: i, Name: fmt.Sprint("P", th.ID), After: second - 1, Before: plain(th.Source[first]),
				Behind: plain(th.Source[second]),
			}
			if labels, _ := th.Source[second].Labels(); len(labels) > 0 {
				g.After = first
			}
			if isElse(th.Source[g.After+1]) { // nothing can come between an else and its if
				continue
			}
			out = append(out, g)
		}
	}
	return out
}

// isElse reports whether a statement in C is the else of an if.
func isElse(c litmus.Cell) bool {
	rest, isElse := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "}")), "else")
	return isElse && (rest == "" || strings.ContainsAny(rest[:1], " \t{;("))
}
