package ir

import (
	"testing"

	"pgregory.net/rapid"
)

// kinds makes an expression of every kind of node; the first four have no operands.
var kinds []func(t *rapid.T, bits, depth int) Expr

func init() {
	kinds = []func(t *rapid.T, bits, depth int) Expr{
		func(t *rapid.T, bits, _ int) Expr { return Number(rapid.Uint64().Draw(t, "number"), bits) },
		func(t *rapid.T, bits, _ int) Expr { return Reg{rapid.IntRange(0, 2).Draw(t, "register"), bits} },
		func(_ *rapid.T, bits, _ int) Expr { return Addr{0, bits} },
		func(_ *rapid.T, bits, _ int) Expr { return Old{bits} },
		func(t *rapid.T, bits, depth int) Expr {
			return rapid.SampledFrom([]UnaryOp{BitNot, Neg}).Draw(t, "operator").Of(drawExpr(t, bits, depth))
		},
		func(t *rapid.T, bits, depth int) Expr {
			op := BinaryOp(rapid.IntRange(int(Add), int(SRem)).Draw(t, "operator"))
			return op.Of(drawExpr(t, bits, depth), drawExpr(t, bits, depth))
		},
		func(t *rapid.T, bits, depth int) Expr {
			return Cond{drawBit(t, depth), drawExpr(t, bits, depth), drawExpr(t, bits, depth)}
		},
		func(t *rapid.T, bits, depth int) Expr {
			open := rapid.Bool().Draw(t, "open")
			return Select{drawBit(t, depth), drawExpr(t, bits, depth), drawExpr(t, bits, depth), open}
		},
		func(t *rapid.T, bits, depth int) Expr {
			return Extract{Shl.Of(drawExpr(t, bits, depth), Number(1, bits)), 0, bits}
		},
		func(t *rapid.T, bits, depth int) Expr {
			return Extend{Extract{drawExpr(t, bits, depth), 0, bits - 1}, bits, rapid.Bool().Draw(t, "signed")}
		},
	}
}

func drawExpr(t *rapid.T, bits, depth int) Expr {
	most := len(kinds) - 1
	if depth == 0 {
		most = 3
	}
	return kinds[rapid.IntRange(0, most).Draw(t, "kind")](t, bits, depth-1)
}

func drawBit(t *rapid.T, depth int) Expr {
	op := BinaryOp(rapid.IntRange(int(Eq), int(Slt)).Draw(t, "comparison"))
	return op.Of(drawExpr(t, 8, depth), drawExpr(t, 8, depth))
}

// The known part of an expression is correct, whatever the rest is; if all is known, the expression is.
func TestEvalKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Program{Locs: []Location{{Name: "x", Address: 0x5d}}}
		e := drawExpr(t, 8, 4)
		values := rapid.SliceOfN(rapid.Uint64Range(0, 255), 4, 4).Draw(t, "values")
		known := map[int]uint64{}
		for i, v := range values {
			if rapid.IntRange(0, 3).Draw(t, "known") > 0 {
				known[i-1] = v // the first is the old value
			}
		}
		got, ok := p.EvalKnown(e, known)
		if len(known) == len(values) && !ok {
			t.Fatalf("%#v is not known though all in it is", e)
		}
		if want := p.Eval(e, values[1:], values[0]); ok && got != want {
			t.Fatalf("%#v: got %#x, want %#x", e, got, want)
		}
	})
}

// WalkExpr gets to the register in each place of each kind of node.
func TestWalkExpr(t *testing.T) {
	bit, reg := Number(1, 1), func(i int) Expr { return Reg{i, 8} }
	for _, c := range []struct {
		e    Expr
		want []int
	}{
		{reg(1), []int{1}},
		{Neg.Of(reg(1)), []int{1}},
		{Add.Of(reg(1), reg(2)), []int{1, 2}},
		{Cond{Eq.Of(reg(1), reg(1)), reg(2), reg(3)}, []int{1, 1, 2, 3}},
		{Select{If: Eq.Of(reg(1), reg(2)), Then: reg(3), Else: reg(4)}, []int{1, 2, 3, 4}},
		{Extract{reg(1), 2, 3}, []int{1}},
		{Extend{reg(1), 16, true}, []int{1}},
		{Cond{bit, Old{8}, Addr{0, 8}}, nil},
	} {
		var got []int
		Registers(c.e, func(i int) { got = append(got, i) })
		if len(got) != len(c.want) {
			t.Errorf("%#v: got %v, want %v", c.e, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%#v: got %v, want %v", c.e, got, c.want)
			}
		}
	}
}

type strange struct{}

func (strange) Width() int { return 8 }

// Code that handles expressions fails on a new kind of node.
func TestUnknownExpressionPanics(t *testing.T) {
	p := &Program{}
	for what, f := range map[string]func(Expr){
		"WalkExpr":  func(e Expr) { WalkExpr(e, func(Expr) bool { return true }) },
		"Registers": func(e Expr) { Registers(e, func(int) {}) },
		"Sources":   func(e Expr) { Sources(e, func(Expr) {}) },
		"Eval":      func(e Expr) { p.Eval(e, nil, 0) },
		"evalKnown": func(e Expr) { p.EvalKnown(e, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s goes past a node that it does not know", what)
				}
			}()
			f(Neg.Of(strange{}))
		}()
	}
}
