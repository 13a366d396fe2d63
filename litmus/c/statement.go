package c

import "litmuscope/litmus/ir"

func (l *lowerer) block(body []Stmt) {
	for _, s := range body {
		l.statement(s)
	}
}

func (l *lowerer) statement(s Stmt) {
	switch s := s.(type) {
	case *Declare:
		l.At(s.Cell)
		if _, param := l.params[s.Name]; param {
			l.Failf(s.Pos, "%s is a parameter already", s.Name)
			return
		}
		if s.Type.kernel && s.Type.stars == 0 {
			l.Failf(s.Pos, "%s: a local of type %s is not supported: declare it in the init block, and take its "+
				"address as a parameter", s.Name, s.Type)
		}
		l.locals[s.Name] = s.Type
		if s.Value != nil {
			l.setLocal(s.Name, l.full(s.Value))
		}
	case *Do:
		l.At(s.Cell)
		l.full(s.X)
	case *If:
		l.ifElse(s)
	case *While:
		l.while(s)
	case *For:
		l.forLoop(s)
	case *Break:
		l.At(s.Cell)
		at := &l.loops[len(l.loops)-1]
		at.breaks = append(at.breaks, l.jump(nil))
	case *Continue:
		l.At(s.Cell)
		at := &l.loops[len(l.loops)-1]
		at.continues = append(at.continues, l.jump(nil))
	case *Return:
		l.At(s.Cell)
		if s.X != nil {
			l.full(s.X)
		}
		l.End(nil)
	case *Block:
		l.block(s.Body)
	}
}

// jump emits a branch that is to be told later where it leads.
func (l *lowerer) jump(cond ir.Expr) int {
	l.Emit(ir.Branch{Cond: cond})
	return l.here() - 1
}

func (l *lowerer) here() int { return len(l.Program.Threads[l.Thread].Code) }

// land has branches lead to what comes next.
func (l *lowerer) land(jumps ...int) {
	code := l.Program.Threads[l.Thread].Code
	for _, pc := range jumps {
		br := code[pc].Op.(ir.Branch)
		br.Target = l.here()
		code[pc].Op = br
	}
}

// controlled emits a statement with a condition: what depends on it ends where the statement
// does.
func (l *lowerer) controlled(cell int, emit func()) {
	slot := l.depth
	l.depth++
	l.At(cell)
	l.Emit(ir.Scope{Slot: slot})
	emit()
	l.depth--
	l.Emit(ir.Scope{Slot: slot, End: true})
}

func (l *lowerer) ifElse(s *If) {
	l.findRaces(s.Cond)
	l.controlled(s.Cell, func() {
		skip := l.jump(ir.Not(l.unorderedTruth(s.Cond)))
		l.block(s.Then)
		if len(s.Else) > 0 {
			over := l.jump(nil)
			l.land(skip)
			l.block(s.Else)
			skip = over
		}
		l.land(skip)
	})
}

// while emits a loop as if (Cond) do Body while (Cond), the condition twice: so the branch back
// has one of its own, which tells whether the loop only waits.
func (l *lowerer) while(s *While) {
	l.findRaces(s.Cond)
	l.controlled(s.Cell, func() {
		var out []int
		if !s.Post && len(s.Body) > 0 {
			out = l.leaveUnless(s.Cond)
		}
		l.rounds(s.Body, s.Cond, nil, out)
	})
}

func (l *lowerer) forLoop(s *For) {
	l.At(s.Cell)
	l.block(s.Init)
	if s.Cond != nil {
		l.findRaces(s.Cond)
	}
	l.controlled(s.Cell, func() { l.rounds(s.Body, s.Cond, s.Step, l.leaveUnless(s.Cond)) })
}

// leaveUnless emits a branch that is taken where a condition does not hold; none for one that
// always does.
func (l *lowerer) leaveUnless(cond Expr) []int {
	if always(cond) {
		return nil
	}
	return []int{l.jump(ir.Not(l.unorderedTruth(cond)))}
}

// always tells whether a condition is written as one that holds; nil does.
func always(cond Expr) bool {
	switch x := cond.(type) {
	case nil:
		return true
	case *Number:
		return x.Value != 0
	case *Name:
		return x.Text == "true"
	}
	return false
}

// rounds emits the body of a loop, a step behind it, and the branch back; out are branches
// that leave it.
func (l *lowerer) rounds(body []Stmt, cond, step Expr, out []int) {
	l.loops = append(l.loops, loop{breaks: out})
	top := l.here()
	l.block(body)
	l.land(l.loops[len(l.loops)-1].continues...)
	if step != nil {
		l.full(step)
	}
	var again ir.Expr
	if !always(cond) {
		l.At(cond.Where().Cell)
		again = l.unorderedTruth(cond)
	}
	l.Emit(ir.Branch{Cond: again, Target: top})
	l.land(l.loops[len(l.loops)-1].breaks...)
	l.loops = l.loops[:len(l.loops)-1]
}
