package readback

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// ppc reads Power's 64-bit instructions with the ELF V2 calling convention. Listings name registers by their numbers.
// Addresses of objects come from the table of contents (TOC), whose pointer is in r2: x@toc@ha and x@toc@l, or an
// entry that has the address. The memory of tests is big-endian, and that of the compilers' usual target
// little-endian: a test that accesses a location with several widths is refused.
var ppc = Machine{
	Arch: "PPC", Names: []string{"ppc", "powerpc64le", "power"}, Title: "Power, 64 bits",
	Triples: []string{"powerpc64"}, Clang: "powerpc64le-linux-gnu",
	syntax: listing.PPC, pointer: 64, stack: "r1",
	spare: append(strings.Fields("r30 r29 r28 r27 r26 r25 r24 r23 r22 r21 r20 r19 r18 r17 r16 r15 r14"),
		symbolics()...),
	arguments: strings.Fields("r3 r4 r5 r6 r7 r8 r9 r10"),
	register:  ppcRegister,
	move:      func(to, from string, _ int) string { return "mr " + to + "," + from },
	translate: translateBy(ppcGrammar),
	cells:     true,
	oneWidth: "tests of Power store the highest byte of a number first, and the listing's code may store the lowest " +
		"first",
}

// ppcRegister returns the register that a number names, as in operands that are registers.
func ppcRegister(word string) string {
	word = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(word), "%"), "r")
	if n, err := strconv.Atoi(word); err == nil && n >= 0 && n <= 31 && strconv.Itoa(n) == word {
		return "r" + word
	}
	return ""
}

var ppcGrammar = &grammar{
	forms: ppcForms(), none: words("nop"), special: ppcSpecial, memory: ppcMemory, operand: ppcOperand,
	write: func(m memory) string {
		if m.index != "" {
			return m.base + "," + m.index
		}
		return fmt.Sprintf("%d(%s)", m.offset, m.base)
	},
	copied: func(to, from string) string { return "mr " + to + "," + from },
	add:    func(to, from string, n int) string { return fmt.Sprintf("addi %s,%s,%d", to, from, n) },
	loaded: func(to, slot string, f form) string {
		switch {
		case f.bits == 64:
			return "mr " + to + "," + slot
		case f.signed:
			return fmt.Sprintf("exts%c %s,%s", map[int]byte{16: 'h', 32: 'w'}[f.bits], to, slot)
		}
		return fmt.Sprintf("clrldi %s,%s,%d", to, slot, 64-f.bits)
	},
}

