package readback

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// arm reads Arm's 32-bit instructions, those of A32 and those of T32 (Thumb-2), in the unified syntax. Conditions are
// part of the mnemonics there, so IT instructions have no effect of their own. Addresses of objects come from MOVW
// with MOVT, from literal pools, from their sum with the program counter, or from the GOT.
var arm = Machine{
	Arch: "ARM", Names: []string{"arm", "armv7", "armv7a"}, Title: "Arm, 32 bits (Armv7)",
	Triples: []string{"arm", "thumb"}, Clang: "arm-linux-gnueabihf", Flags: nil,
	syntax: listing.ARM, pointer: 32, stack: "SP",
	spare:     append(strings.Fields("R10 R9 R8 R6 R5 R4"), symbolics()...),
	arguments: strings.Fields("R0 R1 R2 R3"),
	register:  armRegister,
	move:      func(to, from string, _ int) string { return "MOV " + to + "," + from },
	translate: translateBy(armGrammar), cells: true, directive: armDirective,
}

// armNames are the names of registers beside their numbers.
var armNames = map[string]string{
	"SP": "SP", "R13": "SP", "LR": "LR", "R14": "LR", "PC": "PC", "R15": "PC", "IP": "R12", "FP": "R11", "SL": "R10",
	"SB": "R9",
}

func armRegister(word string) string {
	up := strings.ToUpper(word)
	if r, ok := armNames[up]; ok {
		return r
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(up, "R")); err == nil && n >= 0 && n <= 12 &&
		up == "R"+strconv.Itoa(n) {
		return up
	}
	return ""
}

// armDirective accepts the modes of the assembler that do not change what instructions with the unified syntax do.
func armDirective(_ *thread, l listing.Line) bool {
	return l.Op == ".thumb" || l.Op == ".thumb_func" || l.Op == ".force_thumb"
}

var armGrammar = &grammar{
	none:    words("nop nop.w it ite itt itee itet itte ittt iteee iteet itete itett ittee ittet ittte itttt"),
	special: func(x *step) bool { return (&armLine{step: x}).translate() },
	operand: func(x *step, _ byte, text string) string { return x.register(text) },
	write:   func(m memory) string { return armAddress(m.base, m.offset) },
	copied:  func(to, from string) string { return "MOV " + to + "," + from },
	add:     armAdd,
	loaded: func(to, slot string, f form) string {
		if f.bits == 32 {
			return "MOV " + to + "," + slot
		}
		return fmt.Sprintf("%cXT%c %s,%s", map[bool]byte{true: 'S', false: 'U'}[f.signed],
			map[int]byte{8: 'B', 16: 'H'}[f.bits], to, slot)
	},
}

func armAddress(base string, offset int) string {
	if offset == 0 {
		return "[" + base + "]"
	}
	return fmt.Sprintf("[%s,#%d]", base, offset)
}

func armAdd(to, from string, n int) string {
	if n < 0 {
		return fmt.Sprintf("SUB %s,%s,#%d", to, from, -n)
	}
	return fmt.Sprintf("ADD %s,%s,#%d", to, from, n)
}

// armForm describes a mnemonic without its condition: how many of its first operands it sets, whether it also reads
// them, whether an S may follow, and how it accesses memory.
type armForm struct {
	sets   int
	keeps  bool
	flags  bool // an S may follow
	access byte // l, s or x as in form; p for PUSH, POP, LDM and STM; d for LDRD and STRD
	bits   int
	signed bool
}

