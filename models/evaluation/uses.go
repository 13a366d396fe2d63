package evaluation

import (
	"slices"

	"litmuscope/models"
	"litmuscope/models/cat"
)

// Which definitions cause a violation: those that its derivation passes. A definition whose value happens to contain
// the pair, but on the other side of a union, is no cause. So this follows the same choices as the chains do: the side
// of a union with the cheaper chain, the event between the parts of a sequence, the hops of a closure. Sets count as
// well, with all definitions that they depend on, since membership is not derived.

// use records which definitions of the model cause a violation and each of its edges.
func (d *Deriver) use(v *Violation) {
	var all Usage
	root := d.node(v.axiom.Expr)
	for _, p := range v.pairs() {
		all.pair(d, root, p[0], p[1])
	}
	all.Add(v.Edges)
	v.Uses = all.defs
}

// Add records the definitions that cause each edge, both in the edge and in u.
func (u *Usage) Add(edges []Edge) {
	for i := range edges {
		e := &edges[i]
		if e.node == nil {
			continue
		}
		var causes Usage
		causes.pair(e.in, e.node, e.From, e.To)
		for _, def := range causes.defs {
			u.note(def)
			e.Uses = append(e.Uses, slices.Index(u.defs, def))
		}
		e.node, e.in = nil, nil
	}
}

// pairs returns the pairs of the axiom's relation that the violation is about.
func (v *Violation) pairs() []models.Pair {
	switch n := len(v.Events); {
	case v.Kind == cat.Acyclic:
		var out []models.Pair
		for i, a := range v.Events {
			out = append(out, models.Pair{a, v.Events[(i+1)%n]})
		}
		return out
	case v.Kind == cat.Irreflexive:
		return []models.Pair{{v.Events[0], v.Events[0]}}
	case n == 2:
		return []models.Pair{{v.Events[0], v.Events[1]}}
	}
	return nil
}

// Usage collects the definitions that cause pairs, in the order in which they are met.
type Usage struct {
	defs []*cat.Def
	seen map[visit]bool
	sets map[*cat.Def]bool
}

type visit struct {
	node *node
	pair models.Pair
}

// Definitions are those that have been met.
func (u *Usage) Definitions() []Definition { return definitions(u.defs) }

// note adds a definition once. A parameter of a function is not added, because it has no text of its causes.
func (u *Usage) note(def *cat.Def) {
	if def.Source.From > 0 && !slices.Contains(u.defs, def) {
		u.defs = append(u.defs, def)
	}
}

// pair follows the chain of a pair, and both sides of an intersection.
func (u *Usage) pair(d *Deriver, n *node, a, b int) {
	if v := (visit{n, models.Pair{a, b}}); u.seen[v] {
		return
	} else if u.seen == nil {
		u.seen = map[visit]bool{v: true}
	} else {
		u.seen[v] = true
	}
	switch e := n.expr.(type) {
	case cat.Ref:
		u.note(e.Def)
		if e.Def.Group == nil {
			u.pair(d, d.def(e.Def), a, b)
			return
		}
		in, body := d.entered(e.Def, a, b)
		u.pair(in, body, a, b)
	case cat.Unary:
		switch {
		case e.Op == cat.Inverse:
			u.pair(d, n.operand(d, 0), b, a)
		case e.Op == cat.Identity:
			u.set(e.X)
		case e.Op == cat.Differing, e.Op == cat.Optional && a != b:
			u.pair(d, n.operand(d, 0), a, b)
		case e.Op == cat.Plus || e.Op == cat.Star && a != b:
			x := n.operand(d, 0)
			hops := d.hops(x, a, b)
			for i := range hops[1:] {
				u.pair(d, x, hops[i], hops[i+1])
			}
		}
	case cat.Binary:
		switch e.Op {
		case cat.Union:
			u.pair(d, d.member(n, a, b), a, b)
		case cat.Seq:
			_, c := d.via(n, a, b)
			u.pair(d, n.operand(d, 0), a, c)
			u.pair(d, n.operand(d, 1), c, b)
		case cat.Diff:
			u.pair(d, n.operand(d, 0), a, b)
		case cat.Inter:
			u.pair(d, n.operand(d, 0), a, b)
			u.pair(d, n.operand(d, 1), a, b)
		case cat.Cartesian:
			u.set(e.X)
			u.set(e.Y)
		}
	}
}

// set records the definitions that a set depends on.
func (u *Usage) set(e cat.Expr) {
	switch e := e.(type) {
	case cat.Ref:
		if e.Def.Kind != cat.Set || u.sets[e.Def] {
			return
		}
		if u.sets == nil {
			u.sets = map[*cat.Def]bool{}
		}
		u.sets[e.Def] = true
		u.note(e.Def)
		u.set(e.Def.Body)
	case cat.Unary:
		u.set(e.X)
	case cat.Binary:
		u.set(e.X)
		u.set(e.Y)
	}
}
