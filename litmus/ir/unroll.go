package ir

import "slices"

// Waits says which loops that only wait may be cut without loss.
type Waits struct {
	// Reads: those that only read, and those that retry a store-conditional; for models
	// that let reads and fences be left out.
	Reads bool
	// Kept are tags of fences that the model does not let be left out, "F" for all: loops that pass one are
	// not cut.
	Kept Tags
	// Locks: those that also write back what they have read, as an exchange for a lock
	// does that another thread holds; for the models of store buffers.
	Locks bool
	// Once keeps one failing round of each such loop, for what a model flags in it.
	Once bool
}

// Unroll gives the program with every loop cut: in a loop, together with those that it
// overlaps with, at most bound backward jumps are taken, and the next one leads to an
// Unwound step. All jumps of the result go forward. loops tells whether there was
// anything to cut.
//
// One that counts is gone round to its end instead, as far as that is known, and takes no more than [MostTrips] jumps.
//
// A branch back that only waits leads to an Unwound step of its own kind at once, or, with cut.Once, the second
// time.
//
// A loop is laid out in layers, copies of its code: a backward jump leaves layer k for
// layer k+1, other jumps within the loop stay in their layer.
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

// Waits tells whether the program has a loop that only waits and may be cut.
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

// copies is how the steps of a thread are copied.
type copies struct {
	code     []Step
	bound    int
	spinning map[int]bool
	loop     []int       // by step: the first step of the loops around it; -1 for none
	trips    map[int]int // by its first step: the bound of a loop that counts
}

// boundOf is how many backward jumps are taken in the loop of a step.
func (c *copies) boundOf(pc int) int {
	if n, ok := c.trips[c.loop[pc]]; ok {
		return n
	}
	return c.bound
}

// place is the copy of a step in a layer. Step len(code) is the thread's end, and layerEnd
// stands for the end of a layer that more layers come after.
type place struct{ layer, pc int }

const layerEnd = -1

func (p *Program) unrollThread(t, bound int, spinning map[int]bool) []Step {
	code := p.Threads[t].Code
	c := &copies{code, bound, spinning, make([]int, len(code)+1), nil}
	c.findLoops()
	c.trips = p.trips(t, c)
	order := c.order(c.reachable())
	unwound, spin, end := len(order), len(order)+1, len(order)+2 // passed over by every other path
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

// findLoops joins the loops that overlap.
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

// jump is where a jump from a place leads; it is not ok beyond the bound.
func (c *copies) jump(from place, to int) (next place, ok bool) {
	switch {
	case to <= from.pc:
		return place{from.layer + 1, to}, from.layer < c.boundOf(from.pc)
	case c.loop[to] >= 0 && c.loop[to] == c.loop[from.pc]:
		return place{from.layer, to}, true
	}
	return place{0, to}, true
}

// passes tells whether control may go on from a step to the one behind it.
func passes(s Step) bool {
	switch op := s.Op.(type) {
	case Branch:
		return op.Cond != nil
	case Unwound:
		return false
	}
	return true
}

// reachable marks the places that control can reach from the first step.
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

// order lists what is reached as it is to be laid out: a loop layer by layer.
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
