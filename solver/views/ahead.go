package views

import (
	"slices"

	"litmuscope/litmus/ir"
)

// ahead says what threads may still do. All jumps of their code lead forward, so that a thread may still do what a step
// at its position or behind does.
type ahead struct {
	program *ir.Program
	threads []lastSteps
}

// lastSteps has for each kind of action of a thread the last step that may do it; -1 for none.
type lastSteps struct {
	reads, writes []int // by location
	plain         []int // by location: plain accesses
	registers     []int // by register: uses; len(Code) for registers that the outcome contains
	fences        int   // acquires
	conditionals  int   // store-conditionals
}

// lookAhead finds what the threads of a program may do.
func lookAhead(p *ir.Program) *ahead {
	a := &ahead{program: p}
	none := func(n int) []int { return slices.Repeat([]int{-1}, n) }
	for t, th := range p.Threads {
		l := lastSteps{
			none(len(p.Locs)), none(len(p.Locs)), none(len(p.Locs)), none(len(th.Regs)), -1, -1,
		}
		for i, step := range th.Code {
			l.step(p, i, step.Op)
		}
		for _, o := range p.Observed {
			if o.Thread == t {
				l.registers[o.Index] = len(th.Code)
			}
		}
		a.threads = append(a.threads, l)
	}
	return a
}

// step notes what a step may do.
func (l *lastSteps) step(p *ir.Program, i int, op ir.Op) {
	_, used := ir.Effect(op)
	for _, x := range used {
		ir.WalkExpr(x, func(x ir.Expr) bool {
			if r, ok := x.(ir.Reg); ok {
				l.registers[r.Index] = i
			}
			return true
		})
	}
	mark := func(at []int) {
		for _, loc := range targets(p, op) {
			at[loc] = i
		}
	}
	plain := func(tags ir.Tags) {
		if tags.Has(tagPlain) {
			mark(l.plain)
		}
	}
	switch op := op.(type) {
	case ir.Load:
		mark(l.reads)
		plain(op.Tags)
	case ir.Store:
		mark(l.writes)
		plain(op.Tags)
	case ir.RMW:
		mark(l.reads)
		mark(l.writes)
		plain(slices.Concat(op.Tags, op.WriteTags))
	case ir.StoreCond:
		mark(l.reads) // it has to follow the message that the thread has read
		mark(l.writes)
		plain(op.Tags)
		l.conditionals = i
	case ir.Fence:
		if acquires(op.Tags) {
			l.fences = i
		}
	}
}

// targets lists the locations that an access may reach.
func targets(p *ir.Program, op ir.Op) (out []int) {
	addr, _ := ir.Access(op)
	if at := ir.At(op); at != nil {
		return at
	}
	if a, ok := addr.(ir.Addr); ok {
		return []int{a.Loc}
	}
	for loc := range p.Locs {
		out = append(out, loc)
	}
	return out
}

// plain reports whether a location has plain accesses.
func (a *ahead) plain(loc int) bool {
	return slices.ContainsFunc(a.threads, func(l lastSteps) bool { return l.plain[loc] >= 0 })
}

// othersWrite reports whether threads other than t may still write to a location.
func (a *ahead) othersWrite(st *State, t, loc int) bool {
	for u, th := range st.threads {
		if u != t && !th.ended() && a.threads[u].writes[loc] >= th.next.Step {
			return true
		}
	}
	return false
}

// ended reports whether a thread performs no further events.
func (th *thread) ended() bool { return th.next.Kind == ir.ActEnd || th.next.Kind == ir.ActUnwound }
