package readback

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus/listing"
)

// riscv reads RV64 instructions, which litmus tests write as assemblers do. Addresses of objects come from LUI with %hi
// and %lo, from AUIPC with %pcrel_hi and %pcrel_lo, from the GOT, or from LA and LLA.
var riscv = Machine{
	Arch: "RISCV", Names: []string{"riscv", "riscv64"}, Title: "RISC-V, 64 bits",
	Triples: []string{"riscv64"}, Clang: "riscv64-linux-gnu",
	syntax: listing.RISCV, pointer: 64, stack: "sp",
	spare:     append(strings.Fields("t6 t5 t4 t3 s11 s10 s9 s8 s7 s6 s5 s4 s3 s2 s1 t2 t1 t0 a7 a6"), symbolics()...),
	arguments: strings.Fields("a0 a1 a2 a3 a4 a5 a6 a7"),
	register:  riscvRegister,
	move:      func(to, from string, _ int) string { return "mv " + to + "," + from },
	translate: translateBy(riscvGrammar), cells: true,
}

// riscvNames maps the registers' names to those of the calling convention.
var riscvNames = func() map[string]string {
	m := map[string]string{"fp": "s0"}
	for n, name := range strings.Fields("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 " +
		"s8 s9 s10 s11 t3 t4 t5 t6") {
		m[name], m["x"+strconv.Itoa(n)] = name, name
	}
	return m
}()

func riscvRegister(word string) string { return riscvNames[strings.ToLower(word)] }

var riscvGrammar = &grammar{
	forms: riscvForms(), none: words("nop pause"), special: riscvSpecial, memory: riscvMemory, zero: "zero",
	operand: func(_ *step, _ byte, text string) string { return text },
	write:   func(m memory) string { return fmt.Sprintf("%d(%s)", m.offset, m.base) },
	copied:  func(to, from string) string { return "mv " + to + "," + from },
	add:     func(to, from string, n int) string { return fmt.Sprintf("addi %s,%s,%d", to, from, n) },
	loaded: func(to, slot string, f form) string {
		if f.bits == 64 {
			return "mv " + to + "," + slot
		}
		return fmt.Sprintf("%sext.%c %s,%s", map[bool]string{true: "s", false: "z"}[f.signed],
			map[int]byte{8: 'b', 16: 'h', 32: 'w'}[f.bits], to, slot)
	},
}

// riscvForms are the instructions of RV64 with A, M, Zba, Zbb, Zbs, Zabha and Zacas.
func riscvForms() map[string]form {
	m := map[string]form{}
	forms(m, form{shape: "drr"}, `add sub and or xor sll srl sra slt sltu addw subw sllw srlw sraw mul mulw mulh mulhu
		mulhsu div divu divw divuw rem remu remw remuw add.uw sh1add sh2add sh3add sh1add.uw sh2add.uw sh3add.uw andn orn
		xnor min minu max maxu rol rolw ror rorw bset bclr binv bext`)
	forms(
		m,
		form{shape: "dri"},
		`addi andi ori xori slti sltiu slli srli srai addiw slliw srliw sraiw slli.uw rori roriw
		bseti bclri binvi bexti`,
	)
	forms(
		m,
		form{shape: "dr"},
		`neg negw not sext.b sext.h sext.w zext.b zext.h zext.w seqz snez sltz sgtz clz clzw ctz
		ctzw cpop cpopw rev8 orc.b`,
	)
	forms(m, form{shape: "di"}, "li lui")
	forms(m, form{shape: "rrl"}, "beq bne blt bge bgt ble bltu bgeu bgtu bleu")
	forms(m, form{shape: "rl"}, "beqz bnez bltz bgez bgtz blez")
	forms(m, form{}, "fence.tso fence.i")
	for letter, bits := range map[string]int{"b": 8, "h": 16, "w": 32, "d": 64} {
		m["l"+letter] = form{"dm", 'l', bits, true}
		if bits < 64 {
			m["l"+letter+"u"] = form{"dm", 'l', bits, false}
		}
		m["s"+letter] = form{"rm", 's', bits, false}
		for _, order := range []string{"", ".aq", ".rl", ".aqrl", ".aq.rl"} {
			for _, op := range strings.Fields("swap add and or xor min max minu maxu") {
				m["amo"+op+"."+letter+order] = form{"drm", 'x', bits, true}
			}
			m["amocas."+letter+order] = form{"urm", 'x', bits, true}
			if bits >= 32 {
				m["lr."+letter+order] = form{"dm", 'x', bits, true}
				m["sc."+letter+order] = form{"drm", 'x', bits, true}
			}
		}
	}
	return m
}

var (
	riscvPart    = lazily(`^%(hi|lo|pcrel_hi|pcrel_lo|got_pcrel_hi)\(([^()]+)\)$`)
	riscvAddress = lazily(`^(.*)\((\w+)\)$`)
)

