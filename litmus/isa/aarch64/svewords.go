package aarch64

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const elementLetters = "<B=8|H=16|W=32|D=64>"

// scalableForms are the instructions of scalable vectors and of the matrix of SME.
var scalableForms = append(structures(), [][3]string{
	{"PTRUE<|S=sets the flags>", "P0.S,VL4", "sets a predicate to the first elements, or to all"},
	{"PFALSE", "P0.B", "clears a predicate"},
	{"PTEST", "P0,P1.B", "sets the flags for a predicate"},
	{
		"WHILE<LT=less than|LE=at most|LO=less than, unsigned,|LS=at most, unsigned,>", "P0.S,X0,X1",
		"sets a predicate to the elements for which a number that counts up is $1 another",
	},
	{
		"WHILE<GT=greater than|GE=at least|HI=greater than, unsigned,|HS=at least, unsigned,>", "P0.S,X0,X1",
		"sets a predicate to the elements for which a number that counts down is $1 another",
	},
	{
		"CMP<EQ=equal|NE=not equal|LT=less|LE=at most|LO=less, unsigned|LS=at most, unsigned|GT=greater|GE=at " +
			"least|HI=greater, unsigned|HS=at least, unsigned>", "P0.S,P1/Z,Z0.S,Z1.S",
		"sets a predicate to the active elements that are $1",
	},
	{"CNTP", "X0,P0,P1.S", "counts the active elements of a predicate"},
	{"CTERM<EQ=equal|NE=not equal>", "W0,W1", "sets the flags for the end of a loop, if two registers are $1"},
	{
		"B.<FIRST=the first element is active|NFRST=the first element is not active|LAST=the last element is " +
			"active|NLAST=the last element is not active|ANY=an element is active|NONE=no element is active|PMORE=" +
			"elements follow|PLAST=no elements follow|TCONT=the loop goes on|TSTOP=the loop ends>",
		"L0", "branches to a label: $1",
	},
	{"CNT" + elementLetters, "X0", "counts the elements of $1 bits in a vector"},
	{"<INC=adds|DEC=subtracts>" + elementLetters, "X0", "$1 the number of elements of $2 bits in a vector"},
	{"<RDVL=a vector|RDSVL=a vector between SMSTART and SMSTOP>", "X0,#1", "the number of bytes in $1, times a number"},
	{"ADD<VL=vector|PL=predicate>", "X0,X1,#1", "adds the number of bytes in a $1, times a number"},
	{"CPY", "Z0.S,P0/M,W0", "sets the active elements"},
	{"SEL", "Z0.S,P0,Z1.S,Z2.S", "selects active elements from the first vector, others from the second"},
	{"INDEX", "Z0.S,#0,#1", "sets the elements to a number that grows"},
	{"MOVPRFX", "Z0,Z1", "copies a vector, before an instruction that changes it"},
	{
		"<SMAX=greater|SMIN=lesser|UMAX=greater, unsigned,|UMIN=lesser, unsigned,>", "Z0.S,P0/M,Z0.S,Z1.S",
		"the $1 of each pair of active elements",
	},
	{"NOT", "Z0.S,P0/M,Z1.S", "inverts every bit of the active elements"},
	{"<U=unsigned|S=signed>ADDV", "D0,P0,Z0.S", "adds the active elements, as $1 numbers"},
	{
		"<ANDV=and|ORV=or|EORV=exclusive or>", "S0,P0,Z0.S", "the bitwise $1 of the active elements",
	},
	{"<U=unsigned|S=signed>M<AX=greatest|IN=least>V", "S0,P0,Z0.S", "the $2 of the active elements, as $1 numbers"},
	{"LD1" + elementLetters, "{Z0.D},P0/Z,[X0]", "loads the active elements, each from $1 bits"},
	{"LD1S<B=8|H=16|W=32>", "{Z0.D},P0/Z,[X0]", "loads the active elements, each from $1 bits, sign-extended"},
	{"LD1R" + elementLetters, "{Z0.D},P0/Z,[X0]", "loads $1 bits for all active elements"},
	{"LD1RS<B=8|H=16|W=32>", "{Z0.D},P0/Z,[X0]", "loads $1 bits for all active elements, sign-extended"},
	{"ST1" + elementLetters, "{Z0.D},P0,[X0]", "stores $1 bits of each active element"},
	{"SMSTART", "", "makes the matrix accessible, and clears it and all vectors"},
	{"SMSTOP", "", "ends the access to the matrix, and clears all vectors"},
	{"MOVA", "ZA0H.S[W12,0],P0/M,Z0.S after SMSTART", "moves active elements between a vector and a part of a tile"},
	{"ADD<H=row|V=column>A", "ZA0.S,P0/M,P1/M,Z0.S after SMSTART", "adds a vector to each $1 of a tile"},
	{"ZERO", "{ZA} after SMSTART", "clears the matrix or tiles"},
}...)