// armForms is computed when the first listing is read.
var armForms = sync.OnceValue(func() map[string]armForm {
	m := map[string]armForm{}
	add := func(f armForm, names string) {
		for _, n := range strings.Fields(names) {
			m[n] = f
		}
	}
	add(armForm{sets: 1, flags: true}, "ADD SUB RSB AND BIC ORR ORN EOR MUL ADC SBC RSC LSL LSR ASR ROR MOV MVN")
	add(armForm{sets: 1}, "MOVW MLA MLS SMMUL UBFX SBFX UXTB UXTH SXTB SXTH CLZ RBIT REV REV16 REVSH")
	add(armForm{sets: 1, keeps: true}, "MOVT BFI BFC")
	add(armForm{sets: 2}, "UMULL SMULL")
	add(armForm{}, "CMP CMN TST TEQ")
	for suffix, bits := range map[string]int{"": 32, "B": 8, "H": 16} {
		m["LDR"+suffix] = armForm{sets: 1, access: 'l', bits: bits}
		m["STR"+suffix] = armForm{access: 's', bits: bits}
		if bits < 32 {
			m["LDRS"+suffix] = armForm{sets: 1, access: 'l', bits: bits, signed: true}
		}
		add(armForm{sets: 1, access: 'x', bits: bits}, "LDREX"+suffix+" LDAEX"+suffix+" LDA"+suffix)
		add(armForm{sets: 1, access: 'x', bits: bits}, "STREX"+suffix+" STLEX"+suffix)
		add(armForm{access: 'x', bits: bits}, "STL"+suffix)
	}
	add(armForm{sets: 2, access: 'x', bits: 64}, "LDREXD LDAEXD")
	add(armForm{sets: 1, access: 'x', bits: 64}, "STREXD STLEXD")
	add(armForm{sets: 2, access: 'd', bits: 32}, "LDRD")
	add(armForm{access: 'd', bits: 32}, "STRD")
	add(armForm{access: 'p', bits: 32}, "PUSH POP LDM LDMIA LDMFD LDMIB LDMDB STM STMIA STMIB STMDB STMFD")
	return m
})

var (
	armConditions = strings.Fields("EQ NE CS HS CC LO MI PL VS VC HI LS GE LT GT LE AL")
	armWord       = lazily(`(?i)\b(r[0-9]+|sp|lr|pc|ip|fp|sl|sb|lsl|lsr|asr|ror|rrx)\b`)
	armPart       = lazily(`^#?:(lower16|upper16):\(?(.*?)\)?$`)
	// what a constant adds to the program counter: of an object, of its entry in the GOT, or of the GOT itself
	armDistance = lazily(`^([\w.$]+(?:[+-][0-9]+)?)-\((\.?\w+)\+[48]\)$`)
	armEntry    = lazily(`^([\w.$]+)\(GOT_PREL\)-\(?\((\.?\w+)\+[48]\)(?:-\.?\w+\)|\))?$`)
	armOffset   = lazily(`^([\w.$]+)\(GOT\)$`)
)

// flagsRegister is the name of the condition flags in facts, and monitor that of the exclusive monitor.
const (
	flagsRegister = "flags"
	monitor       = "monitor"
)

// armLine is a line being translated.
type armLine struct {
	*step
	name      string // upper case, without S and condition
	flags     bool   // an S follows
	condition string // or ""
}

// parse splits the mnemonic.
func (x *armLine) parse() (f armForm, ok bool) {
	op := strings.ToUpper(x.op)
	op = strings.TrimSuffix(strings.TrimSuffix(op, ".W"), ".N")
	try := func(name, condition string) bool {
		if f, ok = armForms()[name]; ok {
			x.name, x.flags, x.condition = name, false, condition
			return true
		}
		stem, s := strings.CutSuffix(name, "S")
		if f, ok = armForms()[stem]; ok && s && f.flags {
			x.name, x.flags, x.condition = stem, true, condition
			return true
		}
		return false
	}
	if try(op, "") {
		return f, true
	}
	for _, c := range armConditions {
		if stem, has := strings.CutSuffix(op, c); has && try(stem, c) {
			if c == "AL" {
				x.condition = ""
			}
			return f, true
		}
	}
	return f, false
}

// translate translates the line.
func (x *armLine) translate() bool {
	if x.control() {
		return true
	}
	f, ok := x.parse()
	if !ok {
		return false
	}
	for _, a := range x.args {
		if r := strings.ToUpper(a); len(r) > 1 && strings.IndexByte("DQS", r[0]) >= 0 && r[1] >= '0' && r[1] <= '9' {
			x.fail("%s is a register of vectors or floating-point numbers", a)
		}
	}
	switch {
	case x.name == "STREX" || strings.HasPrefix(x.name, "STREX") || strings.HasPrefix(x.name, "STLEX"):
		if x.facts[monitor].kind == "" {
			x.fail("no exclusive load certainly comes before it, after any CLREX")
		}
	case strings.HasPrefix(x.name, "LDREX") || strings.HasPrefix(x.name, "LDAEX"):
		defer func() {
			if x.facts != nil && x.condition == "" {
				x.set(monitor, fact{kind: "reserved"})
			}
		}()
	}
	if x.condition != "" {
		x.usesFlags()
	}
	switch {
	case f.access == 'p':
		x.several()
	case f.access != 0:
		x.access(f)
	default:
		x.data(f)
	}
	return true
}

