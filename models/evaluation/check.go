package evaluation

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/relation"
)

// Violation is an axiom that an execution breaks.
type Violation struct {
	Axiom string
	Kind  cat.CheckKind
	// Events are, for acyclic, a shortest cycle; for irreflexive, the one event;
	// for empty, a pair. They are nil for a negated axiom.
	Events []int
	// Edges are what Derive adds: a cycle of named edges, or for an empty that is no
	// intersection the way from the pair's first event to its second.
	Edges []Edge
	// Uses are the definitions of the model that the violation comes about by, which Derive
	// adds too, as they stand in its text.
	Uses []*cat.Def

	axiom cat.Axiom
}

func (v Violation) String() string {
	return fmt.Sprintf("%s (%s) at events %v", v.Axiom, v.Kind, v.Events)
}

// Check evaluates every axiom of m on x and names those that x breaks.
func Check(m *models.Model, x *models.Execution) []Violation { return NewChecker(m).Check(x) }

// Checker checks executions of one program, one after another, under a model. What
// depends on the events alone is computed once for as long as they stay the same.
type Checker struct {
	model  *models.Model
	eval   *Evaluator
	values planned
	slab   *relation.Slab // for eval
}

// NewChecker makes a checker for a model.
func NewChecker(m *models.Model) *Checker {
	r := rooms.Get().(*room)
	return &Checker{model: m, values: planned{Plan: m.Plan(), bits: r.bits}, slab: &r.slab}
}

// Done has other checkers use the room that this one has had, which checks nothing any more.
func (c *Checker) Done() {
	if len(c.values.bits)+c.slab.Size() > manyWords { // it is rare that so many are needed
		return
	}
	c.slab.Again()
	rooms.Put(&room{bits: c.values.bits, slab: *c.slab})
	*c = Checker{}
}

// room is what the values of a checker are in.
type room struct {
	bits []uint64
	slab relation.Slab
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// manyWords are more than a room has that is kept.
const manyWords = 1 << 18

// Check evaluates every axiom on x and names those that x breaks. Orders that the model
// chooses and x does not give are chosen here, so that x breaks none, if it can be.
func (c *Checker) Check(x *models.Execution) []Violation { return c.judge(c.complete(x)) }

// judge takes the orders as they are.
func (c *Checker) judge(x *models.Execution) []Violation {
	c.turnTo(x)
	var out []Violation
	for _, o := range c.model.Orders {
		if !c.eval.orders(o) {
			out = append(out, Violation{Axiom: o.Name, Kind: cat.Acyclic, axiom: cat.Axiom{Negated: true}})
		}
	}
	for i, a := range c.model.Axioms {
		if bad := c.bad(a, c.values.Axioms[i]); (bad != nil) != a.Negated {
			out = append(out, Violation{Axiom: a.Name, Kind: a.Kind, Events: bad, axiom: a})
		}
	}
	if x.Section != nil {
		out = append(out, c.broken(x)...)
	}
	return out
}

// Flags says of each flag of the model, in their order, whether x raises it.
func (c *Checker) Flags(x *models.Execution) []bool {
	c.turnTo(c.complete(x))
	out := make([]bool, len(c.model.Flags))
	for i, f := range c.model.Flags {
		for k, a := range f.Checks {
			out[i] = out[i] || (c.bad(a, c.values.Flags[i][k]) == nil) != a.Negated
		}
	}
	return out
}

// Causes are what raises flag i of the model in x: the pairs of the relation that is not empty, each
// once whatever its direction, with those of initial writes last; the steps of a cycle; or events
// alone, each as a pair with itself. A flag that is raised because there is nothing has none.
func (c *Checker) Causes(x *models.Execution, i int) []models.Pair {
	x = c.complete(x)
	c.turnTo(x)
	var out []models.Pair
	for k, a := range c.model.Flags[i].Checks {
		if !a.Negated {
			continue
		}
		if a.Kind == cat.Empty {
			pairs := c.eval.Eval(a.Expr).Members()
			for i, p := range pairs {
				pairs[i] = models.Pair{min(p[0], p[1]), max(p[0], p[1])}
			}
			slices.SortFunc(pairs, func(p, q models.Pair) int {
				return cmp.Or(cmp.Compare(initial(x, p), initial(x, q)), cmp.Compare(p[0], q[0]),
					cmp.Compare(p[1], q[1]))
			})
			for _, p := range pairs {
				if !slices.Contains(out, p) {
					out = append(out, p)
				}
			}
		} else if bad := c.bad(a, c.values.Flags[i][k]); bad != nil {
			for k, e := range bad {
				out = append(out, models.Pair{e, bad[(k+1)%len(bad)]})
			}
		}
	}
	return out
}

// initial counts the initial writes of a pair.
func initial(x *models.Execution, p models.Pair) int {
	n := 0
	for _, e := range p {
		if x.Events[e].Thread == models.InitThread {
			n++
		}
	}
	return n
}

func (c *Checker) turnTo(x *models.Execution) {
	if c.eval != nil {
		if c.eval.x == x && c.eval.n == len(x.Events) { // as where flags are asked for once axioms hold
			return
		}
		if changed, ok := c.eval.reuse(x); ok {
			c.values.forget(changed)
			return
		}
	}
	c.eval = NewEvaluator(x)
	c.eval.slab = c.slab
	c.values.begin(len(x.Events))
}

// bad are the events that keep the relation of an axiom, a term of the plan, from being acyclic, irreflexive or empty,
// or nil.
func (c *Checker) bad(a cat.Axiom, at int32) []int {
	r := c.eval.slab.Over(c.values.n, c.values.value(c.eval, at))
	switch a.Kind {
	case cat.Acyclic:
		if !r.Acyclic() {
			return r.Cycle()
		}
	case cat.Irreflexive:
		for i := range r.N {
			if r.Has(i, i) {
				return []int{i}
			}
		}
	case cat.Empty:
		return firstPair(r)
	}
	return nil
}

func firstPair(r relation.Relation) []int {
	isSet := len(r.Bits) == r.Words
	for i, w := range r.Bits {
		for b := 0; w != 0; w, b = w>>1, b+1 {
			if w&1 == 1 && isSet {
				return []int{i*64 + b}
			} else if w&1 == 1 {
				return []int{i / r.Words, i%r.Words*64 + b}
			}
		}
	}
	return nil
}
