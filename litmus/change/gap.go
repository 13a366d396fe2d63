package change

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Gap is a place of a program where a fence can make a difference: between two statements
// of a thread, with accesses to memory on both sides.
type Gap struct {
	Thread int    `json:"thread"` // by index
	Name   string `json:"name"`   // "P0"
	After  int    `json:"after"`  // the statement, from 0, behind which it is
	Before string `json:"before"` // that, as written
	Behind string `json:"behind"` // … and the next
}

// Gaps are the first gaps of a program, in the order of its threads: one between each two
// accesses that follow each other. It is right before the second, where every way there
// passes it and a loop that waits for the first does not; or behind the first, where one may
// jump to the second.
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
			if isElse(th.Source[g.After+1]) { // nothing stands between it and what its if does
				continue
			}
			out = append(out, g)
		}
	}
	return out
}

// isElse tells whether a statement in C is the other half of an if.
func isElse(c litmus.Cell) bool {
	rest, isElse := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "}")), "else")
	return isElse && (rest == "" || strings.ContainsAny(rest[:1], " \t{;("))
}