// usesFlags says that the instruction reads the condition flags.
func (x *armLine) usesFlags() {
	if x.facts[flagsRegister].partial() {
		x.fail("the condition flags come from arithmetic on the stack pointer")
	}
}

// text returns an operand as tests write it.
func armText(text string) string {
	return armWord().ReplaceAllStringFunc(text, func(w string) string {
		if r := armRegister(w); r != "" {
			return r
		}
		return strings.ToUpper(w)
	})
}

// verbatim emits the instruction with some operands.
func (x *armLine) verbatim(args []string) {
	s := ""
	if x.flags {
		s = "S"
	}
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = armText(a)
	}
	x.emit("%s", strings.TrimSpace(x.name+s+x.condition+" "+strings.Join(out, ",")))
}

// control translates branches, barriers and what only concerns the exclusive monitor.
func (x *armLine) control() bool {
	op := strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(x.op, ".w"), ".n"))
	conditional := func(name string) (string, bool) {
		c, ok := strings.CutPrefix(op, name)
		return c, ok && (c == "" || slices.Contains(armConditions, c))
	}
	switch op {
	case "DMB", "DSB", "ISB":
		x.emit("%s", strings.TrimSpace(op+" "+strings.ToUpper(strings.Join(x.args, ""))))
		return true
	case "CLREX": // the stores that it would let fail are refused
		x.kill(monitor)
		return true
	case "CBZ", "CBNZ":
		x.reads(x.reg(0))
		x.emit("%s %s,%s", op, x.reg(0), x.jump(x.arg(1)))
		return true
	}
	if c, ok := conditional("BX"); ok {
		if x.reg(0) != "LR" {
			x.fail("it jumps to an address in a register")
		}
		x.leave(c)
		return true
	}
	if _, ok := conditional("BLX"); ok {
		x.fail("it calls a function at an address in a register")
	}
	if c, ok := conditional("B"); ok {
		if c == "" || c == "AL" {
			x.emit("B %s", x.jump(x.arg(0)))
			x.stop()
			return true
		}
		x.usesFlags()
		x.emit("B%s %s", c, x.jump(x.arg(0)))
		return true
	}
	if _, ok := conditional("BL"); ok {
		x.callee(strings.TrimSuffix(x.arg(0), "(PLT)"))
	}
	return false
}

// leave ends the thread, on a condition unless it is "".
func (x *armLine) leave(condition string) {
	if condition == "" || condition == "AL" {
		x.ret("B")
		return
	}
	x.usesFlags()
	x.emit("B%s LEND", condition)
}

// registers returns the registers that an operand mentions.
func (x *armLine) registers(text string) (out []string) {
	for _, w := range armWord().FindAllString(text, -1) {
		if r := armRegister(w); r != "" {
			out = append(out, r)
		}
	}
	return out
}

// data translates moves, arithmetic and comparisons.
func (x *armLine) data(f armForm) {
	for i := range f.sets {
		if x.reg(i) == "PC" {
			if x.name != "MOV" || x.register(x.arg(1)) != "LR" {
				x.fail("it jumps to a computed address")
			}
			x.leave(x.condition)
			return
		}
	}
	if f.sets > 0 && !x.flags && x.computesAddress() {
		return
	}
	if f.sets > 0 && x.condition == "" && x.stackArithmetic() {
		return
	}
	from := f.sets
	if f.keeps || x.condition != "" || len(x.args) == 2 && f.flags && x.name != "MOV" && x.name != "MVN" {
		from = 0 // the result depends on what the register had
	}
	for _, a := range x.args[min(from, len(x.args)):] {
		for _, r := range x.registers(a) {
			if r == "PC" {
				x.fail("the program counter is not a value in tests")
			}
			x.reads(r)
		}
	}
	switch x.name {
	case "ADC", "SBC", "RSC":
		x.usesFlags()
	}
	x.verbatim(x.args)
	for i := range f.sets {
		x.sets(x.reg(i))
	}
	if x.flags || f.sets == 0 {
		x.setsFlags()
	}
}

