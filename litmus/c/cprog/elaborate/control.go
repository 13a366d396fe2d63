package elaborate

import (
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Calls and loops. A call executes the called function in place. The registers of a function at one call depth are
// allocated once (frameKey) and reused by later calls at that depth, because no two of these are active together.
//
// A loop is a range of steps that a backward branch closes. Rounds are executed one after another, each as a flow over
// the range: an edge to the head begins the next round, and an edge to a step behind the range waits until the walk
// arrives there. A round is of one of three kinds:
//
//   - If numbers known in advance decided that the loop continues, and others than in the round before (see maxStale),
//     the loop counts. Such a round does not count towards the bound, so that counting loops are unrolled to their
//     ends.
//
//   - If values that were read decided, the round counts. When the bound is reached, one more round is executed that
//     may only leave the loop: a path that would continue, or would have a lasting effect, ends in ir.Unwound, which
//     tells engines that the bound was too low for this execution.
//
//   - If a round has changed nothing and only waits, it ends in ir.Unwound with Spin (wait.go), and does not need a
//     bound.
//
// The number of executions of a step is the product over its enclosing loops, so the size of the result is exponential
// in the nesting depth of loops that read; maxSteps bounds it. Recursion is bounded in the same way: a function of
// which more than Unroll active calls were reached by decisions on read values is not called again.

// stack is the thread's call stack.
type stack struct {
	out    *output
	frames map[frameKey]*frame
	depth  []*frame
}

type frameKey struct {
	fn    *code.Function
	depth int
}

// frame is a call of a function, with the position of its registers among the thread's.
type frame struct {
	fn        *code.Function
	regs      []int
	result    int  // register of the result; -1 for none
	used      bool // the caller uses the result
	returns   []edge
	ended     bool     // an earlier call has ended
	uncertain bool     // values that are read decide whether control gets here
	context   uint64   // hash of the path to this call
	made      []*block // allocations whose lives end with the call
	rounds    []*round // current rounds of the enclosing loops, the outermost first
}

// loop is a range of a function's code with a backward branch, and its inner loops.
type loop struct {
	head, tail int // its first step, and the last one with a backward branch
	inner      []*loop
	live       []bool // by register: whether its value at the head matters
}

// loopsOf returns the outermost loops of a function: one for each step that a backward branch leads to. If two loops
// overlap without nesting, the outer one is extended to include the other.
func loopsOf(f *code.Function) []*loop {
	byHead := map[int]*loop{}
	for pc, s := range f.Code {
		if b, ok := s.Op.(code.Branch); ok && b.Target <= pc {
			byHead[b.Target] = &loop{head: b.Target, tail: pc}
		}
	}
	all := slices.SortedFunc(maps.Values(byHead), func(a, b *loop) int { return a.head - b.head })
	for i, a := range slices.Backward(all) {
		for _, b := range all[i+1:] {
			if b.head <= a.tail {
				a.tail = max(a.tail, b.tail)
			}
		}
	}
	var top []*loop
	var open []*loop
	for _, l := range all {
		for len(open) > 0 && open[len(open)-1].tail < l.head {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			top = append(top, l)
		} else {
			in := open[len(open)-1]
			in.inner = append(in.inner, l)
		}
		open = append(open, l)
	}
	return top
}

// flow executes a range of a frame's code.
type flow struct {
	fr       *frame
	from, to int // the range
	loops    []*loop
	in       *round // the round that the range is, if any
	waiting  map[int][]edge
	// out receives the edges that leave the range.
	out func(target int, g edge)
}

// round is one round of a loop.
type round struct {
	loop   *loop
	last   bool // it may only leave the loop
	exits  bool // values that are read decide whether it is the last
	retry  int  // register that says whether a weak update has failed spuriously in it; -1 for none
	before effects
	// decided are the constant values that decided that the loop continues.
	decided []*value
}

// call executes a call of a function. The result end is nil if it does not return.
func (t *thread) call(
	st *state, fn *code.Function, args []operandValue, context uint64, used bool,
) (result operandValue, end *state) {
	if len(t.stack.depth) >= maxDepth {
		t.out.failf("%s is called at a depth of %d calls: recursion without a constant end is not supported",
			fn.Name,
			maxDepth)
	}
	deep := 0
	for _, fr := range t.stack.depth {
		if fr.fn == fn && fr.uncertain {
			deep++
		}
	}
	if deep > t.elab.options.Unroll {
		t.out.emit(ir.Unwound{})
		return operandValue{}, nil
	}
	fr := t.stack.frame(fn)
	fr.returns, fr.made, fr.uncertain, fr.context, fr.used = nil, nil, false, context, used
	t.stack.depth = append(t.stack.depth, fr)
	for i, p := range fn.Params {
		if i < len(args) {
			t.regs.put(st, fr.regs[p], ir.Resize(args[i].x, fn.Regs[p].Bits), args[i].v)
		}
	}
	for _, v := range fn.Locals {
		t.memory.renew(st, v, fr)
	}
	if fr.ended { // this depth was used by an earlier call
		t.lives.live(st, fr, 1)
	}
	f := &flow{fr: fr, to: len(fn.Code), loops: t.elab.loops(fn), waiting: map[int][]edge{}}
	f.out = func(_ int, g edge) { fr.returns = append(fr.returns, g) }
	if cur := t.through(f, st); cur != nil {
		fr.returns = append(fr.returns, edge{-1, cur})
	}
	if len(fr.returns) > 0 {
		end = t.meeting.land(fr.returns)
		if t.out.info.number > 1 || len(t.stack.depth) > 1 { // otherwise the program ends
			t.lives.live(end, fr, 0)
			fr.ended = true
		}
	}
	t.stack.depth, fr.returns = t.stack.depth[:len(t.stack.depth)-1], nil
	if end == nil {
		return operandValue{}, nil
	}
	if len(t.stack.depth) > 0 && fr.uncertain {
		t.stack.depth[len(t.stack.depth)-1].uncertain = true
	}
	if fr.result >= 0 {
		result = t.regs.read(end, fr.result)
	}
	for _, r := range fr.regs {
		end.set(r, nil)
	}
	return result, end
}

// frame allocates registers for a call of a function at the current depth.
func (sk *stack) frame(fn *code.Function) *frame {
	key := frameKey{fn, len(sk.depth)}
	fr := sk.frames[key]
	if fr == nil {
		fr = &frame{fn: fn, result: -1}
		for _, r := range fn.Regs {
			fr.regs = append(fr.regs, sk.out.register(r.Bits))
		}
		if fn.Result > 0 {
			fr.result = sk.out.register(fn.Result)
		}
		sk.frames[key] = fr
	}
	return fr
}

// through runs the steps of a range, and returns the state at its end, where control falls through.
func (t *thread) through(f *flow, cur *state) *state {
	inner := f.loops
	for pc := f.from; pc < f.to; {
		if w := f.waiting[pc]; len(w) > 0 {
			if cur != nil {
				w = append(w, edge{-1, cur})
			}
			cur = t.meeting.land(w)
			delete(f.waiting, pc)
		}
		if len(inner) > 0 && inner[0].head == pc {
			l := inner[0]
			inner = inner[1:]
			t.loop(f, l, cur)
			cur = nil
			pc = l.tail + 1
			continue
		}
		if cur != nil {
			cur = t.step(f, pc, cur)
		}
		pc++
	}
	return cur
}

// addEdge adds an edge to a step of the frame's function.
func (f *flow) addEdge(pc, target int, g edge) {
	if target > pc && target < f.to {
		f.waiting[target] = append(f.waiting[target], g)
		return
	}
	f.out(target, g)
}

// maxStale is the number of consecutive rounds for which a loop counts as a counting loop although the same numbers
// decide that it continues.
const maxStale = 100

// loop executes a loop round by round.
//
// If constants decide in each round whether the loop continues, it is unrolled to its end. Otherwise it is unrolled up
// to the bound, and a round that only waits is cut (wait.go).
func (t *thread) loop(f *flow, l *loop, cur *state) {
	limit := t.elab.options.Unroll
	weak, asked := t.elab.hasWeakUpdate(f.fr.fn, l), slices.Contains(t.elab.options.Properties, ir.Termination)
	var heads []*remembered
	var retries []int // by round
	if t.bound > 0 {
		limit, t.bound = t.bound, 0
	}
	fr := f.fr
	context, line := fr.context, t.out.line
	defer func() { fr.context, fr.rounds, t.out.line = context, fr.rounds[:len(fr.rounds)-1], line }()
	t.out.line = fr.fn.Code[l.head].Line
	fr.rounds = append(fr.rounds, nil)
	var last []*value
	counted, free, stale := 0, false, 0
	pending := f.waiting
	for n := 0; ; n++ {
		over := counted >= limit
		r := &round{loop: l, last: over && !weak, retry: -1}
		in := &flow{fr: fr, from: l.head, to: l.tail + 1, loops: l.inner, in: r, waiting: map[int][]edge{}}
		for pc := l.head + 1; n == 0 && pc <= l.tail; pc++ { // there are jumps into the middle of the loop
			if w := pending[pc]; len(w) > 0 {
				in.waiting[pc] = w
				delete(pending, pc)
			}
		}
		aside := len(in.waiting) > 0 // a path that enters the middle has not been at the head
		if cur == nil && !aside {
			return
		}
		fr.rounds[len(fr.rounds)-1] = r
		var head *state
		if cur != nil {
			r.before, cur.effects = cur.effects, effects{}
			if !free && !aside { // a counting loop does not wait
				head = cur.clone()
			}
		}
		if over && cur != nil && asked {
			for _, before := range heads {
				t.rounds.again(before, cur, retries)
			}
		}
		var before *remembered
		if cur != nil && !aside &&
			(weak && t.elab.options.Waits.Reads || asked && !r.last && (!free || counted+1 >= limit)) {
			before = t.rounds.remember(fr, l, cur)
			before.round = n
			heads = append(heads, before)
		}
		if weak && cur != nil {
			r.retry = t.out.register(1)
			t.regs.put(cur, r.retry, ir.Number(0, 1), zero)
		}
		retries = append(retries, r.retry)
		since := len(t.out.th.Code)
		var backs []edge
		leave := func(target int, g edge) {
			g.st.effects = both(r.before, g.st.effects)
			if target > l.tail {
				r.exits = true
				f.addEdge(l.tail, target, g)
			} else {
				f.out(target, g)
			}
		}
		in.out = func(target int, g edge) {
			if target == l.head {
				backs = append(backs, g)
			} else {
				leave(target, g)
			}
		}
		fr.context = mix(context, uint64(l.head)<<20+uint64(n))
		if r.last {
			t.ending++
		}
		if end := t.through(in, cur); end != nil {
			leave(l.tail+1, edge{t.out.emit(ir.Branch{Target: -1}), end})
		}
		if r.last {
			t.ending--
		}
		var spins, rest []edge
		for _, g := range backs {
			if head != nil && t.rounds.waits(fr, l, head, g.st) {
				spins = append(spins, g)
			} else if weak && t.elab.options.Waits.Reads && before != nil {
				rest = append(rest, t.rounds.dropRetry(r, before, g))
			} else {
				rest = append(rest, g)
			}
		}
		if len(spins) > 0 {
			if spun := t.meeting.land(spins); r.retry >= 0 {
				t.out.emit(ir.Assume{Cond: ir.Not(t.regs.read(spun, r.retry).x)})
			}
			t.out.emit(ir.Unwound{Spin: true, Since: since})
		}
		if len(rest) == 0 {
			return
		}
		if !slices.EqualFunc(r.decided, last, (*value).same) {
			stale = 0
		}
		stale++
		free = !r.exits && len(r.decided) > 0 && !slices.Equal(r.decided, last) && stale <= maxStale
		last = r.decided
		if !free {
			counted++
			fr.uncertain = true
		}
		if over || t.tooEarly(n) {
			t.meeting.land(rest)
			t.out.emit(ir.Unwound{})
			return
		}
		cur = t.meeting.land(rest)
		cur.effects = both(r.before, cur.effects)
	}
}

// leaves reports whether a target is outside the round's loop.
func (r *round) leaves(target int) bool { return target < r.loop.head || target > r.loop.tail }

// fork executes a branch: along one alternative if the condition is known, otherwise along both.
func (t *thread) fork(f *flow, pc int, b code.Branch, st *state) *state {
	if b.Cond == nil {
		f.addEdge(pc, b.Target, edge{t.out.emit(ir.Branch{Target: -1}), st})
		return nil
	}
	cond := t.evaluator.eval(f.fr, st, b.Cond, nil)
	known := func(stays, goes int) {
		if f.in != nil && f.in.leaves(goes) && !f.in.leaves(stays) {
			var at []*value
			ir.Registers(b.Cond, func(r int) { at = append(at, t.regs.get(st, f.fr.regs[r])) })
			f.in.decided = append(f.in.decided, at...)
		}
	}
	if n, ok := cond.v.constant(); ok {
		if n == 1 {
			known(b.Target, pc+1)
			f.addEdge(pc, b.Target, edge{t.out.emit(ir.Branch{Target: -1}), st})
			return nil
		}
		known(pc+1, b.Target)
		return st
	}
	if !t.elab.options.Ahead && len(cond.v.set) == 1 && !cond.v.loose {
		f.fr.uncertain = true // values read so far decide
		if cond.v.set[0] == 1 {
			f.addEdge(pc, b.Target, edge{t.out.emit(ir.Branch{Cond: cond.x, Target: -1}), st})
			t.out.emit(ir.Assume{Cond: ir.Number(0, 1)})
			return nil
		}
		at := t.out.emit(ir.Branch{Cond: cond.x, Target: -1}) // later steps depend on the branch
		t.out.patch(at, at+1)
		return st
	}
	f.fr.uncertain = true
	yes, no := st.clone(), st
	yes.decide(cond.x, 1)
	no.decide(cond.x, 0)
	t.regs.refine(yes, cond.x, 1)
	t.regs.refine(no, cond.x, 0)
	from := t.out.emit(ir.Branch{Cond: cond.x, Target: -1})
	if f.in != nil && f.in.last {
		switch out, on := f.in.leaves(b.Target), f.in.leaves(pc+1); {
		case out && !on: // the loop may only end here
			f.addEdge(pc, b.Target, edge{from, yes})
			t.out.emit(ir.Unwound{})
			return nil
		case on && !out:
			f.in.exits = true
			past := t.out.emit(ir.Branch{Target: -1})
			t.out.patch(from, len(t.out.th.Code))
			t.out.emit(ir.Unwound{})
			t.out.patch(past, len(t.out.th.Code))
			return no
		}
	}
	f.addEdge(pc, b.Target, edge{from, yes})
	return no
}

// Limits on the rounds of a loop in the first passes, when the values that other threads write are not known yet.
const (
	earlyPasses = 3
	earlyRounds = 2000
)

// tooEarly reports whether a loop has had so many rounds that another pass should come first.
func (t *thread) tooEarly(rounds int) bool {
	if t.elab.passes >= earlyPasses || rounds < earlyRounds {
		return false
	}
	t.elab.changed = true
	return true
}
