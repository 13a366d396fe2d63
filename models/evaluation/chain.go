package evaluation

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/relation"
)

// This file finds, for a pair in the value of an expression, base edges that explain it. The search follows the
// structure of the expression: a union takes the cheaper side, a sequence the cheapest event between, a closure the
// shortest path (Dijkstra). Membership in a set and kinds of pairs such as loc or ext explain little and cost much. A
// pair of a recursive definition is derived from pairs of earlier rounds only, so derivations are finite.

// chain is a derivation of a pair: steps through base relations from its first event to its second. The derivation of a
// pair of an event with itself may be empty.
type chain []step

type step struct {
	from, to int
	name     string
	back     bool // the relation holds from its end to its beginning
	vague    bool // only a kind of pair, which explains nothing
}

// relation is the step's name, with ^-1 where it goes backwards.
func (s step) relation() string {
	if s.back {
		return s.name + "^-1"
	}
	return s.name
}

// vagueCost makes any derivation better than one by kinds of pairs.
const vagueCost = 1 << 16

// cost is the length of a chain, plus vagueCost for each step that explains nothing.
func (c chain) cost() int {
	n := len(c)
	for _, s := range c {
		if s.vague {
			n += vagueCost
		}
	}
	return n
}

func (c chain) less(d chain) bool { return c.cost() < d.cost() }

func (c chain) reverse() chain {
	out := make(chain, len(c))
	for i, s := range c {
		s.from, s.to, s.back = s.to, s.from, !s.back
		out[len(c)-1-i] = s
	}
	return out
}

// explains ranks how much a chain explains: only kinds of events, a place in program order, or more.
func (c chain) explains() int {
	out := 0
	for _, s := range c {
		switch {
		case s.vague:
			return 0
		case s.name == "po":
			out = max(out, 1)
		default:
			out = 2
		}
	}
	return out
}

// Deriver derives pairs of one execution.
//
// The value of an expression says that a pair is in it, not why. The reason is read off the operators: a pair of x | y
// is in one of them, a pair of x ; y passes some event, and a pair of x+ is a path. A Deriver keeps the value of each
// subexpression (node), so that each of these choices is a look-up, and remembers the best chain of each pair.
//
// Where there is a choice, the shortest chain is the best explanation, measured in base edges. Edges that only say that
// two events have one location, or are in different threads, count more than any number of others, since they would
// explain a pair by what every pair has.
type Deriver struct {
	e     *Evaluator
	defs  map[*cat.Def]*node
	fixed map[*cat.Def]*fixpoint
}

// NewDeriver makes a deriver for the execution of an evaluator.
func NewDeriver(e *Evaluator) *Deriver { return newDeriver(e, map[*cat.Def]*fixpoint{}) }

func newDeriver(e *Evaluator, fixed map[*cat.Def]*fixpoint) *Deriver {
	return &Deriver{e, map[*cat.Def]*node{}, fixed}
}

// node is an expression with its value.
type node struct {
	expr     cat.Expr
	rel      relation.Relation
	operands [2]*node
	chains   map[models.Pair]chain
}

func (d *Deriver) node(e cat.Expr) *node {
	return &node{expr: e, rel: d.e.Eval(e), chains: map[models.Pair]chain{}}
}

// def is the body of a definition.
func (d *Deriver) def(def *cat.Def) *node {
	n := d.defs[def]
	if n == nil {
		n = d.node(def.Body)
		d.defs[def] = n
	}
	return n
}

func (n *node) operand(d *Deriver, i int) *node {
	if n.operands[i] == nil {
		switch e := n.expr.(type) {
		case cat.Unary:
			n.operands[i] = d.node(e.X)
		case cat.Binary:
			n.operands[i] = d.node([]cat.Expr{e.X, e.Y}[i])
		}
	}
	return n.operands[i]
}

