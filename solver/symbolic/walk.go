package symbolic

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/paged"
)

// Domain is where a thread's values live: known bits, or circuits. A guard is a
// value of one bit.
type Domain[V any] interface {
	constant(v uint64, bits int) V
	unary(op ir.UnaryOp, x V) V
	binary(op ir.BinaryOp, x, y V) V
	ite(cond, x, y V) V
	extract(x V, lo, bits int) V
	extend(x V, bits int, signed bool) V
	same(x, y V) bool // certainly equal, without a look at the paths
}

// Memory receives each visible action, in program order. A Site is a step of the unrolled thread.
type Memory[V any] interface {
	// Load returns the value of the read; of 128 bits, the first 64 and those behind them.
	Load(s Site, op ir.Load, guard, addr V, d Deps[V]) (value, behind V)
	// Store receives a store; behind is as for StoreCond.
	Store(s Site, op ir.Store, guard, addr, value, behind V, d Deps[V])
	// RMW receives the new value, whether it writes, and the dependencies of the write, as functions of the old value.
	RMW(s Site, op ir.RMW, guard, addr V, next func(old V) (value, writes V, d Deps[V]), d Deps[V]) V
	// StoreCond receives the exclusive loads that it may be paired with, and returns whether it succeeds. behind is the
	// value of op.Next, if there is one.
	StoreCond(s Site, op ir.StoreCond, guard, addr, value, behind V, pairs []Reservation[V], d Deps[V]) (success V)
	// Fence also receives picks, and the address of an op that has one.
	Fence(s Site, op ir.Fence, guard, addr V, d Deps[V])
	Choose(s Site, guard V) V
	// Assume receives a condition that holds where guard is true in every execution within the bound. It returns where
	// the thread continues: if threads stop when an assumption fails, only where cond holds. The reads d, from which
	// cond is computed, cause no dependency.
	Assume(s Site, guard, cond V, d []Source[V]) (on V)
	// Asserted receives a condition that should hold, and returns where the thread continues.
	Asserted(s Site, op ir.Assert, guard, cond V) (on V)
	// Spawn receives the start of a thread; its walk follows later.
	Spawn(s Site, op ir.Spawn, guard V, d Deps[V])
	// Join says where the other thread has ended, which is perhaps walked later.
	Join(s Site, op ir.Join, guard V, d Deps[V]) (ended V)
	// Atomic receives either end of a section, and returns where the thread continues.
	Atomic(s Site, op ir.Atomic, guard V, d Deps[V]) (on V)
	// Unwound receives the place where an execution reaches the bound, under all earlier assumptions.
	Unwound(s Site, op ir.Unwound, guard V)
	// End receives the end of a thread, and its registers.
	End(thread int, guard V, regs []V)
}

// Site is a step of the unrolled thread.
type Site struct{ Thread, Step int }

// before orders sites by thread, and in one as they come.
func (s Site) before(o Site) bool {
	return s.Thread < o.Thread || s.Thread == o.Thread && s.Step < o.Step
}

// Source is a read that something depends on, where Cond holds. The read of a pick is its event; for a value that a
// thread receives at its start, the Spawn.
type Source[V any] struct {
	Read Site
	Cond V
}

// Deps are the reads that an action depends on.
type Deps[V any] struct{ Addr, Data, Ctrl []Source[V] }

// Reservation is an exclusive load that was a thread's last, where Cond holds.
type Reservation[V any] struct {
	Source[V]
	Addr V
}

// path is the state of a thread on the paths that guard describes.
type path[V any] struct {
	guard V
	regs  paged.Array[register[V]]
	ctrl  []Source[V]
	// scopes are by slot what ctrl was; shared among paths.
	scopes [][]Source[V]
	// reserved are the exclusive loads that a store-conditional may look back to.
	reserved []Reservation[V]
}

// register is what one holds, and the reads that it depends on.
type register[V any] struct {
	value V
	from  origins[V]
}

// origins are the reads that a value depends on: those that it is computed from, and those that decide an open
// ir.Select in it.
type origins[V any] struct{ value, choice []Source[V] }

func (w *walker[V]) joinOrigins(a, b origins[V]) origins[V] {
	return origins[V]{w.join(a.value, b.value), w.join(a.choice, b.choice)}
}

