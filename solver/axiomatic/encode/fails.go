package encode

import (
	"maps"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// UnsetRead is a read that may come before all writes of memory that begins with anything.
type UnsetRead struct {
	Read, Loc int
	Here      sat.Lit
}

// Unset are the reads that may come before all writes.
func (e *Encoding) Unset() []UnsetRead {
	var out []UnsetRead
	for _, rf := range e.reads {
		for k, w := range rf.writes {
			if w < len(e.Program.Locs) && e.Program.Locs[w].Any {
				out = append(out, UnsetRead{rf.read, w, e.And(e.Events[rf.read].Guard, rf.choice[k])})
			}
		}
	}
	return out
}

// RaceFlag is the flag for data races of a kind, and where it is raised.
type RaceFlag struct {
	solver.RaceFlag
	Kind   solver.Clash
	Raised sat.Lit
}

// Races finds where there is a data race of a kind.
func (r *Relations) Races(kind solver.Clash) (*RaceFlag, error) {
	flag := solver.Races(r.model, r.present)
	if kind == solver.OfLives && !flag.OfPairs() {
		flag = solver.SourceRaces(r.present)
	}
	switch {
	case flag.Model == r.model:
	case r.racing != nil && r.racing.of == flag.Model:
		r = r.racing
	default:
		r.racing = relationsOf(r.Encoding, flag.Model)
		r = r.racing
	}
	for _, o := range flag.Model.Orders {
		if _, err := r.chosen(o); err != nil {
			return nil, err
		}
	}
	if !flag.OfPairs() {
		raised, err := r.Raised(flag.Model.Flags[flag.Index])
		return &RaceFlag{flag, kind, raised}, err
	}
	clashing := r.clashing(kind)
	var raised []sat.Lit
	for _, a := range flag.Model.Flags[flag.Index].Checks {
		t := r.plan.Checks[a.Expr].Term
		m, have, err := r.eval(t, r.Common(clashing, r.may(t)), below)
		if err != nil {
			return nil, err
		}
		m.Over(have, func(_, _ int, l sat.Lit) { raised = append(raised, l) })
	}
	return &RaceFlag{flag, kind, r.Or(raised...)}, nil
}

// present reports whether some event has a tag, but for what threads that are spawned and joined come with.
func (r *Relations) present(tag ir.Tag) bool {
	return slices.ContainsFunc(r.Events, func(e Event) bool {
		return e.Tags.Has(tag) && (e.Thread == models.InitThread || models.BarrierTags(
			r.Program.Threads[e.Thread].Code[e.Step].Op) == nil)
	})
}

// clashing are the pairs of events that a data race of a kind may be of.
func (r *Relations) clashing(kind solver.Clash) *relation.Pairs {
	concerned := relation.NewBitset(len(r.Events))
	for i := range r.Events {
		e := &r.Events[i]
		if slices.ContainsFunc(e.Locs, func(l int) bool { return kind.Concerns(&r.Program.Locs[l], e.Tags) }) {
			concerned.Add(i)
		}
	}
	out := r.newPairs(len(r.Events))
	concerned.Each(func(a int) { out.Row(a).Or(concerned) })
	return out
}

// WaitsForEver is true where nobody goes on, and some thread waits for what does not come: every thread has ended, or
// waits for a thread, or is in a loop that only waits, or waits until something holds of what it reads, though it reads
// all that is written last; or it is in a loop whose round leaves all as it is.
func (r *Relations) WaitsForEver() sat.Lit {
	x := r.Prefix
	n := len(r.Events)
	all := []sat.Lit{x.entered(r.Encoding), x.Bound(r.Encoding).Not()}
	for _, c := range x.Claims {
		all = append(all, c.Fails.Not())
	}
	// What the rounds at the end write, they write again: a lock is taken by an update that
	// leaves it as it is.
	again := make([]sat.Lit, n)
	for i := range again {
		again[i] = sat.False
	}
	last := make([]sat.Lit, n) // by read: it is part of such a round
	copy(last, again)
	var stuck []sat.Lit
	left := r.newLeft()
	for _, c := range x.Cuts {
		if !c.Spin && !c.Again {
			continue
		}
		stuck = append(stuck, c.Reached)
		if c.Again {
			all = append(all, left.same(c)...)
		}
		for i := range r.Events {
			if ev := &r.Events[i]; c.round(ev) {
				here := r.And(c.Reached, ev.Guard)
				if ev.Kind == models.Write {
					again[i] = r.Or(again[i], here)
				} else if ev.Kind == models.Read && c.Spin {
					last[i] = r.Or(last[i], here)
				}
			}
		}
	}
	co := r.base("co")
	for _, b := range x.Blocked {
		// What is merely assumed, such as how an exchange goes, is no execution at all where it does not hold.
		op := r.Program.Threads[b.Thread].Code[b.Step].Op.(ir.Assume)
		if !op.Wait {
			all = append(all, b.Here.Not())
			continue
		}
		stuck = append(stuck, b.Here)
		all = append(all, r.comesAndGoes(b, op.Since)...)
		round := func(s symbolic.Site) bool { return s.Thread == b.Thread && s.Step >= op.Since && s.Step < b.Step }
		for i := range r.Events {
			ev := &r.Events[i]
			if !round(symbolic.Site{Thread: ev.Thread, Step: ev.Step}) {
				continue
			}
			switch here := r.And(b.Here, ev.Guard); {
			case ev.Kind == models.Read:
				last[i] = r.Or(last[i], here)
			case ev.Kind == models.Write:
				again[i] = r.Or(again[i], r.And(here, r.idle(ev)))
			}
		}
		for _, c := range r.conds { // an update that has failed for no reason may go otherwise
			if choose, ok := r.Program.Threads[c.Thread].Code[c.Step].Op.(ir.Choose); round(c.Site) &&
				(!ok || choose.Weak) {
				all = append(all, r.And(b.Here, c.guard, c.success.Not()).Not())
			}
		}
	}
	for _, rf := range r.reads {
		if last[rf.read] == sat.False {
			continue
		}
		if len(left.memory) > 0 { // somebody has written what may be something else in between
			all = append(all, left.reads(&r.Events[rf.read], last[rf.read], left.memory)...)
		}
		for k, w := range rf.writes {
			co.From(w, func(j int, l sat.Lit) {
				if again[j] != sat.True {
					all = append(all,
						r.And(last[rf.read], r.Events[rf.read].Guard, rf.choice[k], l, again[j].Not()).Not())
				}
			})
		}
	}
	return r.And(append(all, r.Or(stuck...))...)
}

// comesAndGoes is what has to hold for a wait in a function of a library not to be for what another thread has
// otherwise in the midst of a round that leaves all as it is: a lock that is left and taken again and again is one's
// own in the end.
func (r *Relations) comesAndGoes(b Blocked, since int) (all []sat.Lit) {
	for _, c := range r.Prefix.Cuts {
		if !c.Again || c.Thread == b.Thread {
			continue
		}
		for i := range r.Events {
			ev := &r.Events[i]
			if !c.round(ev) || ev.Kind != models.Read && ev.Kind != models.Write {
				continue
			}
			for j := range r.Events {
				read := &r.Events[j]
				if read.Kind != models.Read || read.Thread != b.Thread || read.Step < since || read.Step >= b.Step ||
					!overlap(ev.Locs, read.Locs) {
					continue
				}
				differ := r.EqualVec(ev.value, read.value).Not()
				all = append(all, r.And(c.Reached, ev.Guard, b.Here, read.Guard, r.sameLocation(i, j), differ).Not())
			}
		}
	}
	return all
}

// idle is true where a write is that of an update, or of a pair of exclusive accesses, and writes what has been read.
func (r *Relations) idle(w *Event) sat.Lit {
	var is []sat.Lit
	for _, s := range w.pairs {
		read := &r.Events[r.first[s.Read.Thread][s.Read.Step]+w.Piece]
		is = append(is, r.And(s.Cond[0], r.EqualVec(w.value, read.value)))
	}
	return r.Or(is...)
}

// left is memory as it is left in the end, where rounds of loops may leave it as it is.
type left struct {
	*Relations
	memory map[int]sat.Vec // by location that such a round accesses
}

// newLeft finds the locations that matter, and gives each the value of its last write.
func (r *Relations) newLeft() *left {
	l := &left{r, map[int]sat.Vec{}}
	for _, c := range r.Prefix.Cuts {
		for i := range r.Events {
			if ev := &r.Events[i]; c.Again && c.round(ev) {
				for _, loc := range ev.Locs {
					if l.memory[loc] == nil {
						l.memory[loc] = l.last(loc)
					}
				}
			}
		}
	}
	return l
}

// round reports whether an event is one of the round that is cut.
func (c Cut) round(ev *Event) bool {
	return ev.Thread == c.Thread && ev.Step >= c.Since && ev.Step < c.Step
}

// last is the value of the last write to a location.
func (l *left) last(loc int) sat.Vec {
	co := l.base("co")
	var out sat.Vec
	for _, w := range l.writers[loc] {
		ev := &l.Events[w]
		is := []sat.Lit{ev.Guard, ev.to(loc)}
		co.From(w, func(_ int, later sat.Lit) { is = append(is, later.Not()) })
		if out == nil { // the initial write
			out = ev.value
		} else {
			out = l.IteVec(l.And(is...), ev.value, out)
		}
	}
	return out
}

// to is true where an access is to a location.
func (ev *Event) to(loc int) sat.Lit { return ev.at[slices.Index(ev.Locs, loc)] }

// same is what has to hold for the thread to leave memory as it is when it repeats again alone: it
// has read what there is in the end, or what it had written in the round itself, and its last writes leave what
// there is.
func (l *left) same(c Cut) (all []sat.Lit) {
	now := maps.Clone(l.memory)
	for i := range l.Events {
		ev := &l.Events[i]
		if !c.round(ev) {
			continue
		}
		switch here := l.And(c.Reached, ev.Guard); ev.Kind {
		case models.Read:
			all = append(all, l.reads(ev, here, now)...)
		case models.Write:
			for _, loc := range ev.Locs {
				now[loc] = l.IteVec(l.And(here, ev.to(loc)), ev.value, now[loc])
			}
		}
	}
	for _, loc := range slices.Sorted(maps.Keys(now)) {
		all = append(all, l.Or(c.Reached.Not(), l.EqualVec(now[loc], l.memory[loc])))
	}
	return all
}

// reads is what has to hold for a read, where it is here, to return what memory has.
func (l *left) reads(ev *Event, here sat.Lit, memory map[int]sat.Vec) (all []sat.Lit) {
	for _, loc := range ev.Locs {
		if v := memory[loc]; v != nil {
			all = append(all, l.Or(here.Not(), ev.Guard.Not(), ev.to(loc).Not(), l.EqualVec(ev.value, v)))
		}
	}
	return all
}
