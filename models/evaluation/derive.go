package evaluation

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
)

// From a violation to edges that a reader knows. An axiom such as acyclic ppo | fence | rfe | fr | co is about a
// relation that no reader sees. A cycle in it is split at the operators into edges, each with the name that the model
// gives to it, such as ppo or fr, and with a path of base edges. How far names are opened depends on who wrote them:
// the outermost definitions of the model are opened, since an axiom's relation is their union; a definition of the
// prelude is a known name, unless it is a union of others.
//
// Two base edges that have a name together become one edge: rf backwards and co are fr, and program order to a fence
// and from it is the fence's relation.

// Edge is one step of a violation: a pair of a relation that the axiom names, with the base edges that make it.
type Edge struct {
	From     int    `json:"from"` // events, by ID
	To       int    `json:"to"`
	Relation string `json:"relation"` // the model's name for it: "ppo", "fence", "fr" …
	// Path leads from From to To, in as few edges as explain the pair.
	Path []models.BaseEdge `json:"path"`
	// Uses are the definitions that the pair comes from, as indices into those of the violation, outermost first.
	Uses []int `json:"uses,omitempty"`

	node *node // of which relation it is a pair; nil if only its base edges have names
	in   *Deriver
}

// Derive is like Check, and derives the edges of each violation from base edges.
func (c *Checker) Derive(x *models.Execution) []Violation {
	out := c.Check(x)
	if len(out) == 0 {
		return out
	}
	d := NewDeriver(c.eval)
	for i := range out {
		if !out[i].axiom.Negated {
			d.violation(&out[i])
		}
	}
	return out
}

// Edges derives a pair of the value of an expression, as [Checker.Derive] does for axioms.
func (d *Deriver) Edges(e cat.Expr, a, b int) []Edge { return d.edges(d.node(e), a, b, true) }

// violation sets the edges of a violation: for acyclic, those of its cycle; for irreflexive, the shortest way from an
// event to itself; for empty, those of a pair. If the empty relation is an intersection, the edges go along one side
// and back along the other, so that they form a cycle too.
func (d *Deriver) violation(v *Violation) {
	d.derived(v)
	d.use(v)
	if n := len(v.Edges); n > 0 && v.Edges[0].From == v.Edges[n-1].To { // a cycle starts at its first event
		first := slices.MinFunc(v.Edges, func(a, b Edge) int { return a.From - b.From })
		i := slices.IndexFunc(v.Edges, func(e Edge) bool { return e.From == first.From })
		v.Edges = slices.Concat(v.Edges[i:], v.Edges[:i])
	}
}

// derived finds the edges of a violation, by the kind of its axiom. It may replace v.Events: for irreflexive, by the
// event with the cheapest derivation.
func (d *Deriver) derived(v *Violation) {
	n := d.node(v.axiom.Expr)
	switch v.Kind {
	case cat.Acyclic:
		for i, a := range v.Events {
			v.Edges = append(v.Edges, d.edges(n, a, v.Events[(i+1)%len(v.Events)], true)...)
		}
	case cat.Irreflexive:
		best := -1
		for i := range d.e.n {
			if n.rel.Has(i, i) && (best < 0 || d.chain(n, i, i).cost() < d.chain(n, best, best).cost()) {
				best = i
			}
		}
		v.Events, v.Edges = []int{best}, d.edges(n, best, best, true)
	case cat.Empty:
		if len(v.Events) < 2 {
			return
		}
		a, b := v.Events[0], v.Events[1]
		for { // what the relation is defined as
			r, ok := n.expr.(cat.Ref)
			if !ok || r.Def.Group != nil {
				break
			}
			n = d.def(r.Def)
		}
		if e, ok := n.expr.(cat.Binary); ok && e.Op == cat.Inter && a != b {
			there, back := n.operand(d, 0), n.operand(d, 1)
			x, y := d.chain(there, a, b), d.chain(back, a, b)
			if bx, by := d.backward(x), d.backward(y); bx > by || bx == by && x.less(y) {
				there, back = back, there
			}
			v.Edges = d.edges(there, a, b, false)
			home := d.chain(back, a, b).reverse()
			v.Edges = append(v.Edges, Edge{From: b, To: a, Relation: nameSteps(d.base(home)), Path: d.base(home)})

			return
		}
		v.Edges = d.edges(n, a, b, true)
	}
}

