package ir

import (
	"slices"

	"litmuscope/litmus"
)

// Endless executions. A test with loops or control barriers may have infinite executions, or finite ones in which a
// thread waits for ever. The unrolled program of [UnrollEndless] shows them as finite prefixes: each thread runs to its
// end, or stops at an [Unwound] step that says how it goes on. A free choice decides at each such step whether the
// thread stops there, so that whoever looks for an infinite execution chooses and checks.
//
// An infinite execution of a program with finitely many states comes to a lasso: from some point on, each thread that
// goes on repeats one round of its loops. The step with [Repeats] stands where a thread has been twice before, with the
// same values in all registers that matter: the part between its last two visits is the round that repeats, and the
// part before is the same round, one repetition earlier. The earlier round is there for what a round reads from the
// one before.

// Ending says how a thread goes on that has stopped.
type Ending int

// The endings of threads.
const (
	AtBound   Ending = iota // unknown: the bound has cut a loop
	Repeats                 // it repeats its steps from Unwound.Since on for ever, as it has repeated those from Before
	AtBarrier               // it waits at the control barrier at step Since
	Abandoned               // it could go on, but the scheduler never runs it again
)

// Copy says which step of a program a step of an unrolled one copies: its thread's step PC, in a layer ([Unroll]). PC
// is -1 for a step that copies none.
type Copy struct{ Layer, PC int }

// Endless is a program in which threads may stop, unrolled by [UnrollEndless].
type Endless struct {
	*Program
	Copies [][]Copy // by thread and step
}

// UnrollEndless returns the program with loops cut after bound backward jumps, and with the steps at which threads may
// stop for ever. A loop of which all backward jumps only wait, as cut defines, is cut with Spin. With abandon, threads
// may also stop with [Abandoned], before each access and fence. The error names a step that makes questions about
// infinite executions unsupported.
func UnrollEndless(p *Program, bound int, cut Waits, abandon bool) (*Endless, error) {
	out := *p
	out.Threads = slices.Clone(p.Threads)
	e := &Endless{&out, make([][]Copy, len(p.Threads))}
	for t := range out.Threads {
		if err := p.repeatable(t); err != nil {
			return nil, err
		}
		u := &endlessThread{p: p, thread: t, abandon: abandon, regs: slices.Clone(p.Threads[t].Regs)}
		u.unroll(bound, p.spinning(t, cut))
		out.Threads[t].Code, out.Threads[t].Regs, e.Copies[t] = u.steps, u.regs, u.copied
	}
	return e, nil
}

// repeatable refuses the steps whose results nothing decides: in a loop, it would depend on chance whether it ends.
func (p *Program) repeatable(t int) error {
	th := &p.Threads[t]
	loops := make([]bool, len(th.Code))
	for pc, s := range th.Code {
		if b, ok := s.Op.(Branch); ok && b.Target <= pc {
			for i := b.Target; i <= pc; i++ {
				loops[i] = true
			}
		}
	}
	for pc, s := range th.Code {
		what := ""
		switch s.Op.(type) {
		case Assume:
			what = "a test with a step that not every execution can take"
		case Spawn, Join, Atomic, Assert:
			what = "a program that starts threads, has atomic sections or assertions"
		case StoreCond:
			if loops[pc] {
				what = "a store-conditional in a loop, which may fail for no reason,"
			}
		case Choose, Pick:
			if loops[pc] {
				what = "a free choice in a loop"
			}
		}
		if what != "" {
			return litmus.Errorf(th.Source[s.Source].Pos, "%s has no answer about progress: leave out the "+
				"option progress", what)
		}
	}
	return nil
}

// endlessThread unrolls one thread.
type endlessThread struct {
	p       *Program
	thread  int
	abandon bool

	*copies
	regs   []Register
	steps  []Step
	copied []Copy        // by step
	at     map[place]int // the first step of a place, with those that may stop there
	jumps  []jump
	slot   int            // of scopes: no other step uses it
	heads  map[int][]int  // by step that is a loop's head: the registers that a round may pass on to the next
	marks  map[place]mark // of heads
}