// structures are the loads and stores of several vectors, whose elements alternate in memory.
func structures() (forms [][3]string) {
	for n := 2; n <= 4; n++ {
		for name := range elementSizes {
			shape := map[string]string{"W": "S"}[name]
			if shape == "" {
				shape = name
			}
			var list []string
			for k := range n {
				list = append(list, "Z"+strconv.Itoa(k)+"."+shape)
			}
			operands := "{" + strings.Join(list, ",") + "},P0"
			suffix, help := strconv.Itoa(n)+name, strconv.Itoa(n)+" vectors, whose active elements alternate in memory"
			forms = append(forms, [3]string{"LD" + suffix, operands + "/Z,[X0]", "loads " + help},
				[3]string{"ST" + suffix, operands + ",[X0]", "stores " + help})
		}
	}
	slices.SortFunc(forms, func(a, b [3]string) int { return cmp.Compare(a[0], b[0]) })
	return forms
}

// signedForms are the instructions of pointer authentication.
var signedForms = [][3]string{
	{"<PAC=signs|AUT=authenticates><I|D><A|B>", "X0,X1 after Variant=pauth2", "$1 a pointer, with a modifier"},
	{"<PAC=signs|AUT=authenticates><I|D>Z<A|B>", "X0 after Variant=pauth2", "$1 a pointer, with the modifier 0"},
	{
		"<PAC=signs|AUT=authenticates>I<A|B><SP=with the modifier SP|Z=with the modifier 0>", " after Variant=pauth2",
		"$1 the address to return to, X30, $3",
	},
	{"<PAC=signs|AUT=authenticates>I<A|B>1716", " after Variant=pauth2", "$1 X17, with the modifier X16"},
	{"RETA<A|B>", " after Variant=pauth2", "authenticates X30, with the modifier SP, and returns"},
	{
		"<BR=jumps|BLR=calls>A<A|B>", "X0,X1 after Variant=pauth2",
		"authenticates a pointer, with a modifier, and $1 there",
	},
	{
		"<BR=jumps|BLR=calls>A<A|B>Z", "X0 after Variant=pauth2",
		"authenticates a pointer, with the modifier 0, and $1 there",
	},
	{"LDRA<A|B>", "X0,[X1] after Variant=pauth2", "authenticates a pointer, with the modifier 0, and loads"},
	{"XPAC<I=code|D=data>", "X0 after Variant=pauth2", "removes the signature from a pointer to $1"},
}

// guardForms are the instructions of guarded control stacks.
var guardForms = [][3]string{
	{"GCSPUSHM", "X0 after Variant=shadowstack", "pushes a register on the guarded control stack"},
	{"GCSPOPM", "X0 after Variant=shadowstack", "pops a register from the guarded control stack"},
	{"GCSSTR", "X0,[X1] after Variant=shadowstack", "stores a register to a guarded control stack"},
	{"GCSSS1", "X0 after Variant=shadowstack", "switches to another guarded control stack"},
	{"GCSSS2", "X0 after Variant=shadowstack", "leaves the guarded control stack from which GCSSS1 has switched"},
	{"GCSB", "DSYNC after Variant=shadowstack", "barrier for guarded control stacks"},
}
