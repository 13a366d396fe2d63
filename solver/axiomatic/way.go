package axiomatic

import (
	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// Where what may not go round has a closure e* or e+ in it, and an axiom has it that e does not go round by itself, the closure need not be
// written down: the solver finds the way. The graph that it keeps from having cycles has nodes for the events at each place of an automaton,
// which takes the relation's expression for a regular expression. A cycle there is one of the relation, and the other way round: from
// place to place there is no way back but by the first place, and what goes round at one place does so by e alone.

// fewForWays are events of which all is written down. What follows from clauses is worth more than what they take then.
var fewForWays = manyEvents

// findsWays tells whether the solver does.
func (e *encoding) findsWays() bool {
	return e.graphs && e.acyclicity != "clocks" && !e.program.Split && len(e.events) > fewForWays
}

// ways are an automaton's for a program.
type ways struct {
	*automaton
	asked *pairs   // where it matters whether a way leads
	live  []bitset // by place: the events there of which some way leads from the first place to the last
	edges []wayEdge
}

// wayEdge leads from an event at a place to one at another.
type wayEdge struct {
	from, to [2]int // place and event
	lit      sat.Lit
}

// waysOf encodes what an automaton has of ways from some events to some.
func (r *relations) waysOf(w *automaton, from, to bitset, asked *pairs) (*ways, error) {
	out := &ways{automaton: w, asked: asked, live: r.live(w, from, to)}
	for _, m := range w.moves {
		begins, ends := out.live[m.from], out.live[m.to]
		edge := func(a, b int, l sat.Lit) {
			if l != 0 && l != sat.False {
				out.edges = append(out.edges, wayEdge{[2]int{m.from, a}, [2]int{m.to, b}, l})
			}
		}
		switch m.kind {
		case related:
			want := r.newPairs(len(r.events))
			may := r.may(m.by)
			begins.each(func(a int) {
				for i, b := range may.row(a) {
					want.row(a)[i] = b & ends[i]
				}
			})
			x, have, err := r.eval(m.by, want, above)
			if err != nil {
				return nil, err
			}
			x.over(have, edge)
		case walked:
			all := r.newPairs(len(r.events))
			for _, o := range w.moves { // so that it is done once
				if o.kind == walked && o.by == m.by {
					out.live[o.from].each(func(a int) { all.row(a).or(out.live[o.to]) })
				}
			}
			st, err := r.stepping(m.by, all)
			if err != nil {
				return nil, err
			}
			begins.each(func(a int) {
				for _, s := range st.next[a] {
					if ends.has(s.to) {
						edge(a, s.to, s.lit)
					}
				}
			})
		case tested:
			set, err := r.whole(m.by, above)
			if err != nil {
				return nil, err
			}
			begins.and(ends).each(func(a int) { edge(a, a, r.And(r.events[a].guard, set.get(0, a))) })
		case passed:
			begins.and(ends).each(func(a int) { edge(a, a, r.events[a].guard) })
		}
	}
	return out, nil
}

// live are the events at each place of an automaton that ways from some to some may pass.
func (r *relations) live(w *automaton, from, to bitset) []bitset {
	ahead, behind := make([]bitset, w.places), make([]bitset, w.places)
	for i := range ahead {
		ahead[i], behind[i] = newBitset(len(r.events)), newBitset(len(r.events))
	}
	ahead[0].or(from)
	behind[w.last].or(to)
	for grown := true; grown; {
		grown = false
		grow := func(of []bitset, place, event int) {
			if !of[place].has(event) {
				of[place].add(event)
				grown = true
			}
		}
		for _, m := range w.moves {
			switch m.kind {
			case related, walked:
				may := r.may(m.by)
				ahead[m.from].each(func(a int) { may.row(a).each(func(b int) { grow(ahead, m.to, b) }) })
				for a := range r.events {
					if !behind[m.from].has(a) && may.row(a).meets(behind[m.to]) {
						grow(behind, m.from, a)
					}
				}
			default:
				may := func(int) bool { return true }
				if m.kind == tested {
					may = r.may(m.by).row(0).has
				}
				ahead[m.from].each(func(a int) {
					if may(a) {
						grow(ahead, m.to, a)
					}
				})
				behind[m.to].each(func(a int) {
					if may(a) {
						grow(behind, m.from, a)
					}
				})
			}
		}
	}
	for i := range ahead {
		ahead[i] = ahead[i].and(behind[i])
	}
	return ahead
}

// nodes are those of a graph that the events of all places have but for the first; of that the given events are the graph's first.
func (w *ways) nodes(members []int) (at map[[2]int]int) {
	at = map[[2]int]int{}
	for i, a := range members {
		at[[2]int{0, a}] = i
	}
	for p := 1; p < w.places; p++ {
		w.live[p].each(func(a int) { at[[2]int{p, a}] = len(at) })
	}
	return at
}

// add adds the edges to a graph.
func (w *ways) add(g *sat.Graph, at map[[2]int]int) {
	if w == nil {
		return
	}
	for _, e := range w.edges {
		from, begins := at[e.from]
		if to, ends := at[e.to]; begins && ends {
			g.Edge(from, to, e.lit)
		}
	}
}

// never asserts that no way of an irreflexive sequence leads back to where it began.
func (r *relations) never(a cat.Axiom, w *automaton) error {
	may := r.may(w.back)
	from, to := newBitset(len(r.events)), newBitset(len(r.events))
	for i := range r.events {
		if row := may.row(i); row.first() >= 0 {
			to.add(i)
			from.or(row)
		}
	}
	found, err := r.waysOf(w, from, to, nil)
	if err != nil {
		return err
	}
	begins, ends := found.live[0], found.live[w.last]
	want := r.newPairs(len(r.events))
	ends.each(func(a int) {
		for i, b := range may.row(a) {
			want.row(a)[i] = b & begins[i]
		}
	})
	back, have, err := r.eval(w.back, want, above)
	if err != nil {
		return err
	}
	var members []int
	begins.each(func(a int) { members = append(members, a) })
	at := found.nodes(members)
	g := r.NewGraph(len(at))
	found.add(g, at)
	back.over(have, func(x, y int, l sat.Lit) {
		if l != 0 && l != sat.False {
			g.Alone(at[[2]int{w.last, x}], at[[2]int{0, y}], l)
			r.count[a.Kind.String()]++
		}
	})
	return nil
}

// waysRound encodes those of a union that is to be acyclic, within some circles.
func (r *relations) waysRound(w *automaton, want *pairs) (*ways, error) {
	in := newBitset(len(r.events))
	for a := range r.events {
		in.or(want.row(a))
	}
	return r.waysOf(w, in, in, r.common(want, r.may(w.whole)))
}
