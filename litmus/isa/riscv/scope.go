package riscv

import "litmuscope/litmus/lower"

// features are instructions of the architecture (volumes I and II of the manual) that the dialect does not support, by
// the feature that they need.
var features = []lower.Feature{
	{Why: "the program counter is not a value", Names: "auipc"},
	{Why: "calls are out of scope: jr jumps to the label whose address is in a register", Names: "jalr? call tail"},
	{Why: "there are no traps", Names: "ecall ebreak [msu]ret wfi mnret wrs\\..+ unimp"},
	{Why: "there are no page tables", Names: "[sh]fence\\..+ hfence\\..+ sinval\\..+ hinval\\..+"},
	{Why: "there are no caches to manage", Names: "cbo\\..+ prefetch\\..+"},
	{
		Why:   "there are no control and status registers",
		Names: "csr.+ rd(cycle|time|instret)h? fr(csr|rm|flags) fs(csr|rm|flags)i?",
	},
	{
		Why: "there are no floating-point registers",
		Names: "fn?(add|sub|mul|div|sqrt|min|max|madd|msub|sgnj[nx]?|eq|lt|le|class|mv|cvt|li|abs|neg|round)\\..+ " +
			"f(l|s)[hwdq]",
	},
	{Why: "there are no vector registers", Names: "v[a-z0-9]+\\..+ vset.+ v(l|s)[a-z0-9.]+"},
	{Why: "there are no shadow stacks", Names: "ss(push|popchk|rdp|amoswap\\.[wd])"},
}
