package x86

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Conversion between the two syntaxes. People paste Intel's syntax into X86_64 tests and AT&T's into X86 tests, which
// read the other one. The lowerer reads operands of both; only their order differs. So the test is lowered with the
// operands in the other order, and each instruction is printed again from what was read, not from its text. The
// conversion counts only if the printed test lowers to the same program.

// Other is a test that is written in the syntax of the other x86 architecture.
type Other struct {
	At     litmus.Pos // the first instruction that shows it
	Syntax string     // what the test is written in: "Intel syntax"
	Wants  string     // what the test's architecture reads: "AT&T syntax"
	Text   string     // the converted test, or "" if Errors says why there is none
	Errors litmus.ErrorList
}

const (
	intelSyntax = "Intel syntax"
	attSyntax   = "AT&T syntax"
)

// OtherSyntax reports whether instructions of a test are written in the syntax that its architecture does not read, and
// converts the test. It returns false for tests of other architectures.
func OtherSyntax(t *litmus.Test) (o Other, ok bool) {
	if t.Arch != "X86" && t.Arch != "X86_64" {
		return o, false
	}
	o.Syntax, o.Wants = attSyntax, intelSyntax
	if t.Arch == "X86_64" {
		o.Syntax, o.Wants = intelSyntax, attSyntax
	}
	if o.At, ok = otherSign(t); !ok {
		return o, false
	}
	o.Text, o.Errors = convert(t)
	return o, true
}

// otherSign returns the first instruction whose operands can only be in the other syntax. For AT&T, that is an address
// in parentheses, or a number in the place of a destination; for Intel, an address in brackets with its width, or a
// number in the place of a destination. One alone is not enough if the test has instructions in its own syntax.
func otherSign(t *litmus.Test) (at litmus.Pos, ok bool) {
	own := 0
	for _, th := range t.Threads {
		for _, cell := range th.Cells {
			_, rest := cell.Labels()
			switch other, known := syntaxOf(rest, t.Arch == "X86_64"); {
			case known && other && !ok:
				at, ok = rest.Pos, true
			case known && !other:
				own++
			}
		}
	}
	return at, ok && own == 0
}

// syntaxOf reports whether an instruction of a test is in the other syntax; known is false if its operands do not tell.
func syntaxOf(cell litmus.Cell, wide bool) (other, known bool) {
	if strings.EqualFold(word(cell.Text), "LOCK") {
		cell = cell.From(len("LOCK"))
	}
	if in, ok := find(strings.ToUpper(word(cell.Text))); ok && in.operands < 0 {
		return false, false
	}
	ops := cell.From(len(word(cell.Text))).Operands()
	for _, o := range ops {
		bits, text := pointerWidth(o.Text)
		switch {
		case bits > 0 || strings.HasPrefix(text, "["):
			return wide, true
		case strings.Contains(text, "("):
			return !wide, true
		}
	}
	if len(ops) < 2 {
		return false, false
	}
	first, last := isNumber(ops[0].Text), isNumber(ops[len(ops)-1].Text)
	if first == last {
		return false, false
	}
	return first != wide, true
}

// isNumber reports whether an operand is a number, with $ or without.
func isNumber(text string) bool {
	_, err := litmus.ParseNumber(strings.TrimSpace(strings.TrimPrefix(text, "$")))
	return err == nil
}

// edit is an instruction with its text in the other syntax.
type edit struct {
	cell litmus.Cell
	text string
}

// convert returns the test in the syntax of its architecture, or the reasons why the conversion is not certain.
func convert(t *litmus.Test) (string, litmus.ErrorList) {
	own := t.Arch == "X86_64"
	text, p, errs := printAs(t, !own, own)
	if len(errs) > 0 {
		return "", errs
	}
	if again, err := litmus.Parse(t.File, text); err == nil {
		again.Processor = t.Processor
		if q, err := (Dialect{}).Lower(again); err == nil && sameProgram(p, q) {
			return text, nil
		}
	}
	return "", litmus.ErrorList{litmus.Errorf(t.Threads[0].Pos, "the conversion would change the test")}
}

// printAs lowers a test whose operands are in AT&T's order or Intel's, and prints it in one of these syntaxes.
func printAs(t *litmus.Test, fromATT, toATT bool) (text string, p *ir.Program, errs litmus.ErrorList) {
	l := newLowerer(t)
	l.att = fromATT
	var edits []edit
	l.rewrite = func(cell litmus.Cell, x *instr, in instruction) {
		if len(x.ops) == 0 {
			return
		}
		text, err := syntaxPrinter{x, in, toATT}.instruction()
		if err != nil {
			errs = append(errs, err)
			return
		}
		edits = append(edits, edit{cell, text})
	}
	p, err := l.lower()
	if errs = append(errs, litmus.Errors(err)...); len(errs) > 0 {
		return "", nil, errs.Sorted()
	}
	text, ok := rewritten(t, edits)
	if !ok {
		return "", nil, litmus.ErrorList{litmus.Errorf(t.Threads[0].Pos, "an instruction is not on one line")}
	}
	return text, p, nil
}

// rewritten returns the test's text with the edits. Without comments, the text is printed again, so that its columns
// are aligned.
func rewritten(t *litmus.Test, edits []edit) (string, bool) {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.cell.Pos.Compare(b.cell.Pos) })
	var out strings.Builder
	line := 0
	for text := range strings.Lines(t.Source) {
		line++
		at := 0
		for ; len(edits) > 0 && edits[0].cell.Pos.Line == line; edits = edits[1:] {
			e := edits[0]
			col := e.cell.Pos.Col - 1
			if col < at || col > len(text) || !strings.HasPrefix(text[col:], e.cell.Text) {
				return "", false
			}
			out.WriteString(text[at:col] + e.text)
			at = col + len(e.cell.Text)
			for grown := len(e.text) - len(e.cell.Text); grown > 0 && strings.HasPrefix(text[at:], "  "); grown-- {
				at++ // keep the column's width
			}
		}
		out.WriteString(text[at:])
	}
	if len(edits) > 0 {
		return "", false
	}
	text := out.String()
	if again, err := litmus.Parse(t.File, text); err == nil && litmus.Uncommented(text) == text {
		return litmus.Print(again), true
	}
	return text, true
}

