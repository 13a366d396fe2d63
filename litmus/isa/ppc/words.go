package ppc

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{
		Forms: lower.Forms(forms), Register: register, Cycles: cycles,
		Barriers: []string{"sync", "lwsync", "eieio"},
	}
	for n := range 32 {
		w.Registers = append(w.Registers, "r"+strconv.Itoa(n))
	}
	for n := range 8 {
		w.Modifiers = append(w.Modifiers, "cr"+strconv.Itoa(n))
	}
	return w
}

const (
	widths = "<b=8 bits|h=16 bits|w=32 bits|d=64 bits>"
	dot    = "<|.=compares the result with 0>"
)

var forms = [][3]string{
	{"li", "r1,1", "sets a register to a number"},
	{"stw", "r1,0(r2)", "stores a word to the address in r2"},
	{"lwz", "r1,0(r2)", "loads a word from the address in r2"},
	{"sync", "", "heavyweight fence: orders all earlier accesses before all later ones, for every thread"},
	{"hwsync", "", "heavyweight fence: the same as sync"},
	{"lwsync", "", "lightweight fence: orders all accesses but an earlier store and a later load"},
	{"eieio", "", "orders earlier stores before later stores"},
	{"isync", "", "after a branch: later loads wait for the values that the branch depends on"},
	{"xor", "r3,r1,r1", "exclusive or; of a register with itself: 0, with a dependency on it"},
	{"lwzx", "r4,r3,r2", "loads a word from the sum of two registers: for an address dependency"},
	{"stwx", "r4,r3,r2", "stores a word to the sum of two registers: for an address dependency"},
	{"cmpw", "r1,r1", "compares two words, for a branch"},
	{"cmpwi", "r1,0", "compares a word with a number, for a branch"},
	{"beq", "L0", "branches to a label if equal"},
	{"bne", "L0", "branches to a label if not equal"},
	{"bc", "12,2,L0", "branches to a label if a bit of the condition register is set (12) or clear (4)"},
	{"b", "L0", "jumps to a label"},
	{"l" + widths + "arx", "r1,r0,r2", "loads and reserves, for a store-conditional ($1)"},
	{"st" + widths + "cx.", "r3,r0,r2", "stores if still reserved, and sets cr0 to say whether it stored ($1)"},
	{"mr", "r2,r1", "copies a register"},
	{"add", "r3,r1,r2", "adds"},
	{"addi", "r3,r1,1", "adds a number"},
	{"lbz", "r1,0(r2)", "loads a byte"},
	{"lhz", "r1,0(r2)", "loads a halfword"},
	{"lha", "r1,0(r2)", "loads a halfword, sign-extended"},
	{"lwa", "r1,0(r2)", "loads a word, sign-extended"},
	{"ld", "r1,0(r2)", "loads a doubleword"},
	{"st<b=byte|h=halfword|d=doubleword>", "r1,0(r2)", "stores a $1"},
	{
		"l<bz=a byte|hz=a halfword|ha=a halfword with its sign|wa=a word with its sign|d=a doubleword>x", "r4,r3,r2",
		"loads $1 from the sum of two registers",
	},
	{"st<b=byte|h=halfword|d=doubleword>x", "r4,r3,r2", "stores a $1 to the sum of two registers"},
	{
		"l<bz=a byte|hz=a halfword|ha=a halfword with its sign|wz=a word|d=a doubleword>u", "r1,4(r2)",
		"loads $1, and writes the address back to its base",
	},
	{"st<b=byte|h=halfword|w=word|d=doubleword>u", "r1,4(r2)", "stores a $1, and writes the address back to its base"},
	{
		"b<lt=less|gt=greater|ge=greater or equal|le=less or equal|nl=not less|ng=not greater>", "L0",
		"branches to a label if $1",
	},
	{"cmp<d=doublewords|lw=unsigned words|ld=unsigned doublewords>", "r1,r2", "compares two $1, for a branch"},
	{"cmp<d=doubleword|lw=unsigned word|ld=unsigned doubleword>i", "r1,0", "compares a $1 with a number, for a branch"},
	{"blr", "", "ends the thread, or jumps to the label whose address is in the link register"},
	{"mt<lr=link|ctr=count>", "r1", "copies a register to the $1 register"},
	{"mf<lr=link|ctr=count>", "r1", "copies the $1 register"},
	{"bctr", "", "jumps to the label whose address is in the count register"},
	{
		"b<eq=equal|ne=not equal|lt=less|gt=greater|ge=greater or equal|le=less or equal|nl=not less|ng=not greater>lr",
		"", "ends the thread if $1",
	},
	{"mfcr", "r1", "copies the condition register: eight fields of less, greater, equal and 0, cr0 highest"},
	{"add.", "r3,r1,r2", "adds, and compares the result with 0"},
	{"xor.", "r3,r1,r1", "exclusive or, and compares the result with 0"},
	{"mr.", "r2,r1", "copies a register, and compares it with 0"},
	{"<sub=the second from the first|subf=the first from the second>" + dot, "r3,r1,r2", "subtracts $1"},
	{"<addis=adds|subi=subtracts>", "r3,r1,1", "$1 a number (addis: to the upper half)"},
	{"lis", "r1,1", "sets the upper half of a word"},
	{"la", "r1,4(r2)", "computes an address, without an access"},
	{"mull<d=doublewords|w=words>" + dot, "r3,r1,r2", "multiplies $1"},
	{"div<w=words|wu=unsigned words|d=doublewords|du=unsigned doublewords>", "r3,r1,r2", "divides $1"},
	{
		"cnt<lz=zeros above the highest one|tz=zeros below the lowest one><w=of a word|d=of a doubleword>" + dot,
		"r3,r1",
		"counts the $1 $2",
	},
	{"popcnt<b=each byte|w=each word|d=a doubleword>", "r3,r1", "counts the ones of $1"},
	{"mulh<d=doublewords|du=unsigned doublewords>" + dot, "r3,r1,r2", "multiplies $1, and gives the upper half"},
	{"mulh<w=words|wu=unsigned words>", "r3,r1,r2", "multiplies $1, and gives the upper half"},
	{"mulli", "r3,r1,2", "multiplies by a number"},
	{"subfic", "r3,r1,1", "subtracts from a number"},
	{"addic" + dot, "r3,r1,1", "adds a number"},
	{"<and=and|or=or|andc=and, the second inverted|orc=or, the second inverted|nand=and, inverted|nor=or, " +
		"inverted|eqv=exclusive or, inverted>" + dot, "r3,r1,r2", "bitwise $1"},
	{
		"<ori=or|xori=exclusive or|andi.=and|oris=or, upper half|xoris=exclusive or, upper half|andis.=and, upper " +
			"half>",
		"r3,r1,1", "bitwise $1, with a number",
	},
	{"<not=inverts every bit|neg=changes the sign|extsb=widens a byte|extsh=widens a halfword|extsw=widens a word>" +
		dot, "r3,r1", "$1"},
	{
		"s<l=to the left|r=to the right|ra=to the right, keeping the sign><w=a word|d=a doubleword>" + dot, "r3,r1,r2",
		"shifts $2 $1",
	},
	{"s<lw=a word to the left|rw=a word to the right|raw=a word to the right, keeping the sign|ld=a doubleword to " +
		"the left|rd=a doubleword to the right" +
		"|rad=a doubleword to the right, keeping the sign>i" + dot, "r3,r1,1", "shifts $1 by a number"},
	{"rotl<w=word|d=doubleword>i" + dot, "r3,r1,1", "rotates a $1 to the left"},
	{"clr<l=left|r=right><w=word|d=doubleword>i" + dot, "r3,r1,1", "clears bits of a $2 from the $1"},
	{"rlwi<nm=masks|mi=inserts>" + dot, "r3,r1,0,0,31", "rotates a word and $1 it"},
	{"rlwi<nm=masks|mi=inserts>" + dot, "r3,r1,0,0xff", "rotates a word and $1 it, by a mask"},
	{"rldic<l=left|r=right>" + dot, "r3,r1,0,1", "rotates a doubleword and clears bits from the $1"},
	{"isel<lt=less|gt=greater|eq=equal>", "r3,r1,r2", "copies the first register if $1, and else the second"},
	{"isel", "r3,r1,r2,2", "copies the first register if a bit of the condition register is 1, and else the second"},
	{"mcrf", "cr7,cr0", "copies a condition field"},
	{"mfocrf", "r3,128", "copies a condition field to a register, in the place that it has in the condition register"},
	{"<bdnz=not 0|bdz=0>", "L0", "counts down in the count register, and branches if it is then $1"},
	{"nop", "", "nothing"},
}