func (w *walker[V]) chooseOrigins(on V, a, b origins[V]) origins[V] {
	a.value = w.choose(on, a.value, b.value)
	if len(a.choice)+len(b.choice) > 0 {
		a.choice = w.choose(on, a.choice, b.choice)
	}
	return a
}

func (p *path[V]) value(r int) V { return p.regs.At(r).value }

type walker[V any] struct {
	p      *ir.Program
	dom    Domain[V]
	mem    Memory[V]
	starts []*path[V] // by thread: how it begins, nil where nothing spawns it
	// assumed holds where all assumptions have that the paths' guards do not have.
	assumed V
	behind  V // what the Take that comes next gives
}

// Walk runs the threads of an unrolled program, each behind those that may spawn it.
func Walk[V any](p *ir.Program, dom Domain[V], mem Memory[V]) {
	w := &walker[V]{p: p, dom: dom, mem: mem, starts: make([]*path[V], len(p.Threads))}
	for t := range p.Threads {
		if !p.Threads[t].Spawned {
			w.starts[t] = w.start(t, dom.constant(1, 1))
		}
	}
	for t, start := range w.starts {
		w.walk(t, start)
	}
}

// start is the initial state of a thread without arguments.
func (w *walker[V]) start(t int, guard V) *path[V] {
	regs := w.p.Threads[t].Regs
	out := &path[V]{guard: guard}
	for i, r := range regs {
		out.regs.Set(i, register[V]{value: w.dom.constant(r.Init, r.Bits)})
	}
	return out
}

// spawn has another thread begin where the path is.
func (w *walker[V]) spawn(cur *path[V], s Site, op ir.Spawn) {
	start := w.start(op.Thread, cur.guard)
	d := Deps[V]{Ctrl: cur.ctrl}
	for _, a := range op.Args {
		start.regs.Set(a.Reg, register[V]{w.eval(cur, a.Value, nil), w.readAt(s)})
		from := w.sources(cur, a.Value)
		d.Data, d.Ctrl = w.join(d.Data, from.value), w.join(d.Ctrl, from.choice)
	}
	w.mem.Spawn(s, op, cur.guard, d)
	if before := w.starts[op.Thread]; before != nil {
		start = w.merge(before, start, len(w.p.Threads[op.Thread].Regs))
	}
	w.starts[op.Thread] = start
}

// stop restricts the path to where on holds.
func (w *walker[V]) stop(cur *path[V], on V) *path[V] {
	if w.dom.same(on, w.dom.constant(1, 1)) {
		return cur
	}
	cur.guard = w.dom.binary(ir.BitAnd, cur.guard, on)
	if w.dom.same(cur.guard, w.dom.constant(0, 1)) {
		return nil
	}
	return cur
}

// behindOf is what a store writes behind its value, if anything; the store depends on what that does.
func (w *walker[V]) behindOf(cur *path[V], next ir.Expr, d *Deps[V]) (behind V) {
	if next != nil {
		behind = w.eval(cur, next, nil)
		from := w.sources(cur, next)
		d.Data, d.Ctrl = w.join(d.Data, from.value), w.join(d.Ctrl, from.choice)
	}
	return behind
}

