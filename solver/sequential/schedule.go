package sequential

import "litmuscope/solver/sat"

// A schedule is the sequential program of inverso-2014, Section 3. In each round every thread has a turn, which
// continues from the label where its last one ended. How far a turn gets is a literal for each label: now[j] says that
// the thread has passed label j. So the test of the macro J, pc <= j < cs, is the one literal past, the other not; and
// the macro G, which forbids that a turn ends at a skipped label, one clause.
//
// One interleaving would fit into the rounds in many ways. Each turn is to come as early as it can: the first turn of a
// round does not belong to a thread up to the one that had the last turn of the round before. None ends between a fence
// and a load. If stores issue early, no turn ends before one; if they issue late, no turn ends with one that waits.
type schedule struct {
	*program
	gates
	memory memory
	rounds int
	early  bool
	past   [][]sat.Lit // by thread and label: how far it has got
	active [][]sat.Lit // by round and thread
	points []point
	sizes  map[string]int // gates by what they are for
}

// point is a place in the sequential program that concerns memory: the start of a turn, or a statement, which executes
// if exec is true.
type point struct {
	round, thread int
	statement     *statement // nil for a turn
	exec          sat.Lit
}

// newSchedule lays the statements out in rounds over a memory. With idle, a turn may do nothing but move the thread's
// writes; with early, stores issue early. It gives up with the error of cancelled.
func newSchedule(p *program, m memory, rounds int, idle, early bool, cancelled func() error) (*schedule, error) {
	s := &schedule{
		program: p, gates: gates{p.circuit}, memory: m, rounds: rounds, early: early,
		sizes: map[string]int{},
	}
	s.past = make([][]sat.Lit, len(p.threads))
	for t := range s.past {
		s.past[t] = make([]sat.Lit, p.labelled[t])
		for j := range s.past[t] {
			s.past[t][j] = sat.False
		}
	}
	for r := range rounds {
		s.active = append(s.active, make([]sat.Lit, len(p.threads)))
		for t := range p.threads {
			if err := cancelled(); err != nil {
				return nil, err
			}
			past := s.past[t]
			now := s.guessSwitch(t, past, r == rounds-1 && p.prefix == nil)
			moves := s.moves(past, now)
			active := moves
			if idle {
				active = s.Or(moves, s.Var())
			}
			s.active[r][t] = active
			s.soon(r, t)
			useful := s.turn(r, t, active, past, now)
			s.Assert(active.Not(), moves, useful)
			s.past[t] = now
		}
	}
	if p.prefix == nil {
		s.measure("close", m.close)
		return s, nil
	}
	m.cut()
	for _, c := range p.prefix.required {
		s.Assert(s.at(c).Not())
	}
	return s, nil
}

// guessSwitch guesses how far a turn gets; the last one gets to the end.
func (s *schedule) guessSwitch(t int, past []sat.Lit, last bool) []sat.Lit {
	now := make([]sat.Lit, len(past))
	before := s.begun(t)
	for _, st := range s.threads[t] {
		j := st.label
		switch {
		case j < 0:
			continue
		case last:
			now[j] = sat.True
		case st.tied, s.early && st.kind == store:
			now[j] = before
		default:
			now[j] = s.Var()
			s.Assert(past[j].Not(), now[j])
			s.Assert(now[j].Not(), before)
		}
		s.Assert(before.Not(), now[j], st.guard)
		before = now[j]
	}
	return now
}

// moves is true where a turn gets past some label.
func (s *schedule) moves(past, now []sat.Lit) sat.Lit {
	var some []sat.Lit
	for j := range now {
		some = append(some, s.And(past[j].Not(), now[j]))
	}
	return s.Or(some...)
}

// soon has thread t come first in round r only after a thread with a higher number.
func (s *schedule) soon(r, t int) {
	if r == 0 {
		return
	}
	clause := append([]sat.Lit{s.active[r][t].Not()}, s.active[r][:t]...)
	s.Assert(append(clause, s.active[r-1][t+1:]...)...)
}

// turn lays out a thread's statements once. It reports whether the turn is useful without any of them.
func (s *schedule) turn(r, t int, active sat.Lit, past, now []sat.Lit) (useful sat.Lit) {
	s.points = append(s.points, point{r, t, nil, active})
	s.measure("turn", func() { useful = s.memory.turn(t, active) })
	var late, executed []sat.Lit
	for _, st := range s.threads[t] {
		if st.label < 0 {
			continue
		}
		g := s.And(st.guard, past[st.label].Not(), now[st.label])
		s.points = append(s.points, point{r, t, st, g})
		s.measure("before", func() { s.memory.before(g, st) })
		s.measure(st.kind.String(), func() { s.execute(g, st) })
		late, executed = append(late, s.And(g, s.memory.premature(st)).Not()), append(executed, g)
	}
	for i := range late {
		s.Assert(append([]sat.Lit{late[i]}, executed[i+1:]...)...)
	}
	return useful
}

// execute lays out a statement where g holds.
func (s *schedule) execute(g sat.Lit, st *statement) {
	switch st.kind {
	case join:
		s.under(g, s.ended(st.other))
		s.under(g, s.memory.drained(st.other))
		fallthrough
	case fence, spawn, enter:
		s.memory.fence(g, st)
		return
	}
	if st.try {
		g = s.And(g, st.succeeds)
	}
	for i, loc := range st.locs {
		g := s.And(g, st.at[i])
		switch st.kind {
		case load:
			s.sameUnder(g, st.read, s.memory.read(g, st, loc))
		case store:
			s.memory.write(g, st, loc, s.payload(st, loc))
		case update:
			s.sameUnder(g, st.read, s.memory.update(g, st.writes, st, loc, s.payload(st, loc)))
		}
	}
}

// measure counts the gates that f makes.
func (s *schedule) measure(what string, f func()) {
	before := s.Vars()
	f()
	s.sizes[what] += s.Vars() - before
}
