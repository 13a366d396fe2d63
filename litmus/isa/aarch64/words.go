package aarch64

import (
	"slices"
	"strconv"

	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{
		Forms:    lower.Forms(slices.Concat(forms, scalableForms, signedForms, guardForms)),
		Register: register, Cycles: cycles,
		Barriers: []string{"DMB SY", "DMB LD", "DMB ST"}, Alternatives: alternatives(),
		Maintenance: maintenance, Frame: frameWords(),
	}
	for n := range 31 {
		w.Registers = append(w.Registers, "X"+strconv.Itoa(n))
	}
	for n := range 31 {
		w.Registers = append(w.Registers, "W"+strconv.Itoa(n))
	}
	w.Aliases = []string{"XZR", "WZR", "SP", "WSP", "LR"}
	w.Modifiers = slices.Concat(lower.Names(shifts), lower.Names(extensions), lower.Names(armasm.Conditions),
		lower.Names(barriers))
	return w
}

const (
	narrow  = "<B=8 bits|H=16 bits>"
	anySize = "<|B=8 bits|H=16 bits>"
	letters = "<|A=acquire|L=release|AL=acquire and release>"
	update  = "<ADD=adds to|CLR=clears bits of|EOR=takes the bitwise exclusive or of|SET=sets bits of|SMAX=takes " +
		"the greater of|SMIN=takes the lesser of" +
		"|UMAX=takes the greater, unsigned, of|UMIN=takes the lesser, unsigned, of>"
	domains = "<SY=orders all accesses|LD=orders earlier loads before later accesses|ST=orders earlier stores " +
		"before later stores|ISH=orders all accesses|ISHLD=orders earlier loads before later accesses|" +
		"ISHST=orders earlier stores before later stores" +
		"|OSH=orders all accesses|OSHLD=orders earlier loads before later accesses|OSHST=orders earlier stores " +
		"before later stores|NSH=for this thread alone|NSHLD=for " +
		"this thread alone|NSHST=for this thread alone>"
	flagged = "<|S=sets the flags>"
)

// systemForms are the instructions of a system's side and of vector registers.
var systemForms = [][3]string{
	{"STG", "X0,[X1]", "stores the tag of X0 as the tag of the memory at X1"},
	{"ST2G", "X0,[X1]", "stores the tag of X0 as the tag of two granules at X1"},
	{"STZG", "X0,[X1]", "stores a tag, and zeros to the memory that it is for"},
	{"STZ2G", "X0,[X1]", "stores the tag of two granules, and zeros to them"},
	{"LDG", "X0,[X1]", "loads the tag of the memory at X1 into the tag of X0"},
	{"IRG", "X0,X1", "sets X0 to X1 with any tag"},
	{"GMI", "X0,X1,X2", "adds the tag of X1 to a set of tags"},
	{"ADDG", "X0,X1,#16,#1", "adds to an address and to its tag"},
	{"SUBG", "X0,X1,#16,#1", "subtracts from an address and from its tag"},
	{"SVC", "#0", "raises an exception; the handler returns to the next instruction"},
	{"UDF", "#0", "is undefined: raises an exception"},
	{"ERET", "", "returns from the handler of an exception"},
	{"MRS", "X0,ELR_EL1", "reads the address that ERET returns to"},
	{"MSR", "ELR_EL1,X0", "sets the address that ERET returns to"},
	{"BL", "L0", "calls a function in the thread"},
	{"BLR", "X0", "calls the function at an address in the thread"},
	{"DC", "CVAU,X0", "cleans data caches, so that fetches can see what has been written"},
	{"IC", "IVAU,X0", "invalidates instruction caches, for all threads, of the line at an address"},
	{"IC", "<IALLUIS=all threads|IALLU=this thread>", "invalidates the instruction caches of $1"},
	{
		"AT", "S1E<1R=a read|1W=a write|0R=a read at EL0|0W=a write at EL0>,X0",
		"translates the address in X0, for $1; PAR_EL1 has the result, behind ISB",
	},
	{
		"TLBI", "<VAAE1|VAE1|VAALE1|VALE1><IS=all threads|=this thread>,X0",
		"invalidates the translations of a page for $2; X0 has the address of the page without its low 12 bits",
	},
	{"TLBI", "VMALLE1<IS=all threads|=this thread>", "invalidates all translations for $1"},
	{"<LD1=loads|ST1=stores>", "{V0.4S},[X1]", "$1 vector registers, with an access for each element"},
	{"LD1R", "{V0.4S},[X1]", "loads an element for all elements of a vector register"},
	{
		"<LD2=loads|ST2=stores>", "{V0.4S,V1.4S},[X1]",
		"$1 two vector registers, whose elements alternate in memory, with an access for each element",
	},
	{"LD2R", "{V0.4S,V1.4S},[X1]", "loads an element for all elements of each of two vector registers"},
	{
		"<LD3=loads|ST3=stores>", "{V0.4S,V1.4S,V2.4S},[X1]",
		"$1 three vector registers, whose elements alternate in memory, with an access for each element",
	},
	{"LD3R", "{V0.4S,V1.4S,V2.4S},[X1]", "loads an element for all elements of each of three vector registers"},
	{
		"<LD4=loads|ST4=stores>", "{V0.4S,V1.4S,V2.4S,V3.4S},[X1]",
		"$1 four vector registers, whose elements alternate in memory, with an access for each element",
	},
	{
		"LD4R", "{V0.4S,V1.4S,V2.4S,V3.4S},[X1]",
		"loads an element for all elements of each of four vector registers",
	},
	{"LDAP1", "{V0.D}[0],[X1]", "load-acquire, RCpc, of an element"},
	{"STL1", "{V0.D}[0],[X1]", "store-release of an element"},
	{"MOVI", "V0.4S,#1", "sets the elements of a vector register to a number"},
	{"FMOV", "W0,S0", "moves a scalar between a vector register and another"},
	{"DUP", "V0.4S,W0", "sets all elements to a register or an element"},
	{"UMOV", "W0,V0.S[1]", "moves an element to a register"},
	{"INS", "V0.S[1],W0", "sets an element to a register or an element"},
	{"ADDV", "S0,V1.4S", "adds the elements of a vector register"},
}

