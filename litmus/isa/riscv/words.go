package riscv

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{
		Forms: lower.Forms(forms), Register: register, Cycles: cycles,
		Barriers: []string{"fence rw,rw", "fence r,rw", "fence rw,w"}, Alternatives: alternatives(),
	}
	for n := range 32 {
		w.Registers = append(w.Registers, "x"+strconv.Itoa(n))
	}
	w.Aliases = lower.Names(views())
	for set := 1; set < 1<<4; set++ { // the accesses that a fence orders
		name := ""
		for i, letter := range "iorw" {
			if set&(8>>i) != 0 {
				name += string(letter)
			}
		}
		w.Modifiers = append(w.Modifiers, name)
	}
	return w
}

const (
	partOr   = "<b=8 bits|h=16 bits>"
	amoOrder = "<|.aq=acquire|.rl=release|.aq.rl=acquire and release: sequentially consistent>"
	wordOr   = "<w=32 bits|d=64 bits>"
)

var forms = [][3]string{
	{"li", "x5,1", "sets a register to a number"},
	{"sw", "x5,0(x6)", "stores a word to the address in x6"},
	{"lw", "x5,0(x6)", "loads a word from the address in x6"},
	{"fence", "<rw,rw=all accesses before all accesses: a full fence|r,rw=loads before all accesses|rw,w=all " +
		"accesses before stores" +
		"|w,w=stores before stores|r,r=loads before loads|r,w=loads before stores|w,r=stores before " +
		"loads|w,rw=stores before all accesses" +
		"|rw,r=all accesses before loads>", "fence: $1"},
	{"fence.tso", "", "fence: orders all accesses but an earlier store and a later load"},
	{"fence.i", "", "fence of instruction fetches"},
	{"amoswap." + wordOr + amoOrder, "x5,x6,(x7)", "swaps a register with memory in one atomic step"},
	{
		"amo<add=adds to|and=takes the bitwise and of|or=takes the bitwise or of|xor=takes the bitwise exclusive or " +
			"of|min=takes the lesser of|max=takes the greater of" +
			"|minu=takes the lesser, unsigned, of|maxu=takes the greater, unsigned, of>." + wordOr + amoOrder,
		"x5,x6,(x7)",
		"$1 memory in one atomic step, and returns the old value",
	},
	{
		"amocas." + wordOr + amoOrder, "x5,x6,(x7)",
		"if memory equals x5, stores x6, in one atomic step; returns the old value",
	},
	{"lr." + wordOr + amoOrder, "x5,(x7)", "loads and reserves, for a store-conditional"},
	{"sc." + wordOr + amoOrder, "x5,x6,(x7)", "stores if still reserved, and returns 0 on success"},
	{"xor", "x8,x5,x5", "exclusive or; of a register with itself: 0, with a dependency on it"},
	{"add", "x9,x8,x6", "adds; with a 0 that depends on a load: an address dependency"},
	{"ori", "x5,x0,1", "bitwise or with a number"},
	{"addi", "x5,x5,1", "adds a number"},
	{"mv", "x6,x5", "copies a register"},
	{"beq", "x5,x6,L0", "branches to a label if equal"},
	{"bne", "x5,x0,L0", "branches to a label if not equal"},
	{"beqz", "x5,L0", "branches to a label if the register is 0"},
	{"bnez", "x5,L0", "branches to a label if the register is not 0"},
	{"j", "L0", "jumps to a label"},
	{"l<b=a byte with its sign|bu=a byte|h=a halfword with its sign|hu=a halfword|wu=a word, without its sign|d=a " +
		"doubleword>", "x5,0(x6)", "loads $1"},
	{"s<b=byte|h=halfword|d=doubleword>", "x5,0(x6)", "stores a $1"},
	{"l<w=word|d=doubleword>.aq", "x5,0(x6)", "loads a $1: an acquire, before all later accesses"},
	{"s<w=word|d=doubleword>.rl", "x5,0(x6)", "stores a $1: a release, after all earlier accesses"},
	{
		"b<lt=less|ge=greater or equal|gt=greater|le=less or equal><|u=unsigned>", "x5,x6,L0",
		"branches to a label if $1",
	},
	{"b<ltz=less than 0|gtz=more than 0|lez=0 or less|gez=0 or more>", "x5,L0", "branches to a label if $1"},
	{"<sub=subtracts|mul=multiplies|and=bitwise and|or=bitwise or|addw=adds words|subw=subtracts " +
		"words|mulw=multiplies words>", "x7,x5,x6", "$1"},
	{"<andi=bitwise and|xori=bitwise exclusive or|addiw=adds words>", "x7,x5,1", "$1, with a number"},
	{"<sll=to the left|srl=to the right|sra=to the right, keeping the sign><|w=words>", "x7,x5,x6", "shifts $1"},
	{
		"<sll=to the left|srl=to the right|sra=to the right, keeping the sign>i<|w=words>", "x7,x5,1",
		"shifts $1 by a number",
	},
	{
		"amo<swap=swaps a register with|add=adds to|and=takes the bitwise and of|or=takes the bitwise or " +
			"of|xor=takes the bitwise exclusive or of" +
			"|min=takes the lesser of|max=takes the greater of|minu=takes the lesser, unsigned, of|maxu=takes the " +
			"greater, unsigned, of>." + partOr + amoOrder,
		"x5,x6,(x7)", "$1 memory in one atomic step, and returns the old value",
	},
	{
		"amocas.q" + amoOrder, "x6,x8,(x5)",
		"if 128 bits of memory equal x6 and x7, stores x8 and x9, in one atomic step; returns the old values",
	},
	{
		"amocas." + partOr + amoOrder, "x5,x6,(x7)",
		"if memory equals x5, stores x6, in one atomic step; returns the old value",
	},
	{"slt<|u=unsigned>", "x7,x5,x6", "1 if less, else 0"},
	{"slti<|u=unsigned>", "x7,x5,1", "1 if less than a number, else 0"},
	{"s<eqz=0|nez=not 0|ltz=less than 0|gtz=more than 0>", "x7,x5", "1 if $1, else 0"},
	{"<not=inverts every bit|neg=changes the sign|negw=changes the sign of a word>", "x7,x5", "$1"},
	{"<s=with its sign|z=with zeros>ext.<b=byte|h=halfword|w=word>", "x7,x5", "widens a $2 $1"},
	{
		"<div=divides|rem=the remainder><|u=unsigned><|w=words>", "x7,x5,x6",
		"$1; by 0 it gives all ones, or the first as the remainder",
	},
	{"mulh<|u=unsigned|su=the second unsigned>", "x7,x5,x6", "the upper half of a product"},
	{"<sh1=2|sh2=4|sh3=8>add<|.uw=of a word>", "x7,x5,x6", "adds $1 times the first to the second"},
	{"add.uw", "x7,x5,x6", "adds a word, without its sign, to the second"},
	{"slli.uw", "x7,x5,1", "shifts a word, without its sign, to the left by a number"},
	{"<andn=and|orn=or>", "x7,x5,x6", "bitwise $1, the second inverted"},
	{"xnor", "x7,x5,x6", "bitwise exclusive or, inverted"},
	{"<min=lesser|max=greater><|u=unsigned>", "x7,x5,x6", "the $1 of two"},
	{"<clz=zeros above the highest one|ctz=zeros below the lowest one|cpop=ones><|w=words>", "x7,x5", "counts the $1"},
	{"<rol=left|ror=right><|w=words>", "x7,x5,x6", "rotates to the $1"},
	{"rori<|w=words>", "x7,x5,1", "rotates to the right by a number"},
	{"rev8", "x7,x5", "reverses the bytes"},
	{"orc.b", "x7,x5", "ones in each byte that is not 0"},
	{"b<set=sets|clr=clears|inv=inverts|ext=takes>", "x7,x5,x6", "$1 the bit of a number"},
	{"b<set=sets|clr=clears|inv=inverts|ext=takes>i", "x7,x5,1", "$1 the bit of a number in the instruction"},
	{"la", "x5,x", "takes the address of a location"},
	{"<la|lla>", "x5,L0", "takes the address of a label"},
	{"lui", "x5,1", "sets the upper 20 bits of a word"},
	{"ret", "", "ends the thread"},
	{"jr", "ra", "ends the thread"},
	{"jr", "x5", "jumps to the label whose address is in a register"},
	{"pause", "", "no operation, for loops that wait"},
	{"nop", "", "nothing"},
}
