package sat

import (
	"context"
	"errors"
	"slices"
)

// Enumerate counts the assignments to some literals that extend to a solution of all clauses. It stops at limit and
// returns limit+1 if there are more. The caller must have passed the literals, and those of with, to Define.
//
// It is a solver of its own, for a clause per assignment is too much for one that starts anew with each: it learns from
// conflicts as usual, but decides the literals first, in the order given. A clause of its decisions alone excludes an
// assignment, and the search continues from the last decision. The enumerator keeps such clauses for good, so that it
// may forget learnt ones.
func (c *Circuit) Enumerate(ctx context.Context, over []Lit, limit int, are ...Lit) (n int, err error) {
	if c.unsat {
		return 0, nil
	}
	if c.graphs != nil {
		return 0, errors.New("BUG: only assignments of clauses can be counted")
	}
	return newEnumerator(c, over, are).run(ctx, limit)
}

// node is a literal of the enumerator: twice the variable, plus one if it is negated.
type node int32

func (x node) not() node { return x ^ 1 }

type watch struct {
	clause  int32
	blocker node // another of its literals: where it is true, so is the clause
}

type enumerator struct {
	index   []int32 // by the circuit's variable: its own, from 1
	clauses [][]node
	learnt  []int32 // the clauses that it may forget
	free    []int32 // forgotten ones
	watches [][]watch
	value   []int8  // by literal: 1 true, -1 false
	level   []int32 // by variable
	reason  []int32 // by variable: the clause that implies it, -1 for none
	phase   []bool  // by variable: negated when last assigned
	seen    []bool
	order   []int32 // variables, in the order of decisions
	over    int     // how many of them the caller counts
	trail   []node
	limits  []int // of the trail, by level
	next    []int // by level: where in order to look for the next decision
	head    int   // of the trail: propagated up to here
	unsat   bool
	most    int // the number of learnt clauses to keep
}

// newEnumerator makes an enumerator of the assignments to over that extend to an assignment of all clauses with are
// true. It renumbers variables, those of over first, because the enumerator decides in that order.
func newEnumerator(c *Circuit, over, are []Lit) *enumerator {
	e := &enumerator{index: make([]int32, len(c.gates)), next: []int{0}, most: forgetAfter}
	n := int32(0)
	name := func(l Lit) {
		if v := l.v(); v != 1 && e.index[v] == 0 {
			n++
			e.index[v] = n
			e.order = append(e.order, n)
		}
	}
	for _, l := range over {
		name(l)
	}
	e.over = len(e.order)
	for _, l := range are {
		name(l)
	}
	for _, clause := range c.clauses {
		for _, l := range clause {
			name(l)
		}
	}
	e.watches, e.value = make([][]watch, 2*n+2), make([]int8, 2*n+2)
	e.level, e.reason = make([]int32, n+1), make([]int32, n+1)
	e.phase, e.seen = make([]bool, n+1), make([]bool, n+1)
	for i := range e.phase {
		e.phase[i] = true
	}
	for _, l := range over { // try literals of over first
		e.phase[e.index[l.v()]] = l < 0
	}
	for _, clause := range c.clauses {
		e.given(clause)
	}
	for _, l := range are {
		e.given([]Lit{l})
	}
	return e
}

