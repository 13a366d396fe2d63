package plan

import (
	"slices"

	"litmuscope/models/cat"
)

// Automaton reads a relation as a regular expression over steps. Its moves lead from place 0 to place Last. The two are
// the same place if the automaton represents a part of a union that must be acyclic: a cycle then passes place 0 as
// often as it uses that part. The encoding turns the moves into edges of a graph, in which the SAT solver looks for
// cycles, so that closures take no literals (encode/way.go).
//
// A closure becomes a move from a place to itself. This is right only if the closure's relation is acyclic by another
// axiom: otherwise a cycle could stay at that place, which is no cycle of the whole.
type Automaton struct {
	Places int
	Moves  []move
	Last   int
	walks  bool  // some move is a step of a closure
	Whole  *Term // the relation that it reads
	Rest   *Term // for an acyclic union: the members without closures
	Back   *Term // for an irreflexive sequence: the relation from the last place to the first
}

// move leads from events at one place to events at another.
type move struct {
	Kind     moveKind
	From, To int
	By       *Term // nil for Passed
}

// moveKind is the kind of a move.
type moveKind uint8

// The kinds of moves.
const (
	Related moveKind = iota // along a relation
	Walked                  // along a step of a closure
	Tested                  // stays at an event of a set
	Passed                  // stays at any event
)

// automata makes the automata of axioms, where they remove a closure.
func (p *Plan) automata(axioms []cat.Axiom) {
	p.orderly = map[*Term]bool{}
	for _, a := range axioms {
		if a.Kind == cat.Acyclic && !a.Negated {
			c := p.Checks[Unclosed(a.Expr)]
			p.orderly[c.Term] = true
			for _, m := range c.Members {
				p.orderly[m.Term] = true
			}
		}
	}
	for _, a := range axioms {
		switch {
		case a.Negated:
		case a.Kind == cat.Acyclic:
			c := p.Checks[Unclosed(a.Expr)]
			c.Round = p.round(c)
		case a.Kind == cat.Irreflexive:
			c := p.Checks[a.Expr]
			c.Once = p.once(c)
		}
	}
}

// round returns an automaton of the members of a union that contain closures; nil if it would remove none.
func (p *Plan) round(c *Check) *Automaton {
	w := &Automaton{Places: 1, Whole: p.nothing(false), Rest: p.nothing(false)}
	for _, m := range c.Members {
		if trial := (&Automaton{Places: 1}); m.Closes && trial.add(p, m.Term, 0, 0) && trial.walks {
			w.add(p, m.Term, 0, 0)
			w.Whole = p.join(cat.Union, w.Whole, m.Term)
		} else {
			w.Rest = p.join(cat.Union, w.Rest, m.Term)
		}
	}
	if !w.walks {
		return nil
	}
	return w
}

// once returns an automaton of a sequence, without its first factors, which contain no closure; nil if there are no
// such factors or no closure after them.
func (p *Plan) once(c *Check) *Automaton {
	n := slices.IndexFunc(c.Factors, func(t *Term) bool { return t.Closes })
	if n <= 0 {
		return nil
	}
	w := &Automaton{Places: 2, Last: 1, Whole: p.sequence(c.Factors[n:]), Back: p.sequence(c.Factors[:n])}
	if !w.add(p, w.Whole, 0, 1) || !w.walks {
		return nil
	}
	return w
}

func (w *Automaton) place() int {
	w.Places++
	return w.Places - 1
}

func (w *Automaton) move(kind moveKind, by *Term, from, to int) {
	w.walks = w.walks || kind == Walked
	w.Moves = append(w.Moves, move{kind, from, to, by})
}

// add adds moves for a relation from one place to another. It returns false if the relation contains a closure that
// the automaton cannot read; the move then evaluates the relation as a whole.
func (w *Automaton) add(p *Plan, t *Term, from, to int) bool {
	for t.Closes && t.Kind == RefTerm && t.Def.Group == nil {
		t = t.X
	}
	switch {
	case !t.Closes:
	case t.Kind == UnaryTerm && (t.Unary == cat.Star || t.Unary == cat.Plus) && p.orderly[t.X]:
		at, on := from, w.place()
		if from == 0 || t.Unary == cat.Star { // only executed events may enter
			if t.Unary == cat.Plus {
				at = w.place()
			} else {
				at = on
			}
			w.move(Passed, nil, from, at)
		}
		if t.Unary == cat.Plus {
			w.move(Walked, t.X, at, on)
		}
		w.move(Walked, t.X, on, on)
		w.move(Passed, nil, on, to)
		return true
	case t.Kind == UnaryTerm && t.Unary == cat.Optional:
		w.move(Passed, nil, from, to)
		w.add(p, t.X, from, to)
		return true
	case t.Kind == BinaryTerm && t.Op == cat.Union:
		w.add(p, t.X, from, to)
		w.add(p, t.Y, from, to)
		return true
	case t.Kind == BinaryTerm && t.Op == cat.Seq:
		between := w.place()
		w.add(p, t.X, from, between)
		if u := t.Y.Closure(); u != nil && u.Unary == cat.Star && p.orderly[u.X] {
			w.move(Walked, u.X, between, between)
			w.move(Passed, nil, between, to)
		} else {
			w.add(p, t.Y, between, to)
		}
		return true
	case t.Kind == BinaryTerm && t.Op == cat.Inter:
		sides, of := t.X, t.Y
		if sides.Kind != BinaryTerm || sides.Op != cat.Cartesian {
			sides, of = of, sides
		}
		if sides.Kind == BinaryTerm && sides.Op == cat.Cartesian && of.Closes {
			first, last := w.place(), w.place()
			w.move(Tested, sides.X, from, first)
			w.add(p, of, first, last)
			w.move(Tested, sides.Y, last, to)
			return true
		}
	}
	if t.Kind == UnaryTerm && t.Unary == cat.Identity {
		w.move(Tested, t.X, from, to)
	} else {
		w.move(Related, t, from, to)
	}
	return !t.Closes
}
