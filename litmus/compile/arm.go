package compile

import "fmt"

// arm writes the 32-bit instructions of Armv7.
type arm struct{}

func (arm) pointerBits() int { return 32 }
func (arm) registers() int   { return 13 }
func (arm) absolute() bool   { return false }
func (arm) bigEndian() bool  { return false }

func (arm) name(r register, _ int) string    { return fmt.Sprintf("R%d", r) }
func (a arm) shown(r register, _ int) string { return a.name(r, 32) }

func (a arm) set(t *thread, dst register, n int64, _ int) {
	n = word(n, 32)
	switch name := a.name(dst, 32); {
	case 0 <= n && n < 256:
		t.emit("MOV %s,#%d", name, n)
	case -256 <= n && n < 0:
		t.emit("MVN %s,#%d", name, ^n)
	default:
		t.emit("MOVW %s,#%d", name, n&0xffff)
		if half := n >> 16 & 0xffff; half != 0 {
			t.emit("MOVT %s,#%d", name, half)
		}
	}
}

func (arm) point(*thread, register, string) { panic("BUG: addresses come in registers") }

func (a arm) move(t *thread, dst, src register, _ int) {
	t.emit("MOV %s,%s", a.name(dst, 32), a.name(src, 32))
}

func (a arm) widen(t *thread, dst, src register, from int, signed bool) {
	if from == 32 {
		panic("BUG: Armv7 has no 64 bits")
	}
	t.emit("%s%s %s,%s", map[bool]string{false: "UXT", true: "SXT"}[signed], narrower(from), a.name(dst, 32),
		a.name(src, 32))
}

func (arm) narrow(*thread, register, register) { panic("BUG: Armv7 has no 64 bits") }

func (arm) show(*thread, register) {}

func (a arm) compute(t *thread, op string, dst register, x, y value, _ int) {
	name := map[string]string{
		"+": "ADD", "-": "SUB", "*": "MUL", "&": "AND", "|": "ORR", "^": "EOR", "<<": "LSL", ">>": "LSR", ">>s": "ASR",
	}[op]
	if shift := len(op) > 1; op != "*" && y.fits(0, map[bool]int64{false: 255, true: 31}[shift]) &&
		!(shift && y.n == 0) {
		t.emit("%s %s,%s,#%d", name, a.name(dst, 32), t.n(x, 32), y.n)
		return
	}
	first := t.n(x, 32)
	t.emit("%s %s,%s,%s", name, a.name(dst, 32), first, t.n(y, 32))
}

func (a arm) compare(t *thread, x, y value) {
	if y.fits(0, 255) {
		t.emit("CMP %s,#%d", t.n(x, 32), y.n)
		return
	}
	first := t.n(x, 32)
	t.emit("CMP %s,%s", first, t.n(y, 32))
}

func (a arm) test(t *thread, c comparison, dst register, x, y value, _ int) {
	a.compare(t, x, y)
	t.emit("MOV %s,#0", a.name(dst, 32))
	t.emit("MOV%s %s,#1", c.armCode(), a.name(dst, 32))
}

func (a arm) branch(t *thread, c comparison, x, y value, _ int, label string) {
	a.compare(t, x, y)
	t.emit("B%s %s", c.armCode(), label)
}

func (arm) jump(t *thread, label string) { t.emit("B %s", label) }

func (a arm) depend(t *thread, r register, _ int, label string) {
	t.emit("CMP %[1]s,%[1]s", a.name(r, 32))
	t.emit("BNE %s", label)
}

func (a arm) load(t *thread, dst register, from memory, bits int, signed bool, _ string) {
	name := "LDR"
	if signed && bits < 32 {
		name += "S"
	}
	t.emit("%s%s %s,[%s]", name, narrower(bits), a.name(dst, 32), a.name(t.base(from), 32))
}

func (a arm) store(t *thread, v value, to memory, bits int, _ string) {
	t.emit("STR%s %s,[%s]", narrower(bits), t.n(v, 32), a.name(t.base(to), 32))
}

func (arm) atomic(*thread, string, register, value, memory, int, string) bool { return false }

func (arm) swap(*thread, register, value, value, memory, int, string) bool { return false }

func (a arm) reserve(t *thread, dst register, at memory, bits int, _ string) {
	t.emit("LDREX%s %s,[%s]", narrower(bits), a.name(dst, 32), a.name(t.base(at), 32))
}

func (a arm) commit(t *thread, v value, at memory, bits int, _, failed string) {
	status := t.temp()
	t.emit("STREX%s %s,%s,[%s]", narrower(bits), a.name(status, 32), t.n(v, 32), a.name(t.base(at), 32))
	t.emit("CMP %s,#0", a.name(status, 32))
	t.emit("BNE %s", failed)
}
