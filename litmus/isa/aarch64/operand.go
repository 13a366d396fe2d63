package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// zero is the register that reads as 0 and ignores writes.
const zero = "XZR"

// register parses a register's name. W0 is the low half of X0; states print X0 for both.
func register(name string) (v lower.RegisterView, ok bool) {
	up := strings.ToUpper(name)
	if len(up) > 1 && (up[0] == 'X' || up[0] == 'W') {
		n, err := strconv.Atoi(up[1:])
		if err == nil && n >= 0 && n <= 30 && up[1] != '+' && (up[1] != '0' || len(up) == 2) {
			whole := "X" + up[1:]
			return lower.RegisterView{Whole: whole, Print: whole, Bits: 64}, true
		}
	}
	if name, _, _ := strings.Cut(up, "."); len(name) > 1 && name[0] == 'V' {
		if n, err := strconv.Atoi(name[1:]); err == nil && n >= 0 && n <= 31 && name[1] != '+' {
			return lower.RegisterView{Whole: name, Print: name, Bits: 64, Hidden: true}, true
		}
	}
	switch up {
	case stackPointer:
		return lower.RegisterView{Whole: stackPointer, Print: stackPointer, Bits: 64}, true
	case "TFSR_ELX":
		return lower.RegisterView{Whole: tagStatus, Print: tagStatus, Bits: 64}, true
	case "XZR", "WZR":
		return lower.RegisterView{Whole: zero, Print: zero, Bits: 64}, true
	case "SP", "WSP":
		return lower.RegisterView{Whole: "SP", Print: "SP", Bits: 64}, true
	case "LR":
		return lower.RegisterView{Whole: "X30", Print: "X30", Bits: 64}, true
	}
	return v, false
}

// tagStatus is the register that has 1 after a fault of an asynchronous tag check, as tests name it.
const tagStatus = "TFSR_ELx"

// reg is a register operand.
type reg struct {
	whole string
	bits  int
}

// parseReg parses a register, also a symbolic one: %a and X%a have 64 bits, W%a 32.
func (x *instr) parseReg(text string) (reg, bool) {
	bits := 64
	if text != "" && (text[0] == 'W' || text[0] == 'w') {
		bits = 32
	}
	if len(text) > 1 && text[1] == '%' && strings.IndexByte("XWxw", text[0]) >= 0 {
		text = text[1:]
	}
	v, ok := x.FindRegister(text)
	return reg{v.Whole, bits}, ok && !v.Hidden && v.Whole != tagStatus && v.Whole != stackPointer
}

// isReg reports whether operand i is a register.
func (x *instr) isReg(i int) bool {
	if i >= len(x.Ops) {
		return false
	}
	_, ok := x.parseReg(x.Ops[i].Text)
	return ok
}

// reg returns operand i, a register.
func (x *instr) reg(i int) reg {
	r, ok := x.parseReg(x.Ops[i].Text)
	if !ok {
		text := strings.ToUpper(x.Ops[i].Text)
		if text != "" && strings.IndexByte("VQDSHBZ", text[0]) >= 0 && len(text) > 1 && text[1] >= '0' &&
			text[1] <= '9' {
			x.Fail(i, "%s: this instruction has no form for vector registers here", x.Ops[i].Text)
		} else {
			x.Fail(i, "got operand %q, want a register", x.Ops[i].Text)
		}
		return reg{zero, 64}
	}
	return r
}

// regOf returns operand i, a register of the given width.
func (x *instr) regOf(i, bits int) reg {
	r := x.reg(i)
	if r.bits != bits {
		x.Fail(i, "%s has %d bits, want %d", x.Ops[i].Text, r.bits, bits)
		r.bits = bits
	}
	return r
}

// read returns a register's value, with the register's width.
func (x *instr) read(r reg) ir.Expr {
	if r.whole == zero {
		return ir.Number(0, r.bits)
	}
	return ir.Resize(x.Value(x.Reg(r.whole)), r.bits)
}

// write sets a register; writing W0 clears the upper half of X0.
func (x *instr) write(r reg, v ir.Expr) {
	if r.whole == zero {
		return
	}
	i := x.Reg(r.whole)
	if r.bits == 64 {
		x.wide[[2]int{x.Thread, i}] = true
	}
	x.Assign(i, ir.Resize(v, 64))
}

// numberBelow returns operand i, a number less than limit.
func (x *instr) numberBelow(i, limit int) int {
	v := x.Number(i)
	if v >= uint64(limit) {
		x.Fail(i, "%s is out of range: want 0 to %d", x.Ops[i].Text, limit-1)
		return 0
	}
	return int(v)
}

