package mips

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// operand is one operand, read.
type operand struct {
	pos   litmus.Pos
	text  string
	reg   string // a register, or the base of an address
	imm   uint64 // a number, or the displacement of an address
	label string
}

// operands reads what an instruction works on, described by a letter each:
//
//	r  a register
//	m  an address, displacement(base)
//	s  a number of 16 bits, its sign extended
//	u  a number of 16 bits, extended with zeros
//	w  a number of 32 bits, signed or not, as li takes it
//	5  a number from 0 to 31
//	z  a number from 1 to 32
//	l  a label
func (x *instr) operands(shape string, words []litmus.Word) bool {
	if len(words) != len(shape) {
		x.Failf(x.pos, "MIPS: %s takes %s, got %d", x.name, litmus.OperandCount(len(shape)), len(words))
		return false
	}
	for i, w := range words {
		o := operand{pos: w.Pos, text: w.Text}
		if want := o.read(x, shape[i]); want != "" {
			x.Failf(o.pos, "MIPS: %s wants %s here, got %q", x.name, want, o.text)
			return false
		}
		x.ops = append(x.ops, o)
	}
	return true
}

// read reads an operand of a kind, and says what was wanted if it is none.
func (o *operand) read(x *instr, kind byte) (want string) {
	isRegister := func(name string) bool {
		v, ok := x.FindRegister(name)
		o.reg = v.Whole
		return ok
	}
	isNumber := func(text string, r [2]int64) bool {
		v, err := litmus.ParseNumber(text)
		o.imm = v
		return err == nil && r[0] <= int64(v) && int64(v) <= r[1]
	}
	switch kind {
	case 'r':
		if !isRegister(o.text) {
			return "a register"
		}
	case 'm':
		front, rest, ok := strings.Cut(o.text, "(")
		base, closed := strings.CutSuffix(rest, ")")
		front = strings.TrimSpace(front)
		if !ok || !closed || !isRegister(strings.TrimSpace(base)) || front != "" && !isNumber(front, [2]int64{-1 << 15, 1<<15 - 1}) {
			return "an address such as 0($4), with a number of 16 bits in front,"
		}
	case 'l':
		if o.label = o.text; !litmus.IsLabel(o.label) {
			return "a label"
		}
	default:
		r := ranges[kind]
		if !isNumber(o.text, r) {
			return fmt.Sprintf("a number from %d to %d", r[0], r[1])
		}
		switch kind {
		case 's': // the field's bits may be written as they are, 0xffff for -1
			o.imm = ir.SignExtend(o.imm&ir.Mask(16), 16)
		case 'w':
			o.imm = ir.SignExtend(o.imm&ir.Mask(32), 32)
		}
	}
	return ""
}

// ranges bounds the numbers of each kind of operand.
var ranges = map[byte][2]int64{
	's': {-1 << 15, 1<<16 - 1},
	'u': {0, 1<<16 - 1},
	'w': {-1 << 31, 1<<32 - 1},
	'5': {0, 31},
	'z': {1, 32},
}
