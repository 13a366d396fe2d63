package arm

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// index returns the thread's index of the register with a name.
func (x *instr) index(text string) (int, bool) {
	v, ok := x.FindRegister(text)
	if !ok {
		return 0, false
	}
	return x.Reg(v.Whole), true
}

// reg returns operand i, a register.
func (x *instr) reg(i int) int {
	if v, ok := x.FindRegister(x.Ops[i].Text); ok && v.Whole == "R15" {
		x.Fail(i, "the program counter is not supported as an operand")
		return 0
	}
	r, ok := x.index(x.Ops[i].Text)
	if !ok {
		x.Fail(i, "got operand %q, want a register", x.Ops[i].Text)
	}
	return r
}

func (x *instr) read(i int) ir.Expr { return x.Value(x.reg(i)) }

// flexible returns the last source of an arithmetic instruction, operand i: a number, or a register, which the next
// operand may shift.
func (x *instr) flexible(i int) ir.Expr {
	r, ok := x.index(x.Ops[i].Text)
	if !ok {
		if len(x.Ops) > i+1 {
			x.Fail(i+1, "got operand %q after a number", x.Ops[i+1].Text)
		}
		return constant(x.Number(i))
	}
	v := x.Value(r)
	if len(x.Ops) > i+1 {
		if v, ok = x.shifted(x.Ops[i+1].Text, v); !ok {
			x.Fail(i+1, "got operand %q, want a shift such as LSL #2", x.Ops[i+1].Text)
			return constant(0)
		}
	}
	return v
}

var shifts = map[string]func(x *instr, v, count ir.Expr) ir.Expr{
	"LSL": func(_ *instr, v, count ir.Expr) ir.Expr { return ir.Shl.Of(v, count) },
	"LSR": func(_ *instr, v, count ir.Expr) ir.Expr { return ir.Shr.Of(v, count) },
	"ASR": func(_ *instr, v, count ir.Expr) ir.Expr { return ir.Sar.Of(v, count) },
	"ROR": func(x *instr, v, count ir.Expr) ir.Expr { return x.Rotate(v, count) },
}

// shifted applies "LSL #2" or "LSL R3" to v.
func (x *instr) shifted(text string, v ir.Expr) (ir.Expr, bool) {
	name, amount, _ := strings.Cut(strings.ReplaceAll(text, "#", " #"), " ")
	op, ok := shifts[strings.ToUpper(name)]
	if !ok {
		return nil, false
	}
	amount = strings.TrimSpace(amount)
	if r, isReg := x.index(amount); isReg {
		return op(x, v, ir.BitAnd.Of(x.Value(r), constant(0xff))), true
	}
	n, ok := armasm.ParseNumber(amount)
	most := uint64(word)
	if strings.EqualFold(name, "LSL") || strings.EqualFold(name, "ROR") {
		most--
	}
	return op(x, v, constant(n)), ok && n <= most
}

// address is a memory operand: the accessed address, and the new value of the base register, or nil.
type address struct {
	at   ir.Expr
	base int
	next ir.Expr
}

// address parses [R1], [R1,#4], [R1,R2], [R1,R2,LSL #2], one of them followed by !, or [R1] with a number or a register
// as the next operand.
func (x *instr) address(i int) address {
	text := x.Ops[i].Text
	bad := func() address {
		x.Fail(i, "got operand %q, want an address such as [R1], [R1,#4] or [R1,R2]", text)
		return address{at: constant(0)}
	}
	parts, pre, ok := armasm.Brackets(text)
	base, isReg := x.index(parts[0])
	if !ok || !isReg {
		return bad()
	}
	from := x.Value(base)
	offset, ok := x.offset(parts[1:])
	if !ok {
		return bad()
	}
	a := address{at: from, base: base}
	if offset != nil {
		a.at = ir.Add.Of(from, offset)
	}
	switch {
	case pre:
		a.at = x.Keep(a.at)
		a.next = a.at
	case len(x.Ops) > i+1:
		if len(parts) > 1 {
			return bad()
		}
		a.at = x.Keep(from)
		a.next = x.Keep(ir.Add.Of(from, x.flexible(i+1)))
	}
	return a
}

// offset returns the sum to add to a base register; nil for nothing.
func (x *instr) offset(parts []string) (ir.Expr, bool) {
	if len(parts) == 0 {
		return nil, true
	}
	r, isReg := x.index(parts[0])
	if !isReg {
		v, ok := armasm.ParseNumber(parts[0])
		return constant(v), ok && len(parts) == 1
	}
	v := x.Value(r)
	if len(parts) == 1 {
		return v, true
	}
	return x.shifted(parts[1], v)
}

// advance sets the base register of a pre- or post-indexed access.
func (x *instr) advance(a address) {
	if a.next != nil {
		x.Assign(a.base, a.next)
	}
}
