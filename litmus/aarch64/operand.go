package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// zero is the register that reads as 0 and forgets what is written to it.
const zero = "XZR"

// register reads a register's name. W0 is the low half of X0; states print X0 for
// both.
func register(name string) (v lower.RegisterView, ok bool) {
	up := strings.ToUpper(name)
	if len(up) > 1 && (up[0] == 'X' || up[0] == 'W') {
		n, err := strconv.Atoi(up[1:])
		if err == nil && n >= 0 && n <= 30 && up[1] != '+' && (up[1] != '0' || len(up) == 2) {
			whole := "X" + up[1:]
			return lower.RegisterView{Whole: whole, Print: whole, Bits: 64}, true
		}
	}
	switch up {
	case "XZR", "WZR":
		return lower.RegisterView{Whole: zero, Print: zero, Bits: 64}, true
	case "SP", "WSP":
		return lower.RegisterView{Whole: "SP", Print: "SP", Bits: 64}, true
	case "LR":
		return lower.RegisterView{Whole: "X30", Print: "X30", Bits: 64}, true
	}
	return v, false
}

// reg is a register operand.
type reg struct {
	whole string
	bits  int
}

// parseReg reads a register, a symbolic one too: %a and X%a have 64 bits, W%a 32.
func (x *instr) parseReg(text string) (reg, bool) {
	bits := 64
	if text != "" && (text[0] == 'W' || text[0] == 'w') {
		bits = 32
	}
	if len(text) > 1 && text[1] == '%' && strings.IndexByte("XWxw", text[0]) >= 0 {
		text = text[1:]
	}
	v, ok := x.FindRegister(text)
	return reg{v.Whole, bits}, ok
}

// isReg tells whether operand i is a register.
func (x *instr) isReg(i int) bool {
	if i >= len(x.ops) {
		return false
	}
	_, ok := x.parseReg(x.ops[i].Text)
	return ok
}

// reg is operand i, a register.
func (x *instr) reg(i int) reg {
	r, ok := x.parseReg(x.ops[i].Text)
	if !ok {
		text := strings.ToUpper(x.ops[i].Text)
		if text != "" && strings.IndexByte("VQDSHBZ", text[0]) >= 0 && len(text) > 1 && text[1] >= '0' && text[1] <= '9' {
			x.fail(i, "%s: vector registers are out of scope", x.ops[i].Text)
		} else {
			x.fail(i, "got operand %q, want a register", x.ops[i].Text)
		}
		return reg{zero, 64}
	}
	return r
}

// regOf is operand i, a register of the given width.
func (x *instr) regOf(i, bits int) reg {
	r := x.reg(i)
	if r.bits != bits {
		x.fail(i, "%s has %d bits, want %d", x.ops[i].Text, r.bits, bits)
		r.bits = bits
	}
	return r
}

// read is a register's value, as wide as it.
func (x *instr) read(r reg) ir.Expr {
	if r.whole == zero {
		return constant(0, r.bits)
	}
	return ir.Resize(ir.Reg{Index: x.Reg(x.t, r.whole), Bits: 64}, r.bits)
}

// write sets a register; writing W0 clears the upper half of X0.
func (x *instr) write(r reg, v ir.Expr) {
	if r.whole == zero {
		return
	}
	if r.bits == 64 {
		x.wide[place{x.t, r.whole}] = true
	}
	x.emit(ir.Assign{Dst: x.Reg(x.t, r.whole), Value: ir.Resize(v, 64)})
}

// number reads "#5", or 5.
func (x *instr) number(i int) uint64 {
	v, ok := parseNumber(x.ops[i].Text)
	if !ok {
		x.fail(i, "got operand %q, want a number such as #1", x.ops[i].Text)
	}
	return v
}

func parseNumber(text string) (uint64, bool) {
	v, err := litmus.ParseNumber(strings.TrimSpace(strings.TrimPrefix(text, "#")))
	return v, err == nil
}

// numberBelow is operand i, a number less than limit.
func (x *instr) numberBelow(i, limit int) int {
	v := x.number(i)
	if v >= uint64(limit) {
		x.fail(i, "%s is out of range: want 0 to %d", x.ops[i].Text, limit-1)
		return 0
	}
	return int(v)
}

// flexible is the second source of an arithmetic instruction, operand i: a number,
// or a register that is shifted or extended if one more operand follows.
func (x *instr) flexible(i, bits int) ir.Expr {
	if !x.isReg(i) {
		v := x.number(i)
		if len(x.ops) > i+1 {
			v <<= x.leftShift(i+1, 64)
		}
		return constant(v, bits)
	}
	r := x.reg(i)
	if len(x.ops) == i+1 {
		if r.bits < bits {
			x.fail(i, "%s has %d bits, want %d or an extension such as SXTW", x.ops[i].Text, r.bits, bits)
		}
		return ir.Resize(x.read(x.regOf(i, bits)), bits)
	}
	return x.modified(i+1, x.read(r), bits)
}

// shifts are the shifts that a register operand may carry.
var shifts = map[string]ir.BinaryOp{"LSL": ir.Shl, "LSR": ir.Shr, "ASR": ir.Sar}

// extensions are the widths and signs of the extensions a register operand may carry.
var extensions = map[string]struct {
	bits   int
	signed bool
}{
	"UXTB": {8, false}, "UXTH": {16, false}, "UXTW": {32, false}, "UXTX": {64, false},
	"SXTB": {8, true}, "SXTH": {16, true}, "SXTW": {32, true}, "SXTX": {64, true},
}

