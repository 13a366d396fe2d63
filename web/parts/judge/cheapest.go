package judge

import (
	"context"
	"slices"
	"strings"

	"litmuscope/litmus/change"
	"litmuscope/solver"
	"litmuscope/solver/synth"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// Solution is a choice that solves an exercise, with the reason for each change.
type Solution struct {
	Choice  []int
	Cost    int
	Minimal bool // no cheaper choice solves the exercise
	Changes []synth.Change
}

// Bounds on the search: the number of repairs, and of other choices, that are judged.
const (
	mostRepairs = 6
	mostTries   = 120
)

// Cheapest looks for the cheapest choice that solves an exercise. It first tries the cheapest repairs, by cost and then
// by the number of changes. If none of them follows the rules, or the exercise is not about forbidding an outcome, it
// tries all choices, the cheapest first. The Solution is nil if it finds none. It also returns the answer of the search
// for repairs, if there was one.
func Cheapest(
	ctx context.Context, s *question.Service, how question.Question, x *lesson.Exercise, o *synth.Offered,
) (*Solution, *synth.Reply, error) {
	var said *synth.Reply
	for _, counted := range []bool{false, true} {
		r, err := repairs(ctx, s, how, x, o, counted)
		if err != nil {
			return nil, nil, err
		}
		if r == nil || r.Already || r.Impossible {
			said = r
			break
		}
		if said == nil {
			said = r
		}
		for _, one := range r.Repairs[:min(len(r.Repairs), mostRepairs)] {
			choice := chosen(o.Places, one.Changes)
			if choice == nil {
				continue
			}
			v, err := JudgeAs(ctx, s, how, x, one.Source)
			if err != nil {
				return nil, nil, err
			}
			if v.Met {
				return &Solution{choice, costOf(o.Places, choice), r.Minimal && !counted, one.Changes}, said, nil
			}
		}
	}
	if said != nil && (said.Already || said.Impossible) {
		return nil, said, nil
	}
	for _, choice := range choices(o.Places, mostTries) {
		text, err := Edited(ctx, s, x, Makes(o.Places, choice))
		if err != nil {
			return nil, nil, err
		}
		v, err := JudgeAs(ctx, s, how, x, text)
		if err != nil {
			return nil, nil, err
		}
		if v.Met {
			return &Solution{Choice: choice, Cost: costOf(o.Places, choice), Minimal: true}, said, nil
		}
	}
	return nil, said, nil
}

// repairs asks for the cheapest changes that forbid the outcomes that an exercise wants forbidden; nil if the exercise
// is not of this kind.
func repairs(
	ctx context.Context, s *question.Service, how question.Question, x *lesson.Exercise, o *synth.Offered, counted bool,
) (*synth.Reply, error) {
	var of []change.Kind
	for _, k := range Kinds(&x.Rules) {
		if k != change.Value {
			of = append(of, k)
		}
	}
	var under []solver.Task
	asked := how.Unread()
	asked.Source = x.Test
	for _, g := range x.Goals {
		if t := asked.Task(question.ReadColumn(g.Model).Model); g.Verdict == solver.Forbidden && g.Classic == "" &&
			g.Compiled == "" && !slices.ContainsFunc(under, func(u solver.Task) bool { return u.Model == t.Model }) {
			under = append(under, t)
		}
	}
	if len(under) == 0 || len(of) == 0 || x.Rules.Condition {
		return nil, nil
	}
	options := how.Limits()
	options.Timeout = childwork.RepairTime
	s.Ceil(&options)
	r, err := childwork.Repairing.Call(ctx, s.Sandbox, synth.Question{
		Path: question.FileName, Source: x.Test, Under: under, Costs: synth.OnlyKinds(o.Tongue, of, counted),
		Anyhow: true, Options: options,
	})
	if err != nil {
		return nil, server.TooMuch(err, "Looking for the cheapest solution")
	}
	return r, nil
}

// chosen returns the choice that makes some changes; nil if the places do not offer them.
func chosen(places []change.Place, changes []synth.Change) []int {
	out := asIs(places)
	for _, c := range changes {
		found := false
		for i := range places {
			p := &places[i]
			at := slices.IndexFunc(p.Choices, func(s change.Standing) bool { return s.Text == c.Text })
			if found || at < 0 || at == p.Was || out[i] != p.Was || p.Line != c.Line || p.Step != c.Step ||
				p.Statement != c.Place || p.Name != c.Where() {
				continue
			}
			out[i], found = at, true
		}
		if !found {
			return nil
		}
	}
	return out
}

func asIs(places []change.Place) []int {
	out := make([]int, len(places))
	for i := range places {
		out[i] = places[i].Was
	}
	return out
}

func costOf(places []change.Place, choice []int) (cost int) {
	for i, c := range choice {
		cost += places[i].Choices[c].Cost
	}
	return cost
}

// choices lists the cheapest choices in some places, except the one that changes nothing. It returns none if there are
// too many to sort.
func choices(places []change.Place, most int) (out [][]int) {
	all := [][]int{{}}
	for i := range places {
		var next [][]int
		for _, c := range all {
			for o := range places[i].Choices {
				next = append(next, append(slices.Clone(c), o))
			}
		}
		if all = next; len(all) > 100*most {
			return nil
		}
	}
	slices.SortStableFunc(all, func(a, b []int) int { return costOf(places, a) - costOf(places, b) })
	for _, c := range all[:min(len(all), most+1)] {
		if !slices.Equal(c, asIs(places)) {
			out = append(out, c)
		}
	}
	return out
}

// Words returns the reason for a change: the cycle that it breaks, with its events; "" if unknown.
func Words(c *synth.Change) (cycle, events string) {
	if c.Breaks == nil {
		return "", ""
	}
	if c.Breaks.Cycle == "" {
		return "a violation of " + c.Breaks.Axiom, ""
	}
	return c.Breaks.Cycle, strings.TrimSpace(c.Breaks.Events)
}
