package symbolic

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
	"litmuscope/solver/sat"
)

// Walk holds every run of a thread: whatever reads return and store-conditionals and choices do, the events, guards,
// addresses, values and dependencies of the Cursor are among those of the walk. Over known bits, they lie within the
// known part; over circuits they are exactly these.
func TestWalkHoldsEveryRun(t *testing.T) {
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := (&drawing{T: t}).program()
		run := &concrete{
			T: t, p: p, inputs: map[Site]known.Number{}, certain: rapid.Bool().Draw(t, "certain"),
			reached: reached,
		}
		// The part that is known regardless of reads is right as well, whether it is as much, less or nothing.
		less := number(t, "regardless", memoryBits)
		if run.certain {
			less = ir.Mask(memoryBits)
		}
		bits := newWalked(twofoldBits{}, func(k known.Number) twofold {
			mask := k.Mask & less
			return twofold{k, known.OfBits(k.Value&mask, mask, k.Bits)}
		})
		c := sat.NewCircuit()
		circuits := newWalked(Circuits{c}, func(k known.Number) sat.Vec {
			return Vec(k, func(int) sat.Lit { return inputs(c, 1)[0] })
		})
		bits.inputs, circuits.inputs = run.input, run.input
		bits.stops = rapid.Bool().Draw(t, "stops")
		circuits.stops = bits.stops
		Walk[twofold](p, twofoldBits{}, bits)
		Walk[sat.Vec](p, Circuits{c}, circuits)
		for range 4 {
			var g given
			run.step = func(s Site, v uint64) { g.set(circuits.given[s], v) }
			visits, regs := run.visits()
			compare(t, run, bits, visits, regs,
				func(v twofold, n uint64) bool { return v.known.May(n) && v.regardless.May(n) })
			m := g.solved(t, c)
			compare(t, run, circuits, visits, regs, func(v sat.Vec, n uint64) bool { return m.Number(v) == n })
			if run.certain && !bits.open {
				for s, told := range bits.sites {
					if !told.guard.regardless.Constant() {
						t.Fatalf("all that is read is known, but not whether %v is reached", s)
					}
				}
				for i, r := range bits.regs {
					if regs != nil && (!r.known.Constant() || r.known != r.regardless) {
						t.Fatalf("all that is read is known, but register %d ends as %v", i, r)
					}
				}
			}
		}
	})
	for _, want := range []string{
		"load", "store", "rmw", "rmw that fails", "pair", "no pair", "pick", "choose",
		"fence", "blocked", "unwound", "end", "not reached",
	} {
		if reached[want] == 0 {
			t.Errorf("no run had this in it: %s", want)
		}
	}
}

// visit is one step of a concrete run, with what the Cursor says of it.
type visit struct {
	site             Site
	kind             ir.ActionKind
	addr, value      uint64
	writes           bool
	succeeds         bool
	last             int // of a store-conditional: the step of the exclusive load before it; -1 for none
	lastAddr         uint64
	addrs, data, ctl []int
	writeCtl         []int // of an update that writes
}

// concrete runs a thread on the Cursor. What the outside has to say lies within inputs, by step; step receives it.
type concrete struct {
	*rapid.T
	p       *ir.Program
	inputs  map[Site]known.Number
	certain bool // about all inputs
	step    func(Site, uint64)
	reached map[string]int
}

// input is the known part of what the outside says at a step.
func (r *concrete) input(s Site, bits int) known.Number {
	k, ok := r.inputs[s]
	if !ok {
		mask, short := ir.Mask(bits), bits
		if !r.certain {
			mask = number(r.T, "known", bits)
			short = rapid.IntRange(1, bits).Draw(r.T, "short")
		}
		value := ir.SignExtend(number(r.T, "input", bits), short) & mask
		least, most := known.SignedRange(short)
		k = known.Tight(value, mask, least, most, bits)
		r.inputs[s] = k
	}
	return k
}

