package axiomatic

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// Where the union that is to be acyclic has a member x ; e+ ; [s], e being a member, too, the closure need not be written down: the
// solver finds the way itself. The graph that it keeps from having cycles has two more nodes for each event that such a way
// may pass, one for what x leads to and one for what is some steps on, which leads back to the event where it is in s.
// A cycle there is one in the union, and the other way round: what goes round among the new nodes does so by e alone.

// detour is such a member.
type detour struct {
	whole *term
	rest  *term // the union without it
	by    *term
	steps *term   // e
	at    []*term // the sets
	none  bool    // e*: there may be no step
}

// detour finds one among a check's members, if there is one.
func (p *plan) detour(c *check) *detour {
	for i, m := range c.members {
		f := p.factors(m.expr, nil, true)
		last := len(f) - 1
		d := &detour{whole: m.term}
		for ; last > 0 && f[last].kind == unaryTerm && f[last].unary == cat.Identity; last-- {
			d.at = append(d.at, f[last].x)
		}
		u := closureOf(f[last], above)
		if last == 0 || u == nil || !slices.ContainsFunc(c.members, func(o tallied) bool { return o.term == u.x }) {
			continue
		}
		d.by, d.steps, d.none = p.sequence(f[:last]), u.x, u.unary == cat.Star
		d.rest = p.nothing(false)
		for j, o := range c.members {
			if i != j {
				d.rest = p.join(cat.Union, d.rest, o.term)
			}
		}
		return d
	}
	return nil
}

// fewForDetours are events of which all is written down. What follows from clauses is worth more than what they take then.
var fewForDetours = manyEvents

// leadsRound tells whether the solver finds ways.
func (e *encoding) leadsRound() bool {
	return e.graphs && e.acyclicity != "clocks" && len(e.events) > fewForDetours
}

// way is a detour as it is encoded.
type way struct {
	*detour
	asked   *pairs // where it matters whether it leads
	x       *matrix
	begins  *pairs // those of x
	through bitset // the events that it may pass
	steps   *stepping
	ends    []sat.Lit // by event
}

// wayOf encodes a detour as far as it matters.
func (r *relations) wayOf(d *detour, want *pairs) (*way, error) {
	w := &way{detour: d, asked: r.common(want, r.may(d.whole)), through: newBitset(len(r.events)), ends: make([]sat.Lit, len(r.events))}
	onward := r.onward(d.steps)
	var err error
	if w.x, w.begins, err = r.eval(d.by, r.leadsTo(r.may(d.by), onward, w.asked), above); err != nil {
		return nil, err
	}
	w.begins = r.pairsAmong(w.x, w.begins)
	needed := r.leadsTo(r.thenPairs(w.begins, onward), onward, w.asked)
	if w.steps, err = r.stepping(d.steps, needed); err != nil {
		return nil, err
	}
	for a := range r.events {
		w.through.or(needed.row(a))
		w.ends[a] = r.events[a].guard
	}
	for _, t := range d.at {
		set, err := r.whole(t, above)
		if err != nil {
			return nil, err
		}
		for a := range w.ends {
			w.ends[a] = r.And(w.ends[a], set.get(0, a))
		}
	}
	return w, nil
}

// nodes is how many a graph has for it.
func (w *way) nodes() int { return 2 * w.through.count() }

// add adds the way to a graph whose first nodes are some events.
func (w *way) add(g *sat.Graph, members []int) {
	place, next := make([]int, len(w.ends)), len(members)
	w.through.each(func(b int) {
		place[b] = next
		next += 2
	})
	begun := func(b int) int { return place[b] }
	on := func(b int) int { return place[b] + 1 }
	for i, a := range members {
		w.begins.row(a).each(func(b int) {
			if w.through.has(b) {
				g.Edge(i, begun(b), w.x.get(a, b))
			}
		})
		if w.through.has(a) {
			g.Edge(on(a), i, w.ends[a])
			if w.none {
				g.Edge(begun(a), i, w.ends[a])
			}
		}
	}
	w.through.each(func(b int) {
		for _, s := range w.steps.next[b] {
			if w.through.has(s.to) {
				g.Edge(begun(b), on(s.to), s.lit)
				g.Edge(on(b), on(s.to), s.lit)
			}
		}
	})
}