// jump is a branch of the unrolled code whose target has no index yet.
type jump struct {
	step int
	to   place
}

// The special targets of jumps, in a layer that no loop has.
var (
	cutHere  = place{-1, 0} // the bound
	spinHere = place{-1, 1} // the bound, of a loop that only waits
	endHere  = place{-1, 2}
)

// mark has the registers that say whether a thread has been at a head, and what its registers had then.
type mark struct {
	been int
	was  []int // as in heads
}

// unroll makes the code. spins are the backward branches that only wait.
func (u *endlessThread) unroll(bound int, spins map[int]bool) {
	code := u.p.Threads[u.thread].Code
	c := &copies{code, bound, nil, make([]int, len(code)+1), nil}
	u.copies = c
	c.findLoops()
	c.trips = u.p.trips(u.thread, c)
	u.findHeads()
	waits := u.waitingLoops(bound, spins)
	u.at, u.marks = map[place]int{}, map[place]mark{}
	for _, s := range code {
		if op, ok := s.Op.(Scope); ok {
			u.slot = max(u.slot, op.Slot+1)
		}
	}
	order := c.order(c.reachable())
	target := func(from place, to int) place {
		next, ok := c.jump(from, to)
		switch {
		case !ok && waits[c.loop[from.pc]]:
			return spinHere
		case !ok:
			return cutHere
		}
		return next
	}
	for i, p := range order {
		switch {
		case p.pc == layerEnd:
			from := order[i-1]
			u.branch(Branch{}, target(from, from.pc+1), code[from.pc].Source)
		case p.pc == len(code):
			u.at[p] = len(u.steps)
			u.branch(Branch{}, endHere, u.lastSource())
		default:
			u.at[p] = len(u.steps)
			u.place(p, func(to int) place { return target(p, to) })
		}
	}
	last := u.lastSource()
	u.at[cutHere] = u.emit(Unwound{}, last)
	u.at[spinHere] = u.emit(Unwound{Spin: true}, last)
	u.at[endHere] = len(u.steps)
	for _, j := range u.jumps {
		b := u.steps[j.step].Op.(Branch)
		b.Target = u.at[j.to]
		u.steps[j.step].Op = b
	}
}

// lastSource returns the instruction of the last step, 0 for a thread without steps.
func (u *endlessThread) lastSource() int {
	if len(u.code) == 0 {
		return 0
	}
	return u.code[len(u.code)-1].Source
}

// findHeads finds the heads of loops, except for those that count to a known end, and the registers that a round sets
// and that the next one may use.
func (u *endlessThread) findHeads() {
	th := &u.p.Threads[u.thread]
	f := &spinFinder{
		p: u.p, code: u.code, regs: th.Regs, atEnd: make([]bool, len(th.Regs)), seen: make([]int, len(u.code)+1),
		left: spinSteps,
	}
	u.heads = map[int][]int{}
	for pc, s := range u.code {
		b, ok := s.Op.(Branch)
		if !ok || b.Target > pc || u.heads[b.Target] != nil {
			continue
		}
		first := u.loop[b.Target]
		if _, counts := u.trips[first]; counts {
			continue
		}
		carried := []int{}
		for i, s := range u.code {
			if u.loop[i] != first {
				continue
			}
			if set, _ := Effect(s.Op); set >= 0 && !slices.Contains(carried, set) && f.live(set, b.Target) {
				carried = append(carried, set)
			}
		}
		u.heads[b.Target] = carried
	}
}

// waitingLoops returns the loops, by their first steps, of which all backward branches only wait. What such a loop
// reads in the end does not change, so that from each head on, the way to the next one is always the same, and comes
// back after as many heads as there are. The bound must have room for that way twice.
func (u *endlessThread) waitingLoops(bound int, spins map[int]bool) map[int]bool {
	heads := map[int]map[int]bool{}
	acts := map[int]bool{}
	for pc, s := range u.code {
		if b, ok := s.Op.(Branch); ok && b.Target <= pc {
			first := u.loop[pc]
			acts[first] = acts[first] || !spins[pc]
			if heads[first] == nil {
				heads[first] = map[int]bool{}
			}
			heads[first][b.Target] = true
		}
	}
	waits := map[int]bool{}
	for first := range heads {
		waits[first] = !acts[first] && 2*len(heads[first]) <= bound
	}
	return waits
}

