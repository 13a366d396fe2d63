package graphs

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// identity is what executions are counted by: which reads and writes there are, what is read, and, but for byReads, the order of
// writes. Graphs that differ in what was chosen may be the same in that.
func identity(g *graph, byReads bool) (id [16]byte) {
	place := make([]int, len(g.events)) // among those of its thread
	var all []byte
	put := func(numbers ...int) {
		for _, n := range numbers {
			all = binary.AppendVarint(all, int64(n))
		}
	}
	for t, list := range g.order {
		n := 0
		for _, e := range list {
			if k := g.events[e].kind; k == read || k == write {
				place[e] = n
				n++
			}
		}
		put(t, n)
	}
	at := func(w int32) {
		if w == initial {
			put(-1)
			return
		}
		put(int(g.events[w].thread), place[w])
	}
	for _, list := range g.order {
		for _, i := range list {
			if e := &g.events[i]; e.kind == read || e.kind == write {
				put(int(e.kind), int(e.step), int(e.loc))
				if e.kind == read {
					at(e.rf)
				}
			}
		}
	}
	for loc, list := range g.co { // of as many locations as somebody has needed
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

// chosen tells whether something was chosen at will.
func chosen(g *graph) bool {
	for i := range g.events {
		if g.events[i].free {
			return true
		}
	}
	return false
}

// errWhole ends the exploration of a part whose executions may be those of others as well.
var errWhole = errors.New("executions are to be counted as one exploration")

// counts adds a complete execution to the count, unless it was counted.
func (v *verification) counts(g *graph) error {
	n := v.x.stands(g)
	if v.want.Count && (v.want.ByReads || chosen(g)) {
		switch {
		case v.symmetric || v.x.peers != nil:
			return errApart
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
