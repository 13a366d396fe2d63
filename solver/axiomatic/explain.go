package axiomatic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/outcomes"
)

// maxNear is the number of near misses to compare for one set of dropped axioms.
const maxNear = 48

// explain looks for the best near miss of the forbidden outcome. It removes axioms from the model and asks again: one
// at a time; if that is not enough, it drops all of them, and then restores as many as the outcome permits. Each weaker
// model has its own encoding, instead of a selector per axiom, because the encoder uses what the remaining axioms
// guarantee (coherence above all).
func (x *exploration) explain() error {
	x.AfterOutcomes = "looking for an explanation"
	began := time.Now()
	solving := x.Result.Stats.Solve
	defer func() { x.Result.Stats.Encode += outcomes.Since(began) - (x.Result.Stats.Solve - solving) }()
	var best *nearMiss
	for _, a := range x.Model.Axioms {
		found, err := x.nearest([]string{a.Name})
		if err != nil {
			return err
		}
		if found.better(best) {
			best = found
		}
	}
	if best == nil {
		var err error
		if best, err = x.fewest(); err != nil {
			return err
		}
	}
	if best == nil {
		reason, err := x.never()
		x.Result.Explanation = &solver.Explanation{Reason: reason}
		return err
	}
	x.Result.Explanation = best.explanation(x.Model)
	return nil
}

// nearMiss is an execution with the axioms that it breaks.
type nearMiss struct {
	execution *models.Execution
	broken    []evaluation.Violation // the violation that explains best comes first
}

// fewest finds a near miss that breaks several axioms, such that restoring any of them excludes the outcome; nil if no
// execution has the outcome even without axioms.
func (x *exploration) fewest() (*nearMiss, error) {
	best, err := x.nearest(x.axiomNames())
	if err != nil || best == nil {
		return nil, err
	}
	for i := 0; i < len(best.broken) && len(best.broken) > 1; {
		var fewer []string
		for j, v := range best.broken {
			if j != i {
				fewer = append(fewer, v.Axiom)
			}
		}
		found, err := x.nearest(fewer)
		switch {
		case err != nil:
			return nil, err
		case found != nil:
			best, i = found, 0
		default:
			i++
		}
	}
	return best, nil
}

// nearest finds the best near miss among the first maxNear that break only the named axioms; nil if there is none.
func (x *exploration) nearest(dropped []string) (*nearMiss, error) {
	near, err := x.without(dropped)
	if err != nil || near == nil {
		return nil, err
	}
	e := near.e
	s := near.Listing()
	var best *nearMiss
	for range maxNear {
		m, err := near.Ask(s, near.Prop())
		if err != nil || m == nil {
			return best, err
		}
		execution, block, err := e.Decode(m)
		if err != nil {
			return nil, err
		}
		found, err := x.judge(execution)
		if err != nil {
			return nil, err
		}
		if found.better(best) {
			best = found
		}
		s.Add(block...)
	}
	return best, nil
}

// without encodes the query under the model without some axioms. It returns nil if values are then so free that an
// address may be outside all locations.
func (x *exploration) without(dropped []string) (*exploration, error) {
	q := x.Query
	q.Model = x.Model.Without(dropped)
	return x.weaker(&exploration{Search: x.SideSearch(q)})
}

// weaker encodes a query next to x's.
func (x *exploration) weaker(out *exploration) (*exploration, error) {
	if _, err := out.build(false); err != nil {
		if placed := new(litmus.Error); errors.As(err, &placed) {
			return nil, nil
		}
		return nil, err
	}
	out.e.Assert(out.e.Wild.Not())
	out.e.Assert(out.e.Bound.Not())
	return out, nil
}

// axiomNames returns the names of the model's axioms in order.
func (x *exploration) axiomNames() []string {
	var out []string
	for _, a := range x.Model.Axioms {
		out = append(out, a.Name)
	}
	return out
}

