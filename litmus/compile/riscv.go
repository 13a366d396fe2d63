package compile

import "fmt"

// riscv writes RV64's instructions: the base, the A extension and, for bytes and half words, Zbb, Zabha and Zacas. A
// 32-bit number is sign-extended in its register, as in the calling convention.
type riscv struct {
	amo bool // use single instructions for read-modify-writes
}

func (riscv) pointerBits() int { return 64 }
func (riscv) registers() int   { return 27 }
func (riscv) absolute() bool   { return false }
func (riscv) bigEndian() bool  { return false }

func (riscv) name(r register, _ int) string       { return fmt.Sprintf("x%d", r+5) }
func (v riscv) shown(r register, bits int) string { return v.name(r, bits) }

func (riscv) letter(bits int) string { return map[int]string{8: "b", 16: "h", 32: "w", 64: "d"}[bits] }

// suffix is the end of a mnemonic for arithmetic on words.
func (riscv) suffix(bits int) string { return map[int]string{32: "w"}[bits] }

func (v riscv) set(t *thread, dst register, n int64, bits int) {
	n = word(n, bits)
	t.tooWide(n)
	t.emit("li %s,%d", v.name(dst, bits), n)
}

func (riscv) point(*thread, register, string) { panic("BUG: addresses come in registers") }

func (v riscv) move(t *thread, dst, src register, bits int) {
	t.emit("mv %s,%s", v.name(dst, bits), v.name(src, bits))
}

func (v riscv) widen(t *thread, dst, src register, from int, signed bool) {
	switch {
	case !signed:
		t.emit("zext.%s %s,%s", v.letter(from), v.name(dst, 64), v.name(src, 32))
	case from == 32:
		v.move(t, dst, src, 64)
	default:
		t.emit("sext.%s %s,%s", v.letter(from), v.name(dst, 64), v.name(src, 32))
	}
}

// operand returns the name of a register that contains x: x0 for 0.
func (v riscv) operand(t *thread, x value, bits int) string {
	if x.fits(0, 0) {
		return "x0"
	}
	return t.n(x, bits)
}

func (v riscv) narrow(t *thread, dst, src register) {
	t.emit("sext.w %s,%s", v.name(dst, 32), v.name(src, 64))
}

func (riscv) show(*thread, register) {}

func (v riscv) compute(t *thread, op string, dst register, x, y value, bits int) {
	to, suffix := v.name(dst, bits), v.suffix(bits)
	if op == "-" && y.fits(-2047, 2048) {
		op, y = "+", number(-y.n)
	}
	name := map[string]string{
		"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "sll", ">>": "srl", ">>s": "sra",
	}[op]
	logic := op == "&" || op == "|" || op == "^"
	if logic {
		suffix = ""
	}
	if (op == "+" || logic) && y.fits(-2048, 2047) || len(op) > 1 && y.fits(0, int64(bits)-1) {
		t.emit("%si%s %s,%s,%d", name, suffix, to, v.operand(t, x, bits), y.n)
		return
	}
	first := v.operand(t, x, bits)
	t.emit("%s%s %s,%s,%s", name, suffix, to, first, v.operand(t, y, bits))
}

func (v riscv) test(t *thread, c comparison, dst register, x, y value, bits int) {
	to := v.name(dst, bits)
	switch c.op {
	case "==", "!=":
		different := dst
		if y.fits(0, 0) {
			different = t.reg(x, bits)
		} else {
			v.compute(t, "^", dst, x, y, bits)
		}
		t.emit("%s %s,%s", c.pick("seqz", "snez"), to, v.name(different, bits))
		return
	case ">", "<=":
		x, y, c = y, x, c.swapped()
	}
	first := v.operand(t, x, bits)
	name := map[bool]string{false: "slt", true: "sltu"}[c.unsigned]
	t.emit("%s %s,%s,%s", name, to, first, v.operand(t, y, bits))
	if c.op == ">=" {
		t.emit("xori %[1]s,%[1]s,1", to)
	}
}

func (v riscv) branch(t *thread, c comparison, x, y value, bits int, label string) {
	first := v.operand(t, x, bits)
	name := c.pick("beq", "bne", "blt", "ble", "bgt", "bge", "bltu", "bleu", "bgtu", "bgeu")
	t.emit("%s %s,%s,%s", name, first, v.operand(t, y, bits), label)
}

func (riscv) jump(t *thread, label string) { t.emit("j %s", label) }

func (v riscv) depend(t *thread, r register, bits int, label string) {
	t.emit("bne %s,x0,%s", v.name(r, bits), label)
}

func (v riscv) load(t *thread, dst register, from memory, bits int, signed bool, _ string) {
	letter := v.letter(bits)
	if bits < 32 && !signed {
		letter += "u"
	}
	t.emit("l%s %s,0(%s)", letter, v.name(dst, bits), v.name(t.base(from), 64))
}

func (v riscv) store(t *thread, x value, to memory, bits int, _ string) {
	t.emit("s%s %s,0(%s)", v.letter(bits), v.operand(t, x, bits), v.name(t.base(to), 64))
}

func (v riscv) atomic(t *thread, op string, dst register, x value, at memory, bits int, mark string) bool {
	if !v.amo {
		return false
	}
	name := map[string]string{"=": "swap", "+": "add", "-": "add", "&": "and", "|": "or", "^": "xor"}[op]
	if op == "-" {
		x = t.negated(x, bits)
	}
	dst = t.into(dst)
	t.emit("amo%s.%s%s %s,%s,(%s)", name, v.letter(bits), mark, v.name(dst, bits), v.operand(t, x, bits),
		v.name(t.base(at), 64))
	if bits < 32 {
		v.widen(t, dst, dst, bits, false)
	}
	return true
}

// swap uses an instruction if no load-reserved has the width.
func (v riscv) swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool {
	if !v.amo || bits >= 32 {
		return false
	}
	new := v.operand(t, next, bits)
	t.copy(dst, want, bits)
	t.emit("amocas.%s%s %s,%s,(%s)", v.letter(bits), mark, v.name(dst, bits), new, v.name(t.base(at), 64))
	v.widen(t, dst, dst, bits, false)
	return true
}

func (v riscv) reserve(t *thread, dst register, at memory, bits int, mark string) {
	if bits < 32 {
		t.failf(t.at, "lr and sc have no form for %d bits: use the variant amo, which has instructions for them "+
			"(Zabha, Zacas)",
			bits)
	}
	t.emit("lr.%s%s %s,(%s)", v.letter(bits), mark, v.name(dst, bits), v.name(t.base(at), 64))
}

func (v riscv) commit(t *thread, x value, at memory, bits int, mark, failed string) {
	status := v.name(t.temp(), 32)
	t.emit("sc.%s%s %s,%s,(%s)", v.letter(bits), mark, status, v.operand(t, x, bits), v.name(t.base(at), 64))
	t.emit("bnez %s,%s", status, failed)
}
