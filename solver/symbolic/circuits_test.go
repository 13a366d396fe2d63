package symbolic

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/litmus/ir/known"
	"litmuscope/solver/sat"
)

// inputs makes a vector of new variables.
func inputs(c *sat.Circuit, bits int) sat.Vec {
	v := make(sat.Vec, bits)
	for i := range v {
		v[i] = c.Var()
		c.Define(v[i])
	}
	return v
}

// given are inputs with a chosen value.
type given []sat.Lit

// set chooses a value for a vector, except for its constant bits.
func (g *given) set(v sat.Vec, value uint64) {
	for i, l := range v {
		if l == sat.True || l == sat.False {
			continue
		}
		if value>>i&1 == 0 {
			l = l.Not()
		}
		*g = append(*g, l)
	}
}

// solved returns all literals of a circuit under the given inputs.
func (g given) solved(t interface{ Fatal(...any) }, c *sat.Circuit) *sat.Assignment {
	s := c.Solver(sat.Options{})
	if status, err := s.Solve(context.Background(), g...); status != sat.Sat {
		t.Fatal(status, err)
	}
	return c.Assignment(s)
}

// Circuits compute what ir.Eval does, of inputs that are all open.
func TestCircuits(t *testing.T) {
	for _, bits := range []int{1, 2, 3, 4} {
		c := sat.NewCircuit()
		d := Circuits{c}
		x, y, cond := inputs(c, bits), inputs(c, bits), inputs(c, 1)
		type result struct {
			what string
			got  sat.Vec
			want func(x, y, cond uint64) uint64
		}
		results := []result{{"ite", d.ite(cond, x, y), func(x, y, cond uint64) uint64 {
			if cond == 1 {
				return x
			}
			return y
		}}}
		for op, name := range irtest.Unaries {
			results = append(results,
				result{name, d.unary(op, x), func(x, _, _ uint64) uint64 { return ir.EvalUnary(op, x, bits) }})
		}
		for op, name := range irtest.Binaries {
			want := func(x, y, _ uint64) uint64 { return ir.EvalBinary(op, x, y, bits) }
			results = append(results, result{name, d.binary(op, x, y), want})
			// the same operand twice, and one operand constant
			results = append(results,
				result{
					name + " itself", d.binary(op, x, x),
					func(x, _, _ uint64) uint64 { return ir.EvalBinary(op, x, x, bits) },
				})
			for k := range uint64(1) << bits {
				results = append(
					results,
					result{
						fmt.Sprint(name, " with ", k), d.binary(op, x, d.constant(k, bits)),
						func(x, _, _ uint64) uint64 { return ir.EvalBinary(op, x, k, bits) },
					},
					result{
						fmt.Sprint(name, " of ", k), d.binary(op, d.constant(k, bits), y),
						func(_, y, _ uint64) uint64 { return ir.EvalBinary(op, k, y, bits) },
					},
				)
			}
		}
		for lo := range bits {
			n := bits - lo
			results = append(
				results,
				result{"extract", d.extract(x, lo, n), func(x, _, _ uint64) uint64 { return x >> lo & ir.Mask(n) }},
				result{"extend", d.extend(x, bits+lo, false), func(x, _, _ uint64) uint64 { return x }},
				result{
					"sign extend", d.extend(x, bits+lo, true),
					func(x, _, _ uint64) uint64 { return ir.SignExtend(x, bits) & ir.Mask(bits+lo) },
				},
			)
		}
		for n := range uint64(1) << (2*bits + 1) {
			vx, vy, vc := n&ir.Mask(bits), n>>bits&ir.Mask(bits), n>>(2*bits)
			var g given
			g.set(x, vx)
			g.set(y, vy)
			g.set(cond, vc)
			m := g.solved(t, c)
			for _, r := range results {
				if got, want := m.Number(r.got), r.want(vx, vy, vc); got != want {
					t.Fatalf("%d bits: %s of %0*b and %0*b, by %d: %b, want %b", bits, r.what, bits, vx,
						bits, vy, vc, got, want)
				}
			}
		}
	}
}

// Both domains agree with ir.Eval on expressions of any width, whose operands share bits and have some constant ones.
// The circuit has each known bit of the operands as a constant, so its result has a constant for each known bit.
func TestDomainsOnExpressions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := sat.NewCircuit()
		var g given
		p := &ir.Program{Locs: []ir.Location{{Address: 0x1000}}}
		d := &drawing{T: t, regs: []int{rapid.SampledFrom([]int{1, 3, 8, 32, 64}).Draw(t, "bits"), 32, 64, 1, 1}}
		values := make([]uint64, len(d.regs))
		circuits, partly := &path[sat.Vec]{}, &path[twofold]{}
		for i, bits := range d.regs {
			values[i] = number(t, "value", bits)
			mask := number(t, "known", bits)
			signed := int64(ir.SignExtend(values[i], bits))
			least, most := known.SignedRange(bits)
			if short := rapid.IntRange(1, bits).Draw(t, "short"); known.SignedBits(signed, signed) <= short {
				least, most = known.SignedRange(short)
			}
			k := known.Tight(values[i]&mask, mask, least, most, bits)
			v := Vec(k, func(int) sat.Lit { return inputs(c, 1)[0] })
			g.set(v, values[i])
			circuits.regs.Set(i, register[sat.Vec]{value: v})
			partly.regs.Set(i, register[twofold]{value: twofold{k, k}})
		}
		e := d.expr(rapid.SampledFrom([]int{1, 4, 32, 64}).Draw(t, "width"), 4)
		want := p.Eval(e, values, 0)
		v := (&walker[sat.Vec]{p: p, dom: Circuits{c}}).eval(circuits, e, nil)
		if got := g.solved(t, c).Number(v); got != want || len(v) != e.Width() {
			t.Fatalf("%#v\nof %x: %#x over circuits, %#x by evaluation", e, values, got, want)
		}
		if k := (&walker[twofold]{p: p, dom: twofoldBits{}}).eval(partly, e, nil).known; !k.May(want) ||
			k.Bits != e.Width() || k.Value&^k.Mask != 0 {
			t.Fatalf("%#v\nof %x: known to be %v, %#x by evaluation", e, values, k, want)
		}
	})
}
