package axiomatic

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// axioms asserts every axiom of the model.
func (r *relations) axioms() error {
	if !r.coherent { // then no axiom makes an order of co
		r.acyclic(r.base("co"))
	}
	if r.wellFounded || r.ringed {
		r.noThinAir()
	}
	for _, o := range r.model.Orders {
		if _, err := r.chosen(o); err != nil {
			return err
		}
	}
	for _, a := range r.model.Axioms {
		r.begins("axiom " + a.Name)
		if err := r.axiom(a); err != nil {
			return err
		}
	}
	return nil
}

// noThinAir forbids values that come from nowhere: a write whose value is computed
// from a read that takes it, by way of others perhaps, from that write. Models that do
// not rule this out by an axiom are understood so, for such a value could be anything.
func (r *relations) noThinAir() {
	n := len(r.events)
	m := r.union(r.base("rf"), r.newMatrix(n, n), nil)
	var elsewhere [][2]int // read and write that may be of different locations
	for j := range r.events {
		w := &r.events[j]
		if w.Kind == models.Read || w.Fixed { // a pick passes on what it depends on
			continue
		}
		for _, s := range w.data {
			i := r.first[s.Read.Thread][s.Read.Step]
			m.set(i, j, r.And(r.events[i].guard, w.guard, s.Cond[0]))
			if from := r.events[i].Locs; !r.model.Coherent() || len(from) > 1 || len(w.Locs) > 1 || !slices.Equal(from, w.Locs) {
				elsewhere = append(elsewhere, [2]int{i, j})
			}
		}
		if w.Partner >= 0 { // what it reads may be what it writes, though no dependency says so
			if op, ok := r.program.Threads[w.Thread].Code[w.Step].Op.(ir.RMW); ok && !op.Carry && mentionsOld(op.New) {
				m.set(w.Partner, j, w.guard)
			}
		}
	}
	if r.ringed { // on the contrary
		closed := r.closure(m)
		var any []sat.Lit
		for i := range n {
			any = append(any, closed.get(i, i))
		}
		r.Assert(any...)
		return
	}
	r.acyclic(m)
	// Values that go round at one location contradict coherence: each write comes before the next in co.
	for _, ring := range components(m) {
		for _, p := range elsewhere {
			if r.ring == nil && slices.Contains(ring, p[0]) && slices.Contains(ring, p[1]) {
				r.ring = ring
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

func (r *relations) axiom(a cat.Axiom) error {
	if a.Kind == cat.Acyclic && !a.Negated {
		expr := a.Expr
		for { // a relation and its closure have the same cycles
			u, ok := expr.(cat.Unary)
			if !ok || u.Op != cat.Plus {
				break
			}
			expr = u.X
		}
		m, err := r.eval(expr, nil, above)
		if err != nil {
			return err
		}
		if r.program.Split && toAll(expr) {
			m = r.ofAccesses(m)
		}
		r.acyclic(m)
		return r.tally(expr)
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
		r.count[a.Kind.String()]++
	}
	return nil
}

// bad are the pairs, each of which would keep a check from holding: more of them where
// none may be, less where some has to.
func (r *relations) bad(a cat.Axiom) ([]sat.Lit, error) {
	s := above
	if a.Negated {
		s = below
	}
	m, err := r.eval(a.Expr, nil, s)
	if err != nil {
		return nil, err
	}
	if a.Kind == cat.Acyclic {
		m = r.closure(m)
	}
	var bad []sat.Lit
	m.each(nil, func(x, y int, l sat.Lit) {
		if a.Kind == cat.Empty || x == y {
			bad = append(bad, l)
		}
	})
	return bad, nil
}

// tally counts the pairs that each member of an axiom's union constrains, by the
// kinds that alglave-2013 reports in its Fig. 7.
func (r *relations) tally(e cat.Expr) error {
	if b, ok := e.(cat.Binary); ok && b.Op == cat.Union {
		if err := r.tally(b.X); err != nil {
			return err
		}
		return r.tally(b.Y)
	}
	kind := "ab"
	switch name := nameOf(e); name {
	case "rf", "rfe", "rfi", "co", "coe", "coi", "fr", "fre", "fri":
		kind = map[byte]string{'r': "rf", 'c': "ws", 'f': "fr"}[name[0]]
	case "po", "po-loc", "ppo":
		kind = "ppo"
	case "com":
		return r.tally(e.(cat.Ref).Def.Body)
	}
	m, err := r.eval(e, nil, above)
	if err != nil {
		return err
	}
	m.each(nil, func(int, int, sat.Lit) { r.count[kind]++ })
	return nil
}

func nameOf(e cat.Expr) string {
	switch e := e.(type) {
	case cat.Base:
		return e.Name
	case cat.Ref:
		return e.Def.Name
	}
	return ""
}
