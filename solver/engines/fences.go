package engines

import (
	"cmp"
	"fmt"
	"slices"
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

// Placed is a fence, or any statement, put into a gap.
type Placed struct {
	Thread int    `json:"thread"`
	After  int    `json:"after"`
	Text   string `json:"text"`
}

// maxGaps bounds the gaps that are listed: people are to choose among them.
const maxGaps = 12

// gaps are the gaps of a program, in the order of its threads: one between each two
// accesses that follow each other. It is right before the second, where every way there
// passes it and a loop that waits for the first does not; or behind the first, where one may
// jump to the second.
func gaps(p *ir.Program) []Gap {
	var out []Gap
	for i, th := range p.Threads {
		var accesses []int // their statements
		for _, s := range th.Code {
			switch s.Op.(type) {
			case ir.Load, ir.Store, ir.RMW, ir.StoreCond:
				accesses = append(accesses, s.Source)
			}
		}
		slices.Sort(accesses)
		accesses = slices.Compact(accesses)
		for n := 1; n < len(accesses) && len(out) < maxGaps; n++ {
			first, second := accesses[n-1], accesses[n]
			g := Gap{Thread: i, Name: fmt.Sprint("P", th.ID), After: second - 1, Before: plain(th.Source[first]), Behind: plain(th.Source[second])}
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

// plain is a statement without its labels.
func plain(c litmus.Cell) string {
	_, rest := c.Labels()
	return rest.Text
}

// place is a test with statements put into its gaps; nil where one has no place in it.
func place(t *litmus.Test, placed []Placed) *litmus.Test {
	out := *t
	out.Threads = slices.Clone(t.Threads)
	// From behind, so that the places before stay what they are.
	for _, p := range slices.Backward(slices.SortedFunc(slices.Values(placed), func(a, b Placed) int { return cmp.Compare(a.After, b.After) })) {
		if p.Thread < 0 || p.Thread >= len(out.Threads) {
			return nil
		}
		th := &out.Threads[p.Thread]
		if p.After < 0 || p.After >= len(th.Cells) {
			return nil
		}
		th.Cells = slices.Insert(slices.Clone(th.Cells), p.After+1, litmus.Cell{Text: p.Text})
	}
	return &out
}
