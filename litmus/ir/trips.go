package ir

import "slices"

// MostTrips bounds how often a loop that counts is gone round to its end, whatever bound others have.
const MostTrips = 100

// trips gives the loops of a thread that end by themselves within [MostTrips] backward jumps, by their first steps,
// with how many that are: whether they jump back is known each time from registers whose values are known, as in one
// that counts to ten. Other jumps may go either way.
//
// The thread is run on what is known of its registers, a loop layer by layer, as [Unroll] lays it out; where ways meet,
// a register is known that has one value on all of them.
func (p *Program) trips(t int, c *copies) map[int]int {
	th := &p.Threads[t]
	w := &tripper{p: p, copies: c, trips: map[int]int{}, known: make([]*values, len(c.code)+1)}
	begin := newValues(len(th.Regs))
	for r, reg := range th.Regs {
		if begin.known[r] = !th.Spawned; begin.known[r] { // what it is spawned with is its parent's matter
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

// values are what is known of a thread's registers.
type values struct {
	known []bool
	of    []uint64
}

func newValues(n int) *values { return &values{make([]bool, n), make([]uint64, n)} }

func (v *values) clone() *values { return &values{slices.Clone(v.known), slices.Clone(v.of)} }

// join forgets what is not the same in both; it is nil where nothing is left of the way here.
func (v *values) join(w *values) *values {
	if v == nil {
		return w.clone()
	}
	for r := range v.known {
		v.known[r] = v.known[r] && w.known[r] && v.of[r] == w.of[r]
	}
	return v
}

// tripper runs a thread on what is known.
type tripper struct {
	*copies
	p     *Program
	trips map[int]int
	known []*values // before each step, where control may get there
}

// meet has control get to a step where it is in no loop.
func (w *tripper) meet(_ bool, to int, v *values) bool {
	w.known[to] = w.known[to].join(v)
	return true
}

// step runs one step, and tells goes where control may go from there, with what is known then, and whether it is sure
// to. It ends where goes says no.
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
	if w.spinning[pc] { // taken, it leads to an end
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

// value is that of an expression, where it is known.
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

// loop goes round the loop of steps first to end, without the last, until no way leads back.
func (w *tripper) loop(first, end int) {
	outside := make([]*values, len(w.known)-end) // where ways lead that leave it
	layer := slices.Clone(w.known[first:end])
	var entry *values
	for _, v := range layer {
		if v != nil {
			entry = entry.join(v)
		}
	}
	for n := 0; ; n++ {
		var next []*values // the layer behind it
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

// giveUp knows nothing more of the registers that a loop sets, wherever it may lead; v is what was known before it.
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