// ppcForms are the instructions of Power that compute, compare, branch and access memory. The letter M stands for the
// two registers of an indexed address, and b for a base where r0 means 0.
func ppcForms() map[string]form {
	m := map[string]form{}
	dotted := func(shape, names string) {
		for _, n := range strings.Fields(names) {
			m[n], m[n+"."] = form{shape: shape}, form{shape: shape}
		}
	}
	forms(m, form{}, "sync hwsync lwsync eieio isync")
	forms(m, form{shape: "di"}, "li lis mfocrf")
	forms(m, form{shape: "d"}, "mfcr mflr mfctr")
	forms(m, form{shape: "r"}, "mtlr mtctr")
	forms(m, form{shape: "drr"}, "divw divwu divd divdu mulhw mulhwu")
	forms(m, form{shape: "dbi"}, "addis subi")
	forms(m, form{shape: "dri"}, "addic addic. subfic mulli ori oris xori xoris andi. andis.")
	forms(m, form{shape: "dr"}, "popcntb popcntw popcntd")
	dotted("drr", "add sub subf mulld mullw and or xor andc orc nand nor eqv mulhd mulhdu slw srw sraw sld srd srad")
	dotted("dr", "not neg extsb extsh extsw cntlzw cntlzd cnttzw cnttzd")
	dotted("dri", "slwi srwi srawi rotlwi clrlwi clrrwi sldi srdi sradi rotldi clrldi clrrdi")
	dotted("driii", "rlwinm")
	dotted("uriii", "rlwimi")
	dotted("drii", "rldicl rldicr")
	forms(m, form{shape: "Crr"}, "cmpw cmpd cmplw cmpld")
	forms(m, form{shape: "Cri"}, "cmpwi cmpdi cmplwi cmpldi")
	forms(m, form{shape: "cc"}, "mcrf")
	forms(m, form{shape: "dbr"}, "isellt iselgt iseleq")
	forms(m, form{shape: "dbrB"}, "isel")
	for _, a := range []struct {
		load   string
		bits   int
		signed bool
		store  string
		exact  string
	}{
		{"lbz", 8, false, "stb", "b"},
		{"lhz", 16, false, "sth", "h"},
		{"lha", 16, true, "", ""},
		{"lwz", 32, false, "stw", "w"},
		{"lwa", 32, true, "", ""},
		{"ld", 64, false, "std", "d"},
	} {
		m[a.load] = form{"dm", 'l', a.bits, a.signed}
		m[a.load+"x"] = form{"dM", 'l', a.bits, a.signed}
		if a.store != "" {
			m[a.store] = form{"rm", 's', a.bits, false}
			m[a.store+"x"] = form{"rM", 's', a.bits, false}
			m["l"+a.exact+"arx"] = form{"dM", 'x', a.bits, false}
			m["st"+a.exact+"cx."] = form{"rM", 'x', a.bits, false}
		}
	}
	return m
}

var (
	ppcBranch  = lazily(`^b(eq|ne|lt|ge|nl|gt|le|ng)(lr)?[+-]?$`)
	ppcBit     = lazily(`^(?:4\*cr([0-7])\+)?(lt|gt|eq|so|un)$`)
	ppcPart    = lazily(`^([^@]+)@(toc|got)(@ha|@h|@l)?$`)
	ppcAddress = lazily(`^(.*)\(([^()]+)\)$`)
	ppcNext    = lazily(`^[.$]\+4$`)
)

// ppcOperand writes registers and fields of the condition register by their names.
func ppcOperand(x *step, letter byte, text string) string {
	text = strings.TrimPrefix(text, "%")
	switch letter {
	case 'b':
		if text == "0" {
			return "r0" // the dialect reads r0 as 0 there, as the architecture does
		}
		return x.register(text)
	case 'd', 'r', 'u':
		return x.register(text)
	case 'C', 'c':
		if len(text) == 1 {
			return "cr" + text
		}
		return text
	case 'B':
		if m := ppcBit().FindStringSubmatch(text); m != nil {
			field, _ := strconv.Atoi("0" + m[1])
			return strconv.Itoa(4*field + map[string]int{"lt": 0, "gt": 1, "eq": 2, "so": 3, "un": 3}[m[2]])
		}
	}
	return text
}

// ppcMemory splits 8(9), and x@toc@l(9).
func ppcMemory(x *step, text string) memory {
	parts := ppcAddress().FindStringSubmatch(text)
	if parts == nil || x.register(parts[2]) == "" {
		x.fail("%s is no address of the form 0(3)", text)
	}
	m := memory{base: x.register(parts[2])}
	switch part := ppcPart().FindStringSubmatch(parts[1]); {
	case part != nil && part[2] == "toc" && part[3] == "@l":
		m.offset, m.whole = x.lower(m.base, part[1]), true
	case part != nil:
		x.fail("got %s, want a number or a symbol with @toc@l", parts[1])
	default:
		m.offset = x.number(parts[1])
	}
	return m
}

