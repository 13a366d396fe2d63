package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Prefix is what is known of where threads stop. A failing assertion is a question about
// prefixes of executions: the thread stops where it fails, and what the others have not done by then
// does not matter. So a thread stops wherever it cannot go on, and none has to come to its end.
type Prefix struct {
	Order    *symbolic.Order // with the joins that have been passed
	sections *sections

	Claims  []Claim
	Cuts    []Cut
	Blocked []Blocked
	waiting []Blocked // joins
	enters  []entrance
	ends    []sat.Lit // by thread: it has come to its end; 0 where that is not known yet
	weak    []sat.Lit // updates that may fail for no reason
	ended   []sat.Lit // by thread: a variable for that, where a join asks before; else 0
}

// Claim is an assertion, and fails where it is come to and does not hold.
type Claim struct {
	symbolic.Site
	ir.Assert
	Fails sat.Lit
}

// Cut is where a loop is cut.
type Cut struct {
	symbolic.Site
	ir.Unwound
	Reached sat.Lit
}

// Blocked is an assumption that a thread comes to, and that does not hold; or a join that it comes to and
// does not pass.
type Blocked struct {
	symbolic.Site
	Here  sat.Lit
	reads []symbolic.Source[sat.Vec] // what it is computed from
	waits bool                       // until it holds, rather than being no execution
}

// entrance is where an atomic section begins that a thread may stop in: it may stop before it as well.
type entrance struct {
	symbolic.Site
	guard, on sat.Lit
}

// NewPrefix is for a program that has not been encoded yet; the error is of atomic sections that it cannot follow.
func NewPrefix(p *ir.Program) (*Prefix, error) {
	s, err := findSections(p)
	if err != nil {
		return nil, err
	}
	return &Prefix{sections: s, ends: make([]sat.Lit, len(p.Threads)), ended: make([]sat.Lit, len(p.Threads))}, nil
}

// The methods below say where a thread goes on.

func (x *Prefix) assume(e *Encoding, s symbolic.Site, guard, cond sat.Lit, d []symbolic.Source[sat.Vec]) sat.Vec {
	waits := e.Program.Threads[s.Thread].Code[s.Step].Op.(ir.Assume).Wait
	x.Blocked = append(x.Blocked, Blocked{s, e.And(guard, cond.Not()), d, waits})
	return sat.Vec{cond}
}

func (x *Prefix) assert(e *Encoding, s symbolic.Site, op ir.Assert, guard, cond sat.Lit) sat.Vec {
	x.Claims = append(x.Claims, Claim{s, op, e.And(guard, cond.Not())})
	return sat.Vec{cond}
}

func (x *Prefix) unwound(s symbolic.Site, op ir.Unwound, guard sat.Lit) {
	x.Cuts = append(x.Cuts, Cut{s, op, guard})
}

func (x *Prefix) join(e *Encoding, s symbolic.Site, op ir.Join, guard sat.Lit) sat.Lit {
	ended := x.ends[op.Thread]
	if ended == 0 {
		if x.ended[op.Thread] == 0 {
			x.ended[op.Thread] = e.Var()
			e.Define(x.ended[op.Thread])
		}
		ended = x.ended[op.Thread]
	}
	x.waiting = append(x.waiting, Blocked{Site: s, Here: e.And(guard, ended.Not())})
	return ended
}

func (x *Prefix) end(e *Encoding, t int, guard sat.Lit) {
	x.ends[t] = guard
	if v := x.ended[t]; v != 0 {
		e.Imply(v, guard)
		e.Imply(guard, v)
	}
}

func (x *Prefix) enter(e *Encoding, s symbolic.Site, guard sat.Lit) sat.Lit {
	if !x.sections.stops[s] {
		return sat.True
	}
	on := e.Var()
	e.Define(on)
	x.enters = append(x.enters, entrance{s, guard, on})
	return on
}

// Bound is true where a loop is cut that does more than wait.
func (x *Prefix) Bound(e *Encoding) sat.Lit {
	var reached []sat.Lit
	for _, c := range x.Cuts {
		if !c.Spin && !c.Again {
			reached = append(reached, c.Reached)
		}
	}
	return e.Or(reached...)
}

// Complete is true where every thread that is there comes to its end, and no update fails for no reason.
func (x *Prefix) Complete(e *Encoding) sat.Lit {
	stopped := slices.Clone(x.weak)
	for _, w := range x.waiting {
		stopped = append(stopped, w.Here)
	}
	for _, c := range x.Claims {
		stopped = append(stopped, c.Fails)
	}
	for _, c := range x.Cuts {
		stopped = append(stopped, c.Reached)
	}
	for _, b := range x.Blocked {
		stopped = append(stopped, b.Here)
	}
	return e.And(e.Or(stopped...).Not(), x.entered(e))
}

// entered is true where no thread stops before a section.
func (x *Prefix) entered(e *Encoding) sat.Lit {
	var before []sat.Lit
	for _, s := range x.enters {
		before = append(before, e.And(s.guard, s.on.Not()))
	}
	return e.Or(before...).Not()
}
