package ir

import "slices"

// Waits says which waiting loops may be cut without losing outcomes.
type Waits struct {
	// Reads: loops that only read, and loops that retry a store-conditional; for models where removing reads and fences
	// is sound.
	Reads bool
	// Kept are the tags of fences that cannot be removed in the model, "F" for all: loops with one are not cut.
	Kept Tags
	// Locks: also loops that write back the value they have read, as an exchange for a lock that another thread holds
	// does; for models with store buffers.
	Locks bool
	// Once keeps one failing round of each such loop, for the flags of a model.
	Once bool
}

// Unroll returns the program with all loops cut: a loop, together with the loops that overlap it, takes at most bound
// backward jumps, and the next one leads to an Unwound step. All jumps of the result go forward. loops says whether
// there was a loop.
//
// A counting loop is unrolled to its end instead, if the end is known and takes at most [MostTrips] jumps.
//
// A backward branch that only waits leads to an Unwound step with Spin the first time or, with cut.Once, the second
// time.
//
// A loop is laid out in layers, which are copies of its code: a backward jump leads from layer k to layer k+1, and
// other jumps in the loop stay in their layer.
func Unroll(p *Program, bound int, cut Waits) (unrolled *Program, loops bool) {
	out := *p
	out.Threads = slices.Clone(p.Threads)
	for i := range out.Threads {
		t := &out.Threads[i]
		if !hasLoop(t.Code) {
			continue
		}
		spins := p.spinning(i, cut)
		if cut.Once && len(spins) > 0 {
			t.Code = peel(t.Code, spins)
			spins = out.spinning(i, cut)
		}
		t.Code = out.unrollThread(i, bound, spins)
		loops = true
	}
	if !loops {
		return p, false
	}
	return &out, true
}

// Waits reports whether the program has a waiting loop that may be cut.
func (p *Program) Waits(cut Waits) bool {
	for i, t := range p.Threads {
		if hasLoop(t.Code) && len(p.spinning(i, cut)) > 0 {
			return true
		}
	}
	return false
}

func hasLoop(code []Step) bool {
	for pc, s := range code {
		if b, ok := s.Op.(Branch); ok && b.Target <= pc {
			return true
		}
	}
	return false
}

// copies says how the steps of a thread are copied.
type copies struct {
	code     []Step
	bound    int
	spinning map[int]bool
	loop     []int       // by step: the first step of the outermost loop around it; -1 for none
	trips    map[int]int // by first step: the bound of a counting loop
}

// boundOf returns the maximum number of backward jumps in the loop of a step.
func (c *copies) boundOf(pc int) int {
	if n, ok := c.trips[c.loop[pc]]; ok {
		return n
	}
	return c.bound
}

// place is the copy of a step in a layer. Step len(code) is the thread's end, and layerEnd is the end of a layer that
// is followed by another.
type place struct{ layer, pc int }

const layerEnd = -1

// unrollThread returns the unrolled code of a thread: its reachable places in layout order, followed by Unwound steps
// where loops are cut.
func (p *Program) unrollThread(t, bound int, spinning map[int]bool) []Step {
	code := p.Threads[t].Code
	c := &copies{code, bound, spinning, make([]int, len(code)+1), nil}
	c.findLoops()
	c.trips = p.trips(t, c)
	order := c.order(c.reachable())
	unwound, spin, end := len(order), len(order)+1, len(order)+2 // other paths skip them
	at := make(map[place]int, len(order))
	for i, p := range order {
		at[p] = i
	}
	target := func(from place, to int) int {
		next, ok := c.jump(from, to)
		if !ok {
			return unwound
		}
		return at[next]
	}
	steps := make([]Step, 0, end)
	for i, p := range order {
		switch {
		case p.pc == layerEnd:
			from := order[i-1]
			steps = append(steps, Step{Branch{Target: target(from, from.pc+1)}, code[from.pc].Source})
		case p.pc == len(code):
			steps = append(steps, Step{Branch{Target: end}, code[p.pc-1].Source})
		default:
			s := code[p.pc]
			if b, ok := s.Op.(Branch); ok {
				if spinning[p.pc] {
					b.Target = spin
				} else {
					b.Target = target(p, b.Target)
				}
				s.Op = b
			}
			steps = append(steps, s)
		}
	}
	last := code[len(code)-1].Source
	return append(steps, Step{Unwound{}, last}, Step{Unwound{Spin: true}, last})
}

// findLoops merges the loops that overlap.
func (c *copies) findLoops() {
	for pc := range c.loop {
		c.loop[pc] = -1
	}
	for pc, s := range c.code {
		b, ok := s.Op.(Branch)
		if !ok || b.Target > pc || c.spinning[pc] {
			continue
		}
		first := b.Target
		if c.loop[first] >= 0 {
			first = c.loop[first]
		}
		for i := first; i <= pc; i++ {
			c.loop[i] = first
		}
	}
}

// jump returns the target of a jump from a place. ok is false beyond the bound.
func (c *copies) jump(from place, to int) (next place, ok bool) {
	switch {
	case to <= from.pc:
		return place{from.layer + 1, to}, from.layer < c.boundOf(from.pc)
	case c.loop[to] >= 0 && c.loop[to] == c.loop[from.pc]:
		return place{from.layer, to}, true
	}
	return place{0, to}, true
}

// passes reports whether control may continue from a step to the next one.
func passes(s Step) bool {
	switch op := s.Op.(type) {
	case Branch:
		return op.Cond != nil
	case Unwound:
		return false
	}
	return true
}

// reachable returns the places that control can reach from the first step.
func (c *copies) reachable() map[place]bool {
	work := []place{{0, 0}}
	seen := map[place]bool{{0, 0}: true}
	visit := func(from place, to int) {
		if next, ok := c.jump(from, to); ok && !seen[next] {
			seen[next] = true
			work = append(work, next)
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.pc == len(c.code) {
			continue
		}
		if passes(c.code[p.pc]) {
			visit(p, p.pc+1)
		}
		if b, ok := c.code[p.pc].Op.(Branch); ok && !c.spinning[p.pc] {
			visit(p, b.Target)
		}
	}
	return seen
}

// order returns the reachable places in the order of the layout: loops layer by layer.
func (c *copies) order(reached map[place]bool) []place {
	var order []place
	for pc := 0; pc <= len(c.code); {
		end, layers := pc+1, 1
		if c.loop[pc] >= 0 {
			layers = c.boundOf(pc) + 1
			for c.loop[end] == c.loop[pc] {
				end++
			}
		}
		for layer := range layers {
			for i := pc; i < end; i++ {
				if reached[place{layer, i}] {
					order = append(order, place{layer, i})
				}
			}
			if last := (place{layer, end - 1}); layer+1 < layers && reached[last] && passes(c.code[last.pc]) {
				order = append(order, place{layer, layerEnd})
			}
		}
		pc = end
	}
	return order
}
