package sequential

import "litmuscope/solver/sat"

// memory is a shared memory abstraction: what tomasco-2016, Section II, calls an SMA. Its operations are laid out in
// the order of the sequential program, each under a guard; where that is false, nothing happens. An access by address
// is one to each possible location, under guards of which exactly one is true.
//
// A memory may guess. Since a statement executes in at most one round, the memory guesses once for it, not once a
// round.
type memory interface {
	// turn begins a turn of thread t where active is true. It reports whether that changes anything, so that a turn is
	// useful although it executes no statement.
	turn(t int, active sat.Lit) (useful sat.Lit)
	// before is what memory may do by itself before s.
	before(g sat.Lit, s *statement)
	// read is the payload that s finds at loc.
	read(g sat.Lit, s *statement, loc int) sat.Vec
	// write has s write v to loc.
	write(g sat.Lit, s *statement, loc int, v sat.Vec)
	// update reads loc and, where writes is true, writes v there, both in memory itself
	// and in one step; the thread's own writes have all reached memory.
	update(g, writes sat.Lit, s *statement, loc int, v sat.Vec) (old sat.Vec)
	// fence waits, or has others wait.
	fence(g sat.Lit, s *statement)
	// drained is true where nothing of thread t waits.
	drained(t int) sat.Lit
	// premature is true if s, as the last statement of its turn, might as well execute in a later one.
	premature(s *statement) sat.Lit
	// close has all that is still waiting reach memory.
	close()
	// cut is in its place where runs may stop anywhere, with what still waits.
	cut()
	// final is the payload at loc after close.
	final(loc int) sat.Vec

	// flushed gives the stores, among those that wait, which reach memory at point number i: turns, statements and
	// close, in the order they were laid out. The caller asks before the statement, and after it, with the statement's
	// own store waiting.
	flushed(m *sat.Assignment, i int, after bool, waiting []*statement) []*statement
	// annotate adds what memory keeps after point i to a step of a trace, given the
	// stores that wait.
	annotate(m *sat.Assignment, i int, waiting []*statement, n *note)
}

// gates are the connectives from which memories build formulas.
type gates struct{ *sat.Circuit }

// under asserts that one of the literals holds where g does.
func (c gates) under(g sat.Lit, lits ...sat.Lit) {
	if g != sat.False {
		c.Assert(append([]sat.Lit{g.Not()}, lits...)...)
	}
}

// sameUnder asserts that x and y are the same where g holds.
func (c gates) sameUnder(g sat.Lit, x, y sat.Vec) {
	for i := range x {
		if x[i] != y[i] {
			c.under(g, x[i].Not(), y[i])
			c.under(g, x[i], y[i].Not())
		}
	}
}

// atMost is true where x is no more than y.
func (c gates) atMost(x, y sat.Vec) sat.Lit { return c.Less(y, x).Not() }

// number is a variable number of some width.
func (c gates) number(width int) sat.Vec {
	out := make(sat.Vec, width)
	for i := range out {
		out[i] = c.Var()
	}
	return out
}

// index is a position in an array, one literal for each, of which exactly one is true.
type index []sat.Lit

// constIndex is position i of n.
func constIndex(i, n int) index {
	out := make(index, n)
	for k := range out {
		out[k] = sat.Const(k == i)
	}
	return out
}

// guess is a variable position of n.
func (c gates) guess(n int) index {
	if n == 1 {
		return index{sat.True}
	}
	out := make(index, n)
	for i := range out {
		out[i] = c.Var()
		for _, other := range out[:i] {
			c.Assert(out[i].Not(), other.Not())
		}
	}
	c.Assert(out...)
	return out
}

// element is the element of an array at i, which may be a vector of literals as well.
func element[V ~[]sat.Lit](c gates, i index, array []V) V {
	out := make(V, len(array[0]))
	ones := make([]sat.Lit, len(array))
	for b := range out {
		for k, v := range array {
			ones[k] = c.And(i[k], v[b])
		}
		out[b] = c.Or(ones...)
		if allEqual(array, b) {
			out[b] = array[0][b]
		}
	}
	return out
}

func allEqual[V ~[]sat.Lit](array []V, b int) bool {
	for _, v := range array {
		if v[b] != array[0][b] {
			return false
		}
	}
	return true
}

// put sets the element of an array at i, where g holds.
func put[V ~[]sat.Lit](c gates, g sat.Lit, array []V, i index, v V) {
	for k := range array {
		array[k] = choose(c, c.And(g, i[k]), v, array[k])
	}
}

// choose is x where g holds, y elsewhere.
func choose[V ~[]sat.Lit](c gates, g sat.Lit, x, y V) V {
	out := make(V, len(y))
	for b := range y {
		out[b] = c.Ite(g, x[b], y[b])
	}
	return out
}

// chosen is the position of an index in a model.
func chosen(m *sat.Assignment, i index) int {
	for k, l := range i {
		if m.True(l) {
			return k
		}
	}
	return -1
}
