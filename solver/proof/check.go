package proof

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
)

// ErrRejected is what a refutation that does not hold gives.
var ErrRejected = errors.New("the proof is wrong")

// Checker holds clauses and what follows from them: those added, lemmas that have passed, and literals that unit
// propagation has made true. These stay true, whatever the proof deletes later, which loses nothing: a lemma has to be
// good for more.
type Checker struct {
	store
	value   []int8 // by literal's code: 1 true, -1 false
	watches [][]watch
	trail   []int32
	head    int // the part of trail that propagation has covered
	refuted bool
	err     error  // of Add
	mark    []bool // by literal, for normalise and remove
	lits    []int32
	graphs  []graph
}

// watch is a clause to look at when a literal becomes false, unless another one of its
// literals, which may be any, is true.
type watch struct{ clause, other int32 }

// NewChecker makes a checker of clauses over variables 1 to vars.
func NewChecker(vars int) *Checker {
	n := 2*vars + 2
	return &Checker{value: make([]int8, n), watches: make([][]watch, n), mark: make([]bool, n)}
}

// code is a literal as the checker has it: twice its variable, plus one if negated. Its
// negation is that with the last bit the other way round.
func code(l int32) int32 {
	if l < 0 {
		return -2*l + 1
	}
	return 2 * l
}

// Add adds a clause of the formula.
func (c *Checker) Add(clause []int32) {
	lits, tautology, err := c.normalise(clause)
	switch {
	case err != nil:
		c.err = err
	case !tautology:
		c.add(lits)
	}
}

// Refute checks that the clauses have no solution, by a proof, and counts the lemmas that it took. The error is
// ErrRejected with the lemma that does not follow, the proof's own or the context's.
func (c *Checker) Refute(ctx context.Context, proof iter.Seq2[Step, error]) (lemmas int, err error) {
	if c.err != nil || c.refuted {
		return 0, c.err
	}
	deletions := 0
	for s, err := range proof {
		if err != nil {
			return lemmas, fmt.Errorf("%w: %w", ErrRejected, err)
		}
		if (lemmas+deletions)%64 == 0 && ctx.Err() != nil {
			return lemmas, ctx.Err()
		}
		lits, tautology, err := c.normalise(s.Lits)
		switch {
		case err != nil:
			return lemmas, fmt.Errorf("%w: lemma %d: %w", ErrRejected, lemmas+1, err)
		case s.Delete:
			deletions++
			c.remove(lits, c.mark)
			c.tidy()
			continue
		}
		lemmas++
		if tautology {
			continue
		}
		if !c.follows(lits) {
			return lemmas, fmt.Errorf("%w: lemma %d, %v, does not follow", ErrRejected, lemmas,
				s.Lits[:min(len(s.Lits), 32)])
		}
		if c.add(lits); c.refuted || c.err != nil {
			return lemmas, c.err
		}
	}
	return lemmas, fmt.Errorf("%w: it ends without a contradiction", ErrRejected)
}

// normalise gives literals their codes, and drops repeated ones. The result is valid until the next call.
func (c *Checker) normalise(clause []int32) (lits []int32, tautology bool, err error) {
	lits = c.lits[:0]
	for _, l := range clause {
		if l == 0 || int(max(l, -l)) >= len(c.mark)/2 || l == math.MinInt32 {
			err = fmt.Errorf("literal %d belongs to no variable of the formula", l)
			break
		}
		if l := code(l); !c.mark[l] {
			c.mark[l] = true
			lits = append(lits, l)
			tautology = tautology || c.mark[l^1]
		}
	}
	for _, l := range lits {
		c.mark[l] = false
	}
	c.lits = lits
	return lits, tautology, err
}

// add takes a clause in. A true clause stays true, so the checker does not keep it.
func (c *Checker) add(lits []int32) {
	if c.refuted {
		return
	}
	free := 0 // literals that are not false come first
	for i, l := range lits {
		switch c.value[l] {
		case 1:
			return
		case 0:
			lits[i], lits[free] = lits[free], l
			free++
		}
	}
	switch free {
	case 0:
		c.refuted = true
	case 1:
		c.assign(lits[0])
		c.refuted = !c.propagate()
	default:
		ref, err := c.keep(lits)
		if err != nil {
			c.err = err
			return
		}
		c.watch(lits[0], ref, lits[1])
		c.watch(lits[1], ref, lits[0])
	}
}

func (c *Checker) watch(l, clause, other int32) {
	c.watches[l] = append(c.watches[l], watch{clause, other})
}

func (c *Checker) assign(l int32) {
	c.value[l], c.value[l^1] = 1, -1
	c.trail = append(c.trail, l)
}

// retract undoes the assignments from the trail's nth on.
func (c *Checker) retract(n int) {
	for _, l := range c.trail[n:] {
		c.value[l], c.value[l^1] = 0, 0
	}
	c.trail, c.head = c.trail[:n], n
}

// propagate makes true what has to be. It gives false upon a clause that is false.
func (c *Checker) propagate() bool {
	for c.head < len(c.trail) {
		wrong := c.trail[c.head] ^ 1
		c.head++
		watches := c.watches[wrong]
		kept := watches[:0]
	next:
		for i, w := range watches {
			if c.value[w.other] == 1 {
				kept = append(kept, w)
				continue
			}
			n := c.ints[w.clause+size]
			if n < 0 {
				continue // it was deleted
			}
			lits := c.ints[w.clause : w.clause+n]
			if lits[0] == wrong {
				lits[0], lits[1] = lits[1], wrong
			}
			w.other = lits[0]
			if c.value[w.other] == 1 {
				kept = append(kept, w)
				continue
			}
			for k := 2; k < len(lits); k++ {
				if l := lits[k]; c.value[l] >= 0 {
					lits[1], lits[k] = l, wrong
					c.watch(l, w.clause, w.other)
					continue next
				}
			}
			kept = append(kept, w)
			if c.value[w.other] == -1 {
				kept = append(kept, watches[i+1:]...)
				c.watches[wrong] = kept
				return false
			}
			c.assign(w.other)
		}
		c.watches[wrong] = kept
	}
	return true
}

// refutes reports whether to assume literals false contradicts the clauses, by unit
// propagation. The assumptions stay on the trail.
func (c *Checker) refutes(lits []int32) bool {
	for _, l := range lits {
		switch c.value[l] {
		case 1:
			return true
		case 0:
			c.assign(l ^ 1)
		}
	}
	return !c.propagate()
}

// follows reports whether the proof may add a lemma.
func (c *Checker) follows(lits []int32) bool {
	top := len(c.trail)
	defer func() { c.retract(top) }()
	if len(lits) == 0 {
		return c.cyclic() // or the check would have found a false clause
	}
	pivot := lits[0]
	// The checker does not keep clauses that are true only by the negation of a pivot that is false for good, so such a
	// pivot might miss them.
	fixed := c.value[pivot] != 0
	if c.refutes(lits) {
		return true
	}
	if c.graphs != nil { // to have the pivot true may close a cycle, whatever its resolvents say
		return c.cyclic()
	}
	if fixed {
		return false
	}
	assumed := len(c.trail)
	var rest []int32
	for clause := range c.all() {
		rest = rest[:0]
		for _, l := range clause {
			if l != pivot^1 {
				rest = append(rest, l)
			}
		}
		if len(rest) < len(clause) {
			if !c.refutes(rest) {
				return false
			}
			c.retract(assumed)
		}
	}
	return true
}
