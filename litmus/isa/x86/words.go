package x86

import (
	"slices"
	"strings"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(arch string) lower.Words {
	if arch == "X86_64" {
		return lower.Words{
			Forms: lower.Forms(attForms), Registers: registerNames(views64()),
			Register: registerOf(true), Sigil: "%", Cycles: cycles64, Barriers: []string{"mfence"},
		}
	}
	return lower.Words{
		Forms: lower.Forms(intelForms), Registers: registerNames(views32()), Register: registerOf(false),
		Cycles: cycles32, Barriers: []string{"MFENCE"},
	}
}

// registerNames lists whole registers before their parts.
func registerNames(views map[string]lower.RegisterView) []string {
	var out []string
	for name, v := range views {
		if !strings.HasSuffix(name, "IP") {
			out = append(out, v.Print)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		x, y := views[strings.ToUpper(a)], views[strings.ToUpper(b)]
		if x.Bits != y.Bits {
			return y.Bits - x.Bits
		}
		return strings.Compare(a, b)
	})
	return out
}

// The condition codes, in the order of use.
const codes = "<E=equal|Z=zero|NE=not equal|NZ=not zero|L=less|LE=less or equal|G=greater|GE=greater or equal" +
	"|B=below, unsigned|BE=below or equal, unsigned|A=above, unsigned|AE=above or equal, unsigned|C=carry|NC=no carry" +
	"|S=negative|NS=not negative|O=overflow|NO=no overflow|NAE=not above or equal|NB=not below|NBE=not below or " +
	"equal|NA=not above" +
	"|NGE=not greater or equal|NL=not less|NLE=not less or equal|NG=not greater>"

const (
	helpMFENCE  = "full fence: empties the thread's store buffer before any later access"
	helpSFENCE  = "store fence: orders earlier stores before later stores"
	helpLFENCE  = "load fence: orders earlier loads before all later accesses"
	helpXCHG    = "swaps register and memory in one atomic step; a full fence, with or without LOCK"
	helpXADD    = "adds to memory in one atomic step and returns the old value; a full fence"
	helpCMPXCHG = "if memory equals the accumulator, stores the register, else loads the accumulator; atomic, a " +
		"full fence"
	helpPair   = "if memory equals DX:AX, stores CX:BX, else loads DX:AX; atomic, a full fence"
	helpLocked = "$1 in one atomic step; a full fence"
	helpJump   = "jumps to a label if: $1"
	helpMove   = "copies if: $1; the source is read in any case"
	helpSet    = "1 if: $1, else 0"
	verbs      = "<ADD=adds|SUB=subtracts|AND=takes the bitwise and|OR=takes the bitwise or|XOR=takes the bitwise " +
		"exclusive or" +
		"|ADC=adds with the carry|SBB=subtracts with the borrow>"
	shifts = "<SHL=shifts to the left|SAL=shifts to the left|SHR=shifts to the right|SAR=shifts to the right, " +
		"keeping the sign|ROL=turns to the left|ROR=turns to the right>"
	elsewhere   = "<SHLX=to the left|SHRX=to the right|SARX=to the right, keeping the sign>"
	testsOfBits = "<S=sets|R=clears|C=changes>"
	searches    = "<BSF=the number of the lowest one; of 0, what was there|BSR=the number of the highest one; of 0, " +
		"what was there" +
		"|TZCNT=how many zeros are below the lowest one|LZCNT=how many zeros are above the highest one|POPCNT=how " +
		"many ones there are>"
	steps = "<INC=adds 1|DEC=takes 1 away|NEG=changes the sign|NOT=inverts every bit>"
)

// intelForms are in Intel's order, destination first.
var intelForms = [][3]string{
	{"MOV", "[x],$1", "stores a value to memory"},
	{"MOV", "EAX,[x]", "loads from memory into a register"},
	{"MOV", "EAX,$1", "sets a register"},
	{"MFENCE", "", helpMFENCE},
	{"XCHG", "[x],EAX", helpXCHG},
	{"LOCK XCHG", "[x],EAX", helpXCHG},
	{"LOCK XADD", "[x],EAX", helpXADD},
	{"LOCK CMPXCHG", "[x],EBX", helpCMPXCHG},
	{"LOCK CMPXCHG8B", "[x]", helpPair},
	{"LOCK " + verbs, "[x],$1", helpLocked},
	{"LOCK " + steps, "[x]", helpLocked},
	{"SFENCE", "", helpSFENCE},
	{"LFENCE", "", helpLFENCE},
	{"XADD", "[x],EAX", "adds to memory and returns the old value; atomic only with LOCK"},
	{"CMPXCHG", "[x],EBX", "compares and exchanges; atomic only with LOCK"},
	{verbs, "EAX,$1", "$1; sets the flags"},
	{"CMP", "EAX,$1", "compares: sets the flags for a jump"},
	{"TEST", "EAX,EAX", "sets the flags for the bitwise and, for a jump on zero"},
	{"IMUL", "EAX,EBX", "multiplies"},
	{"IMUL", "EAX,EBX,$3", "multiplies by a number"},
	{"BT", "EAX,$1", "copies a bit into the carry flag"},
	{"BT" + testsOfBits, "EAX,$1", "copies a bit into the carry flag and $1 it"},
	{"LOCK BT" + testsOfBits, "[x],$1", "copies a bit into the carry flag and $1 it in one atomic step; a full fence"},
	{searches, "EAX,EBX", "$1"},
	{"ANDN", "EAX,EBX,ECX", "takes the bitwise and of the first's complement and the second"},
	{"BSWAP", "EAX", "reverses the bytes"},
	{steps, "EAX", "$1"},
	{shifts, "EAX,$1", "$1"},
	{elsewhere, "EAX,EBX,ECX", "shifts $1 into another register; no flags"},
	{"RORX", "EAX,EBX,$1", "rotates to the right into another register; no flags"},
	{"<CDQ|CLTD>", "", "sets EDX to the sign of EAX"},
	{"<CWDE|CWTL>", "", "sign-extends AX to EAX"},
	{"JMP", "L0", "jumps to a label"},
	{"JMP", "EAX", "jumps to the label whose address is in a register"},
	{"LEA", "EAX,[L0]", "takes the address of a label"},
	{"J" + codes, "L0", helpJump},
	{"CMOV" + codes, "EAX,EBX", helpMove},
	{"SET" + codes, "AL", helpSet},
	{"LEA", "EAX,[x]", "computes an address, without an access"},
	{"MOV<Z=with zeros|S=with the sign>X", "EAX,BL", "copies to a wider register, widened $1"},
	{"PAUSE", "", "no operation, for loops that wait"},
	{"NOP", "", "nothing"},
	{"RET", "", "ends the thread"},
}

// attForms are in AT&T's order, source first, and name the width.
var attForms = [][3]string{
	{"movl", "$1,(x)", "stores a value to memory (32 bits)"},
	{"movl", "(x),%eax", "loads from memory into a register (32 bits)"},
	{"movl", "$1,%eax", "sets a register (32 bits)"},
	{"movq", "$1,(x)", "stores a value to memory (64 bits)"},
	{"movq", "(x),%rax", "loads from memory into a register (64 bits)"},
	{"movq", "$1,%rax", "sets a register (64 bits)"},
	{"mov<b=8|w=16>", "$1,(x)", "stores a value to memory ($1 bits)"},
	{"mfence", "", helpMFENCE},
	{"xchgl", "%eax,(x)", helpXCHG},
	{"xchgq", "%rax,(x)", helpXCHG},
	{"xchgb", "%al,(x)", helpXCHG},
	{"xchgw", "%ax,(x)", helpXCHG},
	{"lock xaddl", "%eax,(x)", helpXADD},
	{"lock xaddq", "%rax,(x)", helpXADD},
	{"lock xaddb", "%al,(x)", helpXADD},
	{"lock xaddw", "%ax,(x)", helpXADD},
	{"lock cmpxchgl", "%ebx,(x)", helpCMPXCHG},
	{"lock cmpxchgq", "%rbx,(x)", helpCMPXCHG},
	{"lock cmpxchgb", "%bl,(x)", helpCMPXCHG},
	{"lock cmpxchgw", "%bx,(x)", helpCMPXCHG},
	{"lock cmpxchg8b", "(x)", helpPair},
	{"lock cmpxchg16b", "(%rdi)", helpPair},
	{"lock " + strings.ToLower(verbs) + "<l=32 bits|q=64 bits|b=8 bits|w=16 bits>", "$1,(x)", helpLocked},
	{"lock " + strings.ToLower(steps) + "<l=32 bits|q=64 bits|b=8 bits|w=16 bits>", "(x)", helpLocked},
	{"sfence", "", helpSFENCE},
	{"lfence", "", helpLFENCE},
	{strings.ToLower(verbs) + "l", "$1,%eax", "$1; sets the flags"},
	{strings.ToLower(verbs) + "q", "$1,%rax", "$1; sets the flags (64 bits)"},
	{strings.ToLower(verbs) + "<b=8|w=16>", "$1,(x)", "$1; sets the flags ($2 bits)"},
	{"cmpl", "$1,%eax", "compares: sets the flags for a jump"},
	{"cmpq", "$1,%rax", "compares: sets the flags for a jump (64 bits)"},
	{"cmp<b=8|w=16>", "$1,(x)", "compares: sets the flags for a jump ($1 bits)"},
	{"testl", "%eax,%eax", "sets the flags for the bitwise and, for a jump on zero"},
	{"testb", "%al,%al", "sets the flags for the bitwise and, for a jump on zero (8 bits)"},
	{"testw", "%ax,%ax", "sets the flags for the bitwise and, for a jump on zero (16 bits)"},
	{"imull", "%ebx,%eax", "multiplies"},
	{"imulq", "%rbx,%rax", "multiplies (64 bits)"},
	{"imull", "$3,%ebx,%eax", "multiplies by a number"},
	{"btl", "$1,%eax", "copies a bit into the carry flag"},
	{"bt" + strings.ToLower(testsOfBits) + "l", "$1,%eax", "copies a bit into the carry flag and $1 it"},
	{
		"lock bt" + strings.ToLower(testsOfBits) + "<l=32 bits|q=64 bits|w=16 bits>", "$1,(x)",
		"copies a bit into the carry flag and $1 it in one atomic step; a full fence",
	},
	{strings.ToLower(searches) + "l", "%ebx,%eax", "$1"},
	{strings.ToLower(searches) + "q", "%rbx,%rax", "$1 (64 bits)"},
	{"andnl", "%ecx,%ebx,%eax", "takes the bitwise and of the second's complement and the first"},
	{"bswap", "%eax", "reverses the bytes"},
	{strings.ToLower(steps) + "l", "%eax", "$1"},
	{strings.ToLower(steps) + "q", "%rax", "$1 (64 bits)"},
	{strings.ToLower(shifts) + "l", "$1,%eax", "$1"},
	{strings.ToLower(shifts) + "q", "$1,%rax", "$1 (64 bits)"},
	{strings.ToLower(elsewhere) + "l", "%ecx,%ebx,%eax", "shifts $1 into another register; no flags"},
	{"rorxl", "$1,%ebx,%eax", "rotates to the right into another register; no flags"},
	{"<cltq|cdqe>", "", "widens %eax to %rax, with the sign"},
	{"<cwtl|cwde>", "", "widens %ax to %eax, with the sign"},
	{"<cltd|cdq>", "", "sets %edx to the sign of %eax"},
	{"<cqto|cqo>", "", "sets %rdx to the sign of %rax"},
	{"jmp", "L0", "jumps to a label"},
	{"jmp", "*%rax", "jumps to the label whose address is in a register"},
	{"j" + strings.ToLower(codes), "L0", helpJump},
	{"cmov" + strings.ToLower(codes), "%ebx,%eax", helpMove},
	{"set" + strings.ToLower(codes), "%al", helpSet},
	{"leaq", "(x),%rax", "computes an address, without an access"},
	{"leaq", "L0(%rip),%rax", "takes the address of a label"},
	{"movabs", "$1,%rax", "sets a register to a number of 64 bits"},
	{"mov<z=with zeros|s=with the sign>bw", "%bl,%ax", "copies 8 bits to 16, widened $1"},
	{"mov<z=with zeros|s=with the sign><b=8|w=16>l", "(x),%eax", "copies $2 bits to 32, widened $1"},
	{"mov<z=with zeros|s=with the sign><b=8|w=16>q", "(x),%rax", "copies $2 bits to 64, widened $1"},
	{"mov<slq|sxd>", "%ebx,%rax", "copies 32 bits to 64, sign-extended"},
	{"mov<zx=with zeros|sx=with the sign>", "%bl,%eax", "copies to a wider register, widened $1"},
	{"pause", "", "no operation, for loops that wait"},
	{"nop", "", "nothing"},
	{"nop<w|l|q>", "", "nothing"},
	{"endbr<64|32>", "", "no operation: marks where jumps may lead"},
	{"ret<|q>", "", "ends the thread"},
}
