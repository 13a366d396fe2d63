package locksets

import (
	"slices"

	"litmuscope/litmus/ir"
)

// A thread's state at a step covers all paths to it. For each lock it has the cases in which the thread may not hold
// the lock, with what is then known of registers: a failed attempt leaves 1 in a register, and a branch that tests this
// register leads such a case one way. Where no case is left, the thread holds the lock.

// maxCases is the largest number of cases of one lock; beyond that, cases are joined.
const maxCases = 4

// state has the facts that hold before a step.
type state struct {
	all     registers           // in all cases
	without map[int][]registers // by lock: the cases without it; absent: the one case all
	joined  set
	reserve reservation // of the last exclusive load
	spawned int
}

// reservation is an exclusive load of a lock whose value is still in its register; lock is -1 for none.
type reservation struct{ lock, register int }

var none = reservation{-1, -1}

func (s *state) clone() *state {
	out := *s
	out.all, out.without = slices.Clone(s.all), make(map[int][]registers, len(s.without))
	for l, cases := range s.without {
		out.without[l] = cloneCases(cases)
	}
	return &out
}

func cloneCases(cases []registers) []registers {
	out := make([]registers, len(cases))
	for i, c := range cases {
		out[i] = slices.Clone(c)
	}
	return out
}

// cases returns the cases without a lock. The caller may change them.
func (s *state) cases(lock int) []registers {
	if cases, ok := s.without[lock]; ok {
		return cases
	}
	return []registers{slices.Clone(s.all)}
}

// meet is the state after either of two paths; nil is a path that nothing takes.
func meet(s, o *state) *state {
	if s == nil || o == nil {
		if s == nil {
			return o
		}
		return s
	}
	out := &state{
		all: joinRegisters(s.all, o.all), without: map[int][]registers{}, joined: s.joined.common(o.joined),
		reserve: s.reserve, spawned: s.spawned,
	}
	if s.reserve != o.reserve {
		out.reserve = none
	}
	for _, from := range []*state{s, o} {
		for l := range from.without {
			if _, done := out.without[l]; !done {
				out.without[l] = limited(append(s.cases(l), o.cases(l)...))
			}
		}
	}
	return out
}

func joinRegisters(x, y registers) registers {
	out := make(registers, len(x))
	for i := range x {
		out[i] = x[i].join(y[i])
	}
	return out
}

// limited joins cases: equal ones, and all if there are too many.
func limited(cases []registers) []registers {
	var out []registers
	for _, c := range cases {
		if !slices.ContainsFunc(out, func(o registers) bool { return slices.Equal(c, o) }) {
			out = append(out, c)
		}
	}
	for len(out) > maxCases {
		last := len(out) - 1
		out[0] = joinRegisters(out[0], out[last])
		out = out[:last]
	}
	return out
}

// each updates the registers of all cases.
func (s *state) each(f func(registers)) {
	f(s.all)
	for _, cases := range s.without {
		for _, c := range cases {
			f(c)
		}
	}
}

// set gives a register a value in each case.
func (s *state) set(register int, f func(registers) value) {
	s.each(func(c registers) { c[register] = f(c) })
	if s.reserve.register == register {
		s.reserve = none
	}
}

// suppose drops the cases in which a condition is not as truth says. It reports false if none is left.
func (s *state) suppose(a *Analysis, cond ir.Expr, truth bool) bool {
	for l, cases := range s.without {
		s.without[l] = slices.DeleteFunc(cases, func(c registers) bool { return !a.suppose(cond, truth, c, value{}) })
	}
	return a.suppose(cond, truth, s.all, value{})
}

// run finds what a thread knows at each step. Jumps go forward, so that one pass suffices. It withdraws the protection
// of locks that the thread may release without holding them.
func (a *Analysis) run(t int) {
	th := &a.p.Threads[t]
	now := &state{all: make(registers, len(th.Regs)), without: map[int][]registers{}, reserve: none}
	a.points[t] = make([]point, len(th.Code)+1)
	waiting := map[int]*state{} // by step: the jumps that lead to it
	for pc := range len(th.Code) + 1 {
		now = meet(now, waiting[pc])
		delete(waiting, pc)
		if now == nil {
			continue
		}
		a.points[t][pc] = a.pointOf(now)
		if pc < len(th.Code) {
			now = a.step(now, th.Code[pc].Op, func(to int, s *state) { waiting[to] = meet(waiting[to], s) })
		}
	}
}

