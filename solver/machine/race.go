package machine

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// Two accesses of different threads to one location race where one of them is a write, one of them is no atomic one,
// and neither happens before the other. In a state in which both come next, so it is. Under SC, each race shows in such
// a state if everything read from an atomic write synchronizes with it: for the first race in a run, take only what
// happens before either access, in the run's order, and up to both.

// plain is the tag of an access that is not atomic, lock that of one that takes a lock.
const (
	plain ir.Tag = "NA"
	lock  ir.Tag = "LS"
)

// race finds two threads whose next accesses race in some way.
func (s *state) race(acts []ir.Action, kind solver.Clash) (t, u int, ok bool) {
	concerned := func(t int, a ir.Action) bool {
		return accesses(a) && kind.Concerns(&s.threads[t].Program.Locs[a.Loc], a.Tags)
	}
	for t, a := range acts {
		if !concerned(t, a) {
			continue
		}
		for u, b := range acts[:t] {
			if concerned(u, b) && overlap(s.threads[t].Program, a.Loc, a.Bits, b.Loc, b.Bits) &&
				(a.Tags.Has(plain) || b.Tags.Has(plain)) &&
				(s.writes(t, a) || s.writes(u, b)) {
				return u, t, true
			}
		}
	}
	return 0, 0, false
}

func accesses(a ir.Action) bool {
	return a.Kind == ir.ActLoad || a.Kind == ir.ActStore || a.Kind == ir.ActRMW || a.Kind == ir.ActStoreCond
}

// writes reports whether a thread's next access, taken now, writes.
func (s *state) writes(t int, a ir.Action) bool {
	switch op := s.threads[t].Thread.Code[a.Step].Op.(type) {
	case ir.Load:
		return false
	case ir.RMW:
		return op.If == nil || s.threads[t].Program.Eval(op.If, s.threads[t].Regs,
			s.valueAt(s.threads[t].Program, a.Loc, a.Bits)) == 1
	}
	return true
}

// synchronizes reports whether all atomic accesses do: writes release, and reads acquire. Only reads that fail to
// acquire a lock read from the write that acquires it.
func synchronizes(p *ir.Program) bool {
	// Whether memory is alive is no value of the program's.
	ends := func(at ir.Locs) bool { return len(at) == 1 && p.Locs[at[0]].Life != "" }
	acquires := func(t ir.Tags) bool { return t.Has(ir.TagAcquire) || t.Has(ir.TagFull) }
	releases := func(t ir.Tags) bool { return t.Has(ir.TagRelease) || t.Has(ir.TagFull) }
	for _, th := range p.Threads {
		for i, s := range th.Code {
			ok := true
			switch op := s.Op.(type) {
			case ir.Load:
				ok = op.Tags.Has(plain) || acquires(op.Tags) || ends(op.At)
			case ir.Store:
				ok = op.Tags.Has(plain) || releases(op.Tags) || ends(op.At)
			case ir.RMW:
				ok = ends(op.At) || acquires(op.Tags) &&
					(releases(op.WriteTags) || op.WriteTags.Has(lock) && takes(th.Code, i))
			case ir.StoreCond:
				ok = releases(op.Tags)
			case ir.Fence:
				// A fence adds order, and takes none away.
			}
			if !ok {
				return false
			}
		}
	}
	return true
}

// takes reports whether a read-modify-write waits until its location is free: an assumption about the value follows the
// read directly.
func takes(code []ir.Step, pc int) bool {
	from := map[int]bool{code[pc].Op.(ir.RMW).Dst: true}
	uses := func(e ir.Expr) (uses bool) {
		ir.Registers(e, func(r int) { uses = uses || from[r] })
		return uses
	}
	for _, s := range code[pc+1:] {
		switch op := s.Op.(type) {
		case ir.Assign:
			from[op.Dst] = uses(op.Value)
		case ir.Scope:
		case ir.Assume:
			return uses(op.Cond)
		default:
			return false
		}
	}
	return false
}

// raceOf describes a race between two accesses.
func raceOf(p *ir.Program, t int, a ir.Action, u int, b ir.Action, property ir.Property) *solver.Failure {
	text := func(a ir.Action) string {
		life := p.Locs[a.Loc].Life
		switch {
		case life != "" && a.Kind == ir.ActLoad:
			return "accesses " + life
		case life != "":
			return "ends the lifetime of " + life
		}
		switch a.Kind {
		case ir.ActLoad:
			return "reads " + p.Locs[a.Loc].Name
		case ir.ActStore:
			return "writes " + p.Locs[a.Loc].Name
		}
		return "reads and writes " + p.Locs[a.Loc].Name
	}
	if p.Locs[a.Loc].Life != "" && a.Kind != ir.ActLoad { // the access comes first
		t, a, u, b = u, b, t, a
	}
	f := solver.FailureAt(p, t, a.Step, property, text(a))
	other := solver.FailureAt(p, u, b.Step, property, text(b))
	f.Text = "data race: " + f.Thread + " " + text(a) + " while " + other.Thread + " " + text(b)
	if life := p.Locs[a.Loc].Life; life != "" {
		f.Text = solver.MayHaveEnded(life)
	}
	f.Others = []solver.Failure{*other}
	return f
}
