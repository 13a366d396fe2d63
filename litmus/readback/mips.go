package readback

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus/listing"
)

// mips reads 64-bit MIPS instructions with the n64 calling convention. Addresses of objects come from the GOT, whose
// pointer a function computes from its own address in $25.
//
// Code is written with .set noreorder: the instruction after a branch is in its delay slot, and runs whether or not
// the branch is taken. The test has it before the branch; if it sets a register that the branch reads, the test has a
// copy of that register. Branches of tests have no delay slot. After .set reorder, a listing's branches have none,
// either: the assembler fills it. A branch-likely runs its delay slot only if it is taken.
var mips = Machine{
	Arch: "MIPS", Names: []string{"mips", "mips64", "mips64el"}, Title: "MIPS, 64 bits",
	Triples: []string{"mips64", "mipsisa64"}, Clang: "mips64el-linux-gnuabi64",
	syntax: listing.MIPS, pointer: 64, stack: "$29",
	spare:     append(strings.Fields("$24 $23 $22 $21 $20 $19 $18 $17 $16 $15 $14 $13 $12"), symbolics()...),
	arguments: strings.Fields("$4 $5 $6 $7 $8 $9 $10 $11"),
	register:  mipsRegister,
	move:      func(to, from string, _ int) string { return "move " + to + "," + from },
	translate: translateBy(mipsGrammar), cells: true, directive: mipsDirective,
	oneWidth: "MIPS tests do not support accesses of mixed size",
}

// mipsUses are names of registers that compilers print beside numbers.
var mipsUses = map[string]string{
	"$zero": "$0", "$at": "$1", "$gp": "$28", "$sp": "$29", "$fp": "$30", "$s8": "$30", "$ra": "$31", "$t9": "$25",
	"$v0": "$2", "$v1": "$3",
}

func mipsRegister(word string) string {
	word = strings.ToLower(word)
	if r, ok := mipsUses[word]; ok {
		return r
	}
	n, err := strconv.Atoi(strings.TrimPrefix(word, "$"))
	if err == nil && n >= 0 && n <= 31 && word == "$"+strconv.Itoa(n) {
		return word
	}
	return ""
}

var mipsGrammar = &grammar{
	forms: mipsForms(), none: words("nop ssnop"), special: mipsSpecial, memory: mipsMemory, zero: "$0",
	operand: func(x *step, letter byte, text string) string {
		if r := x.register(text); r != "" {
			return r
		}
		return text
	},
	write:  func(m memory) string { return fmt.Sprintf("%d(%s)", m.offset, m.base) },
	copied: func(to, from string) string { return "move " + to + "," + from },
	add:    func(to, from string, n int) string { return fmt.Sprintf("daddiu %s,%s,%d", to, from, n) },
	loaded: func(to, slot string, f form) string {
		switch {
		case f.bits == 64:
			return "move " + to + "," + slot
		case f.bits == 32 && f.signed:
			return fmt.Sprintf("sll %s,%s,0", to, slot)
		case f.signed:
			return fmt.Sprintf("se%c %s,%s", map[int]byte{8: 'b', 16: 'h'}[f.bits], to, slot)
		}
		return fmt.Sprintf("dext %s,%s,0,%d", to, slot, f.bits)
	},
}

// mipsForms are the instructions of MIPS64 that compute and access memory.
func mipsForms() map[string]form {
	m := map[string]form{}
	forms(m, form{}, "sync")
	forms(m, form{shape: "di"}, "li lui")
	forms(m, form{shape: "d"}, "mfhi mflo")
	forms(m, form{shape: "r"}, "mthi mtlo")
	forms(m, form{shape: "rr"}, "mult multu dmult dmultu")
	forms(m, form{shape: "dr"}, "not seb seh")
	forms(m, form{shape: "drr"}, `add addu sub subu dadd daddu dsub dsubu mul and or xor nor slt sltu sllv srlv srav dsllv
		dsrlv dsrav`)
	forms(m, form{shape: "dri"}, `addi addiu daddi daddiu andi ori xori slti sltiu sll srl sra dsll dsrl dsra dsll32
		dsrl32 dsra32`)
	forms(m, form{shape: "drii"}, "ext dext")
	forms(m, form{shape: "urii"}, "ins dins")
	forms(m, form{shape: "urr"}, "movz movn")
	for letter, bits := range map[string]int{"b": 8, "h": 16, "w": 32, "d": 64} {
		m["l"+letter] = form{"dm", 'l', bits, true}
		if bits < 64 {
			m["l"+letter+"u"] = form{"dm", 'l', bits, false}
		}
		m["s"+letter] = form{"rm", 's', bits, false}
	}
	forms(m, form{"dm", 'x', 32, true}, "ll lld")
	forms(m, form{"um", 'x', 32, true}, "sc scd")
	return m
}

var (
	mipsBranch  = lazily(`^(b|beqz?|bnez?|bltz|bgez|bgtz|blez)(l?)$`)
	mipsPart    = lazily(`^%(got_disp|got_page|got_ofst|got|call16|hi|lo|higher|highest)\((.+)\)$`)
	mipsAddress = lazily(`^(.*)\((\$\w+)\)$`)
)

