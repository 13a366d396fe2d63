package synth

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
)

// Tests of Arm's system side, without what the architecture asks for and with it.
const (
	maintenanceEntry = `AArch64 MP-invalid
{
 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X2=y;
 1:X2=y; 1:X3=x; x=1;
}
 P0          | P1          ;
 MOV W4,#1   | LDR W4,[X2] ;
 STR X1,[X0] | LDR W5,[X3] ;
 STR W4,[X2] |             ;
exists (1:X4=1 /\ 1:X5=1)
`
	maintenanceEntryKept = `AArch64 MP-shoot
{
 0:X0=PTE(x); 0:X1=(oa:PA(x),valid:0); 0:X2=y; 0:X3=x;
 1:X2=y; 1:X3=x; x=1;
}
 P0              | P1           ;
 MOV W4,#1       | LDAR W4,[X2] ;
 STR X1,[X0]     | DSB SY       ;
 DSB ISH         | ISB          ;
 LSR X9,X3,#12   | LDR W5,[X3]  ;
 TLBI VAAE1IS,X9 |              ;
 DSB ISH         |              ;
 ISB             |              ;
 STR W4,[X2]     |              ;
exists (1:X4=1 /\ 1:X5=1)
`
	maintenanceCode = `AArch64 SM
{ 0:X0=NOP; 0:X1=P0:L0; }
 P0          ;
 STR W0,[X1] ;
L0: B L1     ;
 MOV W9,#1   ;
L1:          ;
exists 0:X9=0
`
	maintenanceCodeKept = `AArch64 MP.RF
{ 0:X0=NOP; 0:X1=P1:m0; 0:X3=z; 1:X3=z; }
 P0          | P1           ;
 STR W0,[X1] |  LDR W2,[X3] ;
 DC CVAU,X1  |  DSB SY      ;
 DSB ISH     |  ISB         ;
 IC IVAU,X1  | m0: B l0     ;
 DSB ISH     |  MOV W9,#1   ;
 MOV W2,#1   | l0:          ;
 ISB         |              ;
 STR W2,[X3] |              ;
exists (1:X2=1 /\ 1:X9=0)
`
	maintenanceHandler = `AArch64 S-handler
Variant=vmsa
{
 [PTE(x)]=(oa:PA(x), valid:0);
 pteval_t 0:X0=(oa:PA(x)); 0:X1=PTE(x); 0:X3=y; 1:X5=x; 1:X3=y;
}
 P0          | P1          | P1.F           ;
 STR X0,[X1] | LDR W2,[X3] | ADR X9,L0      ;
 DMB ST      |             | MSR ELR_EL1,X9 ;
 MOV W2,#1   | STR W2,[X5] | ERET           ;
 STR W2,[X3] | L0:         |                ;
exists (1:X2=1 /\ [x]=0)
`
	maintenanceHardware = `AArch64 LB-hardware
Variant=vmsa
TTHM=HA HD
{
 [PTE(x)]=(db:0, dbm:1); x=1;
 0:X1=y; 0:X5=PTE(x); 1:X1=y; 1:X3=x;
}
 P0          | P1          ;
 LDR X4,[X5] | LDR W0,[X1] ;
 DMB SY      | DSB SY      ;
 MOV W0,#1   | MOV W2,#2   ;
 STR W0,[X1] | STR W2,[X3] ;
exists (1:X0=1 /\ 0:X4=(oa:PA(x), dbm:1))
`
	maintenanceTags = `AArch64 MP-tag
{ 0:X1=x:green; 0:X2=x:red; 0:X3=y; 1:X3=y; 1:X0=x:red; }
 P0          | P1          ;
 STG X2,[X1] | LDR W1,[X3] ;
 MOV W0,#1   | LDR W2,[X0] ;
 STR W0,[X3] |             ;
exists (1:X1=1 /\ fault(P1,x))
`
)

