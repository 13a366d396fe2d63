package compile

import (
	"cmp"

	"litmuscope/litmus"
)

// ptx writes PTX as its tests have it.
type ptx struct{ gpuWords }

// placed puts work groups into CTAs, and devices into GPUs.
func (ptx) placed(_ *thread, _ int, from litmus.Thread) []int { return from.Place }

// widen uses shifts: PTX converts numbers by cvt, which its tests do not have.
func (v ptx) widen(t *thread, dst, src register, from int, signed bool) {
	t.emit("shl.b32 %s, %s, %d", v.name(dst, 32), v.name(src, 32), 32-from)
	t.emit("shr.%s %s, %[2]s, %[3]d", map[bool]string{false: "u32", true: "s32"}[signed], v.name(dst, 32), 32-from)
}

func (v ptx) compute(t *thread, op string, dst register, a, b value, _ int) {
	if len(op) > 1 && !b.fits(0, 31) {
		t.failf(t.at, "cannot compile a shift by a variable to PTX: its tests shift by a number of 0 to 31")
	}
	name := map[string]string{
		"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl.b32", ">>": "shr.u32",
		">>s": "shr.s32",
	}[op]
	t.emit("%s %s, %s, %s", name, v.name(dst, 32), v.operand(a), v.operand(b))
}

// compare sets a register to a number with all bits set if a comparison is true, or else to 0.
func (v ptx) compare(t *thread, c comparison, dst register, a, b value) {
	kind := map[bool]string{false: "s32", true: "u32"}[c.unsigned]
	t.emit("set.%s.u32.%s %s, %s, %s", c.pick("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge"), kind,
		v.name(dst, 32), v.operand(a), v.operand(b))
}

func (v ptx) test(t *thread, c comparison, dst register, a, b value, _ int) {
	v.compare(t, c, dst, a, b)
	t.emit("and %s, %[1]s, 1", v.name(dst, 32))
}

func (v ptx) branch(t *thread, c comparison, a, b value, _ int, label string) {
	if c.unsigned && c.op != "==" && c.op != "!=" {
		is := t.temp()
		v.compare(t, c, is, a, b)
		t.emit("bne %s, 0, %s", v.name(is, 32), label)
		return
	}
	t.emit("b%s %s, %s, %s", c.pick("eq", "ne", "lt", "le", "gt", "ge"), v.operand(a), v.operand(b), label)
}

func (ptx) jump(t *thread, label string) { t.emit("bra %s", label) }

// Marks are orders with scopes; an access without one is weak.

func (v ptx) load(t *thread, dst register, from memory, bits int, _ bool, mark string) {
	v.words(t, bits)
	t.emit("ld.%s %s, %s", cmp.Or(mark, "weak"), v.name(dst, 32), v.place(t, from))
}

func (v ptx) store(t *thread, x value, to memory, bits int, mark string) {
	v.words(t, bits)
	t.emit("st.%s %s, %s", cmp.Or(mark, "weak"), v.place(t, to), v.operand(x))
}

func (v ptx) atomic(t *thread, op string, dst register, x value, at memory, bits int, mark string) bool {
	v.words(t, bits)
	name := map[string]string{"=": "exch", "+": "add", "-": "add", "&": "and", "|": "or", "^": "xor"}[op]
	if op == "-" {
		x = t.negated(x, bits)
	}
	t.emit("atom.%s.%s %s, %s, %s", mark, name, v.name(t.into(dst), 32), v.place(t, at), v.operand(x))
	return true
}

func (v ptx) swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool {
	v.words(t, bits)
	t.emit("atom.%s.cas %s, %s, %s, %s", mark, v.name(dst, 32), v.place(t, at), v.operand(want), v.operand(next))
	return true
}
