package run

import (
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// drawExpr draws an expression of some width over two registers of four bits.
func drawExpr(r *rapid.T, width, depth int) ir.Expr {
	sub := func(width int) ir.Expr { return drawExpr(r, width, depth-1) }
	kinds := 8
	if depth == 0 {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds).Draw(r, "kind") {
	case 0:
		return ir.Number(rapid.Uint64().Draw(r, "constant"), width)
	case 1, 2, 3:
		return fit(ir.Reg{Index: rapid.IntRange(0, 1).Draw(r, "register"), Bits: 4}, width)
	case 4:
		return rapid.SampledFrom([]ir.UnaryOp{ir.BitNot, ir.Neg}).Draw(r, "of").Of(sub(width))
	case 5:
		return ir.Cond{If: sub(1), Then: sub(width), Else: sub(width)}
	case 6:
		inner := rapid.IntRange(1, 6).Draw(r, "width")
		if inner > width {
			lo := rapid.IntRange(0, inner-width).Draw(r, "from")
			return ir.Extract{X: sub(inner), Lo: lo, Bits: width}
		}
		return ir.Extend{X: sub(inner), Bits: width, Signed: rapid.Bool().Draw(r, "signed")}
	case 7:
		if width == 1 {
			inner := rapid.IntRange(1, 6).Draw(r, "width")
			return rapid.SampledFrom([]ir.BinaryOp{ir.Eq, ir.Ult, ir.Slt}).Draw(r,
				"comparison").Of(sub(inner), sub(inner))
		}
	}
	op := ir.BinaryOp(rapid.IntRange(int(ir.Add), int(ir.SRem)).Draw(r, "operator"))
	return op.Of(sub(width), sub(width))
}

// Whatever two numbers are that may be anything: whatever two open numbers are, the answers to the questions about them
// lead to the value of an expression of them.
func TestRandomNumbersAreWhatIsDecided(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		exprs := []ir.Expr{drawExpr(r, rapid.IntRange(1, 6).Draw(r, "width"), 3), drawExpr(r, 1, 2)}
		for values := range uint64(256) {
			regs := []uint64{values & 15, values >> 4}
			fn := &function{Function: &code.Function{Regs: []code.Register{{Bits: 4}, {Bits: 4}}}}
			th := &Thread{p: &Program{}, depth: 1, chosen: 8, frames: []frame{{fn: fn, regs: []uint64{0, 0}}}}
			for reg := range regs {
				n := &number{}
				for i := range 4 {
					n.bits = append(n.bits, bit{of: []int32{int32(4*reg + i)}})
				}
				th.top().frees(reg, n)
			}
			for _, x := range exprs {
				want := noProgram.Eval(x, regs, 0)
				for {
					n, err := th.numberOf(x)
					if err != nil {
						r.Fatal(err)
					}
					if n == nil {
						break
					}
					if got := th.valueOf(n); got != th.eval(x, 0) {
						r.Fatalf("%v: it may be %d, and the registers make it %d", x, got, th.eval(x, 0))
					}
					all, asks, _ := th.bitsOf(n)
					if asks == nil {
						if _, known := numeral(all); known {
							break
						}
						for i := range all {
							if !all[i].constant() {
								asks = &all[i]
							}
						}
					}
					th.question = &bit{of: asks.of}
					odd := uint64(0)
					for _, i := range asks.of {
						odd ^= values >> i & 1
					}
					th.decide(odd == 1)
				}
				if got := th.eval(x, 0); got != want {
					r.Fatalf("%+v of %v: %d, want %d, after %d decisions", x, regs, got, want, len(th.facts))
				}
			}
			if len(th.facts) > 8 {
				r.Fatalf("%d decisions on 8 bits", len(th.facts))
			}
		}
	})
}
