package axiomatic

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// prefix is what is known of where threads stop. A failing assertion is a question about
// prefixes of executions: the thread stops where it fails, and what the others have not done by then
// does not matter. So a thread stops wherever it cannot go on, and none has to come to its end.
type prefix struct {
	order    *symbolic.Order // with the joins that have been passed
	sections *sections

	claims  []claim
	cuts    []cut
	blocked []blocked
	waiting []blocked // joins
	enters  []entrance
	ends    []sat.Lit // by thread: it has come to its end; 0 where that is not known yet
	weak    []sat.Lit // updates that may fail for no reason
	ended   []sat.Lit // by thread: a variable for that, where a join asks before; else 0
}

// claim is an assertion, and fails where it is come to and does not hold.
type claim struct {
	symbolic.Site
	ir.Assert
	fails sat.Lit
}

// cut is where a loop is cut.
type cut struct {
	symbolic.Site
	ir.Unwound
	reached sat.Lit
}

// blocked is an assumption that a thread comes to, and that does not hold; or a join that it comes to and
// does not pass.
type blocked struct {
	symbolic.Site
	here  sat.Lit
	reads []symbolic.Source[sat.Vec] // what it is computed from
	waits bool                       // until it holds, rather than being no execution
}

// entrance is where an atomic section begins that a thread may stop in: it may stop before it as well.
type entrance struct {
	symbolic.Site
	guard, on sat.Lit
}

func newPrefix(p *ir.Program) (*prefix, error) {
	s, err := findSections(p)
	if err != nil {
		return nil, err
	}
	return &prefix{sections: s, ends: make([]sat.Lit, len(p.Threads)), ended: make([]sat.Lit, len(p.Threads))}, nil
}

// The methods below say where a thread goes on.

func (x *prefix) assume(e *encoding, s symbolic.Site, guard, cond sat.Lit, d []symbolic.Source[sat.Vec]) sat.Vec {
	waits := e.program.Threads[s.Thread].Code[s.Step].Op.(ir.Assume).Wait
	x.blocked = append(x.blocked, blocked{s, e.And(guard, cond.Not()), d, waits})
	return sat.Vec{cond}
}

func (x *prefix) assert(e *encoding, s symbolic.Site, op ir.Assert, guard, cond sat.Lit) sat.Vec {
	x.claims = append(x.claims, claim{s, op, e.And(guard, cond.Not())})
	return sat.Vec{cond}
}

func (x *prefix) unwound(s symbolic.Site, op ir.Unwound, guard sat.Lit) {
	x.cuts = append(x.cuts, cut{s, op, guard})
}

func (x *prefix) join(e *encoding, s symbolic.Site, op ir.Join, guard sat.Lit) sat.Lit {
	ended := x.ends[op.Thread]
	if ended == 0 {
		if x.ended[op.Thread] == 0 {
			x.ended[op.Thread] = e.Var()
			e.Define(x.ended[op.Thread])
		}
		ended = x.ended[op.Thread]
	}
	x.waiting = append(x.waiting, blocked{Site: s, here: e.And(guard, ended.Not())})
	return ended
}

func (x *prefix) end(e *encoding, t int, guard sat.Lit) {
	x.ends[t] = guard
	if v := x.ended[t]; v != 0 {
		e.Imply(v, guard)
		e.Imply(guard, v)
	}
}

func (x *prefix) enter(e *encoding, s symbolic.Site, guard sat.Lit) sat.Lit {
	if !x.sections.stops[s] {
		return sat.True
	}
	on := e.Var()
	e.Define(on)
	x.enters = append(x.enters, entrance{s, guard, on})
	return on
}

// bound is true where a loop is cut that does more than wait.
func (x *prefix) bound(e *encoding) sat.Lit {
	var reached []sat.Lit
	for _, c := range x.cuts {
		if !c.Spin && !c.Again {
			reached = append(reached, c.reached)
		}
	}
	return e.Or(reached...)
}

// complete is true where every thread that is there comes to its end, and no update fails for no reason.
func (x *prefix) complete(e *encoding) sat.Lit {
	stopped := slices.Clone(x.weak)
	for _, w := range x.waiting {
		stopped = append(stopped, w.here)
	}
	for _, c := range x.claims {
		stopped = append(stopped, c.fails)
	}
	for _, c := range x.cuts {
		stopped = append(stopped, c.reached)
	}
	for _, b := range x.blocked {
		stopped = append(stopped, b.here)
	}
	return e.And(e.Or(stopped...).Not(), x.entered(e))
}

// entered is true where no thread stops before a section.
func (x *prefix) entered(e *encoding) sat.Lit {
	var before []sat.Lit
	for _, s := range x.enters {
		before = append(before, e.And(s.guard, s.on.Not()))
	}
	return e.Or(before...).Not()
}
