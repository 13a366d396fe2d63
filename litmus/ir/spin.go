package ir

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A loop spins when going round changes nothing that lasts: it writes no memory,
// is entered at its head alone, and every register that it sets
// is set again before it is used. Any execution that goes round such a loop has
// the outcome of one that leaves it at once, with the reads of the last round alone:
// the reads and fences of other rounds only forbid executions, under the models that
// ask for this ([Waits]).
//
// A store-conditional that fails writes nothing either. So a loop that goes round only
// when its own store-conditional has failed, and takes its reservation anew each time,
// spins as well.
//
// An exchange that writes back what it has read changes nothing either, where reads and
// writes of memory are all there is to it. So a loop that goes round only where its
// read-modify-write finds the value that it writes, or writes nothing, waits too: for a
// lock, as a rule, and it comes to what inverso-2014 has lock do, which goes on where the
// lock is free and nowhere else.
//
// And a compare-and-exchange that fails, in a loop that is over once it succeeds, is but a
// read.
//
// Whether a register is live at the loop's head is asked for one register at a
// time, by a walk from the head on: threads have many temporaries, and spin loops
// few. The walks are bounded together. A loop that the bound leaves undecided
// counts as one that does not spin, and is unrolled like any other.

// spinSteps bounds the steps that the walks for one thread may look at.
const spinSteps = 1 << 20

// spinFinder looks for the spin loops of a thread.
type spinFinder struct {
	p     *Program
	code  []Step
	regs  []Register
	atEnd []bool // registers that count when the thread has ended
	seen  []int  // by step, the last walk that came by
	walk  int
	left  int               // of spinSteps
	kept  Tags              // of fences that must stay
	held  func() [][]uint64 // by location: the values that it may hold, if they are few
	locks bool              // exchanges that write back what they have read do not count
}

// spinning tells which backward branches of thread t, by step, only wait, as far as they
// may be cut. The registers that the test observes count at the thread's end.
func (p *Program) spinning(t int, cut Waits) map[int]bool {
	if !cut.Reads {
		return nil
	}
	th := p.Threads[t]
	f := &spinFinder{
		p: p, code: th.Code, regs: th.Regs, atEnd: make([]bool, len(th.Regs)), seen: make([]int, len(th.Code)+1),
		left: spinSteps,
		kept: cut.Kept, locks: cut.Locks, held: sync.OnceValue(func() [][]uint64 {
			if p.Split { // what is held is not followed from piece to piece
				return nil
			}
			return p.held()
		}),
	}
	for _, o := range p.Observed {
		if o.Thread == t {
			f.atEnd[o.Index] = true
		}
	}
	spins := map[int]bool{}
	for pc, s := range th.Code {
		if b, ok := s.Op.(Branch); ok && b.Target <= pc && f.waits(b.Target, pc) {
			spins[pc] = true
		}
	}
	return spins
}

// waits looks at the loop from step head to the branch at step tail. Jumps out of
// it do no harm.
func (f *spinFinder) waits(head, tail int) bool {
	var sets []int
	for i, s := range f.code[head : tail+1] {
		if f.left--; f.left < 0 {
			return false
		}
		if set, _ := Effect(s.Op); set >= 0 {
			sets = append(sets, set)
		}
		switch op := s.Op.(type) {
		case Fence:
			if f.kept.Has("F") || slices.ContainsFunc(op.Tags, f.kept.Has) {
				return false
			}
		case Store, Unwound, Pick, Assert, Spawn, Join, Atomic:
			return false
		case RMW:
			if !f.takes(head, head+i, tail) && !(f.locks && f.keeps(head, head+i, tail)) {
				return false
			}
		case StoreCond:
			if !f.retries(head, head+i, tail) {
				return false
			}
		case Branch:
			if op.Target < head {
				return false
			}
		}
	}
	if f.enteredInside(head, tail) {
		return false
	}
	for _, r := range sets {
		if f.live(r, head) {
			return false
		}
	}
	return true
}

