package compile

import (
	"cmp"
	"math"

	"litmuscope/litmus"
)

// vulkan writes Vulkan's tests. Their storage class 0 is OpenCL's global memory, and 1 is local memory. An access that
// is not atomic is not private, so that releases make it available and acquires make it visible.
type vulkan struct{ gpuWords }

// placed keeps work groups, and puts each thread into a subgroup of its own. The device is the test's only one.
func (vulkan) placed(t *thread, n int, from litmus.Thread) []int {
	group, device := from.Place[0], from.Place[1]
	if device != t.source.Threads[0].Place[1] {
		t.failf(from.Pos, "cannot compile a test of several devices to VULKAN: its memory model is that of one device")
	}
	return []int{n, group, 0}
}

func (v vulkan) widen(t *thread, _, _ register, from int, _ bool) {
	t.failf(t.at, "cannot compile a number of %d bits to VULKAN: its tests have registers of 32 bits", from)
}

func (v vulkan) compute(t *thread, op string, dst register, a, b value, _ int) {
	switch name := map[string]string{"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}[op]; {
	case name != "":
		t.emit("%s %s, %s, %s", name, v.name(dst, 32), v.operand(a), v.operand(b))
	case op == "<<" && b.fits(0, 31):
		t.emit("mul %s, %s, %d", v.name(dst, 32), v.operand(a), word(1<<b.n, 32))
	default:
		t.failf(t.at, "cannot compile this shift to VULKAN: its tests have no instruction for it")
	}
}

// signed returns operands whose comparison as signed numbers is c on a and b.
func (v vulkan) signed(t *thread, c comparison, a, b value) (value, value) {
	if !c.unsigned || c.op == "==" || c.op == "!=" {
		return a, b
	}
	flip := func(x value) value {
		if x.number {
			return number(int64(int32(x.n) ^ math.MinInt32))
		}
		r := t.temp()
		t.emit("xor %s, %s, %d", v.name(r, 32), v.name(x.r, 32), math.MinInt32)
		return in(r)
	}
	return flip(a), flip(b)
}

func (v vulkan) test(t *thread, c comparison, dst register, a, b value, _ int) {
	a, b = v.signed(t, c, a, b)
	into, over := dst, t.label()
	if a.is(dst) || b.is(dst) {
		into = t.temp()
	}
	t.emit("mov %s, 1", v.name(into, 32))
	v.branch(t, comparison{op: c.op}, a, b, 32, over)
	t.emit("mov %s, 0", v.name(into, 32))
	t.mark(over)
	if into != dst {
		t.emit("mov %s, %s", v.name(dst, 32), v.name(into, 32))
	}
}

func (v vulkan) branch(t *thread, c comparison, a, b value, _ int, label string) {
	a, b = v.signed(t, c, a, b)
	t.emit("b%s %s, %s, %s", c.pick("eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge"), v.operand(a),
		v.operand(b), label)
}

func (vulkan) jump(t *thread, label string) { t.emit("goto %s", label) }

// Marks are the parts of a mnemonic behind its name; an access without one is not atomic.

// plain returns the parts of an access that is not atomic.
func (vulkan) plain(t *thread, at memory) string { return "nonpriv.sc" + t.region(at)[0] }

func (v vulkan) load(t *thread, dst register, from memory, bits int, _ bool, mark string) {
	v.words(t, bits)
	t.emit("ld.%s %s, %s", cmp.Or(mark, v.plain(t, from)), v.name(dst, 32), v.place(t, from))
}

func (v vulkan) store(t *thread, x value, to memory, bits int, mark string) {
	v.words(t, bits)
	t.emit("st.%s %s, %s", cmp.Or(mark, v.plain(t, to)), v.place(t, to), v.operand(x))
}

func (v vulkan) atomic(t *thread, op string, dst register, x value, at memory, bits int, mark string) bool {
	v.words(t, bits)
	name := map[string]string{"=": "exch", "+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor"}[op]
	t.emit("rmw.%s.%s %s, %s, %s", mark, name, v.name(t.into(dst), 32), v.place(t, at), v.operand(x))
	return true
}

func (v vulkan) swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool {
	v.words(t, bits)
	t.emit("rmw.%s.cas %s, %s, %s, %s", mark, v.name(dst, 32), v.place(t, at), v.operand(want),
		v.operand(next))
	return true
}
