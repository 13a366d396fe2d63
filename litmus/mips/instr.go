package mips

import "litmuscope/litmus/ir"

// instruction describes a mnemonic.
type instruction struct {
	operands string // see instr.operands
	lower    func(*instr)
}

var instructions = map[string]instruction{}

func define(name, operands string, lower func(*instr)) {
	instructions[name] = instruction{operands, lower}
}

func init() {
	define("nop", "", func(*instr) {})
	define("sync", "", func(x *instr) {
		x.emit(ir.Fence{Tags: append(ir.Tags{tagSYNC}, ir.FullFence...)})
	})
	define("li", "rw", func(x *instr) { x.set(0, x.immediate(1)) })
	define("lui", "ru", func(x *instr) { x.set(0, number(ir.SignExtend(x.ops[1].imm<<16, 32))) })
	define("move", "rr", func(x *instr) { x.set(0, x.get(1)) })
	define("not", "rr", func(x *instr) { x.set(0, not(x.get(1))) })
	define("dext", "rr5z", func(x *instr) {
		field := ir.Binary{Op: ir.Shr, X: x.get(1), Y: x.immediate(2)}
		x.set(0, binary(ir.BitAnd, field, number(ir.Mask(int(x.ops[3].imm)))))
	})
	defineArithmetic()
	defineShifts()
	defineBranches()
	defineMemory()
}

// immediate is number operand i.
func (x *instr) immediate(i int) ir.Expr { return number(x.ops[i].imm) }

// two defines a mnemonic that computes its result from two operands, the second of a
// kind: a register or a number.
func two(name string, kind string, f func(a, b ir.Expr) ir.Expr) {
	define(name, "rr"+kind, func(x *instr) {
		if kind == "r" {
			x.set(0, f(x.get(1), x.get(2)))
		} else {
			x.set(0, f(x.get(1), x.immediate(2)))
		}
	})
}

func defineArithmetic() {
	double := func(op ir.BinaryOp) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr { return binary(op, a, b) }
	}
	word := func(op ir.BinaryOp) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr {
			return widen(binary(op, ir.Resize(a, 32), ir.Resize(b, 32)), true)
		}
	}
	for name, op := range map[string]ir.BinaryOp{"add": ir.Add, "sub": ir.Sub} {
		for _, u := range []string{"", "u"} { // which says only that an overflow does not trap
			two(name+u, "r", word(op))
			two(name+"i"+u, "s", word(op))
			two("d"+name+u, "r", double(op))
			two("d"+name+"i"+u, "s", double(op))
		}
	}
	two("mul", "r", word(ir.Mul))
	for name, op := range map[string]ir.BinaryOp{"and": ir.BitAnd, "or": ir.BitOr, "xor": ir.BitXor} {
		two(name, "r", double(op))
		two(name+"i", "u", double(op))
	}
	two("nor", "r", func(a, b ir.Expr) ir.Expr { return not(binary(ir.BitOr, a, b)) })
	less := func(op ir.BinaryOp) func(a, b ir.Expr) ir.Expr {
		return func(a, b ir.Expr) ir.Expr { return widen(binary(op, a, b), false) }
	}
	two("slt", "r", less(ir.Slt))
	two("sltu", "r", less(ir.Ult))
	two("slti", "s", less(ir.Slt))
	two("sltiu", "s", less(ir.Ult))
}

// defineShifts adds shifts of words and doublewords, by a number, by 32 more than
// one, or by the low bits of a register.
func defineShifts() {
	for name, op := range map[string]ir.BinaryOp{"sll": ir.Shl, "srl": ir.Shr, "sra": ir.Sar} {
		shift := func(bits int, count func(*instr) ir.Expr) func(*instr) {
			return func(x *instr) {
				x.set(0, widen(binary(op, ir.Resize(x.get(1), bits), ir.Resize(count(x), bits)), true))
			}
		}
		register := func(mask uint64) func(*instr) ir.Expr {
			return func(x *instr) ir.Expr { return binary(ir.BitAnd, x.get(2), number(mask)) }
		}
		immediate := func(x *instr) ir.Expr { return x.immediate(2) }
		define(name, "rr5", shift(32, immediate))
		define("d"+name, "rr5", shift(64, immediate))
		define("d"+name+"32", "rr5", shift(64, func(x *instr) ir.Expr { return number(32 + x.ops[2].imm) }))
		define(name+"v", "rrr", shift(32, register(31)))
		define("d"+name+"v", "rrr", shift(64, register(63)))
	}
}

func defineBranches() {
	define("b", "l", func(x *instr) { x.jump(0, nil) })
	// The return address, which no test sets, leads back to the caller.
	define("jr", "r", func(x *instr) {
		if x.ops[0].reg != "$31" {
			x.Failf(x.ops[0].pos, "MIPS: %s to a computed address is not supported: only to $31, which ends the thread", x.name)
			return
		}
		x.Jump(x.t, x.source, nil, "", x.pos)
	})
	zero := number(0)
	same := func(a, b ir.Expr) ir.Expr { return binary(ir.Eq, a, b) }
	negative := func(a, _ ir.Expr) ir.Expr { return binary(ir.Slt, a, zero) }
	positive := func(a, _ ir.Expr) ir.Expr { return binary(ir.Slt, zero, a) }
	for _, c := range []struct {
		name, negated string
		registers     int
		holds         func(a, b ir.Expr) ir.Expr
	}{
		{"beq", "bne", 2, same},
		{"beqz", "bnez", 1, same},
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
					cond = not(cond)
				}
				x.jump(c.registers, cond)
			})
		}
	}
}

// jump branches to label operand i where cond is 1.
func (x *instr) jump(i int, cond ir.Expr) {
	x.Jump(x.t, x.source, cond, x.ops[i].label, x.ops[i].pos)
}
