package compile

import (
	"cmp"
	"fmt"
)

// ptx writes PTX as its tests have it: registers and locations of 32 bits, and instructions that name locations. There
// are no addresses in registers.
type ptx struct{}

func (ptx) pointerBits() int { return 32 }
func (ptx) registers() int   { return 256 }
func (ptx) absolute() bool   { return true }
func (ptx) bigEndian() bool  { return false }

func (ptx) name(r register, _ int) string       { return fmt.Sprintf("r%d", r) }
func (v ptx) shown(r register, bits int) string { return v.name(r, bits) }

// operand writes a register or a number.
func (v ptx) operand(x value) string {
	if x.number {
		return fmt.Sprint(word(x.n, 32))
	}
	return v.name(x.r, 32)
}

// words rejects accesses that are not to a word.
func (ptx) words(t *thread, bits int) {
	if bits != 32 {
		t.failf(t.at, "cannot compile an access of %d bits to PTX: its tests have locations of 32 bits", bits)
	}
}

// place returns the location of an access.
func (ptx) place(t *thread, m memory) string {
	if m.loc == "" {
		t.failf(t.at, "cannot compile an access through a pointer to PTX: its tests name locations")
	}
	return m.loc
}

func (v ptx) set(t *thread, dst register, n int64, _ int) {
	t.emit("mov %s, %d", v.name(dst, 32), word(n, 32))
}

func (ptx) point(t *thread, _ register, loc string) {
	t.failf(t.at, "cannot compile the address of %s to PTX: its tests have no addresses in registers", loc)
}

func (v ptx) move(t *thread, dst, src register, _ int) {
	t.emit("mov %s, %s", v.name(dst, 32), v.name(src, 32))
}

// widen uses shifts: PTX converts numbers by cvt, which its tests do not have.
func (v ptx) widen(t *thread, dst, src register, from int, signed bool) {
	t.emit("shl.b32 %s, %s, %d", v.name(dst, 32), v.name(src, 32), 32-from)
	t.emit("shr.%s %s, %[2]s, %[3]d", map[bool]string{false: "u32", true: "s32"}[signed], v.name(dst, 32), 32-from)
}

func (ptx) narrow(*thread, register, register) { panic("BUG: PTX has no numbers of 64 bits") }

func (ptx) show(*thread, register) {}

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

func (v ptx) depend(t *thread, r register, _ int, label string) {
	t.emit("bne %s, 0, %s", v.name(r, 32), label)
}

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

func (ptx) reserve(*thread, register, memory, int, string) { panic("BUG: PTX has no load-reserved") }

func (ptx) commit(*thread, value, memory, int, string, string) {
	panic("BUG: PTX has no store-conditional")
}
