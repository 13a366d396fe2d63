package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Prefix has the places where threads stop. A failing assertion is a question about prefixes of executions: the thread
// stops where it fails, and what other threads have not done yet does not matter. So each thread stops where it cannot
// continue, and none must reach its end.
type Prefix struct {
	Order    *symbolic.Order // with the joins that threads pass
	sections *sections

	Claims  []Claim
	Cuts    []Cut
	Blocked []Blocked
	waiting []Blocked // joins
	enters  []entrance
	ends    []sat.Lit // by thread: it reached its end; 0 if not known yet
	weak    []sat.Lit // updates that may fail spuriously
	ended   []sat.Lit // by thread: a variable for ends, if a join needs it earlier; else 0
}

// Claim is an assertion. It fails if the thread reaches it and the condition is false.
type Claim struct {
	symbolic.Site
	ir.Assert
	Fails sat.Lit
}

// Cut is a place where the bound cuts a loop.
type Cut struct {
	symbolic.Site
	ir.Unwound
	Reached sat.Lit
}

// Blocked is an assumption that a thread reaches while its condition is false, or a join that a thread reaches but
// does not pass.
type Blocked struct {
	symbolic.Site
	Here  sat.Lit
	reads []symbolic.Source[sat.Vec] // the reads that the condition depends on
	waits bool                       // whether it waits for the condition; otherwise the execution does not count
}

// entrance is the start of an atomic section at which a thread may stop. The thread may stop before the section as
// well.
type entrance struct {
	symbolic.Site
	guard, on sat.Lit
}

// NewPrefix returns the prefix of a program without its encoding. The error describes an unsupported atomic section.
func NewPrefix(p *ir.Program) (*Prefix, error) {
	s, err := findSections(p)
	if err != nil {
		return nil, err
	}
	return &Prefix{sections: s, ends: make([]sat.Lit, len(p.Threads)), ended: make([]sat.Lit, len(p.Threads))}, nil
}

// The methods below return literals that are true if a thread continues.

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

// join waits for the end of another thread. The walk may reach the join first: a variable then stands for the end.
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

// Bound returns a literal that is true if the bound cuts a loop that does more than wait.
func (x *Prefix) Bound(e *Encoding) sat.Lit {
	var reached []sat.Lit
	for _, c := range x.Cuts {
		if !c.Spin && !c.Again && c.Ending == ir.AtBound {
			reached = append(reached, c.Reached)
		}
	}
	return e.Or(reached...)
}

// Complete returns a literal that is true if every started thread reaches its end, and no update fails spuriously.
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

// entered returns a literal that is true if no thread stops before a section.
func (x *Prefix) entered(e *Encoding) sat.Lit {
	var before []sat.Lit
	for _, s := range x.enters {
		before = append(before, e.And(s.guard, s.on.Not()))
	}
	return e.Or(before...).Not()
}
