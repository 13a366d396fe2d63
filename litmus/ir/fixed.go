package ir

import "litmuscope/litmus"

// Fixed says what each outcome shows that satisfies the condition's proposition, or that violates it: in the order of
// [Program.Format], "" for a value that is left open. It says nothing, and is false, of a proposition that is no
// conjunction of values, and of one that no outcome satisfies.
func (p *Program) Fixed(satisfies bool) (names, values []string, ok bool) {
	state, known := make(State, p.Shown), make([]bool, p.Shown)
	if !fix(p.Condition.Prop, satisfies, state, known) {
		return nil, nil, false
	}
	names, values = p.Format(state)
	at := 0
	for i, o := range p.Observed[:p.Shown] {
		if whole := o.Whole; whole != "" && i > 0 && p.Observed[i-1].Whole == whole {
			at-- // it stands with the element before
		}
		if !known[i] {
			values[at] = ""
		}
		at++
	}
	return names, values, true
}

// fix notes what has to hold for a proposition to be so, or not to be.
func fix(prop litmus.Prop, so bool, state State, known []bool) bool {
	all := func(args []litmus.Prop, each bool) bool {
		if so != each && len(args) != 1 {
			return false
		}
		for _, a := range args {
			if !fix(a, so, state, known) {
				return false
			}
		}
		return true
	}
	switch p := prop.(type) {
	case litmus.And:
		return all(p.Args, true)
	case litmus.Or:
		return all(p.Args, false)
	case litmus.Implies:
		return !so && fix(p.If, true, state, known) && fix(p.Then, false, state, known)
	case litmus.Not:
		return fix(p.Arg, !so, state, known)
	case litmus.Bool:
		return bool(p) == so
	case litmus.Compare:
		if p.Other >= 0 || p.NotEqual == so || p.Obs >= len(state) || known[p.Obs] && state[p.Obs] != p.Value {
			return false
		}
		state[p.Obs], known[p.Obs] = p.Value, true
		return true
	}
	return false
}