// given takes a clause of the circuit.
func (e *enumerator) given(clause []Lit) {
	var out []node
	for _, l := range clause {
		if l == True || slices.Contains(clause, -l) {
			return
		}
		x := node(2 * e.index[l.v()])
		if l < 0 {
			x++
		}
		if l != False && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	switch len(out) {
	case 0:
		e.unsat = true
	case 1:
		if e.value[out[0]] < 0 {
			e.unsat = true
		} else if e.value[out[0]] == 0 {
			e.assign(out[0], -1)
		}
	default:
		e.add(out)
	}
}

// add watches the first two literals of a clause.
func (e *enumerator) add(clause []node) int32 {
	at := int32(len(e.clauses))
	if n := len(e.free); n > 0 {
		at, e.free = e.free[n-1], e.free[:n-1]
		e.clauses[at] = clause
	} else {
		e.clauses = append(e.clauses, clause)
	}
	e.watches[clause[0].not()] = append(e.watches[clause[0].not()], watch{at, clause[1]})
	e.watches[clause[1].not()] = append(e.watches[clause[1].not()], watch{at, clause[0]})
	return at
}

func (e *enumerator) assign(x node, reason int32) {
	e.value[x], e.value[x.not()] = 1, -1
	v := x >> 1
	e.level[v], e.reason[v] = int32(len(e.limits)), reason
	e.trail = append(e.trail, x)
}

// propagate returns the violated clause, or -1.
func (e *enumerator) propagate() int32 {
	for e.head < len(e.trail) {
		x := e.trail[e.head]
		e.head++
		list := e.watches[x] // the clauses that watch x.not()
		kept := list[:0]
		for i := 0; i < len(list); i++ {
			w := list[i]
			if e.value[w.blocker] > 0 {
				kept = append(kept, w)
				continue
			}
			c := e.clauses[w.clause]
			if c[0] == x.not() {
				c[0], c[1] = c[1], c[0]
			}
			if e.value[c[0]] > 0 {
				kept = append(kept, watch{w.clause, c[0]})
				continue
			}
			moved := false
			for k := 2; k < len(c); k++ {
				if e.value[c[k]] >= 0 {
					c[1], c[k] = c[k], c[1]
					e.watches[c[1].not()] = append(e.watches[c[1].not()], watch{w.clause, c[0]})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, watch{w.clause, c[0]})
			if e.value[c[0]] < 0 {
				kept = append(kept, list[i+1:]...)
				e.watches[x] = kept
				return w.clause
			}
			e.assign(c[0], w.clause)
		}
		e.watches[x] = kept
	}
	return -1
}

// back undoes all levels above one.
func (e *enumerator) back(level int) {
	if len(e.limits) <= level {
		return
	}
	for _, x := range e.trail[e.limits[level]:] {
		e.value[x], e.value[x.not()] = 0, 0
		e.phase[x>>1] = x&1 == 1
	}
	e.trail = e.trail[:e.limits[level]]
	e.limits, e.next = e.limits[:level], e.next[:level+1]
	e.head = len(e.trail)
}

// learn finds the clause that a conflict comes to (first unique implication point), its first literal the one
// that it implies one level back, its second of the level to go back to.
func (e *enumerator) learn(conflict int32) []node {
	out := []node{0}
	open, at, x := 0, len(e.trail)-1, node(-1)
	here := int32(len(e.limits))
	for {
		for _, l := range e.clauses[conflict] {
			if v := l >> 1; l != x && !e.seen[v] && e.level[v] > 0 {
				e.seen[v] = true
				if e.level[v] == here {
					open++
				} else {
					out = append(out, l)
				}
			}
		}
		for !e.seen[e.trail[at]>>1] {
			at--
		}
		x = e.trail[at]
		e.seen[x>>1] = false
		at--
		if open--; open == 0 {
			break
		}
		conflict = e.reason[x>>1]
	}
	out[0] = x.not()
	for i := range out[1:] {
		if e.seen[out[i+1]>>1] = false; e.level[out[i+1]>>1] > e.level[out[1]>>1] {
			out[1], out[i+1] = out[i+1], out[1]
		}
	}
	return out
}

// imply adds a clause of false literals only, backtracks to where its first is implied, and makes it true. A clause of
// one literal is none of those added: -1.
func (e *enumerator) imply(clause []node) (at int32) {
	if len(clause) == 1 {
		e.back(0)
		e.assign(clause[0], -1)
		return -1
	}
	e.back(int(e.level[clause[1]>>1]))
	at = e.add(clause)
	e.assign(clause[0], at)
	return at
}

// decide assigns the next variable, and reports whether there was one.
func (e *enumerator) decide() (ok bool) {
	i := e.next[len(e.limits)]
	for ; i < len(e.order); i++ {
		if v := e.order[i]; e.value[2*v] == 0 {
			x := node(2 * v)
			if e.phase[v] {
				x++
			}
			e.next[len(e.limits)] = i
			e.limits, e.next = append(e.limits, len(e.trail)), append(e.next, i+1)
			e.assign(x, -1)
			return true
		}
	}
	return false
}

// forgetAfter is the number of learnt clauses at which the enumerator forgets the longer half.
const forgetAfter = 1 << 14

// run counts assignments up to limit, excluding each by a clause. If there are more, it returns limit + 1. It ends
// early with ctx's error.
func (e *enumerator) run(ctx context.Context, limit int) (n int, err error) {
	for steps := 0; !e.unsat; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if conflict := e.propagate(); conflict >= 0 {
			if len(e.limits) == 0 {
				break
			}
			if at := e.imply(e.learn(conflict)); at >= 0 {
				if e.learnt = append(e.learnt, at); len(e.learnt) > e.most {
					e.forget()
				}
			}
			continue
		}
		if e.decide() {
			continue
		}
		if n++; n > limit {
			break
		}
		clause := e.exclude()
		if len(clause) == 0 {
			break
		}
		e.imply(clause)
	}
	return n, nil
}

// exclude is the clause that negates the decisions on over, the last of them first.
func (e *enumerator) exclude() []node {
	var out []node
	for level := len(e.limits) - 1; level >= 0; level-- {
		if e.next[level] < e.over {
			out = append(out, e.trail[e.limits[level]].not())
		}
	}
	return out
}

// forget drops the longer half of what was learnt, but what implies something now.
func (e *enumerator) forget() {
	slices.SortStableFunc(e.learnt, func(a, b int32) int { return len(e.clauses[a]) - len(e.clauses[b]) })
	kept := e.learnt[:len(e.learnt)/2]
	dropped := map[int32]bool{}
	for _, at := range e.learnt[len(e.learnt)/2:] {
		if x := e.clauses[at][0]; e.value[x] > 0 && e.reason[x>>1] == at {
			kept = append(kept, at)
		} else {
			dropped[at] = true
		}
	}
	for i, list := range e.watches {
		e.watches[i] = slices.DeleteFunc(list, func(w watch) bool { return dropped[w.clause] })
	}
	for at := range dropped {
		e.clauses[at] = nil
		e.free = append(e.free, at)
	}
	e.learnt = kept
}
