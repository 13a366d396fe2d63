package run

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
)

// drawValue draws an abstract value that represents given numbers and others.
func drawValue(r *rapid.T, bits int) (v value, stands []uint64) {
	number := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 20),
		rapid.SampledFrom(
			[]uint64{
				1 << 7, 1<<7 - 1, 1<<8 - 1, 1 << 15, 1<<16 - 1, 1 << 31, 1<<63 - 1, 1 << 63, ^uint64(0),
				^uint64(4),
			}))
	for range rapid.SampledFrom([]int{1, 1, 2, 3, maxFew, maxFew + 3}).Draw(r, "numbers") {
		stands = append(stands, number.Draw(r, "number")&ir.Mask(bits))
	}
	v = oneOf(slices.Clone(stands), bits)
	if rapid.Bool().Draw(r, "loose") {
		v.few = nil
	}
	return v, stands
}

// The result of an operation on abstract values represents the results on all their numbers.
func TestValues(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		bits := rapid.SampledFrom([]int{1, 3, 8, 16, 32, 64}).Draw(r, "bits")
		v, in := drawValue(r, bits)
		w, others := drawValue(r, bits)
		stands := func(what string, out value, n uint64) {
			if !out.may(n) {
				r.Fatalf("%s of %+v and %+v is %+v, which leaves out %#x", what, v, w, out, n)
			}
		}
		if all, ok := v.choices(); ok {
			for _, n := range in {
				if !slices.Contains(all, n) {
					r.Fatalf("the choices of %+v leave out %#x", v, n)
				}
			}
		}
		join := v.join(w)
		for _, out := range []value{join, join.widen(v, byBits), join.widen(w, byBits), join.widen(v, byTypes)} {
			if !out.covers(v) || !out.covers(w) {
				r.Fatalf("%+v is to be %+v or %+v", out, v, w)
			}
			for _, n := range slices.Concat(in, others) {
				stands("either", out, n)
			}
		}
		for _, n := range others {
			if v.covers(w) && !v.may(n) {
				r.Fatalf("%+v covers %+v, which may be %#x", v, w, n)
			}
		}
		regs := []value{v, w}
		x, y := ir.Expr(ir.Reg{Bits: bits}), ir.Expr(ir.Reg{Index: 1, Bits: bits})
		exprs := []ir.Expr{
			ir.Extend{X: x, Bits: 64},
			ir.Extend{X: x, Bits: 64, Signed: true},
			ir.Extract{X: x, Lo: bits / 3, Bits: bits - bits/3},
			ir.Cond{If: ir.Ult.Of(x, y), Then: x, Else: y},
			ir.Select{If: ir.Slt.Of(x, y), Then: y, Else: ir.Not(x)},
		}
		for op := range irtest.Unaries {
			exprs = append(exprs, op.Of(x))
		}
		for op := range irtest.Binaries {
			exprs = append(exprs, op.Of(x, y))
		}
		for _, e := range exprs {
			out := evaluate(e, regs, value{})
			if out.Bits != e.Width() {
				r.Fatalf("%#v has %d bits", e, out.Bits)
			}
			for _, n := range in {
				for _, m := range others {
					if got := noProgram.Eval(e, []uint64{n, m}, 0); !out.may(got) {
						r.Fatalf("%#v of %+v and %+v is %+v, which leaves out %#x", e, v, w, out, got)
					}
				}
			}
		}
		for i := range bits / 8 {
			for _, n := range in {
				stands("a byte", v.byte(i), n>>(8*i)&255)
			}
		}
		for _, to := range []int{1, 8, 64} {
			for _, n := range in {
				stands("fit", v.fit(to), n&ir.Mask(min(to, bits)))
			}
		}
	})
}

// Widening ends, however slowly the ends of a range move.
func TestWidens(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		v, _ := drawValue(r, 64)
		v.few = nil
		by, changes := rapid.SampledFrom([]widening{byBits, byTypes}).Draw(r, "by"), 0
		for range 300 {
			n := rapid.SampledFrom(
				[]uint64{
					uint64(v.Most) + 1, uint64(v.Least) - 1, uint64(v.Most) + 6, v.Value ^ v.Mask&-v.Mask,
					uint64(v.Least) - 1<<20,
				}).Draw(r, "number")
			if w := v.join(exactly(n, 64)).widen(v, by); !w.covers(v) || !w.may(n) {
				r.Fatalf("%+v and %#x: %+v", v, n, w)
			} else if !v.covers(w) {
				v = w
				v.few = nil
				changes++
			}
		}
		if changes > 200 {
			r.Fatalf("%d changes, and it is %+v", changes, v)
		}
	})
}

