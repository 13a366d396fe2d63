package elaborate

import (
	"iter"

	"litmuscope/litmus/ir/paged"
)

// registers are what is known of a thread's registers at a place of its code; nil where nothing has been put in one.
type registers struct{ paged.Array[*value] }

// shared is the same, for another place.
func (g *registers) shared() registers { return registers{g.Shared()} }

// at is what has been put into a register, or nil.
func (g *registers) at(r int) *value { return g.At(r) }

// set puts a value into a register, or drops what is there.
func (g *registers) set(r int, v *value) {
	if g.At(r) != v { // else pages stay shared
		g.Set(r, v)
	}
}

// differing gives the registers, in order, that may not have the same in all of some states.
func differing(states []*registers) iter.Seq[int] {
	arrays := make([]*paged.Array[*value], len(states))
	for i, g := range states {
		arrays[i] = &g.Array
	}
	return paged.Differing(arrays...)
}
