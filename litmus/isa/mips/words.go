package mips

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{Forms: lower.Forms(forms), Register: register, Cycles: cycles, Barriers: []string{"sync"}}
	for n := range uses {
		w.Registers = append(w.Registers, "$"+strconv.Itoa(n))
	}
	w.Aliases = lower.Names(views())
	return w
}

var forms = [][3]string{
	{"li", "$2,1", "sets a register to a number"},
	{"sw", "$2,0($4)", "stores a word to the address in $4"},
	{"lw", "$2,0($4)", "loads a word from the address in $4"},
	{"sync", "", "full fence: orders all earlier accesses before all later ones"},
	{"ll", "$2,0($4)", "load-linked: loads a word, for a store-conditional"},
	{"sc", "$2,0($4)", "store-conditional: stores if no other thread has stored since ll; returns 1 on success, " +
		"else 0"},
	{"beq", "$2,$3,L0", "branches to a label if equal"},
	{"bne", "$2,$0,L0", "branches to a label if not equal"},
	{"beqz", "$2,L0", "branches to a label if the register is 0"},
	{"bnez", "$2,L0", "branches to a label if the register is not 0"},
	{"b", "L0", "jumps to a label"},
	{"xor", "$3,$2,$2", "exclusive or; of a register with itself: 0, with a dependency on it"},
	{"addu", "$5,$3,$4", "adds; with a 0 that depends on a load: an address dependency"},
	{"move", "$3,$2", "copies a register"},
	{"ori", "$2,$0,1", "bitwise or with a number"},
	{"l<b=a byte with its sign|bu=a byte|h=a halfword with its sign|hu=a halfword|wu=a word, without its sign|d=a " +
		"doubleword>", "$2,0($4)", "loads $1"},
	{"s<b=byte|h=halfword|d=doubleword>", "$2,0($4)", "stores a $1"},
	{"<lld=load-linked|scd=store-conditional>", "$2,0($4)", "$1 of a doubleword"},
	{"b<ltz=less than 0|gez=0 or more|gtz=more than 0|lez=0 or less>", "$2,L0", "branches to a label if $1"},
	{"jr", "$31", "ends the thread"},
	{"jr", "$2", "jumps to the label whose address is in a register"},
	{"<la|dla>", "$2,L0", "takes the address of a label"},
	{"<and=and|or=or|nor=or, inverted>", "$3,$1,$2", "bitwise $1"},
	{"<andi=and|xori=exclusive or>", "$3,$2,1", "bitwise $1 with a number"},
	{"<add=adds|sub=subtracts|subu=subtracts|dadd=adds doublewords|dsub=subtracts doublewords|daddu=adds " +
		"doublewords|dsubu=subtracts doublewords>", "$3,$1,$2", "$1"},
	{
		"<add=adds|sub=subtracts|dadd=adds to a doubleword|dsub=subtracts from a doubleword>i<|u>", "$3,$2,1",
		"$1 a number",
	},
	{"mul", "$3,$1,$2", "multiplies words"},
	{"slt<|u=unsigned>", "$3,$1,$2", "1 if less, else 0"},
	{"slti<|u=unsigned>", "$3,$2,1", "1 if less than a number, else 0"},
	{
		"<|d=a doubleword><sll=to the left|srl=to the right|sra=to the right, keeping the sign>", "$3,$2,1",
		"shifts $2 by a number",
	},
	{
		"d<sll=to the left|srl=to the right|sra=to the right, keeping the sign>32", "$3,$2,1",
		"shifts a doubleword $1 by 32 more than a number",
	},
	{
		"<|d=a doubleword><sll=to the left|srl=to the right|sra=to the right, keeping the sign>v", "$3,$1,$2",
		"shifts $2 by a register",
	},
	{"lui", "$2,1", "sets the upper half of a word"},
	{"not", "$3,$2", "inverts every bit"},
	{"<dext=a field of bits|ext=a field of bits of a word>", "$3,$2,0,8", "takes $1 out"},
	{"<dins=bits|ins=bits of a word>", "$3,$2,0,8", "puts low bits into a field: $1"},
	{"se<b=byte|h=halfword>", "$3,$2", "widens a $1 with its sign"},
	{"mov<z=0|n=not 0>", "$3,$2,$1", "copies a register if another one is $1"},
	{"<|d=doublewords><mult=words|multu=unsigned words>", "$2,$3", "multiplies $1$2; the halves go to HI and LO"},
	{"mf<hi=HI|lo=LO>", "$2", "copies $1 to a register"},
	{"mt<hi=HI|lo=LO>", "$2", "copies a register to $1"},
	{"nop", "", "nothing"},
}
