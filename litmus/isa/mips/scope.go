package mips

import "litmuscope/litmus/lower"

// features are instructions of the architecture (MIPS Architecture for Programmers, volume II) that the dialect does
// not support, by the feature that they need.
var features = []lower.Feature{
	{
		Why:   "the program counter is not a value",
		Names: "jr\\.hb jalr(\\.hb)? jal jalx bal b(lt|ge)zall? addiupc aluipc auipc",
	},
	{Why: "there are no traps", Names: "syscall break sdbbp eret deret eretnc wait t(eq|ne)i? t(ge|lt)i?u?"},
	{Why: "there are no system registers", Names: "d?m[ft]h?c0 rdhwr (rd|wr)pgpr [de]i"},
	{Why: "there are no page tables", Names: "tlb(p|r|wi|wr|inv|invf)"},
	{Why: "there are no caches to manage", Names: "cache cachee synci prefx? prefe"},
	{Why: "there are no floating-point registers", Names: "[ls][wdu]x?c1 d?m[ft]h?c1 c[ft]c1 bc1.+ " +
		"(abs|add|sub|mul|div|sqrt|neg|mov[fntz]?|n?madd|n?msub|recip|rsqrt|round|trunc|ceil|floor|cvt|c|alnv)\\..+"},
	{Why: "misaligned accesses are out of scope", Names: "[ls][wd][lr]"},
	{Why: "vector registers are out of scope", Names: "(ld|st|ldi|fill|insert|splat|copy_[su])i?\\.[bhwdv]"},
}
