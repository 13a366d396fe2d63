package axiomatic

import (
	"slices"

	"litmuscope/models/cat"
)

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
		if u := t.y.closure(); u != nil && u.unary == cat.Star && p.orderly[u.x] {
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
