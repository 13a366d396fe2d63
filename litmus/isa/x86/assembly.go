package x86

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// Names are the texts of [Assembly] for what the instructions of a test name.
type Names struct {
	// Register returns the text for a register or a part of one, by the thread's index.
	Register func(thread int, v lower.RegisterView) string
	// Location returns the text of a register with the address of a location. With narrow, the register has 32 bits.
	Location func(thread int, name string, narrow bool) string
	// Label returns the text of a label of the thread; "" is the thread's end.
	Label func(thread int, name string) string
}

// Assembly returns the instructions of a test in AT&T syntax for 64-bit code, whatever the test's own syntax and width
// are, by their place. Instructions of 32-bit tests keep their width. Their addresses have 32 bits, except that of a
// location without registers. An error says which instruction has no such form.
func Assembly(t *litmus.Test, names Names) (map[litmus.Pos]string, litmus.ErrorList) {
	l := newLowerer(t)
	out := map[litmus.Pos]string{}
	var errs litmus.ErrorList
	l.rewrite = func(cell litmus.Cell, x *instr, in instruction) {
		text, err := assemblyPrinter{syntaxPrinter{x, in, true}, names}.instruction()
		if err != nil {
			errs = append(errs, err)
		}
		out[cell.Pos] = text
	}
	if _, err := l.lower(); err != nil {
		errs = append(errs, litmus.Errors(err)...)
	}
	return out, errs.Sorted()
}

// assemblyPrinter prints an instruction for an assembler.
type assemblyPrinter struct {
	syntaxPrinter
	names Names
}

// attNames are the names in AT&T syntax of instructions without operands whose Intel names differ.
var attNames = map[string]string{"CWDE": "cwtl", "CDQE": "cltq", "CDQ": "cltd", "CQO": "cqto"}

func (x assemblyPrinter) instruction() (string, *litmus.Error) {
	name := strings.ToLower(x.mnemonic())
	switch {
	case x.base == "RET", x.base == "RETQ": // the thread's end
		return "jmp " + x.names.Label(x.Thread, ""), nil
	case attNames[x.base] != "":
		return attNames[x.base], nil
	}
	if x.locked {
		name = "lock " + name
	}
	ops := make([]string, len(x.ops))
	for i := range x.ops {
		text, err := x.operand(i)
		if err != nil {
			return "", err
		}
		ops[i] = text
	}
	slices.Reverse(ops)
	return strings.TrimSpace(name + " " + strings.Join(ops, ",")), nil
}

// operand prints operand i.
func (x assemblyPrinter) operand(i int) (string, *litmus.Error) {
	o := x.ops[i]
	switch {
	case o.kind == registerOperand && x.in.jump, o.kind == immediate && o.sym != "" && x.HasLabel(o.sym):
		return "", litmus.Errorf(o.Pos, "%s: %s is the address of an instruction: hw runs tests that use labels in "+
			"jumps only", x.arch, o.Text)
	case o.kind == registerOperand:
		return x.names.Register(x.Thread, o.reg), nil
	case o.kind == labelOperand:
		return x.names.Label(x.Thread, o.Text), nil
	case o.kind == immediate && o.sym != "":
		return x.names.Location(x.Thread, o.sym, x.width(i) == 32), nil
	case o.kind == immediate:
		return "$" + strconv.FormatInt(int64(o.imm), 10), nil
	}
	return x.address(o)
}

// address prints a memory operand: DISPLACEMENT(BASE,INDEX,SCALE). A location's address is in a register, which takes
// the place of the base or the index.
func (x assemblyPrinter) address(o operand) (string, *litmus.Error) {
	var registers []string
	if o.sym != "" {
		narrow := !x.wide && (o.base != nil || o.index != nil)
		registers = append(registers, x.names.Location(x.Thread, o.sym, narrow))
	}
	if o.base != nil {
		registers = append(registers, x.names.Register(x.Thread, *o.base))
	}
	scale := ""
	if o.index != nil {
		if len(registers) == 0 {
			registers = append(registers, "")
		}
		registers = append(registers, x.names.Register(x.Thread, *o.index))
		scale = "," + strconv.FormatUint(o.scale, 10)
	}
	if len(registers) > 2 {
		return "", litmus.Errorf(o.Pos, "%s: the address %q has a location and two registers, for which hw has no form",
			x.arch, o.Text)
	}
	displacement := ""
	if o.disp != 0 || len(registers) == 0 {
		displacement = strconv.FormatInt(int64(o.disp), 10)
	}
	if len(registers) == 0 {
		return displacement, nil
	}
	return displacement + "(" + strings.Join(registers, ",") + scale + ")", nil
}
