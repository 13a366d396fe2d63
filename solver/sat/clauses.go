package sat

// Clauses is the number of clauses so far.
func (c *Circuit) Clauses() int { return len(c.clauses) }

// Assert adds a clause: at least one of the literals is true.
func (c *Circuit) Assert(lits ...Lit) {
	room := maxWrittenOut
	clause, tautology := c.flatten(c.scratch[:0], lits, &room)
	c.scratch = clause
	if tautology {
		return
	}
	clause = c.kept(clause)
	for _, l := range clause {
		c.define(l)
	}
	c.emit(clause)
}

// maxWrittenOut bounds how many gates a clause or an implication writes out in place of their variables. Gates share
// others, so the expansion would not end without a bound.
const maxWrittenOut = 48

// flatten drops constants and replaces each negated and-gate by the negations of
// its arguments, which saves the gate its variable, as long as there is room.
func (c *Circuit) flatten(clause, lits []Lit, room *int) (out []Lit, tautology bool) {
	for _, l := range lits {
		if l == True {
			return clause, true
		}
		if l == False {
			continue
		}
		if args := c.disjuncts(l); len(args) > 0 && *room >= len(args) {
			*room -= len(args)
			for _, a := range args {
				var t bool
				if clause, t = c.flatten(clause, []Lit{-a}, room); t {
					return clause, true
				}
			}
			continue
		}
		clause = append(clause, l)
	}
	return clause, false
}

// disjuncts are the arguments of a negated and-gate that has no variable yet; none of any other literal.
func (c *Circuit) disjuncts(l Lit) []Lit {
	if g := &c.gates[l.v()]; l > 0 || g.kind != andGate || g.defined != 0 {
		return nil
	}
	return c.args(l.v())
}

// kept copies a clause to where it can stay: many share a piece of memory.
func (c *Circuit) kept(clause []Lit) []Lit {
	if len(c.room) < len(clause) {
		c.room = make([]Lit, max(len(clause), min(max(2*len(c.clauses), 64), 1<<14)))
	}
	out := c.room[:len(clause):len(clause)]
	c.room = c.room[len(clause):]
	copy(out, clause)
	return out
}

// emit adds a clause of literals with definitions.
func (c *Circuit) emit(clause []Lit) {
	if len(clause) == 0 {
		c.unsat = true
	}
	c.clauses = append(c.clauses, clause)
}

// Imply asserts that premise makes conclusion true. It splits a disjunction in the premise, which then needs no
// variable.
func (c *Circuit) Imply(premise, conclusion Lit) {
	room := maxWrittenOut
	c.imply(premise, conclusion, &room)
}

func (c *Circuit) imply(premise, conclusion Lit, room *int) {
	if args := c.disjuncts(premise); len(args) > 0 && *room >= len(args) {
		*room -= len(args)
		for _, a := range args {
			c.imply(-a, conclusion, room)
		}
		return
	}
	c.Assert(-premise, conclusion)
}

// Define brings a literal's gate into clause form in both polarities, so that
// clauses added to the solver later, and assumptions, may mention it.
func (c *Circuit) Define(l Lit) {
	c.told = append(c.told, l)
	c.define(l)
	c.define(-l)
}

// Allow does so for assumptions of the literal alone, and not of its negation.
func (c *Circuit) Allow(l Lit) {
	c.told = append(c.told, l)
	c.define(l)
}

// define adds the clauses by which l true constrains its gate.
func (c *Circuit) define(l Lit) {
	g := &c.gates[l.v()]
	want := positive
	if l < 0 {
		want = negative
	}
	if g.kind == input || g.defined&want != 0 {
		return
	}
	g.defined |= want
	kind, args := g.kind, c.args(l.v())
	switch kind {
	case andGate:
		if l > 0 {
			for _, a := range args {
				c.clause(-l, a)
			}
			return
		}
		clause := append(c.scratch[:0], -l)
		for _, a := range args {
			clause = append(clause, -a)
		}
		c.scratch = clause
		c.clause(clause...)
	case xorGate:
		a, b := args[0], args[1]
		if l > 0 {
			c.clause(-l, a, b)
			c.clause(-l, -a, -b)
		} else {
			c.clause(-l, a, -b)
			c.clause(-l, -a, b)
		}
	case iteGate:
		i, t, e := args[0], args[1], args[2]
		if l < 0 {
			t, e = -t, -e
		}
		c.clause(-l, -i, t)
		c.clause(-l, i, e)
		c.clause(-l, t, e)
	case majGate:
		a, b, d := args[0], args[1], args[2]
		if l < 0 {
			a, b, d = -a, -b, -d
		}
		c.clause(-l, a, b)
		c.clause(-l, a, d)
		c.clause(-l, b, d)
	}
}

// clause emits a clause and defines the gates behind its literals. If the clause defines a gate, that is the first
// literal.
func (c *Circuit) clause(lits ...Lit) {
	clause := c.kept(lits)
	c.emit(clause)
	for _, l := range clause[1:] {
		c.define(l)
	}
}
