package engines

import (
	"cmp"
	"slices"

	"litmuscope/litmus"
)

// Placed is a fence, or any statement, put into a gap.
type Placed struct {
	Thread int    `json:"thread"`
	After  int    `json:"after"`
	Text   string `json:"text"`
}

// MaxGaps bounds the gaps that are listed: people are to choose among them.
const MaxGaps = 12

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
