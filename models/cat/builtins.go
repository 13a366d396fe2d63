package cat

import (
	"slices"

	"litmuscope/litmus"
)

// builtins are the functions that models may call without a definition.
var builtins = map[string]func(r *resolver, pos litmus.Pos, arg value) value{
	"domain":       operator(Domain),
	"range":        operator(Range),
	"toid":         operator(Identity),
	"generate_cos": func(*resolver, litmus.Pos, value) value { return value{cos: true} },
	"ctrlcfence":   ctrlcfence,
	"map":          mapOver,
	"classes":      classesOf,
	"partition":    partitionOf,
	"fold":         foldOver,
	"tag2events":   tag2events,
	"tag2scope":    tag2scope,

	"different-values": operator(Differing),
	"linearisations":   ordersOf(false),
	"linearizations":   ordersOf(false),
	"generate_orders":  ordersOf(true),
}

func operator(op UnaryOp) func(*resolver, litmus.Pos, value) value {
	return func(r *resolver, pos litmus.Pos, arg value) value {
		if arg.expr == nil {
			return r.fail(pos, "want a set or a relation as argument, got a %s", arg.what())
		}
		return r.unary(Unary{Pos: pos, Op: op}, arg)
	}
}

// ctrlcfence(S), or ctrlcfence(ctrl, S), is the set of control dependencies with a fence of S after the branch. Models
// use both forms.
func ctrlcfence(r *resolver, pos litmus.Pos, arg value) value {
	ctrl := baseOf("ctrl")
	if len(arg.tuple) == 2 {
		ctrl, arg = arg.tuple[0], arg.tuple[1]
	}
	if arg.poison || ctrl.poison {
		return poison
	}
	if ctrl.expr == nil || arg.expr == nil {
		return r.fail(pos, "ctrlcfence takes a set of fences, or control dependencies and a set of fences")
	}
	before := r.binary(Binary{Pos: pos, Op: Inter}, ctrl, r.binary(Binary{Pos: pos, Op: Cartesian}, baseOf("_"), arg))
	return r.binary(Binary{Pos: pos, Op: Seq}, before, baseOf("po"))
}

// baseOf returns the base set or relation with a name.
func baseOf(name string) value {
	return value{expr: Base{name, bases[name]}, kind: bases[name], size: 1}
}

// mapOver implements map f: it applies f to each member of a set.
func mapOver(r *resolver, pos litmus.Pos, f value) value {
	if f.fn == nil {
		return r.fail(pos, "map takes a function, got a %s", f.what())
	}
	return value{fn: &function{builtin: func(r *resolver, pos litmus.Pos, set value) value {
		if set.classes != nil {
			return r.mapClasses(pos, f.fn, set)
		}
		of, ok := set.members()
		if !ok {
			return r.fail(pos, "map takes a set of tags or relations, got a %s", set.what())
		}
		var out []value
		for _, v := range of {
			out = append(out, r.applied(pos, "the function", f.fn, v))
		}
		return r.setOf(pos, out)
	}}}
}

// foldOver implements fold f: it applies f to each member of a set and the result for the other members. The value for
// the empty set is given.
func foldOver(r *resolver, pos litmus.Pos, f value) value {
	if f.fn == nil {
		return r.fail(pos, "fold takes a function, got a %s", f.what())
	}
	return value{fn: &function{builtin: func(r *resolver, pos litmus.Pos, arg value) value {
		if len(arg.tuple) != 2 {
			return r.fail(pos, "want a set and a value for the empty set, got a %s", arg.what())
		}
		if arg.tuple[0].classes != nil {
			return r.foldClasses(pos, f.fn, arg.tuple[0], arg.tuple[1])
		}
		of, ok := arg.tuple[0].members()
		if !ok && !arg.tuple[0].poison {
			return r.fail(pos, "fold takes a set of tags or relations, got a %s", arg.tuple[0].what())
		}
		out := arg.tuple[1]
		for _, v := range of {
			out = r.applied(pos, "the function", f.fn, value{tuple: []value{v, out}})
		}
		return out
	}}}
}

// tag2events returns the set of the events that have a tag.
func tag2events(r *resolver, pos litmus.Pos, t value) value {
	if t.tag == "" {
		return r.fail(pos, "want a tag, got a %s", t.what())
	}
	if r.model.Bell != nil && slices.Contains(r.model.Bell.Regions, t.tag) {
		return r.inRegion(pos, t.tag)
	}
	return r.tagged(pos, t.tag, capital(t.tag))
}

// refused are functions of cat that need an execution, or events such as scopes that tests do not have.
var refused = map[string]string{
	"classes-loc": "want partition(S) or classes(loc)",
	"tag2level":   "want tag2scope, the events of threads that share a scope",
}

func refuse(name, why string) func(*resolver, litmus.Pos, value) value {
	return func(r *resolver, pos litmus.Pos, _ value) value {
		return r.fail(pos, "%s is a function of cat that is not supported: %s", name, why)
	}
}
