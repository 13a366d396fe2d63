package graphs

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// identity returns a hash of what distinguishes executions: which reads and writes there are, what reads read from,
// and, unless byReads is set, the order of writes. Graphs that differ only in choices may have the same identity.
func identity(g *graph.Graph, byReads bool) (id [16]byte) {
	place := make([]int, len(g.Events)) // place among the reads and writes of its thread
	var all []byte
	put := func(numbers ...int) {
		for _, n := range numbers {
			all = binary.AppendVarint(all, int64(n))
		}
	}
	for t, list := range g.Order {
		n := 0
		for _, e := range list {
			if k := g.Events[e].Kind; k == graph.Read || k == graph.Write {
				place[e] = n
				n++
			}
		}
		put(t, n)
	}
	at := func(w int32) {
		if w == graph.Initial {
			put(-1)
			return
		}
		put(int(g.Events[w].Thread), place[w])
	}
	for _, list := range g.Order {
		for _, i := range list {
			if e := &g.Events[i]; e.Kind == graph.Read || e.Kind == graph.Write {
				put(int(e.Kind), int(e.Step), int(e.Loc))
				if e.Kind == graph.Read {
					at(e.RF)
				}
			}
		}
	}
	for loc, list := range g.CO { // the list may be longer than the program's locations
		if byReads || len(list) == 0 {
			continue
		}
		put(loc, len(list))
		for _, w := range list {
			at(w)
		}
	}
	sum := sha256.Sum256(all)
	copy(id[:], sum[:])
	return id
}

// Counting is by reads and writes, not by graphs, so that engines agree on the number: the encoder, too, counts
// executions by their events, rf, and co.

// chosen reports whether the graph contains a free choice.
func chosen(g *graph.Graph) bool {
	for i := range g.Events {
		if g.Events[i].Free {
			return true
		}
	}
	return false
}

// errWhole ends the exploration of a part whose executions may be the same as those of other parts.
var errWhole = errors.New("executions can only be counted in one exploration")

// counts adds a complete execution to the count. The exploration visits each graph once, and a graph under a symmetry
// counts for all that it represents. It needs a table of identities only if several graphs can be the same execution,
// with free choices or when counting by reads. Such a table is not complete for a part of an exploration, or together
// with symmetry: the exploration starts again without these.
func (v *verification) counts(g *graph.Graph) error {
	n := v.x.Represents(g)
	if v.want.Count && (v.want.ByReads || chosen(g)) {
		switch {
		case v.symmetric || v.x.TakesTurns():
			return explore.ErrApart
		case v.Part != nil && v.Part.Time > 0:
			return errWhole
		}
		id := identity(g, v.want.ByReads)
		if v.counted[id] {
			n = 0
		}
		v.counted[id] = true
	}
	v.count += n
	return v.executions(v.count)
}
