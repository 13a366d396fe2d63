package cycle

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// point is a read or a write of a walk.
type point struct {
	write  bool
	loc    int    // its first location
	value  uint64 // of the whole access
	bits   int
	values []locValue // the read or written values: one, unless the program has split locations
	tags   ir.Tags
	cell   int   // its instruction in the thread's source
	pair   int   // the other half of a read-modify-write or an exclusive pair, by index; -1 for none
	one    bool  // the pair is one instruction
	addr   []int // the reads that the address depends on, by index
	data   []int
	ctrl   []int
}

// barrier is a fence of a walk, with the number of points before it.
type barrier struct {
	behind int
	tags   ir.Tags
	ctrl   []int
}

// action is an action of a walk, with its values by location.
type action struct {
	ir.Action
	byLocation []locValue
}

// locValue is a value at a location.
type locValue struct {
	loc   int
	value uint64
}

// splitValue splits a value at a location and the following ones, by location; nil if it does not end with a location.
func splitValue(p *ir.Program, loc, bits int, value uint64) []locValue {
	if !p.Split {
		return []locValue{{loc, value}}
	}
	pieces, ok := p.Pieces(loc, bits)
	if !ok {
		return nil
	}
	out := make([]locValue, len(pieces))
	for i, piece := range pieces {
		out[i] = locValue{piece.Loc, piece.In(value)}
	}
	return out
}

// joinValue joins the values at a location and the following ones.
func joinValue(p *ir.Program, loc, bits int, at func(loc int) uint64) uint64 {
	if !p.Split {
		return at(loc)
	}
	pieces, _ := p.Pieces(loc, bits)
	value := uint64(0)
	for _, piece := range pieces {
		value |= at(piece.Loc) << piece.Lo
	}
	return value
}

// walk is one way to run a thread.
//
// It has both what a cycle needs, the accesses with their dependencies, and what a model sees (actions), with which
// same compares tests.
type walk struct {
	points   []point
	barriers []barrier
	regs     []uint64 // at the end
	failed   int      // failed store-conditionals
	actions  []action
	cut      bool // it is incomplete: a loop continues, or an access has no location
}

// The work that Of does at most, for tests are others': paths through a thread, how often values are computed from
// values, accesses, ways to put threads together, executions, and nodes on the way around a cycle.
const (
	maxWalks      = 4_000
	maxRounds     = 6
	maxNodes      = 40
	maxTried      = 50_000
	maxExecutions = 1_000
	maxPlaces     = 30_000
)

// walks returns the ways to run each thread, if a read may return any value that some walk writes to its location, or
// the initial value. whole is false if ways were left out because of the bounds, a loop that continues, or an access to
// no location.
//
// The values that a location may have are not known before the threads have run, so they are run repeatedly: each time,
// reads may also return what the last round has written. The number of rounds is bounded by the number of writes and by
// maxRounds; whole is false if values were still found after that.
func walks(p *ir.Program) (all [][]walk, whole bool, err error) {
	p, _ = ir.Unroll(p, 1, ir.Waits{})
	values := make([][]uint64, len(p.Locs))
	for i, l := range p.Locs {
		values[i] = []uint64{l.Init}
	}
	// A value is computed from others through at most all writes.
	rounds := 1
	for _, t := range p.Threads {
		if p.System {
			straightValues(p, t, func(h locValue) {
				if !slices.Contains(values[h.loc], h.value) {
					values[h.loc] = append(values[h.loc], h.value)
				}
			})
		}
		for _, step := range t.Code {
			// A write may depend only on itself, as in two threads that each write if
			// they have read what the other writes. Its value counts all the same.
			if op, ok := step.Op.(ir.Store); ok {
				if at, ok := op.Addr.(ir.Addr); ok {
					_, bits := ir.Access(op)
					regs := make([]uint64, len(t.Regs))
					for _, h := range splitValue(p, at.Loc, bits, p.Eval(op.Value, regs, 0)&ir.Mask(bits)) {
						if !slices.Contains(values[h.loc], h.value) {
							values[h.loc] = append(values[h.loc], h.value)
						}
					}
				}
			}
			switch step.Op.(type) {
			case ir.Store, ir.StoreCond, ir.RMW:
				rounds++
			}
		}
	}
	enough := rounds <= maxRounds
	rounds = min(rounds, maxRounds)
	for all = make([][]walk, len(p.Threads)); ; rounds-- {
		whole = true
		grown := make([][]uint64, len(p.Locs))
		more := false
		for t, thread := range p.Threads {
			all[t] = nil
			tried := 0
			for choices := []int{}; choices != nil; {
				w, taken, ok := follow(p, t, values, choices)
				if ok {
					all[t] = append(all[t], w)
				}
				whole = whole && !w.cut
				if len(w.points) > maxNodes {
					return nil, false, litmus.Errorf(thread.Source[0].Pos,
						"P%d makes more than %d accesses: the test is too large to find its cycle", thread.ID, maxNodes)
				}
				if tried++; tried > maxWalks {
					return nil, false, litmus.Errorf(thread.Source[0].Pos,
						"P%d can run in too many ways to find the cycle among them", thread.ID)
				}
				for _, pt := range w.points {
					for _, h := range pt.values {
						if pt.write && !slices.Contains(values[h.loc], h.value) &&
							!slices.Contains(grown[h.loc], h.value) {
							grown[h.loc], more = append(grown[h.loc], h.value), true
						}
					}
				}
				choices = next(taken)
			}
		}
		if !more || rounds == 0 {
			return all, whole && (!more || enough), nil
		}
		for i := range values {
			values[i] = append(values[i], grown[i]...)
		}
	}
}

