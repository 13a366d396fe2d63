package sat

import "slices"

// checked checks assignments one after another. Consecutive solutions of a list differ little. So it looks only at
// clauses with a literal that has become false, and at new clauses; an earlier check covers all others, whose true
// literal has not changed.
type checked struct {
	flat  []Lit  // clauses, each behind its length
	count int    // how many they are
	times int    // that assignments passed, up to manyTimes
	last  []bool // the last that did; nil where there is none

	indexed int     // so much of flat is in
	starts  []int32 // by literal: where its part of places begins
	places  []int32 // in flat, of the clauses that have it
}

// It pays for formulas of so many literals, from that many assignments on.
const (
	manyLiterals = 1 << 11
	manyTimes    = 4
)

// broken gives a clause that an assignment, by variable, does not satisfy, or nil. Clauses may have come since it was
// last called, and none may have gone.
func (k *checked) broken(clauses [][]Lit, model []bool) []Lit {
	if k.times < manyTimes { // most formulas answer fewer questions
		for _, c := range clauses {
			if !satisfied(c, model) {
				return c
			}
		}
		k.times++
		return nil
	}
	size := 0
	for _, c := range clauses[k.count:] {
		size += 1 + len(c)
	}
	k.flat = slices.Grow(k.flat, size)
	for _, c := range clauses[k.count:] {
		k.flat = append(append(k.flat, Lit(len(c))), c...)
	}
	k.count = len(clauses)
	bad := k.look(model)
	if bad != nil {
		k.last = nil
		return bad
	}
	k.last = append(k.last[:0], model...)
	return nil
}

// look gives an unsatisfied clause, or nil.
func (k *checked) look(model []bool) []Lit {
	if len(k.flat) < manyLiterals || k.last == nil {
		return k.first(0, model)
	}
	if k.indexed*2 < len(k.flat) {
		k.index(len(model))
		return k.first(0, model)
	}
	for v, is := range model {
		if is == k.last[v] {
			continue
		}
		l := 2 * v // what has become false
		if is {
			l++
		}
		for _, at := range k.places[k.starts[l]:k.starts[l+1]] {
			if c := k.clause(int(at)); !satisfied(c, model) {
				return c
			}
		}
	}
	return k.first(k.indexed, model)
}

// first is the first clause from a place on that an assignment does not satisfy, or nil.
func (k *checked) first(at int, model []bool) []Lit {
	for at < len(k.flat) {
		c := k.clause(at)
		if !satisfied(c, model) {
			return c
		}
		at += 1 + len(c)
	}
	return nil
}

func (k *checked) clause(at int) []Lit { return k.flat[at+1 : at+1+int(k.flat[at])] }

func satisfied(c []Lit, model []bool) bool {
	for _, l := range c {
		if l > 0 && model[l] || l < 0 && !model[-l] {
			return true
		}
	}
	return false
}

// index notes the places of all clauses by literal, over so many variables.
func (k *checked) index(variables int) {
	k.indexed = len(k.flat)
	starts := make([]int32, 2*variables+2) // by literal, one on
	each := func(f func(literal int, at int32)) {
		for at := 0; at < len(k.flat); {
			c := k.clause(at)
			for _, l := range c {
				if l > 0 {
					f(2*int(l), int32(at))
				} else {
					f(-2*int(l)+1, int32(at))
				}
			}
			at += 1 + len(c)
		}
	}
	each(func(l int, _ int32) { starts[l+2]++ })
	for i := 2; i < len(starts); i++ {
		starts[i] += starts[i-1]
	}
	k.places = make([]int32, starts[len(starts)-1])
	each(func(l int, at int32) {
		k.places[starts[l+1]] = at
		starts[l+1]++
	})
	k.starts = starts
}