// ppcSpecial translates branches, copies, and what computes addresses.
func ppcSpecial(x *step) bool {
	switch op := x.op; {
	case op == "blr":
		x.ret("b")
	case op == "b":
		x.emit("b %s", x.jump(x.arg(0)))
		x.stop()
	case op == "ori" && len(x.args) == 3 && x.args[0] == x.args[1] && x.args[2] == "0": // ends a dispatch group
	case strings.HasPrefix(op, "rlwi") && len(x.args) == 4: // with a mask
		f, ok := x.forms[op]
		if !ok || len(f.shape) != 5 {
			return false
		}
		f.shape = f.shape[:4]
		x.plain(f)
	case op == "mfcr" && len(x.args) == 2: // the old spelling of mfocrf
		x.emit("mfocrf %s,%s", x.reg(0), x.args[1])
		x.sets(x.reg(0))
	case op == "bl" || op == "bctrl":
		x.callee(x.arg(0))
	case op == "bdnz" || op == "bdz":
		x.emit("%s %s", op, x.jump(x.arg(0)))
	case ppcBranch().MatchString(op):
		x.ppcBranch()
	case op == "mr" || op == "or" && len(x.args) == 3 && x.args[1] == x.args[2]:
		x.moves(x.reg(0), x.reg(1))
	case op == "addis" || op == "addi" || op == "la":
		return x.ppcAdd()
	case op == "ld":
		return x.ppcEntry()
	case op == "stdu":
		x.ppcFrame()
	case op == "mfspr" && x.arg(1) == "256" || op == "mtspr" && x.arg(0) == "256": // VRSAVE
		return false
	default:
		return x.ppcIndexed()
	}
	return true
}

// ppcBranch translates a branch on a field of the condition register, to a label or to the caller.
func (x *step) ppcBranch() {
	m := ppcBranch().FindStringSubmatch(x.op)
	args := x.args
	text := x.op
	if want := map[bool]int{true: 1, false: 2}[m[2] == "lr"]; len(args) == want {
		text += " " + ppcOperand(x, 'C', args[0])
		args = args[1:]
	}
	separator := " "
	if strings.Contains(text, " ") {
		separator = ","
	}
	switch {
	case m[2] == "lr" && len(args) == 0:
		x.emit("%s", text)
	case m[2] == "" && len(args) == 1 && ppcNext().MatchString(args[0]):
		x.emit("%s%s.+4", text, separator)
	case m[2] == "" && len(args) == 1:
		x.emit("%s%s%s", text, separator, x.jump(args[0]))
	default:
		x.fail("its operands are unknown")
	}
}

// ppcAdd translates ADDIS and ADDI of parts of addresses and of numbers.
func (x *step) ppcAdd() bool {
	if x.op == "la" { // la 3,8(4) is addi 3,4,8
		m := ppcMemory(x, x.arg(1))
		if m.whole {
			x.completed(x.reg(0), m.base, m.offset)
		} else {
			x.adds(x.reg(0), m.base, m.offset, fmt.Sprintf("addi %s,%s,%d", x.reg(0), m.base, m.offset))
		}
		return true
	}
	to, from, text := x.reg(0), x.reg(1), x.arg(2)
	part := ppcPart().FindStringSubmatch(text)
	switch {
	case strings.HasPrefix(text, ".TOC.-"): // r2 becomes the pointer to the table of contents
		if to != "r2" || from != "r12" && from != "r2" {
			x.fail("it computes the pointer to the table of contents in %s", to)
		}
		x.becomes(to, fact{kind: global})
	case part != nil && part[3] == "@ha" && x.op == "addis" && from == "r2":
		x.ppcUpper(to, part[1], part[2])
	case part != nil && part[3] == "@l" && part[2] == "toc" && x.op == "addi":
		if f := x.facts[from]; f.kind == pool {
			x.fail("it computes the address of a constant of the listing")
		}
		x.completed(to, from, x.lower(from, part[1]))
	case part != nil && part[3] == "" && part[2] == "toc" && x.op == "addi" && from == "r2":
		location, offset := x.symbol(part[1])
		x.points(to, location, offset)
	case !isNumber(text):
		x.fail("got %s, want a number or a part of an address in the table of contents", text)
	case from == "r0": // which means 0
		x.emit("%s %s,r0,%s", x.op, to, text)
		x.sets(to)
	case x.op == "addis":
		return false
	default:
		x.adds(to, from, x.number(text), fmt.Sprintf("addi %s,%s,%s", to, from, text))
	}
	return true
}