// edges splits a pair of an axiom's relation into edges that have names, by going through operators. With open, as for
// an axiom's whole relation, it goes through the model's own names as well.
func (d *Deriver) edges(n *node, a, b int, open bool) []Edge {
	name := ""
	switch e := n.expr.(type) {
	case cat.Ref:
		if e.Def.Group != nil {
			in, body := d.entered(e.Def, a, b)
			return in.edges(body, a, b, true)
		}
		body := d.def(e.Def)
		if u, ok := body.expr.(cat.Binary); open && !e.Def.Prelude || e.Def.Prelude && ok && u.Op == cat.Union {
			return d.edges(body, a, b, open)
		}
		name = e.Def.Name
	case cat.Unary:
		x := n.operand(d, 0)
		switch {
		case e.Op == cat.Optional && a != b:
			return d.edges(x, a, b, open)
		case e.Op == cat.Plus || e.Op == cat.Star && a != b:
			var out []Edge
			hops := d.hops(x, a, b)
			for i := range hops[1:] {
				out = append(out, d.edges(x, hops[i], hops[i+1], open)...)
			}
			return out
		}
	case cat.Binary:
		switch e.Op {
		case cat.Union:
			return d.edges(d.member(n, a, b), a, b, false)
		case cat.Seq:
			_, c := d.via(n, a, b)
			return d.join(d.edges(n.operand(d, 0), a, c, false), d.edges(n.operand(d, 1), c, b, false))
		}
	}
	path := d.base(d.chain(n, a, b))
	if len(path) == 0 && a == b {
		return nil
	}
	if name == "" {
		name = nameSteps(path)
	}
	return []Edge{{From: a, To: b, Relation: name, Path: path, node: n, in: d}}
}

// join concatenates edges. Two steps that have a name together, such as rf^-1 and co, become one.
func (d *Deriver) join(x, y []Edge) []Edge {
	if len(x) > 0 && len(y) > 0 {
		a, b := x[len(x)-1], y[0]
		if len(a.Path) == 1 && len(b.Path) == 1 && a.Relation == a.Path[0].Relation &&
			b.Relation == b.Path[0].Relation {
			if name := d.combinedName(a.Relation, a.To, b.Relation); name != "" {
				whole := Edge{
					From: a.From, To: b.To, Relation: name,
					Path: []models.BaseEdge{{From: a.From, To: b.To, Relation: name}},
				}
				return slices.Concat(x[:len(x)-1], []Edge{whole}, y[1:])
			}
		}
	}
	return append(x, y...)
}

// base turns a chain into base edges.
func (d *Deriver) base(c chain) []models.BaseEdge {
	out := []models.BaseEdge{}
	for i := 0; i < len(c); i++ {
		s := c[i]
		e := models.BaseEdge{From: s.from, To: s.to, Relation: s.relation()}
		if i+1 < len(c) {
			if name := d.combinedName(e.Relation, s.to, c[i+1].relation()); name != "" {
				i++
				e.To, e.Relation = c[i].to, name
			}
		}
		out = append(out, e)
	}
	return out
}

// backward counts the base edges that go against the direction of their relation.
func (d *Deriver) backward(c chain) int {
	n := 0
	for _, e := range d.base(c) {
		if strings.HasSuffix(e.Relation, "^-1") {
			n++
		}
	}
	return n
}

// combinedName names two steps together: rf backwards and then co is fr, and program order into a fence and out of it
// is the fence's relation. It returns "" if they have no such name.
func (d *Deriver) combinedName(first string, through int, second string) string {
	fence := fenceName(&d.e.x.Events[through])
	switch {
	case first == "rf^-1" && second == "co":
		return "fr"
	case first == "co^-1" && second == "rf":
		return "fr^-1"
	case fence != "" && first == "po" && second == "po":
		return fence
	case fence != "" && first == "po^-1" && second == "po^-1":
		return fence + "^-1"
	}
	return ""
}

// fenceName returns the name of a fence's relation in drawings; "" for other events.
func fenceName(e *models.Event) string {
	if e.Kind != models.Fence || len(e.Tags) == 0 || e.Tags[0] == ir.TagPick {
		return ""
	}
	return strings.ToLower(string(e.Tags[0]))
}

func nameSteps(path []models.BaseEdge) string {
	names := make([]string, len(path))
	for i, e := range path {
		names[i] = e.Relation
	}
	return strings.Join(names, ";")
}

// exprText is an expression as cat writes it.
func exprText(e cat.Expr) string {
	switch e := e.(type) {
	case cat.Base:
		return e.Name
	case cat.Ref:
		return e.Def.Name
	case cat.Chosen:
		return e.Order.Name
	case cat.Unary:
		x := exprText(e.X)
		return map[cat.UnaryOp]string{
			cat.Inverse: x + "^-1", cat.Plus: x + "+", cat.Star: x + "*", cat.Optional: x + "?",
			cat.Complement: "~" + x, cat.Identity: "[" + x + "]", cat.Domain: "domain(" + x + ")",
			cat.Range:     "range(" + x + ")",
			cat.Differing: "different-values(" + x + ")",
		}[e.Op]
	case cat.Binary:
		return "(" + exprText(e.X) + map[cat.BinaryOp]string{
			cat.Union: " | ", cat.Inter: " & ", cat.Diff: ` \ `, cat.Seq: " ; ", cat.Cartesian: " * ",
		}[e.Op] + exprText(e.Y) + ")"
	}
	return "0"
}
