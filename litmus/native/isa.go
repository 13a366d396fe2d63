package native

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/lower"
)

// isa is what inline assembly for an architecture needs to know.
type isa struct {
	// pool are the registers that a compiler can bind to a variable. The last ones replace reserved registers.
	pool []string
	// fixed are others that can be bound but that replace no other.
	fixed []string
	// renamed, unless nil, says which registers of the pool replace others.
	renamed  func(physical string) bool
	zero     string // the register that is always 0, as the test's whole register
	clobbers string
	flags    []string // of the compiler
	// spell, unless nil, writes a register. prefix is the first letter in the test.
	spell func(prefix byte, physical string) string
	// word, unless nil, writes other words.
	word func(w string) string
	// convert, unless nil, changes the text of a whole instruction.
	convert func(text string) string
	// ends matches instructions that end the thread, and what jumps to the end instead.
	ends func(mnemonic string, operands []litmus.Word) (jump string, ok bool)
	// tuples matches instructions that need adjacent registers.
	tuples     func() *regexp.Regexp
	extensions []extension
}

// extension is a directive for the instructions that it makes known to the assembler.
type extension struct {
	mnemonics func() *regexp.Regexp
	directive string
}

// registers lists registers by number.
func registers(prefix string, numbers ...int) (out []string) {
	for _, n := range numbers {
		out = append(out, prefix+strconv.Itoa(n))
	}
	return out
}

// span lists numbers, including the last.
func span(from, to int) (out []int) {
	for n := from; n <= to; n++ {
		out = append(out, n)
	}
	return out
}

// mnemonics returns a regular expression of mnemonics that is compiled when it is first used.
func mnemonics(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + pattern + `)$`) })
}

// isas are the architectures. The registers that are not in a pool: the stack pointer, the frame pointer, and those
// that the system's calling conventions reserve.
var isas = map[string]isa{
	"X86":    x86ISA,
	"X86_64": x86ISA,
	"AArch64": {
		pool:     registers("x", slices.Concat(span(0, 15), span(19, 28))...),
		zero:     "XZR",
		clobbers: `"cc", "memory"`,
		spell: func(prefix byte, physical string) string {
			return string(prefix) + physical[1:]
		},
		ends: func(mnemonic string, operands []litmus.Word) (string, bool) {
			return "b", strings.EqualFold(mnemonic, "RET") && len(operands) == 0
		},
		tuples: mnemonics(`CASPA?L?`),
		extensions: []extension{
			{
				mnemonics(`(CAS|CASP|SWP|(LD|ST)(ADD|CLR|EOR|SET|SMAX|SMIN|UMAX|UMIN))(A?L?)(B|H)?`),
				".arch_extension lse",
			},
			{mnemonics(`LDAPR(B|H)?`), ".arch_extension rcpc"},
			{mnemonics(`LDAPUR.*|STLUR.*`), ".arch armv8.4-a"},
			{mnemonics(`(SWPP|LDCLRP|LDSETP)(A?L?)`), ".arch_extension lse128"},
			{mnemonics(`LDIAPP|STILP`), ".arch_extension rcpc3"},
			{mnemonics(`ABS|CNT|CTZ|SMAX|SMIN|UMAX|UMIN`), ".arch_extension cssc"},
		},
	},
	"ARM": {
		pool:     registers("r", slices.Concat(span(0, 10), []int{12, 14})...),
		clobbers: `"cc", "memory"`,
		flags:    []string{"-marm"},
		ends: func(mnemonic string, operands []litmus.Word) (string, bool) {
			rest, bx := strings.CutPrefix(strings.ToUpper(mnemonic), "BX")
			lr := len(operands) == 1 && slices.Contains([]string{"LR", "R14"}, strings.ToUpper(operands[0].Text))
			return "b" + strings.ToLower(rest), bx && lr
		},
		tuples: mnemonics(`(LDRD|STRD|LDREXD|STREXD|LDAEXD|STLEXD|LDM|STM).*`),
		extensions: []extension{
			{mnemonics(`LDA(B|H)?|STL(B|H)?|LDAEX.?|STLEX.?`), ".arch armv8-a"},
		},
	},
	"PPC": {
		pool:     registers("r", slices.Concat(span(0, 0), span(3, 12), span(14, 30))...),
		renamed:  func(physical string) bool { return physical != "r0" }, // r0 can mean 0
		clobbers: `"cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"`,
		spell:    func(_ byte, physical string) string { return "%%" + physical },
		word: func(w string) string {
			if len(w) == 3 && strings.EqualFold(w[:2], "cr") {
				return "%" + strings.ToLower(w)
			}
			return w
		},
		ends: func(mnemonic string, operands []litmus.Word) (string, bool) {
			jump, ok := strings.CutSuffix(strings.ToLower(strings.TrimRight(mnemonic, "+-")), "lr")
			return jump, ok && strings.HasPrefix(jump, "b") && len(operands) == 0
		},
	},
	"RISCV": {
		pool:     registers("x", slices.Concat(span(5, 7), span(9, 31))...),
		zero:     "x0",
		clobbers: `"memory"`,
		ends: func(mnemonic string, operands []litmus.Word) (string, bool) {
			name := strings.ToLower(mnemonic)
			ra := len(operands) == 1 && slices.Contains([]string{"ra", "x1"}, operands[0].Text)
			return "j", name == "ret" || name == "jr" && ra
		},
		convert: convertRISCV,
		extensions: []extension{
			{mnemonics(`(sh[123]add|slli|add)(\.uw)?|andn|orn|xnor|minu?|maxu?|clzw?|ctzw?|cpopw?|rolw?|rorw?|roriw?|rev8|` +
				`orc\.b|b(set|clr|inv|ext)i?|[sz]ext\.[bh]`), ".option arch, +zba, +zbb, +zbs"},
			{mnemonics(`pause`), ".option arch, +zihintpause"},
		},
		tuples: mnemonics(`amocas\.q.*`),
	},
	"MIPS": {
		pool:     registers("$", slices.Concat(span(2, 24))...),
		zero:     "$0",
		clobbers: `"hi", "lo", "memory"`,
		ends: func(mnemonic string, operands []litmus.Word) (string, bool) {
			ra := len(operands) == 1 && slices.Contains([]string{"$31", "ra", "$ra"}, operands[0].Text)
			return "b", strings.EqualFold(mnemonic, "jr") && ra
		},
		spell: func(_ byte, physical string) string { return physical },
	},
}

