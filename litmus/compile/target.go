package compile

import (
	"fmt"
	"math"
)

// register is the index of a register in the target's table.
type register int

// none means that there is no register for the result, because it is not used.
const none register = -1

// value is an operand of an instruction: a register or a number.
type value struct {
	number bool
	n      int64
	r      register
}

func number(n int64) value         { return value{number: true, n: n, r: none} }
func in(r register) value          { return value{r: r} }
func (v value) is(r register) bool { return !v.number && v.r == r }

// memory is the target of an access: a location, or the memory that a register points to.
type memory struct {
	loc string // "" if base has the address
	at  register
}

// target writes an architecture's instructions. It computes with 32 bits, and with 64 if its pointers have 64 bits, and
// also accesses 8 and 16 bits. The upper half of the register of a 32-bit number is undefined unless the target says
// otherwise; a narrower number is stored as one of 32 bits.
type target interface {
	pointerBits() int
	registers() int
	// absolute: accesses name locations, instead of registers with their addresses.
	absolute() bool
	bigEndian() bool
	name(r register, bits int) string  // in instructions
	shown(r register, bits int) string // in conditions and in the init block

	set(t *thread, dst register, n int64, bits int)
	point(t *thread, dst register, loc string) // to a location; only if accesses name locations
	move(t *thread, dst, src register, bits int)
	widen(t *thread, dst, src register, from int, signed bool) // 32 to 64 bits, or fewer to 32
	narrow(t *thread, dst, src register)                       // 64 to 32 bits
	// show makes outcomes show a narrowed register as a word.
	show(t *thread, r register)
	// compute sets dst to a op b: + - * & | ^ <<, >> for unsigned and >>s for signed numbers.
	compute(t *thread, op string, dst register, a, b value, bits int)
	test(t *thread, c comparison, dst register, a, b value, bits int) // to 1 or 0
	branch(t *thread, c comparison, a, b value, bits int, label string)
	jump(t *thread, label string)
	depend(t *thread, r register, bits int, label string) // a branch for any value of r

	load(t *thread, dst register, from memory, bits int, signed bool, mark string)
	store(t *thread, v value, to memory, bits int, mark string)
	// Values that atomic, swap and reserve read are zero-extended if they are narrower than a word.
	//
	// atomic is a read-modify-write by one instruction, or by what the architecture has
	// instead of a store-conditional; false if it has neither. op is = for an exchange.
	atomic(t *thread, op string, dst register, v value, at memory, bits int, mark string) bool
	// swap stores next if the memory contains want, and sets dst to the old value.
	swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool
	// reserve and commit are a load-reserved and its store-conditional, which jumps to a
	// label if it fails.
	reserve(t *thread, dst register, at memory, bits int, mark string)
	commit(t *thread, v value, at memory, bits int, mark, failed string)
}

// comparison is a relation of two numbers.
type comparison struct {
	op       string // == != < <= > >=
	unsigned bool   // for unsigned numbers, in the last four
}

// not returns the comparison that is true if c is false.
func (c comparison) not() comparison {
	c.op = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[c.op]
	return c
}

// swapped returns the comparison for swapped operands.
func (c comparison) swapped() comparison {
	c.op = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}[c.op]
	return c
}

// pick returns the word for the comparison, from those for == != < <= > >= on signed numbers, followed by those for the
// last four on unsigned numbers.
func (c comparison) pick(words ...string) string {
	for i, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
		switch {
		case c.op == op && c.unsigned && i >= 2:
			return words[i+4]
		case c.op == op:
			return words[i]
		}
	}
	panic("BUG: unknown comparison " + c.op)
}

func (t *thread) emit(format string, args ...any) {
	t.lines, t.from = append(t.lines, fmt.Sprintf(format, args...)), append(t.from, t.at.Line)
}

// reg returns a register that contains v: its own, or a temporary one.
func (t *thread) reg(v value, bits int) register {
	if !v.number {
		return v.r
	}
	r := t.temp()
	t.to.set(t, r, v.n, bits)
	return r
}

// n returns the name of a register that contains v.
func (t *thread) n(v value, bits int) string { return t.to.name(t.reg(v, bits), bits) }

// base returns the register with the address of an access.
func (t *thread) base(m memory) register {
	if m.loc == "" {
		return m.at
	}
	return t.addresses[m.loc]
}

// fits reports whether v is a number from least to most.
func (v value) fits(least, most int64) bool { return v.number && least <= v.n && v.n <= most }

// word returns n converted to a signed 32-bit number if bits is 32.
func word(n int64, bits int) int64 {
	if bits == 32 {
		return int64(int32(n))
	}
	return n
}

// tooWide rejects a number that no short sequence of instructions can load.
func (t *thread) tooWide(n int64) {
	if n < math.MinInt32 || n > math.MaxInt32 {
		t.failf(t.at, "%d does not fit in 32 bits: cannot compile larger numbers to %s", n, t.arch)
	}
}
