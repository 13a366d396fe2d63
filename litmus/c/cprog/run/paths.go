package run

import (
	"cmp"
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// path is an abstract state of a thread at one place. Everything that it does not mention is as in the thread that it
// was derived from.
//
// Only the calls from the one with the loop on, and memory written since, are copied into a path. Everything else is
// constant during the loop as far as the path is concerned, and is looked up in the thread.
type path struct {
	frames []call // from the call with the loop
	cells  map[uint64]content
	anew   map[*block]bool // locals whose lifetimes have begun again: bytes without a cell are not set
	dead   []*block
	inside int
}

// content is the possible values of some bytes of memory. Cells do not overlap.
type content struct {
	bytes int
	value value
}

// call is a call that a path is in.
type call struct {
	fn    *function
	pc    int
	dst   int
	regs  []value
	turns []turn // turns of the enclosing loops, the outermost first
}

// turn counts how often control has reached the head of a loop, and how often it was unknown whether it leaves the
// loop.
type turn struct{ loop, count, open int }

// maxOpen is the maximum of turn.open; later rounds are joined.
const maxOpen = 8

func (p *path) top() *call { return &p.frames[len(p.frames)-1] }

// copy returns a copy of a path. Like meet, it counts as several steps.
func (x *explorer) copy(p *path) *path {
	x.spend(p)
	out := *p
	out.frames = slices.Clone(p.frames)
	for i := range out.frames {
		f := &out.frames[i]
		f.regs, f.turns = slices.Clone(f.regs), slices.Clone(f.turns)
	}
	out.cells, out.anew, out.dead = maps.Clone(p.cells), maps.Clone(p.anew), slices.Clone(p.dead)
	return &out
}

// compare orders paths so that those that can be joined are joined: the path that is furthest behind goes first. Paths
// at the same place in the same rounds are equal.
//
// The order is by rounds of loops, the outermost first, and within a round by step. Branches within a round only lead
// to later steps, and a backward branch begins the next round. So the path that is furthest behind may still arrive
// where others are, but not the reverse, and when a path continues from a place, those that arrive there in the same
// round have joined it.
func (p *path) compare(q *path) int {
	for i := range min(len(p.frames), len(q.frames)) {
		if c := p.frames[i].compare(&q.frames[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(p.frames), len(q.frames))
}

func (f *call) compare(g *call) int {
	if f.fn != g.fn {
		return cmp.Compare(f.fn.Name, g.fn.Name)
	}
	place := func(f *call, i int) (at, count int) {
		if i < len(f.turns) {
			return f.fn.loops[f.turns[i].loop].head, f.turns[i].count
		}
		return f.pc, -1
	}
	for i := range min(len(f.turns), len(g.turns)) + 1 {
		at, n := place(f, i)
		other, m := place(g, i)
		if c := cmp.Or(cmp.Compare(at, other), cmp.Compare(n, m)); c != 0 {
			return c
		}
	}
	return cmp.Compare(f.pc, g.pc)
}

// arrive moves control to a step of the top call.
func (f *call) arrive(to int) {
	var turns []turn
	for n, l := range f.fn.loops {
		if to < l.head || to > l.tail {
			continue
		}
		next := turn{loop: n}
		if i := slices.IndexFunc(f.turns, func(t turn) bool { return t.loop == n }); i >= 0 {
			if next = f.turns[i]; to == l.head && next.open <= maxOpen {
				next.count++
			}
		}
		turns = append(turns, next)
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		x, y := f.fn.loops[a.loop], f.fn.loops[b.loop]
		return cmp.Or(cmp.Compare(x.head, y.head), cmp.Compare(y.tail, x.tail))
	})
	f.pc, f.turns = to, turns
}

// overlaps returns the cells that overlap some bytes.
func (p *path) overlaps(addr uint64, bytes int) (all []uint64) {
	for at := addr - 7; at != addr+uint64(bytes); at++ {
		if c, ok := p.cells[at]; ok && at+uint64(c.bytes) > addr {
			all = append(all, at)
		}
	}
	return all
}

// cut splits cells into bytes.
func (p *path) cut(all []uint64) {
	for _, at := range all {
		c := p.cells[at]
		for i := range c.bytes {
			p.cells[at+uint64(i)] = content{1, c.value.byte(i)}
		}
	}
}

func (v value) byte(i int) value {
	if v.Bits == 8 {
		return v
	}
	out := evaluate(ir.Extract{X: ir.Reg{Bits: v.Bits}, Lo: 8 * i, Bits: 8}, []value{v}, v)
	out.unset = v.unset >> i & 1
	return out
}

// load returns the possible values of some bytes of a block.
func (x *explorer) load(p *path, b *block, addr uint64, bytes int) value {
	if c, ok := p.cells[addr]; ok && c.bytes == bytes {
		return c.value
	}
	all := p.overlaps(addr, bytes)
	if len(all) == 0 {
		if p.anew[b] {
			out := anyOf(8 * bytes)
			out.unset = 1<<bytes - 1
			return out
		}
		v, unset := x.t.private(b, int(addr-b.base), bytes)
		out := exactly(v, 8*bytes)
		out.unset = unset
		return out
	}
	if bytes == 1 {
		return p.cells[all[0]].value.byte(int(addr - all[0]))
	}
	out := exactly(0, 8*bytes)
	for i := range bytes {
		v := x.load(p, b, addr+uint64(i), 1)
		unset := out.unset | v.unset<<i
		shifted := ir.Shl.Of(ir.Extend{X: ir.Reg{Bits: 8, Index: 1}, Bits: 8 * bytes}, ir.Number(uint64(8*i), 8*bytes))
		out = evaluate(ir.BitOr.Of(ir.Reg{Bits: 8 * bytes}, shifted), []value{out, v}, v)
		out.unset = unset
	}
	return out
}

func (p *path) store(addr uint64, bytes int, v value) {
	if c, ok := p.cells[addr]; !ok || c.bytes != bytes {
		p.cut(p.overlaps(addr, bytes))
		for i := range uint64(bytes) {
			delete(p.cells, addr+i)
		}
	}
	p.cells[addr] = content{bytes, v}
}

// renew begins the lifetime of a local again.
func (p *path) renew(b *block) {
	if p.anew[b] && len(p.cells) == 0 {
		return
	}
	p.anew[b] = true
	if b.size < len(p.cells) {
		for i := range b.size {
			delete(p.cells, b.base+uint64(i))
		}
		return
	}
	maps.DeleteFunc(p.cells, func(at uint64, _ content) bool { return at >= b.base && at < b.base+uint64(b.size) })
}

// meet makes p the join of two paths at one place. ok is false if that cannot be represented. more says that p has
// grown; the result may then be widened.
//
// A place that only one of the paths has written is in the other as it is in the thread. Cells of different widths are
// cut into bytes first.
func (x *explorer) meet(p, q *path, by widening) (more, ok bool) {
	x.spend(p)
	if len(p.frames) != len(q.frames) || !slices.Equal(p.dead, q.dead) || p.inside != q.inside {
		return false, false
	}
	join := func(v, w value) value {
		if v.covers(w) {
			return v
		}
		more = true
		return v.join(w).widen(v, by)
	}
	for i := range p.frames {
		f, g := &p.frames[i], &q.frames[i]
		if f.fn != g.fn || f.pc != g.pc || f.dst != g.dst {
			return false, false
		}
		for r := range f.regs {
			f.regs[r] = join(f.regs[r], g.regs[r].fit(f.regs[r].Bits))
		}
	}
	for at, c := range q.cells {
		if d, ok := p.cells[at]; ok && d.bytes == c.bytes {
			continue
		}
		if all := p.overlaps(at, c.bytes); len(all) > 0 {
			p.cut(all)
			q.cut(q.overlaps(at, c.bytes))
		}
	}
	places := slices.Collect(maps.Keys(p.cells))
	for at := range q.cells {
		if _, ok := p.cells[at]; !ok {
			places = append(places, at)
		}
	}
	for _, at := range places {
		c, ok := p.cells[at]
		if !ok {
			c = q.cells[at]
		}
		b := x.t.p.blockAt(at)
		p.cells[at] = content{c.bytes, join(x.load(p, b, at, c.bytes), x.load(q, b, at, c.bytes))}
	}
	for b := range q.anew {
		if !p.anew[b] {
			p.anew[b], more = true, true
		}
	}
	return more, true
}

// explorer follows the paths of a thread.
type explorer struct {
	t     *Thread
	base  int // number of calls below, which do not change
	loop  int // the loop, in the call above these
	steps int // remaining steps
}

// spend counts the cost of an operation on a whole path, which is more than that of a step.
func (x *explorer) spend(p *path) {
	all := len(p.cells)
	for i := range p.frames {
		all += len(p.frames[i].regs)
	}
	x.steps -= all / 16
}

// step executes one step of a path, which is then at one place, or at two. ok is false if the step may have an
// observable effect, or is not supported here.
func (x *explorer) step(p *path) (other *path, ok bool) {
	t, f := x.t, p.top()
	eval := func(e ir.Expr) value { return evaluate(e, f.regs, value{}) }
	is := func(e ir.Expr) bool { v := eval(e); return v.Constant() && v.Value == 1 }
	set := func(r int, v value) {
		if r >= 0 {
			f.regs[r] = v.fit(f.fn.Regs[r].Bits)
		}
	}
	next := func() (*path, bool) { f.arrive(f.pc + 1); return nil, true }
	switch o := f.fn.Code[f.pc].Op.(type) {
	case code.Assign:
		v := eval(o.Value)
		if r, ok := o.Value.(ir.Reg); ok {
			v.unset = f.regs[r.Index].unset
		} else {
			v.unset = 0
		}
		f.regs[o.Dst] = v
	case code.Locate:
		if o.Fn != nil {
			i := slices.Index(t.p.funcs, o.Fn)
			if i < 0 {
				return nil, false
			}
			set(o.Dst, exactly(t.p.addressOf(o.Fn), f.fn.Regs[o.Dst].Bits))
			return next()
		}
		b := x.block(o.Of, len(p.frames))
		if b == nil {
			return nil, false
		}
		set(o.Dst, exactly(b.base, f.fn.Regs[o.Dst].Bits))
	case code.Self:
		set(o.Dst, exactly(uint64(t.number+1), f.fn.Regs[o.Dst].Bits))
	case code.Begin:
		if !x.begin(p, o.Of) {
			return nil, false
		}
	case code.Load:
		v, ok := x.read(p, eval(o.Addr), f.fn.Regs[o.Dst].Bits, t.how(o.How, false).Orders())
		if !ok || v.unset != 0 && !o.How.Copied {
			return nil, false
		}
		f.regs[o.Dst] = v
	case code.Store:
		v := eval(o.Value)
		if r, ok := o.Value.(ir.Reg); ok {
			v.unset = f.regs[r.Index].unset
		} else {
			v.unset = 0
		}
		if !x.write(p, eval(o.Addr), v, t.how(o.How, true).Orders(), false) {
			return nil, false
		}
	case code.Update:
		if o.Weak != nil && !t.p.Strong {
			if v := eval(o.Weak); !v.Constant() || v.Value == 1 {
				return nil, false
			}
		}
		bits := f.fn.Regs[o.Dst].Bits
		at := eval(o.Addr)
		was, ok := x.read(p, at, bits, true)
		if !ok || was.unset != 0 {
			return nil, false
		}
		does := exactly(1, 1)
		if o.When != nil {
			does = evaluate(o.When, f.regs, was)
		}
		if !does.Constant() || does.Value == 1 {
			if !x.write(p, at, evaluate(o.Next, f.regs, was).fit(bits), true, !does.Constant()) {
				return nil, false
			}
		}
		set(o.Dst, was)
		set(o.Wrote, does)
	case code.Fence:
		if !t.single {
			return nil, false
		}
	case code.Branch:
		return x.branch(p, o)
	case code.Assume:
		if !is(o.Cond) {
			return nil, false
		}
	case code.Assert:
		if (o.Property != ir.Overflow || slices.Contains(t.p.Properties, ir.Overflow)) && !is(o.Cond) {
			return nil, false
		}
	case code.Call:
		return nil, x.call(p, o)
	case code.Ret:
		return nil, x.ret(p, o)
	case code.Life:
		if o.Of == nil {
			return nil, false
		}
		b := x.block(o.Of, len(p.frames))
		if b == nil || !x.live(p, b, !o.Ends) {
			return nil, false
		}
	case code.Section:
		if !t.single || o.End && t.inside+p.inside == 0 {
			return nil, false
		}
		if p.inside++; o.End {
			p.inside -= 2
		}
	case code.Bound, code.Attempt:
	default:
		return nil, false
	}
	return next()
}

// block returns the block of a variable if it exists already.
func (x *explorer) block(v *code.Variable, depth int) *block {
	return x.t.p.blockByKey[variableKey(v, x.t.number, x.base+depth)]
}

func (x *explorer) begin(p *path, v *code.Variable) bool {
	if v.Static || v.PerThread {
		return true
	}
	b := x.block(v, len(p.frames))
	if b == nil {
		return false
	}
	p.renew(b)
	return true
}

// live begins or ends the lifetime of a local.
func (x *explorer) live(p *path, b *block, begins bool) bool {
	if b.life != nil && (b.life.watched || !b.life.ends) {
		return false
	}
	switch i := slices.Index(p.dead, b); {
	case begins && i >= 0:
		p.dead = slices.Delete(p.dead, i, i+1)
	case !begins && i < 0:
		p.dead = append(p.dead, b)
	}
	return true
}

// locals begins or ends the lifetimes of the top call's locals.
func (x *explorer) locals(p *path, begin bool) bool {
	if !x.t.p.FollowsLives() {
		return true
	}
	for _, v := range p.top().fn.Locals {
		if v.Static || v.PerThread {
			continue
		}
		b := x.block(v, len(p.frames))
		if b == nil || (!begin || slices.Contains(p.dead, b)) && !x.live(p, b, begin) {
			return false
		}
	}
	return true
}

// alone returns the block of an access if it exists and only this thread accesses it.
func (x *explorer) alone(p *path, addr uint64, bytes int, ordered bool) *block {
	t := x.t
	b := t.p.blockAt(addr)
	switch {
	case b == nil || addr+uint64(bytes) > b.base+uint64(b.size):
		return nil
	case !t.single && (ordered || !b.constant()) &&
		(b.shared || ordered || b.user != t.number || t.number > 0 && slices.Contains(t.image.open, b)):
		return nil
	case b.local == nil && b.life == nil || x.inScope(p, b):
		return b
	case b.life == nil || !b.life.watched:
		return nil
	case b.life.ends:
		if is := x.load(p, b, b.base+uint64(b.size+alive), 1); !is.Constant() || is.Value != 1 {
			return nil
		}
	}
	return b
}

// inScope is Thread.inScope for a path.
func (x *explorer) inScope(p *path, b *block) bool {
	if x.t.isOnStack(b) {
		return true
	}
	if b.local == nil || b.thread != x.t.number || b.depth > x.base+len(p.frames) || slices.Contains(p.dead, b) {
		return false
	}
	fn := x.t.frames[min(b.depth, x.base+1)-1].fn
	if b.depth > x.base {
		fn = p.frames[b.depth-x.base-1].fn
	}
	return slices.Contains(fn.Locals, b.local)
}

func (x *explorer) read(p *path, at value, bits int, ordered bool) (out value, ok bool) {
	places, ok := at.choices()
	if !ok {
		return value{}, false
	}
	for i, addr := range places {
		b := x.alone(p, addr, bits/8, ordered)
		if b == nil {
			return value{}, false
		}
		if v := x.load(p, b, addr, bits/8); i == 0 {
			out = v
		} else {
			out = out.join(v)
		}
	}
	return out, true
}

// write writes a value; if may is true, it joins it with the old one.
func (x *explorer) write(p *path, at, v value, ordered, may bool) bool {
	places, ok := at.choices()
	if !ok {
		return false
	}
	for _, addr := range places {
		b := x.alone(p, addr, v.Bits/8, ordered)
		if b == nil {
			return false
		}
		w := v
		if may || len(places) > 1 {
			w = v.join(x.load(p, b, addr, v.Bits/8))
		}
		p.store(addr, v.Bits/8, w)
	}
	return true
}

// call enters a function, if the target is known and the recursion is not too deep. Parameters get the possible values
// of the arguments, and locals begin their lifetimes.
func (x *explorer) call(p *path, o code.Call) bool {
	f, fn := p.top(), o.Fn
	if fn == nil {
		at := evaluate(o.Target, f.regs, value{})
		if !at.Constant() {
			return false
		}
		if fn = x.t.p.functionAt(at.Value); fn == nil || len(fn.Params) < len(o.Args) {
			return false
		}
	}
	if x.base+len(p.frames) >= maxDepth {
		return false
	}
	g := call{fn: x.t.p.function(fn), dst: o.Dst, regs: make([]value, len(fn.Regs))}
	for i, r := range fn.Regs {
		g.regs[i] = exactly(0, r.Bits)
	}
	for i, r := range fn.Params {
		if i < len(o.Args) {
			g.regs[r] = evaluate(o.Args[i], f.regs, value{}).fit(fn.Regs[r].Bits)
			g.regs[r].unset = 0
		}
	}
	p.frames = append(p.frames, g)
	for _, v := range fn.Locals {
		if !x.begin(p, v) {
			return false
		}
	}
	p.top().arrive(0)
	return x.locals(p, true)
}

func (x *explorer) ret(p *path, o code.Ret) bool {
	if len(p.frames) == 1 || o.Value == nil && p.top().dst >= 0 || !x.locals(p, false) {
		return false
	}
	v := exactly(0, 64)
	if o.Value != nil {
		v = evaluate(o.Value, p.top().regs, value{})
		v.unset = 0
	}
	dst := p.top().dst
	p.frames = p.frames[:len(p.frames)-1]
	f := p.top()
	if dst >= 0 {
		bits := f.fn.Regs[dst].Bits
		if o.Value != nil && v.Bits > bits {
			return false
		}
		f.regs[dst] = v.fit(bits)
	}
	f.arrive(f.pc + 1)
	return true
}

// branch executes a branch. If both ways are possible, other is the second path.
func (x *explorer) branch(p *path, o code.Branch) (other *path, ok bool) {
	f := p.top()
	cond := exactly(1, 1)
	if o.Cond != nil {
		cond = evaluate(o.Cond, f.regs, value{})
	}
	if cond.Constant() {
		to := f.pc + 1
		if cond.Value == 1 {
			to = o.Target
		}
		f.arrive(to)
		return nil, true
	}
	for i := range f.turns {
		if slices.Contains(f.fn.exits[f.pc], f.turns[i].loop) {
			f.turns[i].open++
		}
	}
	other = x.copy(p)
	other.top().narrow(o.Cond, 1)
	other.top().arrive(o.Target)
	f.narrow(o.Cond, 0)
	f.arrive(f.pc + 1)
	return other, true
}

// narrow restricts the possible values of the only register in a condition whose value is known.
func (f *call) narrow(cond ir.Expr, is uint64) {
	register := -1
	several := false
	ir.Registers(cond, func(r int) {
		if !f.regs[r].Constant() && r != register {
			several, register = several || register >= 0, r
		}
	})
	if several || register < 0 {
		return
	}
	was := f.regs[register]
	all, ok := was.choices()
	if !ok {
		return
	}
	var left []uint64
	for _, v := range all {
		f.regs[register] = exactly(v, was.Bits)
		if may := evaluate(cond, f.regs, value{}); may.may(is) {
			left = append(left, v)
		}
	}
	f.regs[register] = was
	if len(left) > 0 {
		f.regs[register] = oneOf(left, was.Bits)
		f.regs[register].unset = was.unset
	}
}