// like tells whether a path says of a thread what it is like.
func (x *explorer) like(p *path, t *Thread) bool {
	if x.base+len(p.frames) != t.depth {
		return false
	}
	for i := range p.frames {
		f, g := &p.frames[i], &t.frames[x.base+i]
		if f.fn != g.fn || f.pc != g.pc || f.dst != g.dst {
			return false
		}
		for r, v := range f.regs {
			if !v.may(g.regs[r]) || g.unset[r]&^v.unset != 0 {
				return false
			}
		}
	}
	for _, b := range t.p.blocks {
		for i := range b.size {
			for width := 1; width <= 4 && i+width <= b.size; width *= 2 {
				v, unset := t.private(b, i, width)
				if is := x.load(p, b, b.base+uint64(i), width); !is.may(v) || unset&^is.unset != 0 {
					return false
				}
			}
		}
	}
	return true
}

// A thread that a path represents at some place is, after a step, represented by a successor of that path.
func TestPathsGoWithThreads(t *testing.T) {
	const visits, follow = 15, 60
	either, steps := 0, 0
	check := func(r *rapid.T) {
		text := drawLoops(r)
		p := program(t, text, "")
		main := p.Thread(0)
		x := &explorer{steps: 1 << 30}
		var all *path
		for n, came := 0, 0; n < 20_000 && came < visits && main.stopped == nil; n++ {
			if a, err := main.step(); err != nil || a != nil || main.stopped != nil {
				break
			}
			f := main.top()
			if n := f.fn.heads[f.pc]; n < 0 || all != nil &&
				(n != x.loop || main.depth-1 != x.base || f.fn != all.top().fn) {
				continue
			} else if all == nil {
				if rapid.IntRange(0, 2).Draw(r, "another loop") > 0 {
					continue
				}
				x.loop, x.base = n, main.depth-1
			}
			came++
			x.t = main.Copy()
			now := x.begins()
			for _, b := range p.blocks { // so that it says all, whatever it came of
				width := []int{1, 2, 4}[came%3]
				for at := 0; at < b.size; at += width {
					if width > b.size-at {
						width = 1
					}
					now.store(b.base+uint64(at), width, x.load(now, b, b.base+uint64(at), width))
				}
			}
			if all == nil {
				all = now
			} else if _,
				ok := x.meet(all, now,
				rapid.SampledFrom([]widening{asItIs, asItIs, byBits, byTypes}).Draw(r, "by")); !ok {
				r.Fatalf("they do not meet\n%s", text)
			}
			went, q := main.Copy(), x.copy(all)
			for range follow {
				if !x.like(q, went) {
					r.Fatalf("what it is like at step %d of %s is not what was said\n%s", went.top().pc,
						went.top().fn.Name, text)
				}
				other, ok := x.step(q)
				if !ok {
					break
				}
				if a, err := went.step(); err != nil || a != nil || went.stopped != nil {
					if went.stopped == nil || went.stopped.Kind == ir.ActUnwound || went.stopped.Kind == ir.ActBlocked {
						break // bounds, which paths know nothing of
					}
					r.Fatalf("it stops at step %d, with %+v, and that was not said\n%s", went.top().pc,
						went.stopped, text)
				}
				steps++
				if other != nil {
					if either++; x.like(other, went) {
						q = other
					}
				}
			}
		}
	}
	// A short run draws few programs: it draws more until one could go either way.
	for n := 0; n < 50 && !t.Failed() && (n == 0 || steps == 0 || either == 0); n++ {
		rapid.Check(t, check)
	}
	t.Logf("%d steps, %d of which could go either way", steps, either)
	if !t.Failed() && (steps == 0 || either == 0) {
		t.Errorf("%d steps, %d of which could go either way: want more", steps, either)
	}
}