// ppcUpper sets a register to the upper part of the address of a location, or of an entry of the table of contents.
func (x *step) ppcUpper(to, symbol, table string) {
	switch {
	case table == "got":
		location, _ := x.symbol(symbol)
		x.becomes(to, fact{kind: got, symbol: location})
	case strings.HasPrefix(symbol, "."):
		x.becomes(to, fact{kind: pool, symbol: symbol})
	default:
		location, _ := x.symbol(symbol)
		x.upper(to, location)
	}
}

// ppcEntry translates a load of an address from the table of contents or from the GOT.
func (x *step) ppcEntry() bool {
	parts := ppcAddress().FindStringSubmatch(x.arg(1))
	if parts == nil {
		return false
	}
	part := ppcPart().FindStringSubmatch(parts[1])
	if part == nil {
		return false
	}
	base := x.register(parts[2])
	f := x.facts[base]
	value := part[1]
	switch {
	case part[2] == "got":
		location, _ := x.symbol(part[1])
		if base != "r2" && (f.kind != got || f.symbol != location) {
			x.fail("%s does not certainly have the upper part of the address of %s's entry here", base, part[1])
		}
	case !strings.HasPrefix(part[1], "."):
		return false
	default:
		if base != "r2" && (f.kind != pool || f.symbol != part[1]) {
			x.fail("%s does not certainly have the upper part of the address of %s here", base, part[1])
		}
		words := x.data(part[1], ".tc", ".quad", ".8byte")
		value = words[len(words)-1]
	}
	if _, err := litmus.ParseNumber(value); err == nil {
		x.fail("the constant %s at %s is a number: only addresses are read", value, part[1])
	}
	location, offset := x.symbol(value)
	x.points(x.reg(0), location, offset)
	return true
}

// ppcFrame translates stdu 1,-80(1), which makes a stack frame and stores the old stack pointer.
func (x *step) ppcFrame() {
	m := ppcMemory(x, x.arg(1))
	f := x.facts[m.base]
	if m.base != x.stack || x.reg(0) != x.stack || f.kind != "stack" {
		x.fail("only the stack pointer may be updated so")
	}
	f.offset += m.offset
	if base, own := x.cell(f.offset, 64); !own {
		switch slot, promoted := x.slot(f.offset, 64); {
		case !promoted:
			x.emit("stdu r1,%d(r1)", m.offset)
		default:
			x.frame(func() {
				x.emit("mr %s,r1", slot)
				x.emit("addi r1,r1,%d", m.offset)
			})
		}
	} else {
		x.emit("std r1,0(%s)", base)
		x.frame(func() { x.emit("addi r1,r1,%d", m.offset) })
	}
	x.becomes(savedAt(f.offset), x.facts[x.stack])
	x.becomes(x.stack, f)
}

// ppcIndexed translates accesses whose address is the sum of two registers, the last two operands.
func (x *step) ppcIndexed() bool {
	f, ok := x.forms[x.op]
	if !ok || !strings.HasSuffix(f.shape, "M") {
		return false
	}
	if len(x.args) != 3 {
		x.fail("it has %d operands, and %s has 3", len(x.args), x.op)
	}
	r, base, index := x.reg(0), x.reg(1), x.reg(2)
	for _, part := range []string{base, index} {
		if part == "r0" && part == base {
			continue // means 0
		}
		if k := x.facts[part].kind; k == "stack" {
			x.fail("the place on the stack is not known")
		}
		x.reads(part)
	}
	if f.shape[0] == 'r' {
		x.reads(r)
	}
	x.emit("%s %s,%s,%s", x.op, r, base, index)
	if f.shape[0] == 'd' {
		x.sets(r)
	}
	return true
}
