package riscv

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// views is every register name to what it stands for.
var views = func() map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	add := func(n int, names ...string) {
		whole := "x" + strconv.Itoa(n)
		for _, name := range append(names, whole) {
			m[name] = lower.RegisterView{Whole: whole, Print: whole, Bits: xlen}
		}
	}
	add(0, "zero")
	add(1, "ra")
	add(2, "sp")
	add(3, "gp")
	add(4, "tp")
	add(8, "s0", "fp")
	add(9, "s1")
	for i := range 3 {
		add(5+i, "t"+strconv.Itoa(i))
	}
	for i := range 8 {
		add(10+i, "a"+strconv.Itoa(i))
	}
	for i := 2; i < 12; i++ {
		add(16+i, "s"+strconv.Itoa(i))
	}
	for i := 3; i < 7; i++ {
		add(25+i, "t"+strconv.Itoa(i))
	}
	return m
}()

// register reads a register's name: x10 or a0, in either case.
func register(name string) (lower.RegisterView, bool) {
	v, ok := views[name]
	if !ok {
		v, ok = views[strings.ToLower(name)]
	}
	return v, ok
}

// x0 is the register that is always 0.
const x0 = "x0"

// operand is one operand as written. Which fields count depends on what the
// instruction wants in its place.
type operand struct {
	litmus.Word
	reg string // the whole register; of an address, its base
	imm uint64 // a number; of an address, its offset
	loc int    // a location
}

// The letters of an instruction's shape, one for each operand.
const (
	aRegister = 'r'
	aNumber   = 'i'
	aCount    = 'c' // of a shift
	anAddress = 'm' // 8(x5), (x5)
	aPointer  = 'p' // (x5), 0(x5): an address without an offset
	aLabel    = 'l'
	aLocation = 'v' // by name
	anySet    = 's' // of a fence: some of the letters i, o, r, w
)

var wanted = map[rune]string{
	aRegister: "a register", aNumber: "a number", aCount: "a number of bits to shift by",
	anAddress: "an address such as 0(x5)", aPointer: "an address such as (x5)", aLabel: "a label",
	aLocation: "a location", anySet: "some of the letters i, o, r and w",
}

// operands reads the instruction's operands, which are to have the given shape.
func (x *instr) operands(shape string, words []litmus.Word) bool {
	if x.name == "fence" && len(words) == 0 { // as the manual has it of fence alone
		all := litmus.Word{Pos: x.mnemonic.Pos, Text: "iorw"}
		words = []litmus.Word{all, all}
	}
	if len(words) != len(shape) {
		x.Failf(x.mnemonic.Pos, "%s: %s takes %s, got %d", arch, x.mnemonic.Text, count(len(shape)), len(words))
		return false
	}
	for i, kind := range shape {
		o := operand{Word: words[i]}
		if !x.read(&o, kind) {
			return false
		}
		x.ops = append(x.ops, o)
	}
	return true
}

func count(n int) string {
	switch n {
	case 0:
		return "no operands"
	case 1:
		return "one operand"
	case 2:
		return "two operands"
	}
	return "three operands"
}

// read fills in an operand of the given kind, or says what is wrong with it.
func (x *instr) read(o *operand, kind rune) bool {
	ok := false
	switch kind {
	case aRegister:
		o.reg, ok = x.whole(o.Text)
		if !ok && litmus.IsLabel(o.Text) {
			x.FailRegister(o.Pos, o.Text)
			return false
		}
	case aNumber, aCount:
		v, err := litmus.ParseNumber(o.Text)
		o.imm, ok = v, err == nil
		if limit := uint64(x.bits()); ok && kind == aCount && v >= limit {
			x.Failf(o.Pos, "%s: %s shifts by 0 to %d bits, not by %s", arch, x.mnemonic.Text, limit-1, o.Text)
			return false
		}
	case anAddress, aPointer:
		ok = x.pointer(o)
		if ok && kind == aPointer && o.imm != 0 {
			x.Failf(o.Pos, "%s: %s takes an address without an offset, got %q", arch, x.mnemonic.Text, o.Text)
			return false
		}
	case aLabel:
		ok = litmus.IsLabel(o.Text)
	case aLocation:
		_, isRegister := x.whole(o.Text)
		if ok = litmus.IsLabel(o.Text) && !isRegister; ok {
			o.loc = x.Loc(o.Text)
		}
	case anySet:
		ok = o.Text != "" && strings.Trim(strings.ToLower(o.Text), "iorw") == ""
	}
	if !ok {
		x.Failf(o.Pos, "%s: got operand %q, want %s", arch, o.Text, wanted[kind])
	}
	return ok
}

func (x *instr) whole(name string) (string, bool) {
	v, ok := x.FindRegister(name)
	return v.Whole, ok
}

// pointer reads offset(base), the offset perhaps left out.
func (x *instr) pointer(o *operand) bool {
	offset, inside, found := strings.Cut(o.Text, "(")
	base, tail, closed := strings.Cut(inside, ")")
	if !found || !closed || tail != "" {
		return false
	}
	if offset = strings.TrimSpace(offset); offset != "" {
		v, err := litmus.ParseNumber(offset)
		if err != nil {
			return false
		}
		o.imm = v
	}
	var ok bool
	o.reg, ok = x.whole(strings.TrimSpace(base))
	return ok
}
