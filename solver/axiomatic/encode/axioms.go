package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// An axiom becomes clauses in one of four ways:
//
// 1. acyclic: only pairs within a strongly connected component of the pairs that may be related can be part of a
// cycle, so the encoding evaluates only these, and asserts an order of the component's events (acyclic.go).
// 2. acyclic or irreflexive with closures, if the solver supports graphs and there are many events: an automaton
// replaces the closures (way.go).
// 3. irreflexive and empty: each pair that may violate the axiom gets a unit clause against its literal. For a
// sequence, the diagonal is the same for all rotations, and the encoding evaluates the one with the fewest possible
// events.
// 4. negated axioms: one clause says that some pair violates the axiom without the negation; the literals
// under-approximate then.

// Axioms asserts all axioms of the model. It also asserts what no axiom of the model implies: an acyclic co, and, if
// WellFounded is true, that no value comes from thin air.
func (r *Relations) Axioms() error {
	if !r.coherent { // no axiom orders co
		r.acyclic(r.base("co"), nil)
	}
	if r.WellFounded || r.Ringed {
		r.noThinAir()
	}
	for _, o := range r.model.Orders {
		if _, err := r.chosen(o); err != nil {
			return err
		}
	}
	for _, a := range r.model.Axioms {
		r.OnPart("axiom " + a.Name)
		if err := r.axiom(a); err != nil {
			return err
		}
	}
	return nil
}

// noThinAir forbids values from thin air: a write whose value depends on a read that reads, perhaps through other
// writes, from that write. Such a value could be anything, so the encoding treats models without an axiom against it as
// if they had one. If Ringed is true, it requires such a ring instead.
func (r *Relations) noThinAir() {
	n := len(r.Events)
	m := r.union(r.base("rf"), r.NewMatrix(n, n))
	var elsewhere [][2]int // reads and writes that may access different locations
	for j := range r.Events {
		w := &r.Events[j]
		if w.Kind == models.Read || w.Fixed { // a choice passes on what it depends on
			continue
		}
		for _, s := range w.data {
			i := r.first[s.Read.Thread][s.Read.Step]
			if i < 0 { // a store-conditional that never succeeds
				continue
			}
			m.Set(i, j, r.And(r.Events[i].Guard, w.Guard, s.Cond[0]))
			if from := r.Events[i].Locs; !r.model.Coherent() || len(from) > 1 || len(w.Locs) > 1 ||
				!slices.Equal(from, w.Locs) {
				elsewhere = append(elsewhere, [2]int{i, j})
			}
		}
		if w.Partner >= 0 { // an update may write what it reads, although no dependency says so
			if op, ok := r.Program.Threads[w.Thread].Code[w.Step].Op.(ir.RMW); ok && !op.Carry && mentionsOld(op.New) {
				m.Set(w.Partner, j, w.Guard)
			}
		}
	}
	if r.Ringed { // require a ring instead
		closed := r.closure(m)
		var any []sat.Lit
		for i := range n {
			any = append(any, closed.Get(i, i))
		}
		r.Assert(any...)
		return
	}
	r.acyclic(m, nil)
	// Rings at one location contradict coherence: each write precedes the next in co.
	for _, ring := range components(r.PairsOf(m)) {
		for _, p := range elsewhere {
			if r.Ring == nil && slices.Contains(ring, p[0]) && slices.Contains(ring, p[1]) {
				r.Ring = ring
			}
		}
	}
}

func mentionsOld(e ir.Expr) (found bool) {
	ir.WalkExpr(e, func(e ir.Expr) bool {
		_, old := e.(ir.Old)
		found = found || old
		return !found
	})
	return found
}

