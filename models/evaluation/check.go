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
	// Events are, for acyclic, a shortest cycle; for irreflexive, the one event; for empty, a pair. They are nil for a
	// negated axiom.
	Events []int
	// Edges are set by Derive: a cycle of named edges. For an empty relation that is no intersection, they lead from
	// the pair's first event to its second.
	Edges []Edge
	// Uses are set by Derive too: the definitions of the model that cause the violation, in the order of its text.
	Uses []*cat.Def

	axiom cat.Axiom
}

func (v Violation) String() string {
	return fmt.Sprintf("%s (%s) at events %v", v.Axiom, v.Kind, v.Events)
}

// Check evaluates every axiom of m on x and returns those that x breaks.
func Check(m *models.Model, x *models.Execution) []Violation { return NewChecker(m).Check(x) }

// Checker checks many executions of one program under a model. It caches what depends on the events alone while the
// events stay the same. A Checker is not safe for concurrent use.
//
// For an execution with the same events as the one before, it recomputes only what depends on the relations that differ
// (see Evaluator.reuse). Its memory comes from a pool, because programs are checked by many short-lived checkers; Done
// gives it back.
type Checker struct {
	model  *models.Model
	eval   *Evaluator
	values planned
	slab   *relation.Slab // for eval
}

// NewChecker makes a checker for a model.
func NewChecker(m *models.Model) *Checker {
	r := bufferPool.Get().(*buffers)
	return &Checker{model: m, values: planned{Plan: m.Plan(), bits: r.bits}, slab: &r.slab}
}

// Done returns the checker's memory to a pool for other checkers. The checker must not be used afterwards.
func (c *Checker) Done() {
	if len(c.values.bits)+c.slab.Size() > maxPooledWords { // it is rare that so many are needed
		return
	}
	c.slab.Reset()
	bufferPool.Put(&buffers{bits: c.values.bits, slab: *c.slab})
	*c = Checker{}
}

// buffers is the memory for a checker's values.
type buffers struct {
	bits []uint64
	slab relation.Slab
}

var bufferPool = sync.Pool{New: func() any { return new(buffers) }}

// maxPooledWords is the size above which buffers are not pooled.
const maxPooledWords = 1 << 18

// Check evaluates every axiom on x and returns those that x breaks. If the model chooses orders that x does not give,
// Check looks for orders under which x breaks no axiom.
func (c *Checker) Check(x *models.Execution) []Violation { return c.check(c.complete(x)) }

// check checks x with the orders that it gives.
func (c *Checker) check(x *models.Execution) []Violation {
	c.setExecution(x)
	var out []Violation
	for _, o := range c.model.Orders {
		if !c.eval.orders(o) {
			out = append(out, Violation{Axiom: o.Name, Kind: cat.Acyclic, axiom: cat.Axiom{Negated: true}})
		}
	}
	for i, a := range c.model.Axioms {
		if bad := c.violation(a, c.values.Axioms[i]); (bad != nil) != a.Negated {
			out = append(out, Violation{Axiom: a.Name, Kind: a.Kind, Events: bad, axiom: a})
		}
	}
	if x.Program != nil && x.Program.Barriers {
		out = append(out, c.unmet(x)...)
	}
	if x.Section != nil {
		out = append(out, c.broken(x)...)
	}
	return out
}

// Flags returns, for each flag of the model in order, whether x raises it.
func (c *Checker) Flags(x *models.Execution) []bool {
	c.setExecution(c.complete(x))
	out := make([]bool, len(c.model.Flags))
	for i, f := range c.model.Flags {
		for k, a := range f.Checks {
			out[i] = out[i] || (c.violation(a, c.values.Flags[i][k]) == nil) != a.Negated
		}
	}
	return out
}

// Causes returns why x raises flag i of the model: the pairs of a relation that is not empty, each once regardless of
// direction and those of initial writes last; the steps of a cycle; or single events, each as a pair with itself. It
// returns none for a flag that is raised because a relation is empty.
func (c *Checker) Causes(x *models.Execution, i int) []models.Pair {
	x = c.complete(x)
	c.setExecution(x)
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
		} else if bad := c.violation(a, c.values.Flags[i][k]); bad != nil {
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

// setExecution makes an execution the one that is evaluated, and drops the values that differ from the one before. It
// does nothing if the execution is the same.
func (c *Checker) setExecution(x *models.Execution) {
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

// violation returns the events that make the relation of an axiom (term at of the plan) cyclic, reflexive or non-empty,
// or nil. A negated axiom, as cat's flags have it, holds if there is such an example. Whether there is a cycle is
// decided first, because that is cheaper than finding a shortest one, and an allowed execution needs no more.
func (c *Checker) violation(a cat.Axiom, at int32) []int {
	r := c.eval.slab.Wrap(c.values.n, c.values.value(c.eval, at))
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

// firstPair returns the first pair of a relation, the first event of a set, or nil.
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