// The answers are the architecture's sequences (DDI 0487, B2.2.5 and D8.16). DMB waits for DC as DSB does, and a DSB of
// stores is enough before a TLBI.
func TestMaintenance(t *testing.T) {
	for _, c := range []struct {
		name, source string
		weaken       bool
		want         string
	}{
		{"entry", maintenanceEntry, false, `
- 1:X2=y; 1:X3=x; x=1;
+ 1:X2=y; 1:X3=x; x=1; 0:X27=x;
- MOV W4,#1   | LDR W4,[X2] ;
+ MOV W4,#1   | LDAPR W4,[X2] ;
+ DSB ISHST   |             ;
+ LSR X28,X27,#12 |             ;
+ TLBI VAAE1IS,X28 |             ;
+ DSB ISH     |             ;`},
		{"entry", maintenanceEntryKept, true, `
- MOV W4,#1       | LDAR W4,[X2] ;
- STR X1,[X0]     | DSB SY       ;
- DSB ISH         | ISB          ;
+ MOV W4,#1       | LDAPR W4,[X2] ;
+ STR X1,[X0]     |              ;
+ DSB ISHST       |              ;
- ISB             |              ;`},
		{"code", maintenanceCode, false, `
+ DC CVAU,X1  ;
+ DMB SY      ;
+ IC IVAU,X1  ;
+ DSB ISH     ;
+ ISB         ;`},
		{"code", maintenanceCodeKept, true, `
- DC CVAU,X1  |  DSB SY      ;
- DSB ISH     |  ISB         ;
+ DC CVAU,X1  |  DSB ISHLD   ;
+ DMB SY      |  ISB         ;
- ISB         |              ;`},
		{"handler", maintenanceHandler, false, `
+             | CBNZ W2,LC00 |                ;
+             | LC00:       |                ;
+             | ISB         |                ;`},
		{"hardware", maintenanceHardware, false, `
+             | ISB         ;`},
		{"tags", maintenanceTags, false, `
- STG X2,[X1] | LDR W1,[X3] ;
+ STG X2,[X1] | LDAPR W1,[X3] ;
- STR W0,[X3] |             ;
+ STLR W0,[X3] |             ;`},
	} {
		name := c.name
		if c.weaken {
			name += "-weaken"
		}
		t.Run(name, func(t *testing.T) {
			options := solver.DefaultOptions()
			options.Timeout = 0
			r, err := Answer(t.Context(), Question{
				Path: "t.litmus", Source: c.source, Weaken: c.weaken, Options: options,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != solver.OK || !r.Minimal || len(r.Repairs) == 0 {
				t.Fatalf("%s: %s %s", r.Status, r.Summary(c.weaken), r.Reason)
			}
			var got []string
			for _, a := range r.Repairs {
				var lines []string
				for _, l := range strings.Split(a.Diff, "\n") {
					if strings.HasPrefix(l, "+") || strings.HasPrefix(l, "-") {
						lines = append(lines, strings.TrimRight(l, " "))
					}
				}
				got = append(got, strings.Join(lines, "\n"))
			}
			if want := strings.TrimSpace(c.want); !slices.Contains(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n\n"), want)
			}
		})
	}
}

// What repair and weaken say of tests of the system side is what trying every choice among some changes says.
func TestMaintenanceAsTryingEveryChoice(t *testing.T) {
	n := 8
	if testing.Short() {
		n = 1
	}
	r := rand.New(rand.NewPCG(1, 2))
	useful := 0
	for range n {
		for _, source := range []string{maintenanceEntry, maintenanceCode, maintenanceTags} {
			tried(t, "AArch64", source, "aarch64", false, r)
		}
		for _, source := range []string{maintenanceEntryKept, maintenanceCodeKept} {
			if tried(t, "AArch64", source, "aarch64", true, r) {
				useful++
			}
		}
	}
	if useful == 0 {
		t.Error("no answer changes anything")
	}
}
