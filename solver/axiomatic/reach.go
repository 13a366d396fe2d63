package axiomatic

import (
	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// What a relation followed by the closure of another comes to, above: row by row, along
// the steps of the closure, rather than by the closure as a matrix of its own. Steps that
// may lead back to an event that was passed take a variable there, implied by what comes
// in; all else are gates. So paths in one direction cost no variable, and most rows have
// few that turn.
//
// Where program order is among the steps, as far as it is certain, a path may as well pass events that are not
// executed, for program order leads past these: whoever is before such an event is before what is behind it. So only steps
// to what comes next are left of it, and these are certain; that both ends are executed is said at the end.

// closureOf takes an expression for a closure, be it by name, where it is to be evaluated
// above.
func (r *relations) closureOf(e cat.Expr, s side) (u cat.Unary, ok bool) {
	for s == above {
		if ref, named := e.(cat.Ref); named && ref.Def.Group == nil {
			e = ref.Def.Body
			continue
		}
		u, ok = e.(cat.Unary)
		return u, ok && (u.Op == cat.Star || u.Op == cat.Plus)
	}
	return u, false
}

// closing is a closure by itself: from each event, its steps, and what is reached from there.
func (r *relations) closing(u cat.Unary, want rows) (*matrix, error) {
	x, err := r.eval(u.X, want, above)
	if err != nil {
		return nil, err
	}
	m := r.none()
	if !x.isBare(want) {
		st, err := r.stepping(u.X, x.used(want))
		if err != nil {
			return nil, err
		}
		m = r.newMatrix(x.n, x.n)
		from := make([]sat.Lit, x.n)
		for a := range x.n {
			if !want.has(a) {
				continue
			}
			clear(from)
			from[a] = x.row(a)[a]
			for _, s := range st.next[a] {
				from[s.to] = s.lit
			}
			st.walk(from, m.row(a))
			st.executed(a, m.row(a))
		}
	}
	if u.Op == cat.Plus {
		return m, nil
	}
	return r.union(m, r.base("id"), want), nil
}

// reach is x ; e*, or without none x ; e+.
func (r *relations) reach(x *matrix, e cat.Expr, want rows, none bool) (*matrix, error) {
	if !none {
		columns := x.columns(want)
		y, err := r.eval(e, columns, above)
		if err != nil || y.isBare(columns) {
			return r.none(), err
		}
		x = r.sequence(x, y, want)
	}
	if x.isBare(want) {
		return x, nil
	}
	st, err := r.stepping(e, x.columns(want))
	if err != nil {
		return nil, err
	}
	m := r.newMatrix(x.n, x.n)
	for a := range x.n {
		if want.has(a) {
			st.walk(x.row(a), m.row(a))
			st.executed(a, m.row(a))
		}
	}
	return m, nil
}

// stepping is the steps of a closure, from those events that are asked for and what can
// be reached from them.
type stepping struct {
	*relations
	expr cat.Expr
	done rows
	// next has no step that others make up for.
	next [][]step
	past bool // paths pass events that are not executed
}

type step struct {
	to  int
	lit sat.Lit
}

// stepping gives the steps of e from some events on.
func (r *relations) stepping(e cat.Expr, from rows) (*stepping, error) {
	st := r.steps[e]
	if st == nil {
		st = &stepping{relations: r, expr: e, done: make(rows, len(r.events))}
		r.steps[e] = st
	}
	more := false
	for a, asked := range from {
		more = more || asked && !st.done[a]
	}
	if !more {
		return st, nil
	}
	done := append(rows(nil), st.done...)
	for more {
		more = false
		for a, asked := range from {
			done[a] = done[a] || asked
		}
		m, err := r.eval(e, done, above)
		if err != nil {
			return nil, err
		}
		from = m.columns(done)
		for b, reached := range from {
			more = more || reached && !done[b]
		}
		if !more {
			st = &stepping{relations: r, expr: e, done: done}
			st.thin(m)
			r.steps[e] = st
		}
	}
	return st, nil
}

// thin leaves out each step for which there is a way round that is certain but for a step
// with the same literal. What is certain both ways makes up for nothing, so that no two
// steps make up for each other.
func (st *stepping) thin(m *matrix) {
	n := m.n
	kept := st.kept(m)
	st.past = kept != nil
	certain := make([]bool, n*n)
	for a := range n {
		if st.done[a] {
			for b, l := range m.row(a) {
				certain[a*n+b] = l == sat.True && a != b || st.past && kept[a].has(b)
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
		if !st.done[a] {
			continue
		}
		for b, l := range m.row(a) {
			if st.past && kept[a].has(b) {
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

// kept is program order as far as it is certain, where the steps have all of it, between events that are both executed, and it is
// transitive; else nil.
func (st *stepping) kept(m *matrix) []bitset {
	out := make([]bitset, m.n)
	some := false
	for a := range m.n {
		out[a] = newBitset(m.n)
		for b := range m.n {
			if st.done[a] && st.done[b] && a != b && st.certain(a, b) && st.Covers(m.get(a, b), st.both(a, b)) {
				out[a].add(b)
				some = true
			}
		}
	}
	if !some {
		return nil
	}
	for _, behind := range out {
		if behind.any(func(b int) bool { return !out[b].within(behind) }) {
			return nil
		}
	}
	return out
}

// executed has what is reached from an event, which paths may have come to past events that are not executed, mean that both are.
func (st *stepping) executed(a int, out []sat.Lit) {
	if !st.past {
		return
	}
	for b, l := range out {
		if l != 0 {
			if out[b] = st.And(l, st.both(a, b)); out[b] == sat.False {
				out[b] = 0
			}
		}
	}
}

func (st *stepping) spare(m *matrix, a, b int, l sat.Lit, before func(a, b int) bool) bool {
	if l != sat.True && before(a, b) {
		return true
	}
	for k := range m.n {
		switch {
		case k == a || k == b:
		case l == sat.True && before(a, k) && before(k, b),
			l != sat.True && before(a, k) && m.lits[k*m.n+b] == l,
			l != sat.True && before(k, b) && m.lits[a*m.n+k] == l:
			return true
		}
	}
	return false
}

// walk gives what is reached from where a row leads.
func (st *stepping) walk(from, out []sat.Lit) {
	n := len(from)
	var order []int // what is reached, each behind all that it leads to, but for ways back
	place := make([]int, n)
	var visit func(a int)
	visit = func(a int) {
		place[a] = -1
		for _, s := range st.next[a] {
			if place[s.to] == 0 {
				visit(s.to)
			}
		}
		order = append(order, a)
		place[a] = len(order)
	}
	certain := make([]bool, n)
	for _, sure := range []bool{true, false} {
		for a, l := range from {
			if l != 0 && (l == sat.True) == sure && place[a] == 0 {
				visit(a)
			}
		}
	}
	st.sure(from, certain)
	ways := make([][]sat.Lit, n)
	back := make([]bool, n)
	for a := range n {
		if from[a] != 0 {
			ways[a] = append(ways[a], from[a])
		}
		for _, s := range st.next[a] {
			back[s.to] = back[s.to] || place[a] > 0 && place[a] <= place[s.to]
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		a := order[i]
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
			if certain[s.to] {
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

// sure marks what is certainly reached.
func (st *stepping) sure(from []sat.Lit, certain []bool) {
	var work []int
	mark := func(a int) {
		if !certain[a] {
			certain[a] = true
			work = append(work, a)
		}
	}
	for a, l := range from {
		if l == sat.True {
			mark(a)
		}
	}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range st.next[a] {
			if s.lit == sat.True {
				mark(s.to)
			}
		}
	}
}
