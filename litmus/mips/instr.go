package mips

import "litmuscope/litmus"

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
		x.emit(litmus.Fence{Tags: append(litmus.Tags{"SYNC"}, litmus.FullFence...)})
	})
	define("li", "rw", func(x *instr) { x.set(0, x.immediate(1)) })
	define("lui", "ru", func(x *instr) { x.set(0, number(litmus.SignExtend(x.ops[1].imm<<16, 32))) })
	define("move", "rr", func(x *instr) { x.set(0, x.get(1)) })
	define("not", "rr", func(x *instr) { x.set(0, not(x.get(1))) })
	define("dext", "rr5z", func(x *instr) {
		field := litmus.Binary{Op: litmus.Shr, X: x.get(1), Y: x.immediate(2)}
		x.set(0, binary(litmus.BitAnd, field, number(litmus.Mask(int(x.ops[3].imm)))))
	})
	defineArithmetic()
	defineShifts()
	defineBranches()
	defineMemory()
}

// immediate is number operand i.
func (x *instr) immediate(i int) litmus.Expr { return number(x.ops[i].imm) }

// two defines a mnemonic that computes its result from two operands, the second of a
// kind: a register or a number.
func two(name string, kind string, f func(a, b litmus.Expr) litmus.Expr) {
	define(name, "rr"+kind, func(x *instr) {
		if kind == "r" {
			x.set(0, f(x.get(1), x.get(2)))
		} else {
			x.set(0, f(x.get(1), x.immediate(2)))
		}
	})
}

func defineArithmetic() {
	double := func(op litmus.BinaryOp) func(a, b litmus.Expr) litmus.Expr {
		return func(a, b litmus.Expr) litmus.Expr { return binary(op, a, b) }
	}
	word := func(op litmus.BinaryOp) func(a, b litmus.Expr) litmus.Expr {
		return func(a, b litmus.Expr) litmus.Expr {
			return widen(binary(op, litmus.Resize(a, 32), litmus.Resize(b, 32)), true)
		}
	}
	for name, op := range map[string]litmus.BinaryOp{"add": litmus.Add, "sub": litmus.Sub} {
		for _, u := range []string{"", "u"} { // which says only that an overflow does not trap
			two(name+u, "r", word(op))
			two(name+"i"+u, "s", word(op))
			two("d"+name+u, "r", double(op))
			two("d"+name+"i"+u, "s", double(op))
		}
	}
	two("mul", "r", word(litmus.Mul))
	for name, op := range map[string]litmus.BinaryOp{"and": litmus.BitAnd, "or": litmus.BitOr, "xor": litmus.BitXor} {
		two(name, "r", double(op))
		two(name+"i", "u", double(op))
	}
	two("nor", "r", func(a, b litmus.Expr) litmus.Expr { return not(binary(litmus.BitOr, a, b)) })
	less := func(op litmus.BinaryOp) func(a, b litmus.Expr) litmus.Expr {
		return func(a, b litmus.Expr) litmus.Expr { return widen(binary(op, a, b), false) }
	}
	two("slt", "r", less(litmus.Slt))
	two("sltu", "r", less(litmus.Ult))
	two("slti", "s", less(litmus.Slt))
	two("sltiu", "s", less(litmus.Ult))
}

// defineShifts adds shifts of words and doublewords, by a number, by 32 more than
// one, or by the low bits of a register.
func defineShifts() {
	for name, op := range map[string]litmus.BinaryOp{"sll": litmus.Shl, "srl": litmus.Shr, "sra": litmus.Sar} {
		shift := func(bits int, count func(*instr) litmus.Expr) func(*instr) {
			return func(x *instr) {
				x.set(0, widen(binary(op, litmus.Resize(x.get(1), bits), litmus.Resize(count(x), bits)), true))
			}
		}
		register := func(mask uint64) func(*instr) litmus.Expr {
			return func(x *instr) litmus.Expr { return binary(litmus.BitAnd, x.get(2), number(mask)) }
		}
		immediate := func(x *instr) litmus.Expr { return x.immediate(2) }
		define(name, "rr5", shift(32, immediate))
		define("d"+name, "rr5", shift(64, immediate))
		define("d"+name+"32", "rr5", shift(64, func(x *instr) litmus.Expr { return number(32 + x.ops[2].imm) }))
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
	same := func(a, b litmus.Expr) litmus.Expr { return binary(litmus.Eq, a, b) }
	negative := func(a, _ litmus.Expr) litmus.Expr { return binary(litmus.Slt, a, zero) }
	positive := func(a, _ litmus.Expr) litmus.Expr { return binary(litmus.Slt, zero, a) }
	for _, c := range []struct {
		name, negated string
		registers     int
		holds         func(a, b litmus.Expr) litmus.Expr
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
func (x *instr) jump(i int, cond litmus.Expr) {
	x.Jump(x.t, x.source, cond, x.ops[i].label, x.ops[i].pos)
}
