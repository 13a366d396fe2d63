package compile

import "fmt"

// x86 writes 64-bit instructions in AT&T syntax. rax and rcx are reserved for CMPXCHG and shifts.
type x86 struct{}

var x86Registers = []struct{ byte, word, long, quad string }{
	{"bl", "bx", "ebx", "rbx"},
	{"dl", "dx", "edx", "rdx"},
	{"sil", "si", "esi", "rsi"},
	{"dil", "di", "edi", "rdi"},
	{"r8b", "r8w", "r8d", "r8"},
	{"r9b", "r9w", "r9d", "r9"},
	{"r10b", "r10w", "r10d", "r10"},
	{"r11b", "r11w", "r11d", "r11"},
	{"r12b", "r12w", "r12d", "r12"},
	{"r13b", "r13w", "r13d", "r13"},
	{"r14b", "r14w", "r14d", "r14"},
	{"r15b", "r15w", "r15d", "r15"},
}

func (x86) pointerBits() int { return 64 }
func (x86) registers() int   { return len(x86Registers) }
func (x86) absolute() bool   { return true }
func (x86) bigEndian() bool  { return false }

func (x x86) name(r register, bits int) string { return "%" + x.shown(r, bits) }

func (x86) shown(r register, bits int) string {
	names := x86Registers[r%register(len(x86Registers))] // finish rejects a thread that needs too many
	switch bits {
	case 8:
		return names.byte
	case 16:
		return names.word
	case 32:
		return names.long
	}
	return names.quad
}

func (x86) letter(bits int) string { return map[int]string{8: "b", 16: "w", 32: "l", 64: "q"}[bits] }

func (x86) accumulator(bits int) string {
	return map[int]string{8: "%al", 16: "%ax", 32: "%eax", 64: "%rax"}[bits]
}

// source returns v as an operand of an instruction: a number of 32 bits, or a register.
func (x x86) source(t *thread, v value, bits int) string {
	if v.number {
		if n := word(v.n, bits); n == int64(int32(n)) {
			return fmt.Sprintf("$%d", n)
		}
	}
	return t.n(v, bits)
}

func (x86) place(t *thread, m memory) string {
	if m.loc != "" {
		return "(" + m.loc + ")"
	}
	return "(" + t.to.name(m.at, 64) + ")"
}

func (x x86) set(t *thread, dst register, n int64, bits int) {
	bits = max(bits, 32)
	if n = word(n, bits); n != int64(int32(n)) {
		t.emit("movabs $%d,%s", n, x.name(dst, 64))
		return
	}
	t.emit("mov%s $%d,%s", x.letter(bits), n, x.name(dst, bits))
}

func (x x86) point(t *thread, dst register, loc string) { t.emit("leaq (%s),%s", loc, x.name(dst, 64)) }

func (x x86) move(t *thread, dst, src register, bits int) {
	t.emit("mov%s %s,%s", x.letter(bits), x.name(src, bits), x.name(dst, bits))
}

func (x x86) widen(t *thread, dst, src register, from int, signed bool) {
	switch {
	case from < 32:
		t.emit("%s %s,%s", x.extend(from, signed), x.name(src, from), x.name(dst, 32))
	case signed:
		t.emit("movslq %s,%s", x.name(src, 32), x.name(dst, 64))
	default:
		x.move(t, dst, src, 32)
	}
}

// extend returns the mnemonic that extends a narrower number to a word.
func (x x86) extend(from int, signed bool) string {
	return fmt.Sprintf("mov%s%sl", map[bool]string{false: "z", true: "s"}[signed], x.letter(from))
}

func (x x86) narrow(t *thread, dst, src register) { x.move(t, dst, src, 32) }

func (x86) show(*thread, register) {}

// compute needs the first operand in the destination, because instructions have two operands. Shifts by a register use
// rcx.
func (x x86) compute(t *thread, op string, dst register, a, b value, bits int) {
	to, letter := dst, x.letter(bits)
	if b.is(dst) && !a.is(dst) { // the result overwrites the first operand
		to = t.temp()
	}
	count := ""
	if len(op) > 1 && !b.number {
		count = "%cl"
		t.emit("movl %s,%%ecx", x.name(b.r, 32))
	}
	if !a.is(to) {
		t.copy(to, a, bits)
	}
	name := map[string]string{
		"+": "add", "-": "sub", "*": "imul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr", ">>s": "sar",
	}[op]
	if count == "" {
		if op == "*" && b.number { // there is no form with a number and a single register
			b = in(t.reg(b, bits))
		}
		count = x.source(t, b, bits)
	}
	t.emit("%s%s %s,%s", name, letter, count, x.name(to, bits))
	if to != dst {
		x.move(t, dst, to, bits)
	}
}