// walk runs one thread straight down, with paths that jump ahead set aside until the walk
// reaches them, and merged there.
func (w *walker[V]) walk(t int, cur *path[V]) {
	th := &w.p.Threads[t]
	waiting := map[int][]*path[V]{}
	w.assumed = w.dom.constant(1, 1)
	for pc := 0; pc <= len(th.Code); pc++ {
		for _, other := range waiting[pc] {
			cur = w.merge(cur, other, len(th.Regs))
		}
		if pc == len(th.Code) {
			break
		}
		if cur == nil {
			continue
		}
		s := Site{t, pc}
		switch op := th.Code[pc].Op.(type) {
		case ir.Assign:
			cur.regs.Set(op.Dst, register[V]{w.eval(cur, op.Value, nil), w.sources(cur, op.Value)})
		case ir.Pick:
			var none V
			from := w.sources(cur, op.Value)
			w.mem.Fence(s, ir.Fence{Tags: ir.Tags{ir.TagPick}}, cur.guard, none,
				Deps[V]{Data: from.value, Ctrl: w.join(cur.ctrl, from.choice)})
			w.deliver(cur, s, op.Dst, w.eval(cur, op.Value, nil))
		case ir.Choose:
			cur.regs.Set(op.Dst, register[V]{value: w.mem.Choose(s, cur.guard)})
		case ir.Load:
			d := w.addressed(cur, op.Addr)
			addr := w.eval(cur, op.Addr, nil)
			if op.Reserve {
				cur.reserved = []Reservation[V]{{Source[V]{s, w.dom.constant(1, 1)}, addr}}
			}
			var v V
			v, w.behind = w.mem.Load(s, op, cur.guard, addr, d)
			w.deliver(cur, s, op.Dst, v)
		case ir.Take:
			w.deliver(cur, s, op.Dst, w.behind)
		case ir.Store:
			d := w.stored(cur, op.Addr, op.Value)
			behind := w.behindOf(cur, op.Next, &d)
			w.mem.Store(s, op, cur.guard, w.eval(cur, op.Addr, nil), w.eval(cur, op.Value, nil), behind, d)
		case ir.RMW:
			d := w.addressed(cur, op.Addr)
			next := func(old V) (V, V, Deps[V]) {
				var carried []Source[V]
				if op.Carry {
					carried = []Source[V]{{s, w.dom.constant(1, 1)}}
				}
				writes, from := w.dom.constant(1, 1), w.sourcesOf(cur, op.New, &old, carried)
				if op.If != nil {
					writes = w.eval(cur, op.If, &old)
					from = w.joinOrigins(from, w.sourcesOf(cur, op.If, &old, nil))
				}
				of := Deps[V]{Addr: d.Addr, Data: from.value, Ctrl: w.join(d.Ctrl, from.choice)}
				return w.eval(cur, op.New, &old), writes, of
			}
			w.deliver(cur, s, op.Dst, w.mem.RMW(s, op, cur.guard, w.eval(cur, op.Addr, nil), next, d))
		case ir.StoreCond:
			d := w.stored(cur, op.Addr, op.Value)
			behind := w.behindOf(cur, op.Next, &d)
			ok := w.mem.StoreCond(s, op, cur.guard, w.eval(cur, op.Addr, nil), w.eval(cur, op.Value, nil), behind,
				cur.reserved, d)
			bits := th.Regs[op.Status].Bits
			status := register[V]{value: w.dom.ite(ok, w.dom.constant(op.Ok, bits), w.dom.constant(op.Fail, bits))}
			if op.Depend {
				status.from.value = []Source[V]{{s, ok}}
			}
			cur.regs.Set(op.Status, status)
			cur.reserved = nil
		case ir.Fence:
			d := Deps[V]{Ctrl: cur.ctrl}
			var addr V
			if op.Addr != nil {
				d, addr = w.addressed(cur, op.Addr), w.eval(cur, op.Addr, nil)
			}
			w.mem.Fence(s, op, cur.guard, addr, d)
		case ir.Lost: // an event that finds no location
			w.mem.Fence(s, ir.Fence{Addr: op.To}, cur.guard, w.eval(cur, op.To, nil), Deps[V]{Ctrl: cur.ctrl})
		case ir.Scope:
			cur.scope(op)
		case ir.Assume:
			cond := w.eval(cur, op.Cond, nil)
			from := w.sources(cur, op.Cond)
			on := w.mem.Assume(s, cur.guard, cond, w.join(from.value, from.choice))
			if w.dom.same(on, w.dom.constant(1, 1)) {
				w.assumed = w.dom.binary(ir.BitAnd, w.assumed,
					w.dom.binary(ir.BitOr, w.dom.unary(ir.BitNot, cur.guard), cond))
			}
			cur = w.stop(cur, on)
		case ir.Assert:
			cur = w.stop(cur, w.mem.Asserted(s, op, cur.guard, w.eval(cur, op.Cond, nil)))
		case ir.Spawn:
			w.spawn(cur, s, op)
		case ir.Join:
			cur = w.stop(cur, w.mem.Join(s, op, cur.guard, Deps[V]{Ctrl: cur.ctrl}))
		case ir.Atomic:
			cur = w.stop(cur, w.mem.Atomic(s, op, cur.guard, Deps[V]{Ctrl: cur.ctrl}))
		case ir.Unwound:
			w.mem.Unwound(s, op, w.dom.binary(ir.BitAnd, cur.guard, w.assumed))
			cur = nil
		case ir.Branch:
			cur = w.branch(cur, op, waiting)
		}
	}
	if cur == nil { // every path stops before
		cur = &path[V]{guard: w.dom.constant(0, 1)}
		for i, r := range th.Regs {
			cur.regs.Set(i, register[V]{value: w.dom.constant(0, r.Bits)})
		}
	}
	regs := make([]V, len(th.Regs))
	for i := range regs {
		regs[i] = cur.value(i)
	}
	w.mem.End(t, cur.guard, regs)
}