var forms = append([][3]string{
	{"MOV", "W0,#1", "sets a register to a number"},
	{"STR", "W0,[X1]", "stores a register to the address in X1"},
	{"LDR", "W0,[X1]", "loads a register from the address in X1"},
	{"DMB", domains, "barrier: $1"},
	{
		"DSB", "<SY=orders all accesses|LD=orders earlier loads before later accesses|ST=orders earlier stores " +
			"before later accesses|ISH=orders all accesses|ISHLD=orders earlier loads before later accesses|" +
			"ISHST=orders earlier stores before later accesses" +
			"|OSH=orders all accesses|OSHLD=orders earlier loads before later accesses|OSHST=orders earlier stores " +
			"before later accesses|NSH=for this thread alone|NSHLD=for " +
			"this thread alone|NSHST=for this thread alone>",
		"barrier that also waits for completion: $1",
	},
	{"ISB", "", "after a branch: later accesses wait for the values that the branch depends on"},
	{"LDAR", "W0,[X1]", "load-acquire: comes before all later accesses, and after an earlier STLR"},
	{"LDAPR", "W0,[X1]", "load-acquire, RCpc: comes before all later accesses, but need not come after an earlier " +
		"STLR"},
	{"STLR", "W0,[X1]", "store-release: comes after all earlier accesses"},
	{"LDXR", "W0,[X1]", "load-exclusive, for a store-exclusive"},
	{"LDAXR", "W0,[X1]", "load-exclusive that acquires"},
	{"STXR", "W2,W0,[X1]", "store-exclusive: stores if no other thread has stored since, and returns 0 on success"},
	{"STLXR", "W2,W0,[X1]", "store-exclusive that releases"},
	{"SWP" + letters + anySize, "W0,W1,[X2]", "swaps a register with memory in one atomic step"},
	{
		"CAS" + letters + anySize, "W0,W1,[X2]",
		"if memory equals W0, stores W1, in one atomic step; returns the old value",
	},
	{"LD" + update + letters + anySize, "W0,W1,[X2]", "$1 memory in one atomic step, and returns the old value"},
	{"ST" + update + "<|L=release>" + anySize, "W0,[X2]", "$1 memory in one atomic step"},
	{"CBZ", "W0,L0", "branches to a label if the register is 0"},
	{"CBNZ", "W0,L0", "branches to a label if the register is not 0"},
	{"CMP", "W0,W1", "compares, for a branch or a selection"},
	{
		"B.<EQ=equal|NE=not equal|GE=greater or equal|GT=greater|LE=less or equal|LT=less|HI=above, " +
			"unsigned|HS=above or equal, unsigned" +
			"|LO=below, unsigned|LS=below or equal, unsigned|CS=carry|CC=no carry|MI=negative|PL=not " +
			"negative|VS=overflow|VC=no overflow|AL=always>",
		"L0", "branches to a label: $1",
	},
	{"B" + armasm.Codes, "L0", "branches to a label: $1"},
	{"B", "L0", "jumps to a label"},
	{"EOR", "W3,W0,W0", "exclusive or; of a register with itself: 0, with a dependency on it"},
	{"LDR", "W4,[X1,W3,SXTW]", "loads from a base plus an offset: for an address dependency"},
	{"ADD" + flagged, "W2,W0,#1", "adds"},
	{"SUB" + flagged, "W2,W0,#1", "subtracts"},
	{"LDR" + narrow, "W0,[X1]", "loads from memory, zero-extended"},
	{"STR" + narrow, "W0,[X1]", "stores to memory"},
	{"LDAR" + narrow, "W0,[X1]", "load-acquire"},
	{"LDAPR" + narrow, "W0,[X1]", "load-acquire, RCpc"},
	{"STLR" + narrow, "W0,[X1]", "store-release"},
	{"<LDXR=load-exclusive|LDAXR=load-exclusive that acquires>" + narrow, "W0,[X1]", "$1"},
	{"<STXR=store-exclusive|STLXR=store-exclusive that releases>" + narrow, "W2,W0,[X1]", "$1"},
	{
		"<LDUR=loads|LDAPUR=load-acquire, RCpc,|STUR=stores|STLUR=store-release,>" + anySize, "W0,[X1,#4]",
		"$1 with any offset",
	},
	{"LD<|U|APU=acquire, RCpc>RS<B=8 bits|H=16 bits|W=32 bits>", "X0,[X1]", "loads, sign-extended"},
	{
		"<LDP=loads|LDNP=loads, non-temporal,|LDIAPP=load-acquires, RCpc,|STP=stores|STNP=stores, " +
			"non-temporal,|STILP=store-releases>",
		"W0,W1,[X2]", "$1 two adjacent locations, with one access for each",
	},
	{
		"<LDXP=load-exclusive|LDAXP=load-exclusive that acquires>", "W0,W1,[X2]",
		"$1 of two adjacent locations; words in one access",
	},
	{
		"<STXP=store-exclusive|STLXP=store-exclusive that releases>", "W2,W0,W1,[X3]",
		"$1 of two adjacent locations in one access",
	},
	{
		"CASP" + letters, "W0,W1,W2,W3,[X4]",
		"if two adjacent locations equal W0 and W1, stores W2 and W3, in one atomic step; returns the old values",
	},
	{"SWPP" + letters, "X0,X1,[X2]", "swaps two registers with memory, 128 bits in one atomic step"},
	{
		"LD<CLR=clears bits of|SET=sets bits of>P" + letters, "X0,X1,[X2]",
		"$1 memory, 128 bits in one atomic step, and returns the old values",
	},
	{"LDPSW", "X0,X1,[X2]", "loads two adjacent words, sign-extended"},
	{"<TBZ=clear|TBNZ=set>", "W0,#0,L0", "branches to a label if a bit is $1"},
	{"<AND=and|BIC=and, the second inverted>" + flagged, "W2,W0,W1", "bitwise $1"},
	{"<ORR=or|ORN=or, the second inverted|EON=exclusive or, the second inverted>", "W2,W0,W1", "bitwise $1"},
	{"<CMN=the sum|TST=the bitwise and>", "W0,W1", "sets the flags for $1"},
	{"<NEG=changes the sign|NEGS=changes the sign, sets the flags|MVN=inverts every bit>", "W1,W0", "$1"},
	{
		"MOV<Z=a number of 16 bits|N=a number of 16 bits, inverted|K=a number of 16 bits, leaving the other bits>",
		"W0,#1", "sets $1",
	},
	{"CSEL", "W2,W0,W1,EQ", "selects the first or the second register by the flags"},
	{
		"CS<INC=the second plus 1|INV=the second inverted|NEG=the second with its sign changed>", "W2,W0,W1,EQ",
		"selects the first register, or $1, by the flags",
	},
	{"C<INC=plus 1|INV=inverted|NEG=with its sign changed>", "W1,W0,EQ", "gives the register $1, or unchanged, by " +
		"the flags"},
	{"CSET<|M=all bits>", "W0,EQ", "sets a register to 1 or 0 by the flags"},
	{"<LSL=to the left|LSR=to the right|ASR=to the right, keeping the sign>", "W1,W0,#1", "shifts $1"},
	{"ROR", "W1,W0,#1", "rotates to the right"},
	{"<LSL=shifts to the left|LSR=shifts to the right|ASR=shifts to the right, keeping the sign,|ROR=rotates to the " +
		"right>V", "W2,W0,W1", "$1 by a register"},
	{"EXTR", "W2,W0,W1,#8", "the bits of the second register from a bit on, with the first register above them"},
	{"<ADC=adds, with the carry|SBC=subtracts, with the borrow>" + flagged, "W2,W0,W1", "$1"},
	{"NGC" + flagged, "W1,W0", "changes the sign, with the borrow"},
	{"<CCMP=a comparison|CCMN=the sum>", "W0,W1,#0,EQ", "by the flags, sets them for $1, or to a number"},
	{"<U=zeros|S=the sign>BF<M|X>", "W1,W0,#0,#7", "takes a field of bits, widened with $1"},
	{"<U=zeros|S=the sign>BFIZ", "W1,W0,#8,#4", "moves the low bits up, with zeros below and $1 above"},
	{
		"<BFM=a field of bits|BFI=the low bits|BFXIL=a field of bits, down to bit 0>", "W1,W0,#8,#4",
		"puts $1 into a register, and leaves its other bits",
	},
	{"BFC", "W0,#8,#4", "clears a field of bits"},
	{"<U=zeros|S=the sign>XT<B=8|H=16|W=32>", "X1,W0", "widens $2 bits with $1"},
	{"<MUL=multiplies|MNEG=multiplies, and changes the sign>", "W2,W0,W1", "$1"},
	{"<MADD=adds to|MSUB=takes away from>", "W3,W0,W1,W2", "multiplies, and $1 a third"},
	{"<S=signed|U=unsigned>M<ULL|NEGL>", "X2,W0,W1", "multiplies two words"},
	{"<S=signed|U=unsigned>M<ADD=adds to|SUB=takes away from>L", "X3,W0,W1,X2", "multiplies two words, and $2 a third"},
	{"<S=signed|U=unsigned>MULH", "X2,X0,X1", "the upper half of a product"},
	{"<S=signed|U=unsigned>DIV", "W2,W0,W1", "divides; by 0 it gives 0"},
	{"<CLZ=zeros above the highest one|CTZ=zeros below the lowest one|CNT=ones|CLS=bits below the sign that are as " +
		"it is>", "W1,W0", "counts the $1"},
	{"<S=signed|U=unsigned>M<AX=greater|IN=lesser>", "W2,W0,W1", "the $2 of two, as $1 numbers"},
	{"<RBIT=bits|REV=bytes|REV16=bytes of each 16 bits>", "W1,W0", "reverses the $1"},
	{"REV<32=32|64=64>", "X1,X0", "reverses the bytes of each $1 bits"},
	{"ABS", "W1,W0", "the absolute value"},
	{"RET", "", "ends the thread"},
	{"ADR<|P=without its lowest 12 bits, which an ADD of :lo12:L0 adds>", "X0,L0", "takes the address of a label"},
	{"BR", "X0", "jumps to the label whose address is in a register"},
	{"BTI", "", "no operation: marks where a BR may jump to"},
	{"YIELD", "", "no operation, for loops that wait"},
	{"NOP", "", "nothing"},
}, systemForms...)
