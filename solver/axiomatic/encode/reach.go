package encode

import (
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// This file encodes a relation followed by a closure, x ; e*, above: row by row, along the steps of the closure,
// without a matrix for e*. From an event it follows the steps in depth-first order. An event whose predecessors on all
// paths are known gets a gate. A step that leads back to an earlier event needs a variable there, which its
// predecessors imply: the variable may be true without a path, and this is what "above" permits. So acyclic paths cost
// no variables, and most rows have few events that need one.
//
// If the steps include all certain pairs of program order, then paths may pass events that do not execute: program
// order leads past these, because an event before such an event precedes those after it. So only the steps to the next
// events remain of program order, and these are certain. In the end, it restricts the result to events that execute.

// closing evaluates a closure by itself: from each event, its steps and what these reach.
func (r *Relations) closing(u *plan.Term, want *relation.Pairs) (*relation.Matrix, error) {
	n := len(r.Events)
	m := r.NewMatrix(n, n)
	if u.Unary == cat.Star {
		id := r.identity()
		r.base("id").EachIn(r.Common(want, id), func(a, b int, l sat.Lit) { m.Set(a, b, l) })
		want = r.Without(want, id)
	}
	onward := r.onward(u.X)
	needed := r.LeadsTo(onward, onward, want)
	st, err := r.stepping(u.X, needed)
	if err != nil {
		return nil, err
	}
	needs := map[int]relation.Bitset{} // by start of a row: what its users need
	for a := range n {
		if want.Row(a).First() >= 0 {
			start := st.start(a)
			if needs[start] == nil {
				needs[start] = relation.NewBitset(n)
			}
			needs[start].Or(needed.Row(a))
		}
	}
	out := make([]sat.Lit, n)
	for a := range n {
		asked := want.Row(a)
		if asked.First() < 0 {
			continue
		}
		start := st.start(a)
		copy(out, st.row(start, needs[start]))
		for at := a; at != start; {
			at = st.next[at][0].to
			out[at] = sat.True
		}
		st.reached(a, asked, out, m)
	}
	return m, nil
}

// Rows of a closure are mostly alike. If the only step from an event is certain, as that of program order from an event
// that does not synchronise, then the event reaches the end of this step and exactly what that end reaches. So such
// events share the row of the first event behind them that has other steps (start). Under RC11, where happens-before
// has a row for each event, the gates of a program then grow with the number of releases, not of accesses. Questions
// about other pairs of the same closure share rows, too.
//
// The sharing is exact: with next(a) = {b} and certain, a ; e+ = {b} ∪ b ; e+, whatever cycles there are.

// closedRow is what an event reaches, computed among some events.
type closedRow struct {
	among relation.Bitset
	out   []sat.Lit
}

// start returns the event whose row that of a contains: the first that has not exactly one step, a certain one, on the
// way from a. On a circle of such events, each has a row of its own.
func (st *stepping) start(a int) int {
	at := a
	for range st.next {
		if len(st.next[at]) != 1 || st.next[at][0].lit != sat.True || st.loops[at] != 0 {
			return at
		}
		at = st.next[at][0].to
	}
	return a
}

// row returns what an event reaches among the needed events, at least.
func (st *stepping) row(a int, needed relation.Bitset) []sat.Lit {
	known := st.rows[a]
	if known != nil && needed.Within(known.among) {
		return known.out
	}
	n := len(st.next)
	among := relation.NewBitset(n)
	among.Or(needed)
	if known != nil {
		among.Or(known.among)
	}
	from, out := make([]sat.Lit, n), make([]sat.Lit, n)
	from[a] = st.loops[a]
	for _, s := range st.next[a] {
		from[s.to] = s.lit
	}
	st.walk(from, out, among)
	st.rows[a] = &closedRow{among, out}
	return out
}

// reach evaluates x ; e* or x ; e+. have must contain all pairs of x that matter.
func (r *Relations) reach(
	x *relation.Matrix, have *relation.Pairs, u *plan.Term, want *relation.Pairs,
) (*relation.Matrix, error) {
	onward := r.onward(u.X)
	if u.Unary == cat.Plus {
		first := r.may(u.X)
		through := r.LeadsTo(r.ThenPairs(have, first), onward, want)
		asked := r.newPairs(x.N)
		x.EachIn(have, func(a, b int, _ sat.Lit) {
			to := asked.Row(b)
			for i, w := range through.Row(a) {
				to[i] |= w & first.Row(b)[i]
			}
		})
		y, on, err := r.eval(u.X, asked, above)
		if err != nil {
			return nil, err
		}
		x, have = r.sequence(x, have, y, on, through), through
	}
	needed := r.LeadsTo(r.ThenPairs(r.pairsAmong(x, have), onward), onward, want)
	st, err := r.stepping(u.X, needed)
	if err != nil {
		return nil, err
	}
	m := r.NewMatrix(x.N, x.N)
	from, out := make([]sat.Lit, x.N), make([]sat.Lit, x.N)
	for a := range x.N {
		some := needed.Row(a)
		if some.First() < 0 {
			continue
		}
		clear(from)
		have.Row(a).Each(func(b int) { from[b] = x.At(a, b) })
		st.walk(from, out, some)
		st.reached(a, want.Row(a), out, m)
	}
	return m, nil
}

// stepping has the steps of a closure among some events.
type stepping struct {
	*Relations
	done relation.Bitset
	// next has no step that others replace.
	next  [][]step
	loops []sat.Lit // steps from events to themselves
	past  bool      // paths may pass events that do not execute
	rows  map[int]*closedRow

	// Buffers of walk.
	order   []int
	place   []int
	ways    [][]sat.Lit
	certain []bool
	back    []bool
}

type step struct {
	to  int
	lit sat.Lit
}

// stepping returns the steps of a closure among the events that paths may pass. It caches them per term and computes
// them again only for more events.
func (r *Relations) stepping(t *plan.Term, paths *relation.Pairs) (*stepping, error) {
	n := len(r.Events)
	done := relation.NewBitset(n)
	for a := range n {
		if row := paths.Row(a); row.First() >= 0 {
			done.Add(a)
			done.Or(row)
		}
	}
	if st := r.known[t.ID].steps; st != nil {
		if done.Within(st.done) {
			return st, nil
		}
		done.Or(st.done)
	}
	want := r.newPairs(n)
	may := r.may(t)
	done.Each(func(a int) {
		for i, w := range may.Row(a) {
			want.Row(a)[i] = w & done[i]
		}
	})
	m, have, err := r.eval(t, want, above)
	if err != nil {
		return nil, err
	}
	st := &stepping{
		Relations: r, done: done, loops: make([]sat.Lit, n), place: make([]int, n), ways: make([][]sat.Lit, n),
		certain: make([]bool, n), back: make([]bool, n), rows: map[int]*closedRow{},
	}
	m = r.Only(m, have)
	for a := range n {
		st.loops[a] = m.At(a, a)
	}
	st.thin(m)
	r.known[t.ID].steps = st
	return st, nil
}

// thin removes each step that a detour of certain steps, and one step with the same literal, replaces. Events that
// certainly reach each other replace nothing, so that no two steps replace each other.
func (st *stepping) thin(m *relation.Matrix) {
	n := m.N
	kept := st.kept(m)
	st.past = kept != nil
	certain := make([]bool, n*n)
	for a := range n {
		if st.done.Has(a) {
			for b := range n {
				l := m.At(a, b)
				certain[a*n+b] = l == sat.True && a != b || st.past && kept[a].Has(b)
			}
		}
	}
	for k := range n {
		for a := range n {
			if certain[a*n+k] {
				for b := range n {
					certain[a*n+b] = certain[a*n+b] || certain[k*n+b]
				}
			}
		}
	}
	before := func(a, b int) bool { return certain[a*n+b] && !certain[b*n+a] }
	st.next = make([][]step, n)
	for a := range n {
		if !st.done.Has(a) {
			continue
		}
		for b := range n {
			l := m.At(a, b)
			if st.past && kept[a].Has(b) {
				l = sat.True
			}
			if l == 0 || a == b {
				continue
			}
			if !st.spare(m, a, b, l, before) {
				st.next[a] = append(st.next[a], step{b, l})
			}
		}
	}
}

// kept returns the certain part of program order, if the steps contain it between all events that may both execute and
// it is transitive among these; else nil. Without transitivity a path could pass events between which there are no
// steps.
func (st *stepping) kept(m *relation.Matrix) []relation.Bitset {
	out, never := make([]relation.Bitset, m.N), make([]relation.Bitset, m.N)
	some := false
	for a := range m.N {
		out[a], never[a] = relation.NewBitset(m.N), relation.NewBitset(m.N)
		for b := range m.N {
			if !st.done.Has(a) || !st.done.Has(b) || a == b || !st.Encoding.certain(a, b) {
				continue
			}
			switch both := st.both(a, b); {
			case both == sat.False:
				never[a].Add(b)
			case st.Covers(m.Get(a, b), both):
				out[a].Add(b)
				some = true
			}
		}
	}
	if !some {
		return nil
	}
	for a, behind := range out {
		all := relation.NewBitset(m.N)
		all.Or(behind)
		all.Or(never[a])
		if behind.Any(func(b int) bool { return !out[b].Within(all) }) {
			return nil
		}
	}
	return out
}

// reached stores the asked pairs of what an event reaches. If paths may pass events that do not execute, it adds that
// both ends execute.
func (st *stepping) reached(a int, asked relation.Bitset, out []sat.Lit, m *relation.Matrix) {
	asked.Each(func(b int) {
		if out[b] == 0 {
			return
		}
		l := out[b]
		if st.past {
			l = st.And(l, st.both(a, b))
		}
		m.Set(a, b, st.Or(m.Get(a, b), l))
	})
}

// spare reports whether other steps replace the step from a to b with literal l.
func (st *stepping) spare(m *relation.Matrix, a, b int, l sat.Lit, before func(a, b int) bool) bool {
	if l != sat.True && before(a, b) {
		return true
	}
	for k := range m.N {
		switch {
		case k == a || k == b:
		case l == sat.True && before(a, k) && before(k, b),
			l != sat.True && before(a, k) && m.At(k, b) == l,
			l != sat.True && before(k, b) && m.At(a, k) == l:
			return true
		}
	}
	return false
}

// walk computes in out the literals of what the events of from reach, among the necessary events.
func (st *stepping) walk(from, out []sat.Lit, needed relation.Bitset) {
	clear(out)
	clear(st.place)
	clear(st.certain)
	clear(st.back)
	st.order = st.order[:0] // events in postorder: each follows all that it leads to, except along back edges
	place, certain, back, ways := st.place, st.certain, st.back, st.ways
	for _, sure := range []bool{true, false} {
		needed.Each(func(a int) {
			if l := from[a]; l != 0 && (l == sat.True) == sure && place[a] == 0 {
				st.visit(a, needed)
			}
		})
	}
	st.sure(from, needed)
	for _, a := range st.order {
		ways[a] = ways[a][:0]
		if from[a] != 0 {
			ways[a] = append(ways[a], from[a])
		}
		for _, s := range st.next[a] {
			back[s.to] = back[s.to] || place[a] <= place[s.to]
		}
	}
	for i := len(st.order) - 1; i >= 0; i-- {
		a := st.order[i]
		switch {
		case certain[a]:
			out[a] = sat.True
		case back[a]:
			out[a] = st.Var()
			for _, l := range ways[a] {
				st.Imply(l, out[a])
			}
		default:
			if l := st.Or(ways[a]...); l != sat.False {
				out[a] = l
			}
		}
		if out[a] == 0 {
			continue
		}
		for _, s := range st.next[a] {
			if certain[s.to] || !needed.Has(s.to) {
				continue
			}
			l := st.And(out[a], s.lit)
			if place[a] <= place[s.to] {
				st.Imply(l, out[s.to])
			} else if l != sat.False {
				ways[s.to] = append(ways[s.to], l)
			}
		}
	}
}

func (st *stepping) visit(a int, needed relation.Bitset) {
	st.place[a] = -1
	for _, s := range st.next[a] {
		if st.place[s.to] == 0 && needed.Has(s.to) {
			st.visit(s.to, needed)
		}
	}
	st.order = append(st.order, a)
	st.place[a] = len(st.order)
}

// sure marks the events that from certainly reaches.
func (st *stepping) sure(from []sat.Lit, needed relation.Bitset) {
	var work []int
	mark := func(a int) {
		if !st.certain[a] {
			st.certain[a] = true
			work = append(work, a)
		}
	}
	needed.Each(func(a int) {
		if from[a] == sat.True {
			mark(a)
		}
	})
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range st.next[a] {
			if s.lit == sat.True && needed.Has(s.to) {
				mark(s.to)
			}
		}
	}
}
