package solver

import (
	"slices"

	"litmuscope/models"
)

// Flag is what a model remarks on executions that it allows.
type Flag struct {
	Name string `json:"name"`
	// Raised: some allowed execution raises it. It is absent while that is not known.
	Raised *bool `json:"raised,omitempty"`
	// Undefined: what raises it has undefined behaviour, so that no condition holds.
	Undefined bool `json:"undefined,omitempty"`
	// State and Graph are of an execution that raises it, with Options.Witnesses.
	State State         `json:"state,omitempty"`
	Graph *models.Graph `json:"graph,omitempty"`
}

// Text says in words that the flag is raised, or may be; "" where it is not.
func (f Flag) Text() string {
	switch {
	case f.Raised == nil && f.Undefined:
		return f.Name + ": whether behaviour is undefined is not known"
	case f.Raised == nil:
		return "flag " + f.Name + ": not known"
	case *f.Raised && f.Undefined:
		return "undefined behaviour: " + f.Name
	case *f.Raised:
		return "flag " + f.Name
	}
	return ""
}

// Undef is herd's name for all flags of undefined behaviour together.
const Undef = "*undef*"

// HerdName is what herd calls the flag.
func (f Flag) HerdName() string {
	if f.Undefined {
		return Undef
	}
	return f.Name
}

// RaisedFlags are the flags that are raised, by herd's names and in its order.
func (r *Result) RaisedFlags() []string {
	var out []string
	for _, f := range r.Flags {
		if f.Raised != nil && *f.Raised {
			out = append(out, f.HerdName())
		}
	}
	slices.Sort(out) // an asterisk sorts before any name
	return slices.Compact(out)
}

// undefined tells whether some allowed execution has undefined behaviour.
func (r *Result) undefined() Answer {
	out := No
	for _, f := range r.Flags {
		switch {
		case !f.Undefined:
		case f.Raised == nil:
			out = Open
		case *f.Raised:
			return Yes
		}
	}
	return out
}