// contains reports whether a pair is in a node's relation. The empty set or relation has no shape to test.
func (n *node) contains(a, b int) bool {
	_, nothing := n.expr.(cat.Nothing)
	return !nothing && n.rel.Has(a, b)
}

// chain derives a pair that is in a node's relation.
func (d *Deriver) chain(n *node, a, b int) chain {
	p := models.Pair{a, b}
	c, ok := n.chains[p]
	if !ok {
		c = d.derive(n, a, b)
		n.chains[p] = c
	}
	return c
}

// derive finds the best chain for a pair by the operator of the node. Base relations and chosen orders are one step.
// The identity, and the relation of an access to itself, need none.
func (d *Deriver) derive(n *node, a, b int) chain {
	switch e := n.expr.(type) {
	case cat.Base:
		if e.Name == "id" || e.Name == "sm" && a == b {
			return nil
		}
		return chain{{from: a, to: b, name: e.Name, vague: isVague(e.Name)}}
	case cat.Chosen:
		return chain{{from: a, to: b, name: e.Order.Name}}
	case cat.Ref:
		if e.Def.Group == nil {
			return d.chain(d.def(e.Def), a, b)
		}
		in, body := d.entered(e.Def, a, b)
		return in.chain(body, a, b)
	case cat.Unary:
		return d.deriveUnary(n, e, a, b)
	case cat.Binary:
		return d.deriveBinary(n, e, a, b)
	}
	panic("BUG: a pair of an empty relation")
}

// isVague reports whether a base relation says of two events only that they are of one location, or of threads that
// share something or do not.
func isVague(relation string) bool {
	return slices.Contains([]string{"int", "ext", "loc", "vloc", "sr"}, relation) || ir.ScopeOf(relation) != ""
}

// deriveUnary derives a pair of a unary operator. A complement, a domain and a range explain nothing about the pair, so
// they become one vague step with the text of the expression.
func (d *Deriver) deriveUnary(n *node, e cat.Unary, a, b int) chain {
	switch e.Op {
	case cat.Inverse:
		return d.chain(n.operand(d, 0), b, a).reverse()
	case cat.Plus:
		return d.path(n.operand(d, 0), a, b)
	case cat.Star:
		if a == b {
			return nil
		}
		return d.path(n.operand(d, 0), a, b)
	case cat.Optional:
		if a == b {
			return nil
		}
		return d.chain(n.operand(d, 0), a, b)
	case cat.Identity:
		return nil
	case cat.Differing:
		return d.chain(n.operand(d, 0), a, b)
	}
	return chain{{from: a, to: b, name: exprText(e), vague: true}}
}

// deriveBinary derives a pair of a binary operator. That a pair is not in the right side of a difference needs no step.
// Both sides of an intersection hold; the one that explains more is taken, and among equals the cheaper one. A product
// becomes one vague step.
func (d *Deriver) deriveBinary(n *node, e cat.Binary, a, b int) chain {
	switch e.Op {
	case cat.Union:
		return d.chain(d.member(n, a, b), a, b)
	case cat.Seq:
		best, _ := d.via(n, a, b)
		return best
	case cat.Diff:
		return d.chain(n.operand(d, 0), a, b)
	case cat.Inter:
		x, y := d.chain(n.operand(d, 0), a, b), d.chain(n.operand(d, 1), a, b)
		if tx, ty := x.explains(), y.explains(); ty > tx || ty == tx && len(x) > 0 && len(y) > 0 && y.less(x) {
			return y
		}
		return x
	}
	return chain{{from: a, to: b, name: exprText(e), vague: true}}
}

// member returns the side of a union that holds a pair, or the side with the shorter derivation if both do.
func (d *Deriver) member(n *node, a, b int) *node {
	x, y := n.operand(d, 0), n.operand(d, 1)
	switch {
	case !y.contains(a, b):
		return x
	case !x.contains(a, b) || d.chain(y, a, b).less(d.chain(x, a, b)):
		return y
	}
	return x
}

