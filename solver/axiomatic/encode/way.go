package encode

import (
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// If an acyclic relation contains a closure e* or e+, and an axiom says that e itself is acyclic, then the encoding can
// do without the closure: the solver finds the paths. The graph that it keeps acyclic gets nodes for the events at each
// place of an automaton, which reads the relation as a regular expression over steps. A cycle of this graph is a cycle
// of the relation and the other way round: the only way back to a place is through the first place, and a cycle that
// stays at one place consists of e alone.

// fewForWays is the number of events up to which the formula contains closures: for few events, propagation through
// clauses is worth their cost.
var fewForWays = manyEvents

// KeepOrders makes the solver keep orders of any size and find all paths, or resets this. Only tests call it.
func KeepOrders(all bool) {
	mostRings, fewForWays = 5000, manyEvents
	if all {
		mostRings, fewForWays = -1, 0
	}
}

// findsWays reports whether the solver finds paths of closures for this program.
func (e *Encoding) findsWays() bool {
	return e.graphs && e.acyclicity != "clocks" && !e.Program.Split && len(e.Events) > fewForWays
}

// ways are the encoded moves of an automaton.
type ways struct {
	*plan.Automaton
	asked *relation.Pairs   // the pairs that a path may connect
	live  []relation.Bitset // by place: the events that lie on a path from the first place to the last
	edges []wayEdge
}

// wayEdge leads from an event at one place to an event at another.
type wayEdge struct {
	from, to [2]int // place and event
	lit      sat.Lit
}

// waysOf encodes the moves of an automaton on paths that start in from and end in to.
func (r *Relations) waysOf(w *plan.Automaton, from, to relation.Bitset, asked *relation.Pairs) (*ways, error) {
	out := &ways{Automaton: w, asked: asked, live: r.live(w, from, to)}
	for _, m := range w.Moves {
		begins, ends := out.live[m.From], out.live[m.To]
		edge := func(a, b int, l sat.Lit) {
			if l != 0 && l != sat.False {
				out.edges = append(out.edges, wayEdge{[2]int{m.From, a}, [2]int{m.To, b}, l})
			}
		}
		switch m.Kind {
		case plan.Related:
			want := r.newPairs(len(r.Events))
			may := r.may(m.By)
			begins.Each(func(a int) {
				for i, b := range may.Row(a) {
					want.Row(a)[i] = b & ends[i]
				}
			})
			x, have, err := r.eval(m.By, want, above)
			if err != nil {
				return nil, err
			}
			x.EachIn(have, edge)
		case plan.Walked:
			all := r.newPairs(len(r.Events))
			for _, o := range w.Moves { // for all moves at once, so that the steps are computed only once
				if o.Kind == plan.Walked && o.By == m.By {
					out.live[o.From].Each(func(a int) { all.Row(a).Or(out.live[o.To]) })
				}
			}
			st, err := r.stepping(m.By, all)
			if err != nil {
				return nil, err
			}
			begins.Each(func(a int) {
				for _, s := range st.next[a] {
					if ends.Has(s.to) {
						edge(a, s.to, s.lit)
					}
				}
			})
		case plan.Tested:
			set, err := r.whole(m.By, above)
			if err != nil {
				return nil, err
			}
			begins.And(ends).Each(func(a int) { edge(a, a, r.And(r.Events[a].Guard, set.Get(0, a))) })
		case plan.Passed:
			begins.And(ends).Each(func(a int) { edge(a, a, r.Events[a].Guard) })
		}
	}
	return out, nil
}

// live returns the events at each place that lie on possible paths from from to to: those that the start reaches and
// that reach the end.
func (r *Relations) live(w *plan.Automaton, from, to relation.Bitset) []relation.Bitset {
	ahead, behind := make([]relation.Bitset, w.Places), make([]relation.Bitset, w.Places)
	for i := range ahead {
		ahead[i], behind[i] = relation.NewBitset(len(r.Events)), relation.NewBitset(len(r.Events))
	}
	ahead[0].Or(from)
	behind[w.Last].Or(to)
	for grown := true; grown; {
		grown = false
		grow := func(of []relation.Bitset, place, event int) {
			if !of[place].Has(event) {
				of[place].Add(event)
				grown = true
			}
		}
		for _, m := range w.Moves {
			switch m.Kind {
			case plan.Related, plan.Walked:
				may := r.may(m.By)
				ahead[m.From].Each(func(a int) { may.Row(a).Each(func(b int) { grow(ahead, m.To, b) }) })
				for a := range r.Events {
					if !behind[m.From].Has(a) && may.Row(a).Meets(behind[m.To]) {
						grow(behind, m.From, a)
					}
				}
			default:
				may := func(int) bool { return true }
				if m.Kind == plan.Tested {
					may = r.may(m.By).Row(0).Has
				}
				ahead[m.From].Each(func(a int) {
					if may(a) {
						grow(ahead, m.To, a)
					}
				})
				behind[m.To].Each(func(a int) {
					if may(a) {
						grow(behind, m.From, a)
					}
				})
			}
		}
	}
	for i := range ahead {
		ahead[i] = ahead[i].And(behind[i])
	}
	return ahead
}

// nodes numbers the nodes of a graph. The given events are its first nodes and represent the first place; all live
// events of the other places follow.
func (w *ways) nodes(members []int) (at map[[2]int]int) {
	at = map[[2]int]int{}
	for i, a := range members {
		at[[2]int{0, a}] = i
	}
	for p := 1; p < w.Places; p++ {
		w.live[p].Each(func(a int) { at[[2]int{p, a}] = len(at) })
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

// never asserts that no path of an irreflexive sequence returns to its start. The edges that close a path are
// exclusive: no cycle has two of them ([sat.Graph.Alone]).
func (r *Relations) never(a cat.Axiom, w *plan.Automaton) error {
	may := r.may(w.Back)
	from, to := relation.NewBitset(len(r.Events)), relation.NewBitset(len(r.Events))
	for i := range r.Events {
		if row := may.Row(i); row.First() >= 0 {
			to.Add(i)
			from.Or(row)
		}
	}
	found, err := r.waysOf(w, from, to, nil)
	if err != nil {
		return err
	}
	begins, ends := found.live[0], found.live[w.Last]
	want := r.newPairs(len(r.Events))
	ends.Each(func(a int) {
		for i, b := range may.Row(a) {
			want.Row(a)[i] = b & begins[i]
		}
	})
	back, have, err := r.eval(w.Back, want, above)
	if err != nil {
		return err
	}
	var members []int
	begins.Each(func(a int) { members = append(members, a) })
	at := found.nodes(members)
	g := r.NewGraph(len(at))
	found.add(g, at)
	back.EachIn(have, func(x, y int, l sat.Lit) {
		if l != 0 && l != sat.False {
			g.Alone(at[[2]int{w.Last, x}], at[[2]int{0, y}], l)
			r.Constraints[a.Kind.String()]++
		}
	})
	return nil
}

// waysRound encodes the members of an acyclic union that contain closures, within some cycles.
func (r *Relations) waysRound(w *plan.Automaton, want *relation.Pairs) (*ways, error) {
	in := relation.NewBitset(len(r.Events))
	for a := range r.Events {
		in.Or(want.Row(a))
	}
	return r.waysOf(w, in, in, r.Common(want, r.may(w.Whole)))
}
