package engines

import (
	"slices"
	"strings"
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

// Every execution that a model allows of accesses of mixed size has a run to follow, by the steps of a machine or in an
// order of its events; if the bytes of a read come from writes that see each other in a circle there is none, and the
// answer says so.
func TestMixedSizesHaveSteps(t *testing.T) {
	for _, source := range mixedTests {
		for _, model := range []string{"sc", "tso", "pso", "aarch64", "riscv"} {
			task := solver.Task{
				Path: "t.litmus", Source: source, Model: model, Engine: "axiomatic",
				Options: solver.DefaultOptions(),
			}
			task.Options.Witnesses = true
			r, err := Run(t.Context(), task)
			if err != nil || len(r.Outcomes) == 0 {
				t.Fatalf("%s: %v: %+v", model, err, r)
			}
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				for _, drawn := range []bool{false, true} {
					w, err := AnswerStroll(
						Stroll{File: "t.litmus", Source: source, Model: model, Outcome: o, Drawn: drawn},
					)
					if err != nil || w.Refused != "" || len(w.Frames) < 2 || w.LeavesAt > 0 {
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

// The explanation why a model allows what SC forbids uses accesses.
func TestMixedSizesAreExplained(t *testing.T) {
	for _, c := range []struct {
		test  int
		model string
		want  []string // of the outcomes that SC forbids: words and remedy
	}{
		{0, "sc", nil},
		{0, "tso", nil},
		{0, "pso", []string{
			"P0's store of 1 to y reaches memory before its earlier store to x, which waits in a buffer.",
			"A full fence between the two would forbid this execution.",
		}},
		{0, "aarch64", []string{
			"P0's store of 1 to y may take effect before its earlier store to x.",
			"P1's load of x+4 may take place before its earlier load of y.",
			"Full fences in these places would forbid this execution.",
		}},
		{1, "tso", []string{
			"P0's store to x may wait in its buffer while its load reads y=0; its load of x takes its value from " +
				"the buffer.",
			"P1's store to y may wait in its buffer while its load reads x=0; its load of y takes its value from " +
				"the buffer.",
			"Full fences in these places would forbid this execution.",
		}},
		// A load of x has a byte from its own buffer, and the others from memory.
		{2, "tso", []string{
			"P1's load of x reads its thread's own store to x+2 from the buffer, before it reaches memory.",
			"A full fence between the two would forbid this execution.",
			"P1's load of x reads its thread's own store to x+2 from the buffer, before it reaches memory.",
			"A full fence between the two would forbid this execution.",
		}},
	} {
		task := solver.Task{
			Path: "t.litmus", Source: mixedTests[c.test], Model: c.model, Engine: "axiomatic",
			Options: solver.DefaultOptions(),
		}
		task.Options.Witnesses = true
		r, err := Run(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range r.Outcomes {
			why, err := Relax(Comparison{Task: task, Label: c.model, Graph: o.Graph})
			if err != nil {
				t.Error(err)
				continue
			}
			for i, s := range why.Cycle {
				if o.Graph.Events[s.From].Piece > 0 || s.To != why.Cycle[(i+1)%len(why.Cycle)].From {
					t.Errorf("%s: a step does not lead from access to access: %+v", c.model, why.Cycle)
				}
				if s.Relaxed {
					got = append(got, s.Words)
				}
			}
			if why.Cycle != nil {
				got = append(got, why.Remedy)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of test %d:\n%s\nwant\n%s", c.model, c.test, strings.Join(got, "\n"),
				strings.Join(c.want, "\n"))
		}
	}
}
