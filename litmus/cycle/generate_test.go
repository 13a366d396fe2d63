package cycle

import (
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/lower"
)

// TestGenerate holds whole tests: layout, registers, values, and the question.
func TestGenerate(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"X86", "PodWR Fre PodWR Fre", `X86 SB
"PodWR Fre PodWR Fre"
Cycle=PodWR Fre PodWR Fre
Orig=PodWR Fre PodWR Fre
{
}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists
(0:EAX=0 /\ 1:EAX=0)
`},
		// From the middle of a thread: the test begins with a whole one.
		{"PPC", "Rfe DpAddrdR Fre LwSyncdWW", `PPC MP+lwsync+addr
"DpAddrdR Fre LwSyncdWW Rfe"
Cycle=LwSyncdWW Rfe DpAddrdR Fre
Orig=DpAddrdR Fre LwSyncdWW Rfe
{
0:r2=x; 0:r5=y;
1:r2=y; 1:r4=x;
}
 P0            | P1           ;
 lwz r1,0(r2)  | li r1,1      ;
 xor r3,r1,r1  | stw r1,0(r2) ;
 lwzx r4,r3,r5 | lwsync       ;
               | li r3,1      ;
               | stw r3,0(r4) ;
exists
(0:r1=1 /\ 0:r4=0)
`},
		{"AArch64", "DMB.SYdWW RfeXX DpCtrlIsbdR Fre", `AArch64 MP+dmb.sypx+ctrlisbxp
"DMB.SYdWWPX RfeXX DpCtrlIsbdRXP Fre"
Cycle=DMB.SYdWWPX RfeXX DpCtrlIsbdRXP Fre
Orig=DMB.SYdWWPX RfeXX DpCtrlIsbdRXP Fre
{
0:X1=x; 0:X2=y;
1:X0=y; 1:X4=x;
}
 P0              | P1              ;
 MOV W0,#1       | LDXR W1,[X0]    ;
 STR W0,[X1]     | STXR W2,W1,[X0] ;
 DMB SY          | CBNZ W1,LC00    ;
 MOV W3,#1       | LC00:           ;
 LDXR W4,[X2]    | ISB             ;
 STXR W5,W3,[X2] | LDR W3,[X4]     ;
exists
(y=1 /\ 0:X5=0 /\ 0:X4=0 /\ 1:X2=0 /\ 1:X1=1 /\ 1:X3=0)
`},
		{"RISCV", "Fence.rw.rwdRW Rfe Rmw PodWRPAq DpDatadW Rfe", `RISCV LB+fence.rw.rw+rmw-popaq-dataaqp
"Fence.rw.rwdRW Rfe Rmw PodWRPAq DpDatadWAqP Rfe"
Cycle=Fence.rw.rwdRW Rfe Rmw PodWRPAq DpDatadWAqP Rfe
Orig=Fence.rw.rwdRW Rfe Rmw PodWRPAq DpDatadWAqP Rfe
{
0:x6=x; 0:x8=y;
1:x5=y; 1:x9=z; 1:x11=x;
}
 P0          | P1                   ;
 lw x5,0(x6) | ori x7,x0,2          ;
 fence rw,rw | amoswap.w x6,x7,(x5) ;
 ori x7,x0,1 | lw.aq x8,0(x9)       ;
 sw x7,0(x8) | xor x10,x8,x8        ;
             | ori x10,x10,1        ;
             | sw x10,0(x11)        ;
exists
(y=2 /\ 0:x5=1 /\ 1:x6=1)
`},
		// stwcx. tells by a flag alone whether it has stored.
		{"PPC", "PodWWPX Rfe LxSx PodWR Fre", `PPC MP+popx+lxsx-po
"PodWWPX RfeXP LxSx PodWR Fre"
Cycle=PodWWPX RfeXP LxSx PodWR Fre
Orig=PodWWPX RfeXP LxSx PodWR Fre
{
0:r2=x; 0:r3=y;
1:r1=y; 1:r5=x;
}
 P0              | P1              ;
 li r1,1         | li r2,2         ;
 stw r1,0(r2)    | lwarx r3,r0,r1  ;
 li r4,1         | stwcx. r2,r0,r1 ;
 lwarx r5,r0,r3  | bne  LC01       ;
 stwcx. r4,r0,r3 | lwz r4,0(r5)    ;
 bne  LC00       | li r6,1         ;
 li r6,1         | LC01:           ;
 LC00:           |                 ;
exists
(y=2 /\ 0:r5=0 /\ 0:r6=1 /\ 1:r3=1 /\ 1:r4=0 /\ 1:r6=1)
`},
		// Three writes to y, of which nobody else sees that 1 comes before 2.
		{"PPC", "LwSyncdWW Wse DetourW PodRR Fre", `PPC R+lwsync+detw-po
"LwSyncdWW Wse DetourW PodRR Fre"
Cycle=LwSyncdWW Wse DetourW PodRR Fre
Orig=LwSyncdWW Wse DetourW PodRR Fre
{
0:r2=x; 0:r4=y;
1:r2=y; 1:r5=x;
2:r2=y;
3:r2=y;
}
 P0           | P1           | P2           | P3           ;
 li r1,1      | li r1,2      | li r1,3      | lwz r1,0(r2) ;
 stw r1,0(r2) | stw r1,0(r2) | stw r1,0(r2) | sync         ;
 lwsync       | lwz r3,0(r2) |              | lwz r3,0(r2) ;
 li r3,1      | lwz r4,0(r5) |              |              ;
 stw r3,0(r4) |              |              |              ;
exists
(y=3 /\ 1:r3=3 /\ 1:r4=0 /\ 3:r1=1 /\ 3:r3=2)
`},
	} {
		cycle, err := ParseCycle(c.arch, c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Generate(c.arch, cycle, "")
		if err != nil || got != c.want {
			t.Errorf("%s %s: %v\n%s", c.arch, c.text, err, got)
		}
	}
}

