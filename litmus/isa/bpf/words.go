package bpf

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// Words implements lower.Dialect. BPF has no barriers to place.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{
		Forms: lower.Forms(forms), Register: register, Cycles: cycles, Alternatives: alternatives,
		Modifiers: []string{"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "goto", "ll"},
	}
	for n := range 11 {
		w.Registers = append(w.Registers, "r"+strconv.Itoa(n))
	}
	for n := range 11 {
		w.Aliases = append(w.Aliases, "w"+strconv.Itoa(n))
	}
	return w
}

const (
	helpFetch = "$1 memory in one atomic step, and returns the old value in the same register; a full fence"
	verbs     = "<add=adds to|and=takes the bitwise and of|or=takes the bitwise or of|xor=takes the bitwise " +
		"exclusive or of>"
)

// forms have the beginning of an instruction in place of a mnemonic.
var forms = [][3]string{
	{"*(u32 *)(r2 + 0)", "= 1", "stores a number to the address in r2 (32 bits)"},
	{"*(u32 *)(r2 + 0)", "= r1", "stores a register to memory (32 bits)"},
	{"r1", "= *(u32 *)(r2 + 0)", "loads from the address in r2 (32 bits)"},
	{"r1", "= 1", "sets a register"},
	{"r1", "= load_acquire((u32 *)(r2 + 0))", "loads from memory, before all later accesses"},
	{"store_release((u32", "*)(r2 + 0), r1)", "stores to memory, after all earlier accesses"},
	{"r1", "= atomic_fetch_" + verbs + "((u64 *)(r2 + 0), r1)", helpFetch},
	{
		"r1", "= xchg_<64=64 bits|32=32 bits>(r2 + 0, r1)",
		"swaps a register with memory in one atomic step; a full fence",
	},
	{
		"r0", "= cmpxchg_<64=64 bits|32=32 bits>(r2 + 0, r0, r1)",
		"if memory equals r0, stores r1; returns the old value in r0; a full fence if it stores",
	},
	{"lock *(u32", "*)(r2 + 0) += r1", "adds to memory in one atomic step, and orders nothing"},
	{"lock *(u32", "*)(r2 + 0) &= r1", "takes the bitwise and of memory in one atomic step, and orders nothing"},
	{
		"lock *(u32", "*)(r2 + 0) ^= r1",
		"takes the bitwise exclusive or of memory in one atomic step, and orders nothing",
	},
	{"if r1 == 0", "goto L0", "jumps to a label if the two are equal"},
	{"if r1 != 0", "goto L0", "jumps to a label if the two are not equal"},
	{"goto", "L0", "jumps to a label"},
	{"r1", "+= r2", "adds"},
	{"r1", "-= r2", "subtracts"},
	{"r1", "&= 1", "takes the bitwise and"},
	{"r1", "^= r1", "takes the bitwise exclusive or; of a register with itself: 0"},
	{"w1", "= r2", "copies the low 32 bits"},
	{"exit", "", "ends the thread"},
}