// flexible returns the second source of an arithmetic instruction, operand i: a number, or a register, which the next
// operand may shift or extend.
func (x *instr) flexible(i, bits int) ir.Expr {
	if name, low := strings.CutPrefix(x.Ops[i].Text, ":lo12:"); low && len(x.Ops) == i+1 {
		return ir.Resize(ir.BitAnd.Of(x.label(i, name), ir.Number(page, 64)), bits)
	}
	if !x.isReg(i) {
		v := x.Number(i)
		if len(x.Ops) > i+1 {
			v <<= x.leftShift(i+1, 64)
		}
		return ir.Number(v, bits)
	}
	r := x.reg(i)
	if len(x.Ops) == i+1 {
		if r.bits < bits {
			x.Fail(i, "%s has %d bits, want %d or an extension such as SXTW", x.Ops[i].Text, r.bits, bits)
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

// modified applies operand i, such as LSL #2 or SXTW, to v. The result has the given width.
func (x *instr) modified(i int, v ir.Expr, bits int) ir.Expr {
	out, ok := modify(x.Ops[i].Text, v, bits)
	if !ok {
		x.Fail(i, "got operand %q, want a shift such as LSL #2 or an extension such as SXTW of that register",
			x.Ops[i].Text)
		return ir.Number(0, bits)
	}
	return out
}

func modify(text string, v ir.Expr, bits int) (ir.Expr, bool) {
	name, amount := strings.ToUpper(text), uint64(0)
	at := strings.IndexAny(name, " \t#")
	if at >= 0 {
		n, ok := armasm.ParseNumber(strings.TrimSpace(name[at:]))
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
	return shiftBy(ir.Shl, ir.Widen(ir.Resize(v, e.bits), bits, e.signed), amount), true
}

func shiftBy(op ir.BinaryOp, v ir.Expr, amount uint64) ir.Expr {
	if amount == 0 {
		return v
	}
	return op.Of(v, ir.Number(amount, v.Width()))
}

func rotateRight(v ir.Expr, amount uint64) ir.Expr {
	n := uint64(v.Width())
	if amount %= n; amount == 0 {
		return v
	}
	return ir.BitOr.Of(shiftBy(ir.Shr, v, amount), shiftBy(ir.Shl, v, n-amount))
}

// leftShift parses operand i, "LSL #16".
func (x *instr) leftShift(i, limit int) uint64 {
	text := strings.ToUpper(x.Ops[i].Text)
	n, ok := armasm.ParseNumber(strings.TrimSpace(strings.TrimPrefix(text, "LSL")))
	if !strings.HasPrefix(text, "LSL") || !ok || n >= uint64(limit) {
		x.Fail(i, "got operand %q, want a shift such as LSL #16", x.Ops[i].Text)
		return 0
	}
	return n
}

// address is a memory operand: the accessed address, and the new value of the base register, or nil.
type address struct {
	at   ir.Expr
	base reg
	next ir.Expr
	pre  bool // at is next
}

// address parses the memory operand that begins with operand i. It is the last operand, except for the number of a
// post-indexed one.
func (x *instr) address(i int) address {
	text := x.Ops[i].Text
	bad := func() address {
		x.Fail(i, "got operand %q, want an address such as [X1], [X1,#4] or [X1,W2,SXTW]", text)
		return address{at: ir.Number(0, 64)}
	}
	parts, pre, ok := armasm.Brackets(text)
	base, isReg := x.parseReg(parts[0])
	if !ok || !isReg || base.bits != 64 || base.whole == zero {
		return bad()
	}
	from := x.read(base)
	a := address{at: from, base: base, pre: pre}
	if len(parts) > 1 {
		offset, ok := x.offset(parts[1:])
		if !ok {
			return bad()
		}
		if offset != nil {
			a.at = ir.Add.Of(from, offset)
		}
	}
	switch {
	case pre:
		if len(parts) != 2 {
			return bad()
		}
		a.at = x.Keep(a.at)
		a.next = a.at
	case len(x.Ops) > i+1:
		if len(parts) != 1 {
			return bad()
		}
		a.at = x.Keep(from)
		if x.isReg(i + 1) {
			a.next = x.Keep(ir.Add.Of(from, x.read(x.regOf(i+1, 64))))
		} else {
			a.next = x.Keep(ir.Add.Of(from, ir.Number(x.Number(i+1), 64)))
		}
	}
	return a
}

// offset returns the sum to add to a base register; nil for nothing.
func (x *instr) offset(parts []string) (ir.Expr, bool) {
	r, isReg := x.parseReg(parts[0])
	if !isReg {
		v, ok := armasm.ParseNumber(parts[0])
		if !ok || len(parts) != 1 {
			return nil, false
		}
		if v == 0 {
			return nil, true
		}
		return ir.Number(v, 64), true
	}
	if len(parts) == 1 {
		return x.read(r), r.bits == 64
	}
	return modify(parts[1], x.read(r), 64)
}

// plainAddress returns the memory operand of an atomic or ordered access: a register without offset.
func (x *instr) plainAddress(i int) ir.Expr {
	a := x.address(i)
	if strings.ContainsAny(x.Ops[i].Text, ",!") && !strings.HasSuffix(x.Ops[i].Text, ",#0]") {
		x.Fail(i, "got operand %q, want an address such as [X1]", x.Ops[i].Text)
	}
	return a.at
}

// advance sets the base register of a pre- or post-indexed access.
func (x *instr) advance(a address) {
	if a.next != nil {
		x.write(a.base, a.next)
	}
}