func (a *Analysis) pointOf(s *state) point {
	out := point{reached: true, joined: s.joined, spawned: s.spawned}
	for l, cases := range s.without {
		if len(cases) == 0 {
			out.held |= 1 << l
		}
	}
	return out
}

// step returns the state after a step, or nil if the thread does not continue behind it; jump receives the state with
// which it continues elsewhere.
func (a *Analysis) step(s *state, op ir.Op, jump func(to int, s *state)) *state {
	unknown := func(registers) value { return value{} }
	switch op := op.(type) {
	case ir.Branch:
		if op.Cond == nil {
			jump(op.Target, s)
			return nil
		}
		if taken := s.clone(); taken.suppose(a, op.Cond, true) {
			jump(op.Target, taken)
		}
		if !s.suppose(a, op.Cond, false) {
			return nil
		}
	case ir.Assume:
		if !s.suppose(a, op.Cond, true) {
			return nil
		}
	case ir.Assert:
		if !s.suppose(a, op.Cond, true) {
			return nil
		}
	case ir.Unwound:
		return nil
	case ir.Assign:
		s.set(op.Dst, func(c registers) value { return a.eval(op.Value, c, value{}) })
	case ir.Pick:
		s.set(op.Dst, func(c registers) value { return a.eval(op.Value, c, value{}) })
	case ir.RMW:
		a.update(s, op)
	case ir.Load:
		s.set(op.Dst, unknown)
		if op.Reserve {
			s.reserve = none
			if l, ok := a.lockAt(op.At); ok {
				s.reserve = reservation{l, op.Dst}
			}
		}
	case ir.StoreCond:
		a.storeCond(s, op)
	case ir.Store:
		if l, ok := a.lockAt(op.At); ok {
			if cases, attempted := s.without[l]; !attempted || len(cases) > 0 {
				a.protect &^= 1 << l
			}
			delete(s.without, l)
		}
	case ir.Spawn:
		s.spawned++
	case ir.Join:
		s.joined.add(op.Thread)
	default:
		if set, _ := ir.Effect(op); set >= 0 {
			s.set(set, unknown)
		}
	}
	return s
}

// lockAt returns the lock that an access is to.
func (a *Analysis) lockAt(at ir.Locs) (lock int, ok bool) {
	if len(at) != 1 {
		return 0, false
	}
	lock, ok = a.locks[at[0]]
	return lock, ok
}

// update executes an update. If it is of a lock, it fails in the cases without the lock: it reads 1, or reads 0 and
// writes nothing.
func (a *Analysis) update(s *state, op ir.RMW) {
	l, ok := a.lockAt(op.At)
	if !ok {
		s.set(op.Dst, func(registers) value { return value{} })
		return
	}
	cases := cloneCases(s.cases(l))
	s.set(op.Dst, func(registers) value { return value{} })
	var left []registers
	for _, c := range cases {
		if op.If != nil {
			if free := slices.Clone(c); a.suppose(op.If, false, free, numberOf(0)) {
				free[op.Dst] = numberOf(0)
				left = append(left, free)
			}
		}
		c[op.Dst] = numberOf(1)
		left = append(left, c)
	}
	s.without[l] = limited(left)
}

// storeCond executes a conditional store. If it is of a lock, the thread does not get the lock in two cases: the store
// fails, or the load before it has read 1.
func (a *Analysis) storeCond(s *state, op ir.StoreCond) {
	reserve := s.reserve
	s.reserve = none
	l, ok := a.lockAt(op.At)
	cases := cloneCases(s.cases(l))
	s.set(op.Status, func(registers) value { return value{} })
	if !ok {
		return
	}
	if reserve.lock != l || reserve.register == op.Status {
		a.protect &^= 1 << l // which load it belongs to is not known
		return
	}
	var left []registers
	for _, c := range cases {
		failed := slices.Clone(c)
		failed[op.Status] = numberOf(op.Fail)
		left = append(left, failed)
		if v := c[reserve.register]; !v.is(0) {
			c[reserve.register], c[op.Status] = numberOf(1), numberOf(op.Ok)
			left = append(left, c)
		}
	}
	s.without[l] = limited(left)
}
