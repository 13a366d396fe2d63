package litmus

// A loop spins when going round changes nothing that lasts: it writes no memory,
// passes no fence, is entered at its head alone, and every register that it sets
// is set again before it is used. Any execution that goes round such a loop has
// the outcome of one that leaves it at once, with the reads of the last round alone.
//
// Whether a register is live at the loop's head is asked for one register at a
// time, by a walk from the head on: threads have many temporaries, and spin loops
// few. The walks are bounded together. A loop that the bound leaves undecided
// counts as one that does not spin, and is unrolled like any other.

// spinSteps bounds the steps that the walks for one thread may look at.
const spinSteps = 1 << 20

// spinFinder looks for the spin loops of a thread.
type spinFinder struct {
	code  []Step
	atEnd []bool // registers that count when the thread has ended
	seen  []int  // by step, the last walk that came by
	walk  int
	left  int // of spinSteps
}

// spinning tells which backward branches of thread t, by step, only spin. The
// registers that the test observes count at the thread's end.
func (p *Program) spinning(t int) map[int]bool {
	th := p.Threads[t]
	f := &spinFinder{
		code: th.Code, atEnd: make([]bool, len(th.Regs)), seen: make([]int, len(th.Code)+1), left: spinSteps,
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
	for _, s := range f.code[head : tail+1] {
		if f.left--; f.left < 0 {
			return false
		}
		switch op := s.Op.(type) {
		case Store, RMW, StoreCond, Fence, Unwound, Pick, Choose:
			return false
		case Assign:
			sets = append(sets, op.Dst)
		case Load:
			sets = append(sets, op.Dst)
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
		set, used := effect(f.code[pc].Op)
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

// effect is the register that an operation sets, or -1, and what it evaluates;
// some of that may be nil.
func effect(op Op) (set int, used []Expr) {
	switch op := op.(type) {
	case Assign:
		return op.Dst, []Expr{op.Value}
	case Pick:
		return op.Dst, []Expr{op.Value}
	case Choose:
		return op.Dst, nil
	case Load:
		return op.Dst, []Expr{op.Addr}
	case Store:
		return -1, []Expr{op.Addr, op.Value}
	case RMW:
		return op.Dst, []Expr{op.Addr, op.New, op.If}
	case StoreCond:
		return op.Status, []Expr{op.Addr, op.Value}
	case Branch:
		return -1, []Expr{op.Cond}
	}
	return -1, nil
}
