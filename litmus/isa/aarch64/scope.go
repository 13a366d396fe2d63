package aarch64

import "litmuscope/litmus/lower"

// features are instructions of the architecture (DDI 0487, chapter C6) that the dialect does not support, by the
// feature that they need.
var features = []lower.Feature{
	{Why: "this maintenance of TLBs and caches is out of scope", Names: "TLBIP DCPS[123] PRFM PRFUM RPRFM"},
	{Why: "this instruction for memory tags is out of scope", Names: "ST?GM LDGM STZGM STGP SUBPS? CMPP"},
	{Why: "its code is of any two numbers, and only addresses have signatures here", Names: "PACGA"},
	{
		Why:   "this instruction for signed pointers is out of scope",
		Names: "PAC(.*(SPPC|171615|PC|LR)|M) AUT(I[AB](SPPC|171615|PC|PCR)|.*LR) XPACLRI RETA[AB]SPPC.* ERETA[AB]",
	},
	{Why: "this instruction for guarded control stacks is out of scope", Names: "GCS.+ CHKFEAT"},
	{Why: "this exception or system register is out of scope", Names: "HVC SMC BRK HLT MSRR MRRS " +
		"SYSP? SYSL CFINV RMIF SETF(8|16) XAFLAG AXFLAG WFET? WFIT? SEVL? DRPS TSB ESB PSB CSDB SB SSBB PSSBB DGH"},
	{
		Why:   "accesses with other privileges are out of scope",
		Names: "LDTRS?[BHW]? STTR[BH]? (LDT(ADD|CLR|SET)|SWPT)A?L? CASP?A?L?T",
	},
	{Why: "regions of memory with their own order are out of scope", Names: "LDLAR[BH]? STLLR[BH]?"},
	{Why: "giving up an exclusive access is out of scope", Names: "CLREX"},
	{Why: "checksums are out of scope", Names: "CRC32C?[BHWX]"},
	{Why: "64-byte accesses are out of scope", Names: "LD64B ST64B(V0?)?"},
	{Why: "updates of page table entries are out of scope", Names: "RCW.+"},
	{Why: "memory copies in one instruction are out of scope", Names: "(CPY|SET)G?[FPME].*"},
	{Why: "transactions are out of scope", Names: "TSTART TCOMMIT TCANCEL TTEST"},
	{
		Why: "this instruction for vector registers is out of scope",
		Names: "MVNI SMOV (LDR|STR|LDP|STP)Q " +
			"FN?(ADD|SUB|MUL|MADD|MSUB|ABD|ABS|NEG|SQRT|CMPE?|CCMPE?|CSEL|CVT|MOV|MAX|MIN|RINT|" +
			"DIV|RECP|RSQRT|ML[AS]).* " +
			"[US]CVTF [US]ADDV? ADDP [US]?(MAX|MIN)[VP] " +
			"ZIP[12] UZP[12] TRN[12] TBL TBX CM(EQ|GE|GT|HI|HS|LE|LT|TST) BSL BIT BIF NOT [US]SHL[LR]?2? [US]SHR " +
			"SHL WHILE.+ (LDFF|LDNF|LDNT|STNT)1.+ (LD1R[QO]|LD1|ST1)[BHWDQ] BRK.+ " +
			"[SU]?(MOP|CLAST|LAST|COMPACT).+ (AES|SHA).+ [US]DOT PMULL2? XTN2?",
	},
	{Why: "capabilities are out of scope", Names: "ALIGN[DU] GC SC SEAL UNSEAL"},
}
