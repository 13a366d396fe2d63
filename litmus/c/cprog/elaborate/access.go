package elaborate

import (
	"fmt"
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// target is a cell that an access may be to, or, where it is to several of one byte, the first of these.
type target struct {
	cell   *cell
	behind []*cell
	addr   uint64
}

// maxTargets bounds the cells that one access may be to.
const maxTargets = 4096

// targets finds them; wild tells what else the address may be, and odd whether that is in blocks, at places of
// another width.
func (mem *memory) targets(addr operandValue, bits int) (all []target, wild *value, odd bool) {
	certain := len(addr.v.set) == 1
	add := func(o *block, a uint64) bool {
		if o == nil || a+uint64(bits/8) > o.base+uint64(o.size) {
			return false
		}
		if !certain && !o.fits(int(a-o.base), bits) {
			if mem.elab.options.Bytes && !o.bytes {
				mem.cells.mixes(o)
			}
			odd = true
			return false
		}
		cells := mem.cells.cellsAt(o, int(a-o.base), bits)
		if certain {
			for _, c := range cells {
				c.sure = mem.elab.passes
			}
		}
		all = append(all, target{cells[0], cells[1:], a})
		return true
	}
	v := addr.v
	if v.set != nil {
		var out []uint64
		for _, a := range v.set {
			if !add(mem.elab.blockAt(a), a) {
				out = append(out, a)
			}
		}
		switch {
		case v.loose:
			wild = &value{mod: 1}
		case len(out) > 0:
			wild = &value{set: out}
		}
		return all, wild, odd
	}
	if len(v.spans) == 0 && v.plain {
		return nil, &value{mod: 1}, false
	}
	if len(v.spans) == 0 {
		mem.out.failf("the address of this access may be any number: pointers that are made of numbers are not supported")
	}
	width := uint64(bits / 8)
	for _, p := range v.spans {
		o := p.block
		for _, a := range p.set {
			if a >= o.base {
				add(o, a)
			}
		}
		if p.set != nil {
			continue
		}
		step, a := p.mod, o.base+(p.mod-o.base%p.mod+p.rem)%p.mod
		for i := uint64(0); a%width != 0 && i < width; i++ { // it is aligned
			a += step
		}
		step = step / gcd(step, width) * width
		for ; a < o.base+uint64(o.size); a += step {
			if a%width == 0 && a >= o.base {
				add(o, a)
			}
			if len(all) > maxTargets {
				mem.out.failf("this access may be to more than %d places: that is not supported", maxTargets)
			}
		}
	}
	return all, &value{mod: 1}, odd
}

// access finds the cells of an access, and has an execution end that would leave them. It
// gives none where every execution does.
func (mem *memory) access(st *state, addr operandValue, bits int) []target {
	all, wild, odd := mem.targets(addr, bits)
	if wild == nil {
		mem.lives.alive(st, addr, all)
		return all
	}
	var ok ir.Expr
	number := func(a uint64) ir.Expr { return ir.Number(a, addr.x.Width()) }
	or := func(is ir.Expr) {
		if ok == nil {
			ok = is
		} else {
			ok = ir.BitOr.Of(ok, is)
		}
	}
	switch {
	case len(all) == 0:
		ok = ir.Number(0, 1)
	case wild.set != nil && len(wild.set) <= len(all):
		ok = ir.Number(1, 1)
		for i, a := range wild.set {
			not := ir.Not(ir.Eq.Of(addr.x, number(a)))
			if ok = ir.BitAnd.Of(ok, not); i == 0 {
				ok = not
			}
		}
	case addr.v.set == nil && !odd:
		for _, p := range addr.v.spans {
			o := p.block
			if p.set == nil && o.size >= bits/8 {
				in := ir.Ult.Of(ir.Sub.Of(addr.x, number(o.base)), number(uint64(o.size-bits/8+1)))
				aligned := ir.Eq.Of(ir.BitAnd.Of(addr.x, number(uint64(bits/8-1))), number(0))
				or(ir.BitAnd.Of(in, aligned))
			}
		}
		for _, g := range all {
			if i := slices.IndexFunc(addr.v.spans, func(p span) bool { return p.block == g.cell.block }); addr.v.spans[i].set != nil {
				or(ir.Eq.Of(addr.x, number(g.addr)))
			}
		}
	default:
		for _, g := range all {
			or(ir.Eq.Of(addr.x, number(g.addr)))
		}
	}
	if odd {
		other := ok
		if bits > 8 { // what is not aligned has no meaning, whatever the width of others
			other = ir.BitOr.Of(ok, ir.Not(ir.Eq.Of(ir.BitAnd.Of(addr.x, number(uint64(bits/8-1))), number(0))))
		}
		for _, o := range mem.elab.pointed(addr.v) {
			mem.out.emit(ir.Assert{
				Cond: ir.BitOr.Of(other, ir.Not(mem.lives.inside(addr, o.block))), Property: ir.MixedSize,
				Text: fmt.Sprintf("access of %d bits to %s", bits, o.block.otherwise(bits)),
			})
		}
	}
	mem.lives.defined(ok, wildText(wild, all, odd))
	mem.out.emit(ir.Assume{Cond: ok})
	st.decide(ok, 1)
	mem.regs.refine(st, ok, 1)
	mem.lives.alive(st, addr, all)
	return all
}

// assertWritable says that a write is to no string literal and no constant object.
func (mem *memory) assertWritable(addr operandValue) {
	for _, o := range mem.elab.pointed(addr.v) {
		if o.block.fixed == "" {
			continue
		}
		ok := ir.Not(mem.lives.inside(addr, o.block))
		if _, known := addr.v.known(); known {
			ok = ir.Number(0, 1)
		}
		mem.lives.defined(ok, string(o.block.fixed))
	}
}

// defined says that what a thread does to memory has no meaning but where a condition holds.
func (lt *lifetimes) defined(cond ir.Expr, text string) {
	p := ir.Undefined
	if lt.elab.options.wants(ir.Memory) {
		p = ir.Memory
	}
	lt.claim(ir.Assert{Cond: cond, Property: p, Text: text})
}

// claim has a thread stop where an assertion does not hold. Of the kernel's C, it leaves a section of RCU first; where it is in
// none, that is no event of a section. No control dependency comes of it.
func (lt *lifetimes) claim(a ir.Assert) {
	if !lt.elab.rcu {
		lt.out.emit(a)
		return
	}
	lt.out.emit(ir.Scope{})
	past := lt.out.emit(ir.Branch{Cond: a.Cond, Target: -1})
	lt.out.emit(ir.Fence{Tags: c.RCUUnlock})
	a.Cond = ir.Number(0, 1)
	lt.out.emit(a)
	lt.out.patch(past, len(lt.out.th.Code))
	lt.out.emit(ir.Scope{End: true})
}

func wildText(wild *value, all []target, odd bool) string {
	if odd {
		return "the access leaves its object, or is not aligned"
	}
	if len(wild.set) == 1 && wild.set[0] == 0 {
		return "the pointer is null"
	}
	if wild.set == nil && len(all) > 0 {
		return "the access leaves its object"
	}
	return "the pointer points to no memory"
}

// alive has an execution fail that accesses freed memory, or a local of a call that has ended.
func (lt *lifetimes) alive(st *state, addr operandValue, all []target) {
	var freed []*block
	for _, g := range all {
		o := g.cell.block
		ended := slices.Contains(st.ended, o)
		if lt.running(o) && !ended || slices.Contains(freed, o) {
			continue
		}
		if !lt.elab.options.FollowsLives() {
			lt.elab.program.Mortal = lt.elab.program.Mortal || ended || o.brief || o.perThread || o.stack || o.depth > 0 && (o.by.number > 1 || o.depth > 1) // else the program ends with it
			continue
		}
		if (o.depth > 0 || o.perThread || o.stack) && !o.freed {
			o.freed, lt.elab.changed = true, true
		}
		if o.freed {
			freed = append(freed, o)
		}
	}
	for _, o := range freed {
		var when ir.Expr
		if len(freed) > 1 || len(all) > 1 {
			when = lt.inside(addr, o)
		}
		lt.meeting.given(st, when, func(st *state) {
			at := lt.cells.companion(o, alive)
			is := lt.memory.loadCells(st, lt.out.register(8), lt.cells.addressed(at), at, lt.memory.within(st, LifeAccess(true), false))
			if n, ok := is.v.known(); !ok || n != 1 {
				text := "memory is accessed that is freed"
				if o.perThread {
					text = o.name + " is accessed, and the thread has ended that it is of"
				}
				if o.depth > 0 || o.stack {
					text = o.name + " is accessed, and the call has ended that it is a local of"
				}
				if slices.Contains(st.ended, o) {
					text = o.name + " is accessed, and the block has ended that it is a local of"
				}
				lt.defined(ir.Eq.Of(is.x, ir.Number(1, 8)), text)
			}
		})
	}
}

// running tells whether a block is a local of a call that the thread is in, or was allocated to end with one, or is the thread's own.
func (lt *lifetimes) running(o *block) bool {
	if o.stack {
		return slices.ContainsFunc(lt.stack.depth, func(fr *frame) bool { return slices.Contains(fr.made, o) })
	}
	return o.perThread && o.by == lt.out.info || o.depth > 0 && o.by == lt.out.info && o.depth <= len(lt.stack.depth) && lt.stack.depth[o.depth-1].fn == o.of
}

// live begins the lives of a call's locals that others may know of, or ends them.
func (lt *lifetimes) live(st *state, fr *frame, is uint64) {
	if !lt.elab.options.FollowsLives() {
		return
	}
	for _, v := range fr.fn.Locals {
		if v.Static || v.PerThread {
			continue
		}
		lt.lifeOf(st, lt.cells.variable(v, fr), is)
	}
	if is == 0 {
		for _, o := range fr.made {
			lt.lifeOf(st, o, 0)
		}
	}
}

// liveOwn ends the lives of the variables that the thread alone has, and that others may know of.
func (lt *lifetimes) liveOwn(st *state) {
	for _, o := range lt.elab.blocks {
		if o.perThread && o.by == lt.out.info {
			lt.lifeOf(st, o, 0)
		}
	}
}

// lifeOf notes that a local is alive, or is no more, where somebody asks for that.
func (lt *lifetimes) lifeOf(st *state, o *block, is uint64) {
	if !o.freed || !lt.elab.options.FollowsLives() {
		return
	}
	lt.companionIs(st, o, alive, is)
}

// life begins that of a local of a block, or ends it.
func (lt *lifetimes) life(st *state, o *block, ends bool) {
	if ends {
		o.brief = true
		st.end(o)
		lt.lifeOf(st, o, 0)
		return
	}
	if i := slices.Index(st.ended, o); i >= 0 {
		st.ended = slices.Delete(slices.Clone(st.ended), i, i+1)
	}
	lt.lifeOf(st, o, 1)
}

// endArray ends the life of an array of variable length, which begins at an address.
func (lt *lifetimes) endArray(st *state, addr operandValue) {
	for _, p := range lt.elab.pointed(addr.v) {
		o := p.block
		if !o.stack {
			continue
		}
		var when ir.Expr
		if _, ok := addr.v.known(); !ok {
			when = ir.Eq.Of(addr.x, ir.Number(o.base, addr.x.Width()))
		}
		lt.meeting.given(st, when, func(st *state) { lt.life(st, o, true) })
	}
}

func (s *state) end(o *block) {
	if !slices.Contains(s.ended, o) {
		s.ended = append(slices.Clip(s.ended), o)
	}
}

// inside is true where an address is in an block.
func (lt *lifetimes) inside(addr operandValue, o *block) ir.Expr {
	return ir.Ult.Of(ir.Sub.Of(addr.x, ir.Number(o.base, addr.x.Width())), ir.Number(uint64(o.size), addr.x.Width()))
}

// given does something where a condition (nil: always) holds.
func (mt *meeting) given(st *state, when ir.Expr, do func(*state)) {
	if when == nil {
		do(st)
		return
	}
	past := mt.out.emit(ir.Branch{Cond: ir.Not(when), Target: -1})
	other := st.clone()
	do(st)
	*st = *mt.land([]edge{{past, other}, {-1, st.clone()}})
}