func (w *walker[V]) deliver(cur *path[V], s Site, dst int, v V) {
	cur.regs.Set(dst, register[V]{v, w.readAt(s)})
}

// readAt are the origins of what a read returns.
func (w *walker[V]) readAt(s Site) origins[V] {
	return origins[V]{value: []Source[V]{{s, w.dom.constant(1, 1)}}}
}

// addressed are the dependencies of an access to an address. All that follows depends on a choice in the address.
func (w *walker[V]) addressed(cur *path[V], addr ir.Expr) Deps[V] {
	from := w.sources(cur, addr)
	cur.ctrl = w.join(cur.ctrl, from.choice)
	return Deps[V]{Addr: from.value, Ctrl: cur.ctrl}
}

// stored are the dependencies of a write of a value.
func (w *walker[V]) stored(cur *path[V], addr, value ir.Expr) Deps[V] {
	d, from := w.addressed(cur, addr), w.sources(cur, value)
	d.Data, d.Ctrl = from.value, w.join(d.Ctrl, from.choice)
	return d
}

// scope notes control dependencies, or takes them back.
func (p *path[V]) scope(op ir.Scope) {
	if op.End {
		p.ctrl = p.noted(op.Slot)
		return
	}
	p.scopes = append([][]Source[V](nil), p.scopes...)
	for len(p.scopes) <= op.Slot {
		p.scopes = append(p.scopes, nil)
	}
	p.scopes[op.Slot] = p.ctrl
}

func (p *path[V]) noted(slot int) []Source[V] {
	if slot < len(p.scopes) {
		return p.scopes[slot]
	}
	return nil
}

// branch splits the path and returns the part that falls through, if any.
func (w *walker[V]) branch(cur *path[V], op ir.Branch, waiting map[int][]*path[V]) *path[V] {
	if op.Cond == nil {
		waiting[op.Target] = append(waiting[op.Target], cur)
		return nil
	}
	from := w.sources(cur, op.Cond)
	cur.ctrl = w.join(w.join(cur.ctrl, from.value), from.choice)
	cond := w.eval(cur, op.Cond, nil)
	side := func(c V) *path[V] {
		g := w.dom.binary(ir.BitAnd, cur.guard, c)
		if w.dom.same(g, w.dom.constant(0, 1)) {
			return nil
		}
		p := *cur
		p.guard = g
		p.regs = cur.regs.Shared()
		return &p
	}
	if taken := side(cond); taken != nil {
		waiting[op.Target] = append(waiting[op.Target], taken)
	}
	return side(w.dom.unary(ir.BitNot, cond))
}

// merge joins two paths of a thread of so many registers that meet; at most one of them is the one taken.
func (w *walker[V]) merge(a, b *path[V], regs int) *path[V] {
	if a == nil {
		return b
	}
	m := &path[V]{guard: w.dom.binary(ir.BitOr, a.guard, b.guard), regs: a.regs.Shared()}
	for i := range paged.Differing(&a.regs, &b.regs) {
		if i == regs {
			break
		}
		r, other := a.regs.At(i), b.regs.At(i)
		if !w.dom.same(r.value, other.value) {
			r.value = w.dom.ite(a.guard, r.value, other.value)
		}
		r.from = w.chooseOrigins(a.guard, r.from, other.from)
		m.regs.Set(i, r)
	}
	m.ctrl = w.choose(a.guard, a.ctrl, b.ctrl)
	for slot := range max(len(a.scopes), len(b.scopes)) {
		m.scopes = append(m.scopes, w.choose(a.guard, a.noted(slot), b.noted(slot)))
	}
	m.reserved = w.chooseReserved(a, b)
	return m
}

