package ir

import "litmuscope/litmus"

// Fixed returns the values common to all outcomes that satisfy the condition's proposition, or that violate it, in the
// order of [Program.Format]; "" is a value that is not fixed. ok is false if the proposition is not a conjunction of
// values, or no outcome satisfies it.
func (p *Program) Fixed(satisfies bool) (names, values []string, ok bool) {
	state, known := make(State, p.Shown), make([]bool, p.Shown)
	if !fix(p.Condition.Prop, satisfies, state, known) {
		return nil, nil, false
	}
	names, values = p.Format(state)
	at := 0
	for i, o := range p.Observed[:p.Shown] {
		if whole := o.Whole; whole != "" && i > 0 && p.Observed[i-1].Whole == whole {
			at-- // it is printed together with the previous element
		}
		if !known[i] {
			values[at] = ""
		}
		at++
	}
	return names, values, true
}

// fix records the values that are necessary for a proposition to be true, or false, as so says.
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