func (r *concrete) draw(s Site, bits int) uint64 {
	k := r.input(s, bits)
	var numbers []uint64
	for v := range ir.Mask(bits) + 1 {
		if k.May(v) {
			numbers = append(numbers, v)
		}
	}
	v := rapid.SampledFrom(numbers).Draw(r.T, "value")
	r.step(s, v)
	return v
}

// visits runs the thread once. If the bound cuts the run, there are no registers.
func (r *concrete) visits() (all []visit, regs []uint64) {
	c := ir.NewCursor(r.p, 0, true)
	last, lastAddr := -1, uint64(0)
	var delivered []int // the steps by which the Cursor numbers the sources of dependencies
	steps := func(numbers []int) []int {
		var out []int
		for _, n := range numbers {
			out = append(out, delivered[n])
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	for {
		a, err := c.Next()
		if err != nil {
			r.Fatal(err)
		}
		v := visit{site: Site{0, a.Step}, kind: a.Kind, value: a.Value, last: -1}
		v.addrs, v.data, v.ctl = steps(a.Deps.Addr), steps(a.Deps.Data), steps(a.Deps.Ctrl)
		if a.Kind != ir.ActEnd && a.Kind != ir.ActUnwound && a.Kind != ir.ActChoose && a.Loc >= 0 {
			v.addr = r.p.Locs[a.Loc].Address
		}
		switch a.Kind {
		case ir.ActEnd:
			r.reached["end"]++
			return all, c.Regs
		case ir.ActUnwound:
			r.reached["unwound"]++
			return append(all, v), nil
		case ir.ActBlocked, ir.ActFailed:
			v.kind = ir.ActBlocked
			r.reached["blocked"]++
			return append(all, v), nil
		case ir.ActLoad:
			v.value = r.draw(v.site, memoryBits)
			if r.p.Threads[0].Code[a.Step].Op.(ir.Load).Reserve {
				last, lastAddr = a.Step, v.addr
			}
			c.Read(v.value)
			delivered = append(delivered, a.Step)
			r.reached["load"]++
		case ir.ActRMW:
			delivered = append(delivered, a.Step)
			old := r.draw(v.site, memoryBits)
			v.value, v.writes = c.Read(old)
			v.data = nil
			if v.writes {
				d := c.WriteDeps(a.Deps)
				v.data, v.writeCtl = steps(d.Data), steps(d.Ctrl)
				r.reached["rmw"]++
			} else {
				r.reached["rmw that fails"]++
			}
		case ir.ActStoreCond:
			v.last, v.lastAddr, last = last, lastAddr, -1
			if pair := v.last >= 0 && v.lastAddr == v.addr; pair != (a.Reserved >= 0) || pair &&
				delivered[a.Reserved] != v.last {
				r.Fatalf("step %d is a pair with load %d, and has step %d before it", a.Step, a.Reserved, v.last)
			}
			if a.Reserved >= 0 {
				v.succeeds = rapid.Bool().Draw(r.T, "succeeds")
				r.step(v.site, map[bool]uint64{true: 1}[v.succeeds])
				r.reached["pair"]++
			} else {
				r.step(v.site, 0)
				r.reached["no pair"]++
			}
			delivered = append(delivered, a.Step)
			c.Conditional(v.succeeds)
		case ir.ActChoose:
			c.Choose(r.draw(v.site, 1) == 1)
			r.reached["choose"]++
		case ir.ActPick:
			delivered = append(delivered, a.Step)
			c.Pass()
			r.reached["pick"]++
		case ir.ActStore:
			c.Pass()
			r.reached["store"]++
		case ir.ActFence:
			c.Pass()
			r.reached["fence"]++
		}
		all = append(all, v)
	}
}

// told is what a walk reports for a step.
type told[V any] struct {
	guard, addr, value, writes V
	deps                       Deps[V]
	ofWrite                    Deps[V] // of an update
	pairs                      []Reservation[V]
}

// walked implements Memory: it records each action.
type walked[V any] struct {
	dom    Domain[V]
	make   func(known.Number) V
	inputs func(Site, int) known.Number
	sites  map[Site]*told[V]
	given  map[Site]V // what came from the outside
	// assumed has guards and conditions.
	assumed map[Site]*told[V]
	stops   bool // where a condition does not hold, the thread stops
	regs    []V
	open    bool // a store-conditional may go either way
}

func newWalked[V any](dom Domain[V], value func(known.Number) V) *walked[V] {
	return &walked[V]{
		dom: dom, make: value, sites: map[Site]*told[V]{}, given: map[Site]V{},
		assumed: map[Site]*told[V]{},
	}
}

func (w *walked[V]) input(s Site, bits int) V {
	w.given[s] = w.make(w.inputs(s, bits))
	return w.given[s]
}

func (w *walked[V]) Load(s Site, op ir.Load, guard, addr V, d Deps[V]) (value, behind V) {
	w.sites[s] = &told[V]{guard: guard, addr: addr, deps: d}
	v := w.input(s, op.Bits)
	w.sites[s].value = v
	return v, behind
}

func (w *walked[V]) Store(s Site, _ ir.Store, guard, addr, value, _ V, d Deps[V]) {
	w.sites[s] = &told[V]{guard: guard, addr: addr, value: value, deps: d}
}

func (w *walked[V]) RMW(s Site, op ir.RMW, guard, addr V, next func(V) (V, V, Deps[V]), d Deps[V]) V {
	old := w.input(s, op.Bits)
	v, writes, of := next(old)
	w.sites[s] = &told[V]{guard: guard, addr: addr, value: v, writes: writes, deps: d, ofWrite: of}
	return old
}

func (w *walked[V]) StoreCond(s Site, _ ir.StoreCond, guard, addr, value, _ V, pairs []Reservation[V], d Deps[V]) V {
	w.sites[s] = &told[V]{guard: guard, addr: addr, value: value, deps: d, pairs: pairs}
	if len(pairs) == 0 {
		return w.dom.constant(0, 1)
	}
	w.open = true
	w.given[s] = w.make(known.Unknown(1)) // whether there is a pair is for the walk to find out
	return w.given[s]
}

func (w *walked[V]) Fence(s Site, _ ir.Fence, guard, addr V, d Deps[V]) {
	w.sites[s] = &told[V]{guard: guard, addr: addr, deps: d}
}

func (w *walked[V]) Choose(s Site, guard V) V {
	w.sites[s] = &told[V]{guard: guard}
	return w.input(s, 1)
}

// Assume stops the thread if stops says so, and otherwise continues whatever cond is.
func (w *walked[V]) Assume(s Site, guard, cond V, _ []Source[V]) V {
	w.assumed[s] = &told[V]{guard: guard, value: cond}
	if w.stops {
		return cond
	}
	return w.dom.constant(1, 1)
}

func (w *walked[V]) Asserted(s Site, _ ir.Assert, guard, cond V) V {
	return w.Assume(s, guard, cond, nil)
}

func (w *walked[V]) Spawn(s Site, _ ir.Spawn, guard V, d Deps[V]) {
	w.sites[s] = &told[V]{guard: guard, deps: d}
}

func (w *walked[V]) Join(s Site, _ ir.Join, guard V, d Deps[V]) V {
	w.sites[s] = &told[V]{guard: guard, deps: d}
	return w.dom.constant(1, 1)
}

func (w *walked[V]) Atomic(s Site, _ ir.Atomic, guard V, d Deps[V]) V {
	w.sites[s] = &told[V]{guard: guard, deps: d}
	return w.dom.constant(1, 1)
}

func (w *walked[V]) Unwound(s Site, _ ir.Unwound, guard V) {
	w.sites[s] = &told[V]{guard: guard}
}

func (w *walked[V]) End(_ int, _ V, regs []V) { w.regs = regs }

// compare holds a walk to a run: holds tells whether a value of the walk is, or may be, a
// number.
func compare[V any](
	t *rapid.T, run *concrete, w *walked[V], visits []visit, regs []uint64, holds func(V, uint64) bool,
) {
	fail := func(s Site, what string, got any, want any) {
		t.Fatalf("step %d, %#v: %s is %v in the walk, %v in the run\nof %#v", s.Step, run.p.Threads[0].Code[s.Step].Op,
			what, got, want, run.p.Threads[0].Code)
	}
	depend := func(v visit, what string, got []Source[V], want []int) {
		for _, step := range want {
			if !slices.ContainsFunc(got, func(s Source[V]) bool { return s.Read.Step == step }) {
				fail(v.site, what+" dependencies", got, want)
			}
		}
		for _, s := range got {
			has := uint64(0)
			if slices.Contains(want, s.Read.Step) {
				has = 1
			}
			if !holds(s.Cond, has) {
				fail(v.site, what+" dependencies", got, want)
			}
		}
	}
	visited := map[Site]bool{}
	for _, v := range visits {
		visited[v.site] = true
		if v.kind == ir.ActBlocked {
			if have := w.assumed[v.site]; have == nil || !holds(have.guard, 1) || !holds(have.value, 0) {
				fail(v.site, "its condition", have, 0)
			}
			if !w.stops { // then the test checks nothing behind it
				return
			}
			continue
		}
		have := w.sites[v.site]
		if have == nil {
			fail(v.site, "the step", "absent", "visited")
		}
		if !holds(have.guard, 1) {
			fail(v.site, "its guard", have.guard, 1)
		}
		depend(v, "address", have.deps.Addr, v.addrs)
		depend(v, "control", have.deps.Ctrl, v.ctl)
		if v.addr != 0 && !holds(have.addr, v.addr) {
			fail(v.site, "its address", have.addr, v.addr)
		}
		switch v.kind {
		case ir.ActRMW:
			writes := uint64(0)
			if v.writes {
				writes = 1
				depend(v, "data", have.ofWrite.Data, v.data)
				depend(v, "control", have.ofWrite.Ctrl, v.writeCtl)
			}
			if !holds(have.writes, writes) {
				fail(v.site, "whether it writes", have.writes, v.writes)
			}
			if v.writes && !holds(have.value, v.value) {
				fail(v.site, "what it writes", have.value, v.value)
			}
		case ir.ActLoad, ir.ActStore, ir.ActStoreCond:
			if !holds(have.value, v.value) {
				fail(v.site, "its value", have.value, v.value)
			}
			depend(v, "data", have.deps.Data, v.data)
		case ir.ActPick:
			depend(v, "data", have.deps.Data, v.data)
		}
		if v.kind != ir.ActStoreCond {
			continue
		}
		found := v.last < 0
		for _, p := range have.pairs {
			is := uint64(0)
			if p.Read.Step == v.last {
				found, is = holds(p.Addr, v.lastAddr), 1
			}
			if !holds(p.Cond, is) {
				fail(v.site, "its exclusive load", p, v.last)
			}
		}
		if !found {
			fail(v.site, "its exclusive load", have.pairs, v.last)
		}
	}
	for s, have := range w.assumed {
		if !visited[s] && !holds(have.guard, 0) && !holds(have.value, 1) {
			fail(s, "its condition", have.value, 1)
		}
	}
	for s, have := range w.sites {
		if !visited[s] {
			run.reached["not reached"]++
			if !holds(have.guard, 0) {
				fail(s, "its guard", have.guard, 0)
			}
		}
	}
	for i, v := range regs {
		if !holds(w.regs[i], v) {
			t.Fatalf("register %d ends as %v in the walk, %#x in the run\nof %#v", i, w.regs[i], v,
				run.p.Threads[0].Code)
		}
	}
}

// A value that is certainly the same is a constant, whatever else is known.
func TestCertainlyTheSame(t *testing.T) {
	numbers := []known.Number{known.Of(0, 3), known.Of(5, 3), known.OfBits(4, 4, 3), known.Unknown(3)}
	for _, x := range numbers {
		for _, y := range numbers {
			if (twofoldBits{}).same(twofold{x, y}, twofold{x, y}) != y.Constant() || x != y &&
				(twofoldBits{}).same(twofold{x, y}, twofold{y, y}) {
				t.Fatalf("whether %v and %v are certainly the same", x, y)
			}
		}
	}
}
