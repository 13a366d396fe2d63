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
//
// It finds loops from inner to outer ones: heads in falling order. A walk back from the jumps to a head assigns to the
// loop each block that is in none yet, and passes over inner loops at once, from their outermost loop's head.
func loopDepths(next [][]int) []int {
	n := len(next)
	before := make([][]int, n)
	for i, to := range next {
		for _, j := range to {
			before[j] = append(before[j], i)
		}
	}
	idom, number := dominators(next, before)
	dominates := intervals(idom, number)
	back := make([][]int, n) // by head, the blocks that jump back to it
	var heads []int
	for i := range next {
		for _, head := range next[i] {
			if number[i] >= 0 && dominates(head, i) {
				if back[head] == nil {
					heads = append(heads, head)
				}
				back[head] = append(back[head], i)
			}
		}
	}
	slices.SortFunc(heads, func(a, b int) int { return number[b] - number[a] })
	inner := make([]int, n) // the head of the innermost loop of a block, or -1
	outer := make([]int, n) // of a head, the head of the loop around it, or -1
	top := make([]int, n)   // of a head, that of a loop around it, or itself: union and find
	for i := range n {
		inner[i], outer[i], top[i] = -1, -1, i
	}
	outermost := func(head int) int {
		for top[head] != head {
			top[head] = top[top[head]]
			head = top[head]
		}
		return head
	}
	for _, head := range heads {
		inner[head] = head
		for work := back[head]; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			switch {
			case number[b] < 0 || b == head:
			case inner[b] < 0:
				inner[b] = head
				work = append(work, before[b]...)
			default:
				if h := outermost(inner[b]); h != head {
					outer[h], top[h] = head, head
					work = append(work, before[h]...)
				}
			}
		}
	}
	depths := make([]int, n) // of heads
	for k := len(heads) - 1; k >= 0; k-- {
		depths[heads[k]] = 1
		if h := outer[heads[k]]; h >= 0 {
			depths[heads[k]] += depths[h]
		}
	}
	out := make([]int, n)
	for i, head := range inner {
		if head >= 0 {
			out[i] = depths[head]
		}
	}
	return out
}

// intervals returns whether a block dominates another, by an interval for each block that contains those of the blocks
// below it in the tree of dominators.
func intervals(idom, number []int) func(a, b int) bool {
	n := len(idom)
	below, order := make([]int, n), make([]int, n) // the size of a block's tree, and the blocks by number
	for i := range n {
		order[i] = -1
	}
	for b, k := range number {
		if k >= 0 {
			order[k] = b
		}
	}
	for k := n - 1; k >= 0; k-- {
		if b := order[k]; b >= 0 {
			below[b]++
			if idom[b] >= 0 {
				below[idom[b]] += below[b]
			}
		}
	}
	begin, free := make([]int, n), make([]int, n) // free is where the next child's interval begins
	for _, b := range order {
		if b < 0 {
			continue
		}
		if up := idom[b]; up >= 0 {
			begin[b] = free[up]
			free[up] += below[b]
		}
		free[b] = begin[b] + 1
	}
	return func(a, b int) bool {
		return number[a] >= 0 && number[b] >= 0 && begin[a] <= begin[b] && begin[b] < begin[a]+below[a]
	}
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

// findUndefined gives a register to each phi and each select whose value may be undefined: one with an operand that is,
// or that is such a phi or select. It says at run time whether the value is undefined, because each use of such a value
// may see another number. Other results have one number. In Rust no program may depend on undefined values.
func (l *lowering) findUndefined(blocks []*assembly.Block) {
	l.undef = map[string]int{}
	if l.rust {
		return
	}
	may := func(i *assembly.Instruction) bool {
		if i.Op != "phi" && i.Op != "select" || len(l.layout.scalars(i.Type)) != 1 {
			return false
		}
		for k, v := range i.Operands {
			_, found := l.undef[v.Name]
			if i.Op == "select" && k == 0 {
				continue
			}
			if v.Kind == assembly.Undef || v.Kind == assembly.Poison || v.Kind == assembly.Local && found {
				return true
			}
		}
		return false
	}
	for changed := true; changed; {
		changed = false
		for _, b := range blocks {
			for _, i := range b.Instructions {
				if _, found := l.undef[i.Result]; !found && may(i) {
					l.undef[i.Result], changed = l.build.Temp(1), true
				}
			}
		}
	}
}

// dominated checks that every value is computed on each path to its uses, as LLVM demands. blocks are those that
// control can reach.
func (l *lowering) dominated(blocks []*assembly.Block) error {
	index := map[string]int{}
	for i, b := range blocks {
		index[b.Name] = i
	}
	next, before := make([][]int, len(blocks)), make([][]int, len(blocks))
	type place struct{ block, step int }
	places := map[string]place{}
	for i, b := range blocks {
		for k, instruction := range b.Instructions {
			if instruction.Result != "" {
				places[instruction.Result] = place{i, k}
			}
		}
		for _, t := range b.Instructions[len(b.Instructions)-1].Targets {
			if j, ok := index[t]; ok {
				next[i], before[j] = append(next[i], j), append(before[j], i)
			}
		}
	}
	dominates := intervals(dominators(next, before))
	for i, b := range blocks {
		for k, instruction := range b.Instructions {
			for n, v := range instruction.Operands {
				from, computed := places[v.Name]
				if v.Kind != assembly.Local || !computed {
					continue // a parameter, or a value of a block that is never reached
				}
				use := place{i, k}
				if instruction.Op == "phi" {
					last, ok := index[instruction.From[n]]
					if !ok {
						continue
					}
					use = place{last, len(blocks[last].Instructions)}
				}
				if from.block == use.block && from.step >= use.step || !dominates(from.block, use.block) {
					return l.refuse(instruction.Pos, "%%%s is not computed on every path to this use", v.Name)
				}
			}
		}
	}
	return nil
}
