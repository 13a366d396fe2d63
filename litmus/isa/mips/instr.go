package mips

import (
	"sync"

	"litmuscope/litmus/ir"
)

// instruction describes a mnemonic.
type instruction struct {
	operands string // see kinds
	lower    func(*instr)
}

var instructions = map[string]instruction{}

func define(name, operands string, lower func(*instr)) {
	instructions[name] = instruction{operands, lower}
}

// find returns the instruction with a name. The table is made on the first call.
func find(name string) (in instruction, ok bool) {
	tabulated.Do(tabulate)
	in, ok = instructions[name]
	return in, ok
}

var tabulated sync.Once

func tabulate() {
	define("nop", "", func(*instr) {})
	define("sync", "", func(x *instr) {
		x.Emit(ir.Fence{Tags: append(ir.Tags{tagSYNC}, ir.FullFence...)})
	})
	label := func(x *instr) { x.set(0, x.LabelAddress(x.ops[1].Word)) }
	define("la", "rl", label)
	define("dla", "rl", label)
	define("li", "rw", func(x *instr) { x.set(0, x.immediate(1)) })
	define("lui", "ru", func(x *instr) { x.set(0, number(ir.SignExtend(x.ops[1].Imm<<16, 32))) })
	define("move", "rr", func(x *instr) { x.set(0, x.get(1)) })
	define("not", "rr", func(x *instr) { x.set(0, ir.Not(x.get(1))) })
	defineArithmetic()
	defineProducts()
	defineShifts()
	defineFields()
	defineBranches()
	defineMemory()
}

// immediate returns operand i, a number.
func (x *instr) immediate(i int) ir.Expr { return number(x.ops[i].Imm) }

// two defines a mnemonic that computes its result from two operands. kind is that of the second one: a register or a
// number.
func two(name string, kind string, f func(a, b ir.Expr) ir.Expr) {
	define(name, "rr"+kind, func(x *instr) {
		if kind == "r" {
			x.set(0, f(x.get(1), x.get(2)))
		} else {
			x.set(0, f(x.get(1), x.immediate(2)))
		}
	})
}

// defineArithmetic adds sums, differences and products of words and doublewords, logic, and comparisons.
func defineArithmetic() {
	word := func(op ir.BinaryOp) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr {
			return ir.Widen(op.Of(ir.Resize(a, 32), ir.Resize(b, 32)), 64, true)
		}
	}
	for name, op := range map[string]ir.BinaryOp{"add": ir.Add, "sub": ir.Sub} {
		for _, u := range []string{"", "u"} { // u only means that an overflow does not trap
			two(name+u, "r", word(op))
			two(name+"i"+u, "s", word(op))
			two("d"+name+u, "r", op.Of)
			two("d"+name+"i"+u, "s", op.Of)
		}
	}
	two("mul", "r", word(ir.Mul))
	for name, op := range map[string]ir.BinaryOp{"and": ir.BitAnd, "or": ir.BitOr, "xor": ir.BitXor} {
		two(name, "r", op.Of)
		two(name+"i", "u", op.Of)
	}
	two("nor", "r", func(a, b ir.Expr) ir.Expr { return ir.Not(ir.BitOr.Of(a, b)) })
	less := func(op ir.BinaryOp) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr { return ir.Widen(op.Of(a, b), 64, false) }
	}
	two("slt", "r", less(ir.Slt))
	two("sltu", "r", less(ir.Ult))
	two("slti", "s", less(ir.Slt))
	two("sltiu", "s", less(ir.Ult))
}

// defineProducts adds products of twice the width, whose halves go to HI and LO, and moves from and to these.
func defineProducts() {
	for name, signed := range map[string]bool{"": true, "u": false} {
		define("mult"+name, "rr", func(x *instr) {
			word := func(i int) ir.Expr { return ir.Widen(ir.Resize(x.get(i), 32), 64, signed) }
			product := x.Keep(ir.Mul.Of(word(0), word(1)))
			half := func(lo int) ir.Expr { return ir.Widen(ir.Extract{X: product, Lo: lo, Bits: 32}, 64, true) }
			x.Assign(x.lo, half(0))
			x.Assign(x.hi, half(32))
		})
		define("dmult"+name, "rr", func(x *instr) {
			a, b := x.Keep(x.get(0)), x.Keep(x.get(1))
			x.Assign(x.lo, ir.Mul.Of(a, b))
			x.Assign(x.hi, x.HighProduct(a, b, signed, signed))
		})
	}
	for name, of := range map[string]func(*instr) int{
		"hi": func(x *instr) int { return x.hi }, "lo": func(x *instr) int { return x.lo },
	} {
		define("mf"+name, "r", func(x *instr) { x.set(0, x.Value(of(x))) })
		define("mt"+name, "r", func(x *instr) { x.Assign(of(x), x.get(0)) })
	}
}

