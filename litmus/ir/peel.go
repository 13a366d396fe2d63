package ir

import (
	"cmp"
	"maps"
	"slices"
)

// peel puts a copy of each loop that only waits in front of it: one round, after which the
// loop itself may be gone round. spins are the branches back that only wait. So the copy
// gives a failing round to look at, and the loop can be cut as before.
//
// Such loops are disjoint or nested, because nothing jumps into the middle of one. They are
// copied from the innermost on, so that a loop's copy has the copies of those within.
func peel(code []Step, spins map[int]bool) []Step {
	tails := map[int]int{} // by head: the last branch back
	for tail := range spins {
		head := code[tail].Op.(Branch).Target
		tails[head] = max(tails[head], tail)
	}
	at := make([]int, len(code)+1) // by step: where it is now; of a step in a copied loop, in the loop
	for pc := range at {
		at[pc] = pc
	}
	heads := slices.SortedFunc(maps.Keys(tails), func(a, b int) int {
		return cmp.Or(cmp.Compare(tails[a]-a, tails[b]-b), cmp.Compare(a, b))
	})
	for _, h := range heads {
		if len(code) > mostPeeled {
			break
		}
		tail := at[tails[h]]
		head := at[h] // a copied loop in it begins behind
		code = peelLoop(code, head, tail)
		n := tail - head + 2
		for pc := range at {
			if pc > h {
				at[pc] += n
			}
		}
	}
	return code
}

// mostPeeled bounds the steps of a thread to which copies of loops are added.
const mostPeeled = 4096

// peelLoop puts a copy of the steps from head to tail in front of them. In the copy, a jump to
// the head leads to the loop's own, and the step behind the tail is the one behind the loop.
func peelLoop(code []Step, head, tail int) []Step {
	n := tail - head + 2 // with the jump that passes over the loop
	out := make([]Step, 0, len(code)+n)
	moved := func(s Step, to func(int) int) Step {
		if b, ok := s.Op.(Branch); ok {
			b.Target = to(b.Target)
			s.Op = b
		}
		return s
	}
	outside := func(to int) int { // from the copy or from elsewhere
		if to > tail {
			return to + n
		}
		return to
	}
	inside := func(to int) int {
		if to >= head {
			return to + n
		}
		return to
	}
	for _, s := range code[:head] {
		out = append(out, moved(s, outside))
	}
	for _, s := range code[head : tail+1] {
		out = append(out, moved(s, func(to int) int {
			if to == head {
				return head + n
			}
			return outside(to)
		}))
	}
	out = append(out, Step{Branch{Target: tail + 1 + n}, code[tail].Source})
	for _, s := range code[head : tail+1] {
		out = append(out, moved(s, inside))
	}
	for _, s := range code[tail+1:] {
		out = append(out, moved(s, outside))
	}
	return out
}
