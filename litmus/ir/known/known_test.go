package known

import (
	"fmt"
	"slices"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
)

// Number bits that are too tight would hide outcomes, and nothing else would tell: the search would miss no witness and
// fail no check. So the test tries each operation on all partly known values of a few bits, against all the numbers
// that they represent.

var widths = []int{1, 2, 3, 4}

// knowns are all partly known values of a width: of the largest, by its bits alone.
func knowns(bits int) []Number {
	var out []Number
	seen := map[Number]bool{}
	least, most := SignedRange(bits)
	for mask := range uint64(1) << bits {
		for value := range uint64(1) << bits {
			if value&^mask != 0 {
				continue
			}
			if bits == widths[len(widths)-1] {
				out = append(out, OfBits(value, mask, bits))
				continue
			}
			for lo := least; lo <= most; lo++ {
				for hi := lo; hi <= most; hi++ {
					if k := Tight(value, mask, lo, hi, bits); !seen[k] && k.Value&^k.Mask == 0 && len(k.numbers()) > 0 {
						seen[k] = true
						out = append(out, k)
					}
				}
			}
		}
	}
	return out
}

// numbers are all numbers that k represents.
func (k Number) numbers() (out []uint64) {
	for v := range uint64(1) << k.Bits {
		signed := int64(ir.SignExtend(v, k.Bits))
		if v&k.Mask == k.Value && k.Least <= signed && signed <= k.Most {
			out = append(out, v)
		}
	}
	return out
}

func (k Number) String() string {
	out := make([]byte, k.Bits)
	for i := range out {
		out[k.Bits-1-i] = "?01"[k.Mask>>i&1*(1+k.Value>>i&1)]
	}
	return fmt.Sprintf("%s in %d…%d", out, k.Least, k.Most)
}

// tightest is the most precise partly known value that covers some numbers.
func tightest(numbers []uint64, bits int) Number {
	k := Of(numbers[0], bits)
	for _, n := range numbers[1:] {
		k = k.Join(Of(n, bits))
	}
	return k
}

// bitsAlone: only bits are known, no range.
func (k Number) bitsAlone() bool { return k == k.Bare() }

// sound fails unless got represents every result; if exact is true, and of the operands bits alone are known, it must
// also have as few unknown bits as possible. Constants always give a constant.
func sound(t *testing.T, got Number, results []uint64, bits int, exact bool, what string, operands ...Number) {
	t.Helper()
	all := ir.Mask(bits)
	if got.Bits != bits || got.Mask&^all != 0 || got.Value&^got.Mask != 0 {
		t.Fatalf("%s %v = %#v, which is no value of %d bits", what, operands, got, bits)
	}
	for _, v := range results {
		if v&^all != 0 {
			t.Fatalf("%s %v may be %#x, which has more than %d bits", what, operands, v, bits)
		}
		if !got.May(v) || v < got.Lowest() || v > got.Highest() {
			t.Fatalf("%s %v = %v, which leaves out %0*b", what, operands, got, bits, v)
		}
	}
	constants := true
	for _, o := range operands {
		constants = constants && o.Constant()
		exact = exact && o.bitsAlone()
	}
	if best := tightest(results, bits); (got.Mask != best.Mask || got.Value != best.Value) && (exact || constants) {
		t.Fatalf("%s %v = %v, where %v is known", what, operands, got, best)
	}
}

func TestKnownUnary(t *testing.T) {
	for _, bits := range widths {
		for op, name := range irtest.Unaries {
			for _, x := range knowns(bits) {
				var results []uint64
				for _, v := range x.numbers() {
					results = append(results, ir.EvalUnary(op, v, bits))
				}
				sound(t, Domain{}.Unary(op, x), results, bits, op == ir.BitNot, name, x)
			}
		}
	}
}

func TestKnownBinary(t *testing.T) {
	exact := map[ir.BinaryOp]bool{
		ir.Add: true, ir.BitAnd: true, ir.BitOr: true, ir.BitXor: true, ir.Eq: true,
		ir.Ult: true,
	}
	for _, bits := range widths {
		for op, name := range irtest.Binaries {
			n := bits
			if op >= ir.Eq {
				n = 1
			}
			for _, x := range knowns(bits) {
				for _, y := range knowns(bits) {
					var results []uint64
					for _, v := range x.numbers() {
						for _, w := range y.numbers() {
							results = append(results, ir.EvalBinary(op, v, w, bits))
						}
					}
					shift := op == ir.Shl || op == ir.Shr || op == ir.Sar
					sound(t, Domain{}.Binary(op, x, y), results, n, exact[op] || shift && y.Constant(), name, x, y)
				}
			}
		}
	}
}

func TestKnownMeaning(t *testing.T) {
	for _, bits := range widths {
		for _, x := range knowns(bits) {
			numbers := x.numbers()
			for v := range uint64(1) << bits {
				if x.May(v) != slices.Contains(numbers, v) {
					t.Fatalf("%v may be %0*b: %v", x, bits, v, x.May(v))
				}
			}
			if x.Constant() && len(numbers) > 1 {
				t.Fatalf("%v is constant", x)
			}
			if x.bitsAlone() &&
				(x.Constant() != (len(numbers) == 1) || x.Highest() != slices.Max(numbers) ||
					x.Lowest() != slices.Min(numbers)) {
				t.Fatalf("%v is constant: %v, from %d to %d", x, x.Constant(), x.Lowest(), x.Highest())
			}
		}
	}
}

func TestKnownChoice(t *testing.T) {
	for _, bits := range widths {
		for _, x := range knowns(bits) {
			for _, y := range knowns(bits) {
				either := append(x.numbers(), y.numbers()...)
				sound(t, x.Join(y), either, bits, true, "join", x, y)
				for _, cond := range knowns(1) {
					var results []uint64
					for _, c := range cond.numbers() {
						if c == 1 {
							results = append(results, x.numbers()...)
						} else {
							results = append(results, y.numbers()...)
						}
					}
					sound(t, Domain{}.Ite(cond, x, y), results, bits, true, "ite", cond, x, y)
				}
			}
		}
	}
}

func TestKnownPartsAndWidening(t *testing.T) {
	for _, bits := range widths {
		for _, x := range knowns(bits) {
			for lo := range bits {
				for n := 1; lo+n <= bits; n++ {
					var results []uint64
					for _, v := range x.numbers() {
						results = append(results, v>>lo&ir.Mask(n))
					}
					sound(t, Domain{}.Extract(x, lo, n), results, n, true, fmt.Sprintf("extract %d+%d", lo, n), x)
				}
			}
			for n := bits; n <= 6; n++ {
				for _, signed := range []bool{false, true} {
					var results []uint64
					for _, v := range x.numbers() {
						if signed {
							v = ir.SignExtend(v, bits) & ir.Mask(n)
						}
						results = append(results, v)
					}
					sound(t, Domain{}.Extend(x, n, signed), results, n, true,
						fmt.Sprintf("extend to %d, signed %v,", n, signed), x)
				}
			}
		}
	}
}