// randomCycle draws a cycle in words of a dialect, marks included.
func randomCycle(t *rapid.T, arch string) Cycle {
	words, _ := Vocabulary(arch)
	var edges []Edge
	for _, e := range words.Entries {
		if fences()[e.Edge.Name].Maintains == lower.OfValue {
			edges = append(edges, e.Edge)
		}
	}
	marked := func(a Access) Access {
		fit := []string{"", "", ""}
		for _, m := range words.Marks {
			if m.Memory != lower.OfValue {
				continue // TestRandomSystemCyclesReturn has these
			}
			if a.Write && m.Writes || !a.Write && m.Reads {
				fit = append(fit, m.Mark)
			}
		}
		return Access{Write: a.Write, Mark: rapid.SampledFrom(fit).Draw(t, "mark")}
	}
	for {
		n := rapid.IntRange(3, 8).Draw(t, "edges")
		c := make(Cycle, 0, n)
		for len(c) < n {
			e := rapid.SampledFrom(edges).Draw(t, "edge")
			// Communications across are one word in many, and every second edge.
			if rapid.Bool().Draw(t, "across") {
				e = rapid.SampledFrom(edges[:4]).Draw(t, "edge")
			}
			if len(c) > 0 && c[len(c)-1].To.Write != e.From.Write || len(c) == n-1 && e.To.Write != c[0].From.Write {
				continue
			}
			c = append(c, e)
		}
		for i := range c {
			a := marked(c[i].From)
			c[i].From, c[(i+n-1)%n].To = a, a
		}
		if Fits(arch, c) {
			return c
		}
	}
}

// contradictsSC tells that no execution under SC has the cycle: each step goes forward in time. Two reads of one write
// do not; but if the second belongs to an atomic instruction, the first comes before its write.
func contradictsSC(c Cycle) bool {
	for i, e := range c {
		if e.Kind == Hat && c[(i+1)%len(c)].Kind != Rmw {
			return false
		}
	}
	return true
}
