package llvm

import (
	"slices"

	"litmuscope/litmus/c/llvm/assembly"
)

// order returns the blocks that control can reach from the first one, in reverse postorder, with the blocks of each
// loop next to one another: then only loops jump back, and a jump back spans just its loop. Successors that leave a
// loop are visited first, so that they come last.
//
// The landing pad of an invoke is a successor if unwinds says so.
func order(f *assembly.Function, unwinds func(*assembly.Instruction) bool) []*assembly.Block {
	index := map[string]int{}
	for i, b := range f.Blocks {
		index[b.Name] = i
	}
	next := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		if n := len(b.Instructions); n > 0 {
			last := b.Instructions[n-1]
			targets := last.Targets
			if last.Op == "invoke" && !unwinds(last) {
				targets = targets[:1]
			}
			for _, t := range targets {
				if j, ok := index[t]; ok {
					next[i] = append(next[i], j)
				}
			}
		}
	}
	depth := loopDepths(next)
	var post []int
	seen := make([]bool, len(f.Blocks))
	type visit struct {
		block int
		left  []int
	}
	begin := func(i int) visit {
		seen[i] = true
		left := slices.Clone(next[i])
		slices.SortStableFunc(left, func(a, b int) int { return depth[a] - depth[b] })
		return visit{i, left}
	}
	stack := []visit{begin(0)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.left) == 0 {
			post = append(post, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		to := top.left[0]
		top.left = top.left[1:]
		if !seen[to] {
			stack = append(stack, begin(to))
		}
	}
	out := make([]*assembly.Block, 0, len(post))
	for i := len(post) - 1; i >= 0; i-- {
		out = append(out, f.Blocks[post[i]])
	}
	return out
}

// loopDepths counts, by block, the natural loops that it is in. Blocks of loops with several entries count in none.
func loopDepths(next [][]int) []int {
	n := len(next)
	before := make([][]int, n)
	for i, to := range next {
		for _, j := range to {
			before[j] = append(before[j], i)
		}
	}
	idom, number := dominators(next, before)
	dominates := func(a, b int) bool {
		for b >= 0 && number[b] > number[a] {
			b = idom[b]
		}
		return a == b
	}
	depth := make([]int, n)
	loops := map[int]map[int]bool{} // by head
	for i := range next {
		if number[i] < 0 {
			continue
		}
		for _, head := range next[i] {
			if !dominates(head, i) {
				continue
			}
			body := loops[head]
			if body == nil {
				body = map[int]bool{head: true}
				loops[head] = body
			}
			for work := []int{i}; len(work) > 0; {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if body[b] || number[b] < 0 {
					continue
				}
				body[b] = true
				work = append(work, before[b]...)
			}
		}
	}
	for _, body := range loops {
		for b := range body {
			depth[b]++
		}
	}
	return depth
}

// dominators returns the immediate dominator of each block, -1 for the first, and the blocks' numbers in reverse
// postorder, -1 for those out of reach. It is the algorithm of Cooper, Harvey and Kennedy, “A Simple, Fast Dominance
// Algorithm” (2001).
func dominators(next, before [][]int) (idom, number []int) {
	n := len(next)
	idom, number = make([]int, n), make([]int, n)
	for i := range n {
		idom[i], number[i] = -1, -1
	}
	var post []int
	state := make([]int, n)
	stack := []int{0}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if state[b] < len(next[b]) {
			to := next[b][state[b]]
			state[b]++
			if number[to] == -1 && to != 0 {
				number[to] = 0
				stack = append(stack, to)
			}
			continue
		}
		post = append(post, b)
		stack = stack[:len(stack)-1]
	}
	for i, b := range post {
		number[b] = len(post) - 1 - i
	}
	for changed := true; changed; {
		changed = false
		for i := len(post) - 2; i >= 0; i-- { // not the first block
			b, best := post[i], -1
			for _, p := range before[b] {
				if number[p] < 0 || p != 0 && idom[p] < 0 {
					continue
				}
				if best < 0 {
					best = p
					continue
				}
				for x := p; x != best; {
					for number[x] > number[best] {
						x = idom[x]
					}
					for number[best] > number[x] {
						best = idom[best]
					}
				}
			}
			if idom[b] != best {
				idom[b], changed = best, true
			}
		}
	}
	return idom, number
}
