package compile

import (
	"fmt"
	"math"
)

// ppc writes Power's instructions. Registers start at r1, because r0 in an address means 0.
type ppc struct{}

func (ppc) pointerBits() int { return 64 }
func (ppc) registers() int   { return 31 }
func (ppc) absolute() bool   { return false }
func (ppc) bigEndian() bool  { return true }

func (ppc) name(r register, _ int) string       { return fmt.Sprintf("r%d", r+1) }
func (p ppc) shown(r register, bits int) string { return p.name(r, bits) }

// letter is the end of a mnemonic for a width.
func (ppc) letter(bits int) string { return map[int]string{8: "b", 16: "h", 32: "w", 64: "d"}[bits] }

func (p ppc) set(t *thread, dst register, n int64, bits int) {
	n = word(n, bits)
	t.tooWide(n)
	name := p.name(dst, bits)
	if -1<<15 <= n && n < 1<<15 {
		t.emit("li %s,%d", name, n)
		return
	}
	t.emit("lis %s,%d", name, n>>16)
	if n&0xffff != 0 {
		t.emit("ori %[1]s,%[1]s,%[2]d", name, n&0xffff)
	}
}

func (ppc) point(*thread, register, string) { panic("BUG: addresses come in registers") }

func (p ppc) move(t *thread, dst, src register, bits int) {
	t.emit("mr %s,%s", p.name(dst, bits), p.name(src, bits))
}

func (p ppc) widen(t *thread, dst, src register, from int, signed bool) {
	if signed {
		t.emit("exts%s %s,%s", p.letter(from), p.name(dst, 64), p.name(src, 32))
	} else {
		t.emit("clrldi %s,%s,%d", p.name(dst, 64), p.name(src, 32), 64-from)
	}
}

func (p ppc) narrow(t *thread, dst, src register) { p.widen(t, dst, src, 32, true) }

// show sign-extends a word, so that states show a doubleword as a word.
func (p ppc) show(t *thread, r register) { p.widen(t, r, r, 32, true) }

func (p ppc) compute(t *thread, op string, dst register, x, y value, bits int) {
	to, letter := p.name(dst, bits), p.letter(bits)
	switch {
	case op == "+" && y.fits(-1<<15, 1<<15-1):
		t.emit("addi %s,%s,%d", to, t.n(x, bits), y.n)
		return
	case op == "-" && y.fits(-1<<15+1, 1<<15):
		t.emit("addi %s,%s,%d", to, t.n(x, bits), -y.n)
		return
	case (op == "|" || op == "^") && y.fits(0, 1<<16-1):
		t.emit("%s %s,%s,%d", map[string]string{"|": "ori", "^": "xori"}[op], to, t.n(x, bits), y.n)
		return
	}
	name := map[string]string{
		"+": "add", "-": "sub", "*": "mull" + letter, "&": "and", "|": "or", "^": "xor",
		"<<": "sl" + letter, ">>": "sr" + letter, ">>s": "sra" + letter,
	}[op]
	if len(op) > 1 && y.fits(0, int64(bits)-1) {
		t.emit("%si %s,%s,%d", name, to, t.n(x, bits), y.n)
		return
	}
	first := t.n(x, bits)
	t.emit("%s %s,%s,%s", name, to, first, t.n(y, bits))
}

// test computes the result without branches, as compilers do. Two numbers differ if their exclusive or, or its
// negation, is negative. The first is less if their difference is negative, computed with enough bits.
func (p ppc) test(t *thread, c comparison, dst register, x, y value, bits int) {
	sign := t.temp()
	name := p.name(sign, 64)
	switch c.op {
	case "==", "!=":
		different := t.reg(x, bits)
		if !y.fits(0, 0) {
			p.compute(t, "^", sign, x, y, bits)
			different = sign
		}
		if bits == 32 {
			p.widen(t, sign, different, 32, false)
			t.emit("neg %[1]s,%[1]s", name)
		} else {
			negative := p.name(t.temp(), 64)
			t.emit("neg %s,%s", negative, p.name(different, 64))
			t.emit("or %s,%s,%s", name, p.name(different, 64), negative)
		}
		c.op = map[string]string{"!=": "<", "==": ">="}[c.op]
	default:
		if c.op == ">" || c.op == "<=" {
			x, y, c = y, x, c.swapped()
		}
		if bits == 64 {
			t.failf(t.at, "PPC compares 64-bit numbers for less only in a branch: write an if")
		}
		other := t.temp()
		for _, side := range []struct {
			to register
			v  value
		}{{sign, x}, {other, y}} {
			if side.v.fits(0, math.MaxInt32) {
				p.set(t, side.to, side.v.n, 64)
			} else {
				p.widen(t, side.to, t.reg(side.v, 32), 32, !c.unsigned)
			}
		}
		t.emit("sub %[1]s,%[1]s,%[2]s", name, p.name(other, 64))
	}
	t.emit("srdi %s,%s,63", p.name(dst, 64), name)
	if c.op == ">=" {
		t.emit("xori %[1]s,%[1]s,1", p.name(dst, 64))
	}
}

func (p ppc) branch(t *thread, c comparison, x, y value, bits int, label string) {
	letter := p.letter(bits)
	least, most := int64(-1<<15), int64(1<<15-1)
	if c.unsigned && c.op != "==" && c.op != "!=" {
		letter, least, most = "l"+letter, 0, 1<<16-1
	}
	if y.fits(least, most) {
		t.emit("cmp%si %s,%d", letter, t.n(x, bits), y.n)
	} else {
		first := t.n(x, bits)
		t.emit("cmp%s %s,%s", letter, first, t.n(y, bits))
	}
	t.emit("b%s %s", c.pick("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge"), label)
}

func (ppc) jump(t *thread, label string) { t.emit("b %s", label) }

func (p ppc) depend(t *thread, r register, bits int, label string) {
	t.emit("cmpw %[1]s,%[1]s", p.name(r, bits))
	t.emit("beq %s", label)
}

func (p ppc) load(t *thread, dst register, from memory, bits int, signed bool, _ string) {
	name := map[int]string{8: "lbz", 16: "lhz", 32: "lwz", 64: "ld"}[bits]
	if bits == 16 && signed {
		name = "lha"
	}
	t.emit("%s %s,0(%s)", name, p.name(dst, bits), p.name(t.base(from), 64))
	if bits == 8 && signed { // no load extends the sign of a byte
		p.widen(t, dst, dst, 8, true)
	}
}

func (p ppc) store(t *thread, v value, to memory, bits int, _ string) {
	t.emit("st%s %s,0(%s)", p.letter(bits), t.n(v, bits), p.name(t.base(to), 64))
}

func (ppc) atomic(*thread, string, register, value, memory, int, string) bool { return false }

func (ppc) swap(*thread, register, value, value, memory, int, string) bool { return false }

func (p ppc) reserve(t *thread, dst register, at memory, bits int, _ string) {
	t.emit("l%sarx %s,r0,%s", p.letter(bits), p.name(dst, bits), p.name(t.base(at), 64))
}

func (p ppc) commit(t *thread, v value, at memory, bits int, _, failed string) {
	t.emit("st%scx. %s,r0,%s", p.letter(bits), t.n(v, bits), p.name(t.base(at), 64))
	t.emit("bne %s", failed)
}