// mipsInverse are the opposite conditions.
var mipsInverse = map[string]string{
	"beq": "bne", "bne": "beq", "beqz": "bnez", "bnez": "beqz", "bltz": "bgez", "bgez": "bltz", "bgtz": "blez",
	"blez": "bgtz",
}

// mipsDirective follows .set reorder and .set noreorder. It says whether a directive may be in the middle of a
// function.
func mipsDirective(t *thread, l listing.Line) bool {
	if l.Op != ".set" || len(l.Args) != 1 {
		return false
	}
	switch l.Args[0] {
	case "noreorder", "reorder":
		t.mode = l.Args[0]
	case "macro", "nomacro", "at", "noat", "nomips16", "nomicromips", "push", "pop":
	default:
		t.failf(l, "this mode of the assembler is unknown")
	}
	return true
}

// mipsMemory splits 8($4), and %got_ofst(x)($4).
func mipsMemory(x *step, text string) memory {
	parts := mipsAddress().FindStringSubmatch(text)
	if parts == nil || x.register(parts[2]) == "" {
		x.fail("%s is no address of the form 0($4)", text)
	}
	m := memory{base: x.register(parts[2])}
	switch part := mipsPart().FindStringSubmatch(parts[1]); {
	case part != nil && part[1] == "got_ofst":
		m.offset, m.whole = x.lower(m.base, part[2]), true
	case part != nil:
		x.fail("got %s, want a number or %%got_ofst", parts[1])
	case parts[1] != "":
		m.offset = x.number(parts[1])
	}
	return m
}

// mipsSpecial translates branches with their delay slots, copies, and what computes addresses.
func mipsSpecial(x *step) bool {
	switch op := x.op; {
	case op == "jr" || op == "j" || mipsBranch().MatchString(op):
		x.mipsJump()
	case op == "jal" || op == "jalr" || op == "bal":
		x.callee(x.arg(len(x.args) - 1))
	case op == "move":
		x.moves(x.reg(0), x.reg(1))
	case op == "la" || op == "dla":
		location, offset := x.symbol(x.arg(1))
		x.points(x.reg(0), location, offset)
	case op == "lui" && strings.HasPrefix(x.arg(1), "%"):
		x.mipsGlobal(fact{}, "%hi(%neg(%gp_rel("+x.function.Name+")))", x.arg(1), "upper")
	case op == "daddu" && x.facts[x.reg(1)].kind == global && x.arg(2) == "$25":
		x.mipsGlobal(x.facts[x.reg(1)], "$25", x.reg(2), "sum")
	case op == "daddu" && x.facts[x.register(x.arg(2))].kind == global && x.reg(1) == "$25":
		x.mipsGlobal(x.facts[x.reg(2)], "$25", x.reg(1), "sum")
	case op == "daddiu" && x.facts[x.reg(1)].kind == global:
		x.mipsGlobal(x.facts[x.reg(1)], "%lo(%neg(%gp_rel("+x.function.Name+")))", x.arg(2), "")
	case op == "daddiu" && strings.HasPrefix(x.arg(2), "%"):
		part := mipsPart().FindStringSubmatch(x.arg(2))
		if part == nil || part[1] != "got_ofst" {
			x.fail("got %s, want a number or %%got_ofst", x.arg(2))
		}
		x.completed(x.reg(0), x.reg(1), x.lower(x.reg(1), part[2]))
	case op == "daddiu" || op == "daddi":
		x.adds(x.reg(0), x.reg(1), x.number(x.arg(2)), fmt.Sprintf("daddiu %s,%s,%s", x.reg(0), x.reg(1), x.arg(2)))
	case op == "ld":
		return x.mipsEntry()
	case (op == "dsll" || op == "dsrl" || op == "dsra") && isNumber(x.arg(2)) && x.number(x.arg(2)) >= 32:
		x.op, x.args = op+"32", []string{x.args[0], x.args[1], strconv.Itoa(x.number(x.arg(2)) - 32)}
		x.plain(x.forms[x.op])
	case mipsImmediate[op] != "" && len(x.args) == 3 && isNumber(x.args[2]):
		x.op = mipsImmediate[op]
		x.plain(x.forms[x.op])
	case mipsShifts[op] && len(x.args) == 3 && x.register(x.args[2]) != "":
		x.op = op + "v"
		x.plain(x.forms[x.op])
	default:
		return false
	}
	return true
}

// The assembler takes a number as the last operand of an instruction on registers, and a register as the count of a
// shift by a number.
var (
	mipsImmediate = map[string]string{
		"add": "addi", "addu": "addiu", "dadd": "daddi", "daddu": "daddiu", "and": "andi", "or": "ori", "xor": "xori",
		"slt": "slti", "sltu": "sltiu",
	}
	mipsShifts = words("sll srl sra dsll dsrl dsra")
)

