package elaborate

import (
	"fmt"
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/ir"
)

// allocate makes an block of known size.
func (t *thread) allocate(fr *frame, st *state, pc int, o code.Allocate) *state {
	size := t.eval(fr, st, o.Size, nil)
	if size.v.set == nil {
		t.failf("memory is allocated here of a size that may be anything: that is not supported")
	}
	key := mix(mix(mix(t.info.key, fr.context), uint64(pc)), 7)
	name := o.Name
	if name == "" {
		name = "memory"
	}
	obj := t.block(key, block{
		name: t.numbered(key, name), pos: t.pos(), size: max(int(min(slices.Max(size.v.set), 1<<24)), 1), zero: o.Zero, heap: true,
	})
	if o.Layout != nil {
		obj.layout = func(offset int) (string, int) {
			name, bits := o.Layout(offset)
			return obj.name + name, bits
		}
	}
	t.put(st, fr.regs[o.Dst], ir.Number(obj.base, t.th.Regs[fr.regs[o.Dst]].Bits), at(obj.base))
	return st
}

// numbered tells blocks of one name apart.
func (e *elaboration) numbered(key uint64, name string) string {
	if known := e.known[key]; known != nil {
		return known.name
	}
	n := 0
	for _, o := range e.blocks {
		if o.heap {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", name, n+1)
}

// free ends the life of an block.
func (t *thread) free(st *state, addr operandValue) *state {
	if n, ok := addr.v.known(); ok && n == 0 {
		return st
	}
	if !t.lives() {
		t.program.Mortal = true
		return st
	}
	st.lasting = true
	var wild ir.Expr = ir.Eq.Of(addr.x, ir.Number(0, addr.x.Width()))
	for _, p := range t.pointed(addr.v) {
		o := p.block
		if !o.heap {
			continue
		}
		if !o.freed {
			o.freed, t.changed = true, true
		}
		is := ir.Eq.Of(addr.x, ir.Number(o.base, addr.x.Width()))
		wild = ir.BitOr.Of(wild, is)
		t.given(st, is, func(st *state) {
			at := []target{{t.cellAt(o, alive, 8), o.base + uint64(o.size)}}
			how := code.Access{Atomic: true, Order: c.Relaxed}
			old, x := t.register(8), ir.Number(at[0].addr, t.Pointer)
			if t.privately(st, at, false) {
				v := t.selected(st, x, at, t.read)
				t.put(st, old, v.x, v.v)
				t.write(st, x, at, t.constant(0, 8))
			} else {
				t.hold(at[0].cell, zero)
				v := read(at[0].cell.held)
				yes := t.constant(1, 1)
				t.exchange(old, x, t.constant(0, 8), yes, v, code.Update{Read: how, Write: how, Failed: how}, t.at(at))
				st.set(old, v)
			}
			if n, ok := t.get(st, old).known(); !ok || n != 1 {
				t.defined(ir.Eq.Of(t.read(st, old).x, ir.Number(1, 8)), "the memory is freed already")
			}
		})
	}
	t.defined(wild, "what is freed was not allocated")
	return st
}
