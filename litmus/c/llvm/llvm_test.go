package llvm

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

func module(t *testing.T, text string) *assembly.Module {
	t.Helper()
	m, err := assembly.Parse("t.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Intrinsic functions compute what Go's functions for numbers of 32 bits do.
func TestIntrinsicsCompute(t *testing.T) {
	saturated := func(v int64) uint32 { return uint32(int32(min(max(v, -1<<31), 1<<31-1))) }
	want := map[string]func(x, y, z uint32) uint32{
		"smax":       func(x, y, _ uint32) uint32 { return uint32(max(int32(x), int32(y))) },
		"smin":       func(x, y, _ uint32) uint32 { return uint32(min(int32(x), int32(y))) },
		"umax":       func(x, y, _ uint32) uint32 { return max(x, y) },
		"umin":       func(x, y, _ uint32) uint32 { return min(x, y) },
		"abs":        func(x, _, _ uint32) uint32 { return uint32(max(int32(x), -int32(x))) },
		"ctpop":      func(x, _, _ uint32) uint32 { return uint32(bits.OnesCount32(x)) },
		"ctlz":       func(x, _, _ uint32) uint32 { return uint32(bits.LeadingZeros32(x)) },
		"cttz":       func(x, _, _ uint32) uint32 { return uint32(bits.TrailingZeros32(x)) },
		"bswap":      func(x, _, _ uint32) uint32 { return bits.ReverseBytes32(x) },
		"bitreverse": func(x, _, _ uint32) uint32 { return bits.Reverse32(x) },
		"fshl":       func(x, y, z uint32) uint32 { return uint32((uint64(x)<<32 | uint64(y)) << (z % 32) >> 32) },
		"fshr":       func(x, y, z uint32) uint32 { return uint32((uint64(x)<<32 | uint64(y)) >> (z % 32)) },
		"uadd.sat":   func(x, y, _ uint32) uint32 { return uint32(min(uint64(x)+uint64(y), 1<<32-1)) },
		"usub.sat":   func(x, y, _ uint32) uint32 { return x - min(x, y) },
		"sadd.sat":   func(x, y, _ uint32) uint32 { return saturated(int64(int32(x)) + int64(int32(y))) },
		"ssub.sat":   func(x, y, _ uint32) uint32 { return saturated(int64(int32(x)) - int64(int32(y))) },
	}
	if len(want) != len(arithmetic) {
		t.Errorf("%d functions, and %d are checked", len(arithmetic), len(want))
	}
	p := &ir.Program{}
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.OneOf(rapid.Uint32(), rapid.SampledFrom([]uint32{0, 1, 31, 32, 1 << 31, 1<<31 - 1, 1<<32 - 1}))
		x, y, z := edges.Draw(t, "x"), edges.Draw(t, "y"), edges.Draw(t, "z")
		args := []ir.Expr{ir.Number(uint64(x), 32), ir.Number(uint64(y), 32), ir.Number(uint64(z), 32)}
		for name, f := range arithmetic {
			if got := p.Eval(f(args), nil, 0); got != uint64(want[name](x, y, z)) {
				t.Errorf("%s(%#x, %#x, %#x) = %#x, want %#x", name, x, y, z, got, want[name](x, y, z))
			}
		}
	})
}

// An overflow is found for every operator, sign and width that has one.
func TestOverflows(t *testing.T) {
	p := &ir.Program{}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{8, 16, 32, 64}).Draw(t, "width")
		number := rapid.OneOf(
			rapid.Uint64(),
			rapid.SampledFrom([]uint64{0, 1, ^uint64(0), 1 << 63, 1<<(width-1) - 1, 1 << (width - 1)}),
		)
		x, y := number.Draw(t, "x")&ir.Mask(width), number.Draw(t, "y")&ir.Mask(width)
		a, b := ir.Number(x, width), ir.Number(y, width)
		for _, signed := range []bool{false, true} {
			exact := func(v uint64) *big.Int {
				if signed {
					return big.NewInt(int64(ir.SignExtend(v, width)))
				}
				return new(big.Int).SetUint64(v)
			}
			for op, z := range map[string]*big.Int{
				"add": new(big.Int).Add(exact(x), exact(y)), "sub": new(big.Int).Sub(exact(x), exact(y)),
				"mul": new(big.Int).Mul(exact(x), exact(y)),
			} {
				low := new(big.Int).And(z, new(big.Int).SetUint64(ir.Mask(width))).Uint64()
				want := exact(low).Cmp(z) != 0
				if got := p.Eval(overflows(op, a, b, signed), nil, 0) == 1; got != want {
					t.Errorf(
						"%s of %d bits, signed %v, of %#x and %#x: overflows %v, want %v",
						op,
						width,
						signed,
						x,
						y,
						got,
						want,
					)
				}
			}
		}
	})
}

