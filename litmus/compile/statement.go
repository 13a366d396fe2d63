package compile

import "litmuscope/litmus/c"

func (t *thread) block(body []c.Stmt) {
	for _, s := range body {
		free := t.next
		t.statement(s)
		t.next = free
	}
}

// statement compiles one statement. Control flow becomes branches to new labels.
func (t *thread) statement(s c.Stmt) {
	switch s := s.(type) {
	case *c.Declare:
		t.at = s.Pos
		if s.Value != nil {
			t.assign(t.local(s.Name), s.Value)
		}
	case *c.Do:
		t.at = s.Pos
		t.discard(s.X)
	case *c.If:
		t.at = s.Pos
		otherwise := t.label()
		t.unless(s.Cond, otherwise)
		t.block(s.Then)
		if len(s.Else) > 0 {
			over := t.label()
			t.at = s.Pos
			t.to.jump(t, over)
			t.mark(otherwise)
			t.block(s.Else)
			otherwise = over
		}
		t.mark(otherwise)
	case *c.While:
		t.while(s)
	case *c.For:
		t.at = s.Pos
		t.block(s.Init)
		l := t.enter()
		again := t.label()
		t.mark(again)
		if s.Cond != nil {
			t.unless(s.Cond, l.breaks)
		}
		t.block(s.Body)
		t.at = s.Pos
		t.mark(l.continues)
		if s.Step != nil {
			t.discard(s.Step)
		}
		t.to.jump(t, again)
		t.leave()
	case *c.Break:
		t.to.jump(t, t.loops[len(t.loops)-1].breaks)
	case *c.Continue:
		t.to.jump(t, t.loops[len(t.loops)-1].continues)
	case *c.Return:
		t.at = s.Pos
		if s.X != nil {
			t.discard(s.X)
		}
		t.to.jump(t, t.end)
	case *c.Block:
		t.block(s.Body)
	}
}

// while compiles do … while for a loop without a body, so that the branch back is the only one.
func (t *thread) while(s *c.While) {
	t.at = s.Pos
	l := t.enter()
	again := t.label()
	t.mark(again)
	if s.Post || len(s.Body) == 0 {
		t.block(s.Body)
		t.at = s.Pos
		t.mark(l.continues)
		t.when(s.Cond, again)
	} else {
		t.unless(s.Cond, l.breaks)
		t.block(s.Body)
		t.at = s.Pos
		t.mark(l.continues)
		t.to.jump(t, again)
	}
	t.leave()
}

func (t *thread) enter() loop {
	t.loops = append(t.loops, loop{t.label(), t.label()})
	return t.loops[len(t.loops)-1]
}

func (t *thread) leave() {
	t.mark(t.loops[len(t.loops)-1].breaks)
	t.loops = t.loops[:len(t.loops)-1]
}

// discard evaluates an expression for its effects.
func (t *thread) discard(x c.Expr) {
	free := t.next
	switch x := x.(type) {
	case *c.Call:
		t.call(x, none, false)
	case *c.Assign:
		t.assignment(x, nothing)
	case *c.Postfix:
		t.update(x.X, x.Op[:1], one, nothing)
	default:
		t.expr(x, none)
	}
	t.next = free
}

// when jumps to a label if an expression is not 0, unless if it is 0.
func (t *thread) when(x c.Expr, label string)   { t.decide(x, true, label) }
func (t *thread) unless(x c.Expr, label string) { t.decide(x, false, label) }

// decide jumps to a label if the truth value of an expression is want. && and || evaluate their right side only if
// necessary, and comparisons become one branch.
func (t *thread) decide(x c.Expr, want bool, label string) {
	free := t.next
	defer func() { t.next = free }()
	switch x := x.(type) {
	case *c.Unary:
		if x.Op == "!" {
			t.decide(x.X, !want, label)
			return
		}
	case *c.Binary:
		switch x.Op {
		case "&&", "||":
			if (x.Op == "&&") == want { // both sides must have the wanted value
				over := t.label()
				t.decide(x.X, !want, over)
				t.decide(x.Y, want, label)
				t.mark(over)
			} else {
				t.decide(x.X, want, label)
				t.decide(x.Y, want, label)
			}
			return
		case "==", "!=", "<", "<=", ">", ">=":
			a, b, is, bits := t.compared(x)
			if a.number && b.number {
				t.jumpIf(is.eval(a.n, b.n) == want, label)
				return
			}
			if !want {
				is = is.not()
			}
			if a.number {
				a, b, is = b, a, is.swapped()
			}
			t.to.branch(t, is, a.value, b.value, bits, label)
			return
		}
	}
	v := t.expr(x, none)
	if v.number {
		t.jumpIf((v.n != 0) == want, label)
		return
	}
	is := comparison{op: "!="}
	if !want {
		is = is.not()
	}
	t.to.branch(t, is, v.value, number(0), v.typ.bits(t.m), label)
}

// jumpIf jumps to a label if yes is true.
func (t *thread) jumpIf(yes bool, label string) {
	if yes {
		t.to.jump(t, label)
	}
}
