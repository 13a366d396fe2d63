package ppc

import "litmuscope/litmus/lower"

// features are instructions of the architecture (Power ISA 3.0, books I to III) that the dialect does not support, by
// the feature that they need.
var features = []lower.Feature{
	{Why: "accesses of 128 bits are not supported", Names: "lqarx stqcx\\. lq stq"},
	{Why: "vector registers are out of scope", Names: "l(v|xv|xs).+ st(v|xv|xs).+ v[a-z0-9]+\\.? xv.+ xs.+ xx.+"},
	{
		Why: "floating-point registers are out of scope",
		Names: "(l|st)f[sd]u?x? " +
			"fn?(add|sub|mul|div|abs|neg|mr|madd|msub|cmp|ct|cf|rsp|re|rsqrt|sqrt|sel|ri)[a-z]*\\.?",
	},
	{Why: "special registers are out of scope", Names: "m[ft](spr|cr|ocrf|ocr|xer|msr|tb|srr?).*"},
	{Why: "calls are out of scope", Names: "bl bla bcl.* bctrl blrl"},
	{Why: "of the branches that count, only bdnz and bdz are supported", Names: "bdn?z.+"},
	{Why: "page tables and cache maintenance are out of scope", Names: "dcb.+ icb.+ tlb.+ slb.+ ptesync"},
	{Why: "traps and exceptions are out of scope", Names: "sc scv t[wd]i? tw.+ td.+ rfid rfi hrfid"},
	{Why: "transactions are out of scope", Names: "t(begin|end|abort|suspend|resume|check)\\.?.*"},
	{Why: "atomic operations near memory are out of scope", Names: "l[wd]at st[wd]at"},
}
