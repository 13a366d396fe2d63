package ir

import "slices"

// MostTrips is the maximum number of rounds of a loop that is unrolled to its end, whatever the bound of other loops
// is.
const MostTrips = 100

// trips returns the loops of a thread that end within [MostTrips] backward jumps, by their first steps, with the number
// of jumps. For such a loop, registers with known values decide each time whether it jumps back, as in a loop that
// counts to ten. Other jumps may go either way.
//
// The thread is executed with the known values of its registers, and a loop layer by layer, as in [Unroll]. Where paths
// meet, a register is known if it has the same value on all of them.
func (p *Program) trips(t int, c *copies) map[int]int {
	th := &p.Threads[t]
	w := &tripper{p: p, copies: c, trips: map[int]int{}, known: make([]*values, len(c.code)+1)}
	begin := newValues(len(th.Regs))
	for r, reg := range th.Regs {
		if begin.known[r] = !th.Spawned; begin.known[r] { // a spawned thread gets its initial registers from its parent
			begin.of[r] = reg.Init
		}
	}
	w.known[0] = begin
	for pc := 0; pc < len(c.code); {
		end := pc + 1
		if c.loop[pc] >= 0 {
			for c.loop[end] == c.loop[pc] {
				end++
			}
			w.loop(pc, end)
		} else if w.known[pc] != nil {
			w.step(pc, w.meet)
		}
		pc = end
	}
	return w.trips
}

// values has the known values of a thread's registers.
type values struct {
	known []bool
	of    []uint64
}

func newValues(n int) *values { return &values{make([]bool, n), make([]uint64, n)} }

func (v *values) clone() *values { return &values{slices.Clone(v.known), slices.Clone(v.of)} }

// join drops the values that differ. It returns nil if no path leads here any more.
func (v *values) join(w *values) *values {
	if v == nil {
		return w.clone()
	}
	for r := range v.known {
		v.known[r] = v.known[r] && w.known[r] && v.of[r] == w.of[r]
	}
	return v
}

// tripper executes a thread on known values.
type tripper struct {
	*copies
	p     *Program
	trips map[int]int
	known []*values // values before each step that control can reach
}

// meet records that control reaches a step outside loops.
func (w *tripper) meet(_ bool, to int, v *values) bool {
	w.known[to] = w.known[to].join(v)
	return true
}

// step executes one step and calls goes with each possible next step, the values there, and whether control certainly
// goes there. It stops if goes returns false.
func (w *tripper) step(pc int, goes func(sure bool, to int, v *values) bool) bool {
	v := w.known[pc].clone()
	s := w.code[pc]
	b, branches := s.Op.(Branch)
	if !branches {
		set, used := Effect(s.Op)
		if set >= 0 {
			v.known[set] = false
			switch s.Op.(type) {
			case Assign, Pick:
				v.of[set], v.known[set] = w.value(used[0], w.known[pc])
			}
		}
		return !passes(s) || goes(true, pc+1, v)
	}
	if w.spinning[pc] { // if it is taken, the path ends
		return b.Cond == nil || goes(true, pc+1, v)
	}
	taken, sure := uint64(1), true
	if b.Cond != nil {
		taken, sure = w.value(b.Cond, v)
	}
	if (!sure || taken == 1) && !goes(sure, b.Target, v) {
		return false
	}
	return sure && taken == 1 || goes(true, pc+1, v)
}

// value returns the value of an expression if it is known.
func (w *tripper) value(e Expr, v *values) (value uint64, known bool) {
	known = true
	Sources(e, func(e Expr) {
		switch e := e.(type) {
		case Reg:
			known = known && v.known[e.Index]
		case Old:
			known = false
		case Select:
			Registers(e, func(r int) { known = known && v.known[r] })
		}
	})
	if !known {
		return 0, false
	}
	return w.p.Eval(e, v.of, 0), true
}

// loop executes the loop from step first up to end, exclusive, until no path leads back.
func (w *tripper) loop(first, end int) {
	outside := make([]*values, len(w.known)-end) // targets of the paths that leave it
	layer := slices.Clone(w.known[first:end])
	var entry *values
	for _, v := range layer {
		if v != nil {
			entry = entry.join(v)
		}
	}
	for n := 0; ; n++ {
		var next []*values // the next layer
		for i := range layer {
			pc := first + i
			if layer[i] == nil {
				continue
			}
			w.known[pc] = layer[i]
			counts := w.step(pc, func(sure bool, to int, v *values) bool {
				switch {
				case to >= end:
					outside[to-end] = outside[to-end].join(v)
				case to > pc:
					layer[to-first] = layer[to-first].join(v)
				case !sure || n == MostTrips:
					return false
				default:
					if next == nil {
						next = make([]*values, len(layer))
					}
					next[to-first] = next[to-first].join(v)
				}
				return true
			})
			if !counts {
				w.giveUp(first, end, entry)
				return
			}
		}
		if next == nil {
			w.trips[first] = n
			break
		}
		layer = next
	}
	for i, v := range outside {
		if v != nil {
			w.known[end+i] = w.known[end+i].join(v)
		}
	}
}

// giveUp drops the values of the registers that a loop sets, at all steps that the loop may lead to; v has the values
// before the loop.
func (w *tripper) giveUp(first, end int, v *values) {
	if v == nil {
		return
	}
	for pc := first; pc < end; pc++ {
		if set, _ := Effect(w.code[pc].Op); set >= 0 {
			v.known[set] = false
		}
	}
	leave := func(to int) {
		if to >= end {
			w.known[to] = w.known[to].join(v)
		}
	}
	for pc := first; pc < end; pc++ {
		if b, ok := w.code[pc].Op.(Branch); ok && !w.spinning[pc] {
			leave(b.Target)
		}
		if passes(w.code[pc]) {
			leave(pc + 1)
		}
	}
}
