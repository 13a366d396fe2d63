package c

import "litmuscope/litmus/ir"

func (l *lowerer) block(body []Stmt) {
	for _, s := range body {
		l.statement(s)
	}
}

// statement lowers one statement.
func (l *lowerer) statement(s Stmt) {
	switch s := s.(type) {
	case *Declare:
		l.At(s.Cell)
		if _, param := l.params[s.Name]; param {
			l.Failf(s.Pos, "%s is already a parameter", s.Name)
			return
		}
		if s.Type.kernel && s.Type.stars == 0 {
			l.Failf(s.Pos, "%s: a local variable of type %s is not supported: declare it in the init block and "+
				"pass its "+
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

// jump emits a branch whose target is set later, by land, and returns its index.
func (l *lowerer) jump(cond ir.Expr) int {
	l.Emit(ir.Branch{Cond: cond})
	return l.here() - 1
}

func (l *lowerer) here() int { return len(l.Program.Threads[l.Thread].Code) }

// land makes branches lead to the next instruction.
func (l *lowerer) land(jumps ...int) {
	code := l.Program.Threads[l.Thread].Code
	for _, pc := range jumps {
		br := code[pc].Op.(ir.Branch)
		br.Target = l.here()
		code[pc].Op = br
	}
}

// controlled emits a conditional statement inside an ir.Scope: control dependencies on its condition end with the
// statement.
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

// while emits a loop as if (Cond) do Body while (Cond). Because the condition appears twice, the branch back has a
// condition of its own, which shows whether the loop only waits.
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

// leaveUnless emits a branch that is taken if a condition is false, or nothing if the condition is always true.
func (l *lowerer) leaveUnless(cond Expr) []int {
	if always(cond) {
		return nil
	}
	return []int{l.jump(ir.Not(l.unorderedTruth(cond)))}
}

// always reports whether a condition is a constant that is true; nil is true.
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

// rounds emits the body of a loop, the step after it, and the branch back. out contains the branches that leave the
// loop.
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
