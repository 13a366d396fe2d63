package litmus

// A loop spins when going round changes nothing that lasts: it writes no memory,
// passes no fence, and every register that it sets is set again before it is used.
// Any execution that goes round such a loop has the outcome of one that leaves it
// at once, with the reads of the last round alone.

// spinning tells which backward branches of a thread, by step, only spin. live are
// the registers that count when the thread has ended.
func spinning(code []Step, regs int, live []int) map[int]bool {
	spins := map[int]bool{}
	var in [][]bool
	for pc, s := range code {
		b, ok := s.Op.(Branch)
		if !ok || b.Target > pc {
			continue
		}
		if in == nil {
			in = liveness(code, regs, live)
		}
		if waits(code, b.Target, pc, in[b.Target]) {
			spins[pc] = true
		}
	}
	return spins
}

// waits looks at the loop from step head to the branch at step tail. Jumps out of
// it do no harm; jumps into it from outside neither, for what holds at its head
// holds whatever way led there.
func waits(code []Step, head, tail int, liveAtHead []bool) bool {
	for _, s := range code[head : tail+1] {
		switch op := s.Op.(type) {
		case Store, RMW, Fence, Unwound:
			return false
		case Assign:
			if liveAtHead[op.Dst] {
				return false
			}
		case Load:
			if liveAtHead[op.Dst] {
				return false
			}
		case Branch:
			if op.Target < head {
				return false
			}
		}
	}
	return true
}

// liveness gives, for each step, the registers whose value before it may matter.
func liveness(code []Step, regs int, atEnd []int) [][]bool {
	in := make([][]bool, len(code)+1)
	for i := range in {
		in[i] = make([]bool, regs)
	}
	for _, r := range atEnd {
		in[len(code)][r] = true
	}
	for changed := true; changed; {
		changed = false
		for pc := len(code) - 1; pc >= 0; pc-- {
			now := make([]bool, regs)
			after := func(next int) {
				for r, l := range in[next] {
					now[r] = now[r] || l
				}
			}
			b, isBranch := code[pc].Op.(Branch)
			if !isBranch || b.Cond != nil {
				after(pc + 1)
			}
			if isBranch {
				after(b.Target)
			}
			set, used := effect(code[pc].Op)
			if set >= 0 {
				now[set] = false
			}
			for _, e := range used {
				Registers(e, func(r int) { now[r] = true })
			}
			for r, l := range now {
				if l && !in[pc][r] {
					in[pc][r], changed = true, true
				}
			}
		}
	}
	return in
}

// effect is the register that an operation sets, or -1, and what it evaluates.
func effect(op Op) (set int, used []Expr) {
	switch op := op.(type) {
	case Assign:
		return op.Dst, []Expr{op.Value}
	case Load:
		return op.Dst, []Expr{op.Addr}
	case Store:
		return -1, []Expr{op.Addr, op.Value}
	case RMW:
		return op.Dst, []Expr{op.Addr, op.New, op.If}
	case Branch:
		return -1, []Expr{op.Cond}
	}
	return -1, nil
}