// mipsGlobal translates a step of the computation of the GOT's pointer, from the fact about the step before: %hi of
// the distance between the function and the GOT, plus the function's address, plus %lo. stage is the fact's symbol
// after it.
func (x *step) mipsGlobal(before fact, want, got, stage string) {
	if got != want || before.kind != "" && before.symbol != map[string]string{"sum": "upper", "": "sum"}[stage] {
		x.fail("got %s in the computation of a global address, want %s", got, want)
	}
	x.becomes(x.reg(0), fact{kind: global, symbol: stage})
}

// mipsEntry translates a load of an address from the GOT.
func (x *step) mipsEntry() bool {
	parts := mipsAddress().FindStringSubmatch(x.arg(1))
	if parts == nil {
		return false
	}
	part := mipsPart().FindStringSubmatch(parts[1])
	if part == nil || part[1] == "got_ofst" {
		return false
	}
	if f := x.facts[x.register(parts[2])]; f.kind != global || f.symbol != "" {
		x.fail("%s does not certainly have the pointer to the GOT here", parts[2])
	}
	switch part[1] {
	case "call16":
		x.callee(part[2])
	case "got_disp":
		location, offset := x.symbol(part[2])
		x.points(x.reg(0), location, offset)
	case "got_page":
		location, _ := x.symbol(part[2])
		x.upper(x.reg(0), location)
	default:
		x.fail("%%%s is unknown", part[1])
	}
	return true
}

// mipsJump translates a branch and the instruction in its delay slot.
func (x *step) mipsJump() {
	slot, filled := x.mipsSlot()
	if x.op == "jr" && x.reg(0) != "$31" {
		x.fail("it jumps to an address in a register")
	}
	op, likely := x.op, ""
	if m := mipsBranch().FindStringSubmatch(x.op); m != nil {
		op, likely = m[1], m[2]
	}
	args := slices.Clone(x.args)
	for i := range args[:max(0, len(args)-1)] {
		x.reads(x.reg(i))
		args[i] = x.reg(i)
		if likely == "" && filled && len(slot.Args) > 0 && x.register(slot.Args[0]) == args[i] && args[i] != x.zero {
			copied := x.spareFor("branch of line " + strconv.Itoa(x.line.Pos.Line))
			x.emit("%s", x.copied(copied, args[i]))
			args[i] = copied
		}
	}
	if likely != "" {
		x.mipsLikely(op, args, slot)
		return
	}
	if filled {
		x.aside(slot)
	}
	switch {
	case op == "jr":
		x.ret("b")
	case op == "j" || op == "b":
		x.emit("b %s", x.jump(x.arg(0)))
		x.stop()
	default:
		if len(args) != map[bool]int{true: 2, false: 3}[strings.HasSuffix(op, "z")] {
			x.fail("its operands are unknown")
		}
		label := x.jump(args[len(args)-1])
		x.emit("%s %s", op, strings.Join(append(args[:len(args)-1], label), ","))
	}
}

// mipsLikely translates a branch that runs its delay slot only if it is taken.
func (x *step) mipsLikely(op string, args []string, slot listing.Line) {
	if mipsInverse[op] == "" || slot.Op == "" || len(args) == 0 {
		x.fail("want a condition, and an instruction in the delay slot")
	}
	over := fmt.Sprintf("LOVER%d", x.line.Pos.Line)
	target := args[len(args)-1]
	x.emit("%s %s", mipsInverse[op], strings.Join(append(args[:len(args)-1:len(args)-1], over), ","))
	before := maps.Clone(x.facts)
	x.aside(slot)
	x.emit("b %s", x.jump(target))
	x.facts = before
	x.emit("%s:", over)
}

// mipsSlot returns the instruction in the delay slot of the current branch. It is false if the assembler fills the
// slot.
func (x *step) mipsSlot() (slot listing.Line, filled bool) {
	switch x.mode {
	case "reorder":
		return slot, false
	case "":
		x.fail("no .set directive before it says whether a delay slot follows: keep the directives of the listing")
	}
	lines := x.thread.function.Lines
	at := slices.IndexFunc(lines, func(l listing.Line) bool { return l.Pos == x.line.Pos && l.Op == x.op })
	for at++; at < len(lines); at++ {
		switch l := lines[at]; {
		case l.Label != "" && !x.mipsTarget(l.Label):
		case l.Label != "" || l.Directive():
			x.fail("the instruction in its delay slot is unknown: line %d is %s", l.Pos.Line, l.Text)
		case l.Op == "jr" || l.Op == "j" || mipsBranch().MatchString(l.Op):
			x.fail("a branch is in its delay slot, in line %d", l.Pos.Line)
		default:
			return l, true
		}
	}
	x.fail("it is the last instruction of the function, and has no delay slot")
	return slot, false
}

// mipsTarget says whether an instruction of the function names a label.
func (x *step) mipsTarget(label string) bool {
	return slices.ContainsFunc(x.thread.function.Lines, func(l listing.Line) bool {
		return slices.Contains(l.Args, label)
	})
}
