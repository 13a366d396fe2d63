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

// Termination is a property of infinite executions, which the encoding does not contain. The encoding reduces it to
// finite prefixes: a thread that waits for ever repeats a round that reads the last writes in coherence order, since
// under a fair memory every read sees the last write in the end. So the encoding looks for a prefix in which no thread
// can continue, every waiting thread has just finished such a round, and all values that it reads in it are final.
// Rounds may write, as long as memory stays as it is: a spinning update writes back what it has read. Such writes do
// not count as newer values.

// UnsetRead is a read that may precede all writes to a location with an arbitrary initial value.
type UnsetRead struct {
	Read, Loc int
	Here      sat.Lit
}

// Unset returns the reads that may precede all writes.
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

// RaceFlag is the flag for data races of a kind, with a literal that is true if an execution raises it.
type RaceFlag struct {
	solver.RaceFlag
	Kind   solver.Clash
	Raised sat.Lit
}

// Races encodes the data races of a kind. If the model has no flag for them, it uses the flag of another model on the
// same execution.
func (r *Relations) Races(kind solver.Clash) (*RaceFlag, error) {
	flag := solver.Races(r.model, r.present)
	if kind == solver.OfLives && !flag.OfPairs() {
		flag = solver.SourceRaces(r.present)
	}
	ordered := r.Ordered
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
	clashing := r.clashing(kind, ordered)
	var raised []sat.Lit
	for _, a := range flag.Model.Flags[flag.Index].Checks {
		t := r.plan.Checks[a.Expr].Term
		m, have, err := r.eval(t, r.Common(clashing, r.may(t)), below)
		if err != nil {
			return nil, err
		}
		m.EachIn(have, func(_, _ int, l sat.Lit) { raised = append(raised, l) })
	}
	return &RaceFlag{flag, kind, r.Or(raised...)}, nil
}

// present reports whether some event has a tag, apart from the tags that spawning and joining threads add.
func (r *Relations) present(tag ir.Tag) bool {
	return slices.ContainsFunc(r.Events, func(e Event) bool {
		return e.Tags.Has(tag) && (e.Thread == models.InitThread || models.BarrierTags(
			r.Program.Threads[e.Thread].Code[e.Step].Op) == nil)
	})
}

// clashing returns the pairs of events that may be a data race of a kind, except for those that are ordered (unless
// nil).
func (r *Relations) clashing(kind solver.Clash, ordered func(a, b *Event) bool) *relation.Pairs {
	concerned := relation.NewBitset(len(r.Events))
	for i := range r.Events {
		e := &r.Events[i]
		if slices.ContainsFunc(e.Locs, func(l int) bool { return kind.Concerns(&r.Program.Locs[l], e.Tags) }) {
			concerned.Add(i)
		}
	}
	out := r.newPairs(len(r.Events))
	concerned.Each(func(a int) {
		out.Row(a).Or(concerned)
		if ordered == nil {
			return
		}
		concerned.Each(func(b int) {
			if ordered(&r.Events[a], &r.Events[b]) {
				out.Row(a).Remove(b)
			}
		})
	})
	return out
}

// WaitsForEver returns a literal that is true if no thread can continue and some thread waits for ever: each thread
// has ended, waits for another thread to end, is in a loop that only waits, waits for a condition although it reads
// the last writes, or is in a loop whose round leaves memory as it is.
func (r *Relations) WaitsForEver() sat.Lit {
	x := r.Prefix
	n := len(r.Events)
	all := []sat.Lit{x.entered(r.Encoding), x.Bound(r.Encoding).Not()}
	for _, c := range x.Claims {
		all = append(all, c.Fails.Not())
	}
	// A round at the end repeats its writes for ever, such as an update that takes a lock and leaves it as it is.
	again := make([]sat.Lit, n)
	for i := range again {
		again[i] = sat.False
	}
	last := make([]sat.Lit, n) // by read: it belongs to such a round
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
		// An assumption that is no wait excludes the execution if it fails.
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
		for _, c := range r.conds { // an update that failed spuriously may succeed next time
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
		if len(left.memory) > 0 { // another thread may have written something else in between
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

// comesAndGoes returns the conditions under which a wait in a library function is not for something that another
// thread has only during a round that leaves memory as it is. A lock that another thread releases and takes again and
// again is available in the end.
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

// idle returns a literal that is true if a write belongs to an update, or to a pair of exclusive accesses, and writes
// the value that its read returned.
func (r *Relations) idle(w *Event) sat.Lit {
	var is []sat.Lit
	for _, s := range w.pairs {
		read := &r.Events[r.first[s.Read.Thread][s.Read.Step]+w.Piece]
		is = append(is, r.And(s.Cond[0], r.EqualVec(w.value, read.value)))
	}
	return r.Or(is...)
}

// left is memory at the end, where rounds of loops may leave it as it is.
type left struct {
	*Relations
	memory map[int]sat.Vec // by location that such a round accesses
}

// newLeft finds the relevant locations and the values of their last writes.
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

// round reports whether an event belongs to the cut round.
func (c Cut) round(ev *Event) bool {
	return ev.Thread == c.Thread && ev.Step >= c.Since && ev.Step < c.Step
}

// last returns the value of the last write to a location.
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

// to returns a literal that is true if an access is to a location.
func (ev *Event) to(loc int) sat.Lit { return ev.at[slices.Index(ev.Locs, loc)] }

// same returns the conditions under which the thread, repeating the round alone, leaves memory as it is: it has read
// the final values, or what it wrote in the round itself, and its last writes leave the final values.
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

// reads returns the conditions under which a read, if it executes, returns the value in memory.
func (l *left) reads(ev *Event, here sat.Lit, memory map[int]sat.Vec) (all []sat.Lit) {
	for _, loc := range ev.Locs {
		if v := memory[loc]; v != nil {
			all = append(all, l.Or(here.Not(), ev.Guard.Not(), ev.to(loc).Not(), l.EqualVec(ev.value, v)))
		}
	}
	return all
}
