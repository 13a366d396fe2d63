package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
)

// pair is a row and its counterpart.
type pair struct{ a, b *record }

// differences lists how the rows of a pair differ, at most one difference of each kind.
func (p pair) differences() []Difference {
	answered := [2]bool{p.a.Status == solver.OK, p.b.Status == solver.OK}
	switch answered {
	case [2]bool{false, false}:
		return []Difference{p.difference(Unanswered)}
	case [2]bool{false, true}:
		return []Difference{p.difference(unansweredKind(p.a.Status, ErrorA, LimitA, PendingA))}
	case [2]bool{true, false}:
		return []Difference{p.difference(unansweredKind(p.b.Status, ErrorB, LimitB, PendingB))}
	}
	var out []Difference
	same := sameQuestion(p.a.Condition, p.b.Condition)
	if detail := p.question(same); detail != "" {
		d := p.difference(Question)
		d.Detail = detail
		out = append(out, d)
	}
	if p.a.Hardware != p.b.Hardware {
		out = append(out, p.machine(same)...)
	} else {
		if same && p.verdicts() {
			out = append(out, p.difference(Verdict))
		}
		onlyA, onlyB, _ := p.states()
		out = p.listed(out, StatesA, onlyA, p.a)
		out = p.listed(out, StatesB, onlyB, p.b)
	}
	slices.SortStableFunc(out, func(x, y Difference) int { return cmp.Compare(rank[x.Kind], rank[y.Kind]) })
	return out
}

// unansweredKind chooses the kind of a difference by why one side has no answer.
func unansweredKind(s solver.Status, failed, limit, pending Kind) Kind {
	switch s {
	case solver.Unknown:
		return limit
	case Pending:
		return pending
	}
	return failed
}

// question says how the two do not ask the same; "" where they do, or do not say.
func (p pair) question(same bool) string {
	var out []string
	if !same {
		out = append(out, "the conditions differ")
	}
	if p.a.Arch != "" && p.b.Arch != "" && p.a.Arch != p.b.Arch {
		out = append(out, "the architectures differ")
	}
	if p.a.Hash != "" && p.b.Hash != "" && p.a.Hash != p.b.Hash {
		out = append(out, "the tests' hashes differ")
	}
	if len(p.a.states) > 0 && len(p.b.states) > 0 && !slices.Equal(p.a.names, p.b.names) {
		for _, s := range []struct {
			side   string
			names  []string
			others []string
		}{{"A", p.a.names, p.b.names}, {"B", p.b.names, p.a.names}} {
			var only []string
			others := setOf(s.others)
			for _, n := range s.names {
				if !others[n] {
					only = append(only, n)
				}
			}
			if len(only) > 0 {
				out = append(out, fmt.Sprintf("only %s's states have %s", s.side, strings.Join(only, ", ")))
			}
		}
	}
	return strings.Join(out, "; ")
}

// verdicts reports whether the answers differ, of what both sides have.
func (p pair) verdicts() bool {
	a, b := p.a, p.b
	return a.Verdict != "" && b.Verdict != "" && a.Verdict != b.Verdict ||
		a.Observation != "" && b.Observation != "" && a.Observation != b.Observation ||
		a.ConditionHolds != nil && b.ConditionHolds != nil && *a.ConditionHolds != *b.ConditionHolds
}

// states are those that only one side has, of what both sides' states bind. A side whose list is not whole may have any
// state. compared is false if there is nothing to compare.
func (p pair) states() (onlyA, onlyB []state, compared bool) {
	a, b := p.a.states, p.b.states
	if !slices.Equal(p.a.names, p.b.names) {
		common := setOf(p.b.names)
		mine := setOf(p.a.names)
		maps.DeleteFunc(common, func(n string, _ bool) bool { return !mine[n] })
		if len(common) == 0 {
			return nil, nil, false
		}
		a, b = projected(a, common), projected(b, common)
	}
	if p.b.Listed {
		onlyA = without(a, b)
	}
	if p.a.Listed {
		onlyB = without(b, a)
	}
	return onlyA, onlyB, p.a.Listed || p.b.Listed
}

func projected(all []state, names map[string]bool) []state {
	r := record{}
	for _, s := range all {
		r.states = append(r.states, state{project(s.text, names), s.count})
	}
	r.sum()
	return r.states
}

// without are the states of a that are not in b; both are sorted.
func without(a, b []state) (out []state) {
	for _, s := range a {
		if _, in := slices.BinarySearchFunc(b, s.text,
			func(t state, text string) int { return strings.Compare(t.text, text) }); !in && count(s) != 0 {
			out = append(out, s)
		}
	}
	return out
}

// count is the number of runs that ended in a state; a state of a model counts.
func count(s state) uint64 {
	if s.count == nil {
		return 1
	}
	return *s.count
}

// machine holds what a machine has seen against what a model allows. A state that the
// model does not have is forbidden only where its list is whole and no bound has cut it.
func (p pair) machine(same bool) (out []Difference) {
	hardware, model := p.a, p.b
	seen, unseen, compared := p.states()
	extra := StatesA
	if p.b.Hardware {
		hardware, model = p.b, p.a
		seen, unseen = unseen, seen
		extra = StatesB
	}
	switch {
	case len(seen) > 0 && model.Complete:
		out = p.listed(out, SeenForbidden, seen, hardware)
	case len(seen) > 0:
		out = p.listed(out, extra, seen, hardware)
		out[0].Detail = "a bound may hide the outcome from the engine"
	case same && model.Complete && contradicts(hardware.Observation, model.Observation):
		d := p.difference(SeenForbidden)
		d.Runs = runs(hardware)
		out = append(out, d)
	}
	if compared {
		out = p.listed(out, Unseen, unseen, hardware)
	}
	return out
}

// contradicts reports whether a machine has seen what the model says cannot be: the
// proposition to hold, or not to hold.
func contradicts(seen, model solver.Observation) bool {
	return seen != "" && (model == solver.Never && seen != solver.Never || model == solver.Always &&
		seen != solver.Always)
}

// listed appends a difference of some states, if there are any.
func (p pair) listed(out []Difference, k Kind, states []state, of *record) []Difference {
	if len(states) == 0 {
		return out
	}
	d := p.difference(k)
	for _, s := range states {
		d.States = append(d.States, State{bindings(s.text), s.count})
	}
	d.Runs = runs(of)
	return append(out, d)
}

func runs(r *record) *uint64 {
	var n *uint64
	for _, s := range r.states {
		n = added(n, s.count)
	}
	return n
}

// sameQuestion reports whether two conditions are the same up to their spelling. An unknown one may be any.
func sameQuestion(a, b string) bool {
	return a == b || a == "" || b == "" || asked(a) == asked(b)
}

// asked is a condition in canonical text; one that litmuscope cannot read loses its
// blanks alone.
func asked(condition string) string {
	c, err := litmus.ParseCondition("", condition)
	if err != nil {
		return strings.Join(strings.Fields(condition), "")
	}
	c.Prop = litmus.Flat(c.Prop)
	return c.String()
}
