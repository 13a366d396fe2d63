package axiomatic

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// Where what may not go round has a closure e* or e+ in it, and an axiom has it that e does not go round by itself, the closure need not be
// written down: the solver finds the way. The graph that it keeps from having cycles has nodes for the events at each place of an automaton,
// which takes the relation's expression for a regular expression. A cycle there is one of the relation, and the other way round: from
// place to place there is no way back but by the first place, and what goes round at one place does so by e alone.

// automaton is one that leads from place to place, from the first to the last. These are one and the same where a union is to be acyclic.
type automaton struct {
	places int
	moves  []move
	last   int
	walks  bool  // there is a closure among its moves
	whole  *term // what it stands for
	rest   *term // of a union that is to be acyclic, what else is in it
	back   *term // of a sequence that is to be irreflexive, what leads from the last place to the first
}

// move is one from events at a place to events at another.
type move struct {
	kind     moveKind
	from, to int
	by       *term // nil where one is passed
}

type moveKind uint8

const (
	related moveKind = iota // by a relation
	walked                  // by a step of a closure
	tested                  // an event of a set stays what it is
	passed                  // any event stays what it is
)

// automata gives the axioms theirs, where that does away with a closure.
func (p *plan) automata(axioms []cat.Axiom) {
	p.orderly = map[*term]bool{}
	for _, a := range axioms {
		if a.Kind == cat.Acyclic && !a.Negated {
			c := p.checks[unclosed(a.Expr)]
			p.orderly[c.term] = true
			for _, m := range c.members {
				p.orderly[m.term] = true
			}
		}
	}
	for _, a := range axioms {
		switch {
		case a.Negated:
		case a.Kind == cat.Acyclic:
			c := p.checks[unclosed(a.Expr)]
			c.round = p.round(c)
		case a.Kind == cat.Irreflexive:
			c := p.checks[a.Expr]
			c.once = p.once(c)
		}
	}
}

// round is an automaton of those members of a union that have a closure in them; nil if none has.
func (p *plan) round(c *check) *automaton {
	w := &automaton{places: 1, whole: p.nothing(false), rest: p.nothing(false)}
	for _, m := range c.members {
		if trial := (&automaton{places: 1}); m.closes && trial.add(p, m.term, 0, 0) && trial.walks {
			w.add(p, m.term, 0, 0)
			w.whole = p.join(cat.Union, w.whole, m.term)
		} else {
			w.rest = p.join(cat.Union, w.rest, m.term)
		}
	}
	if !w.walks {
		return nil
	}
	return w
}

// once is an automaton of a sequence, but for what it begins with and has no closure in it; nil if there is no such begin, or no closure behind it.
func (p *plan) once(c *check) *automaton {
	n := slices.IndexFunc(c.factors, func(t *term) bool { return t.closes })
	if n <= 0 {
		return nil
	}
	w := &automaton{places: 2, last: 1, whole: p.sequence(c.factors[n:]), back: p.sequence(c.factors[:n])}
	if !w.add(p, w.whole, 0, 1) || !w.walks {
		return nil
	}
	return w
}

func (w *automaton) place() int {
	w.places++
	return w.places - 1
}

func (w *automaton) move(kind moveKind, by *term, from, to int) {
	w.walks = w.walks || kind == walked
	w.moves = append(w.moves, move{kind, from, to, by})
}

// add has a relation lead from a place to another; it fails for what is a step by itself.
func (w *automaton) add(p *plan, t *term, from, to int) bool {
	for t.closes && t.kind == refTerm && t.def.Group == nil {
		t = t.x
	}
	switch {
	case !t.closes:
	case t.kind == unaryTerm && (t.unary == cat.Star || t.unary == cat.Plus) && p.orderly[t.x]:
		at, on := from, w.place()
		if from == 0 || t.unary == cat.Star { // of those that come in, only what is executed
			if t.unary == cat.Plus {
				at = w.place()
			} else {
				at = on
			}
			w.move(passed, nil, from, at)
		}
		if t.unary == cat.Plus {
			w.move(walked, t.x, at, on)
		}
		w.move(walked, t.x, on, on)
		w.move(passed, nil, on, to)
		return true
	case t.kind == unaryTerm && t.unary == cat.Optional:
		w.move(passed, nil, from, to)
		w.add(p, t.x, from, to)
		return true
	case t.kind == binaryTerm && t.op == cat.Union:
		w.add(p, t.x, from, to)
		w.add(p, t.y, from, to)
		return true
	case t.kind == binaryTerm && t.op == cat.Seq:
		between := w.place()
		w.add(p, t.x, from, between)
		if u := closureOf(t.y, above); u != nil && u.unary == cat.Star && p.orderly[u.x] {
			w.move(walked, u.x, between, between)
			w.move(passed, nil, between, to)
		} else {
			w.add(p, t.y, between, to)
		}
		return true
	case t.kind == binaryTerm && t.op == cat.Inter:
		sides, of := t.x, t.y
		if sides.kind != binaryTerm || sides.op != cat.Cartesian {
			sides, of = of, sides
		}
		if sides.kind == binaryTerm && sides.op == cat.Cartesian && of.closes {
			first, last := w.place(), w.place()
			w.move(tested, sides.x, from, first)
			w.add(p, of, first, last)
			w.move(tested, sides.y, last, to)
			return true
		}
	}
	if t.kind == unaryTerm && t.unary == cat.Identity {
		w.move(tested, t.x, from, to)
	} else {
		w.move(related, t, from, to)
	}
	return !t.closes
}

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