func (x x86) compare(t *thread, a, b value, bits int) {
	second := x.source(t, b, bits)
	t.emit("cmp%s %s,%s", x.letter(bits), second, t.n(a, bits))
}

func (c comparison) x86Code() string {
	return c.pick("e", "ne", "l", "le", "g", "ge", "b", "be", "a", "ae")
}

func (x x86) test(t *thread, c comparison, dst register, a, b value, bits int) {
	x.compare(t, a, b, bits)
	t.emit("set%s %s", c.x86Code(), x.name(dst, 8))
	t.emit("movzbl %s,%s", x.name(dst, 8), x.name(dst, 32))
}

func (x x86) branch(t *thread, c comparison, a, b value, bits int, label string) {
	x.compare(t, a, b, bits)
	t.emit("j%s %s", c.x86Code(), label)
}

func (x86) jump(t *thread, label string) { t.emit("jmp %s", label) }

func (x86) depend(*thread, register, int, string) { panic("BUG: x86 needs no dependencies") }

func (x x86) load(t *thread, dst register, from memory, bits int, signed bool, _ string) {
	if bits < 32 {
		t.emit("%s %s,%s", x.extend(bits, signed), x.place(t, from), x.name(dst, 32))
		return
	}
	t.emit("mov%s %s,%s", x.letter(bits), x.place(t, from), x.name(dst, bits))
}

// store writes an exchange for a store that is marked so.
func (x x86) store(t *thread, v value, to memory, bits int, mark string) {
	if mark == "xchg" {
		x.atomic(t, "=", none, v, to, bits, "")
		return
	}
	source := x.source(t, v, bits)
	t.emit("mov%s %s,%s", x.letter(bits), source, x.place(t, to))
}

// clearUpper clears the upper bits of a register after a write to its lower bits.
func (x x86) clearUpper(t *thread, r register, bits int) {
	if bits < 32 {
		x.widen(t, r, r, bits, false)
	}
}

// atomic writes XCHG, XADD, or a locked instruction if the old value is not used; otherwise a loop around CMPXCHG.
func (x x86) atomic(t *thread, op string, dst register, v value, at memory, bits int, _ string) bool {
	letter, place := x.letter(bits), x.place(t, at)
	name := map[string]string{"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor"}[op]
	switch {
	case op == "=":
		old := t.into(dst)
		t.copy(old, v, max(bits, 32))
		t.emit("xchg%s %s,%s", letter, x.name(old, bits), place)
		if dst != none {
			x.clearUpper(t, old, bits)
		}
	case dst == none:
		source := x.source(t, v, bits)
		t.emit("lock %s%s %s,%s", name, letter, source, place)
	case op == "+" || op == "-":
		if op == "-" {
			v = t.negated(v, bits)
		}
		t.copy(dst, v, max(bits, 32))
		t.emit("lock xadd%s %s,%s", letter, x.name(dst, bits), place)
		x.clearUpper(t, dst, bits)
	default: // no instruction returns the old value
		again := t.label()
		next := t.temp()
		operand := x.source(t, v, bits)
		t.emit("mov%s %s,%s", letter, place, x.accumulator(bits))
		t.emit("%s:", again)
		t.emit("mov%s %s,%s", letter, x.accumulator(bits), x.name(next, bits))
		t.emit("%s%s %s,%s", name, letter, operand, x.name(next, bits))
		t.emit("lock cmpxchg%s %s,%s", letter, x.name(next, bits), place)
		t.emit("jne %s", again)
		x.result(t, dst, bits)
	}
	return true
}

func (x x86) swap(t *thread, dst register, want, next value, at memory, bits int, _ string) bool {
	letter, new := x.letter(bits), t.n(next, bits)
	t.emit("mov%s %s,%s", letter, x.source(t, want, bits), x.accumulator(bits))
	t.emit("lock cmpxchg%s %s,%s", letter, new, x.place(t, at))
	x.result(t, dst, bits)
	return true
}

// result copies the value that CMPXCHG has found.
func (x x86) result(t *thread, dst register, bits int) {
	if bits < 32 {
		t.emit("%s %s,%s", x.extend(bits, false), x.accumulator(bits), x.name(dst, 32))
		return
	}
	t.emit("mov%s %s,%s", x.letter(bits), x.accumulator(bits), x.name(dst, bits))
}

func (x86) reserve(*thread, register, memory, int, string) { panic("BUG: x86 reserves nothing") }

func (x86) commit(*thread, value, memory, int, string, string) { panic("BUG: x86 reserves nothing") }