// riscvMemory splits 8(a0), %lo(x)(a0) and (a0).
func riscvMemory(x *step, text string) memory {
	parts := riscvAddress().FindStringSubmatch(text)
	if parts == nil || x.register(parts[2]) == "" {
		x.fail("%s is no address of the form 0(a0)", text)
	}
	m := memory{base: x.register(parts[2])}
	switch offset := strings.TrimSpace(parts[1]); {
	case offset == "":
	case isNumber(offset):
		m.offset = x.number(offset)
	default:
		m.offset, m.whole = x.riscvLow(m.base, offset), true
	}
	return m
}

// riscvLow returns the offset that the lower part of an address adds to what a register has in the test.
func (x *step) riscvLow(base, text string) int {
	part := riscvPart().FindStringSubmatch(text)
	switch {
	case part == nil || strings.HasSuffix(part[1], "hi"):
		x.fail("got %s, want a number, %%lo or %%pcrel_lo", text)
	case part[1] == "lo":
		return x.lower(base, part[2])
	}
	symbol, _ := x.riscvPCRelative(part[2])
	return x.lower(base, symbol)
}

// riscvPCRelative returns the symbol whose upper part the AUIPC at a label computes, and whether it is that of its
// entry in the GOT.
func (x *step) riscvPCRelative(label string) (symbol string, entry bool) {
	lines := x.function.Lines
	at := slices.IndexFunc(lines, func(l listing.Line) bool { return l.Label == label })
	for at >= 0 && at < len(lines) && lines[at].Label != "" {
		at++
	}
	if at >= 0 && at < len(lines) && lines[at].Op == "auipc" && len(lines[at].Args) == 2 {
		if part := riscvPart().FindStringSubmatch(lines[at].Args[1]); part != nil {
			return part[2], part[1] == "got_pcrel_hi"
		}
	}
	x.fail("there is no auipc with %%pcrel_hi at %s", label)
	return "", false
}

// riscvSpecial translates jumps, fences, copies and what computes addresses.
func riscvSpecial(x *step) bool {
	switch x.op {
	case "ret":
		x.ret("j")
	case "jr":
		if x.reg(0) != "ra" {
			x.fail("it jumps to an address in a register")
		}
		x.ret("j")
	case "j":
		x.emit("j %s", x.jump(x.arg(0)))
		x.stop()
	case "call", "tail", "jal", "jalr":
		x.callee(strings.TrimSuffix(x.arg(len(x.args)-1), "@plt"))
	case "fence":
		if len(x.args) != 2 && len(x.args) != 0 {
			x.fail("want two sets of accesses")
		}
		x.emit("%s", strings.TrimSpace("fence "+strings.Join(x.args, ",")))
	case "mv":
		x.moves(x.reg(0), x.reg(1))
	case "la", "lla":
		location, offset := x.symbol(x.arg(1))
		x.points(x.reg(0), location, offset)
	case "lui":
		if part := riscvPart().FindStringSubmatch(x.arg(1)); part != nil && part[1] == "hi" {
			location, _ := x.symbol(part[2])
			x.upper(x.reg(0), location)
			return true
		}
		return false
	case "auipc":
		x.riscvUpper()
	case "addi":
		x.riscvAdd()
	case "ld":
		return x.riscvEntry()
	default:
		return false
	}
	return true
}

// riscvUpper translates AUIPC.
func (x *step) riscvUpper() {
	part := riscvPart().FindStringSubmatch(x.arg(1))
	switch {
	case part == nil || !strings.HasSuffix(part[1], "pcrel_hi"):
		x.fail("the program counter is not a value in tests: want %%pcrel_hi or %%got_pcrel_hi of a symbol")
	case part[1] == "got_pcrel_hi":
		location, _ := x.symbol(part[2])
		x.becomes(x.reg(0), fact{kind: got, symbol: location})
	default:
		location, _ := x.symbol(part[2])
		x.upper(x.reg(0), location)
	}
}

// riscvAdd translates ADDI: of the lower part of an address, or of a number.
func (x *step) riscvAdd() {
	to, from, text := x.reg(0), x.reg(1), x.arg(2)
	if !isNumber(text) {
		x.completed(to, from, x.riscvLow(from, text))
		return
	}
	x.adds(to, from, x.number(text), fmt.Sprintf("addi %s,%s,%s", x.arg(0), x.arg(1), text))
}

// riscvEntry translates a load of an address from the GOT.
func (x *step) riscvEntry() bool {
	parts := riscvAddress().FindStringSubmatch(x.arg(1))
	if parts == nil {
		return false
	}
	part := riscvPart().FindStringSubmatch(parts[1])
	if part == nil || part[1] != "pcrel_lo" {
		return false
	}
	symbol, entry := x.riscvPCRelative(part[2])
	if !entry {
		return false
	}
	location, offset := x.symbol(symbol)
	base := x.register(parts[2])
	if f := x.facts[base]; f.kind != got || f.symbol != location {
		x.fail("%s does not certainly have the upper part of the address of %s's entry here", base, symbol)
	}
	x.points(x.reg(0), location, offset)
	return true
}
