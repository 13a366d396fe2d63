package compile

import (
	"fmt"
	"math"
)

// register counts a thread's registers, in the order of its target's table.
type register int

// none is no register: nobody wants the result.
const none register = -1

// value is what an instruction takes: a register, or a number.
type value struct {
	number bool
	n      int64
	r      register
}

func number(n int64) value         { return value{number: true, n: n, r: none} }
func in(r register) value          { return value{r: r} }
func (v value) is(r register) bool { return !v.number && v.r == r }

// memory is where an access goes: a location, or what a register points to.
type memory struct {
	loc string // "" where base has the address
	at  register
}

// target writes an architecture's instructions. It computes in 32 and 64 bits, where its pointers
// have as many, and accesses 8 and 16, too. A number of 32 bits may have anything in the upper half of its
// register, unless the target says otherwise; a narrower one is one of 32 bits.
type target interface {
	pointerBits() int
	registers() int
	// absolute: accesses name locations, rather than registers with their addresses.
	absolute() bool
	bigEndian() bool
	name(r register, bits int) string  // in instructions
	shown(r register, bits int) string // in conditions and in the init block

	set(t *thread, dst register, n int64, bits int)
	point(t *thread, dst register, loc string) // to a location; where accesses name them
	move(t *thread, dst, src register, bits int)
	widen(t *thread, dst, src register, from int, signed bool) // 32 to 64 bits, or fewer to 32
	narrow(t *thread, dst, src register)                       // 64 to 32 bits
	// show has a register that was narrowed show as a word in the end.
	show(t *thread, r register)
	// compute sets dst to a op b: + - * & | ^ <<, and >> or, for what has a sign, >>s.
	compute(t *thread, op string, dst register, a, b value, bits int)
	test(t *thread, c comparison, dst register, a, b value, bits int) // to 1 or 0
	branch(t *thread, c comparison, a, b value, bits int, label string)
	jump(t *thread, label string)
	depend(t *thread, r register, bits int, label string) // branches, whatever r is

	load(t *thread, dst register, from memory, bits int, signed bool, mark string)
	store(t *thread, v value, to memory, bits int, mark string)
	// What atomic, swap and reserve read is without a sign, where it is narrower than a word.
	//
	// atomic is a read-modify-write by one instruction, or by whatever the architecture has
	// in place of a store-conditional; false where it has neither. op is = for an exchange.
	atomic(t *thread, op string, dst register, v value, at memory, bits int, mark string) bool
	// swap stores next where want is found; dst is what was.
	swap(t *thread, dst register, want, next value, at memory, bits int, mark string) bool
	// reserve and commit are a load-reserved and its store-conditional, which goes to a
	// label where it fails.
	reserve(t *thread, dst register, at memory, bits int, mark string)
	commit(t *thread, v value, at memory, bits int, mark, failed string)
}

// comparison is a relation of two numbers.
type comparison struct {
	op       string // == != < <= > >=
	unsigned bool   // of what has no sign, for the last four
}

// not is the comparison that holds where c does not.
func (c comparison) not() comparison {
	c.op = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[c.op]
	return c
}

// turned is the comparison of the operands in the other order.
func (c comparison) turned() comparison {
	c.op = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}[c.op]
	return c
}

// pick gives the comparison's word out of those for == != < <= > >= with a sign, then for
// the last four without.
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

// reg is a register that holds v: its own, or a temporary.
func (t *thread) reg(v value, bits int) register {
	if !v.number {
		return v.r
	}
	r := t.temp()
	t.to.set(t, r, v.n, bits)
	return r
}

// n is the name of a register that holds v.
func (t *thread) n(v value, bits int) string { return t.to.name(t.reg(v, bits), bits) }

// base is the register with the address of what is accessed.
func (t *thread) base(m memory) register {
	if m.loc == "" {
		return m.at
	}
	return t.addresses[m.loc]
}

// fits tells whether v is a number from least to most.
func (v value) fits(least, most int64) bool { return v.number && least <= v.n && v.n <= most }

// word is n as the 32 bits of it are read with a sign.
func word(n int64, bits int) int64 {
	if bits == 32 {
		return int64(int32(n))
	}
	return n
}

// tooWide refuses a number that no short sequence of instructions makes.
func (t *thread) tooWide(n int64) {
	if n < math.MinInt32 || n > math.MaxInt32 {
		t.failf(t.at, "%d does not fit in 32 bits: cannot compile larger numbers to %s", n, t.arch)
	}
}