// Sizes and offsets are those of the System V ABI for x86-64.
func TestLayout(t *testing.T) {
	m := module(t, `
%pair = type { i8, i32 }
%deep = type { i16, %pair, [3 x i8], i64, ptr }
@a = global %deep zeroinitializer
@b = global <{ i8, i32 }> zeroinitializer
@c = global i128 0
@d = global [2 x %pair] zeroinitializer
`)
	l, err := newLayout("e-m:e-i64:64-i128:128-n8:16:32:64-S128")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ size, align int }{{32, 8}, {5, 1}, {16, 16}, {16, 4}} {
		if g := m.Globals[i]; l.size(g.Type) != want.size || l.align(g.Type) != want.align {
			t.Errorf("%s: size %d, alignment %d, want %v", g.Name, l.size(g.Type), l.align(g.Type), want)
		}
	}
	var offsets []int
	for _, s := range l.scalars(m.Globals[0].Type) {
		offsets = append(offsets, s.offset)
	}
	if !slices.Equal(offsets, []int{0, 4, 8, 12, 13, 14, 16, 24}) {
		t.Errorf("offsets %v", offsets)
	}
}

// Blocks come in an order in which only loops jump back, and each loop's blocks are next to one another.
func TestOrder(t *testing.T) {
	f := module(t, `
define void @f(i1 %c) {
entry:
  br label %exit.check
late:
  br label %outer.latch
exit:
  ret void
exit.check:
  br i1 %c, label %exit, label %inner
inner:
  br i1 %c, label %inner, label %late
outer.latch:
  br label %exit.check
}`).Functions[0]
	var got []string
	for _, b := range order(f, func(*assembly.Instruction) bool { return false }) {
		got = append(got, b.Name)
	}
	if want := "entry exit.check inner late outer.latch exit"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestMakeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"define void @f() {\n  ret void\n}":           "t.ll:1:1: there is no function main to begin with",
		"target datalayout = \"E-m:e\"":               "big-endian machine, which is not supported",
		"define void @reach_error() {\n  ret void\n}": "reach_error is empty, so the compiler has removed its calls",
		"module asm \".globl x\"":                     "assembly outside of functions",

		"define i32 @main(<vscale x 4 x i32> %v) {\n  ret i32 0\n}": "of the first function is not supported",
	} {
		if _, err := Make(module(t, text), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// What is not supported is refused where a run reaches it, and nowhere else.
func TestUnsupportedSteps(t *testing.T) {
	const object = "%p = alloca i128\n"
	for body, want := range map[string]string{
		"%x = fadd double 1.0, 2.0": "the instruction fadd is not supported",
		"call void @outside()":      "outside is neither defined in the module nor known",
		"call void @llvm.frob()":    "the intrinsic function llvm.frob is not supported",

		`call void asm sideeffect "frob", "~{memory}"()`: `the inline assembly "frob" is not supported`,
		`%x = call i32 asm "movl $1, $0", "=r"()`:        "the inline assembly",

		object + "%x = load atomic i32, ptr %p unordered, align 4":              "the memory order unordered",
		object + `%x = load atomic i32, ptr %p syncscope("x") seq_cst, align 4`: `access with scope "x"`,
		object + "store atomic i128 0, ptr %p seq_cst, align 16":                "an atomic access of type i128",
		object + "%x = atomicrmw uinc_wrap ptr %p, i32 1 seq_cst":               "atomicrmw uinc_wrap of type i32",
	} {
		declared := "declare void @outside()\ndeclare void @llvm.frob()\n"
		m := module(t, declared+"define i32 @main() {\n"+body+"\nret i32 0\n}")
		u, err := Make(m, Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		found := ""
		for _, f := range u.Functions {
			for _, s := range f.Code {
				if o, ok := s.Op.(code.Unsupported); ok {
					found += o.Text
				}
			}
		}
		if !strings.Contains(found, want) {
			t.Errorf("%s: got %q, want %q", body, found, want)
		}
	}
}

// Make ends on any module, without a panic.
func FuzzMake(f *testing.F) {
	f.Add(`define i32 @main() {
  %x = call i32 @g(i32 1)
  ret i32 %x
}
define i32 @g(i32 %a) {
  %b = add i32 %a, 1
  ret i32 %b
}`)
	f.Add(`@x = global i32 0
define i32 @main() {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %l ]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, 3
  br i1 %c, label %e, label %l
e:
  ret i32 %i
}`)
	f.Fuzz(func(_ *testing.T, text string) {
		if m, err := assembly.Parse("f.ll", text); err == nil {
			_, _ = Make(m, Options{})
		}
	})
}