// axiom asserts an axiom of the model. For an acyclic relation, it evaluates only the pairs in cycles of the upper
// bound. Other axioms are the conjunction that no pair breaks them (bad).
func (r *Relations) axiom(a cat.Axiom) error {
	if a.Kind == cat.Acyclic && !a.Negated {
		expr := plan.Unclosed(a.Expr)
		c := r.plan.Checks[expr]
		want := r.may(c.Term)
		whole := r.Program.Split && plan.ToAll(expr)
		if !whole {
			want = r.inCircles(want)
		}
		union := c.Term
		var by *ways
		if c.Round != nil && r.findsWays() {
			var err error
			if by, err = r.waysRound(c.Round, want); err != nil {
				return err
			}
			union = c.Round.Rest
		}
		m, have, err := r.eval(union, want, above)
		if err != nil {
			return err
		}
		m = r.Only(m, have)
		if whole {
			m = r.ofAccesses(m)
		}
		r.acyclic(m, by)
		for _, m := range c.Members {
			r.Constraints[m.Kind] += r.Common(r.may(m.Term), want).Bits.Count()
		}
		return nil
	}
	if c := r.plan.Checks[a.Expr]; a.Kind == cat.Irreflexive && c.Once != nil && r.findsWays() {
		return r.never(a, c.Once)
	}
	bad, err := r.bad(a)
	if err != nil {
		return err
	}
	if a.Negated {
		r.Assert(bad...)
		return nil
	}
	for _, l := range bad {
		r.Assert(l.Not())
		r.Constraints[a.Kind.String()]++
	}
	return nil
}

// bad returns the literals of the pairs that violate a check. They over-approximate if no pair may exist, and
// under-approximate if some pair must.
func (r *Relations) bad(a cat.Axiom) ([]sat.Lit, error) {
	s := above
	if a.Negated {
		s = below
	}
	var bad []sat.Lit
	c := r.plan.Checks[a.Expr]
	switch a.Kind {
	case cat.Irreflexive:
		t := r.around(c)
		m, have, err := r.eval(t, r.Common(r.may(t), r.identity()), s)
		if err != nil {
			return nil, err
		}
		m.EachIn(have, func(_, _ int, l sat.Lit) { bad = append(bad, l) })
	case cat.Empty:
		m, err := r.whole(c.Term, s)
		if err != nil {
			return nil, err
		}
		m.Each(func(_, _ int, l sat.Lit) { bad = append(bad, l) })
	case cat.Acyclic:
		m, err := r.whole(c.Term, s)
		if err != nil {
			return nil, err
		}
		m = r.closure(m)
		for i := range m.N {
			if l := m.Get(i, i); l != sat.False {
				bad = append(bad, l)
			}
		}
	}
	return bad, nil
}

// inCircles returns the pairs that are part of a cycle of these pairs.
func (r *Relations) inCircles(p *relation.Pairs) *relation.Pairs {
	out := r.newPairs(p.N)
	for _, members := range components(p) {
		in := relation.NewBitset(p.N)
		for _, a := range members {
			in.Add(a)
		}
		for _, a := range members {
			for i, w := range p.Row(a) {
				out.Row(a)[i] = w & in[i]
			}
		}
	}
	return out
}

// around returns a term whose diagonal is nonempty exactly if the check's is: the sequence rotated so that it starts
// at the factor with the fewest possible events.
func (r *Relations) around(c *plan.Check) *plan.Term {
	best, least := 0, 0
	for i, f := range c.Factors {
		if n := r.may(f).Used(); i == 0 || n < least {
			best, least = i, n
		}
	}
	return c.Circles[best]
}

// Raised returns a literal that is true in the executions that pass one of a flag's checks.
func (r *Relations) Raised(f cat.Flag) (sat.Lit, error) {
	var ways []sat.Lit
	for _, a := range f.Checks {
		bad, err := r.bad(a)
		if err != nil {
			return 0, err
		}
		passes := r.Or(bad...).Not()
		if a.Negated {
			passes = passes.Not()
		}
		ways = append(ways, passes)
	}
	return r.Or(ways...), nil
}

// Pins reports whether a flag's literal is true in all executions that raise the flag. This is so if no check uses a
// closure, because all literals are exact then.
func (r *Relations) Pins(f cat.Flag) bool {
	return !slices.ContainsFunc(f.Checks, func(a cat.Axiom) bool { return r.plan.Checks[a.Expr].Closes })
}