// chooseReserved keeps the reservations of both paths, each under the condition of its path.
func (w *walker[V]) chooseReserved(a, b *path[V]) []Reservation[V] {
	if len(a.reserved) == 0 && len(b.reserved) == 0 {
		return nil
	}
	never := w.dom.constant(0, 1)
	var out []Reservation[V]
	for _, r := range a.reserved {
		r.Cond = w.dom.ite(a.guard, r.Cond, never)
		out = append(out, r)
	}
	for _, r := range b.reserved {
		r.Cond = w.dom.ite(a.guard, never, r.Cond)
		at := slices.IndexFunc(out, func(o Reservation[V]) bool { return o.Read == r.Read })
		if at < 0 {
			out = append(out, r)
		} else {
			out[at].Cond = w.dom.binary(ir.BitOr, out[at].Cond, r.Cond)
		}
	}
	return out
}

// choose takes the sources of a where cond holds, of b elsewhere.
func (w *walker[V]) choose(cond V, a, b []Source[V]) []Source[V] {
	never := w.dom.constant(0, 1)
	return combine(a, b, never, func(x, y V) V {
		if w.dom.same(x, y) {
			return x
		}
		return w.dom.ite(cond, x, y)
	})
}

// join takes the sources of both.
func (w *walker[V]) join(a, b []Source[V]) []Source[V] {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	return combine(a, b, w.dom.constant(0, 1), func(x, y V) V { return w.dom.binary(ir.BitOr, x, y) })
}

// combine merges two lists sorted by site; one that a list lacks counts as never.
func combine[V any](a, b []Source[V], never V, f func(x, y V) V) []Source[V] {
	var out []Source[V]
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Read.before(b[0].Read):
			out = append(out, Source[V]{a[0].Read, f(a[0].Cond, never)})
			a = a[1:]
		case len(a) == 0 || b[0].Read.before(a[0].Read):
			out = append(out, Source[V]{b[0].Read, f(never, b[0].Cond)})
			b = b[1:]
		default:
			out = append(out, Source[V]{a[0].Read, f(a[0].Cond, b[0].Cond)})
			a, b = a[1:], b[1:]
		}
	}
	return out
}

func (w *walker[V]) sources(cur *path[V], e ir.Expr) origins[V] {
	return w.sourcesOf(cur, e, nil, nil)
}

// sourcesOf is what e depends on where old is what the RMW around it has read, which
// comes from the reads in carried.
func (w *walker[V]) sourcesOf(cur *path[V], e ir.Expr, old *V, carried []Source[V]) (out origins[V]) {
	ir.Sources(e, func(e ir.Expr) {
		switch e := e.(type) {
		case ir.Reg:
			out = w.joinOrigins(out, cur.regs.At(e.Index).from)
		case ir.Old:
			out.value = w.join(out.value, carried)
		case ir.Select:
			then, otherwise := w.sourcesOf(cur, e.Then, old, carried), w.sourcesOf(cur, e.Else, old, carried)
			out = w.joinOrigins(out, w.chooseOrigins(w.eval(cur, e.If, old), then, otherwise))
			if e.Open {
				decides := w.sourcesOf(cur, e.If, old, carried)
				out.choice = w.join(w.join(out.choice, decides.value), decides.choice)
			}
		}
	})
	return out
}

func (w *walker[V]) eval(cur *path[V], e ir.Expr, old *V) V {
	return Eval(w.p, w.dom, cur.value, e, old)
}

// Eval is what an expression comes to in a domain, over a thread's registers and what the update around it has read.
func Eval[V any](p *ir.Program, dom Domain[V], register func(int) V, e ir.Expr, old *V) V {
	eval := func(e ir.Expr) V { return Eval(p, dom, register, e, old) }
	switch e := e.(type) {
	case ir.Const:
		return dom.constant(e.Value, e.Bits)
	case ir.Reg:
		return register(e.Index)
	case ir.Addr:
		return dom.constant(p.Locs[e.Loc].Address, e.Bits)
	case ir.Old:
		return *old
	case ir.Unary:
		return dom.unary(e.Op, eval(e.X))
	case ir.Binary:
		if e.X == e.Y && (e.Op == ir.BitXor || e.Op == ir.Sub) {
			return dom.constant(0, e.X.Width()) // a false dependency: known to be 0 though X is not
		}
		return dom.binary(e.Op, eval(e.X), eval(e.Y))
	case ir.Cond:
		return dom.ite(eval(e.If), eval(e.Then), eval(e.Else))
	case ir.Select:
		return eval(e.Cond())
	case ir.Extract:
		return dom.extract(eval(e.X), e.Lo, e.Bits)
	case ir.Extend:
		return dom.extend(eval(e.X), e.Bits, e.Signed)
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", e))
}
