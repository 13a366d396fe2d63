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
		if s.Type.kernel && s.Type.stars == 0 || s.Type.atomic && s.Type.stars == 0 {
			l.Failf(s.Pos, "%s: a local of type %s is not supported: declare it in the init block, and take its address as a parameter", s.Name, s.Type)
		}
		l.locals[s.Name] = s.Type
		if s.Value != nil {
			l.setLocal(s.Name, l.value(s.Value))
		}
	case *Do:
		l.At(s.Cell)
		l.value(s.X)
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
			l.value(s.X)
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

// back emits a branch to an earlier step.
func (l *lowerer) back(cond ir.Expr, to int) { l.Emit(ir.Branch{Cond: cond, Target: to}) }

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
	l.controlled(s.Cell, func() {
		skip := l.jump(ir.Not(l.truth(s.Cond)))
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

// while emits a loop. One without a body is laid out as do … while, whose branch back alone
// tells that it only waits.
func (l *lowerer) while(s *While) {
	l.controlled(s.Cell, func() {
		l.loops = append(l.loops, loop{})
		top := l.here()
		if s.Post || len(s.Body) == 0 {
			l.block(s.Body)
			l.land(l.loops[len(l.loops)-1].continues...)
			l.At(s.Cond.Where().Cell)
			l.back(l.truth(s.Cond), top)
		} else {
			out := l.jump(ir.Not(l.truth(s.Cond)))
			l.block(s.Body)
			l.land(l.loops[len(l.loops)-1].continues...)
			l.At(s.Cell)
			l.back(nil, top)
			l.land(out)
		}
		l.leaveLoop()
	})
}

func (l *lowerer) leaveLoop() {
	l.land(l.loops[len(l.loops)-1].breaks...)
	l.loops = l.loops[:len(l.loops)-1]
}

func (l *lowerer) forLoop(s *For) {
	l.At(s.Cell)
	l.block(s.Init)
	l.controlled(s.Cell, func() {
		l.loops = append(l.loops, loop{})
		top := l.here()
		var out []int
		if s.Cond != nil {
			out = append(out, l.jump(ir.Not(l.truth(s.Cond))))
		}
		l.block(s.Body)
		l.land(l.loops[len(l.loops)-1].continues...)
		l.At(s.Cell)
		if s.Step != nil {
			l.value(s.Step)
		}
		l.back(nil, top)
		l.land(out...)
		l.leaveLoop()
	})
}
