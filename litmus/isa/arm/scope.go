package arm

import "litmuscope/litmus/lower"

// features are instructions of the architecture (DDI 0406, chapter A8; DDI 0487, F5) that the dialect does not support,
// by the feature that they need.
var features = []lower.Feature{
	{Why: "SWP and SWPB, which Armv8 no longer has, are out of scope", Names: "SWPB?"},
	{Why: "vector registers are out of scope", Names: "V[A-Z].*"},
	{Why: "calls are out of scope", Names: "BLX?"},
	{Why: "instruction addresses as data, except those of labels, are out of scope", Names: "ADRL BXJ TB[BH]"},
	{
		Why: "exceptions and system registers are out of scope",
		Names: "SVC SWI HVC SMC UDF BKPT ERET RFE.* SRS.* M(RS|SR) MR?RC2? MC?RR?2? CDP2? CPS.* WF[EI] SEVL? SETEND " +
			"DBG",
	},
	{Why: "page tables and cache maintenance are out of scope", Names: "PLDW? PLI"},
	{Why: "giving up an exclusive access is out of scope", Names: "CLREX"},
}