// via derives a pair of a sequence and returns the event between the two.
func (d *Deriver) via(n *node, a, b int) (best chain, between int) {
	x, y := n.operand(d, 0), n.operand(d, 1)
	between = -1
	for c := range d.e.n {
		if x.contains(a, c) && y.contains(c, b) {
			if whole := slices.Concat(d.chain(x, a, c), d.chain(y, c, b)); between < 0 || whole.less(best) {
				best, between = whole, c
			}
		}
	}
	return best, between
}

// path derives a pair of a transitive closure by the cheapest path of one step or more (Dijkstra).
func (d *Deriver) path(x *node, a, b int) chain {
	var out chain
	hops := d.hops(x, a, b)
	for i := range hops[1:] {
		out = append(out, d.chain(x, hops[i], hops[i+1])...)
	}
	return out
}

// hops returns the events along the cheapest path.
//
// The weight of a step is the cost of its chain, and one more, so that among paths of the same cost the one with fewer
// steps wins. The next event is chosen by linear search, in n² steps altogether.
func (d *Deriver) hops(x *node, a, b int) []int {
	n := d.e.n
	cost, before, done := make([]int, n), make([]int, n), make([]bool, n)
	reach := func(from, base int) {
		x.rel.Each(from, func(to int) {
			if c := base + 1 + d.chain(x, from, to).cost(); !done[to] && (cost[to] == 0 || c < cost[to]) {
				cost[to], before[to] = c, from
			}
		})
	}
	reach(a, 0)
	for !done[b] {
		next := -1
		for i := range n {
			if !done[i] && cost[i] > 0 && (next < 0 || cost[i] < cost[next]) {
				next = i
			}
		}
		if next < 0 {
			panic("BUG: a pair of a closure without a path")
		}
		done[next] = true
		if next != b {
			reach(next, cost[next])
		}
	}
	out := []int{b}
	for e := b; ; {
		e = before[e]
		out = append(out, e)
		if e == a {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// fixpoint records the evaluation of a recursive group, round by round, so that every pair can be derived from pairs of
// earlier rounds. Without rounds, a derivation could go in a circle: in let rec r = s | r ; r, a pair of r may be a
// sequence through itself. In the round that first finds a pair, the group's values are those before that round, so
// they do not contain it.
type fixpoint []round

// round is one evaluation of one definition of the group.
type round struct {
	def   *cat.Def
	value relation.Relation
	in    *Deriver // in which the group is what it was before
}

// entered returns the state of a recursive group in the round that first found a pair of a definition, and the
// definition's body there.
func (d *Deriver) entered(def *cat.Def, a, b int) (in *Deriver, body *node) {
	f := d.fixed[def]
	if f == nil {
		f = d.fix(def.Group)
		for _, g := range def.Group {
			d.fixed[g] = f
		}
	}
	for i := range *f {
		if r := &(*f)[i]; r.def == def && r.value.Has(a, b) {
			return r.in, r.in.def(def)
		}
	}
	panic("BUG: a pair of a recursive relation that no round adds")
}

// fix evaluates a recursive group as Evaluator.def does, and keeps for each change an evaluator in which the group has
// the values from before it.
func (d *Deriver) fix(group []*cat.Def) *fixpoint {
	now := map[*cat.Def]relation.Relation{}
	for _, g := range group {
		now[g] = d.e.empty(g.Kind)
	}
	f := &fixpoint{}
	for grown := true; grown; {
		grown = false
		for _, g := range group {
			before := *d.e
			before.defs, before.live = map[*cat.Def]relation.Relation{}, nil
			for h, v := range now {
				before.defs[h] = v
			}
			if next := before.Eval(g.Body); !next.Equal(now[g]) {
				*f = append(*f, round{g, next, newDeriver(&before, d.fixed)})
				now[g], grown = next, true
			}
		}
	}
	return f
}