// sameProgram reports whether two programs of one test do the same: they may differ in positions and texts only.
func sameProgram(p, q *ir.Program) bool {
	if len(p.Threads) != len(q.Threads) || p.Question != q.Question || p.Shown != q.Shown ||
		!reflect.DeepEqual(p.Locs, q.Locs) || !reflect.DeepEqual(p.Observed, q.Observed) {
		return false
	}
	for i := range p.Threads {
		if !reflect.DeepEqual(p.Threads[i].Code, q.Threads[i].Code) ||
			!reflect.DeepEqual(p.Threads[i].Regs, q.Threads[i].Regs) {
			return false
		}
	}
	return true
}

// syntaxPrinter prints an instruction in AT&T's syntax or Intel's.
type syntaxPrinter struct {
	*instr
	in  instruction
	att bool
}

func (x syntaxPrinter) instruction() (string, *litmus.Error) {
	ops := make([]string, len(x.ops))
	for i := range x.ops {
		text, err := x.operand(i)
		if err != nil {
			return "", err
		}
		ops[i] = text
	}
	name := x.mnemonic()
	if x.locked {
		name = "LOCK " + name
	}
	if x.att { // source first
		slices.Reverse(ops)
	}
	if x.wide {
		name = strings.ToLower(name)
	}
	return name + " " + strings.Join(ops, ","), nil
}

// mnemonic returns the name of the instruction, in AT&T's syntax with the letters of the widths.
func (x syntaxPrinter) mnemonic() string {
	base := x.base
	widening := strings.HasPrefix(base, "MOVZ") || strings.HasPrefix(base, "MOVS")
	switch {
	case widening && x.att:
		return base[:4] + letterOf[x.from] + letterOf[x.bits]
	case widening && x.from == 32:
		return "MOVSXD"
	case widening:
		return base[:4] + "X"
	case x.att && x.in.suffix && !x.in.jump:
		return base + letterOf[x.bits]
	}
	return base
}

// letterOf are the suffixes by width.
var letterOf = map[int]string{8: "B", 16: "W", 32: "L", 64: "Q"}

// operand prints operand i.
func (x syntaxPrinter) operand(i int) (string, *litmus.Error) {
	o := x.ops[i]
	switch o.kind {
	case registerOperand:
		text := o.reg.Print
		if x.att {
			text = "%" + text
		}
		if x.att && x.in.jump {
			text = "*" + text
		}
		return text, nil
	case labelOperand:
		return o.Text, nil
	case immediate:
		if o.sym != "" {
			return "$" + o.sym, nil
		}
		return "$" + strconv.FormatInt(int64(o.imm), 10), nil
	}
	if x.att {
		return x.attAddress(o)
	}
	return x.intelAddress(i), nil
}

// attAddress prints an address in AT&T's syntax, which has no form for a location with both a register and a number.
func (x syntaxPrinter) attAddress(o operand) (string, *litmus.Error) {
	disp := ""
	if o.disp != 0 {
		disp = strconv.FormatInt(int64(o.disp), 10)
	}
	switch {
	case o.sym != "" && o.base == nil && o.index == nil:
		return disp + "(" + o.sym + ")", nil
	case o.sym != "" && o.disp == 0:
		disp = o.sym
	case o.sym != "":
		return "", litmus.Errorf(o.Pos, "%s: the address %q has no form in AT&T syntax", x.arch, o.Text)
	}
	inside := ""
	if o.base != nil {
		inside = "%" + o.base.Print
	}
	if o.index != nil {
		inside += ",%" + o.index.Print + "," + strconv.FormatUint(o.scale, 10)
	}
	return disp + "(" + inside + ")", nil
}

// intelAddress prints the address in operand i in Intel's syntax, with its width if nothing else determines it.
func (x syntaxPrinter) intelAddress(i int) string {
	o := x.ops[i]
	var terms []string
	if o.sym != "" {
		terms = append(terms, o.sym)
	}
	if o.base != nil {
		terms = append(terms, o.base.Print)
	}
	if o.index != nil {
		terms = append(terms, o.index.Print+"*"+strconv.FormatUint(o.scale, 10))
	}
	if o.disp != 0 || len(terms) == 0 {
		terms = append(terms, strconv.FormatInt(int64(o.disp), 10))
	}
	text := "[" + strings.ReplaceAll(strings.Join(terms, "+"), "+-", "-") + "]"
	if x.needsWidth(i) {
		return widthNames[x.width(i)] + " PTR " + text
	}
	return text
}

// widthNames are Intel's words for the widths of addresses.
var widthNames = map[int]string{8: "BYTE", 16: "WORD", 32: "DWORD", 64: "QWORD"}

// needsWidth reports whether the width of the address in operand i must be written.
func (x syntaxPrinter) needsWidth(i int) bool {
	source := i == 1 && x.from != 0
	if !source && x.in.bits != 0 || x.base == "LEA" {
		return false
	}
	for j, o := range x.ops {
		if !source && o.kind == registerOperand && (j != 1 || x.from == 0) {
			return false
		}
	}
	usual := 32
	if source {
		usual = x.bits
	}
	return x.memoryBits(i, usual) != x.width(i)
}