// judge checks an execution of the weaker model with the whole model. It returns nil for one that breaks no axiom,
// but has values from thin air.
func (x *exploration) judge(e *models.Execution) (*nearMiss, error) {
	if err := e.WellFormed(); err != nil {
		return nil, fmt.Errorf("BUG: ill-formed near miss: %w", err)
	}
	if !x.Program.Satisfies(x.Program.Condition.Prop, e.Final()) {
		return nil, errors.New("BUG: a near miss has another outcome")
	}
	broken := x.checker.Derive(e)
	if len(broken) == 0 { // forbidden only because values cannot come from thin air
		x.fromNowhere = true
		return nil, nil
	}
	slices.SortStableFunc(broken, shorter)
	return &nearMiss{e, broken}, nil
}

// shorter compares violations by the number of base edges; of equal ones, the one with more named edges explains
// more.
func shorter(a, b evaluation.Violation) int {
	return cmp.Or(cmp.Compare(length(a), length(b)), cmp.Compare(len(b.Edges), len(a.Edges)))
}

// length returns a violation's number of base edges.
func length(v evaluation.Violation) int {
	n := 0
	for _, e := range v.Edges {
		n += len(e.Path)
	}
	return n
}

// better prefers fewer broken axioms; then axioms other than coherence and atomicity, which nearly all models share;
// then shorter cycles.
func (n *nearMiss) better(than *nearMiss) bool {
	if n == nil || than == nil {
		return n != nil
	}
	a, b := n.broken[0], than.broken[0]
	return cmp.Or(
		cmp.Compare(len(n.broken), len(than.broken)),
		cmp.Compare(n.elementary(), than.elementary()),
		shorter(a, b),
	) < 0
}

// elementary returns 1 for a violation of coherence or atomicity, as its edges show: a cycle at one location, or one
// closed by rmw.
func (n *nearMiss) elementary() int {
	one := true
	for _, e := range n.broken[0].Edges {
		if e.Relation == "rmw^-1" {
			return 1
		}
		one = one && n.execution.Events[e.From].Loc == n.execution.Events[e.To].Loc
	}
	if one {
		return 1
	}
	return 0
}

// explanation describes the first violation of a near miss, and names the other broken axioms.
func (n *nearMiss) explanation(m *models.Model) *solver.Explanation {
	v := n.broken[0]
	out := &solver.Explanation{
		Axiom: v.Axiom, Kind: v.Kind.String(), Cycle: v.Edges,
		State: solver.PrintState(n.execution.Program, n.execution.Final()), Graph: display.Graph(n.execution, m),
	}
	if v.Events == nil {
		out.Kind = "~" + out.Kind
	}
	out.Sentence, out.Source, out.Definitions = v.Sentence(n.execution), v.Source(), v.Definitions()
	for _, other := range n.broken[1:] {
		out.Also = append(out.Also, other.Axiom)
	}
	out.Graph.Mark(out.BasePath())
	return out
}

// never says what keeps every execution from the proposition, axioms or no axioms:
// conditions that cannot hold even by themselves, or all of them together.
func (x *exploration) never() (string, error) {
	const all = "no execution has this outcome, even without any axiom"
	if x.fromNowhere {
		return "only values out of thin air, which depend on themselves, lead to this outcome", nil
	}
	free, err := x.without(x.axiomNames())
	if err != nil || free == nil {
		return all, err
	}
	var alone []string
	for _, c := range conjuncts(x.Program.Condition.Prop) {
		possible, err := free.Possible(free.Holds(c))
		if err != nil {
			return "", err
		}
		atom, ok := c.(litmus.Compare)
		if possible != nil || !ok || atom.Other >= 0 {
			continue
		}
		o := x.Program.Observed[atom.Obs]
		relation := "="
		if atom.NotEqual {
			relation = "≠"
		}
		alone = append(alone, o.Name+relation+x.Program.FormatValue(atom.Value, o.Bits, o.Signed))
	}
	if len(alone) > 0 {
		return "no execution ends with " + strings.Join(alone, ", or with "), nil
	}
	return all, nil
}

// conjuncts are what a proposition asks for all at once.
func conjuncts(p litmus.Prop) []litmus.Prop {
	and, ok := p.(litmus.And)
	if !ok {
		return []litmus.Prop{p}
	}
	var out []litmus.Prop
	for _, a := range and.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}