// setsFlags says that the flags change. What holds under a condition is not known any more.
func (x *armLine) setsFlags() {
	x.kill(flagsRegister)
	for r, f := range x.facts {
		if f.condition != "" {
			x.facts[r] = fact{kind: constant, symbol: "what it had under a condition"}
		}
	}
}

// becomes sets a fact that holds under the condition of the instruction. It may need the condition of another fact.
func (x *armLine) becomes(to string, f fact, from ...fact) {
	f.condition = x.condition
	for _, other := range from {
		if other.condition != "" && other.condition != x.condition {
			x.fail("what it needs holds under another condition, %s", other.condition)
		}
	}
	x.step.becomes(to, f)
}

// points sets a register to an address. A conditional instruction only sets a fact: accesses with the same condition
// have the address from elsewhere, so that the test has no dependency on the condition that the code does not have.
func (x *armLine) points(to, location string, offset int, from ...fact) {
	if x.condition == "" {
		x.step.points(to, location, offset)
		return
	}
	x.becomes(to, fact{kind: pointer, symbol: location, offset: offset}, from...)
}

// stackArithmetic translates moves, sums and differences of addresses of the stack frame.
func (x *armLine) stackArithmetic() bool {
	source := len(x.args) - 2
	if x.name == "MOV" {
		source = 1
	}
	if source < 0 || source >= len(x.args) || len(x.args) > 3 {
		return false
	}
	from := x.register(x.arg(source))
	f := x.facts[from]
	if f.kind != "stack" {
		return false
	}
	last := x.arg(len(x.args) - 1)
	switch {
	case x.name == "MOV" && len(x.args) == 2:
	case (x.name == "ADD" || x.name == "SUB") && isNumber(last):
		n := x.number(last)
		if x.name == "SUB" {
			n = -n
		}
		f.offset += n
	default:
		return false
	}
	kept := x.keepsFrame()
	if kept {
		x.verbatim(x.args)
	}
	if x.flags {
		x.setsFlags()
	}
	if x.flags && !kept {
		x.set(flagsRegister, fact{kind: constant})
	}
	x.becomes(x.reg(0), f)
	return true
}

// computesAddress translates a step of the computation of an address, or a copy of its result.
func (x *armLine) computesAddress() bool {
	to := x.reg(0)
	switch x.name {
	case "MOV":
		from := x.register(x.arg(1))
		if from != "" && len(x.args) == 2 && from != "PC" && x.condition == "" && x.facts[from].partial() {
			x.moves(to, from)
			return true
		}
	case "MOVW", "MOVT":
		part := armPart().FindStringSubmatch(x.arg(1))
		if part == nil {
			return false
		}
		if x.name == "MOVW" {
			if part[1] != "lower16" {
				x.fail("want the lower half of an address")
			}
			x.becomes(to, fact{kind: constant, symbol: "lower half of " + part[2]})
			return true
		}
		if f := x.facts[to]; part[1] != "upper16" || f.kind != constant || f.symbol != "lower half of "+part[2] {
			x.fail("%s does not certainly have the lower half of %s here", to, part[2])
		}
		x.value(to, part[2], x.facts[to])
		return true
	case "ADD":
		a, b := x.register(x.arg(len(x.args)-2)), x.register(x.arg(len(x.args)-1))
		if b == "PC" {
			a, b = b, a
		}
		if a != "PC" || b == "" || len(x.args) > 3 {
			return false
		}
		x.distance(to, x.facts[b])
		return true
	}
	return false
}

// value sets a register to a constant of the listing: a number, the address of an object, or what adds up to one.
func (x *armLine) value(to, text string, from ...fact) {
	if n, err := litmus.ParseNumber(text); err == nil {
		if x.condition != "" {
			x.fail("a conditional load of a number from a literal pool is not supported")
		}
		x.emit("MOV %s,#%d", to, uint32(n))
		x.sets(to)
		return
	}
	name, _, _ := strings.Cut(text, "+")
	if _, ok := x.program.symbols[name]; ok {
		location, offset := x.symbol(text)
		x.points(to, location, offset, from...)
		return
	}
	x.becomes(to, fact{kind: constant, symbol: text}, from...)
}

