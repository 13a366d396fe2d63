package arm

import (
	"slices"
	"strconv"

	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{Forms: lower.Forms(forms), Register: register, Cycles: cycles, Barriers: []string{"DMB", "DMB ST"}}
	for n := range 15 {
		w.Registers = append(w.Registers, "R"+strconv.Itoa(n))
	}
	w.Aliases = append(lower.Names(aliases), "R15")
	w.Modifiers = slices.Concat(lower.Names(shifts), lower.Names(armasm.Conditions), lower.Names(barriers))
	return w
}

const (
	flagged = "<|S=sets the flags>"
	domains = "<SY=orders all accesses|ISH=orders all accesses|OSH=orders all accesses|ST=orders earlier stores " +
		"before later stores|ISHST=orders earlier stores before later stores|" +
		"OSHST=orders earlier stores before later stores" +
		"|NSH=for this thread alone|NSHST=for this thread alone>"
)

var forms = [][3]string{
	{"MOV", "R0,#1", "sets a register to a number"},
	{"STR", "R0,[R1]", "stores a register to the address in R1"},
	{"LDR", "R0,[R1]", "loads a register from the address in R1"},
	{"DMB", "", "barrier: orders all accesses"},
	{"DMB", domains, "barrier: $1"},
	{"DSB", "", "barrier that also waits for completion: orders all accesses"},
	{"DSB", domains, "barrier that also waits for completion: $1"},
	{"ISB", "", "after a branch: later accesses wait for the values that the branch depends on"},
	{"LDREX", "R0,[R1]", "load-exclusive, for a store-exclusive"},
	{"STREX", "R2,R0,[R1]", "store-exclusive: stores if no other thread has stored since, and returns 0 on success"},
	{"CMP", "R0,#0", "compares, for a branch or a condition"},
	{"B" + armasm.Codes, "L0", "branches to a label if $1"},
	{"B", "L0", "jumps to a label"},
	{"CBZ", "R0,L0", "branches to a label if the register is 0"},
	{"CBNZ", "R0,L0", "branches to a label if the register is not 0"},
	{"EOR", "R3,R0,R0", "exclusive or; of a register with itself: 0, with a dependency on it"},
	{"LDR", "R4,[R3,R1]", "loads from the sum of two registers: for an address dependency"},
	{"ADD", "R2,R0,#1", "adds"},
	{"SUB", "R2,R0,#1", "subtracts"},
	{"<ADD=adds|SUB=subtracts|EOR=bitwise exclusive or|MUL=multiplies>S", "R2,R0,R1", "$1, and sets the flags"},
	{
		"<RSB=subtracts the first from the second|AND=bitwise and|BIC=bitwise and, the second inverted|ORR=bitwise " +
			"or|ORN=bitwise or, the second inverted>" + flagged,
		"R2,R0,R1", "$1",
	},
	{"MUL", "R2,R0,R1", "multiplies"},
	{"<CMN=the sum|TST=the bitwise and|TEQ=the bitwise exclusive or>", "R0,R1", "sets the flags for $1"},
	{"MOVS", "R0,#1", "sets a register to a number, and the flags"},
	{"MVN" + flagged, "R0,#1", "sets a register to the inverse of a number"},
	{"MOV<EQ=equal|NE=not equal>", "R0,#1", "sets a register if $1: most instructions accept a condition this way"},
	{"MOV<W=a number of 16 bits|T=the upper half, leaving the lower>", "R0,#1", "sets $1"},
	{"<LSL=shifts to the left|LSR=shifts to the right|ASR=shifts to the right, keeping the sign|ROR=turns to the " +
		"right>" + flagged, "R1,R0,#1", "$1"},
	{"<ADC=adds|SBC=subtracts|RSC=subtracts the first from the second,>" + flagged, "R2,R0,R1", "$1 with the carry"},
	{"<U=of unsigned numbers|S=of signed numbers>MULL", "R2,R3,R0,R1", "the product $1: its lower half, and its upper"},
	{"SMMUL", "R2,R0,R1", "the upper half of the product of signed numbers"},
	{"ML<A=adds a product|S=takes a product away>", "R3,R0,R1,R2", "$1: the product of the second and the third, " +
		"and the fourth"},
	{
		"<U=zeros|S=the sign>BFX", "R1,R0,#8,#4",
		"copies a field of bits, given its lowest bit and its width, with $1 above",
	},
	{"BFI", "R1,R0,#8,#4", "puts low bits into a field, and leaves the others"},
	{"BFC", "R1,#8,#4", "clears a field of bits"},
	{"<U=zeros|S=its sign>XT<B=byte|H=halfword>", "R1,R0", "widens the lowest $2 with $1"},
	{"<CLZ=counts the zeros above the highest one|RBIT=reverses the bits|REV=reverses the bytes|REV16=reverses the " +
		"bytes of each halfword" +
		"|REVSH=reverses the bytes of the lower halfword, widened with its sign>", "R1,R0", "$1"},
	{"LDR<B=a byte|H=a halfword|SB=a byte with its sign|SH=a halfword with its sign>", "R0,[R1]", "loads $1"},
	{"<STR|LDR><EQ=equal|NE=not equal>", "R0,[R1]", "accesses memory if $2"},
	{"STR<B=byte|H=halfword>", "R0,[R1]", "stores a $1"},
	{"LDREX<B=byte|H=halfword>", "R0,[R1]", "load-exclusive of a $1"},
	{"STREX<B=byte|H=halfword>", "R2,R0,[R1]", "store-exclusive of a $1"},
	{
		"LDA<|B=byte|H=halfword>", "R0,[R1]",
		"load-acquire (Armv8): comes before all later accesses, and after an earlier STL",
	},
	{"STL<|B=byte|H=halfword>", "R0,[R1]", "store-release (Armv8): comes after all earlier accesses"},
	{"LDAEX<|B=byte|H=halfword>", "R0,[R1]", "load-exclusive that acquires (Armv8)"},
	{"STLEX<|B=byte|H=halfword>", "R2,R0,[R1]", "store-exclusive that releases (Armv8)"},
	{
		"<LDREXD=load-exclusive|LDAEXD=load-exclusive that acquires (Armv8),>", "R0,R1,[R2]",
		"$1 of two adjacent locations in one access",
	},
	{
		"<STREXD=store-exclusive|STLEXD=store-exclusive that releases (Armv8),>", "R3,R0,R1,[R2]",
		"$1 of two adjacent locations in one access",
	},
	{"<LDRD=loads|STRD=stores>", "R0,R1,[R2]", "$1 two adjacent locations, with one access for each"},
	{
		"<LDM=loads|STM=stores><|IA=upwards from the base|IB=upwards from behind the base>", "R0,{R1,R2}",
		"$1 several registers",
	},
	{"<LDMDB=loads|STMDB=stores>", "R0,{R1,R2}", "$1 several registers, the last one just below the base"},
	{"PUSH", "{R4,R5}", "stores several registers below SP, and moves SP down"},
	{"POP", "{R4,R5}", "loads several registers from SP upwards, and moves SP up"},
	{"BX", "LR", "ends the thread"},
	{"BX", "R0", "jumps to the label whose address is in a register"},
	{"ADR", "R0,L0", "takes the address of a label"},
	{"NOP", "", "nothing"},
}