// retries tells whether the loop from head to the branch at tail goes round only after
// its store-conditional, at step cond, has failed, or before it: it is the only one, each way
// to it passes an exclusive load behind the last jump back, and from its success on, what is
// known leads out.
func (f *spinFinder) retries(head, cond, tail int) bool {
	reserve, last := -1, head // the exclusive load; the step furthest on that a jump leads back to
	for pc, s := range f.code[head : tail+1] {
		pc += head
		switch op := s.Op.(type) {
		case Load:
			if op.Reserve && pc < cond && !f.passedOver(head, pc, tail) {
				reserve = pc
			}
		case StoreCond:
			if pc != cond {
				return false
			}
		case Branch:
			if op.Target <= pc {
				last = max(last, op.Target)
			}
		}
	}
	sc := f.code[cond].Op.(StoreCond)
	if last > reserve {
		return false
	}
	if f.leaves(map[int]uint64{sc.Status: sc.Ok}, cond+1, tail) {
		return true
	}
	// What was read may say more, as in a compare-and-exchange, whose success is tested again behind it.
	load := f.code[reserve].Op.(Load)
	known := f.known(head, reserve, tail)
	return f.anyValue(load.Addr, known, func(v uint64) bool {
		known := maps.Clone(known)
		known[load.Dst] = v & Mask(load.Bits)
		switch f.follow(known, reserve+1, cond, tail) {
		case reached:
			known[sc.Status] = sc.Ok
			return f.leaves(known, cond+1, tail)
		case unclear:
			return false
		}
		return true
	})
}

// anyValue tells whether something holds of each value that the location at an address may hold.
func (f *spinFinder) anyValue(at Expr, known map[int]uint64, holds func(v uint64) bool) bool {
	addr, ok := f.p.EvalKnown(at, known)
	loc, isLoc := f.p.LocationAt(addr)
	held := f.held()
	return ok && isLoc && held != nil && held[loc] != nil &&
		!slices.ContainsFunc(held[loc], func(v uint64) bool { return !holds(v) })
}

// passedOver tells whether a jump within the loop from head to tail leads past a step.
func (f *spinFinder) passedOver(head, step, tail int) bool {
	for _, s := range f.code[head:step] {
		if b, ok := s.Op.(Branch); ok && step < b.Target && b.Target <= tail {
			return true
		}
	}
	return false
}

// takes tells whether the loop from head to the branch at tail is over wherever its
// read-modify-write, at step rmw, writes: from there on, what is known leads out.
func (f *spinFinder) takes(head, rmw, tail int) bool {
	op := f.code[rmw].Op.(RMW)
	known := f.known(head, rmw, tail)
	read, isKnown := uint64(0), false // where it writes
	if eq, ok := op.If.(Binary); ok && eq.Op == Eq {
		if _, old := eq.X.(Old); old {
			read, isKnown = f.p.EvalKnown(eq.Y, known)
		}
	}
	delete(known, op.Dst)
	if isKnown {
		known[op.Dst] = read
	}
	return f.leaves(known, rmw+1, tail)
}

// keeps tells whether the loop from head to the branch at tail goes round only where its
// read-modify-write, at step rmw, leaves its location as it is: it is the only one, jumps
// lead out or to the head alone, and of the values that it may read, each that it does not
// write back leads out.
func (f *spinFinder) keeps(head, rmw, tail int) bool {
	for pc, s := range f.code[head : tail+1] {
		switch op := s.Op.(type) {
		case RMW:
			if head+pc != rmw {
				return false
			}
		case Branch:
			if head+pc != tail && op.Target <= tail && op.Target != head {
				return false
			}
		}
	}
	op := f.code[rmw].Op.(RMW)
	known := f.known(head, rmw, tail)
	return f.anyValue(op.Addr, known, func(v uint64) bool {
		known := maps.Clone(known)
		known[oldValue] = v
		if f.p.writesBack(op, known) {
			return true
		}
		known[op.Dst] = v
		return f.leaves(known, rmw+1, tail)
	})
}

// known gives the registers whose values are known before a step of a loop in every
// round.
func (f *spinFinder) known(head, step, tail int) map[int]uint64 {
	known := map[int]uint64{}
	for r, reg := range f.regs {
		known[r] = reg.Init & Mask(reg.Bits)
	}
	forget := func(from, to int) {
		for _, s := range f.code[from:to] {
			if set, _ := Effect(s.Op); set >= 0 {
				delete(known, set)
			}
		}
	}
	pass := func(pc int) {
		if op, ok := f.code[pc].Op.(Assign); ok {
			if v, ok := f.p.EvalKnown(op.Value, known); ok {
				known[op.Dst] = v
				return
			}
		}
		forget(pc, pc+1)
	}
	for pc := range head {
		if b, ok := f.code[pc].Op.(Branch); ok { // what comes between may be left out, or come again
			forget(min(pc, b.Target), head)
			break
		}
		pass(pc)
	}
	forget(head, tail+1)
	for pc := head; pc <= step; pc++ {
		if pc > head { // it may be jumped to
			if f.left -= tail - head; f.left < 0 {
				return map[int]uint64{}
			}
			for at, s := range f.code[head : tail+1] {
				if b, ok := s.Op.(Branch); ok && b.Target == pc {
					forget(min(head+at, pc), max(head+at, pc))
				}
			}
		}
		if pc < step {
			pass(pc)
		}
	}
	return known
}