// defineFields adds instructions that extract, insert and extend fields of bits, and conditional moves. As in the
// assembler, dext and dins take any field of a doubleword.
func defineFields() {
	// field returns the lowest bit and the mask of a field.
	field := func(x *instr, bits int) (low, mask uint64) {
		low, n := x.ops[2].Imm, x.ops[3].Imm
		if low+n > uint64(bits) {
			x.Failf(x.ops[3].Pos, "MIPS: %s wants a field that does not end beyond bit %d here", x.name.Text, bits-1)
			n = uint64(bits) - low
		}
		return low, ir.Mask(int(n))
	}
	for _, f := range []struct {
		prefix, operands string
		bits             int
	}{{"", "rr5z", 32}, {"d", "rr6Z", 64}} {
		define(f.prefix+"ext", f.operands, func(x *instr) {
			low, mask := field(x, f.bits)
			v := ir.BitAnd.Of(ir.Shr.Of(x.get(1), number(low)), number(mask))
			x.set(0, ir.Widen(ir.Resize(v, f.bits), 64, true))
		})
		define(f.prefix+"ins", f.operands, func(x *instr) {
			low, mask := field(x, f.bits)
			inserted := ir.Shl.Of(ir.BitAnd.Of(x.get(1), number(mask)), number(low))
			v := ir.BitOr.Of(ir.BitAnd.Of(x.get(0), number(^(mask<<low))), inserted)
			x.set(0, ir.Widen(ir.Resize(v, f.bits), 64, true))
		})
	}
	for name, bits := range map[string]int{"seb": 8, "seh": 16} {
		define(name, "rr", func(x *instr) { x.set(0, ir.Widen(ir.Resize(x.get(1), bits), 64, true)) })
	}
	for name, move := range map[string]bool{"movz": true, "movn": false} {
		define(name, "rrr", func(x *instr) {
			moved, old := x.get(1), x.get(0)
			if !move {
				moved, old = old, moved
			}
			x.set(0, ir.Cond{If: ir.Eq.Of(x.get(2), number(0)), Then: moved, Else: old})
		})
	}
}

// defineShifts adds shifts of words and doublewords: by a number, by 32 more than a number, or by the low bits of a
// register.
func defineShifts() {
	for name, op := range map[string]ir.BinaryOp{"sll": ir.Shl, "srl": ir.Shr, "sra": ir.Sar} {
		shift := func(bits int, count func(*instr) ir.Expr) func(*instr) {
			return func(x *instr) {
				x.set(0, ir.Widen(op.Of(ir.Resize(x.get(1), bits), ir.Resize(count(x), bits)), 64, true))
			}
		}
		low := func(mask uint64) func(*instr) ir.Expr {
			return func(x *instr) ir.Expr { return ir.BitAnd.Of(x.get(2), number(mask)) }
		}
		immediate := func(x *instr) ir.Expr { return x.immediate(2) }
		define(name, "rr5", shift(32, immediate))
		define("d"+name, "rr5", shift(64, immediate))
		define("d"+name+"32", "rr5", shift(64, func(x *instr) ir.Expr { return number(32 + x.ops[2].Imm) }))
		define(name+"v", "rrr", shift(32, low(31)))
		define("d"+name+"v", "rrr", shift(64, low(63)))
	}
}

// defineBranches adds branches, jumps, and addresses of labels.
func defineBranches() {
	define("b", "l", func(x *instr) { x.jump(0, nil) })
	// The return address is that of the caller, unless the test sets it.
	define("jr", "r", func(x *instr) { x.JumpTo(x.get(0), x.name, x.ops[0].Reg == "$31") })
	zero := number(0)
	negative := func(a, _ ir.Expr) ir.Expr { return ir.Slt.Of(a, zero) }
	positive := func(a, _ ir.Expr) ir.Expr { return ir.Slt.Of(zero, a) }
	for _, c := range []struct {
		name, negated string
		registers     int
		holds         func(a, b ir.Expr) ir.Expr
	}{
		{"beq", "bne", 2, ir.Eq.Of},
		{"beqz", "bnez", 1, ir.Eq.Of},
		{"bltz", "bgez", 1, negative},
		{"bgtz", "blez", 1, positive},
	} {
		for _, name := range []string{c.name, c.negated} {
			define(name, "rrl"[2-c.registers:], func(x *instr) {
				other := zero
				if c.registers == 2 {
					other = x.get(1)
				}
				cond := c.holds(x.get(0), other)
				if name == c.negated {
					cond = ir.Not(cond)
				}
				x.jump(c.registers, cond)
			})
		}
	}
}

// jump branches to operand i, a label, if cond is 1.
func (x *instr) jump(i int, cond ir.Expr) {
	x.Jump(cond, x.ops[i].Word)
}
