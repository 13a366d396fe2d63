package ir

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Spin loops. A loop spins if a round has no lasting effect: it writes no memory, is entered only at its head, and
// every register that it sets is set again before it is used. An execution with several rounds of such a loop has the
// same outcome as an execution with only the last round: the reads and fences of other rounds can only forbid
// executions, under the models for which loops are cut ([Waits]).
//
// A failed store-conditional does not write. So a loop that repeats only if its own store-conditional has failed, and
// makes a new reservation in each round, spins as well.
//
// An exchange that writes the value it has read changes nothing, if the model knows only reads and writes of memory. So
// a loop that repeats only if its read-modify-write finds the value that it writes, or does not write, waits, too,
// usually for a lock. Cutting it corresponds to the lock operation of Inverso et al. (inverso-2014), which continues
// only if the lock is free.
//
// A compare-and-exchange that fails, in a loop that ends when it succeeds, is only a read.
//
// Liveness of registers at the loop's head is computed for one register at a time, by a walk from the head, because
// threads have many temporaries and few spin loops. There is a common bound on the walks. A loop that is undecided at
// the bound counts as not spinning, and is unrolled like any other.

// spinSteps is the maximum number of steps that the walks for one thread may visit.
const spinSteps = 1 << 20

// spinFinder finds the spin loops of a thread.
type spinFinder struct {
	p              *Program
	code           []Step
	regs           []Register
	atEnd          []bool // registers that matter at the thread's end
	seen           []int  // by step: the last walk that visited it
	walk           int
	left           int               // rest of spinSteps
	kept           Tags              // tags of fences that must remain
	possibleValues func() [][]uint64 // by location: its possible values, if they are few
	locks          bool              // exchanges that write back the value they have read do not count as writes
}

// spinning returns the backward branches of thread t, by step, that only wait and may be cut. Observed registers matter
// at the thread's end.
func (p *Program) spinning(t int, cut Waits) map[int]bool {
	if !cut.Reads {
		return nil
	}
	th := p.Threads[t]
	f := &spinFinder{
		p: p, code: th.Code, regs: th.Regs, atEnd: make([]bool, len(th.Regs)), seen: make([]int, len(th.Code)+1),
		left: spinSteps,
		kept: cut.Kept, locks: cut.Locks, possibleValues: sync.OnceValue(func() [][]uint64 {
			if p.Split { // possible values are not tracked for pieces
				return nil
			}
			return p.possibleValues()
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

// waits reports whether the loop from step head to the branch at step tail spins. Jumps out of it are allowed.
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
			if !f.endsAfterWrite(head, head+i, tail) && !(f.locks && f.repeatsUnchanged(head, head+i, tail)) {
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

// retries reports whether the loop from head to the branch at tail repeats only after its store-conditional, at step
// cond, has failed, or before it: there is only one, each path to it passes an exclusive load after the last backward
// jump, and after its success the known values lead out of the loop.
func (f *spinFinder) retries(head, cond, tail int) bool {
	reserve, last := -1, head // the exclusive load; the last step that is the target of a backward jump
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
	// The value read may help, as in a compare-and-exchange whose success is tested again later.
	load := f.code[reserve].Op.(Load)
	known := f.constantsBefore(head, reserve, tail)
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

// anyValue reports whether a condition holds for each possible value of the location at an address.
func (f *spinFinder) anyValue(at Expr, known map[int]uint64, holds func(v uint64) bool) bool {
	addr, ok := f.p.EvalKnown(at, known)
	loc, isLoc := f.p.LocationAt(addr)
	values := f.possibleValues()
	return ok && isLoc && values != nil && values[loc] != nil &&
		!slices.ContainsFunc(values[loc], func(v uint64) bool { return !holds(v) })
}

// passedOver reports whether a jump within the loop from head to tail skips a step.
func (f *spinFinder) passedOver(head, step, tail int) bool {
	for _, s := range f.code[head:step] {
		if b, ok := s.Op.(Branch); ok && step < b.Target && b.Target <= tail {
			return true
		}
	}
	return false
}

// endsAfterWrite reports whether the loop from head to the branch at tail ends if its read-modify-write, at step rmw,
// writes: from there on, the known values lead out of the loop.
func (f *spinFinder) endsAfterWrite(head, rmw, tail int) bool {
	op := f.code[rmw].Op.(RMW)
	known := f.constantsBefore(head, rmw, tail)
	read, isKnown := uint64(0), false // if it writes
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

// repeatsUnchanged reports whether the loop from head to the branch at tail repeats only if its read-modify-write, at
// step rmw, leaves its location unchanged: there is only one, jumps lead only out of the loop or to the head, and each
// possible value that it does not write back leads out.
func (f *spinFinder) repeatsUnchanged(head, rmw, tail int) bool {
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
	known := f.constantsBefore(head, rmw, tail)
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

// constantsBefore returns the registers whose values are known before a step of a loop in every round.
func (f *spinFinder) constantsBefore(head, step, tail int) map[int]uint64 {
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
		if b, ok := f.code[pc].Op.(Branch); ok { // the steps between may be skipped, or repeated
			forget(min(pc, b.Target), head)
			break
		}
		pass(pc)
	}
	forget(head, tail+1)
	for pc := head; pc <= step; pc++ {
		if pc > head { // it may be the target of a jump
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

// writesBack reports whether a read-modify-write with a known old value leaves its location unchanged.
func (p *Program) writesBack(op RMW, known map[int]uint64) bool {
	if op.If != nil {
		if writes, ok := p.EvalKnown(op.If, known); ok && writes == 0 {
			return true
		}
	}
	v, ok := p.EvalKnown(op.New, known)
	return ok && v == known[oldValue]
}

// way says where a part of a loop leads.
type way int

const (
	out     way = iota // out of the loop
	back               // backwards
	reached            // to the given step
	unclear
)

// leaves reports whether the loop, from a step on and as far as values are known, is left before a backward branch is
// taken.
func (f *spinFinder) leaves(known map[int]uint64, from, tail int) bool {
	return f.follow(known, from, -1, tail) == out
}

// follow follows the loop from a step, as far as values are known, and adds known values.
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

// oldValue is the key, among known registers, of the value that an RMW has read.
const oldValue = -1

// EvalKnown computes e from some known registers, if the unknown ones do not affect the result: a 0 decides an and, a
// number with all bits 1 an or.
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
		return p.EvalKnown(e.Cond(), known)
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", e))
}

// enteredInside reports whether a jump from outside the loop leads past its head, so that registers set in the loop may
// have older values.
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

// live reports whether the value of register r before step from may matter.
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
