package distinguish

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/litmus/cycle"
	"litmuscope/solver"
)

// Pairs knows, of some sides, which tests tell them apart: for each two, in either
// direction, those of the least size.
type Pairs struct {
	sides int
	found [][]Test // by pair: those that the first forbids and the second allows
	size  []int    // by pair: that of its tests, 0 where there are none
	// Asked counts tests; Open are those that some side has not decided.
	// Undefined is how many have undefined behaviour, and tell nobody apart.
	Asked, Undefined int
	Open             []Row
	// Exhausted is the size up to which every side has decided all tests.
	Exhausted int
}

// NewPairs is for so many sides.
func NewPairs(sides int) *Pairs {
	return &Pairs{sides: sides, found: make([][]Test, sides*sides), size: make([]int, sides*sides), Exhausted: 1}
}

// Add takes a row, whose size is no less than those before it.
func (p *Pairs) Add(r Row) {
	p.Asked++
	if slices.Contains(r.Wild, true) { // no verdict counts
		p.Undefined++
		return
	}
	if slices.Contains(r.Verdicts, solver.Undecided) {
		p.Open = append(p.Open, r)
	}
	for i, a := range r.Verdicts {
		for j, b := range r.Verdicts {
			pair := i*p.sides + j
			if a == solver.Forbidden && b == solver.Allowed && (p.size[pair] == 0 || p.size[pair] == r.Events) {
				p.found[pair], p.size[pair] = append(p.found[pair], r.Test), r.Events
			}
		}
	}
}

// Sized says that all tests up to a size are there, and reports whether some two sides are
// still alike in one direction.
func (p *Pairs) Sized(size int) (alike bool) {
	if len(p.Open) == 0 {
		p.Exhausted = size
	}
	for pair, found := range p.found {
		alike = alike || len(found) == 0 && pair/p.sides != pair%p.sides
	}
	return alike
}

// Found are the smallest tests that one side forbids and another allows, the easiest to read first.
func (p *Pairs) Found(forbids, allows int) []Test {
	found := slices.Clone(p.found[forbids*p.sides+allows])
	slices.SortStableFunc(found, compareTests)
	return found
}

// compareTests puts the smaller first, and then the easier to read: fewer threads, less in them beside the accesses, a
// shorter name.
func compareTests(a, b Test) int {
	return cmp.Or(
		cmp.Compare(a.Events, b.Events),
		cmp.Compare(a.Threads, b.Threads),
		cmp.Compare(a.effort, b.effort),
		cmp.Compare(len(a.Name), len(b.Name)),
		strings.Compare(a.Name, b.Name),
	)
}

// effort is what a reader has to know beside reads, writes and their order: a mark that orders anything counts
// one, and so does coherence, a dependency two, a fence or an atomic instruction three.
func effort(arch string, c cycle.Cycle) (n int) {
	words, _ := cycle.Vocabulary(arch)
	for _, e := range c {
		switch e.Kind {
		case cycle.Co:
			n++ // only the end of the run shows it
		case cycle.Dp:
			n += 2
		case cycle.Fence, cycle.Rmw, cycle.Detour:
			n += 3
		}
		if mark := e.From.Mark; mark != "" && mark != words.Relaxed() {
			n++
		}
	}
	return n
}
