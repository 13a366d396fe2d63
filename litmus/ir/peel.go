package ir

import (
	"cmp"
	"maps"
	"slices"
)

// peel inserts a copy of each waiting loop before it: one round, after which the loop itself may run. spins are the
// backward branches of waiting loops. The copy keeps one failing round in the program, and the loop can be cut as
// before.
//
// Such loops are disjoint or nested, because no branch jumps into the middle of one. The innermost ones are copied
// first, so that the copy of a loop contains the copies of its inner loops.
func peel(code []Step, spins map[int]bool) []Step {
	tails := map[int]int{} // by head: the last backward branch
	for tail := range spins {
		head := code[tail].Op.(Branch).Target
		tails[head] = max(tails[head], tail)
	}
	at := make([]int, len(code)+1) // new index by step; for a step in a copied loop, the one in the loop
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
		head := at[h] // a copied inner loop begins after its copy
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

// mostPeeled is the maximum number of steps of a thread to which copies of loops are added.
const mostPeeled = 4096

// peelLoop inserts a copy of the steps from head to tail before them. In the copy, a jump to the head leads to the
// loop's own head, and the step after the tail is the one after the loop.
func peelLoop(code []Step, head, tail int) []Step {
	n := tail - head + 2 // including the jump over the loop
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