func valueAt(all []locValue, loc int) uint64 {
	return all[slices.IndexFunc(all, func(h locValue) bool { return h.loc == loc })].value
}

// choice is a decision among several.
type choice struct{ taken, of int }

// next returns the decisions to take after a walk, in the order of an odometer; nil after the last.
func next(done []choice) []int {
	for i := len(done) - 1; i >= 0; i-- {
		if done[i].taken+1 < done[i].of {
			turns := []int{}
			for _, c := range done[:i] {
				turns = append(turns, c.taken)
			}
			return append(turns, done[i].taken+1)
		}
	}
	return nil
}

// follow runs a thread. At each read and choice, it takes the next decision of choices, and the first alternative once
// they are used up. ok is false if the thread cannot run so.
func follow(p *ir.Program, t int, values [][]uint64, choices []int) (w walk, taken []choice, ok bool) {
	c := ir.NewCursor(p, t, true)
	choose := func(of int) int {
		turn := 0
		if len(taken) < len(choices) {
			turn = choices[len(taken)]
		}
		taken = append(taken, choice{turn, of})
		return turn
	}
	// Dependencies are given as numbers of reads, store-conditionals and picks.
	var delivered [][]int
	points := func(numbers []int) (out []int) {
		for _, n := range numbers {
			out = append(out, delivered[n]...)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	reservers := map[int]int{} // by number, the point of an exclusive load
	add := func(a ir.Action, write bool, value uint64) int {
		w.points = append(w.points, point{
			write: write, loc: a.Loc, value: value, bits: a.Bits, values: splitValue(p, a.Loc, a.Bits, value),
			tags: a.Tags,
			cell: c.Thread.Code[a.Step].Source, pair: -1,
			addr: points(a.Deps.Addr), data: points(a.Deps.Data), ctrl: points(a.Deps.Ctrl),
		})
		return len(w.points) - 1
	}
	for {
		a, err := c.Next()
		if err != nil || len(w.points) > maxNodes {
			w.cut = true
			return w, taken, false
		}
		w.actions = append(w.actions, action{Action: a})
		last := &w.actions[len(w.actions)-1]
		if a.Bits > 0 {
			last.byLocation = splitValue(p, a.Loc, a.Bits, a.Value)
			if last.byLocation == nil || a.Bits > 64 || p.Split && p.Misaligned(a.Loc, a.Bits) {
				w.cut = true
				return w, taken, false
			}
		}
		switch a.Kind {
		case ir.ActEnd:
			w.regs = c.Regs
			return w, taken, true
		case ir.ActUnwound, ir.ActBlocked:
			w.cut = a.Kind == ir.ActUnwound
			return w, taken, false
		case ir.ActChoose:
			either := choose(2)
			last.Value = uint64(either)
			c.Choose(either == 1)
		case ir.ActPick:
			delivered = append(delivered, points(a.Deps.Data))
			c.Pass()
		case ir.ActFence:
			w.barriers = append(w.barriers, barrier{len(w.points), a.Tags, points(a.Deps.Ctrl)})
			c.Pass()
		case ir.ActLoad, ir.ActRMW:
			for i, h := range last.byLocation {
				last.byLocation[i].value = values[h.loc][choose(len(values[h.loc]))]
			}
			v := joinValue(p, a.Loc, a.Bits, func(loc int) uint64 { return valueAt(last.byLocation, loc) })
			last.Value = v
			r := add(a, false, v)
			op := c.Thread.Code[a.Step].Op
			if load, ok := op.(ir.Load); ok && load.Reserve {
				reservers[len(delivered)] = r
			}
			delivered = append(delivered, []int{r})
			written, writes := c.Read(v)
			if rmw, ok := op.(ir.RMW); ok && writes {
				a.Tags = rmw.WriteTags
				a.Deps, a.Value, a.Kind = c.WriteDeps(a.Deps), written, ir.ActStore
				w.actions = append(w.actions, action{a, splitValue(p, a.Loc, a.Bits, written)})
				pt := add(a, true, written)
				w.points[pt].pair, w.points[r].pair = r, pt
				w.points[pt].one, w.points[r].one = true, true
			}
		case ir.ActStore:
			add(a, true, a.Value)
			c.Pass()
		case ir.ActStoreCond:
			if a.Reserved < 0 || choose(2) == 1 {
				w.failed++
				last.Reserved = -1
				delivered = append(delivered, nil)
				c.Conditional(false)
				continue
			}
			pt := add(a, true, a.Value)
			r := reservers[a.Reserved]
			w.points[pt].pair, w.points[r].pair = r, pt
			delivered = append(delivered, nil)
			c.Conditional(true)
		}
	}
}