// modified applies operand i, such as LSL #2 or SXTW, to v, with a result of the
// given width.
func (x *instr) modified(i int, v ir.Expr, bits int) ir.Expr {
	out, ok := modify(x.ops[i].Text, v, bits)
	if !ok {
		x.fail(i, "got operand %q, want a shift such as LSL #2 or an extension such as SXTW of that register", x.ops[i].Text)
		return constant(0, bits)
	}
	return out
}

func modify(text string, v ir.Expr, bits int) (ir.Expr, bool) {
	name, amount := strings.ToUpper(text), uint64(0)
	at := strings.IndexAny(name, " \t#")
	if at >= 0 {
		n, ok := parseNumber(strings.TrimSpace(name[at:]))
		if !ok || n >= uint64(bits) {
			return nil, false
		}
		name, amount = name[:at], n
	}
	if op, ok := shifts[name]; ok {
		if v.Width() != bits || at < 0 {
			return nil, false
		}
		return shiftBy(op, v, amount), true
	}
	if name == "ROR" {
		return rotateRight(v, amount), v.Width() == bits
	}
	e, ok := extensions[name]
	if !ok || e.bits > v.Width() || amount > 4 {
		return nil, false
	}
	return shiftBy(ir.Shl, extend(ir.Resize(v, e.bits), bits, e.signed), amount), true
}

func shiftBy(op ir.BinaryOp, v ir.Expr, amount uint64) ir.Expr {
	if amount == 0 {
		return v
	}
	return binary(op, v, constant(amount, v.Width()))
}

func rotateRight(v ir.Expr, amount uint64) ir.Expr {
	n := uint64(v.Width())
	if amount %= n; amount == 0 {
		return v
	}
	return binary(ir.BitOr, shiftBy(ir.Shr, v, amount), shiftBy(ir.Shl, v, n-amount))
}

// leftShift reads operand i, "LSL #16".
func (x *instr) leftShift(i, limit int) uint64 {
	text := strings.ToUpper(x.ops[i].Text)
	n, ok := parseNumber(strings.TrimSpace(strings.TrimPrefix(text, "LSL")))
	if !strings.HasPrefix(text, "LSL") || !ok || n >= uint64(limit) {
		x.fail(i, "got operand %q, want a shift such as LSL #16", x.ops[i].Text)
		return 0
	}
	return n
}

// address is a memory operand: what is accessed, and the value that the base register
// has afterwards, or nil.
type address struct {
	at   ir.Expr
	base reg
	next ir.Expr
}

// address reads the memory operand from operand i on, the last one but for the number
// of a post-indexed one.
func (x *instr) address(i int) address {
	text := x.ops[i].Text
	inside, closed := strings.CutSuffix(text, "]")
	pre := false
	if !closed {
		inside, pre = strings.CutSuffix(text, "]!")
	}
	inside, opened := strings.CutPrefix(inside, "[")
	bad := func() address {
		x.fail(i, "got operand %q, want an address such as [X1], [X1,#4] or [X1,W2,SXTW]", text)
		return address{at: constant(0, 64)}
	}
	parts := strings.Split(inside, ",")
	for k := range parts {
		parts[k] = strings.TrimSpace(parts[k])
	}
	base, ok := x.parseReg(parts[0])
	if !opened || !(closed || pre) || !ok || base.bits != 64 || base.whole == zero || len(parts) > 3 {
		return bad()
	}
	from := x.read(base)
	a := address{at: from, base: base}
	if len(parts) > 1 {
		offset, ok := x.offset(parts[1:])
		if !ok {
			return bad()
		}
		if offset != nil {
			a.at = binary(ir.Add, from, offset)
		}
	}
	switch {
	case pre:
		if len(parts) != 2 {
			return bad()
		}
		a.at = x.keep(a.at)
		a.next = a.at
	case len(x.ops) > i+1:
		if len(parts) != 1 {
			return bad()
		}
		a.at = x.keep(from)
		if x.isReg(i + 1) {
			a.next = x.keep(binary(ir.Add, from, x.read(x.regOf(i+1, 64))))
		} else {
			a.next = x.keep(binary(ir.Add, from, constant(x.number(i+1), 64)))
		}
	}
	return a
}

// offset is what is added to a base register; nil for nothing.
func (x *instr) offset(parts []string) (ir.Expr, bool) {
	r, isReg := x.parseReg(parts[0])
	if !isReg {
		v, ok := parseNumber(parts[0])
		if !ok || len(parts) != 1 {
			return nil, false
		}
		if v == 0 {
			return nil, true
		}
		return constant(v, 64), true
	}
	if len(parts) == 1 {
		return x.read(r), r.bits == 64
	}
	return modify(parts[1], x.read(r), 64)
}

// plainAddress is a memory operand of an atomic or ordered access: a register alone.
func (x *instr) plainAddress(i int) ir.Expr {
	a := x.address(i)
	if strings.ContainsAny(x.ops[i].Text, ",!") && !strings.HasSuffix(x.ops[i].Text, ",#0]") {
		x.fail(i, "got operand %q, want an address such as [X1]", x.ops[i].Text)
	}
	return a.at
}

// advance gives the base register of a pre- or post-indexed access its new value.
func (x *instr) advance(a address) {
	if a.next != nil {
		x.write(a.base, a.next)
	}
}