var x86ISA = isa{
	pool: []string{
		"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	},
	clobbers: `"cc", "memory"`,
}

// physical returns the processor's name for a whole register of a test; ok is false for symbolic registers.
func (s isa) physical(whole string) (name string, ok bool) {
	switch name = strings.ToLower(whole); {
	case strings.HasPrefix(whole, "%"):
		return "", false
	case len(name) == 3 && name[0] == 'e': // EAX
		name = "r" + name[1:]
	case name == "sp":
		return "sp", true
	case strings.HasPrefix(whole, "$"):
		return whole, true
	}
	return name, true
}

// end returns the jump that an instruction which ends the thread becomes.
func (s isa) end(mnemonic string, operands []litmus.Word) (jump string, ok bool) {
	if s.ends == nil {
		return "", false
	}
	return s.ends(mnemonic, operands)
}

// coded matches instructions that few assemblers know: ordered loads and stores (Zalasr), compare-and-swaps (Zacas),
// and atomic instructions on bytes and halfwords (Zabha).
var coded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)^(?:(l|s)([bhwd])(\.aq\.?rl|\.aq|\.rl)|amo(\w+)\.([bhwd])(\.aq\.?rl|\.aq|\.rl)?)\s+` +
			`(\w+),\s*(?:(\w+),\s*)?(?:0\s*)?\((\w+)\)$`)
})

// functions are the five bits of atomic instructions that say what they do.
var functions = map[string]int{
	"add": 0, "swap": 1, "xor": 4, "cas": 5, "or": 8, "and": 12, "min": 16, "max": 20, "minu": 24, "maxu": 28,
}

// convertRISCV writes instructions that few assemblers know with the directive .insn, as the specifications encode
// them, and la of a location as a move. Assemblers want aqrl without the second dot.
func convertRISCV(text string) string {
	if rest, ok := strings.CutPrefix(text, "la "); ok && strings.Contains(rest, "%[") {
		return "mv " + rest
	}
	if m := coded().FindStringSubmatch(text); m != nil {
		do, width, order, first, second := 6, m[2], m[3], m[7], "x0"
		switch name := strings.ToLower(m[1] + m[4]); {
		case name == "s":
			do, first, second = 7, "x0", m[7]
		case name != "l":
			do, width, order, second = functions[name], m[5], m[6], m[8]
		}
		known := m[4] != "" && !strings.EqualFold(m[4], "cas") && strings.ContainsAny(width, "wdWD")
		if (m[8] != "") == (m[4] != "") && !known {
			code := do << 2
			if strings.Contains(order, "aq") {
				code |= 2
			}
			if strings.Contains(order, "rl") {
				code |= 1
			}
			return fmt.Sprintf(".insn r 0x2f,%d,%#x,%s,%s,%s", strings.Index("bhwd", strings.ToLower(width)), code,
				first, m[9], second)
		}
	}
	return strings.Replace(text, ".aq.rl", ".aqrl", 1)
}

// words are the names of registers and instructions of the test's architecture.
func (a *assembler) words() lower.Words {
	words, _ := dialect.Words(a.test.Arch)
	return words
}
