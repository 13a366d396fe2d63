package x86

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// features are existing but unsupported instructions, by their extension.
var features = []lower.Feature{
	{Why: "the parity flag is out of scope", Names: "(J|SET)(P|NP|PE|PO) CMOV(P|NP|PE|PO)[LQW]?"},
	{
		Why:   "segments, which have their own base addresses, are out of scope",
		Names: "[CDEFGS]S WR[FG]SBASE RD[FG]SBASE SWAPGS",
	},
	{Why: "non-temporal accesses are out of scope", Names: "MOVNT.*"},
	{Why: "string instructions are out of scope", Names: "(MOVS|STOS|LODS|SCAS|CMPS)[BWLQD]? REP(N?[EZ])?"},
	{Why: "the stack is out of scope", Names: "(PUSH|POP)(F|A)?[WLQD]? CALL[LQ]? ENTER LEAVE[LQ]?"},
	{Why: "vector registers are out of scope", Names: "V?MOV([AU]P[SD]|DQ[AU].*|D|HP[SD]|LP[SD]|SS) " +
		"V?P(ADD|SUB|MUL|AND|OR|XOR|CMP|SHUF|INSR|EXTR|S[LR]L|BROADCAST).+ " +
		"V?(ADD|SUB|MUL|DIV|AND|OR|XOR|CVT).*[SP][SD]"},
	{
		Why:   "page tables and cache maintenance are out of scope",
		Names: "INVLPG INVPCID CLFLUSH(OPT)? CLWB CLDEMOTE WBINVD WBNOINVD INVD PREFETCH.*",
	},
	{Why: "transactions are out of scope", Names: "XBEGIN XEND XABORT XTEST XACQUIRE XRELEASE"},
	{Why: "system registers and exceptions are out of scope", Names: "SYSCALL SYSENTER SYSEXIT INT[3O]? IRET[DQ]? " +
		"UD[012] HLT CPUID SERIALIZE RDTSCP? RDMSR WRMSR LGDT LIDT LLDT LTR STI CLI IN[BWL]? OUT[BWL]? RDPMC " +
		"XSAVE.* XRSTOR.*"},
	{Why: "waiting for a location is out of scope", Names: "MONITOR MWAIT UMONITOR UMWAIT TPAUSE"},
	{
		Why:   "shadow stacks are out of scope",
		Names: "INCSSP[DQ] RDSSP[DQ] WRU?SS[DQ] SAVEPREVSSP RSTORSSP (SET|CLR)SSBSY",
	},
}

// xmm is a vector register's name.
var xmm = litmus.Pattern(`(?i)\b[xyz]mm[0-9]`)

// outOfScope says why an existing instruction cannot run, or "".
func outOfScope(name, text string) string {
	if xmm().MatchString(text) {
		return "vector registers are out of scope"
	}
	return lower.WhyNot(features, strings.TrimSpace(name))
}