// distance sets a register to the sum of the program counter and a constant.
func (x *armLine) distance(to string, f fact) {
	m := armDistance().FindStringSubmatch(f.symbol)
	switch {
	case f.kind != constant || m == nil:
		x.fail("the program counter is not a value in tests, except in the computation of an address")
	case !x.here(m[2]):
		x.fail("%s is the distance from %s, which is not here", f.symbol, m[2])
	case m[1] == "_GLOBAL_OFFSET_TABLE_":
		x.becomes(to, fact{kind: global}, f)
	default:
		location, offset := x.symbol(m[1])
		x.points(to, location, offset, f)
	}
}

// here says whether the current line is the one at a label.
func (x *armLine) here(label string) bool {
	lines := x.thread.function.Lines
	at := slices.IndexFunc(lines, func(l listing.Line) bool { return l.Label == label })
	for at >= 0 && at < len(lines) && (lines[at].Label != "" || lines[at].Directive()) {
		at++
	}
	return at >= 0 && at < len(lines) && lines[at].Pos == x.line.Pos
}

// armMemory is a memory operand.
type armMemory struct {
	memory
	at        int    // the operand's index; -1 for none
	shift     string // of the index
	pre, post bool
	moves     int // how much a pre- or post-indexed access moves the base
}

// operandInMemory finds the memory operand.
func (x *armLine) operandInMemory() armMemory {
	at := slices.IndexFunc(x.args, func(a string) bool { return strings.HasPrefix(a, "[") })
	m := armMemory{at: at}
	if at < 0 {
		return m
	}
	inner, pre := strings.CutSuffix(x.args[at], "!")
	parts := strings.Split(strings.Trim(inner, "[]"), ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	m.pre, m.post = pre, at+1 < len(x.args)
	if m.base = x.register(parts[0]); m.base == "" {
		x.fail("%s has no register as its base", x.args[at])
	}
	switch {
	case len(parts) == 1:
	case isNumber(parts[1]) && len(parts) == 2:
		m.offset = x.number(parts[1])
	default:
		if m.index = x.register(strings.TrimPrefix(parts[1], "-")); m.index == "" {
			x.fail("%s is no address that this reads", x.args[at])
		}
		m.shift = strings.Join(parts[2:], ",")
	}
	if pre {
		m.moves = m.offset
	}
	if m.post {
		if !isNumber(x.args[at+1]) {
			x.fail("the base moves by a register")
		}
		m.moves = x.number(x.args[at+1])
	}
	return m
}

// access translates loads and stores of one register or two, and exclusive accesses.
func (x *armLine) access(f armForm) {
	m := x.operandInMemory()
	if m.at < 0 {
		x.literal()
		return
	}
	if m.at == 0 || f.access != 'x' && m.at > 1 && f.access != 'd' || m.at > 3 {
		x.fail("it has %d operands before its address", m.at)
	}
	if x.entry(m) {
		return
	}
	if x.name == "LDR" && x.register(x.args[0]) == "PC" {
		x.returns(m)
		return
	}
	for _, r := range []string{m.base, m.index} {
		if r == "PC" {
			x.fail("the program counter is not a value in tests")
		}
	}
	base := x.facts[m.base]
	if base.kind == "stack" && m.index == "" && f.access != 'x' && x.condition == "" {
		x.onFrame(f, m, base)
		return
	}
	if base.kind == "stack" || m.index != "" && x.facts[m.index].kind == "stack" {
		x.fail("a conditional, indexed or exclusive access to the stack is not supported")
	}
	args := slices.Clone(x.args)
	if base.kind == pointer && base.condition == x.condition && m.index == "" && !m.pre && !m.post {
		args[m.at] = armAddress(x.address(base.symbol), base.offset+m.offset)
	} else {
		x.reads(m.base)
	}
	if m.index != "" {
		x.reads(m.index)
	}
	from := f.sets
	if x.condition != "" {
		from = 0
	}
	for i := from; i < m.at; i++ {
		if x.facts[x.reg(i)] == base && i < f.sets { // the access needs it, so that it has been an address
			continue
		}
		x.reads(x.reg(i))
	}
	x.verbatim(args)
	for i := range min(f.sets, m.at) {
		x.sets(x.reg(i))
	}
	if f.access == 'd' && m.at == 1 && f.sets > 0 { // the second register is the next one
		n, _ := strconv.Atoi(strings.TrimPrefix(x.reg(0), "R"))
		x.sets("R" + strconv.Itoa(n+1))
	}
	if m.pre || m.post {
		x.sets(m.base)
	}
	if strings.HasPrefix(x.name, "ST") && strings.Contains(x.name, "EX") {
		x.kill(monitor)
	}
}

// returns translates LDR PC,[SP],#4, which returns.
func (x *armLine) returns(m armMemory) {
	base := x.facts[m.base]
	if m.base != x.stack || base.kind != "stack" || m.index != "" {
		x.fail("it jumps to an address in memory")
	}
	if x.condition == "" {
		x.args = append([]string{"LR"}, x.args[1:]...)
		x.onFrame(armForms()["LDR"], m, base)
	}
	x.leave(x.condition)
}

// literal translates a load from a literal pool: LDR R0,.L2 or LDR R0,=x.
func (x *armLine) literal() {
	text := x.arg(len(x.args) - 1)
	if x.name != "LDR" || len(x.args) != 2 {
		x.fail("it has no address in brackets")
	}
	if value, ok := strings.CutPrefix(text, "="); ok {
		x.value(x.reg(0), value)
		return
	}
	x.value(x.reg(0), x.step.data(text, ".word", ".long", ".4byte")[0])
}

// entry translates a load of an address from the GOT, and an access relative to the program counter.
func (x *armLine) entry(m armMemory) bool {
	if m.index == "" || m.shift != "" || m.pre || m.post {
		return false
	}
	base, index := x.facts[m.base], x.facts[m.index]
	if index.kind == global {
		base, index = index, base
	}
	switch {
	case m.base == "PC" && index.kind == constant:
		if e := armEntry().FindStringSubmatch(index.symbol); e != nil {
			if !x.here(e[2]) {
				x.fail("%s is the distance from %s, which is not here", index.symbol, e[2])
			}
			x.entryOf(e[1], index)
			return true
		}
		if index.condition != "" && index.condition != x.condition {
			x.fail("what it needs holds under another condition, %s", index.condition)
		}
		location := x.address(x.distant(index))
		x.verbatim(append(slices.Clone(x.args[:m.at]), "["+location+"]"))
		if strings.HasPrefix(x.name, "LD") {
			x.sets(x.reg(0))
		} else {
			x.reads(x.reg(0))
		}
		return true
	case base.kind == global && index.kind == constant:
		o := armOffset().FindStringSubmatch(index.symbol)
		if o == nil {
			x.fail("%s is no offset in the GOT", index.symbol)
		}
		x.entryOf(o[1], base, index)
		return true
	}
	return false
}

// distant returns the object at a distance from the program counter.
func (x *armLine) distant(f fact) (location string) {
	m := armDistance().FindStringSubmatch(f.symbol)
	if m == nil || !x.here(m[2]) {
		x.fail("%s is no distance from here to an object", f.symbol)
	}
	location, offset := x.symbol(m[1])
	if offset != 0 {
		x.fail("it accesses an object in its middle")
	}
	return location
}

// entryOf sets the first operand to the address in an entry of the GOT.
func (x *armLine) entryOf(symbol string, from ...fact) {
	if x.name != "LDR" {
		x.fail("an entry of the GOT can only be loaded")
	}
	location, offset := x.symbol(symbol)
	x.points(x.reg(0), location, offset, from...)
}

// onFrame translates an access to the stack frame of one register or two.
func (x *armLine) onFrame(f armForm, m armMemory, base fact) {
	at := base.offset
	if !m.post {
		at += m.offset
	}
	move := func() {
		if m.pre || m.post {
			x.frame(func() { x.emit("%s", armAdd(m.base, m.base, m.moves)) })
			base.offset += m.moves
			x.becomes(m.base, base)
		}
	}
	// The base moves first or last, so that the address is that of the instruction.
	offset := m.offset
	if m.pre {
		move()
		offset = 0
	}
	one := form{access: f.access, bits: f.bits, signed: f.signed}
	args := x.args[:m.at]
	if f.access == 'd' {
		one.access = map[bool]byte{true: 'l', false: 's'}[x.name == "LDRD"]
		if len(args) == 1 { // the second is the next one
			n, err := strconv.Atoi(strings.TrimPrefix(x.reg(0), "R"))
			if err != nil || n > 11 {
				x.fail("no register follows %s", args[0])
			}
			args = []string{args[0], "R" + strconv.Itoa(n+1)}
		}
	}
	x.slots(one, memory{base: m.base, offset: offset}, at, args)
	if m.post {
		move()
	}
}

// slots translates accesses of some registers to words of the stack frame, from an offset upwards.
func (x *armLine) slots(f form, m memory, at int, args []string) {
	name := x.name
	if len(args) > 1 {
		name = map[bool]string{true: "LDR", false: "STR"}[f.access == 'l']
	}
	whole := *x.step
	for i, a := range args {
		one := whole
		one.op, one.args = name, []string{a}
		place := m
		place.offset += 4 * i
		one.slotAccess(f, &place, at+4*i)
	}
}

// several translates PUSH, POP, LDM and STM.
func (x *armLine) several() {
	base, list := "SP", x.arg(len(x.args)-1)
	moves, up, before := true, false, true // as PUSH
	loads := strings.HasPrefix(x.name, "LDM") || x.name == "POP"
	if x.name != "PUSH" && x.name != "POP" {
		text, writes := strings.CutSuffix(x.arg(0), "!")
		base, moves = x.register(strings.TrimSpace(text)), writes
		switch kind := strings.TrimPrefix(strings.TrimPrefix(x.name, "LDM"), "STM"); {
		case kind == "DB", kind == "FD" && !loads:
		case kind == "IB":
			up = true
		default:
			up, before = true, false
		}
	} else if loads {
		up, before = true, false
	}
	var args []string
	for _, a := range strings.Split(strings.Trim(list, "{}"), ",") {
		a = strings.TrimSpace(a)
		if first, last, ranged := strings.Cut(a, "-"); ranged {
			lo, err1 := strconv.Atoi(strings.TrimPrefix(x.register(first), "R"))
			hi, err2 := strconv.Atoi(strings.TrimPrefix(x.register(last), "R"))
			if err1 != nil || err2 != nil {
				x.fail("%s is no row of registers", a)
			}
			for n := lo; n <= hi; n++ {
				args = append(args, "R"+strconv.Itoa(n))
			}
			continue
		}
		if x.register(a) == "" {
			x.fail("%s is no general register", a)
		}
		args = append(args, x.register(a))
	}
	f := x.facts[base]
	if f.kind != "stack" {
		x.elsewhere(base, args, loads, moves)
		return
	}
	if x.condition != "" && !(loads && args[len(args)-1] == "PC") {
		x.fail("a conditional access to the stack is not supported")
	}
	size := 4 * len(args)
	first, next := 0, size
	if !up {
		first, next = -size, -size
	}
	if up && before {
		first = 4
	}
	if x.condition != "" { // a conditional return: what it loads does not matter any more
		x.leave(x.condition)
		return
	}
	returns := loads && args[len(args)-1] == "PC"
	if returns { // the return address goes to LR, which no instruction reads
		args[len(args)-1] = "LR"
	}
	move := func() {
		if moves {
			x.frame(func() { x.emit("%s", armAdd(base, base, next)) })
			moved := f
			moved.offset += next
			x.becomes(base, moved)
		}
	}
	one := form{access: map[bool]byte{true: 'l', false: 's'}[loads], bits: 32}
	offset := first
	if !loads { // below the old stack pointer is nothing that a signal handler may not overwrite
		move()
		if moves {
			offset -= next
		}
	}
	x.name = map[bool]string{true: "LDR", false: "STR"}[loads]
	x.slots(one, memory{base: base, offset: offset}, f.offset+first, args)
	if loads && !slices.Contains(args, base) {
		move()
	}
	if returns {
		x.leave("")
	}
}

// elsewhere translates LDM and STM of other memory than the stack frame.
func (x *armLine) elsewhere(base string, args []string, loads, moves bool) {
	x.reads(base)
	if !loads {
		for _, r := range args {
			x.reads(r)
		}
	}
	if slices.Contains(args, "PC") {
		x.fail("it loads the program counter from other memory than the stack")
	}
	x.verbatim([]string{x.args[0], "{" + strings.Join(args, ",") + "}"})
	if loads {
		for _, r := range args {
			x.sets(r)
		}
	}
	if moves {
		x.sets(base)
	}
}
