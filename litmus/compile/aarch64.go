package compile

import "fmt"

// aarch64 writes Arm's 64-bit instructions.
type aarch64 struct {
	lse bool // read-modify-writes by one instruction
}

func (aarch64) pointerBits() int { return 64 }
func (aarch64) registers() int   { return 31 }
func (aarch64) absolute() bool   { return false }
func (aarch64) bigEndian() bool  { return false }

func (aarch64) name(r register, bits int) string {
	return fmt.Sprintf("%c%d", map[bool]byte{false: 'W', true: 'X'}[bits == 64], r)
}

func (aarch64) shown(r register, _ int) string { return fmt.Sprintf("X%d", r) }

func (a aarch64) set(t *thread, dst register, n int64, bits int) {
	n = word(n, bits)
	name := a.name(dst, bits)
	if -1<<16 <= n && n < 1<<16 {
		t.emit("MOV %s,#%d", name, n)
		return
	}
	t.emit("MOVZ %s,#%d", name, n&0xffff)
	for shift := 16; shift < bits; shift += 16 {
		if half := n >> shift & 0xffff; half != 0 {
			t.emit("MOVK %s,#%d,LSL #%d", name, half, shift)
		}
	}
}

func (aarch64) point(*thread, register, string) { panic("BUG: addresses come in registers") }

func (a aarch64) move(t *thread, dst, src register, bits int) {
	t.emit("MOV %s,%s", a.name(dst, bits), a.name(src, bits))
}

func (a aarch64) widen(t *thread, dst, src register, from int, signed bool) {
	switch {
	case from < 32:
		t.emit("%s%s %s,%s", map[bool]string{false: "UXT", true: "SXT"}[signed], narrower(from), a.name(dst, 32),
			a.name(src, 32))
	case signed:
		t.emit("SXTW %s,%s", a.name(dst, 64), a.name(src, 32))
	default:
		a.move(t, dst, src, 32)
	}
}

// narrower ends the mnemonics of Arm's accesses of a byte and of half a word.
func narrower(bits int) string { return map[int]string{8: "B", 16: "H"}[bits] }

func (a aarch64) narrow(t *thread, dst, src register) { a.move(t, dst, src, 32) }

func (aarch64) show(*thread, register) {}

func (a aarch64) compute(t *thread, op string, dst register, x, y value, bits int) {
	name := map[string]string{
		"+": "ADD", "-": "SUB", "*": "MUL", "&": "AND", "|": "ORR", "^": "EOR", "<<": "LSL", ">>": "LSR", ">>s": "ASR",
	}[op]
	immediate := (op == "+" || op == "-") && y.fits(0, 4095) || op[0] != '+' && len(op) > 1 && y.fits(0, int64(bits)-1)
	if immediate {
		t.emit("%s %s,%s,#%d", name, a.name(dst, bits), t.n(x, bits), y.n)
		return
	}
	first := t.n(x, bits)
	t.emit("%s %s,%s,%s", name, a.name(dst, bits), first, t.n(y, bits))
}

func (a aarch64) compare(t *thread, x, y value, bits int) {
	if y.fits(0, 4095) {
		t.emit("CMP %s,#%d", t.n(x, bits), y.n)
		return
	}
	first := t.n(x, bits)
	t.emit("CMP %s,%s", first, t.n(y, bits))
}

func (c comparison) armCode() string {
	return c.pick("EQ", "NE", "LT", "LE", "GT", "GE", "LO", "LS", "HI", "HS")
}

func (a aarch64) test(t *thread, c comparison, dst register, x, y value, bits int) {
	a.compare(t, x, y, bits)
	t.emit("CSET %s,%s", a.name(dst, 32), c.armCode())
}

func (a aarch64) branch(t *thread, c comparison, x, y value, bits int, label string) {
	if y.fits(0, 0) && (c.op == "==" || c.op == "!=") {
		t.emit("%s %s,%s", c.pick("CBZ", "CBNZ"), t.n(x, bits), label)
		return
	}
	a.compare(t, x, y, bits)
	t.emit("B.%s %s", c.armCode(), label)
}

func (aarch64) jump(t *thread, label string) { t.emit("B %s", label) }

func (a aarch64) depend(t *thread, r register, bits int, label string) {
	t.emit("CBNZ %s,%s", a.name(r, bits), label)
}

func (a aarch64) load(t *thread, dst register, from memory, bits int, signed bool, mark string) {
	name := map[string]string{"": "LDR", "A": "LDAR", "Q": "LDAPR"}[mark]
	signed = signed && bits < 32
	if signed && mark == "" {
		name += "S"
	}
	t.emit("%s%s %s,[%s]", name, narrower(bits), a.name(dst, bits), a.name(t.base(from), 64))
	if signed && mark != "" { // no acquire load extends the sign
		a.widen(t, dst, dst, bits, true)
	}
}

func (a aarch64) store(t *thread, v value, to memory, bits int, mark string) {
	name := map[string]string{"": "STR", "L": "STLR"}[mark]
	t.emit("%s%s %s,[%s]", name, narrower(bits), t.n(v, bits), a.name(t.base(to), 64))
}

// atomic always returns the old value in a register: without one, LDADDA and its like would not be acquires.
func (a aarch64) atomic(t *thread, op string, dst register, v value, at memory, bits int, mark string) bool {
	if !a.lse {
		return false
	}
	name := map[string]string{"=": "SWP", "+": "LDADD", "|": "LDSET", "^": "LDEOR"}[op]
	switch op {
	case "-":
		name, v = "LDADD", t.negated(v, bits)
	case "&":
		name, v = "LDCLR", t.inverted(v, bits)
	}
	t.emit("%s%s%s %s,%s,[%s]", name, mark, narrower(bits), t.n(v, bits), a.name(t.into(dst), bits),
		a.name(t.base(at), 64))
	return true
}

func (a aarch64) swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool {
	if !a.lse {
		return false
	}
	new := t.n(next, bits)
	t.copy(dst, want, bits)
	t.emit("CAS%s%s %s,%s,[%s]", mark, narrower(bits), a.name(dst, bits), new, a.name(t.base(at), 64))
	return true
}

func (a aarch64) reserve(t *thread, dst register, at memory, bits int, mark string) {
	t.emit("LD%sXR%s %s,[%s]", mark, narrower(bits), a.name(dst, bits), a.name(t.base(at), 64))
}

func (a aarch64) commit(t *thread, v value, at memory, bits int, mark, failed string) {
	status := t.temp()
	t.emit("ST%sXR%s %s,%s,[%s]", mark, narrower(bits), a.name(status, 32), t.n(v, bits), a.name(t.base(at), 64))
	t.emit("CBNZ %s,%s", a.name(status, 32), failed)
}
