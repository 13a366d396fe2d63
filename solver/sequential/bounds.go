package sequential

import (
	"slices"

	"litmuscope/solver"
)

// A bound limits the executions that the engine explores. The engine computes in advance which value loses none of
// them; more than that changes nothing.
type bound int

const (
	roundBound  bound = iota
	bufferBound       // writes in a queue
	stampBound        // K: timestamps
	nodeBound         // N: nodes of a list beside the sentinel
	lastBound         // k of k-round: the number of a thread's last round, from 0
	ageBound          // k of k-store-age: the rounds that a write may wait
	numBounds
)

// boundTable has the bounds' names, which are those of their options, and the least
// values that make sense.
var boundTable = [numBounds]struct {
	name  string
	least int
	asked func(solver.Options) (value int, set bool)
}{
	roundBound:  {"rounds", 1, func(o solver.Options) (int, bool) { return o.Rounds, o.Rounds > 0 }},
	bufferBound: {"buffer", 1, func(o solver.Options) (int, bool) { return o.Buffer, o.Buffer > 0 }},
	stampBound:  {"timestamps", 1, func(o solver.Options) (int, bool) { return o.Timestamps, o.Timestamps > 0 }},
	nodeBound:   {"nodes", 1, func(o solver.Options) (int, bool) { return o.Nodes, o.Nodes > 0 }},
	lastBound:   {"k", 0, func(o solver.Options) (int, bool) { return o.K, o.K >= 0 }},
	ageBound:    {"k", 0, func(o solver.Options) (int, bool) { return o.K, o.K >= 0 }},
}

// bounds are values by bound.
type bounds [numBounds]int

// enough gives values that lose no execution; it counts the steps of a thread along the longest of its paths.
//
//   - rounds: an interleaving begins a new round only where a thread is followed by one
//     with a smaller number. If the threads' turns start with one of n statements, m of
//     them the busiest thread's, that happens n-m times at most. Turns that get threads
//     going come before.
//   - buffer: everything that one queue may be given.
//   - timestamps: at worst every write reaches memory at a time of its own.
//   - nodes: every write to a location, and its initial value.
//   - k: a thread may put a store off until right before it reaches memory, or before
//     the next statement of another kind, and a fence until right before a load, so it
//     needs no more rounds than it has other statements.
//
// With early, the memory may issue a store together with the statements before it: nobody sees that it waits, if there
// is room for it and a timestamp to wait for.
func (e Engine) enough(p *program, early bool) bounds {
	var out bounds
	all, busiest, begin := 0, 0, 0
	for t, statements := range p.threads {
		turns := func(s *statement) bool { return s.label >= 0 && !s.tied }
		n := p.longest(t, turns)
		last := n - 1
		if first := slices.IndexFunc(statements, func(s *statement) bool { return s.label == 0 }); first >= 0 &&
			statements[first].tied {
			last = n // a turn begins with it all the same, the first
		}
		out[ageBound] = max(out[ageBound], last)
		if early {
			n = p.longest(t, func(s *statement) bool { return turns(s) && s.kind != store })
			if first := slices.IndexFunc(statements, turns); first >= 0 && statements[first].kind == store {
				begin = 1
			}
		}
		all, busiest = all+n, max(busiest, n)
		for _, l := range p.stored(t) {
			if !e.pso() {
				l = -1
			}
			out[bufferBound] = max(out[bufferBound], p.stores(t, l))
		}
	}
	out[lastBound] = out[ageBound]
	out[roundBound] = 1
	if all > 0 {
		out[roundBound] = begin + all - busiest + 1
	}
	out[stampBound] = p.writes(-1) + 1
	for l := range p.Locs {
		out[nodeBound] = max(out[nodeBound], p.writes(l)+1)
	}
	return out
}

// chooseBounds returns the bounds that options ask for, cut to those that are enough, and those that are enough.
func (e Engine) chooseBounds(p *program, o solver.Options) (use, enough bounds) {
	cut := func() (less bool) {
		use = enough
		for _, b := range e.bounds {
			if v, set := boundTable[b].asked(o); set {
				use[b] = min(v, enough[b])
				less = less || b != roundBound && v < enough[b]
			}
		}
		return less
	}
	enough = e.enough(p, e.early)
	if cut() {
		enough = e.enough(p, false)
		cut()
	}
	return use, enough
}

// tight says which of the engine's bounds to raise, as they may hide executions; "" if
// none does.
func (e Engine) tight(use, enough bounds) string {
	var all []solver.Bound
	for _, b := range e.bounds {
		all = append(all, solver.Bound{Name: boundTable[b].name, Value: use[b], Enough: enough[b]})
	}
	return solver.Raise(all, "--")
}
