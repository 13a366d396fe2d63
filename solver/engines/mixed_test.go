package engines

import (
	"testing"

	"litmuscope/solver"
)

// mixedTests are tests whose accesses overlap in part.
var mixedTests = []string{`AArch64 MP+mixed
{ uint64_t x; uint64_t y; 0:X1=x; 0:X3=y; 0:X4=1; 0:X2=0x0202020202020202; 1:X1=x; 1:X3=y; }
 P0          | P1             ;
 STR X2,[X1] | LDR W5,[X3]    ;
 STR W4,[X3] | LDR W6,[X1,#4] ;
 STR X4,[X3] |                ;
exists (1:X5=1 /\ 1:X6=0)
`, `AArch64 SB+rfis
{ uint64_t x; uint64_t y; 0:X1=x; 0:X2=0x0102030401020304; 0:X3=y; 1:X1=x; 1:X3=y; 1:X2=0x0102030401020304; }
 P0           | P1           ;
 STR W2,[X1]  | STR W2,[X3]  ;
 LDR X5,[X1]  | LDR X5,[X3]  ;
 LDRH W6,[X3] | LDRB W6,[X1] ;
exists (0:X5=0x01020304 /\ 0:X6=0 /\ 1:X6=0)
`, `X86_64 Lock+bytes
{ uint64_t x; 0:rax=x; 1:rax=x; 1:rcx=0x0101; 0:rbx=0x0202020202020202; }
 P0                | P1                  ;
 movb $1,(%rax)    | movw %cx,2(%rax)    ;
 movq (%rax),%rdx  | movl (%rax),%edx    ;
 xchgq %rbx,(%rax) | movb 1(%rax),%r8b   ;
exists (0:rdx=1 /\ 1:rdx=0x01010000)
`, `RISCV Half+exclusive
{ uint64_t x; 0:x1=x; 0:x3=0x0303; 1:x1=x; 1:x3=0x0505050505050505; }
 P0           | P1              ;
 sh x3,2(x1)  | lr.d x5,(x1)    ;
 lw x5,0(x1)  | sc.d x6,x3,(x1) ;
exists (1:x6=0)
`}

// Whatever a model allows of accesses of mixed size has a run that can be followed, by the steps of a machine or in an
// order of its events; where the bytes of a read come from writes that see each other in a circle there is none, which is said.
func TestMixedSizesHaveSteps(t *testing.T) {
	for _, source := range mixedTests {
		for _, model := range []string{"sc", "tso", "pso", "aarch64", "riscv"} {
			task := solver.Task{Path: "t.litmus", Source: source, Model: model, Engine: "axiomatic", Options: solver.DefaultOptions()}
			task.Options.Witnesses = true
			r, err := Run(t.Context(), task)
			if err != nil || len(r.Outcomes) == 0 {
				t.Fatalf("%s: %v: %+v", model, err, r)
			}
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				for _, drawn := range []bool{false, true} {
					w, err := Take(Stroll{File: "t.litmus", Source: source, Model: model, Outcome: o, Drawn: drawn})
					if err != nil || w.Refused != "" || len(w.Frames) < 2 || w.Left > 0 {
						t.Errorf("%s under %s, drawn %v: %v: %+v", source, model, drawn, err, w)
						continue
					}
					carried := map[int]bool{}
					for _, f := range w.Frames {
						for _, id := range f.Events {
							carried[id] = true
						}
					}
					for _, e := range o.Graph.Events {
						if e.Thread >= 0 && !carried[e.ID] {
							t.Errorf("%s under %s, drawn %v: %s is in no step", source, model, drawn, e.Name)
						}
					}
				}
			}
		}
	}
}
