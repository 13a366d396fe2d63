package engines_test

import (
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Tests of Arm's system side, each with what its answer is or why there is none.
var systemTests = []struct{ name, source, want string }{
	{"a tag check faults", `{ 0:X1=x:red; }
P0; MOV W0,#1; L0: STR W0,[X1];
exists fault(P0:L0,x,TagCheck)`, "Always"},
	{"a load may come before its tag check", `{ 0:X1=x:green; 0:X2=x:red; 1:X0=x:red; }
P0 | P1; MOV W0,#1 | LDR W1,[X0]; STR W0,[X1] |; DMB ST |; STG X2,[X1] |;
exists ~fault(P1,x) /\ 1:X1=0`, "Sometimes"},
	{"a store does not come before its tag check", `{ 0:X1=x:red; 0:X3=y; 1:X1=x; 1:X2=x:red; 1:X3=y; }
P0 | P1; MOV W0,#1 | LDR W4,[X3]; STR W0,[X1] | DMB LD; STR W0,[X3] | STG X2,[X1];
exists ~fault(P0) /\ 1:X4=1`, "Never"},
	{"a handler returns behind the instruction", `{ 0:X1=x; [PTE(x)]=(valid:0); }
P0 | P0.F; LDR W0,[X1] | MOV W2,#1; MOV W3,#1 | MRS X4,ELR_EL1; | ADD X4,X4,#4; | MSR ELR_EL1,X4; | ERET;
forall 0:X2=1 /\ 0:X3=1`, "Always"},
	{"an exception synchronises the context", `{ 0:X1=x; 0:X3=y; 1:X0=y; 1:X2=x; }
P0 | P1 | P1.F; MOV W0,#1 | LDR W1,[X0] | LDR W3,[X2]; STR W0,[X1] | CBNZ W1,L0 |; DMB ST | L0: SVC #0 |;
STR W0,[X3] | |;
exists 1:X1=1 /\ 1:X3=0`, "Never"},
	{"a fetch may be old", `{ 0:X0=NOP; 0:X1=P0:L0; }
P0; STR W0,[X1]; DSB ISH; ISB; L0: B L1; MOV W9,#1; L1: NOP;
exists 0:X9=0`, "Sometimes"},
	{"maintenance makes it new", `{ 0:X0=NOP; 0:X1=P0:L0; }
P0; STR W0,[X1]; DC CVAU,X1; DSB ISH; IC IVAU,X1; DSB ISH; ISB; L0: B L1; MOV W9,#1; L1: NOP;
exists 0:X9=0`, "Never"},
	{"a translation may be old", `{ 0:X3=PTE(x); 0:X4=x; pteval_t 0:X5=(oa:PA(x),valid:0); }
P0; STR X5,[X3]; DSB ISH; ISB; LDR W0,[X4];
exists fault(P0,x,MMU:Translation)`, "Sometimes"},
	{"TLBI makes it new", `{ 0:X3=PTE(x); 0:X4=x; pteval_t 0:X5=(oa:PA(x),valid:0); }
P0; STR X5,[X3]; DSB ISH; LSR X9,X4,#12; TLBI VAAE1IS,X9; DSB ISH; ISB; LDR W0,[X4];
exists fault(P0,x,MMU:Translation)`, "Always"},
	{"TTD is another name of PTE, and y alone declares it", `{ [TTD(x)]=(oa:PA(y)); 0:X1=x; y }
P0; MOV W0,#1; STR W0,[X1];
forall [y]=1 /\ [PTE(x)]=(oa:PA(y))`, "Always"},
	{"an instruction with a fault is executed again", `Variant=handled
{ 0:X1=x; [PTE(x)]=(valid:0); 1:X3=PTE(x); pteval_t 1:X5=(oa:PA(x)); [x]=1; }
P0 | P1; LDR W0,[X1] | STR X5,[X3];
forall 0:X0=1`, "Always"},
	{"such an instruction may fault before", `Variant=imprecise
{ 0:X1=x; [PTE(x)]=(valid:0); 1:X3=PTE(x); pteval_t 1:X5=(oa:PA(x)); [x]=1; }
P0 | P1; LDR W0,[X1] | STR X5,[X3];
exists 0:X0=1 /\ fault(P0,x,MMU:Translation)`, "Sometimes"},
	{"each attempt sees what comes before the fault", `Variant=handled
{ 0:X1=x; 0:X2=y; 1:X3=PTE(x); pteval_t 1:X4=(oa:PA(x),valid:0); pteval_t 1:X5=(oa:PA(x)); 1:X2=y; }
P0 | P1; LDR W0,[X1] | MOV W1,#1; LDR W3,[X2] | STR W1,[X2]; | DMB SY; | STR X4,[X3]; | STR X5,[X3];
exists fault(P0,x,MMU:Translation) /\ 0:X3=0`, "Never"},
	{"a translation comes before a tag check", `{ 0:X1=x:red; [PTE(x)]=(valid:0); }
P0; MOV W0,#1; L0: STR W0,[X1];
forall fault(P0:L0,x,MMU:Translation)`, "Always"},
	{"a page without tags has no tag checks", `{ 0:X1=x:red; [PTE(x)]=(attrs:(Normal,iNC,oNC)); }
P0; MOV W0,#1; STR W0,[X1]; STG X1,[X1]; LDG X1,[X1];
forall [x]=1 /\ ~fault(P0) /\ [tag(x)]=:green /\ 0:X1=x:green`, "Always"},
	{"another page may have its tags", `{ 0:X1=x:red; [PTE(x)]=(oa:PA(y)); [tag(y)]=:red; }
P0; MOV W0,#1; STR W0,[X1];
forall [y]=1 /\ ~fault(P0,x)`, "Always"},
	{"a tag check translates by itself", `{ 0:X1=x:red; [PTE(x)]=(attrs:(TaggedNormal));
1:X3=PTE(x); pteval_t 1:X5=(oa:PA(x),db:0,attrs:(Normal)); }
P0 | P1; MOV W0,#1 | STR X5,[X3]; STR W0,[X1] |;
exists [x]=1`, "Sometimes"},
	{"a fetch through an entry that is not valid", `{ [TTD(P0:L1)]=(valid:0); }
P0; L0: MOV W0,#1; .pagealign; L1: MOV W0,#2;
forall 0:X0=1 /\ fault(P0:L1,I-MMU:Translation)`, "Always"},
	{"a page that is not executable", `{ [PTE(P0:L0)]=(x:0); }
P0; L0: MOV W0,#1;
forall fault(P0:L0,I-MMU:Permission)`, "Always"},
	{"a fetch may use an old entry", `{ 0:X3=PTE(P0:L1); pteval_t 0:X5=(oa:PA(P0:L1),valid:0); }
P0; STR X5,[X3]; DSB ISH; ISB; .pagealign; L1: MOV W0,#2;
exists 0:X0=2`, "Sometimes"},
	{"TLBI removes it", `{ 0:X3=PTE(P0:L1); pteval_t 0:X5=(oa:PA(P0:L1),valid:0); 0:X4=P0:L1; }
P0; STR X5,[X3]; DSB ISH; LSR X9,X4,#12; TLBI VAAE1IS,X9; DSB ISH; ISB; .pagealign; L1: MOV W0,#2;
exists 0:X0=2`, "Never"},
	{"code of another page", `{ [PTE(P0:L1)]=(oa:PA(P0:L0)); }
P0; L0: MOV W0,#1; .pagealign; L1: MOV W0,#2;
exists 0:X0=2`, "pages of code that move are not supported"},
	{"modified code has tags", `Variant=mte
{ 0:X0=NOP; 0:X1=P0:L0; [tag(x)]=:red; }
P0; L0: B L1; MOV W9,#1; L1: MOV W2,#1; ADDG X1,X1,#0,#1; STR W0,[X1];
forall fault(P0,TagCheck)`, "Always"},
	{"a signed pointer is translated", `Variant=pauth2
{ 0:X0=x; 0:X2=1; [PTE(x)]=(oa:PA(y)); }
P0; PACDA X0,XZR; AUTDA X0,XZR; STR W2,[X0];
forall [y]=1`, "Always"},
	{"a function signs its return address", `Variant=pauth2
{ }
P0; BL L0; MOV W1,#1; B L9; L0: PACIASP; MOV W0,#1; RETAA; L9: NOP;
forall 0:X0=1 /\ 0:X1=1`, "Always"},
	{"a return address has another key", `Variant=pauth2
{ }
P0; BL L0; MOV W1,#1; B L9; L0: PACIBSP; L8: RETAA; L9: NOP;
exists 0:X1=0 /\ ~fault(P0:L8,I-MMU:Translation)`, "Never"},
	{"a return without authentication", `Variant=pauth2
{ }
P0; BL L0; MOV W1,#1; B L9; L0: PACIASP; L8: RET; L9: NOP;
forall 0:X1=1 \/ fault(P0:L8)`, "Always"},
	{"the return address of the thread", `Variant=pauth1
{ 0:X1=x; }
P0; PACIASP; MOV W0,#1; STR W0,[X1]; RETAA; STR WZR,[X1];
forall [x]=1`, "Always"},
	{"only a separate authentication faults by itself", `Variant=pauth2,fpac
{ 0:X1=x; }
P0; PACDZA X1; LDRAA X0,[X1]; AUTDZA X1; MOV W2,#1;
forall 0:X2=1`, "Always"},
	{"a call authenticates its pointer", `Variant=pauth2
{ 0:X1=P0:L0; int64_t 0:X2=5; int64_t 0:X3=6; }
P0; PACIA X1,X2; BLRAA X1,X2; MOV W9,#1; B L9; L0: MOV W8,#1; RET; L9: NOP;
forall 0:X8=1 /\ 0:X9=1`, "Always"},
	{"a jump with another modifier", `Variant=pauth2
{ 0:X1=P0:L0; int64_t 0:X2=5; int64_t 0:X3=6; }
P0; PACIA X1,X2; BRAA X1,X3; MOV W9,#1; L0: MOV W8,#1;
exists 0:X9=1`, "Never"},
	{"a modifier is read from memory", `Variant=pauth2
{ int64_t y=5; 0:X1=x; 0:X2=y; 0:X4=1; int64_t 0:X5=5; }
P0; LDR X3,[X2]; PACDA X1,X3; AUTDA X1,X5; STR W4,[X1];
forall [x]=1`, "Always"},
	{"another thread writes the modifier", `Variant=pauth2
{ int64_t y; int64_t 0:X0=7; 0:X1=y; 1:X1=y; 1:X2=x; int64_t 1:X4=7; }
P0 | P1; STR X0,[X1] | LDR X3,[X1]; | PACDA X2,X3; | AUTDA X2,X4; | LDR W5,[X2];
exists 1:X3=0 /\ ~fault(P1)`, "Sometimes"},
	{"a modifier that MOV writes, and another one of the jump", `Variant=pauth2
{ 0:X1=P0:L0; }
P0; MOV X2,#5; PACIA X1,X2; MOV X3,#6; BRAA X1,X3; L0: MOV W8,#1;
exists 0:X8=1`, "Sometimes"},
	{"a modifier that is 0 through a dependency", `Variant=pauth2
{ int64_t y=5; 0:X1=x; 0:X2=y; 0:X4=1; }
P0; LDR X3,[X2]; EOR X3,X3,X3; PACDA X1,X3; AUTDZA X1; STR W4,[X1];
forall [x]=1`, "Always"},
	{"a modifier that is computed", `Variant=pauth2
{ int64_t 0:X3=5; 0:X1=x; }
P0; ADD X3,X3,#1; PACDA X1,X3;
exists 0:X1=0`, "t:5:19: P0 executes PACDA with 6 as the modifier, which is not supported here: want 0x5"},
	{"a computed modifier of a call", `Variant=pauth2
{ int64_t y=5; 0:X1=P0:L0; 0:X2=y; }
P0; LDR X3,[X2]; ADD X3,X3,#1; BLRAA X1,X3; L0: MOV W8,#1;
exists 0:X8=1`, "P0 executes BLRAA with an unknown value as the modifier, which is not supported here: want 0x0"},
	{"a modifier that is an address", `Variant=pauth2
{ 0:X1=x; }
P0; MOV SP,X1; PACIASP; RETAA;
exists 0:X8=1`, "P0 executes PACIASP with x as the modifier, which is not supported here: want 0x0"},
	{"a number is signed", `Variant=pauth2
{ 0:X1=7; }
P0; PACDZA X1;
exists 0:X1=7`, "P0 executes PACDZA on a number that is not the address of a location"},
	{"a signed pointer in a thread that does not sign", `Variant=pauth2
{ int64_t y; 0:X1=x; 0:X2=y; 1:X2=y; }
P0 | P1; PACDZA X1 | LDR X1,[X2]; STR X1,[X2] | LDR W3,[X1];
exists 1:X3=1`, "P1 uses a signed pointer, which is only supported in threads that sign or authenticate"},
	{"LDRAA writes the address back", `Variant=pauth2
{ int64_t x[2]={1,2}; 0:X1=x; }
P0; PACDZA X1; LDRAA X0,[X1,#8]!; LDR X2,[X1];
forall 0:X0=2 /\ 0:X2=2`, "Always"},
	{"LDRAA of a pointer that is not signed", `Variant=pauth2
{ int64_t x=1; 0:X1=x; }
P0; LDRAA X0,[X1];
exists 0:X0=0 /\ ~fault(P0)`, "Never"},
	{"an address that LDRAA does not reach", `Variant=pauth2
{ int64_t x=1; 0:X1=x; }
P0; LDRAA X0,[X1,#4];
exists 0:X0=1`, "a multiple of 8"},
	{"a handler may fault", `{ [x]=1; [PTE(x)]=(valid:0); 0:X0=PTE(x); pteval_t 0:X1=(oa:PA(x)); 1:X0=x; }
P0 | P1 | P1.F; STR X1,[X0] | LDR W1,[X0] | LDR W2,[X0]; | | MOV W3,#1;
forall 1:X1=1 \/ 1:X2=1 /\ 1:X3=1`, "Always"},
	{"a thread runs code of another one", `{ [x]=P1:L1; 0:X1=x; 1:X1=x; 1:X2=P1:L2; }
P0 | P1; LDR X2,[X1] | STR X2,[X1]; BLR X2 | B L0; | L1: ADD W0,W0,#1; | L2: ADD W0,W0,#1; | RET; | L0: NOP;
forall 0:X0=1 \/ 0:X0=2`, "Always"},
	{"AT says that a write would fault", `{ [PTE(x)]=(db:0); 0:X1=x; }
P0; AT S1E1W,X1; ISB; MRS X3,PAR_EL1; AT S1E1R,X1; ISB; MRS X4,PAR_EL1;
forall 0:X3=parel1_t:(f:1) /\ 0:X4=parel1_t:(oa:PA(x))`, "Always"},
	{"the result of AT may come late", `{ [PTE(x)]=(valid:0); 0:X1=x; }
P0; AT S1E0R,X1; MRS X3,PAR_EL1;
exists 0:X3=0`, "Sometimes"},
	{"AT may use an old entry", `{ 0:X1=x; 0:X3=PTE(x); pteval_t 0:X5=(oa:PA(x),valid:0); }
P0; STR X5,[X3]; DSB ISH; ISB; AT S1E1R,X1; ISB; MRS X4,PAR_EL1;
exists 0:X4=parel1_t:(oa:PA(x))`, "Sometimes"},
	{"a result of AT without an address", `{ 0:X1=x; }
P0; AT S1E1R,X1;
exists 0:X4=parel1_t:(f:0)`, "parel1_t has no output address"},
	{"hardware sets the access flag", `{ 0:X1=x; [PTE(x)]=(af:0); }
P0; LDR W0,[X1];
forall [PTE(x)]=(oa:PA(x)) /\ ~fault(P0)`, "Always"},
	{"page tables that the options leave out", `Variant=ifetch
{ 0:X1=x; [PTE(x)]=(valid:0); }
P0; LDR W0,[X1];
exists true`, "Variant= has ifetch without vmsa: add vmsa"},
	{"an unknown option", `{ 0:X1=x:red; }
P0; LDR W0,[X1];
exists true`, "the option frob of the line Variant= is not supported"},
	{"a handler without its thread", `{ 0:X1=x:red; }
P0 | P1.F; LDR W0,[X1] | NOP;
exists true`, "P1.F handles exceptions of P1, but there is no thread P1"},
	{"a contradictory entry", `{ [PTE(x)]=(valid:2); }
P0; NOP;
exists true`, "got valid:2 in an entry of a page table"},
}

// answerOf returns the observation of a test, or why there is no answer.
func answerOf(t *testing.T, task solver.Task) string {
	t.Helper()
	task.Path, task.Options = "t", solver.DefaultOptions()
	a, err := engines.Local{}.Run(t.Context(), task)
	if err != nil {
		return err.Error()
	}
	if r := a.(*solver.Result); r.Status != solver.Failed {
		return string(r.Observation)
	}
	return a.(*solver.Result).Error
}

// headers are lines of the headers of tests, by their names.
var headers = map[string]string{
	"hardware sets the access flag": "TTHM=HA", "an unknown option": "Variant=mte,frob",
}

func TestSystemTests(t *testing.T) {
	for _, test := range systemTests {
		t.Run(test.name, func(t *testing.T) {
			got := answerOf(t, solver.Task{Source: "AArch64 T\n" + headers[test.name] + "\n" + test.source})
			if !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Each answer has a proof that is checked.
func TestSystemTestsAreCertified(t *testing.T) {
	for _, test := range systemTests {
		options := solver.DefaultOptions()
		options.Certify = true
		source := "AArch64 T\n" + headers[test.name] + "\n" + test.source
		a, err := engines.Local{}.Run(t.Context(), solver.Task{Source: source, Path: "t", Options: options})
		if err != nil {
			continue // refused
		}
		r := a.(*solver.Result)
		if r.Status != solver.Failed && (r.Certified == nil || !*r.Certified) {
			t.Errorf("%s: %s", test.name, r.CertificateText())
		}
	}
}

// Other models and engines refuse such tests by name.
func TestSystemTestsAreForOneModel(t *testing.T) {
	for _, q := range []struct{ model, engine, want string }{
		{"sc", "", "SC does not define memory tags"},
		{"aarch64", "graphs", "the engine graphs does not support memory tags"},
	} {
		got := answerOf(t, solver.Task{Source: "AArch64 T\n" + systemTests[0].source, Model: q.model, Engine: q.engine})
		if !strings.Contains(got, q.want) {
			t.Errorf("%s, %s: got %s, want %s", q.model, q.engine, got, q.want)
		}
	}
}