// writesBack tells whether a read-modify-write leaves its location as it is, where what
// it has read is known.
func (p *Program) writesBack(op RMW, known map[int]uint64) bool {
	if op.If != nil {
		if writes, ok := p.EvalKnown(op.If, known); ok && writes == 0 {
			return true
		}
	}
	v, ok := p.EvalKnown(op.New, known)
	return ok && v == known[oldValue]
}

// way is where a part of a loop leads.
type way int

const (
	out     way = iota // of the loop
	back               // to what lies before
	reached            // to the step in question
	unclear
)

// leaves tells whether the loop from a step on, as far as values are known, gets out before a
// branch back is taken.
func (f *spinFinder) leaves(known map[int]uint64, from, tail int) bool {
	return f.follow(known, from, -1, tail) == out
}

// follow goes along the loop from a step on, as far as values are known, to which it adds.
func (f *spinFinder) follow(known map[int]uint64, from, to, tail int) way {
	for pc := from; pc <= tail; pc++ {
		if pc == to {
			return reached
		}
		switch op := f.code[pc].Op.(type) {
		case Assign:
			if v, ok := f.p.EvalKnown(op.Value, known); ok {
				known[op.Dst] = v
			} else {
				delete(known, op.Dst)
			}
		case Branch:
			taken, ok := uint64(1), true
			if op.Cond != nil {
				taken, ok = f.p.EvalKnown(op.Cond, known)
			}
			switch {
			case !ok:
				return unclear
			case taken == 1 && op.Target <= pc:
				return back
			case taken == 1:
				pc = op.Target - 1
			}
		default:
			if set, _ := Effect(op); set >= 0 {
				delete(known, set)
			}
		}
	}
	return out
}

// oldValue is, among known registers, what an RMW has read.
const oldValue = -1

// EvalKnown computes e where some registers are known, if what is not makes no
// difference: a 0 decides an and, a 1 in every bit an or.
func (p *Program) EvalKnown(e Expr, known map[int]uint64) (v uint64, ok bool) {
	switch e := e.(type) {
	case Const, Addr:
		return p.Eval(e, nil, 0), true
	case Reg:
		v, ok = known[e.Index]
		return v, ok
	case Old:
		v, ok = known[oldValue]
		return v, ok
	case Unary:
		x, ok := p.EvalKnown(e.X, known)
		return EvalUnary(e.Op, x, e.Width()), ok
	case Binary:
		x, okX := p.EvalKnown(e.X, known)
		y, okY := p.EvalKnown(e.Y, known)
		ones := Mask(e.Width())
		switch {
		case e.Op == BitAnd && (okX && x == 0 || okY && y == 0):
			return 0, true
		case e.Op == BitOr && (okX && x == ones || okY && y == ones):
			return ones, true
		}
		return EvalBinary(e.Op, x, y, e.X.Width()), okX && okY
	case Extract:
		x, ok := p.EvalKnown(e.X, known)
		return x >> e.Lo & Mask(e.Bits), ok
	case Extend:
		x, ok := p.EvalKnown(e.X, known)
		if e.Signed {
			x = SignExtend(x, e.X.Width()) & Mask(e.Bits)
		}
		return x, ok
	case Cond:
		i, ok := p.EvalKnown(e.If, known)
		switch {
		case !ok:
			return 0, false
		case i == 1:
			return p.EvalKnown(e.Then, known)
		}
		return p.EvalKnown(e.Else, known)
	case Select:
		return p.EvalKnown(Cond(e), known)
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", e))
}

// enteredInside tells whether a jump from outside the loop leads behind its head:
// what the loop would have set there may then come from before it.
func (f *spinFinder) enteredInside(head, tail int) bool {
	for pc, s := range f.code {
		if f.left--; f.left < 0 {
			return true
		}
		if b, ok := s.Op.(Branch); ok && (pc < head || pc > tail) && head < b.Target && b.Target <= tail {
			return true
		}
	}
	return false
}

// live tells whether the value of register r before step from may matter.
func (f *spinFinder) live(r, from int) bool {
	f.walk++
	work := []int{from}
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		if f.seen[pc] == f.walk {
			continue
		}
		f.seen[pc] = f.walk
		if pc == len(f.code) {
			if f.atEnd[r] {
				return true
			}
			continue
		}
		if f.left--; f.left < 0 {
			return true
		}
		set, used := Effect(f.code[pc].Op)
		found := false
		for _, e := range used {
			Registers(e, func(u int) { found = found || u == r })
		}
		if found {
			return true
		}
		if set == r {
			continue
		}
		b, isBranch := f.code[pc].Op.(Branch)
		if isBranch {
			work = append(work, b.Target)
		}
		if !isBranch || b.Cond != nil {
			work = append(work, pc+1)
		}
	}
	return false
}
