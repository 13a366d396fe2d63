package lower

import (
	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Maintenance says how tests of an architecture's system side keep more or fewer events in order: by barriers that wait
// for completion, and by maintenance of caches and TLBs.
type Maintenance struct {
	// Only reports whether a fence, by its name in tables of costs, is on offer in such tests only.
	Only func(name string) bool
	// Inserts returns what can be inserted before a statement of a thread: rows in the order of the text, with at most
	// one insertion of each. It is empty where an insertion would change what the test does.
	Inserts func(t *litmus.Test, p *ir.Program, thread, cell int) [][]Insertion
	// Ways returns the ways to write a barrier or maintenance, including the statement itself; nil for other statements
	// and for those that have to stay.
	Ways func(t *litmus.Test, p *ir.Program, thread, cell int) []Way
	// Weaker has, by the name in tables of costs, the names of what orders no more.
	Weaker map[string][]string
}

// Insertion is an instruction that can be inserted, with those that compute its operand. Init, unless nil, is the
// initial value of a register that they need.
type Insertion struct {
	Way
	Before []string
	Init   *litmus.Init
}