func (u *endlessThread) emit(op Op, source int) int {
	u.steps, u.copied = append(u.steps, Step{op, source}), append(u.copied, Copy{-1, -1})
	return len(u.steps) - 1
}

func (u *endlessThread) branch(b Branch, to place, source int) {
	u.jumps = append(u.jumps, jump{u.emit(b, source), to})
}

// temp adds a register.
func (u *endlessThread) temp(bits int) int {
	u.regs = append(u.regs, Register{Bits: bits})
	return len(u.regs) - 1
}

// value returns the value of a register.
func (u *endlessThread) value(r int) Expr { return Reg{r, u.regs[r].Bits} }

// place emits a copy of a step, with the steps at which the thread may stop.
func (u *endlessThread) place(p place, target func(int) place) {
	s := u.code[p.pc]
	if carried, ok := u.heads[p.pc]; ok {
		u.repeats(p, carried)
	}
	visible := false
	switch s.Op.(type) {
	case Load, Store, RMW, StoreCond, Fence:
		visible = true
	}
	if visible && u.abandon {
		u.mayStop(Unwound{Ending: Abandoned}, nil, s.Source)
	}
	if b, ok := s.Op.(Branch); ok {
		u.branch(Branch{Cond: b.Cond}, target(b.Target), s.Source)
		u.copied[len(u.steps)-1] = Copy{p.layer, p.pc}
		return
	}
	u.copied[u.emit(s.Op, s.Source)] = Copy{p.layer, p.pc}
	if f, ok := s.Op.(Fence); ok && f.Barrier != nil && !f.Barrier.Arrives {
		u.mayStop(Unwound{Ending: AtBarrier, Since: len(u.steps) - 1}, nil, s.Source)
	}
}

// mayStop emits a step at which the thread stops, if it chooses so and a condition, unless nil, holds.
func (u *endlessThread) mayStop(op Unwound, cond Expr, source int) {
	chosen := u.temp(1)
	u.emit(Choose{Dst: chosen}, source)
	stops := u.value(chosen)
	if cond != nil {
		stops = BitAnd.Of(stops, cond)
	}
	u.emit(Branch{Cond: Not(stops), Target: len(u.steps) + 2}, source)
	u.emit(op, source)
}

// repeats emits the steps of a loop's head: the thread may stop there if it has been there twice before, so many
// layers apart, with the same registers; and it notes its registers for later layers. Control dependencies on the
// comparisons end with them.
func (u *endlessThread) repeats(p place, carried []int) {
	source := u.code[p.pc].Source
	u.emit(Scope{Slot: u.slot}, source)
	for period := 1; 2*period <= p.layer; period++ {
		was, ok := u.marks[place{p.layer - period, p.pc}]
		before, ok2 := u.marks[place{p.layer - 2*period, p.pc}]
		if !ok || !ok2 {
			continue
		}
		same := BitAnd.Of(u.value(was.been), u.value(before.been))
		for i, r := range carried {
			same = BitAnd.Of(same, Eq.Of(u.value(r), u.value(was.was[i])))
			same = BitAnd.Of(same, Eq.Of(u.value(r), u.value(before.was[i])))
		}
		u.mayStop(Unwound{
			Ending: Repeats, Since: u.at[place{p.layer - period, p.pc}],
			Before: u.at[place{p.layer - 2*period, p.pc}],
		}, same, source)
	}
	m := mark{been: u.temp(1)}
	u.emit(Assign{m.been, Number(1, 1)}, source)
	for _, r := range carried {
		w := u.temp(u.regs[r].Bits)
		m.was = append(m.was, w)
		u.emit(Assign{w, u.value(r)}, source)
	}
	u.marks[p] = m
	u.emit(Scope{Slot: u.slot, End: true}, source)
}
