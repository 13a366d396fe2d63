package webtest

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
)

// Buffering is load buffering, in C11.
const Buffering = `C LB
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=1 /\ 1:r0=1)
`

// Stranger is WRC+sync+addr as somebody may write it who has never heard of it.
const Stranger = `PPC told-by-another
{ 0:r9=z; 0:r1=7; 1:r9=z; 1:r8=flag; 1:r1=1; 2:r8=flag; 2:r9=z; }
 P0           | P1           | P2           ;
 stw r1,0(r9) | lwz r2,0(r9) | lwz r2,0(r8) ;
              | sync         | xor r3,r2,r2 ;
              | stw r1,0(r8) | lwzx r4,r3,r9 ;
exists (1:r2=7 /\ 2:r2=1 /\ 2:r4=0)
`

// ManyOutcomes is a test of ten threads with 256 outcomes: eight of them read what one writes.
func ManyOutcomes() string {
	var names, code, prop []string
	for i := range 8 {
		names = append(names, fmt.Sprintf("P%d", i))
		code = append(code, "MOV EAX,[x]")
		prop = append(prop, fmt.Sprintf("%d:EAX=1", i))
	}
	names, code = append(names, "P8", "P9"), append(code, "MOV [x],$1", "MOV [y],$1")
	return "X86 many\n{}\n " + strings.Join(names, " | ") + " ;\n " + strings.Join(code, " | ") + " ;\nexists (" +
		strings.Join(prop, ` /\ `) + ")\n"
}

// ClassicSource is the text of a classic test.
func ClassicSource(t *testing.T, name string) string {
	t.Helper()
	e, ok := catalogue.Find(name)
	if !ok {
		t.Fatalf("no classic test %s", name)
	}
	return e.Source
}

// MPTLBI passes a message through an entry of a page table: P1 removes old entries from its TLB before it reads x.
const MPTLBI = `AArch64 MP-TLBI
Variant=vmsa
{
[PTE(x)]=(oa:PA(x),valid:0);
0:X0=(oa:PA(x),valid:1); 0:X1=PTE(x);
0:X3=y; 1:X3=y; 1:X5=x;
}
 P0          | P1             ;
 STR X0,[X1] | LDR W2,[X3]    ;
 DSB ST      | DSB LD         ;
 MOV W2,#1   | LSR X6,X5,#12  ;
 STR W2,[X3] | TLBI VAAE1IS,X6 ;
             | DSB ISH        ;
             | ISB            ;
             | L0:LDR W4,[X5] ;
exists (1:X2=1 /\ fault(P1:L0,x))
`
