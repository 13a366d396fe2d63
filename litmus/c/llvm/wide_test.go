package llvm

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/llvm/assembly"
)

// Arithmetic on integers of more than 64 bits is that of big numbers: operators, comparisons, conversions and overflow.
func TestWideIntegers(t *testing.T) {
	const ops, kinds = "add sub mul and or xor shl lshr ashr", "eq ne ult ule ugt uge slt sle sgt sge"
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.OneOf(rapid.Just(128), rapid.IntRange(65, 200)).Draw(t, "bits")
		to := rapid.OneOf(rapid.Just(64), rapid.IntRange(1, 260)).Draw(t, "to")
		x, y := drawWide(t, bits, "x"), drawWide(t, bits, "y")
		count := big.NewInt(int64(rapid.IntRange(0, bits-1).Draw(t, "count")))
		constant := rapid.Bool().Draw(t, "constant")

		w := &wideFunction{bits: bits}
		signed := func(n *big.Int) *big.Int { return signedWide(n, bits) }
		for _, op := range strings.Fields(ops) {
			arg, name := y, "%y"
			if op == "shl" || op == "lshr" || op == "ashr" {
				if arg, name = count, "%z"; constant {
					name = count.String()
				}
			}
			w.line("%%%s = %s i%d %%x, %s", op, op, bits, name)
			w.store("%"+op, bits, bigOperator(op, x, arg, signed(x)))
		}
		for _, kind := range strings.Fields(kinds) {
			w.line("%%%s = icmp %s i%d %%x, %%y", kind, kind, bits)
			order := x.Cmp(y)
			if kind[0] == 's' {
				order = signed(x).Cmp(signed(y))
			}
			holds := map[string]bool{
				"eq": order == 0, "ne": order != 0,
				"lt": order < 0, "le": order <= 0, "gt": order > 0, "ge": order >= 0,
			}[kind[len(kind)-2:]]
			w.store("%"+kind, 1, oneIf(holds))
		}
		for _, sign := range "su" {
			a, b := x, y
			if sign == 's' {
				a, b = signed(x), signed(y)
			}
			for op, exact := range map[string]*big.Int{
				"add": new(big.Int).Add(a, b), "sub": new(big.Int).Sub(a, b), "mul": new(big.Int).Mul(a, b),
			} {
				back := new(big.Int).And(exact, ones(bits))
				if sign == 's' {
					back = signed(back)
				}
				pair, name := fmt.Sprintf("{ i%d, i1 }", bits), fmt.Sprintf("%c%s.over", sign, op)
				w.line("%%%s.both = call %s @llvm.%c%s.with.overflow.i%d(i%d %%x, i%d %%y)", name, pair, sign, op,
					bits, bits, bits)
				w.line("%%%s = extractvalue %s %%%s.both, 1", name, pair, name)
				w.store("%"+name, 1, oneIf(back.Cmp(exact) != 0))
			}
		}
		if from := signed(x); to < bits {
			w.line("%%to = trunc i%d %%x to i%d", bits, to)
			w.store("%to", to, from)
		} else if to > bits {
			w.line("%%to = sext i%d %%x to i%d", bits, to)
			w.store("%to", to, from)
			w.line("%%zero = zext i%d %%x to i%d", bits, to)
			w.store("%zero", to, x)
		}

		m, err := assembly.Parse("t.ll", w.module())
		if err != nil {
			t.Fatalf("%v\n%s", err, w.module())
		}
		u, err := Make(m, Options{Entry: "f"})
		if err != nil {
			t.Fatalf("%v\n%s", err, w.module())
		}
		var args []uint64
		for _, n := range []*big.Int{x, y, count} {
			args = append(args, split64(n, bits)...)
		}
		got := execute(t, u.Functions["f'"], args...)
		for k, want := range w.want {
			if got[k] != want {
				t.Fatalf("%s of %#x and %#x (%v), part %d: %#x, want %#x", w.names[k], x, y, count, k, got[k], want)
			}
		}
	})
}

func bigOperator(op string, x, y, signedX *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case "add":
		return z.Add(x, y)
	case "sub":
		return z.Sub(x, y)
	case "mul":
		return z.Mul(x, y)
	case "and":
		return z.And(x, y)
	case "or":
		return z.Or(x, y)
	case "xor":
		return z.Xor(x, y)
	case "shl":
		return z.Lsh(x, uint(y.Uint64()))
	case "lshr":
		return z.Rsh(x, uint(y.Uint64()))
	}
	return z.Rsh(signedX, uint(y.Uint64()))
}

// wideFunction writes a function whose stores are the parts, of 64 bits, of values, with what they have to be.
type wideFunction struct {
	bits  int
	text  strings.Builder
	names []string
	want  []uint64
}

func (w *wideFunction) line(format string, args ...any) {
	fmt.Fprintf(&w.text, "  "+format+"\n", args...)
}

func (w *wideFunction) store(name string, bits int, want *big.Int) {
	wide := (bits + 63) / 64 * 64
	if bits < wide {
		w.line("%s.all = zext i%d %s to i%d", name, bits, name, wide)
		name += ".all"
	}
	for k, part := range split64(want, bits) {
		from := name
		if wide > 64 {
			from = fmt.Sprintf("%s.%d", name, k)
			w.line("%s.moved = lshr i%d %s, %d", from, wide, name, 64*k)
			w.line("%s = trunc i%d %s.moved to i64", from, wide, from)
		}
		w.line("store i64 %s, i64* @g", from)
		w.names, w.want = append(w.names, name), append(w.want, part)
	}
}

func (w *wideFunction) module() string {
	out := "@g = global i64 0\n"
	for _, sign := range "su" {
		for _, op := range []string{"add", "sub", "mul"} {
			out += fmt.Sprintf("declare { i%d, i1 } @llvm.%c%s.with.overflow.i%d(i%d, i%d)\n", w.bits, sign, op, w.bits,
				w.bits, w.bits)
		}
	}
	return out + fmt.Sprintf("define i8 @f(i%d %%x, i%d %%y, i%d %%z) {\n", w.bits, w.bits, w.bits) +
		w.text.String() + "  ret i8 0\n}\n"
}

// drawWide draws a number of some bits, often one at an edge.
func drawWide(t *rapid.T, bits int, name string) *big.Int {
	one := big.NewInt(1)
	n := new(big.Int)
	switch rapid.SampledFrom([]string{"any", "few", "edge"}).Draw(t, name+" kind") {
	case "any":
		for range (bits + 63) / 64 {
			n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(rapid.Uint64().Draw(t, name)))
		}
	case "few":
		n.SetInt64(int64(rapid.IntRange(-3, 3).Draw(t, name)))
	default:
		n.Lsh(one, uint(rapid.SampledFrom([]int{63, 64, bits - 1, bits / 2}).Draw(t, name)))
		n.Add(n, big.NewInt(int64(rapid.IntRange(-1, 1).Draw(t, name+" more"))))
	}
	return n.And(n, ones(bits))
}

func ones(bits int) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, uint(bits)), one)
}

func signedWide(n *big.Int, bits int) *big.Int {
	if n.Bit(bits-1) == 1 {
		return new(big.Int).Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	}
	return n
}

func oneIf(holds bool) *big.Int {
	if holds {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// split64 returns the parts of the lowest bits of a number, the lowest part first.
func split64(n *big.Int, bits int) (out []uint64) {
	n = new(big.Int).And(n, ones(bits))
	for at := 0; at < bits; at += 64 {
		out = append(out, new(big.Int).And(new(big.Int).Rsh(n, uint(at)), ones(64)).Uint64())
	}
	return out
}
