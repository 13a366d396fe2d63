package ir

// Prune removes the assignments of thread t to temporaries that nothing reads, such as the condition flags of most
// instructions, because engines would encode them in vain. A register's own update does not count as a read. Prune also
// removes jumps to the next step and jumps that are never taken.
func (p *Program) Prune(t int) {
	th := &p.Threads[t]
	uses := make([]int, len(th.Regs))
	for _, o := range p.Observed {
		if o.Thread == t {
			uses[o.Index]++
		}
	}
	count := func(op Op, by int) {
		set, used := Effect(op)
		if _, ok := op.(Assign); !ok {
			set = -1
		}
		for _, e := range used {
			Registers(e, func(r int) {
				if r != set {
					uses[r] += by
				}
			})
		}
	}
	for _, s := range th.Code {
		count(s.Op, 1)
	}
	dead := func(s Step) bool {
		a, ok := s.Op.(Assign)
		return ok && uses[a.Dst] == 0 && th.Regs[a.Dst].Name == ""
	}
	gone := make([]bool, len(th.Code))
	// Temporaries are set before they are read, so one backward pass finds most chains.
	for again, rounds := true, 0; again && rounds < 8; rounds++ {
		again = false
		for pc := len(th.Code) - 1; pc >= 0; pc-- {
			if !gone[pc] && dead(th.Code[pc]) {
				count(th.Code[pc].Op, -1)
				gone[pc], again = true, true
			}
		}
	}
	for pc := len(th.Code) - 1; pc >= 0; pc-- { // a jump to the next step
		b, ok := th.Code[pc].Op.(Branch)
		next := pc + 1
		for ok && next < b.Target && gone[next] {
			next++
		}
		never, _ := b.Cond.(Const)
		gone[pc] = gone[pc] || ok && (b.Cond == nil && next == b.Target || never == Const{Bits: 1})
	}
	th.remove(gone)
}

// remove removes steps from the code. Jumps to a removed step lead to the following one.
func (t *Thread) remove(gone []bool) {
	moved := make([]int, len(t.Code)+1)
	kept := 0
	for pc := range t.Code {
		moved[pc] = kept
		if !gone[pc] {
			kept++
		}
	}
	moved[len(t.Code)] = kept
	if kept == len(t.Code) {
		return
	}
	code := make([]Step, 0, kept)
	for pc, s := range t.Code {
		if gone[pc] {
			continue
		}
		switch op := s.Op.(type) {
		case Branch:
			op.Target = moved[op.Target]
			s.Op = op
		case Unwound:
			op.Since = moved[op.Since]
			s.Op = op
		case Assume:
			op.Since = moved[op.Since]
			s.Op = op
		}
		code = append(code, s)
	}
	t.Code = code
}
