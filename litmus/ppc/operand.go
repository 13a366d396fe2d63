package ppc

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
)

// operand is one operand, read.
type operand struct {
	pos   litmus.Pos
	text  string
	reg   string // a register, or the base of an address
	imm   uint64 // a number, the displacement of an address, or a condition field
	label string
}

// The operands of an instruction are described by a letter each. One in upper case
// may be left out, for 0.
//
//	r  a register
//	b  a register, or 0: the number
//	m  an address, displacement(base)
//	s  a signed number of 16 bits
//	u  an unsigned number of 16 bits
//	h  the upper half of a word: a number of 16 bits, signed or not
//	5  a number from 0 to 31
//	6  a number from 0 to 63
//	c  a field of the condition register
//	l  a label
func (x *instr) operands(shape string, words []litmus.Word) bool {
	if len(words) < len(shape) && strings.HasPrefix(shape, "C") {
		x.ops = append(x.ops, operand{})
		shape = shape[1:]
	}
	if len(words) != len(shape) {
		x.Failf(x.pos, "PPC: %s takes %s, got %d", x.name, litmus.OperandCount(len(shape)), len(words))
		return false
	}
	for i, w := range words {
		o := operand{pos: w.Pos, text: w.Text}
		want := o.read(x, shape[i])
		if want != "" {
			x.Failf(o.pos, "PPC: %s wants %s here, got %q", x.name, want, o.text)
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
	isNumber := func(text string, least, most int64) bool {
		v, err := litmus.ParseNumber(text)
		o.imm = v
		return err == nil && least <= int64(v) && int64(v) <= most
	}
	switch kind {
	case 'r':
		if !isRegister(o.text) {
			return "a register"
		}
	case 'b':
		if o.text == "0" {
			o.reg = "r0" // which stands for the number where a base is wanted
		} else if !isRegister(o.text) {
			return "a register or 0"
		}
	case 'm':
		front, rest, ok := strings.Cut(o.text, "(")
		base, closed := strings.CutSuffix(rest, ")")
		front = strings.TrimSpace(front)
		if !ok || !closed || !isRegister(strings.TrimSpace(base)) || front != "" && !isNumber(front, -1<<15, 1<<15-1) {
			return "an address such as 0(r1), with a number of 16 bits in front,"
		}
	case 'C', 'c':
		lower := strings.ToLower(o.text)
		if len(lower) != 3 || !strings.HasPrefix(lower, "cr") || !isNumber(lower[2:], 0, 7) {
			return "a condition field from cr0 to cr7"
		}
	case 'l':
		if o.label = o.text; !litmus.IsLabel(o.label) {
			return "a label"
		}
	default:
		r := ranges[kind]
		if !isNumber(o.text, r[0], r[1]) {
			return fmt.Sprintf("a number from %d to %d", r[0], r[1])
		}
	}
	return ""
}

// ranges bounds the numbers of each kind of operand.
var ranges = map[byte][2]int64{
	's': {-1 << 15, 1<<15 - 1},
	'u': {0, 1<<16 - 1},
	'h': {-1 << 15, 1<<16 - 1},
	'5': {0, 31},
	'6': {0, 63},
}
